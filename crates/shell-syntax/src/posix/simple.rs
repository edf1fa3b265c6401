//! Simple commands, and function definitions that begin like one.
//!
//! Source: bash(1) 5.2, Simple Commands, Shell Function Definitions.

use super::assignment::Head;
use super::cursor::Parser;
use super::reserved::is_meta;
use super::word::Mode;
use crate::tree::{Command, CommandKind, IssueCode, Redirection, SimpleCommand, Word};

impl Parser<'_> {
    /// A simple command or the definition of a function. `None` where neither begins.
    pub(super) fn simple_command(&mut self) -> Option<Command> {
        let start = self.position;
        let mut simple = SimpleCommand::default();
        let mut redirections: Vec<Redirection> = Vec::new();
        let mut end = start;
        let mut takes_arrays = false;
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else { break };
            if matches!(byte, b'<' | b'>' | b'&' | b'0'..=b'9' | b'{')
                && let Some(redirection) = self.redirection()
            {
                redirections.push(redirection);
                end = self.position;
                continue;
            }
            let begins_word = !is_meta(byte) || (matches!(byte, b'<' | b'>') && self.second().0 == Some(b'('));
            if !begins_word {
                if byte == b'('
                    && let ([name], true) = (simple.words.as_slice(), redirections.is_empty())
                    && simple.assignments.is_empty()
                    && self.is_empty_parentheses(self.position)
                {
                    let name = self.text(name.span.start as usize, name.span.end as usize).replace("\\\n", "");
                    return Some(self.function_after_name(start, name));
                }
                break;
            }
            if simple.words.is_empty() {
                match self.assignment_or_word() {
                    Head::Assignment(assignment) => simple.assignments.push(assignment),
                    Head::Word(word) => {
                        takes_arrays = declares(&word);
                        simple.words.push(word);
                    }
                }
            } else {
                let begin = self.position;
                let word = self.word(Mode::OPERAND);
                if !takes_arrays && self.holds_array(&word) {
                    self.issue(IssueCode::UnexpectedToken, begin);
                }
                simple.words.push(word);
            }
            end = self.position;
        }
        if end == start {
            return None;
        }
        if !self.limited {
            self.position = end;
        }
        let span = self.span(start);
        Some(Command { kind: CommandKind::Simple(simple), redirections, span })
    }

    /// Whether an argument is `name=(…)`, the one form in which an unquoted parenthesis follows `=`.
    fn holds_array(&self, word: &Word) -> bool {
        use crate::tree::{PartKind, Quote};
        matches!(word.parts.first(), Some(part) if part.quote == Quote::None
            && matches!(&part.kind, PartKind::Literal(text) if text.contains("=(")))
    }
}

/// Builtins whose arguments may be array assignments (bash `ASSIGNMENT_BUILTIN`, and `eval` and `let` as in `parse.y`).
fn declares(word: &Word) -> bool {
    word.literal()
        .is_some_and(|name| matches!(&*name, "declare" | "typeset" | "local" | "export" | "readonly" | "alias" | "eval" | "let"))
}
