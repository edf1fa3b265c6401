//! awk programs: what they run, read and write.
//!
//! Sources: POSIX.1-2024 awk, the GNU awk 5.3 manual (`|&`, `/inet/`, `@include`).

use std::collections::HashMap;
use std::rc::Rc;

use sekisho_shell_syntax::span::Span;

use super::Code;
use super::facts::UNKNOWN_PART;
use super::lexer::{Escapes, Interpolation, Lexer, Syntax, Template};
use super::token::{Kind, Token};
use crate::argument::{Cause, Partial, Value};
use crate::carried::Carried;
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};
use crate::stream::Stream;

static SYNTAX: Syntax =
    Syntax { line_comments: &["#"], block_comments: &[], sigils: &[], name_suffixes: &[], regular_expressions: true, literal };

/// Words that end an expression.
const KEYWORDS: &[&str] = &[
    "if", "else", "while", "for", "do", "return", "print", "printf", "in", "delete", "exit", "next", "nextfile", "function",
    "func", "switch", "case",
];

/// The longest text that is put together.
const LONGEST: usize = 64 * 1024;

/// Reads an awk program. `variables` are those set on the command line (`-v name=value`).
pub fn read(code: &str, variables: &[(String, Value)], span: Span) -> Code {
    let lexed = Lexer::read(code, &SYNTAX);
    let mut reader = Reader {
        tokens: &lexed.tokens,
        variables: HashMap::new(),
        code: Code { harmless: true, ..Code::default() },
        span,
        text_left: 1024 * 1024,
    };
    reader.find_variables(variables);
    reader.run();
    reader.code
}

/// A piece of an expression: its value, and whether a variable went into it.
struct Piece {
    value: Value,
    from_variable: bool,
}

struct Reader<'a> {
    tokens: &'a [Token],
    variables: HashMap<Rc<str>, Value>,
    code: Code,
    span: Span,
    text_left: usize,
}

impl Reader<'_> {
    fn kind(&self, at: usize) -> Option<&Kind> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    /// Variables that are assigned once, a text that is known.
    fn find_variables(&mut self, given: &[(String, Value)]) {
        let mut counts: HashMap<Rc<str>, u32> = HashMap::new();
        for (name, value) in given {
            *counts.entry(name.as_str().into()).or_insert(0) += 1;
            self.variables.insert(name.as_str().into(), value.clone());
        }
        let mut values = Vec::new();
        for at in 0..self.tokens.len() {
            let Some(Kind::Name(name)) = self.kind(at) else { continue };
            match self.kind(at + 1) {
                Some(Kind::Operator("=")) => {
                    *counts.entry(Rc::clone(name)).or_insert(0) += 1;
                    values.push((Rc::clone(name), at + 2));
                }
                Some(Kind::Operator("+=" | "-=" | "*=" | "/=" | "%=" | "++" | "--")) => {
                    *counts.entry(Rc::clone(name)).or_insert(0) += 2
                }
                _ if at > 0 && matches!(self.kind(at - 1), Some(Kind::Name(before)) if &**before == "getline") => {
                    *counts.entry(Rc::clone(name)).or_insert(0) += 2
                }
                _ => {}
            }
        }
        for (name, start) in values {
            if counts.get(&name) != Some(&1) {
                continue;
            }
            let end = self.expression_end(start);
            // `cmd = "a" | getline` and conditions are not literals.
            let plain = matches!(self.kind(end), None | Some(Kind::Semicolon | Kind::Line | Kind::Close(_) | Kind::Comma));
            let value = self.piece(start, end);
            if plain && let Value::Known { .. } = value.value {
                self.variables.insert(name, value.value);
            }
        }
        for (name, count) in counts {
            if count != 1 {
                self.variables.remove(&name);
            }
        }
    }

    /// Where the run of values that begins at `start` ends.
    fn expression_end(&self, start: usize) -> usize {
        let mut depth = 0_u32;
        let mut at = start;
        loop {
            match self.kind(at) {
                Some(Kind::Open(b'(' | b'[')) => depth += 1,
                Some(Kind::Close(b')' | b']')) if depth > 0 => depth -= 1,
                Some(Kind::Text(_) | Kind::Number(_) | Kind::Opaque | Kind::Operator("$")) => {}
                Some(Kind::Name(name)) if depth > 0 || !KEYWORDS.contains(&&**name) => {}
                Some(Kind::Comma | Kind::Operator(_) | Kind::Line) if depth > 0 => {}
                _ => return at,
            }
            at += 1;
        }
    }

    /// The value of the tokens from `start` to `end`, put side by side.
    fn piece(&self, start: usize, end: usize) -> Piece {
        let mut prefix = String::new();
        let mut suffix: Option<String> = None;
        let mut cause = Cause::Unknown;
        let mut from_variable = false;
        let mut at = start;
        let mut index_depth = 0_u32;
        while at < end {
            let known = match self.kind(at) {
                // Only brackets around values.
                Some(Kind::Open(b'(') | Kind::Close(b')')) if index_depth == 0 => {
                    at += 1;
                    continue;
                }
                Some(Kind::Open(b'[')) => {
                    index_depth += 1;
                    None
                }
                Some(Kind::Close(b']')) => {
                    index_depth = index_depth.saturating_sub(1);
                    None
                }
                Some(Kind::Text(text)) if index_depth == 0 => Some(&**text),
                Some(Kind::Number(text))
                    if index_depth == 0
                        && !matches!(at.checked_sub(1).and_then(|before| self.kind(before)), Some(Kind::Operator("$"))) =>
                {
                    Some(&**text)
                }
                Some(Kind::Name(name)) if index_depth == 0 && !matches!(self.kind(at + 1), Some(Kind::Open(_))) => {
                    from_variable = true;
                    match self.variables.get(name).and_then(Value::known) {
                        Some(text) => Some(text),
                        None => {
                            cause = Cause::Variable(name.to_string());
                            None
                        }
                    }
                }
                _ => None,
            };
            match (known, &mut suffix) {
                (Some(text), None) => prefix.push_str(text),
                (Some(text), Some(suffix)) => suffix.push_str(text),
                (None, suffix) => *suffix = Some(String::new()),
            }
            if prefix.len() > LONGEST {
                suffix = Some(String::new());
                break;
            }
            at += 1;
        }
        let value = match suffix {
            None if start < end => Value::literal(prefix),
            suffix => Value::Dynamic(Partial { prefix, suffix: suffix.unwrap_or_default(), ..Partial::unknown(cause) }),
        };
        Piece { value, from_variable }
    }

    fn run(&mut self) {
        let mut at = 0;
        // Where the expression before a `|` began, and the last bracket that was closed.
        let mut segment = 0;
        let mut opened: Vec<usize> = Vec::new();
        let mut group: Option<(usize, usize)> = None;
        // The depth of brackets at which a `print` waits for its `>` or `|`, and where its operands began.
        let mut print: Option<(usize, usize)> = None;
        while let Some(kind) = self.kind(at).cloned() {
            match kind {
                Kind::Open(_) => {
                    opened.push(at);
                    segment = at + 1;
                }
                Kind::Close(bracket) => {
                    if let Some(open) = opened.pop() {
                        group = Some((open + 1, at));
                    }
                    if bracket == b'}' {
                        print = None;
                    }
                    segment = at + 1;
                }
                Kind::Semicolon | Kind::Line => {
                    print = None;
                    segment = at + 1;
                }
                Kind::Comma => segment = at + 1,
                Kind::Name(name) => match &*name {
                    "system" if matches!(self.kind(at + 1), Some(Kind::Open(b'('))) => {
                        let end = self.expression_end(at + 2);
                        self.command(at + 2, end, None);
                    }
                    "getline" => self.getline(at + 1),
                    "print" | "printf" => {
                        print = Some((opened.len(), at + 1));
                        segment = at + 1;
                    }
                    "ENVIRON" if at > 0 && matches!(self.kind(at - 1), Some(Kind::Name(before)) if &**before == "in") => {
                        self.code.harmless = false;
                        self.effect(EffectKind::Disclose("environment".to_owned()));
                    }
                    word if KEYWORDS.contains(&word) => segment = at + 1,
                    _ => {}
                },
                Kind::Operator(operator @ ("|" | "|&")) => {
                    let reads = matches!(self.kind(at + 1), Some(Kind::Name(name)) if &**name == "getline");
                    if reads {
                        let (start, end) = match group {
                            Some((open, close)) if segment == at && close + 1 == at => (open, close),
                            _ => (segment, at),
                        };
                        self.command(start, end, None);
                    } else if print.is_some_and(|(depth, _)| depth == opened.len()) || operator == "|&" {
                        let end = self.expression_end(at + 1);
                        let input = print.map_or(Stream::Unknown, |(_, start)| self.printed(start, at));
                        self.command(at + 1, end, Some(input));
                    }
                    segment = at + 1;
                }
                Kind::Operator(operator @ (">" | ">>")) => {
                    if print.is_some_and(|(depth, _)| depth == opened.len()) {
                        let end = self.expression_end(at + 1);
                        let target = self.piece(at + 1, end).value;
                        self.write(&target, if operator == ">" { WriteMode::Truncate } else { WriteMode::Append });
                    }
                    segment = at + 1;
                }
                Kind::Operator("@") => {
                    if matches!(self.kind(at + 1), Some(Kind::Name(name)) if matches!(&**name, "include" | "load")) {
                        self.execute(Origin::Local, "@include");
                    } else {
                        // An indirect call: whichever function the variable names.
                        self.code.harmless = false;
                    }
                }
                Kind::Operator("$") => {}
                Kind::Operator(_) => segment = at + 1,
                _ => {}
            }
            at += 1;
        }
    }

    /// What a `print` of these tokens sends.
    fn printed(&self, start: usize, end: usize) -> Stream {
        let piece = self.piece(start, end);
        let plain = self
            .tokens
            .get(start..end)
            .unwrap_or_default()
            .iter()
            .all(|token| matches!(token.kind, Kind::Text(_) | Kind::Name(_) | Kind::Open(b'(') | Kind::Close(b')')));
        match piece.value {
            Value::Known { text, .. } if plain => Stream::Known(text + "\n"),
            _ => Stream::Unknown,
        }
    }

    /// `getline < "file"`, `getline line < "file"`.
    fn getline(&mut self, mut at: usize) {
        while matches!(self.kind(at), Some(Kind::Name(_) | Kind::Number(_) | Kind::Operator("$"))) {
            at += 1;
        }
        if self.kind(at) != Some(&Kind::Operator("<")) {
            return;
        }
        let end = self.expression_end(at + 1);
        let value = self.piece(at + 1, end).value;
        match value.known() {
            Some("-" | "/dev/stdin" | "/dev/null") => return,
            Some(text) => self.code.literals.push(text.to_owned()),
            None => self.code.harmless = false,
        }
        let target = Target::new(self.keep(value));
        self.effect(EffectKind::Read(target));
    }

    fn write(&mut self, value: &Value, mode: WriteMode) {
        if let Some(text) = value.known() {
            if matches!(text, "/dev/stdout" | "/dev/stderr" | "/dev/null" | "-") {
                return;
            }
            self.code.literals.push(text.to_owned());
            if text.starts_with("/inet") {
                self.code.harmless = false;
                return self.effect(EffectKind::Network { host: text.split('/').nth(4).map(Value::literal), upload: true });
            }
        }
        self.code.harmless = false;
        let target = Target::new(self.keep(value.clone()));
        self.effect(EffectKind::Write(target, mode));
    }

    /// The tokens are a command line.
    fn command(&mut self, start: usize, end: usize, input: Option<Stream>) {
        self.code.harmless = false;
        let Piece { value, from_variable } = self.piece(start, end);
        let text = match &value {
            Value::Dynamic(partial) => {
                self.execute(Origin::AwkDynamic, "an awk program's command");
                if !partial.prefix.trim_start().contains(char::is_whitespace) {
                    return;
                }
                format!("{}{UNKNOWN_PART}{}", partial.prefix, partial.suffix)
            }
            Value::Known { text, .. } => {
                if text.starts_with("/inet") {
                    return self.effect(EffectKind::Network { host: text.split('/').nth(4).map(Value::literal), upload: true });
                }
                if from_variable || text.contains("{}") || text.contains(['$', '`']) {
                    self.execute(Origin::AwkDynamic, "an awk program's command");
                }
                text.clone()
            }
            Value::Glob { .. } => return,
        };
        let source = self.keep(Value::literal(text));
        let mut carried = Carried::shell(source, Vec::new(), self.span);
        carried.input = input;
        // Whether a rule of the program is reached depends on its input.
        carried.certain = false;
        self.code.carried.push(carried);
    }

    fn execute(&mut self, origin: Origin, what: &str) {
        self.code.harmless = false;
        let kind = EffectKind::Execute { origin, what: what.to_owned() };
        if !self.code.effects.iter().rev().take(8).any(|effect| effect.kind == kind) {
            self.effect(kind);
        }
    }

    fn effect(&mut self, kind: EffectKind) {
        self.code.effects.push(Effect::new(kind, Family::Interpreter, self.span));
    }

    fn keep(&mut self, value: Value) -> Value {
        let length = match &value {
            Value::Known { text, .. } => text.len(),
            Value::Glob { pattern } => pattern.len(),
            Value::Dynamic(partial) => partial.prefix.len() + partial.suffix.len(),
        };
        match self.text_left.checked_sub(length) {
            Some(left) => {
                self.text_left = left;
                value
            }
            None => Value::Dynamic(Partial::unknown(Cause::Unknown)),
        }
    }
}

/// Strings, and patterns after an action.
fn literal(lexer: &mut Lexer<'_>) -> bool {
    match lexer.byte(0) {
        Some(b'"') => {
            lexer.advance(1);
            lexer.string(Template::new('"', Escapes::Full, Interpolation::None).of_one_line());
            true
        }
        Some(b'/') if matches!(lexer.last(), Some(Kind::Close(b'}'))) => lexer.regular_expression(),
        _ => false,
    }
}
