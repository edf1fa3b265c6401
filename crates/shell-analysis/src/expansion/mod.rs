//! Words as written to arguments as far as they can be known.
//!
//! The order is bash's (Bash Reference Manual 5.2, 3.5): braces, tildes, parameters, commands and arithmetic, splitting, file
//! name patterns, quotes.

pub(crate) mod arithmetic;
pub(crate) mod brace;
pub(crate) mod chunk;
pub(crate) mod parameter;
pub(crate) mod pattern;
pub(crate) mod split;
pub(crate) mod substitution;
pub(crate) mod variable;

use sekisho_command_model::{Cause, Partial, Value};
use sekisho_shell_syntax::tree::{PartKind, Quote, Word, WordPart};

use crate::Directory;
use crate::engine::{Context, Engine};
use crate::markers::{Stretch, has_marker};
use crate::state::State;
use chunk::{Chunk, Expanded};
use split::Separators;

/// What the expanded word is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Words of a command: split and globbed.
    Words,
    /// One value: assignments, redirections, `case` subjects.
    Single,
}

impl Engine<'_> {
    /// The words that `word` becomes.
    pub(crate) fn expand_words(&mut self, word: &Word, state: &mut State, context: &Context) -> Vec<Expanded> {
        let braces = brace::expand(&word.parts);
        let mut words = Vec::new();
        for pieces in &braces.words {
            let mut chunks = Vec::new();
            for piece in pieces {
                match piece {
                    brace::Piece::Part(part) => self.expand_part(part, Mode::Words, state, context, &mut chunks),
                    brace::Piece::Element(index) => {
                        chunks.push(Chunk::written(braces.elements.get(*index).cloned().unwrap_or_default(), false));
                    }
                    brace::Piece::TooMany => {
                        chunks.push(Chunk::Unknown { partial: Partial::unknown(Cause::Scattered), quoted: false })
                    }
                }
            }
            words.extend(chunk::fields(chunks, word.span, state.options.noglob));
        }
        self.derive(words.len().saturating_sub(1));
        if let ([only], [part]) = (words.as_mut_slice(), word.parts.as_slice())
            && let PartKind::CommandSubstitution(substitution) = &part.kind
        {
            only.generator = substitution::is_generator(&substitution.body);
        }
        words
    }

    /// The one value of `word`.
    pub(crate) fn expand_single(&mut self, word: &Word, state: &mut State, context: &Context) -> Expanded {
        chunk::single(self.expand_chunks(word, Mode::Single, state, context), word.span)
    }

    /// The value of `word` as text with markers, for here-documents.
    pub(crate) fn expand_text(&mut self, word: &Word, state: &mut State, context: &Context) -> String {
        let chunks = self.expand_chunks(word, Mode::Single, state, context);
        self.text_of_chunks(&chunks)
    }

    /// `chunks` as text with markers.
    pub(crate) fn text_of_chunks(&mut self, chunks: &[Chunk]) -> String {
        let mut text = String::new();
        for chunk in chunks {
            match chunk {
                Chunk::Text { text: part, .. } | Chunk::Glob(part) => text.push_str(part),
                Chunk::Unknown { partial, .. } => text.push_str(&self.markers.text_of(&Value::Dynamic(partial.clone()))),
                Chunk::Break => text.push(' '),
            }
        }
        text
    }

    /// The pieces of `word` without brace expansion.
    pub(crate) fn expand_chunks(&mut self, word: &Word, mode: Mode, state: &mut State, context: &Context) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        for part in &word.parts {
            self.expand_part(part, mode, state, context, &mut chunks);
        }
        chunks
    }

    /// `word` as a pattern, quoted characters escaped; `None` where it is not known.
    pub(crate) fn expand_pattern(&mut self, word: &Word, state: &mut State, context: &Context) -> Option<String> {
        let mut text = String::new();
        for chunk in self.expand_chunks(word, Mode::Single, state, context) {
            match chunk {
                Chunk::Text { text: part, quoted: true, .. } => text.push_str(&pattern::escape(&part)),
                Chunk::Text { text: part, .. } | Chunk::Glob(part) => text.push_str(&part),
                Chunk::Break => text.push(' '),
                Chunk::Unknown { .. } => return None,
            }
        }
        Some(text)
    }

    fn expand_part(&mut self, part: &WordPart, mode: Mode, state: &mut State, context: &Context, chunks: &mut Vec<Chunk>) {
        let quoted = part.quote != Quote::None;
        if !self.has_budget() {
            // Said as a limit already; what is left is not worth its cost.
            chunks.push(Chunk::Unknown { partial: Partial::unknown(Cause::Unknown), quoted: true });
            return;
        }
        match &part.kind {
            PartKind::Literal(text) if has_marker(text) => {
                for stretch in self.markers.split(text) {
                    chunks.push(match stretch {
                        Stretch::Text(text) => Chunk::written(text, quoted),
                        Stretch::Unknown(partial) => Chunk::Unknown { partial, quoted },
                    });
                }
            }
            PartKind::Literal(text) => chunks.push(Chunk::written(text.as_str(), quoted)),
            PartKind::Glob(text) => chunks.push(Chunk::Glob(text.clone())),
            PartKind::Tilde(user) => chunks.push(self.tilde(user, state)),
            PartKind::Parameter(expansion) => self.expand_parameter(expansion, quoted, mode, state, context, chunks),
            PartKind::CommandSubstitution(substitution) => {
                let stream = self.run_substitution(substitution, state, context);
                let value = self.stream_value(&stream, state);
                self.push_value(&value, quoted, mode, state, chunks);
            }
            PartKind::Arithmetic(expression) => {
                let value = match self.evaluate_arithmetic(expression, state, context) {
                    Some(number) => Value::Known { text: number.to_string(), provenance: sekisho_command_model::Provenance::Known },
                    None => Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(Cause::Unknown) }),
                };
                // A number never splits and never globs.
                self.push_value(&value, true, mode, state, chunks);
            }
            PartKind::ProcessSubstitution(direction, substitution) => {
                let name = self.run_process(*direction, substitution, state, context);
                let cause = match self.processes.get(&name) {
                    Some(sekisho_command_model::Stream::Remote) => Cause::Remote,
                    _ => Cause::Substitution,
                };
                let partial = Partial { prefix: name, may_be_empty: false, ..Partial::unknown(cause) };
                chunks.push(Chunk::Unknown { partial, quoted: true });
            }
            PartKind::BraceAlternatives(_) | PartKind::BraceSequence(_) => {
                let text = part.span.text(&context.source).to_owned();
                chunks.push(Chunk::written(text, quoted));
            }
        }
    }

    /// `~`, `~user`, `~+`, `~-`.
    fn tilde(&mut self, user: &str, state: &State) -> Chunk {
        let directory = |directory: Option<&Directory>, name: &str| match directory.and_then(Directory::path) {
            Some(path) => Chunk::tracked(path, true),
            None => Chunk::Unknown {
                partial: Partial { may_be_empty: false, ..Partial::unknown(Cause::Variable(name.to_owned())) },
                quoted: true,
            },
        };
        match user {
            "" => match self.home(state) {
                Value::Dynamic(partial) => Chunk::Unknown { partial, quoted: true },
                value => Chunk::tracked(value.display(), true),
            },
            "+" => directory(Some(&state.cwd), "PWD"),
            "-" => directory(state.old_cwd.as_ref(), "OLDPWD"),
            name if name.chars().all(|c| c.is_ascii_digit() || c == '+' || c == '-') => directory(None, "DIRSTACK"),
            name => match self.start.host.home_of(name) {
                Some(home) => Chunk::tracked(home, true),
                None => Chunk::written(format!("~{name}"), true),
            },
        }
    }

    /// Adds a value that an expansion gave, split and globbed where it is not quoted.
    pub(crate) fn push_value(&mut self, value: &Value, quoted: bool, mode: Mode, state: &State, chunks: &mut Vec<Chunk>) {
        let bytes = match value {
            Value::Known { text, .. } => text.len(),
            Value::Glob { pattern } => pattern.len(),
            Value::Dynamic(_) => 16,
        };
        if !self.expand_bytes(bytes) {
            if !matches!(chunks.last(), Some(Chunk::Unknown { .. })) {
                chunks.push(Chunk::Unknown { partial: Partial::unknown(Cause::Unknown), quoted });
            }
            return;
        }
        match value {
            Value::Known { text, .. } if quoted || mode == Mode::Single => {
                chunks.push(Chunk::tracked(text.as_str(), quoted || mode == Mode::Single))
            }
            Value::Known { text, .. } => split::split(text, &self.separators(state), state.options.noglob, chunks),
            Value::Glob { pattern } => chunks.push(Chunk::Glob(pattern.clone())),
            Value::Dynamic(partial) => {
                let quoted = quoted || mode == Mode::Single;
                let mut partial = partial.clone();
                if !quoted && self.separators(state) != Separators(Some(split::DEFAULT.to_owned())) {
                    partial.cause = Cause::Scattered;
                }
                chunks.push(Chunk::Unknown { partial, quoted });
            }
        }
    }
}
