//! `$((…))`, `$[…]`, `((…))`, and telling the first and last from nested subshells.
//!
//! `$((` may begin arithmetic or a substitution whose first command is a subshell; only its end tells. bash takes it as
//! arithmetic when the inner parenthesis closes right before the outer one. The question is answered by a trial reading whose
//! answers are remembered, so that nesting does not multiply the work.
//!
//! For a substitution that begins so, bash looks for the outer parenthesis without regard to grammar: a `)` in a comment or
//! here-document ends it. [`Opening::end`] is that place.
//!
//! Source: bash(1) 5.2, Arithmetic Expansion; `parse.y` `parse_arith_cmd`, `subst.c` `chk_arithsub`.

use super::cursor::Parser;
use super::parts::Parts;
use super::quoted::Body;
use crate::tree::{IssueCode, PartKind, Quote, Word};

/// What two parentheses side by side begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Opening {
    /// Arithmetic, not a subshell inside something else.
    pub(super) arithmetic: bool,
    /// Where `$((` and `<((` end when parentheses are only counted.
    pub(super) end: Option<usize>,
}

impl Parser<'_> {
    /// What the two parentheses begin, the first at `first` and the text after the second at `inner`. `substitution` tells `$((`
    /// and `<((` from a command `((`.
    pub(super) fn opening(&mut self, first: usize, inner: usize, substitution: bool) -> Opening {
        if let Some(answer) = self.plain_opening(inner, substitution) {
            return answer;
        }
        if let Some(answer) = self.openings.get(&first) {
            return *answer;
        }
        let checkpoint = self.begin_trial();
        // Not closed at all: an error either way, and its expansions stay visible.
        let mut answer = Opening { arithmetic: true, end: None };
        if self.enter() {
            self.position = inner;
            self.scan(&mut Parts::new(), Body::Arithmetic, Quote::None);
            if self.peek().is_some() {
                let close = self.position;
                answer.arithmetic =
                    self.closes_at(close, substitution) && (!substitution || counts_balanced(self.text(inner, close)));
                self.position += 1;
                if substitution {
                    self.scan(&mut Parts::new(), Body::Arithmetic, Quote::None);
                }
                answer.end = self.peek().map(|_| self.position);
            }
            self.leave();
        }
        self.end_trial(&checkpoint);
        self.openings.insert(first, answer);
        answer
    }

    /// The answer where no quote or expansion makes it hard.
    fn plain_opening(&self, inner: usize, substitution: bool) -> Option<Opening> {
        let mut open = 0_usize;
        let mut offset = inner;
        let mut arithmetic = None;
        loop {
            match self.byte(offset) {
                None => return Some(Opening { arithmetic: arithmetic.unwrap_or(true), end: None }),
                Some(b'$' | b'`' | b'\'' | b'"' | b'\\') => return None,
                Some(b'(') => open += 1,
                Some(b')') if open > 0 => open -= 1,
                Some(b')') => match arithmetic {
                    Some(arithmetic) => return Some(Opening { arithmetic, end: Some(offset) }),
                    None if substitution => arithmetic = Some(self.closes_at(offset, true)),
                    None => return Some(Opening { arithmetic: self.closes_at(offset, false), end: None }),
                },
                Some(_) => {}
            }
            offset += 1;
        }
    }

    /// Whether the `)` at `close` is followed by the other one. bash looks past joined lines only in `$((…))`.
    fn closes_at(&self, close: usize, substitution: bool) -> bool {
        let next = if substitution { self.joined(close + 1) } else { close + 1 };
        self.byte(next) == Some(b')')
    }

    /// Reads an expression up to its `))`, the cursor being after the `((`.
    fn expression(&mut self, start: usize, substitution: bool) -> Word {
        let begin = self.position;
        let mut parts = Parts::new();
        self.scan(&mut parts, Body::Arithmetic, Quote::None);
        let word = parts.into_word(begin, self.position);
        self.close_arithmetic(start, substitution);
        word
    }

    fn close_arithmetic(&mut self, start: usize, substitution: bool) {
        if self.peek() == Some(b')') && self.closes_at(self.position, substitution) {
            self.position = self.joined(self.position + 1) + 1;
        } else {
            self.issue(IssueCode::UnclosedArithmetic, start);
        }
    }

    /// `$((…))`: the `$` is at the cursor, the expression begins at `inner`.
    pub(super) fn arithmetic_substitution(&mut self, parts: &mut Parts, quote: Quote, inner: usize) {
        let start = self.position;
        if !self.enter() {
            return;
        }
        self.position = inner;
        let word = self.expression(start, true);
        self.leave();
        parts.push(PartKind::Arithmetic(Box::new(word)), quote, start, self.position);
    }

    /// `$[…]`, the old form.
    pub(super) fn old_arithmetic(&mut self, parts: &mut Parts, quote: Quote, inner: usize) {
        let start = self.position;
        if !self.enter() {
            return;
        }
        self.position = inner;
        let mut text = Parts::new();
        self.scan(&mut text, Body::Subscript { braced: false }, Quote::None);
        let word = text.into_word(inner, self.position);
        if self.peek() == Some(b']') {
            self.position += 1;
        } else {
            self.issue(IssueCode::UnclosedArithmetic, start);
        }
        self.leave();
        parts.push(PartKind::Arithmetic(Box::new(word)), quote, start, self.position);
    }

    /// The command `((…))`, the expression beginning at `inner`.
    pub(super) fn arithmetic_command(&mut self, start: usize, inner: usize) -> Word {
        if !self.enter() {
            return Word::default();
        }
        self.position = inner;
        let word = self.expression(start, false);
        self.leave();
        word
    }

    /// The three expressions of `for ((…;…;…))`, the first beginning at `inner`.
    pub(super) fn for_header(&mut self, start: usize, inner: usize) -> [Word; 3] {
        self.position = inner;
        let mut header = [Word::default(), Word::default(), Word::default()];
        let mut count = 0_usize;
        for word in &mut header {
            count += 1;
            let begin = self.position;
            let mut parts = Parts::new();
            self.scan(&mut parts, Body::ForHeader, Quote::None);
            *word = parts.into_word(begin, self.position);
            if count == 3 || self.peek() != Some(b';') {
                break;
            }
            self.position += 1;
        }
        if count < 3 && self.peek().is_some() {
            self.issue(IssueCode::UnexpectedToken, start);
        }
        if self.peek() == Some(b';') {
            self.issue(IssueCode::UnexpectedToken, start);
            let mut rest = Parts::new();
            self.scan(&mut rest, Body::Arithmetic, Quote::None);
            if let Some(last) = header.last_mut() {
                last.parts.extend(rest.into_parts());
                last.span.end = super::cursor::offset(self.position);
            }
        }
        self.close_arithmetic(start, false);
        header
    }
}

/// The count bash makes over the text of `$((…))` before it believes that it is arithmetic: parentheses outside of quotes, without
/// regard to other nesting. `$((${x:-)} ; id))` fails it and runs `id`.
fn counts_balanced(text: &str) -> bool {
    let mut open = 0_usize;
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'(' => open += 1,
            b')' if open == 0 => return false,
            b')' => open -= 1,
            b'\\' => {
                bytes.next();
            }
            b'\'' => while bytes.next().is_some_and(|byte| byte != b'\'') {},
            b'"' => {
                // Substitutions inside the string are part of it.
                let mut nested = 0_usize;
                while let Some(byte) = bytes.next() {
                    match byte {
                        b'"' if nested == 0 => break,
                        b'\\' => {
                            bytes.next();
                        }
                        b'$' if bytes.peek() == Some(&b'(') => {
                            bytes.next();
                            nested += 1;
                        }
                        b'(' if nested > 0 => nested += 1,
                        b')' if nested > 0 => nested -= 1,
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    open == 0
}
