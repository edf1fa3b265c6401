//! Where a record is kept.

use std::path::{Path, PathBuf};

use crate::time::Day;

/// The directory all records lie below.
pub(crate) fn logs(state: &Path) -> PathBuf {
    state.join("logs")
}

/// Characters of a directory's name.
const DIRECTORY_CHARACTERS: usize = 180;
/// Characters of a session's name.
const SESSION_CHARACTERS: usize = 128;

/// A working directory as the name of one: everything but ASCII letters and digits becomes `-`.
pub(crate) fn directory_name(cwd: &str) -> String {
    let name: String = cwd
        .chars()
        .take(DIRECTORY_CHARACTERS)
        .map(|character| if character.is_ascii_alphanumeric() { character } else { '-' })
        .collect();
    if name.is_empty() { "no-cwd".to_owned() } else { name }
}

/// A session's id as part of a file name: runs of other characters than letters, digits, `.`, `_` and `-` become `_`.
pub(crate) fn session_name(session: Option<&str>) -> String {
    let mut name = String::new();
    for character in session.unwrap_or_default().chars() {
        if character.is_ascii_alphanumeric() || matches!(character, '.' | '_' | '-') {
            name.push(character);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    let trim = |text: &str| text.trim_matches(['.', '_', '-']).to_owned();
    let cut: String = trim(&name).chars().take(SESSION_CHARACTERS).collect();
    let name = trim(&cut);
    if name.is_empty() { "no-session".to_owned() } else { name }
}

/// The file of a day and session; `turn` counts the files that are full.
pub(crate) fn file_name(day: Day, session: &str, turn: u32) -> String {
    let turn = if turn == 0 { String::new() } else { format!(".{turn}") };
    format!("{}-{session}{turn}.jsonl", day.date())
}

/// The day in the name of a file of records.
pub(crate) fn day_of_file(name: &str) -> Option<Day> {
    let stem = name.strip_suffix(".jsonl")?;
    let (date, rest) = stem.split_at_checked(10)?;
    (rest.len() > 1 && rest.starts_with('-')).then(|| Day::parse(date))?
}

/// Whether a name is one of a directory of months.
pub(crate) fn is_month(name: &str) -> bool {
    Day::parse(&format!("{name}-01")).is_some_and(|day| day.month() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe() {
        for (cwd, name) in [("/home/dev/app", "-home-dev-app"), (r"C:\x y", "C--x-y"), ("", "no-cwd"), ("/é", "--")] {
            assert_eq!(directory_name(cwd), name);
        }
        assert_eq!(directory_name(&"x".repeat(500)).len(), 180);
        for (session, name) in [
            (Some("abc-1.2_3"), "abc-1.2_3"),
            (Some("../../etc/passwd"), "etc_passwd"),
            (Some("a  b//c"), "a_b_c"),
            (Some("..."), "no-session"),
            (Some(""), "no-session"),
            (None, "no-session"),
            (Some("é"), "no-session"),
        ] {
            assert_eq!(session_name(session), name);
        }
        assert_eq!(session_name(Some(&"x".repeat(500))).len(), 128);
        assert!(!session_name(Some(&format!("{}-{}", "x".repeat(127), "y"))).ends_with('-'));
    }

    #[test]
    fn files_are_known_by_their_name() {
        let day = Day(19_782);
        assert_eq!(file_name(day, "s", 0), "2024-02-29-s.jsonl");
        assert_eq!(file_name(day, "s", 2), "2024-02-29-s.2.jsonl");
        assert_eq!(day_of_file("2024-02-29-s.2.jsonl"), Some(day));
        for name in ["2024-02-29.jsonl", "2024-02-29-.jsonl", "2024-02-30-s.jsonl", "x.jsonl", "2024-02-29-s.json", "é.jsonl"] {
            assert_eq!(day_of_file(name), None, "{name}");
        }
        assert!(is_month("2024-02") && !is_month("2024-13") && !is_month("2024-2") && !is_month(".."));
    }
}
