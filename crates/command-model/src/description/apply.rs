//! From a description's roles to effects.

use sekisho_shell_syntax::span::Span;

use super::read::{Reading, read};
use super::transfer::{Kind, Transfer};
use super::{Action, Program, Role, Which, remote};
use crate::argument::{Argument, Cause, Value};
use crate::carried::{Carried, ShellStart, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Target, WriteMode};

/// What a described command does, and how its words were read.
///
/// The output is left for the caller, who knows more of it for some programs.
pub fn understand<'a>(
    program: &'static Program,
    invocation: &Invocation<'_>,
    arguments: &'a [Argument],
) -> (Understood, Reading<'a>) {
    let posix = (invocation.variable)("POSIXLY_CORRECT").is_some();
    let reading = read(program, arguments, posix);
    let mut understood = Understood { described: true, display: program.display, ..Understood::default() };
    if inert(program, invocation, &reading) {
        understood.inert = true;
        return (understood, reading);
    }
    let mut work = Work::new(program, invocation, &reading);
    work.directory();
    work.environment();
    work.options();
    work.operands();
    work.plain();
    work.structure();
    let Work { effects, carried, .. } = work.finish();
    understood.effects = effects;
    understood.carried = carried;
    (understood, reading)
}

/// An option that makes the program do nothing is there for sure.
fn inert(program: &Program, invocation: &Invocation<'_>, reading: &Reading<'_>) -> bool {
    let stops = |inert: &[&str], id: Option<&str>| id.is_some_and(|id| inert.contains(&id));
    if reading.outer.iter().any(|found| stops(program.root.inert, found.id)) {
        return true;
    }
    let Some(found) = reading.parsed.options.iter().find(|found| stops(reading.level.inert, found.id)) else {
        return false;
    };
    let before = reading.arguments.get(..found.index).unwrap_or_default();
    // A word before it that is not known may be `--` or eat it as its value.
    if before.iter().any(|argument| argument.known().is_none() && argument.may_be_option()) {
        return false;
    }
    // BSD utilities read no options after the first operand: `rm -rf x --help` removes `x` there.
    let bsd = invocation.host.platform() == sekisho_host::Platform::MacOs && program.subcommands.is_empty();
    !bsd || reading.parsed.operands.first().is_none_or(|first| found.index < *first)
}

/// What holds of a role for every word it is applied to.
#[derive(Debug, Clone, Default)]
struct Settled {
    recursive: bool,
    force: bool,
    change: String,
}

struct Work<'w, 'a> {
    program: &'static Program,
    invocation: &'w Invocation<'w>,
    reading: &'w Reading<'a>,
    effects: Vec<Effect>,
    carried: Vec<Carried>,
    transfer: Transfer,
    directory: Option<Value>,
    output_directory: Option<Value>,
    settled: Settled,
    /// Where effects without a word of their own stand.
    span: Span,
}

impl<'w, 'a> Work<'w, 'a> {
    fn new(program: &'static Program, invocation: &'w Invocation<'w>, reading: &'w Reading<'a>) -> Self {
        let span = match (reading.phrase.first(), reading.phrase.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        };
        let transfer = Transfer { remote: reading.level.remote_operands, ..Transfer::default() };
        Self {
            program,
            invocation,
            reading,
            effects: Vec::new(),
            carried: Vec::new(),
            transfer,
            directory: None,
            output_directory: None,
            settled: Settled::default(),
            span,
        }
    }

    /// `-C DIR`, before anything is relative to it.
    fn directory(&mut self) {
        for found in self.reading.options() {
            for role in self.roles_of(found.id) {
                match role.action {
                    Action::Directory => self.directory.clone_from(&found.value),
                    Action::OutputDirectory => self.output_directory.clone_from(&found.value),
                    _ => {}
                }
            }
        }
    }

    /// Variables set for it that it runs or reads.
    fn environment(&mut self) {
        for (name, role) in self.program.environment {
            if let Some(value) = (self.invocation.variable)(name)
                && value.known() != Some("")
            {
                self.apply(role, Some(&value), self.span, None);
            }
        }
    }

    fn roles_of<'i>(&self, id: Option<&'i str>) -> impl Iterator<Item = &'static Role> + use<'i> {
        let options = self.reading.level.options;
        options.iter().filter(move |(known, _)| id == Some(*known)).map(|(_, role)| role)
    }

    fn options(&mut self) {
        let reading = self.reading;
        let directory = self.directory.take();
        // Once for each role, not for each word: a command may have a hundred thousand of both.
        let roles: Vec<_> = reading.level.options.iter().filter(|(_, role)| self.holds(role)).collect();
        for found in reading.options() {
            if found.id.is_none() {
                if !reading.level.open {
                    self.push(EffectKind::Unknown(found.written.clone()), found.span);
                }
                continue;
            }
            for (_, role) in roles.iter().filter(|(id, _)| found.id == Some(*id)) {
                self.apply(role, found.value.as_ref(), found.span, None);
            }
        }
        self.directory = directory;
    }

    fn operands(&mut self) {
        let reading = self.reading;
        let indices = &reading.parsed.operands;
        let count = indices.len();
        for (which, role) in reading.level.operands {
            if !self.holds(role) {
                continue;
            }
            self.settle(role);
            let range = match which {
                Which::All | Which::Key(_) => 0..count,
                Which::At(position) => *position..count.min(position + 1),
                Which::From(position) => *position..count,
                Which::Last => count.saturating_sub(1)..count,
                Which::AllButLast => 0..count.saturating_sub(1),
            };
            for index in indices.get(range).unwrap_or_default() {
                let Some(argument) = reading.arguments.get(*index) else {
                    continue;
                };
                match which {
                    Which::Key(key) => {
                        if let Some(value) = argument.value.without_prefix(&format!("{key}=")) {
                            self.apply(role, Some(&value), argument.span, Some(*index));
                        }
                    }
                    _ => self.apply(role, Some(&argument.value), argument.span, Some(*index)),
                }
                if matches!(role.action, Action::Command) {
                    break;
                }
            }
        }
    }

    fn plain(&mut self) {
        for role in self.reading.level.effects {
            if self.holds(role) {
                self.settle(role);
                let path = role.path.map(Value::literal);
                self.apply(role, path.as_ref(), self.span, None);
            }
        }
        if let Some(word) = self.reading.unknown_word
            && self.reading.dynamic_word.is_none()
            && let Some(text) = word.known()
        {
            self.push(EffectKind::Unknown(format!("{} {text}", self.program.name)), word.span);
            for argument in self.reading.parsed.operands(self.reading.arguments) {
                if argument.known().is_none_or(may_name_a_path) {
                    self.push(EffectKind::Touch(Target::new(argument.value.clone())), argument.span);
                }
            }
        }
    }

    /// Words that are not known where they decide what happens.
    fn structure(&mut self) {
        if let Some(word) = self.reading.dynamic_word {
            self.push(EffectKind::DynamicStructure, word.span);
            return;
        }
        let loses = self.effects.iter().any(|effect| {
            matches!(effect.kind, EffectKind::Delete { .. } | EffectKind::Permissions { .. } | EffectKind::Device(_))
        });
        if !loses || !self.reading.parsed.uncertain {
            return;
        }
        let end = self.reading.parsed.double_dash.unwrap_or(self.reading.arguments.len());
        let before = self.reading.arguments.get(..end).unwrap_or_default();
        // The last word is a target like any other; one before it may turn what follows into something else.
        let last = self.reading.parsed.double_dash.is_none().then(|| before.len().saturating_sub(1));
        let decides = before.iter().enumerate().find(|(index, argument)| {
            let Value::Dynamic(partial) = &argument.value else {
                return false;
            };
            Some(*index) != last
                && argument.may_be_option()
                && (partial.may_split || matches!(partial.cause, Cause::Substitution | Cause::Remote | Cause::Unknown))
        });
        if let Some((_, argument)) = decides {
            self.push(EffectKind::DynamicStructure, argument.span);
        }
    }

    fn finish(mut self) -> Self {
        let transfer = std::mem::take(&mut self.transfer);
        for (kind, span) in transfer.effects(self.invocation.cwd, self.invocation.host) {
            self.push(kind, span);
        }
        if let Some(directory) = &self.directory {
            for carried in &mut self.carried {
                carried.change.directory = Some(directory.clone());
            }
        }
        self
    }

    fn holds(&self, role: &Role) -> bool {
        (role.when.is_empty() || role.when.iter().any(|condition| self.condition(condition)))
            && !role.unless.iter().any(|condition| self.condition(condition))
    }

    /// Answers the conditions of a role before it is applied to many words.
    fn settle(&mut self, role: &Role) {
        self.settled = Settled {
            recursive: self.any(role.recursive),
            force: self.any(role.force),
            change: if role.action == Action::Permissions { self.change() } else { String::new() },
        };
    }

    fn any(&self, conditions: &[&str]) -> bool {
        conditions.iter().any(|condition| self.condition(condition))
    }

    fn condition(&self, condition: &str) -> bool {
        let operands = &self.reading.parsed.operands;
        match condition {
            "always" => true,
            "operands" => !operands.is_empty(),
            "several-operands" => operands.len() > 1,
            "arguments" => !self.invocation.arguments.is_empty(),
            "input" => *self.invocation.input != crate::stream::Stream::Nothing,
            _ if condition.contains('~') => condition.split_once('~').is_some_and(|(id, part)| {
                self.reading.options().any(|found| {
                    found.id == Some(id)
                        && found.value.as_ref().is_some_and(|value| value.display().to_ascii_lowercase().contains(part))
                })
            }),
            _ => match condition.split_once('=') {
                None => self.reading.has(condition),
                Some(("first", word)) => {
                    self.reading.parsed.operand(self.reading.arguments, 0).and_then(Argument::known) == Some(word)
                }
                Some(("word", word)) => self
                    .reading
                    .parsed
                    .operands(self.reading.arguments)
                    .filter_map(Argument::known)
                    .any(|text| text.eq_ignore_ascii_case(word)),
                Some((id, wanted)) => self.reading.options().any(|found| {
                    found.id == Some(id)
                        && found.value.as_ref().and_then(Value::known).is_some_and(|value| value.eq_ignore_ascii_case(wanted))
                }),
            },
        }
    }

    fn service(&self) -> String {
        if self.program.service.is_empty() { self.invocation.program } else { self.program.service }.to_owned()
    }

    fn family(&self) -> Family {
        self.program.family
    }

    fn push(&mut self, kind: EffectKind, span: Span) {
        let mut effect = Effect::new(kind, self.family(), span);
        let writes = matches!(effect.kind, EffectKind::Write(..));
        let output = self.output_directory.as_ref().filter(|_| writes);
        effect.directory = output.or(self.directory.as_ref()).cloned();
        self.effects.push(effect);
    }

    /// Adds what `role` says of `value`. `index`: the word's own, where it is an operand.
    fn apply(&mut self, role: &Role, value: Option<&Value>, span: Span, index: Option<usize>) {
        let standard_stream = value.and_then(Value::known) == Some("-");
        let target = value.cloned().map(Target::new);
        if index.is_some() && self.reading.level.remote_operands && self.elsewhere(role.action, value, span) {
            return;
        }
        if matches!(role.action, Action::Network | Action::Upload)
            && let Some(path) = value.and_then(local_address)
        {
            self.push(EffectKind::Read(Target::new(path)), span);
            return;
        }
        let kind = match (role.action, target) {
            (Action::Read | Action::Write(_) | Action::Use, _) if standard_stream => None,
            (Action::Read, Some(target)) => Some(EffectKind::Read(target)),
            (Action::ReadAfterAt, Some(target)) => {
                let named = target.value.without_prefix("@").filter(|path| path.known() != Some("-"));
                named.map(|value| EffectKind::Read(Target::new(value)))
            }
            (Action::ReadNameAt, Some(target)) => {
                after_mark(&target.value, &["@"]).map(|value| EffectKind::Read(Target::new(value)))
            }
            (Action::ReadField, Some(target)) => {
                after_mark(&target.value, &["=@", "=<"]).map(|value| EffectKind::Read(Target::new(value)))
            }
            (Action::Use, Some(target)) => Some(EffectKind::Use(target)),
            (Action::Mention, Some(target)) => Some(EffectKind::Mention(target)),
            (Action::Metadata, Some(target)) => Some(EffectKind::Metadata(target)),
            (Action::Touch, Some(target)) => Some(EffectKind::Touch(target)),
            (Action::Write(mode), Some(target)) => Some(EffectKind::Write(target, mode)),
            (Action::WriteUrlName, Some(target)) => {
                remote::name_of_address(&target.value).map(|value| EffectKind::Write(Target::new(value), WriteMode::Truncate))
            }
            (Action::Delete, Some(target)) => {
                Some(EffectKind::Delete { target, recursive: self.settled.recursive, force: self.settled.force })
            }
            (Action::Permissions, Some(target)) => {
                let Settled { recursive, change, .. } = self.settled.clone();
                Some(EffectKind::Permissions { target, recursive, change })
            }
            (Action::Device, Some(target)) => Some(EffectKind::Device(target)),
            (Action::Copy, Some(target)) => self.source(Kind::Copy, target, span),
            (Action::Move, Some(target)) => self.source(Kind::Move, target, span),
            (Action::Link, Some(target)) => self.source(Kind::Link, target, span),
            (Action::Destination, Some(target)) => {
                self.transfer.destination = Some((target.value, span));
                self.transfer.into_directory = index.is_none();
                None
            }
            (Action::Network, target) => Some(EffectKind::Network { host: self.host(target), upload: false }),
            (Action::Upload, target) => Some(EffectKind::Network { host: self.host(target), upload: true }),
            (Action::Execute(origin, what), _) => Some(EffectKind::Execute { origin, what: what.to_owned() }),
            (Action::Service(operation), _) => Some(EffectKind::Service {
                service: self.service(),
                operation: operation.to_owned(),
                resource: self.reading.parsed.operand(self.reading.arguments, 0).map(|argument| argument.value.display()),
            }),
            (Action::System(what), _) => Some(EffectKind::System(what.to_owned())),
            (Action::Disclose(what), _) => Some(EffectKind::Disclose(what.to_owned())),
            (Action::Privilege, _) => Some(EffectKind::Privilege),
            (Action::Process { broad }, _) => Some(EffectKind::Process { signal: self.signal(), broad }),
            (Action::Unknown(what), _) => Some(EffectKind::Unknown(what.to_owned())),
            (
                Action::Shell
                | Action::ShellAfter(_)
                | Action::Command
                | Action::Script
                | Action::Code(_)
                | Action::CodeInput(_)
                | Action::ShellInput
                | Action::Directory
                | Action::OutputDirectory,
                _,
            ) => {
                self.carry(role.action, value, span, index);
                None
            }
            (_, None) => None,
        };
        if let Some(kind) = kind {
            self.push(kind, span);
        }
    }

    /// Something done to a path of another machine: it is reached, and what is deleted there is not a file here.
    fn elsewhere(&mut self, action: Action, value: Option<&Value>, span: Span) -> bool {
        let (deletes, writes) = (action == Action::Delete, matches!(action, Action::Write(_)));
        if !deletes && !writes && !matches!(action, Action::Read | Action::Metadata | Action::Mention) {
            return false;
        }
        let platform = self.invocation.host.platform();
        let Some(host) = value.and_then(|value| remote::host_of_operand(value, platform)) else {
            return false;
        };
        if deletes {
            let service = self.service();
            let operation = "remote-delete".to_owned();
            self.push(EffectKind::Service { service, operation, resource: value.map(Value::display) }, span);
        }
        self.push(EffectKind::Network { host: Some(host), upload: deletes || writes }, span);
        true
    }

    fn source(&mut self, kind: Kind, target: Target, span: Span) -> Option<EffectKind> {
        self.transfer.sources.push((kind, target.value, span));
        None
    }

    fn host(&self, target: Option<Target>) -> Option<Value> {
        target.map(|target| remote::host_of_address(&target.value))
    }

    fn carry(&mut self, action: Action, value: Option<&Value>, span: Span, index: Option<usize>) {
        let own = |what| Carried { what, ..Carried::command(Vec::new(), span) };
        let start = ShellStart::Child;
        let carried = match (action, value) {
            (Action::Shell, Some(value)) => Some(Carried::shell(value.clone(), Vec::new(), span)),
            (Action::ShellAfter(mark), Some(value)) => {
                let value = value.without_prefix(":").unwrap_or_else(|| value.clone());
                value.without_prefix(mark).map(|value| Carried::shell(value, Vec::new(), span))
            }
            (Action::Script, Some(value)) => Some(own(What::Script { path: value.clone(), arguments: Vec::new(), start })),
            (Action::Code(language), Some(value)) => Some(own(What::Code { language, source: Some(value.clone()) })),
            (Action::CodeInput(language), _) => Some(own(What::Code { language, source: None })),
            (Action::ShellInput, _) => Some(own(What::StandardInput { start, positional: Vec::new() })),
            (Action::Command, Some(value)) => {
                let words = match index {
                    Some(index) => self.reading.arguments.get(index..).unwrap_or_default().to_vec(),
                    None => vec![Argument::with(value.clone(), span)],
                };
                Some(Carried::command(words, span))
            }
            _ => None,
        };
        self.carried.extend(carried);
    }

    /// The mode, owner or attributes a permissions command sets: an option, or its first operand.
    fn change(&self) -> String {
        let by_option = self.reading.options().find(|found| found.id == Some("mode"));
        match by_option {
            Some(found) => found.value.as_ref().map_or_else(|| found.written.clone(), Value::display),
            None => {
                self.reading.parsed.operand(self.reading.arguments, 0).map(|argument| argument.value.display()).unwrap_or_default()
            }
        }
    }

    fn signal(&self) -> String {
        let named = self.reading.options().find(|found| matches!(found.id, Some("signal" | "signal-name")));
        let text = match named {
            Some(found) => found.value.as_ref().map_or_else(|| found.written.clone(), Value::display),
            None => return "TERM".to_owned(),
        };
        let text = text.trim_start_matches('-').to_ascii_uppercase();
        let text = text.strip_prefix("SIG").unwrap_or(&text);
        match text {
            "9" => "KILL",
            "15" => "TERM",
            "1" => "HUP",
            "2" => "INT",
            "3" => "QUIT",
            "19" => "STOP",
            other => other,
        }
        .to_owned()
    }
}

/// The path of a `file://` address.
fn local_address(value: &Value) -> Option<Value> {
    ["file://localhost", "file://", "FILE://"].iter().find_map(|scheme| value.without_prefix(scheme))
}

/// The path behind one of `marks`, up to a `;` that starts curl's attributes; `-` is standard input.
fn after_mark(value: &Value, marks: &[&str]) -> Option<Value> {
    let text = match value {
        Value::Known { text, .. } => text,
        Value::Glob { pattern } => pattern,
        Value::Dynamic(partial) => &partial.prefix,
    };
    let (at, mark) = marks.iter().filter_map(|mark| text.find(mark).map(|at| (at, *mark))).min()?;
    let end = at + mark.len();
    // Behind anything but a name the mark is text (`--data-urlencode 'mail=a@b'`).
    let before = text.get(..at)?;
    if !before.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | '[' | ']' | '.')) {
        return None;
    }
    let value = value.without_prefix(text.get(..end)?)?;
    match value {
        Value::Known { text, provenance } => {
            let path = text.split(";type=").next().unwrap_or(&text).split(";filename=").next().unwrap_or_default();
            let path = path.trim_matches('"');
            (path != "-").then(|| Value::Known { text: path.to_owned(), provenance })
        }
        other => Some(other),
    }
}

/// A word that may be a path: not empty, one line, no address.
pub fn may_name_a_path(text: &str) -> bool {
    !text.is_empty() && !text.contains('\n') && !text.contains("://") && text.len() < 4096
}
