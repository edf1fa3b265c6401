//! `${…}`.
//!
//! Source: bash(1) 5.2, Parameter Expansion.

use super::cursor::Parser;
use super::parts::Parts;
use super::quoted::Body;
use super::reserved::is_name_start;
use crate::tree::{IssueCode, Parameter, ParameterExpansion, ParameterOperation, PartKind, Quote, ReplacePlace, Word};

/// Where a `${…}` stands.
#[derive(Clone, Copy)]
struct Place {
    quote: Quote,
    quoted: bool,
}

impl Parser<'_> {
    /// `${…}`: the construct begins at `start`, the text inside at `inner`.
    pub(super) fn braced_parameter(&mut self, start: usize, inner: usize, quote: Quote, body: Option<Body>) -> ParameterExpansion {
        let mut expansion = ParameterExpansion {
            parameter: Parameter::Variable(String::new()),
            subscript: None,
            indirect: false,
            operation: ParameterOperation::Unknown(String::new()),
        };
        if !self.enter() {
            return expansion;
        }
        self.position = inner;
        let place = Place { quote, quoted: body.is_some_and(Body::is_double_quoted) };
        let understood = self.braced_content(&mut expansion, place) && matches!(self.peek_joined(), Some(b'}') | None);
        if !understood {
            // The rest is read for its end only.
            self.scan(&mut Parts::new(), Body::Operand { quoted: place.quoted }, quote);
            expansion.operation = ParameterOperation::Unknown(self.text(inner, self.position).to_owned());
        }
        if self.peek() == Some(b'}') {
            self.position += 1;
            if !understood {
                self.issue(IssueCode::BadSubstitution, start);
            }
        } else {
            self.issue(IssueCode::UnclosedSubstitution, start);
        }
        self.leave();
        expansion
    }

    /// Parameter and operation. `false` where they make no sense.
    fn braced_content(&mut self, expansion: &mut ParameterExpansion, place: Place) -> bool {
        let mut length = false;
        match self.peek_joined() {
            Some(b'#') => {
                let (next, at) = self.second();
                length = match next {
                    Some(byte) if is_name_start(byte) || byte.is_ascii_digit() => true,
                    // `${#-}` is a length, `${#-word}` a default of `$#`.
                    Some(b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-') => self.byte(self.joined(at + 1)) == Some(b'}'),
                    _ => false,
                };
                if length {
                    self.position = at;
                }
            }
            Some(b'!') => {
                let (next, at) = self.second();
                expansion.indirect = match next {
                    Some(byte) if is_name_start(byte) || byte.is_ascii_digit() => true,
                    Some(b'@' | b'*' | b'#' | b'$' | b'!') => self.byte(self.joined(at + 1)) == Some(b'}'),
                    _ => false,
                };
                if expansion.indirect {
                    self.position = at;
                }
            }
            _ => {}
        }
        let Some(parameter) = self.parameter() else { return false };
        let is_variable = matches!(parameter, Parameter::Variable(_) | Parameter::Special('_'));
        expansion.parameter = parameter;
        if is_variable && self.peek_joined() == Some(b'[') {
            self.position += 1;
            let (subscript, closed) = self.subscript(true);
            expansion.subscript = Some(subscript);
            if !closed {
                return false;
            }
        }
        if length {
            expansion.operation = ParameterOperation::Length;
            return true;
        }
        self.operation(expansion, place)
    }

    /// The parameter at the cursor.
    fn parameter(&mut self) -> Option<Parameter> {
        let byte = self.peek_joined()?;
        if is_name_start(byte) {
            let name = self.name();
            return Some(if name == "_" { Parameter::Special('_') } else { Parameter::Variable(name) });
        }
        if byte.is_ascii_digit() {
            let mut value = 0_u32;
            while let Some(digit @ b'0'..=b'9') = self.peek_joined() {
                value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
                self.position += 1;
            }
            return Some(Parameter::Positional(value));
        }
        if matches!(byte, b'@' | b'*' | b'#' | b'?' | b'$' | b'!' | b'-') {
            self.position += 1;
            return Some(Parameter::Special(char::from(byte)));
        }
        None
    }

    /// The text up to `]` and whether that came, the cursor being after the `[`.
    pub(super) fn subscript(&mut self, braced: bool) -> (Word, bool) {
        let start = self.position;
        let mut parts = Parts::new();
        self.scan(&mut parts, Body::Subscript { braced }, Quote::None);
        let word = parts.into_word(start, self.position);
        let closed = self.peek() == Some(b']');
        if closed {
            self.position += 1;
        }
        (word, closed)
    }

    /// The operator and its operands, up to `}`.
    fn operation(&mut self, expansion: &mut ParameterExpansion, place: Place) -> bool {
        let Some(byte) = self.peek_joined() else {
            expansion.operation = ParameterOperation::Value;
            return true;
        };
        let (next, at) = self.second();
        if expansion.indirect && matches!(byte, b'@' | b'*') && next == Some(b'}') {
            self.position = at;
            expansion.indirect = false;
            expansion.operation = ParameterOperation::NamesWithPrefix;
            return expansion.subscript.is_none();
        }
        if expansion.indirect && byte == b'}' && expansion.subscript.as_ref().is_some_and(is_every_element) {
            expansion.indirect = false;
            expansion.operation = ParameterOperation::Keys;
            return true;
        }
        expansion.operation = match byte {
            b'}' => ParameterOperation::Value,
            b':' => match next {
                Some(operator @ (b'-' | b'=' | b'?' | b'+')) => {
                    self.position = at + 1;
                    self.word_operation(operator, true, place)
                }
                _ => {
                    self.position += 1;
                    self.substring()
                }
            },
            b'-' | b'=' | b'?' | b'+' => {
                self.position += 1;
                self.word_operation(byte, false, place)
            }
            b'#' | b'%' => {
                let longest = next == Some(byte);
                self.position = if longest { at + 1 } else { self.position + 1 };
                let pattern = self.pattern(place, false);
                if byte == b'#' {
                    ParameterOperation::RemovePrefix { longest, pattern }
                } else {
                    ParameterOperation::RemoveSuffix { longest, pattern }
                }
            }
            b'/' => {
                self.position += 1;
                self.replace(place)
            }
            b'^' | b',' | b'~' => {
                let doubled = next == Some(byte);
                self.position = if doubled { at + 1 } else { self.position + 1 };
                let mut operator = String::from(char::from(byte));
                if doubled {
                    operator.push(char::from(byte));
                }
                ParameterOperation::Case { operator, pattern: self.pattern(place, false) }
            }
            b'@' => match next {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.position = at + 1;
                    ParameterOperation::Transform(char::from(letter))
                }
                _ => return false,
            },
            _ => return false,
        };
        true
    }

    fn word_operation(&mut self, operator: u8, colon: bool, place: Place) -> ParameterOperation {
        let start = self.position;
        let mut parts = Parts::new();
        if !place.quoted && self.peek() == Some(b'~') {
            self.tilde(&mut parts, b"/}:");
        }
        self.scan(&mut parts, Body::Operand { quoted: place.quoted }, place.quote);
        let word = parts.into_word(start, self.position);
        match operator {
            b'-' => ParameterOperation::Default { colon, word },
            b'=' => ParameterOperation::Assign { colon, word },
            b'?' => ParameterOperation::Require { colon, word },
            _ => ParameterOperation::Alternative { colon, word },
        }
    }

    fn pattern(&mut self, place: Place, slash: bool) -> Word {
        let start = self.position;
        let mut parts = Parts::new();
        let quote = Quote::None;
        if self.peek() == Some(b'~') {
            self.tilde(&mut parts, b"/}");
        }
        self.scan(&mut parts, Body::Pattern { quoted: place.quoted, slash }, quote);
        parts.into_word(start, self.position)
    }

    fn replace(&mut self, place: Place) -> ParameterOperation {
        let kind = match self.peek_joined() {
            Some(b'/') => ReplacePlace::All,
            Some(b'#') => ReplacePlace::Prefix,
            Some(b'%') => ReplacePlace::Suffix,
            _ => ReplacePlace::First,
        };
        if kind != ReplacePlace::First {
            self.position += 1;
        }
        let pattern = self.pattern(place, true);
        let replacement = if self.peek() == Some(b'/') {
            self.position += 1;
            self.pattern(place, false)
        } else {
            Word { parts: Vec::new(), span: self.span(self.position) }
        };
        ParameterOperation::Replace { place: kind, pattern, replacement }
    }

    fn substring(&mut self) -> ParameterOperation {
        let offset = self.offset_expression();
        let length = if self.peek() == Some(b':') {
            self.position += 1;
            Some(self.offset_expression())
        } else {
            None
        };
        ParameterOperation::Substring { offset, length }
    }

    fn offset_expression(&mut self) -> Word {
        let start = self.position;
        let mut parts = Parts::new();
        self.scan(&mut parts, Body::Offset, Quote::None);
        parts.into_word(start, self.position)
    }
}

/// `@` or `*` alone.
fn is_every_element(subscript: &Word) -> bool {
    matches!(subscript.parts.as_slice(), [part] if matches!(&part.kind, PartKind::Literal(text) if text == "@" || text == "*"))
}
