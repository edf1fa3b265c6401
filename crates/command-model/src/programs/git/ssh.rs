//! Commands that git uses in place of `ssh`.

use crate::argument::Value;

use super::global::known;

/// Options of ssh(1) with a value that say who and where, and run nothing.
const WITH_VALUE: &[&str] = &["-i", "-p", "-F"];
/// Options without a value that only narrow or show more.
const FLAGS: &[&str] = &["-4", "-6", "-v", "-q", "-T", "-a", "-x"];
/// Settings for `-o` that name keys, hosts and times. `ProxyCommand`, `LocalCommand` and the like run commands.
#[rustfmt::skip]
const SETTINGS: &[&str] = &[
    "identitiesonly", "identityfile", "stricthostkeychecking", "userknownhostsfile", "batchmode", "connecttimeout",
    "port", "user", "loglevel", "serveraliveinterval", "addressfamily",
];

/// What a plain `ssh` command uses: its keys and configuration files.
pub(super) fn plain_files(text: &str) -> Option<Vec<Value>> {
    // Quotes and expansions would need a shell to read; then it is not plain.
    if text.contains(|letter: char| ";&|<>$`(){}\n\\*?[]#".contains(letter)) {
        return None;
    }
    let words = split(text)?;
    let mut words = words.iter().map(String::as_str);
    let program = words.next()?;
    if !matches!(program, "ssh" | "/usr/bin/ssh" | "ssh.exe") {
        return None;
    }
    let mut files = Vec::new();
    while let Some(word) = words.next() {
        let (option, glued) = if word.is_char_boundary(2) { word.split_at(2) } else { (word, "") };
        if option == "-o" {
            let setting = if glued.is_empty() { words.next()? } else { glued };
            let (name, value) = setting.split_once(['=', ' ']).unwrap_or((setting, ""));
            let name = name.to_ascii_lowercase();
            if !SETTINGS.contains(&name.as_str()) {
                return None;
            }
            if name == "identityfile" {
                files.push(known(value));
            }
        } else if WITH_VALUE.contains(&option) {
            let value = if glued.is_empty() { words.next()? } else { glued };
            if option != "-p" {
                files.push(known(value));
            }
        } else if !FLAGS.contains(&word) {
            return None;
        }
    }
    Some(files)
}

/// Whether the command is an `ssh` that only says which key, port and configuration to use.
pub(super) fn is_plain(text: &str) -> bool {
    plain_files(text).is_some()
}

/// Words with simple quotes; `None` where a quote is not closed.
fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '\'' || letter == '"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word.take());
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn plain_and_not() {
        for text in ["ssh", "ssh -i ~/.ssh/deploy -o IdentitiesOnly=yes", "ssh -p2222 -F 'my config'", "ssh -oBatchMode=yes"] {
            assert!(is_plain(text), "{text}");
        }
        for text in [
            "sh -c x",
            "ssh -o ProxyCommand=x",
            "ssh -i k; rm x",
            "ssh -i \"$KEY\"",
            "ssh host",
            "ssh -o 'LocalCommand x'",
            "./ssh",
            "ssh -i 'k",
            "",
        ] {
            assert!(!is_plain(text), "{text}");
        }
    }
}
