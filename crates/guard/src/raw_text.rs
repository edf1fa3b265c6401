//! The last resort for text without structure: shapes of destructive commands in the words as they stand.
//!
//! Used only where a quote never closes or a here-document never ends. Linear: one pass over the white-space words.

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape(pub &'static str);

/// The first destructive shape in `text`.
pub fn scan(text: &str) -> Option<Shape> {
    let prose = text.trim_start();
    let shown = prose.starts_with("echo ") || prose.starts_with("rg ");
    let words: Vec<String> = text.lines().flat_map(words_of).collect();
    words.split(|word| word == ";").find_map(|command| in_command(command, shown))
}

/// The first destructive shape among the words up to a separator. What follows a later word also follows an earlier one like it,
/// so each program, and each command of git, is looked at once: that keeps this linear.
fn in_command(words: &[String], shown: bool) -> Option<Shape> {
    let mut seen: Vec<&str> = Vec::new();
    let mut is_new = |name: &'static str| {
        let new = !seen.contains(&name);
        if new {
            seen.push(name);
        }
        new
    };
    words.iter().enumerate().find_map(|(index, word)| {
        let rest = words.get(index + 1..).unwrap_or_default();
        match word.rsplit('/').next().unwrap_or(word) {
            "rm" if is_new("rm") && recursive_and_force(rest) => Some(Shape("rm with recursive and force")),
            "git" => git(rest, shown, &mut is_new),
            "find" if !shown && is_new("find") && rest.iter().any(|word| word == "-delete") => Some(Shape("find -delete")),
            "dd" if !shown && is_new("dd") && rest.iter().any(|word| word.starts_with("of=/dev/")) => Some(Shape("dd to a device")),
            "shred" if !shown && !rest.is_empty() => Some(Shape("shred")),
            program
                if !shown && program.starts_with("mkfs") && is_new("mkfs") && rest.iter().any(|word| word.starts_with("/dev/")) =>
            {
                Some(Shape("mkfs on a device"))
            }
            _ => None,
        }
    })
}

/// Words without quotes, commands separated by a `;` word. A word that begins a comment ends the line.
fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for raw in line.split_whitespace() {
        if raw.starts_with('#') {
            break;
        }
        let mut word = String::new();
        for character in raw.chars() {
            match character {
                '\'' | '"' | '\\' | '(' | '{' | '`' => {}
                ';' | '&' | '|' | ')' | '}' => {
                    if !word.is_empty() {
                        words.push(std::mem::take(&mut word));
                    }
                    words.push(";".to_owned());
                }
                other => word.push(other),
            }
        }
        if !word.is_empty() {
            words.push(word);
        }
    }
    words.push(";".to_owned());
    words
}

fn short(words: &[String], letters: &[char]) -> bool {
    words
        .iter()
        .any(|word| word.starts_with('-') && !word.starts_with("--") && word.chars().any(|letter| letters.contains(&letter)))
}

fn recursive_and_force(words: &[String]) -> bool {
    let long = |name: &str| words.iter().any(|word| word.len() > 3 && name.starts_with(word.as_str()));
    (short(words, &['r', 'R']) || long("--recursive")) && (short(words, &['f']) || long("--force"))
}

/// Commands of git that can be destructive.
const GIT: &[&str] = &["reset", "clean", "checkout", "restore", "push", "branch", "tag", "stash"];

fn git(words: &[String], shown: bool, is_new: &mut impl FnMut(&'static str) -> bool) -> Option<Shape> {
    // Options before the command are few; more of them are none that git would take.
    let command = words.iter().take(64).find(|word| !word.starts_with('-'))?.to_ascii_lowercase();
    let command = GIT.iter().find(|name| **name == command)?;
    if !is_new(command) {
        return None;
    }
    let has = |wanted: &str| words.iter().any(|word| word.eq_ignore_ascii_case(wanted));
    let shape = match *command {
        "reset" if has("--hard") || has("--merge") => "git reset --hard",
        "clean" if short(words, &['f']) || has("--force") => "git clean -f",
        "checkout" if has("--force") || short(words, &['f']) || (!shown && has("--")) => "git checkout that discards changes",
        "restore" if !shown && !has("--staged") && !short(words, &['S']) => "git restore",
        "push"
            if has("--force") || has("--delete") || short(words, &['f', 'd']) || words.iter().any(|word| word.starts_with('+')) =>
        {
            "git push that overwrites or deletes"
        }
        "branch" if words.iter().any(|word| word.starts_with('-') && !word.starts_with("--") && word.contains('D')) => {
            "git branch -D"
        }
        "tag" if short(words, &['d']) || has("--delete") => "git tag -d",
        "stash" if has("drop") || has("clear") => "git stash drop",
        _ => return None,
    };
    Some(Shape(shape))
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn shapes_are_found_and_prose_is_not() {
        for text in
            ["rm -rf 'x", "git reset --hard 'unterminated", "bash -c \"git reset --hard", "/bin/rm -r -f \"x", "(git push -f 'x"]
        {
            assert!(scan(text).is_some(), "{text}");
        }
        for text in
            ["echo 'unterminated", "rm -r /tmp/project-stuff 'x", "ls 'a # rm -rf /", "git status 'x", "echo 'find . -delete"]
        {
            assert!(scan(text).is_none(), "{text}");
        }
    }
}
