//! Calls that open, change or move files.

use std::rc::Rc;

use super::Facts;
use super::call::Call;
use crate::argument::Value;
use crate::effect::{EffectKind, Target, WriteMode};
use crate::inline::expression::{Expression, below, join_path, matches};
use crate::inline::meaning::Which;

impl Facts {
    pub(super) fn reads(&mut self, subject: &Expression) {
        for value in subject.to_values() {
            self.literal(&value);
            self.code.harmless &= value.known().is_some();
            let target = Target::new(self.keep(&value));
            self.effect(EffectKind::Read(target));
        }
    }

    pub(super) fn writes(&mut self, value: &Rc<Value>, mode: WriteMode) {
        self.code.harmless = false;
        self.literal(value);
        let target = Target::new(self.keep(value));
        self.effect(EffectKind::Write(target, mode));
    }

    pub(super) fn read(&mut self, call: &Call<'_>, which: Which) -> Expression {
        let subject = call.one(which);
        if let Some(remote) = self.opened_address(&subject) {
            return remote;
        }
        if is_descriptor(&subject) {
            return Expression::Unknown;
        }
        self.reads(&subject);
        Expression::Unknown
    }

    pub(super) fn write(&mut self, call: &Call<'_>, which: Which, mode: WriteMode) -> Expression {
        for value in call.values(which) {
            self.writes(&value, mode);
        }
        Expression::Unknown
    }

    pub(super) fn open(&mut self, call: &Call<'_>, which: Which, mode: usize) -> Expression {
        let subject = call.one(which);
        if let Some(remote) = self.opened_address(&subject) {
            return remote;
        }
        if is_descriptor(&subject) {
            return Expression::Unknown;
        }
        // Ruby's `open("|cmd")`.
        if call.language.separate_words
            && let Some(command) = subject.to_value().without_prefix("|")
        {
            self.shell(&Rc::new(command), call);
            return Expression::Unknown;
        }
        // A method's mode comes one place earlier than a function's.
        let mode = if which == Which::Either && call.receiver.is_some() { mode.saturating_sub(1) } else { mode };
        let given = call.keyword(&["mode", "flags"]).or_else(|| call.positional().nth(mode).cloned());
        match given.as_ref().map(Expression::known) {
            None => self.reads(&subject),
            Some(Some(text)) => {
                let written = written_mode(text);
                if written.is_none() || text.contains('+') {
                    self.reads(&subject);
                }
                if let Some(written) = written {
                    for value in subject.to_values() {
                        self.writes(&value, written);
                    }
                }
            }
            Some(None) => {
                self.reads(&subject);
                for value in subject.to_values() {
                    self.writes(&value, WriteMode::InPlace);
                }
            }
        }
        Expression::Unknown
    }

    pub(super) fn perl_open(&mut self, call: &Call<'_>) -> Expression {
        let arguments: Vec<&Expression> = call.positional().skip(1).collect();
        let Some(mode) = arguments.first() else { return Expression::Unknown };
        let value = mode.to_value();
        let text = match &*value {
            Value::Known { text, .. } => text.trim(),
            Value::Glob { pattern } => pattern,
            Value::Dynamic(partial) => partial.prefix.trim(),
        };
        if arguments.len() >= 2 && matches!(text, "-|" | "|-") {
            let rest: Vec<Rc<Value>> = arguments.iter().skip(1).flat_map(|value| value.to_values()).collect();
            match rest.as_slice() {
                [only] => self.shell(only, call),
                _ => self.words(rest, call),
            }
            return Expression::Unknown;
        }
        if let [_, path, ..] = arguments.as_slice() {
            if text.starts_with('<') {
                self.reads(path);
            } else {
                let mode = if text.starts_with(">>") {
                    WriteMode::Append
                } else if text.starts_with('>') {
                    WriteMode::Truncate
                } else {
                    WriteMode::InPlace
                };
                for value in path.to_values() {
                    self.writes(&value, mode);
                }
            }
            return Expression::Unknown;
        }
        let stripped = |prefix: &str| -> Rc<Value> {
            match value.without_prefix(prefix) {
                Some(Value::Known { text, provenance }) => Rc::new(Value::Known { text: text.trim_start().to_owned(), provenance }),
                Some(other) => Rc::new(other),
                None => Rc::clone(&value),
            }
        };
        if text.starts_with('|') {
            self.shell(&stripped("|"), call);
        } else if text.ends_with('|') {
            self.shell(&Rc::new(Value::literal(text.trim_end_matches('|'))), call);
        } else if text.starts_with(">>") {
            self.writes(&stripped(">>"), WriteMode::Append);
        } else if text.starts_with('>') {
            self.writes(&stripped(">"), WriteMode::Truncate);
        } else if text.starts_with('<') {
            self.reads(&Expression::Text(stripped("<")));
        } else {
            self.reads(mode);
        }
        Expression::Unknown
    }

    pub(super) fn moves(&mut self, from: &Expression, to: &Expression) -> Expression {
        self.code.harmless = false;
        let to = to.to_value();
        for value in from.to_values() {
            let from = Target::new(self.keep(&value));
            let to = Target::new(self.keep(&to));
            self.effect(EffectKind::Move { from, to });
        }
        Expression::Unknown
    }

    pub(super) fn permissions(&mut self, call: &Call<'_>, target: Which, mode: usize, recursive: bool) -> Expression {
        self.code.harmless = false;
        let change = call.argument(mode);
        let change = change.known().or_else(|| change.path()).unwrap_or_default().replace("0o", "");
        let values: Vec<Rc<Value>> = match target {
            Which::All => call.positional().skip(mode + 1).flat_map(Expression::to_values).collect(),
            which => call.values(which),
        };
        for value in values {
            let target = Target::new(self.keep(&value));
            self.effect(EffectKind::Permissions { target, recursive, change: change.clone() });
        }
        Expression::Unknown
    }

    pub(super) fn metadata(&mut self, call: &Call<'_>, which: Which) {
        for value in call.values(which) {
            let target = Target::new(self.keep(&value));
            self.effect(EffectKind::Metadata(target));
        }
    }

    pub(super) fn glob_below(&mut self, call: &Call<'_>) -> Expression {
        let pattern = call.argument(0);
        let receiver = call.receiver.cloned().unwrap_or(Expression::Unknown);
        match pattern.known() {
            Some(text) if call.path.ends_with("rglob") => below(&receiver, Some(text)),
            Some(text) if text.contains("**") => below(&receiver, text.rsplit('/').next()),
            Some(_) => matches(&join_path(&receiver, &pattern)),
            None => below(&receiver, None),
        }
    }
}

/// It is a number, which names an open file and no path.
fn is_descriptor(subject: &Expression) -> bool {
    subject.path().is_some_and(|path| path.bytes().all(|byte| byte.is_ascii_digit()))
        || subject.path().is_some_and(|path| matches!(path, "STDIN" | "process.stdin.fd" | "$stdin" | "sys.stdin"))
        || subject.known().is_some_and(|text| matches!(text, "/dev/stdin" | "php://stdin" | "/dev/null"))
}

/// How a mode like `w`, `a+` or `r` writes, if it does.
fn written_mode(mode: &str) -> Option<WriteMode> {
    match mode.chars().find(|letter| "wax+c".contains(*letter))? {
        'w' => Some(WriteMode::Truncate),
        'a' => Some(WriteMode::Append),
        'x' => Some(WriteMode::Create),
        _ => Some(WriteMode::InPlace),
    }
}
