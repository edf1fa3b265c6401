//! The values xargs takes from its input.

use crate::argument::{Argument, Cause, Partial, Value};
use crate::programs::text_carriers::words::join;
use crate::stream::Stream;

/// How the input is cut into values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Separation {
    /// Blanks and newlines separate, quotes and backslashes group.
    Blanks { end: Option<String> },
    /// Newlines separate, leading blanks fall off, quotes and backslashes group.
    Lines { end: Option<String> },
    /// This character separates; nothing else is special.
    Delimiter(char),
    /// Not known.
    Unknown,
}

/// The values.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Items {
    /// All of them.
    Known(Vec<Item>),
    /// Any number, each like this.
    Open(Value),
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub value: Value,
    /// The line it begins on, for `-L`.
    pub line: usize,
    /// It is not the first of its line.
    pub continues: bool,
}

impl Item {
    fn alone(value: Value, line: usize) -> Self {
        Self { value, line, continues: false }
    }
}

/// What the input's values are.
pub(super) fn items(stream: &Stream, separation: &Separation) -> Items {
    let open = |cause| Items::Open(Value::Dynamic(Partial::unknown(cause)));
    match (stream, separation) {
        (_, Separation::Unknown) => open(Cause::Input),
        (Stream::Known(text), _) => split(text, separation).map_or_else(|| open(Cause::Input), Items::Known),
        (Stream::Words(values), _) => words(values, separation),
        (Stream::Paths { roots, selection }, _) => {
            let cause = Cause::PathUnder { roots: roots.clone(), selection: selection.clone() };
            Items::Open(Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(cause) }))
        }
        (Stream::TemporaryPath, _) => {
            let path = Partial { may_be_empty: false, ..Partial::unknown(Cause::Temporary) };
            Items::Known(vec![Item::alone(Value::Dynamic(path), 0)])
        }
        (Stream::Remote, _) => open(Cause::Remote),
        _ => open(Cause::Input),
    }
}

/// Words joined by blanks on one line.
fn words(values: &[Value], separation: &Separation) -> Items {
    let arguments: Vec<_> = values.iter().map(|value| Argument::with(value.clone(), Default::default())).collect();
    let line = join(&arguments, " ");
    let globbed = values.iter().any(|value| matches!(value, Value::Glob { .. }));
    if globbed && !matches!(separation, Separation::Blanks { .. }) {
        // What a pattern matched, each on a line of its own.
        return Items::Known(values.iter().enumerate().map(|(line, value)| Item::alone(value.clone(), line)).collect());
    }
    if let Some(text) = line.known().filter(|_| !globbed) {
        return split(&format!("{text}\n"), separation)
            .map_or_else(|| Items::Open(Value::Dynamic(Partial::unknown(Cause::Input))), Items::Known);
    }
    if !matches!(separation, Separation::Blanks { .. }) {
        return Items::Known(vec![Item::alone(line, 0)]);
    }
    let mut items = Vec::new();
    for value in values {
        match value.known() {
            Some(text) => items.extend(split(text, separation).unwrap_or_else(|| vec![Item::alone(value.clone(), 0)])),
            None => items.push(Item::alone(value.clone(), 0)),
        }
    }
    for (index, item) in items.iter_mut().enumerate() {
        item.continues = index > 0;
    }
    Items::Known(items)
}

/// The values of a known text; `None` where xargs would refuse it (an open quote).
fn split(text: &str, separation: &Separation) -> Option<Vec<Item>> {
    let (end, lines) = match separation {
        Separation::Delimiter(delimiter) => {
            let text = text.strip_suffix(*delimiter).unwrap_or(text);
            let parts = text.split(*delimiter).enumerate().filter(|_| !text.is_empty());
            return Some(parts.map(|(line, part)| Item::alone(Value::literal(part), line)).collect());
        }
        Separation::Blanks { end } => (end, false),
        Separation::Lines { end } => (end, true),
        Separation::Unknown => return None,
    };
    let mut items: Vec<Item> = Vec::new();
    let mut current: Option<String> = None;
    let (mut line, mut first) = (0, true);
    let mut letters = text.chars();
    loop {
        let letter = letters.next();
        match letter {
            Some(blank @ (' ' | '\t')) if lines => {
                // Blanks before a line's first letter fall off.
                if let Some(current) = &mut current {
                    current.push(blank);
                }
            }
            None | Some(' ' | '\t' | '\n') => {
                if let Some(value) = current.take() {
                    if Some(&value) == end.as_ref() {
                        return Some(items);
                    }
                    items.push(Item { value: Value::literal(value), line, continues: !first });
                    first = false;
                }
                if letter == Some('\n') && !first {
                    line += 1;
                    first = true;
                }
                if letter.is_none() {
                    return Some(items);
                }
            }
            Some(quote @ ('\'' | '"')) => {
                let current = current.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '\n' => return None,
                        letter if letter == quote => break,
                        letter => current.push(letter),
                    }
                }
            }
            Some('\\') => current.get_or_insert_default().push(letters.next()?),
            Some(letter) => current.get_or_insert_default().push(letter),
        }
    }
}

/// The delimiter of `-d`: one character, or an escape of C.
pub(super) fn delimiter(text: &str) -> Option<char> {
    let Some(escape) = text.strip_prefix('\\').filter(|rest| !rest.is_empty()) else {
        let mut letters = text.chars();
        return letters.next().filter(|_| letters.next().is_none());
    };
    match escape {
        "n" => Some('\n'),
        "t" => Some('\t'),
        "r" => Some('\r'),
        "a" => Some('\u{7}'),
        "b" => Some('\u{8}'),
        "f" => Some('\u{c}'),
        "v" => Some('\u{b}'),
        "\\" => Some('\\'),
        _ => {
            let (digits, radix) = match escape.strip_prefix('x') {
                Some(digits) => (digits, 16),
                None => (escape, 8),
            };
            u8::from_str_radix(digits, radix).ok().map(char::from)
        }
    }
}
