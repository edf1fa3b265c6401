//! Text for people: colours (which [`anstream`] takes off where they do not belong) and alignment.

use sekisho_verdict::Verdict;

/// ANSI styles. Written everywhere; the stream removes them when it is not a terminal or `NO_COLOR` is set.
pub const RESET: &str = "\x1b[0m";
/// Headings.
pub const BOLD: &str = "\x1b[1m";
/// Side notes.
pub const DIM: &str = "\x1b[2m";
/// Denials and errors.
pub const RED: &str = "\x1b[31m";
/// What is fine.
pub const GREEN: &str = "\x1b[32m";
/// Asks and warnings.
pub const YELLOW: &str = "\x1b[33m";
/// Names and rules.
pub const CYAN: &str = "\x1b[36m";

/// The colour of a verdict.
pub const fn colour(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Deny => RED,
        Verdict::Ask => YELLOW,
        Verdict::Allow => GREEN,
        Verdict::Abstain => DIM,
    }
}

/// `text` broken into lines of at most `width` characters, at spaces where there are any.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut line = String::new();
        for word in paragraph.split_whitespace() {
            if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// The beginning of `text` in one line, at most `width` characters, with `…` where something is left out.
pub fn shorten(text: &str, width: usize) -> String {
    let line: String = text.lines().next().unwrap_or_default().to_owned();
    let more_lines = text.lines().nth(1).is_some();
    if line.chars().count() <= width && !more_lines {
        return line;
    }
    line.chars().take(width.saturating_sub(1)).chain(std::iter::once('…')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_at_spaces() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("overlongword x", 4), ["overlongword", "x"]);
        assert_eq!(wrap("a\nb", 10), ["a", "b"]);
        assert_eq!(shorten("abcdef", 6), "abcdef");
        assert_eq!(shorten("abcdefg", 6), "abcde…");
        assert_eq!(shorten("a\nb", 6), "a…");
    }
}
