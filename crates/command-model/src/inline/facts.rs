//! What calls do, as effects and carried commands.

use std::collections::HashSet;
use std::rc::Rc;

use sekisho_shell_syntax::span::Span;

use super::Code;
use super::expression::{Expression, below, expand_user, join_path, join_texts, matches, split, split_words};
use super::extract::{Callee, Given, dotted};
use super::meaning::{Constant, Language, Meaning, Recursion, Which};
use crate::argument::{Argument, Cause, Partial, Value};
use crate::carried::Carried;
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};

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

    // Processes and code.

    fn run(&mut self, call: &Call<'_>, skip: usize, named: bool) -> Expression {
        let positional: Vec<&Expression> = call.positional().skip(skip).collect();
        let by_name = call.keyword(&["args", "command", "cmd"]);
        // `"ls".execute()`: the command is what the method is called on.
        let receiver = call.receiver.filter(|receiver| receiver.is_text() || matches!(receiver, Expression::List(_)));
        let Some(first) = positional.first().copied().or(by_name.as_ref()).or(receiver) else {
            self.execute(Origin::Inline, &call.label());
            return Expression::Unknown;
        };
        let rest = positional.get(1..).unwrap_or_default();
        let shell = call.keyword(&["shell"]).is_some_and(|value| !matches!(value.path(), Some("false" | "False" | "nil" | "0")));
        match first {
            Expression::List(words) if shell => {
                if let Some(value) = words.first() {
                    self.shell(value, call);
                }
            }
            Expression::List(words) => self.words(words.to_vec(), call),
            Expression::Path(_) | Expression::Pattern(_) | Expression::Unknown => self.execute(Origin::Inline, &call.label()),
            Expression::Choice(values) if rest.is_empty() => {
                for value in values.iter() {
                    self.shell(value, call);
                }
            }
            Expression::Text(_) | Expression::Choice(_) => {
                let program = first.to_value();
                let is_text = program.known().is_none_or(|text| text.contains(char::is_whitespace));
                match rest.first() {
                    Some(Expression::List(words)) => {
                        let words = words.iter().skip(usize::from(named)).map(Rc::clone);
                        self.words(std::iter::once(program).chain(words).collect(), call);
                    }
                    Some(_) if named || call.language.separate_words => {
                        let others = rest.iter().skip(usize::from(named)).flat_map(|value| value.to_values());
                        self.words(std::iter::once(program).chain(others).collect(), call);
                    }
                    Some(Expression::Path(_) | Expression::Unknown) if !is_text && !call.language.separate_words => {
                        let words = Value::Dynamic(Partial { may_split: true, ..Partial::unknown(Cause::Unknown) });
                        self.words(vec![program, Rc::new(words)], call);
                    }
                    _ => self.shell(&program, call),
                }
            }
        }
        Expression::Unknown
    }

    /// Text for a shell.
    fn shell(&mut self, value: &Rc<Value>, call: &Call<'_>) {
        self.literal(value);
        match &**value {
            Value::Known { .. } | Value::Glob { .. } => {
                let source = self.keep(value);
                self.carry(Carried::shell(source, Vec::new(), self.span));
            }
            Value::Dynamic(partial) if partial.cause == Cause::Remote => self.execute(Origin::Fetched, &call.label()),
            Value::Dynamic(partial) => {
                self.execute(Origin::Inline, &call.label());
                // What is known of the text still says which program runs, and on what.
                if partial.prefix.trim_start().contains(char::is_whitespace) {
                    let text = format!("{}{UNKNOWN_PART}{}", partial.prefix, partial.suffix);
                    let source = self.keep(&Value::literal(text));
                    self.carry(Carried::shell(source, Vec::new(), self.span));
                }
            }
        }
    }

    /// The words of a command.
    fn words(&mut self, words: Vec<Rc<Value>>, call: &Call<'_>) {
        if words.first().is_none_or(|word| word.known().is_none()) {
            return self.execute(Origin::Inline, &call.label());
        }
        let mut arguments = Vec::new();
        for word in words.iter().take(FACT_BUDGET) {
            self.literal(word);
            let value = self.keep(word);
            arguments.push(Argument { quoted: true, ..Argument::with(value, self.span) });
        }
        self.carry(Carried::command(arguments, self.span));
    }

    fn evaluate(&mut self, call: &Call<'_>) -> Expression {
        let values: Vec<&Expression> = call.positional().collect();
        if values.iter().any(|value| value.is_remote()) {
            self.execute(Origin::Fetched, &call.label());
            return Expression::Unknown;
        }
        // `new Function(a, b, body)` has the code last, `exec(code, globals)` first.
        let code = if call.path.ends_with("Function") { values.last() } else { values.first() };
        match code.map(|value| (value, value.known())) {
            Some((_, Some(text))) => self.nested.push(text.to_owned()),
            // A compiled text was seen when it was compiled; a block is read where it stands.
            Some((Expression::Unknown, None)) if call.language.bare_calls => {}
            _ => self.execute(Origin::Inline, &call.label()),
        }
        Expression::Unknown
    }

    fn apply(&mut self, call: &Call<'_>) -> Expression {
        let function = call.argument(0);
        // PHP names functions by strings.
        let Some(path) = function.path().or(function.known()) else { return self.passed_on(call) };
        let rest: Vec<Given> = match call.receiver {
            Some(receiver @ (Expression::List(_) | Expression::Text(_))) => vec![Given { keyword: None, value: receiver.clone() }],
            _ => call.given.iter().skip(1).cloned().collect(),
        };
        match call.language.function(path, false) {
            Some(meaning) => {
                let each = Call { language: call.language, path, receiver: None, given: &rest };
                if matches!(meaning, Meaning::Run { .. } | Meaning::Shell)
                    && matches!(rest.first().map(|given| &given.value), Some(Expression::List(_)))
                {
                    self.execute(Origin::Inline, &each.label());
                } else {
                    self.perform(meaning, &each);
                }
            }
            None => self.code.harmless = false,
        }
        Expression::Unknown
    }

    fn import_call(&mut self, call: &Call<'_>) -> Expression {
        match call.argument(0).known() {
            Some(module) => {
                let module = module_path(module);
                self.import(call.language, &module);
                Expression::Path(module.into())
            }
            None => {
                self.execute(Origin::Local, &call.label());
                Expression::Unknown
            }
        }
    }

    // Files.

    fn reads(&mut self, subject: &Expression) {
        for value in subject.to_values() {
            self.literal(&value);
            self.code.harmless &= value.known().is_some();
            let target = Target::new(self.keep(&value));
            self.effect(EffectKind::Read(target));
        }
    }

    fn writes(&mut self, value: &Rc<Value>, mode: WriteMode) {
        self.code.harmless = false;
        self.literal(value);
        let target = Target::new(self.keep(value));
        self.effect(EffectKind::Write(target, mode));
    }

    fn read(&mut self, call: &Call<'_>, which: Which) -> Expression {
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

    fn write(&mut self, call: &Call<'_>, which: Which, mode: WriteMode) -> Expression {
        for value in call.values(which) {
            self.writes(&value, mode);
        }
        Expression::Unknown
    }

    fn open(&mut self, call: &Call<'_>, which: Which, mode: usize) -> Expression {
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

    fn perl_open(&mut self, call: &Call<'_>) -> Expression {
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

    fn moves(&mut self, from: &Expression, to: &Expression) -> Expression {
        self.code.harmless = false;
        let to = to.to_value();
        for value in from.to_values() {
            let from = Target::new(self.keep(&value));
            let to = Target::new(self.keep(&to));
            self.effect(EffectKind::Move { from, to });
        }
        Expression::Unknown
    }

    fn permissions(&mut self, call: &Call<'_>, target: Which, mode: usize, recursive: bool) -> Expression {
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

    fn metadata(&mut self, call: &Call<'_>, which: Which) {
        for value in call.values(which) {
            let target = Target::new(self.keep(&value));
            self.effect(EffectKind::Metadata(target));
        }
    }

    fn glob_below(&mut self, call: &Call<'_>) -> Expression {
        let pattern = call.argument(0);
        let receiver = call.receiver.cloned().unwrap_or(Expression::Unknown);
        match pattern.known() {
            Some(text) if call.path.ends_with("rglob") => below(&receiver, Some(text)),
            Some(text) if text.contains("**") => below(&receiver, text.rsplit('/').next()),
            Some(_) => matches(&join_path(&receiver, &pattern)),
            None => below(&receiver, None),
        }
    }

    // The network.

    /// What opening an address gives.
    fn opened_address(&mut self, subject: &Expression) -> Option<Expression> {
        if subject.is_remote() {
            return Some(subject.clone());
        }
        let value = subject.to_value();
        let beginning = match &*value {
            Value::Known { text, .. } => text,
            Value::Dynamic(partial) => &partial.prefix,
            Value::Glob { .. } => return None,
        };
        if !["http://", "https://", "ftp://"].iter().any(|scheme| beginning.starts_with(scheme)) {
            return None;
        }
        self.network(subject, false);
        Some(Expression::dynamic(Cause::Remote))
    }

    fn fetch(&mut self, call: &Call<'_>) -> Expression {
        let method = call.keyword(&["method", "type"]);
        let method = method.as_ref().and_then(Expression::known).unwrap_or("GET").to_ascii_uppercase();
        let upload = matches!(&*method, "POST" | "PUT" | "PATCH") || call.keyword(&["body", "data", "json", "files"]).is_some();
        self.network(&call.address(), upload);
        Expression::dynamic(Cause::Remote)
    }

    fn network(&mut self, address: &Expression, upload: bool) {
        self.code.harmless = false;
        let value = address.to_value();
        let host = match &*value {
            Value::Known { text, .. } => Value::literal(host_of(text)),
            Value::Dynamic(partial) if partial.prefix.split_once("://").is_some_and(|(_, rest)| rest.contains('/')) => {
                Value::literal(host_of(&partial.prefix))
            }
            other => other.clone(),
        };
        let host = self.keep(&host);
        self.effect(EffectKind::Network { host: Some(host), upload });
    }
}

/// One call.
struct Call<'a> {
    language: &'a Language,
    path: &'a str,
    receiver: Option<&'a Expression>,
    given: &'a [Given],
}

impl Call<'_> {
    /// Words for people: what is called.
    fn label(&self) -> String {
        match self.path {
            "`" => "a command in backticks".to_owned(),
            path => format!("{path}(…)"),
        }
    }

    fn positional(&self) -> impl Iterator<Item = &Expression> {
        self.given.iter().filter(|given| given.keyword.is_none()).map(|given| &given.value)
    }

    fn keyword(&self, names: &[&str]) -> Option<Expression> {
        self.given
            .iter()
            .find(|given| given.keyword.as_deref().is_some_and(|name| names.contains(&name)))
            .map(|given| given.value.clone())
    }

    fn argument(&self, number: usize) -> Expression {
        let named: &[&str] = match number {
            0 => &["path", "src", "source", "name", "file", "filename", "top", "url", "from"],
            1 => &["dst", "destination", "mode", "target", "to"],
            _ => &[],
        };
        self.positional().nth(number).cloned().or_else(|| self.keyword(named)).unwrap_or(Expression::Unknown)
    }

    fn receiver_value(&self) -> Expression {
        match self.receiver {
            Some(receiver) => receiver.clone(),
            // `path.unlink()` where nothing is known of `path`.
            None => match self.path.rsplit_once('.') {
                Some((before, _)) => Expression::dynamic(Cause::Variable(before.to_owned())),
                None => Expression::Unknown,
            },
        }
    }

    /// What the method is called on where that is a value, the first argument elsewhere.
    fn subject(&self) -> Expression {
        self.receiver.cloned().unwrap_or_else(|| self.argument(0))
    }

    fn one(&self, which: Which) -> Expression {
        match which {
            Which::Argument(number) => self.argument(number),
            Which::All => self.argument(0),
            Which::Receiver => self.receiver_value(),
            Which::Either => self.subject(),
        }
    }

    fn values(&self, which: Which) -> Vec<Rc<Value>> {
        match which {
            Which::All if self.positional().next().is_some() => self.positional().flat_map(Expression::to_values).collect(),
            which => self.one(which).to_values(),
        }
    }

    /// The option is given and true, or options are given that are not known.
    fn asks(&self, option: &str) -> bool {
        match self.keyword(&[option]) {
            Some(value) => !matches!(value.path(), Some("false" | "False" | "FALSE" | "0" | "nil")),
            None => self.positional().skip(1).any(|value| matches!(value, Expression::Path(name) if !is_callback(name))),
        }
    }

    fn address(&self) -> Expression {
        self.positional()
            .find(|value| {
                matches!(&*value.to_value(), Value::Known { text, .. } if text.contains("://"))
                    || matches!(&*value.to_value(), Value::Dynamic(partial) if partial.prefix.contains("://"))
            })
            .cloned()
            .unwrap_or_else(|| self.argument(0))
    }

    fn join(&self) -> Expression {
        let mut parts = self.receiver.into_iter().chain(self.positional());
        let Some(first) = parts.next() else { return Expression::Unknown };
        let mut joined = first.clone();
        for part in parts {
            joined = match part {
                // `File.join(list)` and the like.
                Expression::List(values) if values.len() <= 64 => {
                    values.iter().fold(joined, |joined, value| join_path(&joined, &Expression::Text(Rc::clone(value))))
                }
                part => join_path(&joined, part),
            };
        }
        joined
    }
}

/// Names that callbacks have, which stand where options may.
fn is_callback(name: &str) -> bool {
    matches!(name, "callback" | "cb" | "done" | "next" | "resolve" | "reject") || name.starts_with("console.")
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

/// The host of an address.
fn host_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    match host.split_once(':') {
        Some((name, port)) if !host.starts_with('[') && port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// A module's name as a dotted path: `node:fs/promises` is `fs.promises`.
pub(super) fn module_path(module: &str) -> String {
    module.strip_prefix("node:").unwrap_or(module).replace('/', ".")
}
