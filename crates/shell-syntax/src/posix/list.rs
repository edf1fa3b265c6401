//! Lists, and-or lists and pipelines.
//!
//! Source: bash(1) 5.2, Pipelines, Lists; POSIX XCU 2.9.2, 2.9.3.

use super::cursor::Parser;
use super::reserved::{Reserved, is_meta};
use crate::tree::{
    AndOr, AndOrOperator, Command, CommandKind, IssueCode, List, ListItem, Pipeline, SimpleCommand, Stage, Terminator,
};

/// What ends a list. It is left for the caller to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Until {
    /// The end of the text.
    End,
    /// `)`
    Paren,
    /// `}`
    Brace,
    /// `then`; what can only follow a body as well, so that a missing `then` does not take more with it.
    Then,
    /// `elif`, `else` or `fi`
    Branch,
    /// `fi`
    Fi,
    /// `do`; `done` as well.
    Do,
    /// `done`
    Done,
    /// `;;`, `;&`, `;;&` or `esac`
    Arm,
}

impl Until {
    fn is_met_by(self, word: Reserved) -> bool {
        match self {
            Self::End | Self::Paren => false,
            Self::Brace => word == Reserved::CloseBrace,
            Self::Then => matches!(word, Reserved::Then | Reserved::Elif | Reserved::Else | Reserved::Fi),
            Self::Branch => matches!(word, Reserved::Elif | Reserved::Else | Reserved::Fi),
            Self::Fi => word == Reserved::Fi,
            Self::Do => matches!(word, Reserved::Do | Reserved::Done),
            Self::Done => word == Reserved::Done,
            Self::Arm => word == Reserved::Esac,
        }
    }
}

impl Parser<'_> {
    /// Commands up to `until`.
    pub(super) fn list(&mut self, until: Until) -> List {
        let mut list = List::default();
        loop {
            self.skip_newlines();
            let start = self.position;
            let Some(byte) = self.peek() else { break };
            if self.ends_list(until, byte) {
                break;
            }
            if self.skip_unexpected(byte) {
                continue;
            }
            let Some(and_or) = self.and_or() else {
                // Nothing was recognised: progress has to be made all the same.
                if self.position == start {
                    self.bump();
                    self.issue(IssueCode::UnexpectedToken, start);
                }
                continue;
            };
            let terminator = self.terminator(&and_or);
            list.items.push(ListItem { and_or, terminator });
        }
        if let (Some(first), Some(last)) = (list.items.first(), list.items.last()) {
            list.span = first.and_or.first.span.to(last.and_or.last().span);
        }
        list
    }

    /// Whether the token at the cursor, which begins with `byte`, ends the list.
    fn ends_list(&self, until: Until, byte: u8) -> bool {
        match byte {
            // It closes what is further out, and whatever is still open inside has ended without its closing word.
            b')' => self.open_parens > 0,
            b';' => until == Until::Arm && matches!(self.second().0, Some(b';' | b'&')),
            _ => self.reserved().is_some_and(|(word, _)| until.is_met_by(word)),
        }
    }

    /// Skips a token that cannot begin a command. `true` if there was one.
    fn skip_unexpected(&mut self, byte: u8) -> bool {
        let start = self.position;
        match byte {
            b')' => self.position += 1,
            b';' => {
                let (next, at) = self.second();
                self.position = if matches!(next, Some(b';' | b'&')) { at + 1 } else { start + 1 };
            }
            b'&' if self.second().0 != Some(b'>') && self.second().0 != Some(b'&') => self.position += 1,
            _ => match self.reserved() {
                Some((word, after)) if word.is_closing() => self.position = after,
                _ => return false,
            },
        }
        self.issue(IssueCode::UnexpectedToken, start);
        true
    }

    /// What stands after a command.
    fn terminator(&mut self, and_or: &AndOr) -> Terminator {
        self.skip_blanks();
        match self.peek() {
            None => Terminator::End,
            Some(b'\n') => {
                self.newline();
                Terminator::Newline
            }
            Some(b';') => {
                if !matches!(self.second().0, Some(b';' | b'&')) {
                    self.position += 1;
                    return Terminator::Semicolon;
                }
                Terminator::End
            }
            Some(b'&') => {
                self.position += 1;
                Terminator::Background
            }
            Some(b')') => Terminator::End,
            Some(_) => {
                // After the end of a compound command a closing word may follow at once: `{ (ls) }`.
                let closes = and_or.last().ends_with_reserved_word() && self.reserved().is_some_and(|(word, _)| word.is_closing());
                if closes {
                    return Terminator::End;
                }
                self.issue(IssueCode::MissingConnector, self.position);
                Terminator::Semicolon
            }
        }
    }

    /// Pipelines joined by `&&` and `||`.
    fn and_or(&mut self) -> Option<AndOr> {
        let mut and_or: Option<AndOr> = None;
        let mut operator = AndOrOperator::And;
        loop {
            let start = self.position;
            match (self.pipeline(), &mut and_or) {
                (Some(pipeline), None) => and_or = Some(AndOr { first: pipeline, rest: Vec::new() }),
                (Some(pipeline), Some(and_or)) => and_or.rest.push((operator, pipeline)),
                (None, _) => self.issue(IssueCode::MissingCommand, start),
            }
            self.skip_blanks();
            operator = match (self.peek(), self.second()) {
                (Some(b'&'), (Some(b'&'), at)) => {
                    self.position = at + 1;
                    AndOrOperator::And
                }
                (Some(b'|'), (Some(b'|'), at)) => {
                    self.position = at + 1;
                    AndOrOperator::Or
                }
                _ => return and_or,
            };
            self.skip_newlines();
        }
    }

    /// `[time [-p]] [!] command | command …`
    fn pipeline(&mut self) -> Option<Pipeline> {
        let start = self.position;
        let mut pipeline = Pipeline { negated: false, timed: false, stages: Vec::new(), span: self.span(start) };
        let has_prefix = self.pipeline_prefix(&mut pipeline);
        loop {
            let before = self.position;
            self.skip_blanks();
            let begin = self.position;
            match self.command() {
                Some(command) => pipeline.stages.push(Stage { command, pipes_error: false }),
                None if pipeline.stages.is_empty() && !self.at_pipe() => {
                    if !has_prefix {
                        return None;
                    }
                    // `!` and `time` alone are commands; before anything but a line end they lack one.
                    self.position = before;
                    if !matches!(self.peek_after_blanks(), None | Some(b'\n' | b';')) {
                        self.issue(IssueCode::MissingCommand, start);
                    }
                    let span = self.span(before);
                    let kind = CommandKind::Simple(SimpleCommand::default());
                    let command = Command { kind, redirections: Vec::new(), span };
                    pipeline.stages.push(Stage { command, pipes_error: false });
                }
                None => self.issue(IssueCode::MissingCommand, begin),
            }
            pipeline.span = self.span(start);
            let after = self.position;
            self.skip_blanks();
            if !self.at_pipe() {
                self.position = after;
                break;
            }
            let (next, at) = self.second();
            let pipes_error = next == Some(b'&');
            self.position = if pipes_error { at + 1 } else { self.position + 1 };
            if let Some(stage) = pipeline.stages.last_mut() {
                stage.pipes_error = pipes_error;
            }
            self.skip_newlines();
            self.unexpected_bangs();
        }
        if pipeline.stages.is_empty() { None } else { Some(pipeline) }
    }

    /// Whether `|` or `|&` comes next.
    fn at_pipe(&self) -> bool {
        self.peek() == Some(b'|') && self.second().0 != Some(b'|')
    }

    /// The next byte that is no blank, without moving.
    fn peek_after_blanks(&self) -> Option<u8> {
        let mut offset = self.joined(self.position);
        while matches!(self.byte(offset), Some(b' ' | b'\t')) {
            offset = self.joined(offset + 1);
        }
        match self.byte(offset) {
            // A comment goes up to the end of the line.
            Some(b'#') => Some(b'\n'),
            byte => byte,
        }
    }

    /// Takes `!` and `time [-p] [--]`, any number of them.
    fn pipeline_prefix(&mut self, pipeline: &mut Pipeline) -> bool {
        let mut found = false;
        loop {
            match self.reserved() {
                Some((Reserved::Bang, after)) => {
                    pipeline.negated = !pipeline.negated;
                    self.position = after;
                }
                Some((Reserved::Time, after)) => {
                    pipeline.timed = true;
                    self.position = after;
                    self.time_option(b"-p");
                    self.time_option(b"--");
                }
                _ => return found,
            }
            found = true;
            let after = self.position;
            self.skip_blanks();
            if self.reserved().is_none() {
                self.position = after;
                return true;
            }
        }
    }

    /// Takes an option of `time` if it is the next word.
    fn time_option(&mut self, option: &[u8]) {
        let before = self.position;
        self.skip_blanks();
        for expected in option {
            if self.peek_joined() != Some(*expected) {
                self.position = before;
                return;
            }
            self.position += 1;
        }
        if !self.peek_joined().is_none_or(is_meta) {
            self.position = before;
        }
    }

    /// bash takes `!` only before a whole pipeline. After a `|` it is an error, and the command after it is still read.
    fn unexpected_bangs(&mut self) {
        loop {
            self.skip_blanks();
            let start = self.position;
            if !self.take_reserved(Reserved::Bang) {
                return;
            }
            self.issue(IssueCode::UnexpectedToken, start);
        }
    }
}

impl AndOr {
    /// The pipeline that ends it.
    fn last(&self) -> &Pipeline {
        self.rest.last().map_or(&self.first, |(_, pipeline)| pipeline)
    }
}

impl Pipeline {
    /// Whether its last token is one after which bash looks for reserved words.
    fn ends_with_reserved_word(&self) -> bool {
        self.stages.last().is_some_and(|stage| {
            let mut command = &stage.command;
            loop {
                if !command.redirections.is_empty() {
                    return false;
                }
                match &command.kind {
                    CommandKind::Simple(_) => return false,
                    CommandKind::Function(function) => command = &function.body,
                    CommandKind::Coprocess(coprocess) => command = &coprocess.body,
                    _ => return true,
                }
            }
        })
    }
}
