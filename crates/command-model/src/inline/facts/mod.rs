//! What calls do, as effects and carried commands.

use std::collections::HashSet;
use std::rc::Rc;

use sekisho_shell_syntax::span::Span;

use crate::argument::{Cause, Partial, Value};
use crate::carried::Carried;
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};
use crate::inline::Code;
use crate::inline::expression::{Expression, expand_user, join_texts, matches, split, split_words};
use crate::inline::extract::{Callee, Given, dotted};
use crate::inline::meaning::{Constant, Language, Meaning, Recursion};

mod call;
mod files;
mod network;
mod processes;

use call::Call;

/// Bytes of text that facts may hold together. A value used a thousand times is known a thousand times only if it is short.
const TEXT_BUDGET: usize = 1024 * 1024;
/// Facts that are kept one by one.
const FACT_BUDGET: usize = 4096;

/// The shell variable that stands for the unknown part of a command in text that is followed all the same.
pub(super) const UNKNOWN_PART: &str = "${_unknown_to_us}";

/// Collects what calls do.
pub(super) struct Facts {
    home: String,
    span: Span,
    /// What was found.
    pub code: Code,
    /// Texts that run as code of the same language.
    pub nested: Vec<String>,
    directory: Option<Value>,
    text_left: usize,
}

impl Facts {
    /// Nothing found yet.
    pub fn new(home: &str, span: Span) -> Self {
        Self {
            home: home.to_owned(),
            span,
            code: Code { harmless: true, ..Code::default() },
            nested: Vec::new(),
            directory: None,
            text_left: TEXT_BUDGET,
        }
    }

    /// The home directory.
    pub fn home(&self) -> Expression {
        Expression::surrounding(&self.home)
    }

    /// An environment variable.
    pub fn environment_variable(&self, name: &str) -> Expression {
        match name {
            "HOME" | "USERPROFILE" => self.home(),
            _ => Expression::dynamic(Cause::Variable(name.to_owned())),
        }
    }

    /// It is the whole environment, or holds it.
    pub fn is_environment(&self, language: &Language, value: &Expression) -> bool {
        match value {
            Expression::Path(path) => language.constant(path) == Some(Constant::Environment),
            Expression::Text(value) => {
                matches!(&**value, Value::Dynamic(Partial { cause: Cause::Variable(name), .. }) if language.constant(name) == Some(Constant::Environment))
            }
            _ => false,
        }
    }

    /// Calling `path` without arguments does something.
    pub fn acts(&self, language: &Language, path: &str) -> bool {
        // `Dir.pwd`: a method needs no brackets; a constant does not begin with a small letter.
        let method = path.rsplit_once('.').is_some_and(|(_, last)| last.starts_with(|letter: char| letter.is_ascii_lowercase()));
        method || language.function(path, false).is_some_and(is_action)
    }

    /// A module is brought in.
    pub fn import(&mut self, language: &Language, module: &str) {
        let known = language
            .modules
            .iter()
            .any(|known| module == *known || module.strip_prefix(known).is_some_and(|rest| rest.starts_with('.')));
        if !known {
            self.code.harmless = false;
        }
    }

    fn effect(&mut self, kind: EffectKind) {
        if self.code.effects.len() >= FACT_BUDGET {
            self.code.harmless = false;
            return;
        }
        let directory = self.directory.clone();
        self.code.effects.push(Effect { directory, ..Effect::new(kind, Family::Interpreter, self.span) });
    }

    fn carry(&mut self, mut carried: Carried) {
        self.code.harmless = false;
        if self.code.carried.len() >= FACT_BUDGET {
            return self.execute(Origin::Inline, "more commands than are followed");
        }
        match &self.directory {
            Some(Value::Dynamic(_)) => carried.change.unknown_directory = true,
            known => carried.change.directory.clone_from(known),
        }
        self.code.carried.push(carried);
    }

    /// Code runs that is not known.
    pub fn execute(&mut self, origin: Origin, what: &str) {
        self.code.harmless = false;
        let kind = EffectKind::Execute { origin, what: what.to_owned() };
        if !self.code.effects.iter().rev().take(8).any(|effect| effect.kind == kind) {
            self.effect(kind);
        }
    }

    /// A copy of a value to keep, as long as there is room.
    fn keep(&mut self, value: &Value) -> Value {
        let length = match value {
            Value::Known { text, .. } => text.len(),
            Value::Glob { pattern } => pattern.len(),
            Value::Dynamic(partial) => partial.prefix.len() + partial.suffix.len(),
        };
        match self.text_left.checked_sub(length) {
            Some(left) => {
                self.text_left = left;
                value.clone()
            }
            None => {
                self.code.harmless = false;
                Value::Dynamic(Partial::unknown(Cause::Unknown))
            }
        }
    }

    fn literal(&mut self, value: &Value) {
        if let Some(text) = value.known()
            && self.code.literals.len() < FACT_BUDGET
        {
            self.code.literals.push(text.to_owned());
        }
    }

    /// Something is called; gives what the call gives.
    pub fn call(&mut self, language: &Language, callee: &Callee, given: Vec<Given>, defined: &HashSet<Rc<str>>) -> Expression {
        let (path, receiver): (Rc<str>, Option<&Expression>) = match callee {
            Callee::Path(path) => (Rc::clone(path), None),
            Callee::Method { receiver, name } => (Rc::clone(name), Some(receiver)),
            Callee::Value(value) => {
                self.code.harmless = false;
                return if value.is_remote() { value.clone() } else { Expression::Unknown };
            }
        };
        let call = Call { language, path: &path, receiver, given: &given };
        let meaning = language.function(&path, receiver.is_some());
        if meaning != Some(Meaning::Apply) {
            self.callbacks(&call);
        }
        match meaning {
            Some(meaning) => self.perform(meaning, &call),
            None => {
                if !defined.contains(&path) {
                    self.code.harmless = false;
                    for given in &given {
                        if let Expression::Text(value) = &given.value {
                            self.literal(value);
                        }
                    }
                }
                self.passed_on(&call)
            }
        }
    }

    /// A function that does something is given to another one: it will be called with something.
    fn callbacks(&mut self, call: &Call<'_>) {
        for (index, given) in call.given.iter().enumerate() {
            let Some(path) = given.value.path() else { continue };
            let Some(meaning) = call.language.function(path, false).filter(|meaning| is_action(*meaning)) else { continue };
            let rest: Vec<Given> = call.given.iter().skip(index + 1).cloned().collect();
            // With what a fetched text is given to is the text.
            let received = call.receiver.filter(|receiver| receiver.is_remote() || matches!(receiver, Expression::List(_)));
            let rest = match received {
                Some(receiver) => vec![Given { keyword: None, value: receiver.clone() }],
                None if given.keyword.is_some() => call
                    .given
                    .iter()
                    .filter(|other| other.keyword.as_deref() == Some("args"))
                    .map(|other| Given { keyword: None, value: other.value.clone() })
                    .collect(),
                None => rest,
            };
            self.perform(meaning, &Call { language: call.language, path, receiver: None, given: &rest });
        }
    }

    /// What a call that we do not know gives: what was fetched stays fetched, the environment stays the environment.
    fn passed_on(&self, call: &Call<'_>) -> Expression {
        let remote = call.receiver.into_iter().chain(call.given.iter().map(|given| &given.value)).find(|value| value.is_remote());
        if let Some(remote) = remote {
            return remote.clone();
        }
        let environment = call
            .given
            .iter()
            .map(|given| &given.value)
            .chain(call.receiver)
            .find(|value| self.is_environment(call.language, value));
        environment.cloned().unwrap_or(Expression::Unknown)
    }

    fn perform(&mut self, meaning: Meaning, call: &Call<'_>) -> Expression {
        match meaning {
            Meaning::Run { skip, named } => self.run(call, skip, named),
            Meaning::Shell => {
                let text = call.argument(0);
                let first = [Given { keyword: None, value: text }];
                self.run(&Call { given: &first, ..*call }, 0, false)
            }
            Meaning::Evaluate => self.evaluate(call),
            Meaning::Delete(which, recursion) => {
                let recursive = match recursion {
                    Recursion::Always => true,
                    Recursion::Never => false,
                    Recursion::Asked => call.asks("recursive"),
                };
                for value in call.values(which) {
                    let target = Target::new(self.keep(&value));
                    self.effect(EffectKind::Delete { target, recursive, force: true });
                }
                self.code.harmless = false;
                Expression::Unknown
            }
            Meaning::Read(which) => self.read(call, which),
            Meaning::Write(which, mode) => self.write(call, which, mode),
            Meaning::Open(which, mode) => self.open(call, which, mode),
            Meaning::PerlOpen => self.perl_open(call),
            Meaning::Move => self.moves(&call.argument(0), &call.argument(1)),
            Meaning::MoveReceiver => {
                let from = call.receiver_value();
                self.moves(&from, &call.argument(0))
            }
            Meaning::Copy => {
                self.reads(&call.argument(0));
                for value in call.argument(1).to_values() {
                    self.writes(&value, WriteMode::Truncate);
                }
                Expression::Unknown
            }
            Meaning::Link(which) => self.write(call, which, WriteMode::Link),
            Meaning::Permissions { target, mode, recursive } => self.permissions(call, target, mode, recursive),
            Meaning::Metadata(which) => {
                self.metadata(call, which);
                Expression::Unknown
            }
            Meaning::Names(which) => {
                self.metadata(call, which);
                Expression::Unknown
            }
            Meaning::Fetch => self.fetch(call),
            Meaning::Upload => {
                self.network(&call.address(), true);
                Expression::dynamic(Cause::Remote)
            }
            Meaning::Connect => {
                self.network(&call.argument(0), false);
                Expression::Unknown
            }
            Meaning::Signal => {
                self.code.harmless = false;
                let broad = call.argument(0).path() == Some("-1");
                self.effect(EffectKind::Process { signal: "TERM".to_owned(), broad });
                Expression::Unknown
            }
            Meaning::ChangeDirectory => {
                let value = call.argument(0).to_value();
                self.code.harmless &= value.known().is_some();
                let value = self.keep(&value);
                self.directory = Some(value);
                Expression::Unknown
            }
            Meaning::Import => self.import_call(call),
            Meaning::Member => match (call.argument(0).path(), call.argument(1).known()) {
                (Some(path), Some(name)) => Expression::Path(dotted(path, name)),
                (Some(path), None) if call.language.modules.contains(&path) => {
                    self.execute(Origin::Inline, call.path);
                    Expression::Unknown
                }
                _ => Expression::Unknown,
            },
            Meaning::Home => self.home(),
            Meaning::EnvironmentVariable => match (call.argument(0).known(), call.given.is_empty()) {
                (Some(name), _) => self.environment_variable(name),
                // Without a name the whole environment.
                (None, true) => call
                    .language
                    .constants
                    .iter()
                    .find(|(_, constant)| *constant == Constant::Environment)
                    .map_or(Expression::Unknown, |(path, _)| Expression::Path((*path).into())),
                (None, false) => Expression::Unknown,
            },
            Meaning::ExpandUser => expand_user(&call.subject(), &self.home),
            Meaning::JoinPath => call.join(),
            Meaning::Same => call.subject(),
            Meaning::WorkingDirectory => Expression::literal("."),
            Meaning::Keys => Expression::Unknown,
            Meaning::Split => match (call.receiver, call.argument(0).known()) {
                (Some(receiver), separator) => split(receiver, separator.filter(|text| !text.trim().is_empty())),
                (None, _) => split(&call.argument(0), None),
            },
            Meaning::SplitWords => split_words(&call.argument(0)),
            Meaning::JoinTexts => match (call.receiver, call.argument(0)) {
                (Some(Expression::List(values)), separator) => join_texts(values, separator.known().unwrap_or_default()),
                (Some(separator), Expression::List(values)) => join_texts(&values, separator.known().unwrap_or_default()),
                (None, separator) => match call.argument(1) {
                    Expression::List(values) => join_texts(&values, separator.known().unwrap_or_default()),
                    _ => Expression::Unknown,
                },
                _ => Expression::Unknown,
            },
            Meaning::Glob => matches(&call.argument(0)),
            Meaning::GlobBelow => self.glob_below(call),
            Meaning::Temporary => Expression::dynamic(Cause::Temporary),
            Meaning::TemporaryRoot => Expression::surrounding("/tmp"),
            Meaning::Display => {
                let discloses = call.given.iter().any(|given| self.is_environment(call.language, &given.value));
                if discloses {
                    self.code.harmless = false;
                    self.effect(EffectKind::Disclose("environment".to_owned()));
                }
                self.passed_on(call)
            }
            Meaning::Apply => self.apply(call),
            Meaning::Harmless => self.passed_on(call),
        }
    }
}

/// The call changes something or runs something.
fn is_action(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Run { .. }
            | Meaning::Shell
            | Meaning::Evaluate
            | Meaning::Delete(..)
            | Meaning::Write(..)
            | Meaning::Move
            | Meaning::MoveReceiver
            | Meaning::Permissions { .. }
            | Meaning::Upload
            | Meaning::Signal
    )
}

/// A module's name as a dotted path: `node:fs/promises` is `fs.promises`.
pub(super) fn module_path(module: &str) -> String {
    module.strip_prefix("node:").unwrap_or(module).replace('/', ".")
}
