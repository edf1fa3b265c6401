//! Quotes, and the kinds of text that are read up to one closing mark.
//!
//! Inside `"…"`, here-documents, arithmetic, subscripts and the operands of `${…}` blanks and operators are ordinary text, while
//! expansions still count. They differ in what ends them and in what quoting means there; [`Body`] names those differences.
//!
//! Source: bash(1) 5.2, QUOTING, EXPANSION; POSIX XCU 2.2, 2.6.2.

use super::ansi;
use super::cursor::{Parser, char_length};
use super::parts::Parts;
use crate::tree::{IssueCode, PartKind, Quote};

/// A kind of text with its own end and its own quoting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Up to `"`.
    Double,
    /// A here-document, up to the end of the readable text.
    HereDocument {
        /// `<<-`
        strip_tabs: bool,
    },
    /// Up to a `)` that no `(` opened.
    Arithmetic,
    /// One of the three expressions of `for ((…;…;…))`.
    ForHeader,
    /// Up to a `]` that no `[` opened.
    Subscript {
        /// In `${name[…]}`, where a `}` ends the whole expansion, whatever else is open.
        braced: bool,
    },
    /// Between single quotes that do not keep expansions from happening: to the end of the readable text.
    SoftQuoted,
    /// The word of `${name:-word}`, up to `}`.
    Operand {
        /// Inside double quotes or what is treated like them.
        quoted: bool,
    },
    /// The pattern or replacement of `${name#pattern}`, up to `}`.
    Pattern {
        /// As for [`Body::Operand`]; it matters for what is nested further down.
        quoted: bool,
        /// A `/` ends it too.
        slash: bool,
    },
    /// An expression of `${name:offset:length}`, up to `:` or `}`.
    Offset,
}

impl Body {
    /// Whether expansions in it are treated as inside double quotes.
    pub(super) fn is_double_quoted(self) -> bool {
        match self {
            Self::Operand { quoted } | Self::Pattern { quoted, .. } => quoted,
            _ => true,
        }
    }

    /// Whether `byte` means more than itself.
    #[inline]
    fn is_special(self, byte: u8) -> bool {
        match byte {
            b'\\' | b'$' | b'`' => true,
            b'"' => !matches!(self, Self::HereDocument { .. } | Self::SoftQuoted),
            b'\'' => !matches!(self, Self::Double | Self::HereDocument { .. } | Self::SoftQuoted),
            b'\n' => self == Self::HereDocument { strip_tabs: true },
            b'(' | b')' => matches!(self, Self::Arithmetic | Self::ForHeader | Self::Offset),
            b';' => self == Self::ForHeader,
            b'[' => matches!(self, Self::Subscript { .. } | Self::Operand { quoted: false } | Self::Pattern { .. }),
            b']' => matches!(self, Self::Subscript { .. }),
            b'}' => matches!(self, Self::Operand { .. } | Self::Pattern { .. } | Self::Offset | Self::Subscript { braced: true }),
            b'/' => matches!(self, Self::Pattern { slash: true, .. }),
            b':' => self == Self::Offset,
            b'?' => matches!(self, Self::Offset | Self::Operand { quoted: false } | Self::Pattern { .. }),
            b'*' => matches!(self, Self::Operand { quoted: false } | Self::Pattern { .. }),
            b'<' | b'>' => matches!(self, Self::Operand { quoted: false } | Self::Pattern { .. }),
            _ => false,
        }
    }

    /// Whether a backslash before `byte` goes away and leaves the byte as text.
    fn unescapes(self, byte: u8) -> bool {
        match byte {
            b'$' | b'`' | b'\\' => true,
            b'"' => !matches!(self, Self::HereDocument { .. } | Self::SoftQuoted),
            b'}' => matches!(self, Self::Operand { .. }),
            _ => false,
        }
    }
}

impl Parser<'_> {
    /// Reads text up to the end of `body`, which is left for the caller to check.
    pub(super) fn scan(&mut self, parts: &mut Parts, body: Body, quote: Quote) {
        // Brackets or parentheses, and question marks of `?:`, that are open. Counters, because no node comes of them.
        let mut open = 0_usize;
        let mut ternary = 0_usize;
        self.skip_stripped_tabs(body);
        loop {
            let run = self.position;
            while let Some(byte) = self.peek()
                && !body.is_special(byte)
            {
                self.position += 1;
            }
            if self.position > run {
                parts.text(self.text(run, self.position), run, self.position, quote);
            }
            let Some(byte) = self.peek() else { return };
            match byte {
                b'\\' => self.escape(parts, body, quote),
                b'$' => self.dollar(parts, quote, Some(body)),
                b'`' => self.backticks(parts, quote, Some(body)),
                b'"' if body == Body::Double => return,
                b'"' => self.double_quoted(parts, self.position, Quote::Double),
                b'\'' => match body {
                    Body::Operand { quoted: false } | Body::Pattern { .. } => self.single_quoted(parts),
                    _ => self.soft_quoted(parts, quote),
                },
                b'\n' => {
                    self.literal_byte(parts, quote);
                    self.skip_stripped_tabs(body);
                }
                b'(' => {
                    open += 1;
                    self.literal_byte(parts, quote);
                }
                b'[' if matches!(body, Body::Subscript { .. }) => {
                    open += 1;
                    self.literal_byte(parts, quote);
                }
                b')' if open == 0 => {
                    if body == Body::Offset {
                        self.literal_byte(parts, quote);
                    } else {
                        return;
                    }
                }
                b']' if open == 0 => return,
                b')' | b']' => {
                    open -= 1;
                    self.literal_byte(parts, quote);
                }
                b';' if open == 0 => return,
                b'}' | b'/' => return,
                b':' if open == 0 && ternary == 0 => return,
                b':' => {
                    ternary = ternary.saturating_sub(1);
                    self.literal_byte(parts, quote);
                }
                b'?' if body == Body::Offset => {
                    ternary += 1;
                    self.literal_byte(parts, quote);
                }
                b'*' | b'?' => self.glob_byte(parts),
                b'[' => match self.simple_bracket() {
                    Ok(end) => self.glob_to(parts, end),
                    Err(_) => self.literal_byte(parts, quote),
                },
                b'<' | b'>' if self.second().0 == Some(b'(') => self.process_substitution(parts),
                _ => self.literal_byte(parts, quote),
            }
        }
    }

    /// Takes one byte as text; it is an ASCII byte.
    pub(super) fn literal_byte(&mut self, parts: &mut Parts, quote: Quote) {
        let start = self.position;
        self.position += 1;
        parts.text(self.text(start, self.position), start, self.position, quote);
    }

    fn skip_stripped_tabs(&mut self, body: Body) {
        if body == (Body::HereDocument { strip_tabs: true }) {
            while self.peek() == Some(b'\t') {
                self.position += 1;
            }
        }
    }

    /// A backslash inside `body`.
    fn escape(&mut self, parts: &mut Parts, body: Body, quote: Quote) {
        let start = self.position;
        let Some(next) = self.byte(start + 1) else {
            self.position += 1;
            self.issue(IssueCode::TrailingBackslash, start);
            parts.text("\\", start, self.position, quote);
            return;
        };
        if next == b'\n' {
            self.position += 2;
            return;
        }
        let end = start + 1 + char_length(next);
        self.position = end;
        if matches!(body, Body::Operand { quoted: false } | Body::Pattern { .. }) {
            let text = self.text(start + 1, end).to_owned();
            parts.push(PartKind::Literal(text), Quote::Backslash, start, end);
        } else if body.unescapes(next) {
            parts.text(self.text(start + 1, end), start, end, quote);
        } else {
            parts.text(self.text(start, end), start, end, quote);
        }
    }

    /// A backslash outside quotes.
    pub(super) fn bare_escape(&mut self, parts: &mut Parts) {
        self.escape(parts, Body::Operand { quoted: false }, Quote::None);
    }

    /// `'…'`: the cursor is at the first quote.
    pub(super) fn single_quoted(&mut self, parts: &mut Parts) {
        let start = self.position;
        self.position += 1;
        let close = self.find(b'\'');
        let text = self.text(start + 1, close).to_owned();
        self.position = close;
        if self.peek().is_some() {
            self.position += 1;
        } else {
            self.issue(IssueCode::UnclosedSingleQuote, start);
        }
        parts.push(PartKind::Literal(text), Quote::Single, start, self.position);
    }

    /// `'…'` in arithmetic and in the operand of a double-quoted `${…}`. bash pairs the quotes when it looks for the end of the
    /// construct, then expands the text as if they were not there: `"${x:-'$(id)'}"` runs `id`.
    fn soft_quoted(&mut self, parts: &mut Parts, quote: Quote) {
        let start = self.position;
        self.literal_byte(parts, quote);
        let close = self.find(b'\'');
        let end = self.narrow_end(close);
        self.scan(parts, Body::SoftQuoted, quote);
        self.restore_end(end);
        if self.limited {
            return;
        }
        self.position = close;
        if self.peek().is_some() {
            self.literal_byte(parts, quote);
        } else {
            self.issue(IssueCode::UnclosedSingleQuote, start);
        }
    }

    /// The offset of the next `wanted`, or the end of the readable text.
    fn find(&self, wanted: u8) -> usize {
        let mut offset = self.position;
        while let Some(byte) = self.byte(offset) {
            if byte == wanted {
                break;
            }
            offset += 1;
        }
        offset
    }

    /// `"…"`: the cursor is at the first quote, the part begins at `start`.
    pub(super) fn double_quoted(&mut self, parts: &mut Parts, start: usize, quote: Quote) {
        parts.flush();
        let before = parts.len();
        self.position += 1;
        self.scan(parts, Body::Double, quote);
        parts.flush();
        if self.peek() == Some(b'"') {
            self.position += 1;
        } else {
            self.issue(IssueCode::UnclosedDoubleQuote, start);
        }
        match parts.len() - before {
            0 => parts.push(PartKind::Literal(String::new()), quote, start, self.position),
            // A string that is all text is one part with its quotes; otherwise each part covers its own text.
            1 => {
                let span = self.span(start);
                if let Some(part) = parts.part_mut(before)
                    && matches!(part.kind, PartKind::Literal(_))
                {
                    part.span = span;
                }
            }
            _ => {}
        }
    }

    /// `$'…'`: the opening quote is at `open`, the `$` before it at the cursor.
    pub(super) fn ansi_quoted(&mut self, parts: &mut Parts, open: usize, body: Option<Body>) {
        let start = self.position;
        self.position = open + 1;
        loop {
            match self.peek() {
                None | Some(b'\'') => break,
                Some(b'\\') => {
                    self.position += 1;
                    self.bump();
                }
                Some(_) => self.position += 1,
            }
        }
        let decoded = ansi::decode(self.text(open + 1, self.position));
        if self.peek().is_some() {
            self.position += 1;
        } else {
            self.issue(IssueCode::UnclosedAnsiQuote, start);
        }
        if decoded.invalid {
            self.issue(IssueCode::InvalidCodePoint, start);
        }
        // Inside double quotes bash decodes first and expands the result: `"${x:-$'\x24(id)'}"` runs `id`. Such text has no
        // place in a tree of the source. Patterns are quoted on their own.
        let expands = body.is_some_and(|body| body.is_double_quoted() && !matches!(body, Body::Pattern { .. }));
        if expands && decoded.text.contains(['$', '`']) {
            self.issue(IssueCode::BadSubstitution, start);
        }
        parts.push(PartKind::Literal(decoded.text), Quote::Ansi, start, self.position);
    }
}
