//! `[[ … ]]`.
//!
//! Line ends count as blanks in it. Chains of `&&` and `||` are read in a loop and become balanced trees, so that the depth of the
//! tree grows with the logarithm of their length.
//!
//! Source: bash(1) 5.2, Compound Commands, CONDITIONAL EXPRESSIONS; `parse.y` `cond_term`.

use super::cursor::Parser;
use super::reserved::{Reserved, is_meta};
use super::word::Mode;
use crate::tree::{Conditional, IssueCode, Word};

impl Parser<'_> {
    /// What comes after `[[`, up to and with `]]`.
    pub(super) fn conditional(&mut self, start: usize) -> Conditional {
        let expression = self.alternatives();
        let expression = self.skip_rest(expression);
        if !self.take_reserved(Reserved::CloseConditional) {
            self.issue(IssueCode::UnclosedCompound, start);
        }
        expression
    }

    /// After an error: everything up to `]]` or the end of the command, its words kept so that substitutions stay visible.
    fn skip_rest(&mut self, expression: Conditional) -> Conditional {
        let mut rest = vec![expression];
        loop {
            self.skip_blanks();
            let start = self.position;
            if self.reserved().is_some_and(|(word, _)| word == Reserved::CloseConditional) {
                break;
            }
            match self.peek() {
                None | Some(b'\n' | b';') => break,
                Some(b'<' | b'>') if self.second().0 == Some(b'(') => {
                    rest.push(Conditional::Word(self.word(Mode::UNSPLIT)));
                }
                Some(b')') if self.open_parens > 0 => break,
                Some(byte) if is_meta(byte) => self.position += 1,
                Some(_) => rest.push(Conditional::Word(self.word(Mode::UNSPLIT))),
            }
            self.issue(IssueCode::UnexpectedToken, start);
        }
        balanced(rest, &Conditional::And)
    }

    /// Terms joined by `||`.
    fn alternatives(&mut self) -> Conditional {
        let mut terms = Vec::new();
        loop {
            let mut factors = Vec::new();
            loop {
                factors.push(self.term());
                self.skip_newlines();
                if !self.take_double(b'&') {
                    break;
                }
            }
            terms.push(balanced(factors, &Conditional::And));
            if !self.take_double(b'|') {
                return balanced(terms, &Conditional::Or);
            }
        }
    }

    /// Takes `&&` or `||`.
    fn take_double(&mut self, byte: u8) -> bool {
        let (next, at) = self.second();
        let found = self.peek() == Some(byte) && next == Some(byte);
        if found {
            self.position = at + 1;
        }
        found
    }

    /// `! term`, `( expression )` or a test.
    fn term(&mut self) -> Conditional {
        let mut negated = false;
        self.skip_newlines();
        while self.take_reserved(Reserved::Bang) {
            negated = !negated;
            self.skip_newlines();
        }
        let term = if self.peek() == Some(b'(') { self.grouped() } else { self.test() };
        if negated { Conditional::Not(Box::new(term)) } else { term }
    }

    /// `( expression )`
    fn grouped(&mut self) -> Conditional {
        let start = self.position;
        if !self.enter() {
            return Conditional::Word(Word::default());
        }
        self.position += 1;
        let expression = self.alternatives();
        self.skip_newlines();
        if self.peek() == Some(b')') {
            self.position += 1;
        } else {
            self.issue(IssueCode::UnclosedCompound, start);
        }
        self.leave();
        expression
    }

    /// A word alone, a unary or a binary test.
    fn test(&mut self) -> Conditional {
        let Some(first) = self.operand(Mode::UNSPLIT) else { return Conditional::Word(Word::default()) };
        let text = first.span.text(self.source).replace("\\\n", "");
        self.unexpected_newline();
        if is_unary(&text) {
            let operand = self.operand(Mode::UNSPLIT).unwrap_or_default();
            return Conditional::Unary(text, operand);
        }
        let Some(operator) = self.binary_operator() else { return Conditional::Word(first) };
        self.skip_newlines();
        let mode = if operator == "=~" { Mode::REGEX } else { Mode::UNSPLIT };
        let second = self.operand(mode).unwrap_or_default();
        Conditional::Binary(first, operator, second)
    }

    /// A line end that bash does not take here, before the second word of a test.
    fn unexpected_newline(&mut self) {
        self.skip_blanks();
        if self.peek() == Some(b'\n') {
            self.issue(IssueCode::UnexpectedToken, self.position);
            self.skip_newlines();
        }
    }

    /// The word at the cursor, which must not be `]]`.
    fn operand(&mut self, mode: Mode) -> Option<Word> {
        let closes = self.reserved().is_some_and(|(word, _)| word == Reserved::CloseConditional);
        let begins = match self.peek() {
            None => false,
            Some(b'<' | b'>') => self.second().0 == Some(b'('),
            Some(b'(' | b'|') => mode.is_regex(),
            Some(byte) => !is_meta(byte),
        };
        if closes || !begins {
            self.issue(IssueCode::UnexpectedToken, self.position);
            return None;
        }
        Some(self.word(mode))
    }

    /// Takes a binary operator.
    fn binary_operator(&mut self) -> Option<String> {
        if let Some(byte @ (b'<' | b'>')) = self.peek() {
            if self.second().0 == Some(b'(') {
                return None;
            }
            self.position += 1;
            return Some(String::from(char::from(byte)));
        }
        // The longest operator has three characters.
        let mut operator = String::with_capacity(4);
        let mut end = self.joined(self.position);
        while let Some(byte) = self.byte(end)
            && !is_meta(byte)
        {
            if !byte.is_ascii() || operator.len() == 3 {
                return None;
            }
            operator.push(char::from(byte));
            end = self.joined(end + 1);
        }
        let known = matches!(
            operator.as_str(),
            "=" | "==" | "!=" | "=~" | "-nt" | "-ot" | "-ef" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge"
        );
        if !known {
            return None;
        }
        self.position = end;
        Some(operator)
    }
}

/// Unary operators (bash(1), CONDITIONAL EXPRESSIONS).
fn is_unary(text: &str) -> bool {
    let Some(letter) = text.strip_prefix('-') else { return false };
    letter.len() == 1 && letter.bytes().all(|byte| b"abcdefghknoprstuvwxzGLNORS".contains(&byte))
}

/// Joins `terms`, which are not empty, with `join` into a tree of least depth.
fn balanced(mut terms: Vec<Conditional>, join: &dyn Fn(Box<Conditional>, Box<Conditional>) -> Conditional) -> Conditional {
    while terms.len() > 1 {
        let mut joined = Vec::with_capacity(terms.len().div_ceil(2));
        let mut rest = terms.into_iter();
        while let Some(left) = rest.next() {
            joined.push(match rest.next() {
                Some(right) => join(Box::new(left), Box::new(right)),
                None => left,
            });
        }
        terms = joined;
    }
    terms.pop().unwrap_or_else(|| Conditional::Word(Word::default()))
}
