//! Compound commands, functions and coprocesses.
//!
//! Where a closing word is missing the command keeps what was read and says so; nothing is read twice and nothing is dropped.
//!
//! Source: bash(1) 5.2, Compound Commands, Coprocesses, Shell Function Definitions; `parse.y` for which forms exist.

use std::sync::Arc;

use super::cursor::Parser;
use super::list::Until;
use super::reserved::{Reserved, is_meta};
use super::word::Mode;
use crate::span::Span;
use crate::tree::{
    Case, CaseArm, CaseTerminator, Command, CommandKind, Coprocess, For, ForArithmetic, Function, If, IssueCode, List, Loop, Word,
};

impl Parser<'_> {
    /// Any one command with its redirections. `None` where none begins.
    pub(super) fn command(&mut self) -> Option<Command> {
        let start = self.position;
        match self.peek()? {
            b'(' => return self.compound(),
            b'\n' | b';' | b')' | b'|' => return None,
            b'&' if self.second().0 != Some(b'>') => return None,
            _ => {}
        }
        match self.reserved() {
            Some((Reserved::Function, after)) => {
                self.position = after;
                Some(self.function_keyword(start))
            }
            Some((Reserved::Coproc, after)) => {
                self.position = after;
                Some(self.coprocess(start))
            }
            Some((word, _)) if word.begins_compound() => self.compound(),
            Some((word, _)) if word.is_closing() => None,
            // `time` after a `|` is an ordinary command.
            _ => self.simple_command(),
        }
    }

    /// A compound command with its redirections. `None` where none begins.
    fn compound(&mut self) -> Option<Command> {
        let start = self.position;
        let (reserved, after) = match self.reserved() {
            Some((word, after)) if word.begins_compound() => (Some(word), after),
            None if self.peek() == Some(b'(') => (None, start),
            _ => return None,
        };
        if reserved.is_none() {
            let (next, at) = self.second();
            if next == Some(b'(') && self.opening(start, at + 1, false).arithmetic {
                let word = self.arithmetic_command(start, at + 1);
                return Some(self.with_redirections(start, CommandKind::Arithmetic(word)));
            }
        }
        if !self.enter() {
            return None;
        }
        self.position = after;
        let kind = match reserved {
            None => CommandKind::Subshell(self.parenthesized(start)),
            Some(Reserved::OpenBrace) => CommandKind::Group(self.braced(start)),
            Some(Reserved::If) => CommandKind::If(Box::new(self.conditional_branches(start))),
            Some(Reserved::For) => self.for_loop(start),
            Some(Reserved::Select) => CommandKind::Select(Box::new(self.for_words(start))),
            Some(Reserved::Case) => CommandKind::Case(Box::new(self.case(start))),
            Some(Reserved::OpenConditional) => CommandKind::Conditional(Box::new(self.conditional(start))),
            Some(word) => {
                let until = word == Reserved::Until;
                let condition = self.commands(Until::Do);
                let body = self.do_group(start);
                CommandKind::Loop(Box::new(Loop { until, condition, body }))
            }
        };
        self.leave();
        Some(self.with_redirections(start, kind))
    }

    fn with_redirections(&mut self, start: usize, kind: CommandKind) -> Command {
        let redirections = self.redirections();
        Command { kind, redirections, span: self.span(start) }
    }

    /// A list that must not be empty.
    fn commands(&mut self, until: Until) -> List {
        let list = self.list(until);
        if list.items.is_empty() {
            self.issue(IssueCode::MissingCommand, self.position);
        }
        list
    }

    /// Takes a closing word or says that it is missing.
    fn close(&mut self, word: Reserved, start: usize) {
        if !self.take_reserved(word) {
            self.issue(IssueCode::UnclosedCompound, start);
        }
    }

    /// `( … )`
    fn parenthesized(&mut self, start: usize) -> List {
        self.position += 1;
        self.open_parens += 1;
        let list = self.commands(Until::Paren);
        self.open_parens -= 1;
        if self.peek() == Some(b')') {
            self.position += 1;
        } else {
            self.issue(IssueCode::UnclosedCompound, start);
        }
        list
    }

    /// `… }` after the opening brace.
    fn braced(&mut self, start: usize) -> List {
        let list = self.commands(Until::Brace);
        self.close(Reserved::CloseBrace, start);
        list
    }

    /// `do … done`
    fn do_group(&mut self, start: usize) -> List {
        if !self.take_reserved(Reserved::Do) {
            self.issue(IssueCode::UnclosedCompound, start);
            // A `done` without `do` still ends the loop.
            self.take_reserved(Reserved::Done);
            return List::default();
        }
        let list = self.commands(Until::Done);
        self.close(Reserved::Done, start);
        list
    }

    /// What comes after `if`.
    fn conditional_branches(&mut self, start: usize) -> If {
        let mut branches = Vec::new();
        let mut otherwise = None;
        loop {
            let condition = self.commands(Until::Then);
            if !self.take_reserved(Reserved::Then) {
                self.issue(IssueCode::UnclosedCompound, start);
            }
            let body = self.commands(Until::Branch);
            branches.push((condition, body));
            if self.take_reserved(Reserved::Elif) {
                continue;
            }
            if self.take_reserved(Reserved::Else) {
                otherwise = Some(self.commands(Until::Fi));
            }
            break;
        }
        self.close(Reserved::Fi, start);
        If { branches, otherwise }
    }

    /// What comes after `for`.
    fn for_loop(&mut self, start: usize) -> CommandKind {
        self.skip_blanks();
        if self.peek() != Some(b'(') || self.second().0 != Some(b'(') {
            return CommandKind::For(Box::new(self.for_words(start)));
        }
        let inner = self.second().1 + 1;
        let header = self.for_header(start, inner);
        self.skip_blanks();
        match self.peek() {
            Some(b';') if !matches!(self.second().0, Some(b';' | b'&')) => self.position += 1,
            _ => {}
        }
        self.skip_newlines();
        let body = self.for_body(start, true);
        CommandKind::ForArithmetic(Box::new(ForArithmetic { header, body }))
    }

    /// What comes after `for` or `select`: `name [in words]` and the body.
    fn for_words(&mut self, start: usize) -> For {
        self.skip_blanks();
        let begin = self.position;
        let mut variable = String::new();
        if self.peek().is_some_and(|byte| !is_meta(byte)) {
            self.word(Mode::PLAIN);
            variable = self.text(begin, self.position).replace("\\\n", "");
        } else {
            self.issue(IssueCode::UnexpectedToken, begin);
        }
        self.skip_newlines();
        let mut words = None;
        let mut ended = false;
        if self.take_reserved(Reserved::In) {
            words = Some(self.loop_words());
            ended = true;
            self.skip_newlines();
        } else if self.peek() == Some(b';') && !matches!(self.second().0, Some(b';' | b'&')) {
            self.position += 1;
            ended = true;
            self.skip_newlines();
        }
        let body = self.for_body(start, ended);
        For { variable, words, body }
    }

    /// The words after `in` and what ends them.
    fn loop_words(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.position;
            match self.peek() {
                None => return words,
                Some(b'\n') => {
                    self.newline();
                    return words;
                }
                Some(b';') if !matches!(self.second().0, Some(b';' | b'&')) => {
                    self.position += 1;
                    return words;
                }
                Some(b'<' | b'>') if self.second().0 == Some(b'(') => words.push(self.word(Mode::ARGUMENT)),
                Some(byte) if is_meta(byte) => {
                    self.issue(IssueCode::UnexpectedToken, start);
                    return words;
                }
                Some(_) => words.push(self.word(Mode::ARGUMENT)),
            }
        }
    }

    /// `do … done`, or the undocumented `{ … }` where something ended the header.
    fn for_body(&mut self, start: usize, allows_braces: bool) -> List {
        if allows_braces && self.take_reserved(Reserved::OpenBrace) {
            return self.braced(start);
        }
        self.do_group(start)
    }

    /// What comes after `case`.
    fn case(&mut self, start: usize) -> Case {
        self.skip_blanks();
        let subject = if self.begins_word() {
            self.word(Mode::UNSPLIT)
        } else {
            self.issue(IssueCode::UnexpectedToken, self.position);
            Word { parts: Vec::new(), span: self.span(self.position) }
        };
        self.skip_newlines();
        let mut arms = Vec::new();
        if !self.take_reserved(Reserved::In) {
            self.issue(IssueCode::UnclosedCompound, start);
            return Case { subject, arms };
        }
        loop {
            self.skip_newlines();
            if self.take_reserved(Reserved::Esac) {
                break;
            }
            let closes_outer = self.peek() == Some(b')') && self.open_parens > 0;
            if self.at_end() || closes_outer {
                self.issue(IssueCode::UnclosedCompound, start);
                break;
            }
            let before = self.position;
            let (arm, more) = self.case_arm();
            arms.push(arm);
            if !more {
                self.close(Reserved::Esac, start);
                break;
            }
            if self.position == before {
                self.bump();
            }
        }
        Case { subject, arms }
    }

    fn begins_word(&self) -> bool {
        match self.peek() {
            None => false,
            Some(b'<' | b'>') => self.second().0 == Some(b'('),
            Some(byte) => !is_meta(byte),
        }
    }

    /// One arm, and whether another may follow.
    fn case_arm(&mut self) -> (CaseArm, bool) {
        if self.peek() == Some(b'(') {
            self.position += 1;
        }
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            let start = self.position;
            if self.begins_word() {
                patterns.push(self.word(Mode::UNSPLIT));
            } else {
                self.issue(IssueCode::UnexpectedToken, start);
            }
            self.skip_blanks();
            match self.peek() {
                Some(b'|') => self.position += 1,
                Some(b')') => {
                    self.position += 1;
                    break;
                }
                _ => {
                    // What follows is read as commands, so that it stays visible.
                    self.issue(IssueCode::UnexpectedToken, self.position);
                    break;
                }
            }
        }
        let body = self.list(Until::Arm);
        let (next, at) = self.second();
        let (terminator, more) = match (self.peek(), next) {
            (Some(b';'), Some(b'&')) => {
                self.position = at + 1;
                (CaseTerminator::FallThrough, true)
            }
            (Some(b';'), Some(b';')) => {
                let third = self.joined(at + 1);
                let tests_next = self.byte(third) == Some(b'&');
                self.position = if tests_next { third + 1 } else { at + 1 };
                (if tests_next { CaseTerminator::TestNext } else { CaseTerminator::Break }, true)
            }
            _ => (CaseTerminator::Break, false),
        };
        (CaseArm { patterns, body, terminator }, more)
    }

    /// What comes after `function`.
    fn function_keyword(&mut self, start: usize) -> Command {
        self.skip_blanks();
        let begin = self.position;
        if self.peek().is_none_or(is_meta) {
            self.issue(IssueCode::UnclosedCompound, start);
            return self.empty_function(start, String::new());
        }
        // The name may be any word; `f*` and `f+` are no patterns here.
        self.word(Mode::PLAIN);
        let name = self.text(begin, self.position).replace("\\\n", "");
        let after = self.position;
        self.skip_blanks();
        if self.peek() == Some(b'(') && self.is_empty_parentheses(self.position) {
            return self.function_after_name(start, name);
        }
        self.position = after;
        self.function_body(start, name)
    }

    /// `() body`, the cursor at the parenthesis.
    pub(super) fn function_after_name(&mut self, start: usize, name: String) -> Command {
        self.position += 1;
        self.skip_blanks();
        self.position += 1;
        self.function_body(start, name)
    }

    /// The body of a function: a compound command after any line ends.
    fn function_body(&mut self, start: usize, name: String) -> Command {
        let after = self.position;
        if !self.enter() {
            return self.empty_function(start, name);
        }
        self.skip_newlines();
        let body = self.compound();
        self.leave();
        match body {
            Some(body) => {
                let kind = CommandKind::Function(Function { name, body: Arc::new(body) });
                Command { kind, redirections: Vec::new(), span: self.span(start) }
            }
            None => {
                let code = if self.at_end() { IssueCode::UnclosedCompound } else { IssueCode::UnexpectedToken };
                if self.pending.is_empty() && !self.limited {
                    self.position = after;
                }
                self.issue(code, start);
                self.empty_function(start, name)
            }
        }
    }

    fn empty_function(&self, start: usize, name: String) -> Command {
        let span = self.span(start);
        let body =
            Command { kind: CommandKind::Group(List::default()), redirections: Vec::new(), span: Span::new(span.end, span.end) };
        let kind = CommandKind::Function(Function { name, body: Arc::new(body) });
        Command { kind, redirections: Vec::new(), span }
    }

    /// What comes after `coproc`.
    fn coprocess(&mut self, start: usize) -> Command {
        self.skip_blanks();
        let name = self.coprocess_name();
        let body = if self.enter() {
            self.unexpected_prefix();
            let begin = self.position;
            let body = self.command();
            if body.as_ref().is_some_and(|command| matches!(command.kind, CommandKind::Function(_))) {
                self.issue(IssueCode::UnexpectedToken, begin);
            }
            self.leave();
            body
        } else {
            None
        };
        let body = body.unwrap_or_else(|| {
            self.issue(IssueCode::MissingCommand, start);
            let kind = CommandKind::Simple(crate::tree::SimpleCommand::default());
            Command { kind, redirections: Vec::new(), span: self.span(self.position) }
        });
        let kind = CommandKind::Coprocess(Box::new(Coprocess { name, body }));
        Command { kind, redirections: Vec::new(), span: self.span(start) }
    }

    /// Words that bash does not take after `coproc`; the command behind them is still read.
    fn unexpected_prefix(&mut self) {
        while let Some((Reserved::Coproc | Reserved::Bang, after)) = self.reserved() {
            let start = self.position;
            self.position = after;
            self.issue(IssueCode::UnexpectedToken, start);
            self.skip_blanks();
        }
    }

    /// The name of a coprocess: a word right before a compound command.
    fn coprocess_name(&mut self) -> Option<String> {
        let start = self.position;
        if self.reserved().is_some() {
            return None;
        }
        let mut end = start;
        while self.byte(end).is_some_and(super::reserved::is_name) {
            end += 1;
        }
        let mut next = self.joined(end);
        if end == start || !matches!(self.byte(next), Some(b' ' | b'\t')) {
            return None;
        }
        while matches!(self.byte(next), Some(b' ' | b'\t')) {
            next = self.joined(next + 1);
        }
        self.position = next;
        let compound = self.peek() == Some(b'(') || self.reserved().is_some_and(|(word, _)| word.begins_compound());
        if compound {
            return Some(self.text(start, end).to_owned());
        }
        self.position = start;
        None
    }
}
