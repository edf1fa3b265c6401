//! Patterns of `-name` and `-path` (fnmatch(3): `*` matches `/` too), and literal ends of regular expressions.

/// `text` matches `pattern`. Bounded: one place to go back to, so the work is at most the product of both lengths.
pub(super) fn matches(pattern: &str, text: &str, ignores_case: bool) -> bool {
    let lower = |letter: char| {
        if ignores_case { letter.to_ascii_lowercase() } else { letter }
    };
    let pattern: Vec<char> = pattern.chars().map(lower).collect();
    let text: Vec<char> = text.chars().map(lower).collect();
    let (mut at, mut index) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    loop {
        let advanced = match (pattern.get(at), text.get(index)) {
            (None, None) => return true,
            (Some('*'), _) => {
                back = Some((at + 1, index));
                at += 1;
                continue;
            }
            (Some(_), Some(letter)) => one(&pattern, at, *letter),
            _ => None,
        };
        match (advanced, back) {
            (Some(next), _) => {
                at = next;
                index += 1;
            }
            (None, Some((start, from))) if from < text.len() => {
                back = Some((start, from + 1));
                at = start;
                index = from + 1;
            }
            _ => return false,
        }
    }
}

/// Matches one letter against the element of the pattern at `at`; where the next element stands.
fn one(pattern: &[char], at: usize, letter: char) -> Option<usize> {
    match pattern.get(at)? {
        '?' => Some(at + 1),
        '\\' => (*pattern.get(at + 1)? == letter).then_some(at + 2),
        '[' => match set(pattern, at, letter) {
            Some((found, next)) => found.then_some(next),
            None => (letter == '[').then_some(at + 1),
        },
        literal => (*literal == letter).then_some(at + 1),
    }
}

/// A bracket expression: whether it holds the letter, and what follows it; `None` where it is not closed.
fn set(pattern: &[char], at: usize, letter: char) -> Option<(bool, usize)> {
    let mut index = at + 1;
    let inverted = matches!(pattern.get(index)?, '!' | '^');
    index += usize::from(inverted);
    let first = index;
    let mut found = false;
    loop {
        let low = *pattern.get(index)?;
        if low == ']' && index > first {
            return Some((found != inverted, index + 1));
        }
        match (pattern.get(index + 1), pattern.get(index + 2)) {
            (Some('-'), Some(high)) if *high != ']' => {
                found |= (low..=*high).contains(&letter);
                index += 3;
            }
            _ => {
                found |= low == letter;
                index += 1;
            }
        }
    }
}

/// How much a pattern says: its literal letters.
pub(super) fn weight(pattern: &str) -> usize {
    pattern.chars().filter(|letter| !"*?[]".contains(*letter)).count()
}

/// The literal text a regular expression must end with, where it is at least two letters and something open stands before it.
pub(super) fn literal_end(regex: &str) -> Option<String> {
    let letters: Vec<char> = regex.trim_end_matches('$').chars().collect();
    // An alternative at the top says nothing about the end of the other one.
    if regex.contains('|') {
        return None;
    }
    let mut end = Vec::new();
    let mut index = letters.len();
    while let Some(letter) = index.checked_sub(1).and_then(|last| letters.get(last)) {
        let escaped = index.checked_sub(2).and_then(|last| letters.get(last)) == Some(&'\\');
        if escaped && !letter.is_ascii_alphanumeric() && !"(){}|+?'`<>".contains(*letter) {
            end.push(*letter);
            index -= 2;
        } else if !escaped && (letter.is_ascii_alphanumeric() || "_-/".contains(*letter)) {
            end.push(*letter);
            index -= 1;
        } else {
            break;
        }
    }
    (end.len() >= 2).then(|| end.iter().rev().collect())
}

#[cfg(test)]
mod tests {
    use super::{literal_end, matches};

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("*.pyc", "a.pyc", true),
            ("*.pyc", "a.py", false),
            ("*/.git/*", "./.git/config", true),
            ("*/\\.git/*", "./.git/config", true),
            ("[a-c]?", "bx", true),
            ("[!a]", "a", false),
            ("[", "[", true),
            ("", "", true),
            ("a*b*c", "axxbxxc", true),
            ("a*b*c", "axxbxx", false),
        ] {
            assert_eq!(matches(pattern, text, false), expected, "{pattern} {text}");
        }
        assert!(matches("*.PYC", "a.pyc", true));
    }

    #[test]
    fn ends() {
        assert_eq!(literal_end(r".*\.pyc"), Some(".pyc".to_owned()));
        assert_eq!(literal_end(r".*\.pyc$"), Some(".pyc".to_owned()));
        assert_eq!(literal_end(r".*\.\(o\|a\)"), None);
        assert_eq!(literal_end(r".*"), None);
    }
}
