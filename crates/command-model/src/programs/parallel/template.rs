//! A template of a command with placeholders, and what becomes of it.

use crate::argument::{Argument, Cause, Partial, Value};
use crate::carried::{ShellStart, What};
use crate::option_grammar::Parsed;
use crate::programs::text_carriers::words::{carry_text, join, quote, weight, word};

/// A filled template.
pub(super) struct Filled {
    /// The shell text.
    pub source: Value,
    /// What its parameters are bound to.
    pub positional: Vec<Argument>,
    /// The words of the command before they were joined.
    pub words: Vec<Argument>,
    /// How many placeholders were filled.
    pub substitutions: usize,
}

/// A command with placeholders.
pub(super) struct Template {
    words: Vec<Vec<Piece>>,
    /// It holds a placeholder that is not followed (`{= perl =}`, `--rpl`, `--plus`).
    pub unsupported: bool,
    quoted: bool,
}

/// A part of a word.
enum Piece {
    Text(Argument),
    Value(Placeholder),
}

/// A placeholder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placeholder {
    /// A value: which (all, or one from the front or back), and what of it.
    Value { which: Which, part: Part },
    /// The job's number, or its slot's.
    Number,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    /// From 1; from -1 backwards.
    One(i32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    /// Without the extension.
    Stem,
    Name,
    Directory,
    NameStem,
}

impl Template {
    /// Reads the command's words.
    pub fn new(command: &[Argument], parsed: &Parsed) -> Self {
        let whole = parsed.last_of(&["replace", "replace-default"]).and_then(|option| option.value.as_ref()).and_then(Value::known);
        let whole = whole.filter(|text| !text.is_empty()).unwrap_or("{}");
        let mut template = Self {
            words: Vec::with_capacity(command.len() + 1),
            unsupported: parsed.has("rewritten"),
            quoted: parsed.has("quote"),
        };
        for argument in command {
            let pieces = template.pieces(argument, whole, parsed.has("plus"));
            template.words.push(pieces);
        }
        let values = |piece: &Piece| matches!(piece, Piece::Value(Placeholder::Value { .. }));
        if !template.words.iter().flatten().any(values) {
            template.words.push(vec![Piece::Value(Placeholder::Value { which: Which::All, part: Part::Whole })]);
        }
        template
    }

    fn pieces(&mut self, argument: &Argument, whole: &str, plus: bool) -> Vec<Piece> {
        let Some(text) = argument.known() else {
            return vec![Piece::Text(argument.clone())];
        };
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            let found = if let Some(after) = rest.strip_prefix(whole) {
                Some((Placeholder::Value { which: Which::All, part: Part::Whole }, after))
            } else {
                self.braced(rest, plus)
            };
            match found {
                Some((placeholder, after)) => {
                    if !plain.is_empty() {
                        pieces.push(Piece::Text(word(std::mem::take(&mut plain), argument.span)));
                    }
                    pieces.push(Piece::Value(placeholder));
                    rest = after;
                }
                None => {
                    plain.push(letter);
                    rest = rest.get(letter.len_utf8()..).unwrap_or_default();
                }
            }
        }
        if !plain.is_empty() || pieces.is_empty() {
            pieces.push(Piece::Text(word(plain, argument.span)));
        }
        pieces
    }

    /// A placeholder in braces at the start of `text`, and what follows it.
    fn braced<'a>(&mut self, text: &'a str, plus: bool) -> Option<(Placeholder, &'a str)> {
        let inner = text.strip_prefix('{')?;
        if inner.starts_with('=') {
            self.unsupported = true;
            return None;
        }
        // Placeholders are short; a brace far away belongs to something else, and looking for it would not be linear.
        let (inside, after) = inner
            .char_indices()
            .take(16)
            .find(|(_, letter)| *letter == '}')
            .and_then(|(at, _)| Some((inner.get(..at)?, inner.get(at + 1..)?)))?;
        if matches!(inside, "#" | "%") {
            return Some((Placeholder::Number, after));
        }
        let digits = inside.len() - inside.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '-').len();
        let (number, part) = inside.split_at_checked(digits)?;
        let which = if number.is_empty() { Which::All } else { Which::One(number.parse().ok()?) };
        let part = match part {
            "" if number.is_empty() => return None,
            "" => Part::Whole,
            "." => Part::Stem,
            "/" => Part::Name,
            "//" => Part::Directory,
            "/." => Part::NameStem,
            other => {
                // `--plus` adds many more; without it this is text.
                self.unsupported |= plus && other.starts_with(['.', '/', '+', '#', '%', ':', '^', ',', '0']);
                return None;
            }
        };
        Some((Placeholder::Value { which, part }, after))
    }

    /// How many bytes the command for one job has.
    pub fn size(&self, values: &[Value]) -> usize {
        let taken: usize = values.iter().map(|value| weight(value) + 1).sum();
        let pieces = self.words.iter().flatten();
        pieces.fold(0, |sum: usize, piece| {
            sum.saturating_add(match piece {
                Piece::Text(text) => weight(&text.value),
                Piece::Value(Placeholder::Number) => 4,
                Piece::Value(Placeholder::Value { .. }) => taken,
            })
        })
    }

    /// The command for one job. `open`: the values are like the one given, however many there are.
    pub fn fill(&self, values: &[Value], number: usize, open: bool) -> Filled {
        let span = self.words.iter().flatten().find_map(|piece| match piece {
            Piece::Text(text) => Some(text.span),
            Piece::Value(_) => None,
        });
        let span = span.unwrap_or_default();
        let mut substitutions = 0;
        let mut texts = Vec::with_capacity(self.words.len());
        let mut words = Vec::with_capacity(self.words.len());
        for pieces in &self.words {
            let mut text = Vec::new();
            let mut plain = Vec::new();
            for piece in pieces {
                match piece {
                    Piece::Text(part) => {
                        plain.push(part.clone());
                        text.push(match part.known() {
                            Some(known) if self.quoted => word(quote(known), part.span),
                            _ => part.clone(),
                        });
                    }
                    Piece::Value(placeholder) => {
                        substitutions += 1;
                        let chosen = choose(*placeholder, values, number, open);
                        for (index, value) in chosen.iter().enumerate() {
                            if index > 0 {
                                text.push(word(" ", span));
                                plain.push(word(" ", span));
                            }
                            plain.push(Argument { quoted: true, ..Argument::with(value.clone(), span) });
                            text.push(Argument { value: protected(value), quoted: true, span });
                        }
                    }
                }
            }
            texts.push(Argument::with(join(&text, ""), span));
            // Several values of one placeholder are several words.
            match pieces.as_slice() {
                [Piece::Value(placeholder)] => {
                    let chosen = choose(*placeholder, values, number, open);
                    words.extend(chosen.into_iter().map(|value| Argument { quoted: true, ..Argument::with(value, span) }));
                }
                _ => words.push(Argument { quoted: true, ..Argument::with(join(&plain, ""), span) }),
            }
        }
        let (source, positional) = match carry_text(&texts, "sh", ShellStart::Child).what {
            What::Shell { source, positional, .. } => (source, positional),
            _ => (join(&texts, " "), Vec::new()),
        };
        Filled { source, positional, words, substitutions }
    }
}

/// The value as it goes into the text: known text is quoted; an unknown value stays one word inside double quotes.
fn protected(value: &Value) -> Value {
    match value {
        Value::Known { text, provenance } => Value::Known { text: quote(text), provenance: *provenance },
        Value::Glob { pattern } => Value::Glob { pattern: pattern.clone() },
        Value::Dynamic(partial) => Value::Dynamic(Partial {
            prefix: format!("\"{}", escaped(&partial.prefix)),
            suffix: format!("{}\"", escaped(&partial.suffix)),
            ..partial.clone()
        }),
    }
}

/// Text inside double quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if matches!(letter, '"' | '\\' | '$' | '`') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// The values a placeholder stands for.
fn choose(placeholder: Placeholder, values: &[Value], number: usize, open: bool) -> Vec<Value> {
    match placeholder {
        Placeholder::Number => vec![Value::literal(number.to_string())],
        Placeholder::Value { which: Which::All, part } => values.iter().map(|value| part_of(value, part)).collect(),
        Placeholder::Value { which: Which::One(_), part } if open => {
            values.first().map(|value| part_of(value, part)).into_iter().collect()
        }
        Placeholder::Value { which: Which::One(place), part } => {
            let distance = usize::try_from(place.unsigned_abs()).unwrap_or(usize::MAX);
            let index = if place < 0 { values.len().checked_sub(distance) } else { distance.checked_sub(1) };
            index.and_then(|index| values.get(index)).map(|value| part_of(value, part)).into_iter().collect()
        }
    }
}

fn part_of(value: &Value, part: Part) -> Value {
    let text = match value {
        Value::Known { text, .. } => text,
        // Which file it is is not known, nor is its name; where it lies still is.
        Value::Dynamic(partial) if matches!(partial.cause, Cause::PathUnder { .. }) => {
            return value.clone();
        }
        _ if part == Part::Whole => return value.clone(),
        _ => return Value::Dynamic(Partial::unknown(Cause::Input)),
    };
    let (directory, name) = text.rsplit_once('/').map_or((None, text.as_str()), |(directory, name)| (Some(directory), name));
    let stem = |name: &str| name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map_or(name, |(stem, _)| stem).to_owned();
    let text = match part {
        Part::Whole => text.clone(),
        Part::Name => name.to_owned(),
        Part::NameStem => stem(name),
        Part::Directory => match directory {
            None => ".".to_owned(),
            Some("") => "/".to_owned(),
            Some(directory) => directory.to_owned(),
        },
        Part::Stem => directory.map_or_else(|| stem(name), |directory| format!("{directory}/{}", stem(name))),
    };
    Value::Known { text, provenance: value.provenance() }
}
