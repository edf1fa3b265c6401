//! Redirections.
//!
//! Source: bash(1) 5.2, REDIRECTION.

use super::cursor::Parser;
use super::heredoc::PendingHere;
use super::parts::Parts;
use super::reserved::{is_meta, is_name, is_name_start};
use super::word::Mode;
use crate::span::Span;
use crate::tree::{Descriptor, HereDocument, IssueCode, Quote, Redirection, RedirectionOperator, RedirectionTarget, Word};

impl Parser<'_> {
    /// The redirection at the cursor, if there is one.
    pub(super) fn redirection(&mut self) -> Option<Redirection> {
        let start = self.position;
        let mut descriptor = None;
        match self.peek()? {
            b'<' | b'>' => {}
            b'&' if self.second().0 == Some(b'>') => {}
            b'0'..=b'9' => {
                let (number, after) = self.descriptor_number()?;
                descriptor = Some(Descriptor::Number(number));
                self.position = after;
            }
            b'{' => {
                let (name, after) = self.descriptor_variable()?;
                descriptor = Some(Descriptor::Variable(name));
                self.position = after;
            }
            _ => return None,
        }
        let Some(operator) = self.redirection_operator() else {
            self.position = start;
            return None;
        };
        let target = self.redirection_target(operator, start);
        Some(Redirection { operator, descriptor, target, span: self.span(start) })
    }

    /// The redirections after a compound command.
    pub(super) fn redirections(&mut self) -> Vec<Redirection> {
        let mut redirections = Vec::new();
        loop {
            let before = self.position;
            self.skip_blanks();
            match self.redirection() {
                Some(redirection) => redirections.push(redirection),
                None => {
                    // What is not part of the command does not belong to its span.
                    self.position = before;
                    return redirections;
                }
            }
        }
    }

    /// Digits right before `<` or `>`, and the offset after them.
    fn descriptor_number(&self) -> Option<(u32, usize)> {
        let mut value = 0_u32;
        let mut offset = self.position;
        while let Some(digit @ b'0'..=b'9') = self.byte(offset) {
            value = value.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
            offset = self.joined(offset + 1);
        }
        // A number that is no descriptor is a word.
        let fits = i32::try_from(value).is_ok();
        (fits && matches!(self.byte(offset), Some(b'<' | b'>'))).then_some((value, offset))
    }

    /// `{name}` or `{name[index]}` right before `<` or `>`, and the offset after it.
    fn descriptor_variable(&self) -> Option<(String, usize)> {
        let start = self.joined(self.position + 1);
        let mut offset = start;
        if !self.byte(offset).is_some_and(is_name_start) {
            return None;
        }
        while self.byte(offset).is_some_and(is_name) {
            offset = self.joined(offset + 1);
        }
        if self.byte(offset) == Some(b'[') {
            while self.byte(offset).is_some_and(|byte| byte != b']' && !is_meta(byte)) {
                offset += 1;
            }
            // An empty subscript names nothing.
            if self.byte(offset) != Some(b']') || self.byte(offset - 1) == Some(b'[') {
                return None;
            }
            offset = self.joined(offset + 1);
        }
        if self.byte(offset) != Some(b'}') {
            return None;
        }
        let after = self.joined(offset + 1);
        let name = self.text(start, offset).replace("\\\n", "");
        matches!(self.byte(after), Some(b'<' | b'>')).then_some((name, after))
    }

    /// The operator at the cursor. `<(` and `>(` begin a word instead.
    fn redirection_operator(&mut self) -> Option<RedirectionOperator> {
        let (next, at) = self.second();
        let (operator, last) = match (self.peek()?, next) {
            (b'<' | b'>', Some(b'(')) => return None,
            (b'<', Some(b'<')) => {
                let third = self.joined(at + 1);
                match self.byte(third) {
                    Some(b'<') => (RedirectionOperator::HereString, third),
                    Some(b'-') => (RedirectionOperator::HereDocumentStripTabs, third),
                    _ => (RedirectionOperator::HereDocument, at),
                }
            }
            (b'<', Some(b'>')) => (RedirectionOperator::ReadWrite, at),
            (b'<', Some(b'&')) => (RedirectionOperator::DuplicateInput, at),
            (b'<', _) => (RedirectionOperator::Read, self.position),
            (b'>', Some(b'>')) => (RedirectionOperator::Append, at),
            (b'>', Some(b'|')) => (RedirectionOperator::Clobber, at),
            (b'>', Some(b'&')) => (RedirectionOperator::DuplicateOutput, at),
            (b'>', _) => (RedirectionOperator::Write, self.position),
            (b'&', Some(b'>')) => {
                let third = self.joined(at + 1);
                if self.byte(third) == Some(b'>') {
                    (RedirectionOperator::AppendBoth, third)
                } else {
                    (RedirectionOperator::WriteBoth, at)
                }
            }
            _ => return None,
        };
        self.position = last + 1;
        Some(operator)
    }

    /// What stands after `operator`.
    fn redirection_target(&mut self, operator: RedirectionOperator, start: usize) -> RedirectionTarget {
        let after = self.position;
        self.skip_blanks();
        let is_document = matches!(operator, RedirectionOperator::HereDocument | RedirectionOperator::HereDocumentStripTabs);
        let begins_word = match self.peek() {
            None => false,
            Some(b'<' | b'>') => self.second().0 == Some(b'('),
            Some(byte) => !is_meta(byte),
        };
        if !begins_word {
            self.position = after;
            self.issue(
                if is_document { IssueCode::MissingHereDocumentDelimiter } else { IssueCode::MissingRedirectionTarget },
                start,
            );
            return RedirectionTarget::Missing;
        }
        if is_document {
            let strip_tabs = operator == RedirectionOperator::HereDocumentStripTabs;
            return RedirectionTarget::HereDocument(Box::new(self.here_document(strip_tabs, start)));
        }
        // In `> 2> file` the `2` belongs to the second operator and the first has nothing.
        let duplicates = matches!(operator, RedirectionOperator::DuplicateInput | RedirectionOperator::DuplicateOutput);
        if !duplicates && self.peek().is_some_and(|byte| byte.is_ascii_digit()) && self.descriptor_number().is_some() {
            self.position = after;
            self.issue(IssueCode::MissingRedirectionTarget, start);
            return RedirectionTarget::Missing;
        }
        // `>&-` is complete: in `>&-f` the `f` is a word of the command.
        if duplicates && self.peek() == Some(b'-') {
            let begin = self.position;
            if !self.count_word() {
                return RedirectionTarget::Missing;
            }
            let mut parts = Parts::new();
            self.literal_byte(&mut parts, Quote::None);
            return RedirectionTarget::Word(parts.into_word(begin, self.position));
        }
        let mode = if operator == RedirectionOperator::HereString { Mode::UNSPLIT } else { Mode::ARGUMENT };
        RedirectionTarget::Word(self.word(mode))
    }

    /// The delimiter at the cursor. The body is put in later; until then its span holds the number of the document.
    fn here_document(&mut self, strip_tabs: bool, start: usize) -> HereDocument {
        let begin = self.position;
        let word = self.word(Mode::PLAIN);
        let quoted = word.is_quoted();
        let delimiter = match word.literal() {
            Some(text) => text.into_owned(),
            None => {
                // bash would take the text as it stands; other shells differ.
                self.issue(IssueCode::AmbiguousHereDocumentDelimiter, begin);
                self.text(begin, self.position).to_owned()
            }
        };
        let number = self.bodies.len();
        self.bodies.push(None);
        self.pending.push(PendingHere { number, delimiter: delimiter.clone(), quoted, strip_tabs, start });
        let body_span = Span::new(super::cursor::offset(number), super::cursor::offset(number));
        HereDocument { delimiter, quoted, body: Word::default(), body_span, terminated: false }
    }
}
