//! What begins with `$`, backticks, and process substitution.
//!
//! Source: bash(1) 5.2, EXPANSION.

use super::cursor::Parser;
use super::list::Until;
use super::parts::Parts;
use super::quoted::Body;
use super::reserved::{is_name, is_name_start};
use crate::tree::{IssueCode, Parameter, ParameterExpansion, ParameterOperation, PartKind, ProcessDirection, Quote, Substitution};

impl Parser<'_> {
    /// A `$` at the cursor. `body` is the kind of text around it, `None` for a word outside of quotes.
    pub(super) fn dollar(&mut self, parts: &mut Parts, quote: Quote, body: Option<Body>) {
        let start = self.position;
        let (next, at) = self.second();
        match next {
            Some(b'(') => {
                let inner = self.joined(at + 1);
                if self.byte(inner) == Some(b'(') && self.opening(at, inner + 1, true).arithmetic {
                    self.arithmetic_substitution(parts, quote, inner + 1);
                    return;
                }
                self.position = at;
                let substitution = self.substitution(start);
                let kind = PartKind::CommandSubstitution(Box::new(substitution));
                parts.push(kind, quote, start, self.position);
            }
            Some(b'{') => {
                let expansion = self.braced_parameter(start, at + 1, quote, body);
                parts.push(PartKind::Parameter(Box::new(expansion)), quote, start, self.position);
            }
            Some(b'[') => self.old_arithmetic(parts, quote, at + 1),
            Some(b'\'') if !matches!(body, Some(Body::Double | Body::HereDocument { .. } | Body::SoftQuoted)) => {
                self.ansi_quoted(parts, at, body);
            }
            Some(b'"') if !matches!(body, Some(Body::Double | Body::HereDocument { .. } | Body::SoftQuoted)) => {
                self.position = at;
                self.double_quoted(parts, start, Quote::Locale);
            }
            Some(byte) if is_name_start(byte) => {
                self.position = at;
                let name = self.name();
                let parameter = if name == "_" { Parameter::Special('_') } else { Parameter::Variable(name) };
                self.plain_parameter(parts, quote, start, parameter);
            }
            Some(byte @ b'0'..=b'9') => {
                self.position = at + 1;
                self.plain_parameter(parts, quote, start, Parameter::Positional(u32::from(byte - b'0')));
            }
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-')) => {
                self.position = at + 1;
                self.plain_parameter(parts, quote, start, Parameter::Special(char::from(byte)));
            }
            _ => self.literal_byte(parts, quote),
        }
    }

    fn plain_parameter(&self, parts: &mut Parts, quote: Quote, start: usize, parameter: Parameter) {
        let expansion = ParameterExpansion { parameter, subscript: None, indirect: false, operation: ParameterOperation::Value };
        parts.push(PartKind::Parameter(Box::new(expansion)), quote, start, self.position);
    }

    /// The name at the cursor, which may go on after joined lines.
    pub(super) fn name(&mut self) -> String {
        let start = self.position;
        let mut name = String::new();
        let mut run = start;
        loop {
            while self.peek().is_some_and(is_name) {
                self.position += 1;
            }
            let next = self.joined(self.position);
            if next == self.position || !self.byte(next).is_some_and(is_name) {
                break;
            }
            name.push_str(self.text(run, self.position));
            self.position = next;
            run = next;
        }
        name.push_str(self.text(run, self.position));
        name
    }

    /// The program between `(` at the cursor and its `)`. The construct begins at `start`.
    fn substitution(&mut self, start: usize) -> Substitution {
        let mut substitution = Substitution { body: crate::tree::List::default(), text: None };
        let open = self.position;
        let inner = self.joined(open + 1);
        let opening = (self.byte(inner) == Some(b'(')).then(|| self.opening(open, inner + 1, true));
        if !self.enter() {
            return substitution;
        }
        self.position = open + 1;
        let outer = std::mem::take(&mut self.pending);
        self.open_parens += 1;
        self.substitutions += 1;
        substitution.body = self.list(Until::Paren);
        self.open_parens -= 1;
        self.substitutions -= 1;
        let end = (self.peek() == Some(b')')).then_some(self.position);
        match opening {
            Some(opening) if opening.end != end && !self.limited => self.close_ambiguous(start, end, opening.end),
            _ if end.is_some() => self.position += 1,
            _ => self.issue(IssueCode::UnclosedSubstitution, start),
        }
        if opening.is_some() {
            // bash parses such a text by itself when it runs.
            self.finish_here_documents();
        }
        // bash 5.2 reads the body of such a here-document after the line that holds the substitution.
        let unread = std::mem::replace(&mut self.pending, outer);
        if !unread.is_empty() {
            self.issue(IssueCode::UnterminatedHereDocument, start);
            self.pending.extend(unread);
        }
        self.leave();
        substitution
    }

    /// The end of a substitution that begins with two parentheses and ends in one place by `grammar` and in another when they
    /// are `counted`. Shells differ in which they take, bash by what is around it, so everything after the first is read.
    fn close_ambiguous(&mut self, start: usize, grammar: Option<usize>, counted: Option<usize>) {
        if let Some(end) = [grammar, counted].into_iter().flatten().min() {
            self.go_back(end + 1);
        }
        self.issue(IssueCode::BadSubstitution, start);
    }

    /// `<(…)` or `>(…)` at the cursor.
    pub(super) fn process_substitution(&mut self, parts: &mut Parts) {
        let start = self.position;
        let direction = if self.peek() == Some(b'<') { ProcessDirection::Output } else { ProcessDirection::Input };
        self.position = self.second().1;
        let substitution = self.substitution(start);
        parts.push(PartKind::ProcessSubstitution(direction, Box::new(substitution)), Quote::None, start, self.position);
    }

    /// `` `…` `` at the cursor. One level of backslashes is taken off, then the text is a program of its own.
    pub(super) fn backticks(&mut self, parts: &mut Parts, quote: Quote, body: Option<Body>) {
        let start = self.position;
        self.position += 1;
        let in_string = matches!(body, Some(Body::Double | Body::Operand { quoted: true }));
        let mut text = String::new();
        let mut run = self.position;
        loop {
            match self.peek() {
                None | Some(b'`') => break,
                Some(b'\\') => {
                    let next = self.byte(self.position + 1);
                    let drops = match next {
                        Some(b'$' | b'`' | b'\\') => 1,
                        Some(b'"') if in_string => 1,
                        Some(b'\n') => 2,
                        _ => 0,
                    };
                    if drops > 0 {
                        text.push_str(self.text(run, self.position));
                        run = self.position + drops;
                    }
                    self.position += 1;
                    self.bump();
                }
                Some(_) => self.position += 1,
            }
        }
        text.push_str(self.text(run, self.position));
        if self.peek().is_some() {
            self.position += 1;
        } else {
            self.issue(IssueCode::UnclosedSubstitution, start);
        }
        if !self.enter() {
            return;
        }
        let place = self.span(start);
        let body = if self.dry { crate::tree::List::default() } else { self.nested_program(&text, place) };
        self.leave();
        let substitution = Substitution { body, text: Some(text) };
        parts.push(PartKind::CommandSubstitution(Box::new(substitution)), quote, start, self.position);
    }
}
