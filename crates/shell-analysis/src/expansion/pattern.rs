//! Shell patterns over known text, for `${name#pattern}` and its kin.
//!
//! POSIX.1-2017 XCU 2.13 without extended globs; a pattern this file does not understand is no pattern, and the value is
//! then not known.

/// Longest text and pattern that are tried: matching every prefix is quadratic.
const LENGTH: usize = 2048;

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Character(char),
    Any,
    One,
    Class { negated: bool, ranges: Vec<(char, char)> },
}

/// A pattern ready to match.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pattern {
    pieces: Vec<Piece>,
}

impl Pattern {
    /// Reads `text`, in which a backslash takes the meaning from the next character.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.len() > LENGTH {
            return None;
        }
        let characters: Vec<char> = text.chars().collect();
        let mut pieces = Vec::new();
        let mut index = 0;
        while let Some(character) = characters.get(index).copied() {
            index += 1;
            match character {
                '\\' => {
                    pieces.push(Piece::Character(characters.get(index).copied().unwrap_or('\\')));
                    index += 1;
                }
                '*' | '?' | '+' | '@' | '!' if characters.get(index) == Some(&'(') => return None,
                '*' => pieces.push(Piece::Any),
                '?' => pieces.push(Piece::One),
                '[' => match class(&characters, index) {
                    Some((piece, after)) => {
                        pieces.push(piece);
                        index = after;
                    }
                    None => pieces.push(Piece::Character('[')),
                },
                other => pieces.push(Piece::Character(other)),
            }
        }
        Some(Self { pieces })
    }

    fn matches(&self, text: &[char]) -> bool {
        // Two cursors and the last star: linear in practice, quadratic at worst, never recursive.
        let (mut piece, mut position) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while position < text.len() {
            let advanced = match (self.pieces.get(piece), text.get(position)) {
                (Some(Piece::Any), _) => {
                    star = Some((piece, position));
                    piece += 1;
                    continue;
                }
                (Some(one), Some(character)) => one.accepts(*character),
                _ => false,
            };
            if advanced {
                piece += 1;
                position += 1;
            } else if let Some((star_piece, star_position)) = star {
                piece = star_piece + 1;
                position = star_position + 1;
                star = Some((star_piece, position));
            } else {
                return false;
            }
        }
        self.pieces.iter().skip(piece).all(|piece| *piece == Piece::Any)
    }

    /// It matches all of `text`.
    pub(crate) fn matches_all(&self, text: &str) -> bool {
        self.matches(&text.chars().collect::<Vec<_>>())
    }

    /// `text` without the shortest or longest prefix that matches; `None` where the text is too long to try.
    pub(crate) fn remove_prefix(&self, text: &str, longest: bool) -> Option<String> {
        let characters = bounded(text)?;
        let mut lengths: Vec<usize> = (0..=characters.len()).collect();
        if longest {
            lengths.reverse();
        }
        let found = lengths.into_iter().find(|length| characters.get(..*length).is_some_and(|prefix| self.matches(prefix)));
        Some(characters.iter().skip(found.unwrap_or(0)).collect())
    }

    /// As [`Self::remove_prefix`], at the end.
    pub(crate) fn remove_suffix(&self, text: &str, longest: bool) -> Option<String> {
        let characters = bounded(text)?;
        let mut starts: Vec<usize> = (0..=characters.len()).collect();
        if !longest {
            starts.reverse();
        }
        let found = starts.into_iter().find(|start| characters.get(*start..).is_some_and(|suffix| self.matches(suffix)));
        Some(characters.iter().take(found.unwrap_or(characters.len())).collect())
    }

    /// `text` with the first match, or every match, replaced.
    pub(crate) fn replace(&self, text: &str, replacement: &str, all: bool) -> Option<String> {
        let characters = bounded(text)?;
        if characters.len() > 512 {
            return None;
        }
        let mut result = String::new();
        let mut start = 0;
        let mut done = false;
        while start < characters.len() {
            let end = if done {
                None
            } else {
                (start + 1..=characters.len()).rev().find(|end| characters.get(start..*end).is_some_and(|part| self.matches(part)))
            };
            match end {
                Some(end) => {
                    result.push_str(replacement);
                    start = end;
                    done = !all;
                }
                None => {
                    result.extend(characters.get(start));
                    start += 1;
                }
            }
        }
        Some(result)
    }

    /// `text` with a match at its start (or end) replaced.
    pub(crate) fn replace_at_edge(&self, text: &str, replacement: &str, at_end: bool) -> Option<String> {
        let characters = bounded(text)?;
        let length = characters.len();
        if at_end {
            let start = (0..=length).find(|start| characters.get(*start..).is_some_and(|part| self.matches(part)));
            return Some(match start {
                Some(start) => characters.iter().take(start).chain(&replacement.chars().collect::<Vec<_>>()).collect(),
                None => text.to_owned(),
            });
        }
        let end = (0..=length).rev().find(|end| characters.get(..*end).is_some_and(|part| self.matches(part)));
        Some(match end {
            Some(end) => replacement.chars().chain(characters.iter().skip(end).copied()).collect(),
            None => text.to_owned(),
        })
    }
}

impl Piece {
    fn accepts(&self, character: char) -> bool {
        match self {
            Self::Character(own) => *own == character,
            Self::Any => false,
            Self::One => true,
            Self::Class { negated, ranges } => ranges.iter().any(|(low, high)| (*low..=*high).contains(&character)) != *negated,
        }
    }
}

fn bounded(text: &str) -> Option<Vec<char>> {
    (text.len() <= LENGTH).then(|| text.chars().collect())
}

/// `[…]` after its opening bracket; the index after the closing one.
fn class(characters: &[char], start: usize) -> Option<(Piece, usize)> {
    let mut index = start;
    let negated = matches!(characters.get(index), Some('!' | '^'));
    if negated {
        index += 1;
    }
    let mut ranges = Vec::new();
    let first = index;
    loop {
        let character = *characters.get(index)?;
        if character == ']' && index > first {
            return Some((Piece::Class { negated, ranges }, index + 1));
        }
        if character == '[' && characters.get(index + 1) == Some(&':') {
            let close = (index + 2..characters.len())
                .find(|at| characters.get(*at) == Some(&':') && characters.get(at + 1) == Some(&']'))?;
            let name: String = characters.get(index + 2..close)?.iter().collect();
            ranges.extend(named_class(&name)?);
            index = close + 2;
            continue;
        }
        match (characters.get(index + 1), characters.get(index + 2)) {
            (Some('-'), Some(high)) if *high != ']' => {
                ranges.push((character, *high));
                index += 3;
            }
            _ => {
                ranges.push((character, character));
                index += 1;
            }
        }
    }
}

fn named_class(name: &str) -> Option<Vec<(char, char)>> {
    Some(match name {
        "alpha" => vec![('a', 'z'), ('A', 'Z')],
        "digit" => vec![('0', '9')],
        "alnum" => vec![('a', 'z'), ('A', 'Z'), ('0', '9')],
        "lower" => vec![('a', 'z')],
        "upper" => vec![('A', 'Z')],
        "space" => vec![('\t', '\r'), (' ', ' ')],
        "blank" => vec![('\t', '\t'), (' ', ' ')],
        "xdigit" => vec![('a', 'f'), ('A', 'F'), ('0', '9')],
        "punct" => vec![('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        _ => return None,
    })
}

/// `text` as a pattern that matches only itself.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

/// It holds a character that would be expanded as a file name pattern.
pub(crate) fn has_glob(text: &str) -> bool {
    text.contains(['*', '?']) || text.find('[').is_some_and(|open| text.get(open..).is_some_and(|rest| rest.contains(']')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(text: &str) -> Pattern {
        Pattern::parse(text).unwrap()
    }

    #[test]
    fn prefixes_and_suffixes_are_removed() {
        for (text, glob, longest, wanted) in [
            ("/a/b/c", "*/", false, "a/b/c"),
            ("/a/b/c", "*/", true, "c"),
            ("x.tar.gz", "x.", false, "tar.gz"),
            ("abc", "z", false, "abc"),
        ] {
            assert_eq!(pattern(glob).remove_prefix(text, longest).as_deref(), Some(wanted), "{text} # {glob}");
        }
        for (text, glob, longest, wanted) in [
            ("x.tar.gz", ".*", false, "x.tar"),
            ("x.tar.gz", ".*", true, "x"),
            ("/a/b", "/*", false, "/a"),
            ("v1", "[0-9]", false, "v"),
        ] {
            assert_eq!(pattern(glob).remove_suffix(text, longest).as_deref(), Some(wanted), "{text} % {glob}");
        }
    }

    #[test]
    fn matches_are_replaced() {
        assert_eq!(pattern("a").replace("banana", "o", false).as_deref(), Some("bonana"));
        assert_eq!(pattern("a").replace("banana", "o", true).as_deref(), Some("bonono"));
        assert_eq!(pattern("b").replace_at_edge("banana", "", false).as_deref(), Some("anana"));
        assert_eq!(pattern("a").replace_at_edge("banana", "y", true).as_deref(), Some("banany"));
    }

    #[test]
    fn escaped_text_matches_itself_only() {
        let escaped = pattern(&escape("a*[b]\\?"));
        assert!(escaped.matches_all("a*[b]\\?"));
        assert!(!escaped.matches_all("axb\\?"));
    }
}
