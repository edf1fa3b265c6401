//! Collects the parts of a word, joining neighbouring text of the same quoting.

use super::cursor::offset;
use crate::span::Span;
use crate::tree::{PartKind, Quote, Word, WordPart};

/// Parts collected so far, and the text that is still growing.
pub(super) struct Parts {
    parts: Vec<WordPart>,
    text: String,
    /// Where the growing text began and how far it reaches.
    range: (usize, usize),
    quote: Quote,
    open: bool,
}

impl Parts {
    /// No parts yet.
    pub(super) fn new() -> Self {
        Self { parts: Vec::new(), text: String::new(), range: (0, 0), quote: Quote::None, open: false }
    }

    /// Adds `text`, which stands at `start..end`.
    #[inline]
    pub(super) fn text(&mut self, text: &str, start: usize, end: usize, quote: Quote) {
        if self.open && self.quote == quote {
            self.text.push_str(text);
            self.range.1 = end;
        } else {
            self.flush();
            self.open = true;
            self.quote = quote;
            self.range = (start, end);
            text.clone_into(&mut self.text);
        }
    }

    /// Ends the growing text.
    pub(super) fn flush(&mut self) {
        if self.open {
            self.open = false;
            let text = std::mem::take(&mut self.text);
            let (start, end) = self.range;
            self.add(PartKind::Literal(text), self.quote, start, end);
        }
    }

    /// Adds a part of its own.
    pub(super) fn push(&mut self, kind: PartKind, quote: Quote, start: usize, end: usize) {
        self.flush();
        self.add(kind, quote, start, end);
    }

    /// Adds parts that are ready.
    pub(super) fn extend(&mut self, parts: Vec<WordPart>) {
        self.flush();
        self.parts.extend(parts);
    }

    fn add(&mut self, kind: PartKind, quote: Quote, start: usize, end: usize) {
        if self.parts.capacity() == 0 {
            self.parts.reserve_exact(1);
        }
        self.parts.push(WordPart { kind, quote, span: Span::new(offset(start), offset(end)) });
    }

    /// How many parts there are, the growing one counted.
    pub(super) fn len(&self) -> usize {
        self.parts.len() + usize::from(self.open)
    }

    /// The growing text if it is unquoted and nothing stands before it.
    pub(super) fn only_bare_text(&self) -> Option<&str> {
        (self.open && self.quote == Quote::None && self.parts.is_empty()).then_some(self.text.as_str())
    }

    /// The last byte of the growing text if that is unquoted.
    pub(super) fn last_bare_byte(&self) -> Option<u8> {
        if self.open && self.quote == Quote::None { self.text.as_bytes().last().copied() } else { None }
    }

    /// Takes the last byte off the growing text; it is one of the ASCII bytes [`Parts::last_bare_byte`] gave.
    pub(super) fn pop_bare_byte(&mut self) {
        self.text.pop();
        self.range.1 = self.range.1.saturating_sub(1);
        if self.text.is_empty() {
            self.open = false;
        }
    }

    /// The part at `index`, to change it.
    pub(super) fn part_mut(&mut self, index: usize) -> Option<&mut WordPart> {
        self.parts.get_mut(index)
    }

    /// All parts.
    pub(super) fn into_parts(mut self) -> Vec<WordPart> {
        self.flush();
        self.parts
    }

    /// All parts as a word.
    pub(super) fn into_word(self, start: usize, end: usize) -> Word {
        Word { parts: self.into_parts(), span: Span::new(offset(start), offset(end)) }
    }
}
