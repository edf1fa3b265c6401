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
    words.iter().enumerate().find_map(|(index, word)| {
        let rest = words.get(index + 1..).unwrap_or_default();
        let rest = rest.get(..rest.iter().position(|word| word == ";").unwrap_or(rest.len())).unwrap_or_default();
        match word.rsplit('/').next().unwrap_or(word) {
            "rm" if recursive_and_force(rest) => Some(Shape("rm with recursive and force")),
            "git" => git(rest, shown),
            "find" if !shown && rest.iter().any(|word| word == "-delete") => Some(Shape("find -delete")),
            "dd" if !shown && rest.iter().any(|word| word.starts_with("of=/dev/")) => Some(Shape("dd to a device")),
            "shred" if !shown && !rest.is_empty() => Some(Shape("shred")),
            program if !shown && program.starts_with("mkfs") && rest.iter().any(|word| word.starts_with("/dev/")) => {
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

fn git(words: &[String], shown: bool) -> Option<Shape> {
    let has = |wanted: &str| words.iter().any(|word| word.eq_ignore_ascii_case(wanted));
    let command = words.iter().find(|word| !word.starts_with('-'))?.to_ascii_lowercase();
    let shape = match command.as_str() {
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
