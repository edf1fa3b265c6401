//! How control goes on after a command, and what came out of it.

use sekisho_command_model::{Stream, Value};

use crate::state::State;

/// How a command may have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// With success.
    Success,
    /// With failure.
    Failure,
    /// Either way.
    Either,
}

impl Status {
    /// The opposite, for `!`.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Success => Self::Failure,
            Self::Failure => Self::Success,
            Self::Either => Self::Either,
        }
    }

    /// It may have ended with success.
    pub(crate) fn may_succeed(self) -> bool {
        self != Self::Failure
    }

    /// It may have ended with failure.
    pub(crate) fn may_fail(self) -> bool {
        self != Self::Success
    }
}

/// A way control leaves the place where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    /// `exit`
    Exit,
    /// `return`
    Return,
    /// `break n`
    Break(u32),
    /// `continue n`
    Continue(u32),
}

/// Everything after a command.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flow {
    /// Where control goes on, and with which status.
    pub(crate) states: Vec<(State, Status)>,
    /// Where it does not.
    pub(crate) escapes: Vec<(State, Escape)>,
    /// What was written to standard output.
    pub(crate) output: Stream,
}

impl Flow {
    /// One state, one status, no output.
    pub(crate) fn one(state: State, status: Status) -> Self {
        Self { states: vec![(state, status)], escapes: Vec::new(), output: Stream::Nothing }
    }

    /// Control leaves.
    pub(crate) fn escape(state: State, escape: Escape) -> Self {
        Self { states: Vec::new(), escapes: vec![(state, escape)], output: Stream::Nothing }
    }

    /// The same with this output.
    pub(crate) fn with_output(self, output: Stream) -> Self {
        Self { output, ..self }
    }

    /// Adds another possible course of events; `first` where it is the first one.
    pub(crate) fn or(&mut self, other: Self, first: bool) {
        self.output = if first { other.output } else { either(std::mem::take(&mut self.output), other.output) };
        self.states.extend(other.states);
        self.escapes.extend(other.escapes);
    }

    /// Every state at the end, however it was reached, as the end of a process.
    pub(crate) fn ends(self) -> Vec<State> {
        self.states.into_iter().map(|(state, _)| state).chain(self.escapes.into_iter().map(|(state, _)| state)).collect()
    }
}

/// First one stream, then the other.
pub(crate) fn concat(first: Stream, second: Stream) -> Stream {
    match (first, second) {
        (Stream::Nothing, other) | (other, Stream::Nothing) => other,
        (Stream::Known(mut text), Stream::Known(more)) => {
            text.push_str(&more);
            Stream::Known(text)
        }
        (Stream::Known(text), other) | (other, Stream::Known(text)) if text.is_empty() => other,
        (Stream::Remote, _) | (_, Stream::Remote) => Stream::Remote,
        (Stream::Decoded, _) | (_, Stream::Decoded) => Stream::Decoded,
        _ => Stream::Unknown,
    }
}

/// One stream or the other.
pub(crate) fn either(one: Stream, other: Stream) -> Stream {
    if one == other {
        return one;
    }
    match (one, other) {
        (Stream::Remote, _) | (_, Stream::Remote) => Stream::Remote,
        (Stream::Decoded, _) | (_, Stream::Decoded) => Stream::Decoded,
        _ => Stream::Unknown,
    }
}

/// Joins values with spaces between them, as `echo` does: text with markers.
pub(crate) fn join_words(markers: &mut crate::markers::Markers, values: &[Value]) -> String {
    let texts: Vec<String> = values.iter().map(|value| markers.text_of(value)).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_combine() {
        let known = |text: &str| Stream::Known(text.into());
        assert_eq!(concat(known("a\n"), known("b\n")), known("a\nb\n"));
        assert_eq!(concat(Stream::Nothing, known("b")), known("b"));
        assert_eq!(concat(known("x"), Stream::Remote), Stream::Remote);
        assert_eq!(either(known("x"), known("x")), known("x"));
        assert_eq!(either(known("x"), known("y")), Stream::Unknown);
        assert_eq!(either(Stream::Nothing, Stream::Remote), Stream::Remote);
    }
}
