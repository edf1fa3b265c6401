//! Pieces of expanded words, and how they become arguments.

use sekisho_command_model::{Argument, Partial, Provenance, Value};
use sekisho_shell_syntax::span::Span;

use super::pattern;

/// A piece of an expanded word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Chunk {
    /// Text that is known.
    Text {
        /// The text.
        text: String,
        /// It was quoted, so the word exists even if it is empty.
        quoted: bool,
        /// It comes from tracked state.
        tracked: bool,
    },
    /// A file name pattern, literal metacharacters escaped.
    Glob(String),
    /// Not known.
    Unknown {
        /// What is known of it.
        partial: Partial,
        /// It was quoted.
        quoted: bool,
    },
    /// One word ends here and another may begin.
    Break,
}

impl Chunk {
    /// Text as written.
    pub(crate) fn written(text: impl Into<String>, quoted: bool) -> Self {
        Self::Text { text: text.into(), quoted, tracked: false }
    }

    /// Text from tracked state.
    pub(crate) fn tracked(text: impl Into<String>, quoted: bool) -> Self {
        Self::Text { text: text.into(), quoted, tracked: true }
    }
}

/// A word as an argument, with the pieces it was made of where its text is not known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Expanded {
    /// The argument.
    pub(crate) argument: Argument,
    /// Its pieces, where it is not known as one string.
    pub(crate) pieces: Vec<Chunk>,
    /// The word is exactly one quoted or unquoted command substitution that a generator may stand behind.
    pub(crate) generator: bool,
}

/// The words that `chunks` make.
pub(crate) fn fields(chunks: Vec<Chunk>, span: Span, noglob: bool) -> Vec<Expanded> {
    let mut words = Vec::new();
    let mut current: Vec<Chunk> = Vec::new();
    for chunk in chunks {
        if chunk == Chunk::Break {
            finish(std::mem::take(&mut current), span, noglob, &mut words);
        } else {
            current.push(chunk);
        }
    }
    finish(current, span, noglob, &mut words);
    words
}

fn finish(chunks: Vec<Chunk>, span: Span, noglob: bool, words: &mut Vec<Expanded>) {
    let exists = chunks.iter().any(|chunk| match chunk {
        Chunk::Text { text, quoted, .. } => *quoted || !text.is_empty(),
        Chunk::Glob(_) | Chunk::Unknown { .. } => true,
        Chunk::Break => false,
    });
    if exists {
        words.push(word(chunks, span, noglob, true));
    }
}

/// One word made of `chunks`, breaks becoming spaces.
pub(crate) fn single(chunks: Vec<Chunk>, span: Span) -> Expanded {
    let chunks = chunks
        .into_iter()
        .map(|chunk| match chunk {
            Chunk::Break => Chunk::written(" ", true),
            other => other,
        })
        .collect();
    word(chunks, span, false, false)
}

fn word(chunks: Vec<Chunk>, span: Span, noglob: bool, splits: bool) -> Expanded {
    let quoted = chunks.iter().any(|chunk| matches!(chunk, Chunk::Text { quoted: true, .. } | Chunk::Unknown { quoted: true, .. }));
    let value = value_of(&chunks, noglob, splits);
    let pieces = if matches!(value, Value::Known { .. }) { Vec::new() } else { chunks };
    Expanded { argument: Argument { value, quoted, span }, pieces, generator: false }
}

/// What is known of the text that `chunks` make together.
pub(crate) fn value_of(chunks: &[Chunk], noglob: bool, splits: bool) -> Value {
    let tracked = chunks.iter().any(|chunk| matches!(chunk, Chunk::Text { tracked: true, .. }));
    let globbed = chunks.iter().any(|chunk| matches!(chunk, Chunk::Glob(_))) && !noglob;
    let first = chunks.iter().position(|chunk| matches!(chunk, Chunk::Unknown { .. }));
    let Some(first) = first else {
        if globbed {
            let mut text = String::new();
            for chunk in chunks {
                match chunk {
                    Chunk::Text { text: part, .. } => text.push_str(&pattern::escape(part)),
                    Chunk::Glob(part) => text.push_str(part),
                    Chunk::Unknown { .. } | Chunk::Break => {}
                }
            }
            return Value::Glob { pattern: text };
        }
        let text = plain(chunks);
        let provenance = if tracked { Provenance::Known } else { Provenance::Literal };
        return Value::Known { text, provenance };
    };
    let last = chunks.iter().rposition(|chunk| matches!(chunk, Chunk::Unknown { .. })).unwrap_or(first);
    let before = plain(chunks.get(..first).unwrap_or_default());
    let after = plain(chunks.get(last + 1..).unwrap_or_default());
    let mut unknown = chunks.iter().filter_map(|chunk| match chunk {
        Chunk::Unknown { partial, quoted } => Some((partial, *quoted)),
        _ => None,
    });
    let Some((head, head_quoted)) = unknown.next() else { return Value::literal(plain(chunks)) };
    let mut partial = Partial { prefix: format!("{before}{}", head.prefix), may_split: splits && !head_quoted, ..head.clone() };
    partial.globbed = globbed || (splits && !head_quoted && pattern::has_glob(&format!("{}{}", head.prefix, head.suffix)));
    for (part, quoted) in unknown {
        partial.otherwise = None;
        partial.suffix.clone_from(&part.suffix);
        partial.may_be_empty &= part.may_be_empty && part.prefix.is_empty();
        partial.may_split |= splits && !quoted;
        if matches!(part.cause, sekisho_command_model::Cause::Remote | sekisho_command_model::Cause::Scattered) {
            partial.cause = part.cause.clone();
        }
    }
    if first != last {
        // Text between two unknown parts keeps the whole from being empty, though not either part.
        let between = plain(chunks.get(first + 1..last).unwrap_or_default());
        partial.may_be_empty &= between.is_empty() || between.chars().all(|c| c == '/');
    }
    partial.suffix.push_str(&after);
    Value::Dynamic(partial)
}

fn plain(chunks: &[Chunk]) -> String {
    let mut text = String::new();
    for chunk in chunks {
        match chunk {
            Chunk::Text { text: part, .. } | Chunk::Glob(part) => text.push_str(part),
            Chunk::Unknown { .. } | Chunk::Break => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use sekisho_command_model::Cause;

    fn unknown(quoted: bool) -> Chunk {
        Chunk::Unknown { partial: Partial::unknown(Cause::Variable("X".into())), quoted }
    }

    #[test]
    fn the_empty_value_hazard_stays_visible() {
        let words = fields(vec![unknown(true), Chunk::written("/", false), Chunk::Glob("*".into())], Span::default(), false);
        let Value::Dynamic(partial) = &words[0].argument.value else { panic!("dynamic") };
        assert_eq!((partial.prefix.as_str(), partial.suffix.as_str()), ("", "/*"));
        assert!(partial.globbed && partial.may_be_empty && !partial.may_split);
    }

    #[test]
    fn empty_words_exist_only_when_quoted() {
        assert!(fields(vec![Chunk::tracked("", false)], Span::default(), false).is_empty());
        assert_eq!(fields(vec![Chunk::written("", true)], Span::default(), false).len(), 1);
    }

    #[test]
    fn literal_metacharacters_are_escaped_in_patterns() {
        let words = fields(vec![Chunk::written("a*", true), Chunk::Glob("?".into())], Span::default(), false);
        assert_eq!(words[0].argument.value, Value::Glob { pattern: "a\\*?".into() });
    }
}
