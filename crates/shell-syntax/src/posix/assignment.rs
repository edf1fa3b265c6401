//! Assignments and array literals.
//!
//! Source: bash(1) 5.2, PARAMETERS, Arrays; `parse.y` `parse_compound_assignment`.

use super::cursor::Parser;
use super::parts::Parts;
use super::reserved::{is_meta, is_name, is_name_start};
use super::word::Mode;
use crate::tree::{ArrayElement, Assignment, AssignmentValue, IssueCode, PartKind, Quote, Word};

/// What stood where an assignment could.
pub(super) enum Head {
    /// An assignment.
    Assignment(Assignment),
    /// A word.
    Word(Word),
}

impl Parser<'_> {
    /// An assignment or the first word of a command.
    pub(super) fn assignment_or_word(&mut self) -> Head {
        let start = self.position;
        if !self.peek().is_some_and(is_name_start) {
            return Head::Word(self.word(Mode::COMMAND));
        }
        let mut end = start;
        // The common case is a plain name, which is read as a word without being copied first.
        while self.byte(end).is_some_and(is_name) {
            end += 1;
        }
        if !matches!(self.byte(end), Some(b'=' | b'+' | b'[' | b'\\')) {
            return Head::Word(self.word(Mode::COMMAND));
        }
        let name = self.name();
        let name_end = self.position;
        let mut subscript = None;
        if self.peek_joined() == Some(b'[') {
            let open = self.position;
            self.position += 1;
            if !self.enter() {
                return Head::Word(Word::default());
            }
            let (word, closed) = self.subscript(false);
            self.leave();
            if !closed {
                self.issue(IssueCode::UnclosedSubstitution, open);
            }
            subscript = Some((open, word, closed));
        }
        let append = self.peek_joined() == Some(b'+') && self.second().0 == Some(b'=');
        if append {
            self.position = self.second().1;
        }
        if self.peek() == Some(b'=') {
            self.position += 1;
            let subscript = subscript.map(|(_, word, _)| word);
            return Head::Assignment(self.assignment(start, name, subscript, append));
        }
        // Not an assignment after all: the name and subscript are the start of a word.
        let mut parts = Parts::new();
        parts.text(&name, start, name_end, Quote::None);
        if let Some((open, word, closed)) = subscript {
            bracketed(&mut parts, open, word, closed);
        }
        Head::Word(self.word_after(parts, start, Mode::COMMAND))
    }

    /// The value after `=`.
    fn assignment(&mut self, start: usize, name: String, subscript: Option<Word>, append: bool) -> Assignment {
        let value = if self.peek_joined() == Some(b'(') {
            let mut elements = if self.count_word() { self.array() } else { Vec::new() };
            // To bash the whole is one odd scalar, and the command begins after it.
            if self.peek_joined().is_some_and(|byte| !is_meta(byte)) {
                self.issue(IssueCode::MissingConnector, self.position);
                elements.push(ArrayElement { subscript: None, value: self.word(Mode::VALUE) });
            }
            AssignmentValue::Array(elements)
        } else {
            AssignmentValue::Scalar(self.word(Mode::VALUE))
        };
        Assignment { name, subscript, append, value, span: self.span(start) }
    }

    /// `(…)` at the cursor.
    fn array(&mut self) -> Vec<ArrayElement> {
        let start = self.position;
        let mut elements = Vec::new();
        self.position += 1;
        loop {
            self.skip_newlines();
            match self.peek() {
                None => {
                    self.issue(IssueCode::UnclosedCompound, start);
                    return elements;
                }
                Some(b')') => {
                    self.position += 1;
                    return elements;
                }
                Some(b'<' | b'>') if self.second().0 == Some(b'(') => {}
                Some(byte) if is_meta(byte) => {
                    let at = self.position;
                    self.position += 1;
                    self.issue(IssueCode::UnexpectedToken, at);
                    continue;
                }
                Some(_) => {}
            }
            elements.push(self.array_element());
        }
    }

    /// `value` or `[subscript]=value`.
    fn array_element(&mut self) -> ArrayElement {
        let start = self.position;
        if self.peek() != Some(b'[') {
            return ArrayElement { subscript: None, value: self.word(Mode::ARGUMENT) };
        }
        self.position += 1;
        if !self.enter() {
            return ArrayElement { subscript: None, value: Word::default() };
        }
        let (subscript, closed) = self.subscript(false);
        self.leave();
        if !closed {
            self.issue(IssueCode::UnclosedSubstitution, start);
        }
        if self.peek_joined() == Some(b'+') && self.second().0 == Some(b'=') {
            self.position = self.second().1;
        }
        if self.peek() == Some(b'=') {
            self.position += 1;
            return ArrayElement { subscript: Some(subscript), value: self.word(Mode::VALUE) };
        }
        let mut parts = Parts::new();
        bracketed(&mut parts, start, subscript, closed);
        ArrayElement { subscript: None, value: self.word_after(parts, start, Mode::ARGUMENT) }
    }

    /// `name=(…)` as an argument, the cursor at the parenthesis: its text and elements become parts of the word.
    pub(super) fn array_argument(&mut self, parts: &mut Parts) {
        let open = self.position;
        parts.text("(", open, open + 1, Quote::None);
        let mut end = open + 1;
        for (index, element) in self.array().into_iter().enumerate() {
            if index > 0 {
                parts.push(PartKind::Literal(" ".to_owned()), Quote::None, end, end + 1);
            }
            if let Some(subscript) = element.subscript {
                let start = (subscript.span.start as usize).saturating_sub(1);
                bracketed(parts, start, subscript, true);
                parts.text("=", element.value.span.start as usize, element.value.span.start as usize, Quote::None);
            }
            end = element.value.span.end as usize;
            parts.extend(element.value.parts);
        }
        let close = self.position;
        // An array that never closes may end inside a comment: there is no parenthesis to point at then.
        let closed = close > end && self.byte(close - 1) == Some(b')');
        let start = if closed { close - 1 } else { close.max(end) };
        parts.push(PartKind::Literal(")".to_owned()), Quote::None, start, close.max(end));
    }
}

/// A subscript as parts of a word: a pattern, as far as the shell is concerned.
fn bracketed(parts: &mut Parts, open: usize, subscript: Word, closed: bool) {
    let close = subscript.span.end as usize;
    parts.push(PartKind::Glob("[".to_owned()), Quote::None, open, open + 1);
    parts.extend(subscript.parts);
    if closed {
        parts.push(PartKind::Literal("]".to_owned()), Quote::None, close, close + 1);
    }
}
