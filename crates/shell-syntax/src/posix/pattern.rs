//! Unquoted pattern characters: `*`, `?`, `[…]` and extended globs.
//!
//! A bracket expression or group without quotes and expansions becomes one part, as written. One that holds them is split, so
//! that a substitution inside stays visible: `[`, its content, and a literal `]`; `@(`, its content, `|`, and `)`.
//!
//! Extended globs are always recognised. With `extglob` off, as `bash -c` starts, they are syntax errors, so nothing is lost.
//!
//! Source: bash(1) 5.2, Pattern Matching.

use super::cursor::Parser;
use super::parts::Parts;
use super::reserved::is_meta;
use crate::budget;
use crate::tree::{IssueCode, PartKind, Quote};

impl Parser<'_> {
    /// `*` or `?` at the cursor.
    pub(super) fn glob_byte(&mut self, parts: &mut Parts) {
        self.glob_to(parts, self.position + 1);
    }

    /// A pattern as written, from the cursor up to `end`.
    pub(super) fn glob_to(&mut self, parts: &mut Parts, end: usize) {
        let start = self.position;
        self.position = end;
        parts.push(PartKind::Glob(self.text(start, end).to_owned()), Quote::None, start, end);
    }

    /// The end of the bracket expression at the cursor, or where looking for it stopped. What failed once is not looked
    /// for again from a later bracket before the same place.
    pub(super) fn simple_bracket(&mut self) -> Result<usize, usize> {
        if self.position < self.no_bracket_before {
            return Err(self.no_bracket_before);
        }
        let mut offset = self.position + 1;
        if matches!(self.byte(offset), Some(b'!' | b'^')) {
            offset += 1;
        }
        // A `]` that comes first is a member.
        if self.byte(offset) == Some(b']') {
            offset += 1;
        }
        loop {
            match self.byte(offset) {
                Some(b']') => return Ok(offset + 1),
                Some(b'[') => offset = self.character_class(offset).unwrap_or(offset + 1),
                Some(byte) if !is_meta(byte) && !matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`' | b'{' | b'}') => {
                    offset += 1;
                }
                _ => {
                    self.no_bracket_before = offset;
                    return Err(offset);
                }
            }
        }
    }

    /// The end of `[:alpha:]`, `[.a.]` or `[=a=]` at `open`.
    fn character_class(&self, open: usize) -> Option<usize> {
        let mark = self.byte(open + 1).filter(|byte| matches!(byte, b':' | b'.' | b'='))?;
        let mut offset = open + 2;
        while self.byte(offset).is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            offset += 1;
        }
        (self.byte(offset) == Some(mark) && self.byte(offset + 1) == Some(b']')).then_some(offset + 2)
    }

    /// An extended glob whose operator is at `start` and whose `(` is at `open`. `groups` counts those that are open because
    /// they hold more than plain text.
    pub(super) fn extended_glob(&mut self, parts: &mut Parts, start: usize, open: usize, groups: &mut usize) {
        if *groups == 0
            && let Some(end) = self.plain_group(open)
        {
            self.position = start;
            self.glob_to(parts, end);
            return;
        }
        self.position = open + 1;
        if self.enter() {
            *groups += 1;
            parts.push(PartKind::Glob(self.text(start, open + 1).to_owned()), Quote::None, start, open + 1);
        }
    }

    /// The end of the group that opens at `open`, if it holds only plain text. Too deep a nesting ends reading.
    fn plain_group(&mut self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        let mut offset = open;
        loop {
            match self.byte(offset)? {
                b'(' => {
                    depth += 1;
                    if self.depth + depth > budget::NESTING {
                        self.limit(IssueCode::TooDeep);
                        return None;
                    }
                }
                b')' if depth == 1 => return Some(offset + 1),
                b')' => depth -= 1,
                b'\'' | b'"' | b'\\' | b'$' | b'`' | b'<' | b'>' => return None,
                _ => {}
            }
            offset += 1;
        }
    }
}
