//! The checked cursor every part of the parser reads through, with its budgets and its list of issues.
//!
//! A backslash before a line end joins two lines before any token is looked at (POSIX XCU 2.2.1), except inside single quotes.
//! [`Parser::joined`] is that rule: the place of the next byte after any such joins.

use std::collections::BTreeMap;

use super::arithmetic::Opening;
use super::heredoc::{HereBody, PendingHere};
use crate::budget;
use crate::span::Span;
use crate::tree::{Dialect, Issue, IssueCode, List, Program, Status};

/// The state of one parse.
pub(super) struct Parser<'s> {
    pub(super) source: &'s str,
    bytes: &'s [u8],
    /// Next byte to read.
    pub(super) position: usize,
    /// Nothing at or after this offset is read; shorter than the text inside a here-document body.
    pub(super) end: usize,
    /// Constructs that are open, see [`budget::NESTING`].
    pub(super) depth: usize,
    /// Words so far, those of enclosing programs included.
    pub(super) words: usize,
    /// `(` that a `)` at command position would close.
    pub(super) open_parens: usize,
    /// `$(`, `<(` and `>(` that are open, for the rule on here-document terminators inside them.
    pub(super) substitutions: usize,
    /// Here-documents whose bodies start after the next line end.
    pub(super) pending: Vec<PendingHere>,
    /// Bodies read so far, by number; put into the tree at the end.
    pub(super) bodies: Vec<Option<HereBody>>,
    /// What the `((` at an offset begins. Remembered so that nested ones are decided once.
    pub(super) openings: BTreeMap<usize, Opening>,
    /// How often reading went back to a place before the cursor for good, see [`Parser::go_back`].
    returns: usize,
    /// No bracket expression that begins before this offset ends before it.
    pub(super) no_bracket_before: usize,
    /// Reading only to find where something ends: backticks are not descended into.
    pub(super) dry: bool,
    /// A budget was exceeded.
    pub(super) limited: bool,
    issues: Vec<Issue>,
}

/// What a trial reading must put back.
pub(super) struct Checkpoint {
    position: usize,
    words: usize,
    issues: usize,
    bodies: usize,
    pending: usize,
    dry: bool,
}

impl<'s> Parser<'s> {
    /// A parser at the start of `source`.
    pub(super) fn new(source: &'s str) -> Self {
        Self {
            source,
            bytes: source.as_bytes(),
            position: 0,
            end: source.len(),
            depth: 0,
            words: 0,
            open_parens: 0,
            substitutions: 0,
            pending: Vec::new(),
            bodies: Vec::new(),
            openings: BTreeMap::new(),
            returns: 0,
            no_bracket_before: 0,
            dry: false,
            limited: false,
            issues: Vec::new(),
        }
    }

    /// The whole text as a list of commands, here-documents in place.
    pub(super) fn program(&mut self) -> List {
        let mut body = self.list(super::list::Until::End);
        self.finish_here_documents();
        if !self.bodies.is_empty() {
            super::heredoc::fill(&mut body, &mut self.bodies);
        }
        body
    }

    /// The finished program.
    pub(super) fn finish(mut self, body: List) -> Program {
        self.issues.sort_by_key(|issue| issue.span.start);
        let status = self.issues.iter().map(|issue| status_of(issue.code)).max().unwrap_or(Status::Complete);
        Program { dialect: Dialect::Posix, status, issues: self.issues, body, word_count: self.words }
    }

    /// Reads `text`, which was taken out of this source at `place`, as a program of its own with the same budgets.
    pub(super) fn nested_program(&mut self, text: &str, place: Span) -> List {
        let mut nested = Parser::new(text);
        nested.depth = self.depth;
        nested.words = self.words;
        let body = nested.program();
        self.words = nested.words;
        for issue in nested.issues {
            self.issues.push(Issue { code: issue.code, span: place });
        }
        if nested.limited {
            self.stop();
        }
        body
    }

    /// The byte at `offset`, if it may be read.
    #[inline]
    pub(super) fn byte(&self, offset: usize) -> Option<u8> {
        if offset < self.end { self.bytes.get(offset).copied() } else { None }
    }

    /// The next byte.
    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.position)
    }

    /// Whether everything has been read.
    #[inline]
    pub(super) fn at_end(&self) -> bool {
        self.position >= self.end
    }

    /// `offset`, moved over joined lines.
    #[inline]
    pub(super) fn joined(&self, mut offset: usize) -> usize {
        while self.byte(offset) == Some(b'\\') && self.byte(offset + 1) == Some(b'\n') {
            offset += 2;
        }
        offset
    }

    /// Moves over joined lines and looks at the next byte.
    #[inline]
    pub(super) fn peek_joined(&mut self) -> Option<u8> {
        self.position = self.joined(self.position);
        self.peek()
    }

    /// The byte after the next one, over joined lines, and its offset.
    #[inline]
    pub(super) fn second(&self) -> (Option<u8>, usize) {
        let offset = self.joined(self.position + 1);
        (self.byte(offset), offset)
    }

    /// Moves over one whole character.
    pub(super) fn bump(&mut self) {
        let length = self.peek().map_or(0, char_length);
        self.position = (self.position + length).min(self.end.max(self.position));
    }

    /// The text from `start` up to `end`.
    #[inline]
    pub(super) fn text(&self, start: usize, end: usize) -> &'s str {
        self.source.get(start..end).unwrap_or_default()
    }

    /// From `start` up to the next byte to read; empty there, where reading went back to before `start`.
    #[inline]
    pub(super) fn span(&self, start: usize) -> Span {
        Span::new(offset(start.min(self.position)), offset(self.position))
    }

    /// Moves over blanks, joined lines and a comment, up to the next token of the line.
    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.position += 1,
                Some(b'\\') if self.byte(self.position + 1) == Some(b'\n') => self.position += 2,
                Some(b'#') => {
                    self.skip_line();
                    return;
                }
                _ => return,
            }
        }
    }

    /// Moves over blanks, comments and line ends, reading here-document bodies where a line ends.
    pub(super) fn skip_newlines(&mut self) {
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.newline();
        }
    }

    /// Moves up to the end of the line.
    fn skip_line(&mut self) {
        let rest = self.bytes.get(self.position..self.end).unwrap_or_default();
        let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        self.position += length;
    }

    /// Takes a line end and the here-document bodies that follow it.
    pub(super) fn newline(&mut self) {
        self.position += 1;
        if !self.pending.is_empty() {
            self.read_here_documents();
        }
    }

    /// Records an issue from `start` up to the next byte to read.
    pub(super) fn issue(&mut self, code: IssueCode, start: usize) {
        // What follows a limit was not read, so that "unclosed" would say nothing.
        if !self.limited {
            let span = self.span(start);
            self.issues.push(Issue { code, span });
        }
    }

    /// Opens one level of nesting. `false` at the limit, when reading has ended.
    #[must_use]
    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= budget::NESTING {
            self.limit(IssueCode::TooDeep);
            return false;
        }
        self.depth += 1;
        true
    }

    /// Closes one level of nesting.
    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Counts a word. `false` at the limit, when reading has ended.
    #[must_use]
    pub(super) fn count_word(&mut self) -> bool {
        if self.words >= budget::WORDS {
            self.limit(IssueCode::TooManyWords);
            return false;
        }
        self.words += 1;
        true
    }

    /// Ends reading because of a budget.
    pub(super) fn limit(&mut self, code: IssueCode) {
        self.issue(code, self.position);
        self.stop();
    }

    fn stop(&mut self) {
        self.limited = true;
        self.end = 0;
    }

    /// Moves the end of the readable text to `end`; the end before is given back to [`Parser::restore_end`].
    pub(super) fn narrow_end(&mut self, end: usize) -> usize {
        let before = self.end;
        self.end = end.min(before);
        before
    }

    /// Undoes [`Parser::narrow_end`], unless reading has ended for good.
    pub(super) fn restore_end(&mut self, end: usize) {
        if !self.limited {
            self.end = end;
        }
    }

    /// Goes on reading at `offset`, which was read in one way already and has another meaning as well. Text that asks for it again
    /// and again is given up.
    pub(super) fn go_back(&mut self, offset: usize) {
        if offset < self.position {
            self.returns += 1;
            if self.returns > budget::NESTING {
                self.limit(IssueCode::TooDeep);
            }
        }
        self.position = offset;
    }

    /// Starts a trial reading, which descends into no backticks.
    pub(super) fn begin_trial(&mut self) -> Checkpoint {
        let checkpoint = Checkpoint {
            position: self.position,
            words: self.words,
            issues: self.issues.len(),
            bodies: self.bodies.len(),
            pending: self.pending.len(),
            dry: self.dry,
        };
        self.dry = true;
        checkpoint
    }

    /// Forgets what was read since `checkpoint`.
    pub(super) fn end_trial(&mut self, checkpoint: &Checkpoint) {
        self.dry = checkpoint.dry;
        self.position = checkpoint.position;
        if self.limited {
            // The second reading would meet the same limit at the same place.
            return;
        }
        self.words = checkpoint.words;
        self.issues.truncate(checkpoint.issues);
        self.bodies.truncate(checkpoint.bodies);
        self.pending.truncate(checkpoint.pending);
    }
}

/// An offset as spans hold it. The length limit keeps every offset far below `u32::MAX`.
#[inline]
pub(super) fn offset(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// How many bytes the character that begins with `byte` has.
pub(super) fn char_length(byte: u8) -> usize {
    match byte {
        0xF0.. => 4,
        0xE0.. => 3,
        0xC0.. => 2,
        _ => 1,
    }
}

/// What an issue makes of the whole program.
fn status_of(code: IssueCode) -> Status {
    match code {
        IssueCode::UnclosedSingleQuote
        | IssueCode::UnclosedDoubleQuote
        | IssueCode::UnclosedAnsiQuote
        | IssueCode::UnclosedArithmetic
        | IssueCode::UnclosedSubstitution
        | IssueCode::UnclosedCompound
        | IssueCode::TrailingBackslash
        | IssueCode::MissingRedirectionTarget
        | IssueCode::MissingCommand
        | IssueCode::MissingConnector => Status::Partial,
        IssueCode::UnterminatedHereDocument
        | IssueCode::MissingHereDocumentDelimiter
        | IssueCode::AmbiguousHereDocumentDelimiter
        | IssueCode::UnexpectedToken
        | IssueCode::InvalidCodePoint
        | IssueCode::BadSubstitution => Status::Invalid,
        IssueCode::SourceTooLong | IssueCode::TooManyWords | IssueCode::TooDeep => Status::Limited,
    }
}
