//! One command whose words are expanded: alias, function, builtin or program.

use sekisho_command_model::{
    Argument, Cause, Effect, EffectKind, Family, Invocation, Origin, Partial, Stream, Understood, Value, understand,
};
use sekisho_shell_syntax::span::Span;

use super::redirect::Redirected;
use crate::builtins;
use crate::engine::{Context, Draft, Engine};
use crate::expansion::chunk::Expanded;
use crate::flow::{Flow, Status, either};
use crate::state::{Content, Slot, State, Variable};

/// What may answer to a command's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Place {
    /// Aliases, functions, builtins, programs.
    #[default]
    Shell,
    /// Builtins and programs (`command`, `builtin`, `exec`).
    Builtins,
    /// Programs: a process of its own.
    Process,
}

/// A command ready to run.
#[derive(Debug, Default)]
pub(crate) struct Call {
    /// Its words, at least one.
    pub(crate) argv: Vec<Expanded>,
    /// Assignments before them.
    pub(crate) prefix: Vec<(String, Value)>,
    /// Its redirections.
    pub(crate) redirected: Redirected,
    /// Its text.
    pub(crate) segment: String,
    /// Where it stands.
    pub(crate) span: Option<Span>,
    /// The text behind its first word, where that word may be an alias.
    pub(crate) alias_tail: Option<String>,
    /// What may answer to its name.
    pub(crate) place: Place,
}

/// The program a command word names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// Last path component without a Windows suffix.
    pub(crate) program: String,
    /// The word as written, where it holds a `/`.
    pub(crate) path: Option<String>,
}

impl Head {
    /// Reads a command word; `None` where the program is not known.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        let (text, path) = match value {
            Value::Known { text, .. } => (text.clone(), text.contains('/').then(|| text.clone())),
            Value::Dynamic(partial) if partial.suffix.contains('/') && !partial.globbed => {
                (partial.suffix.clone(), Some(partial.display()))
            }
            // A pattern for the directory leaves the program's name alone (`/???/rm`).
            Value::Glob { pattern } if pattern.rsplit_once('/').is_some_and(|(_, name)| !has_pattern(name)) => {
                (pattern.clone(), Some(pattern.clone()))
            }
            _ => return None,
        };
        let name = match text.as_str() {
            // A shell has not become another program yet when it looks this name up.
            "/proc/self/exe" => "bash",
            _ => text.rsplit(['/', '\\']).next().unwrap_or(&text),
        };
        let bare = name.len().checked_sub(4).filter(|cut| name.is_char_boundary(*cut)).and_then(|cut| name.split_at_checked(cut));
        let name = match bare {
            Some((stem, suffix))
                if !stem.is_empty() && [".exe", ".com", ".bat", ".cmd"].iter().any(|known| suffix.eq_ignore_ascii_case(known)) =>
            {
                stem
            }
            _ => name,
        };
        if name.is_empty() && path.is_some() {
            return None;
        }
        Some(Self { program: name.to_owned(), path })
    }
}

fn has_pattern(name: &str) -> bool {
    name.contains(['*', '?', '[', '\\'])
}

/// Programs a pattern in a command's place is read as, where it matches one: nobody names a program that way to be brief.
const DESTRUCTIVE: &[&str] = &[
    "rm", "dd", "git", "find", "shred", "mkfs", "mv", "chmod", "chown", "truncate", "unlink", "rmdir", "tee", "cp", "ln", "sudo",
    "env", "sh", "bash", "dash", "zsh", "busybox", "xargs", "cat", "curl", "wget", "nc", "perl", "python", "python3", "sed",
];

/// Programs that print nothing.
const SILENT: &[&str] = &[
    ":", "true", "false", "test", "[", "mkdir", "rm", "rmdir", "cp", "mv", "ln", "touch", "chmod", "chown", "chgrp", "sleep",
    "kill", "truncate", "install", "mkfifo", "unlink",
];

/// Builtins that always succeed as far as this text can say.
const SUCCEEDING: &[&str] = &["echo", "printf", "true", ":", "pwd", "export", "alias", "trap", "umask", "shopt", "wait", "jobs"];

impl Engine<'_> {
    /// Runs a command.
    pub(crate) fn run_call(&mut self, call: Call, mut state: State, context: &Context) -> Flow {
        if !self.charge() {
            return Flow::one(state, Status::Either);
        }
        let saved: Vec<(String, Option<Variable>)> =
            call.prefix.iter().map(|(name, _)| (name.clone(), state.variables.get(name).cloned())).collect();
        for (name, value) in &call.prefix {
            self.run_trace_prompt(name, value, &state, context);
            state.assign(name, value.clone());
            state.export(name);
        }
        let mut flow = self.run_named(&call, state, context);
        let output = std::mem::take(&mut flow.output);
        let mut down: Option<Stream> = None;
        for (state, _) in &mut flow.states {
            let left = self.deliver(output.clone(), &call.redirected, state);
            down.get_or_insert(left);
        }
        flow.output = down.unwrap_or(output);
        if !saved.is_empty() {
            let states = flow.states.iter_mut().map(|(state, _)| state).chain(flow.escapes.iter_mut().map(|(state, _)| state));
            for state in states {
                let variables = std::rc::Rc::make_mut(&mut state.variables);
                for (name, before) in &saved {
                    match before {
                        Some(variable) => variables.insert(name.clone(), variable.clone()),
                        None => variables.remove(name),
                    };
                }
            }
        }
        flow
    }

    fn run_named(&mut self, call: &Call, state: State, context: &Context) -> Flow {
        let Some(first) = call.argv.first() else { return Flow::one(state, Status::Success) };
        let Some(head) = Head::of(&first.argument.value) else { return self.run_unknown(call, state, context) };
        if call.place == Place::Shell && head.path.is_none() {
            self.run_alias(call, &head, &state, context);
            if let Some(function) = state.functions.get(&head.program).cloned() {
                let flow = self.run_function(call, &head, &function, state.clone(), context);
                if function.always {
                    return flow;
                }
                let mut flow = flow;
                flow.or(self.run_program(call, &head, state, &context.uncertain()), false);
                return flow;
            }
        }
        self.run_program(call, &head, state, context)
    }

    /// A command whose name is not known.
    fn run_unknown(&mut self, call: &Call, state: State, context: &Context) -> Flow {
        let Some(first) = call.argv.first().map(|first| &first.argument) else { return Flow::one(state, Status::Either) };
        let origin = match &first.value {
            Value::Dynamic(partial) if partial.cause == Cause::Remote => Origin::Fetched,
            _ => Origin::UnknownProgram,
        };
        let kind = EffectKind::Execute { origin, what: first.value.display() };
        let mut effects = vec![Effect::new(kind, Family::General, first.span)];
        effects.extend(call.redirected.effects.iter().cloned());
        let vanishes = matches!(&first.value, Value::Dynamic(partial) if partial.may_split && partial.may_be_empty && partial.prefix.is_empty() && partial.suffix.is_empty());
        let draft = Draft {
            argv: call.argv.iter().map(|word| word.argument.clone()).collect(),
            effects,
            segment: call.segment.clone(),
            span: call.span,
            ..Draft::default()
        };
        self.emit(draft, &state, context);
        let rest: Vec<Argument> = call.argv.iter().skip(1).map(|word| word.argument.clone()).collect();
        let context = &self.input_of(call, context);
        let shell_option = |word: &Argument| word.known().is_some_and(|text| text.starts_with('-') && text.ends_with('c'));
        if is_own_shell(&first.value) && rest.first().is_some_and(shell_option) {
            let words = std::iter::once(Argument::literal("sh")).chain(rest).collect();
            self.run_words(words, Place::Process, state.clone(), &context.uncertain());
        } else if let Some(name) = likely_program(&first.value) {
            let words = std::iter::once(Argument::literal(name)).chain(rest).collect();
            self.run_words(words, Place::Process, state.clone(), &context.uncertain());
        } else if vanishes && rest.first().is_some_and(|word| !word.may_be_option()) {
            // `$SUDO rm x`: with nothing in the variable the rest is the command.
            self.run_words(rest, Place::Process, state.clone(), &context.uncertain());
        } else {
            self.scan(&rest, &state, context);
        }
        Flow::one(state, Status::Either).with_output(Stream::Unknown)
    }

    /// The context with the command's own input.
    fn input_of(&self, call: &Call, context: &Context) -> Context {
        match &call.redirected.input {
            Some(input) => context.with_input(input.clone()),
            None => context.clone(),
        }
    }

    /// Runs words that a program or this walk made up.
    pub(crate) fn run_words(&mut self, words: Vec<Argument>, place: Place, state: State, context: &Context) -> Flow {
        if words.is_empty() {
            return Flow::one(state, Status::Success);
        }
        let words: Vec<Argument> = words.into_iter().map(|word| self.markers.decode(word)).collect();
        let segment = words.iter().map(|word| word.value.display()).collect::<Vec<_>>().join(" ");
        let argv = words.into_iter().map(super::simple::made).collect();
        self.run_call(Call { argv, segment, place, ..Call::default() }, state, context)
    }

    /// Asks what a program does.
    pub(crate) fn ask(&self, head: &Head, arguments: &[Argument], input: &Stream, state: &State) -> Understood {
        let variable = |name: &str| self.environment_value(name, state);
        understand(&Invocation {
            program: &head.program,
            program_path: head.path.as_deref(),
            arguments,
            input,
            variable: &variable,
            cwd: state.cwd.path(),
            host: self.start.host,
        })
    }

    /// A variable as a child process sees it; `None` where the text says nothing of it.
    fn environment_value(&self, name: &str, state: &State) -> Option<Value> {
        match state.variables.get(name) {
            Some(variable) if variable.exported => match &variable.content {
                Content::Scalar(slots) => match slots.as_slice() {
                    [Slot::Value(value)] => Some(value.clone()),
                    [Slot::Unset] => None,
                    _ => Some(crate::expansion::variable::unknown(name)),
                },
                Content::Array(_) => None,
            },
            Some(_) => None,
            None => match name {
                "HOME" | "PWD" | "USER" => match self.inherited(name, state) {
                    Slot::Value(value) => Some(value),
                    Slot::Unset => None,
                },
                _ => None,
            },
        }
    }

    fn run_program(&mut self, call: &Call, head: &Head, mut state: State, context: &Context) -> Flow {
        let context = &self.input_of(call, context);
        let mut argv: Vec<Argument> = call.argv.iter().map(|word| word.argument.clone()).collect();
        let arguments = argv.split_off(1);
        let mut understood = self.ask(head, &arguments, &context.input, &state);
        let builtin = head.path.is_none() && call.place != Place::Process && builtins::is_builtin(&head.program);
        if builtins::is_builtin(&head.program) && !understood.described {
            understood = Understood { described: true, display: true, output: Stream::Nothing, ..Understood::default() };
        }
        if !understood.described && self.start.transparent_wrappers.contains(&head.program) {
            understood = transparent(&arguments);
        }
        if understood.inert {
            understood = Understood { output: understood.output, described: true, display: true, ..Understood::default() };
        }
        let Understood { mut effects, carried, output, described, display, unknown_runner, .. } = understood;
        let jobs = self.prepare(carried, call, head, described, &mut effects, &state, context);
        self.follow_files(&head.program, &arguments, &effects, &context.input, &mut state);
        let mut all = effects;
        all.extend(call.redirected.effects.iter().cloned());
        argv.extend(arguments.iter().cloned());
        let draft = Draft {
            argv,
            program: Some(head.program.clone()),
            effects: all,
            described,
            segment: call.segment.clone(),
            span: call.span,
        };
        self.emit(draft, &state, context);
        if !described && !display && unknown_runner {
            self.scan(&arguments, &state, context);
        }
        self.run_makefile(&head.program, &arguments, &state, context);
        let mut flow = Flow::one(state, status_of(&head.program));
        let mut printed: Option<Stream> = None;
        for job in jobs {
            let mut next = Flow::default();
            for (index, (state, _)) in std::mem::take(&mut flow.states).into_iter().enumerate() {
                let ran = self.run_job(&job, head, state, context);
                next.or(ran, index == 0);
            }
            printed = Some(match printed {
                Some(before) => either(before, next.output),
                None => next.output,
            });
            flow.states = next.states;
            flow.escapes.extend(next.escapes);
        }
        if builtin {
            let mut next = Flow::default();
            for (index, (state, status)) in std::mem::take(&mut flow.states).into_iter().enumerate() {
                let ran = self.run_builtin(&head.program, &arguments, state, status, context);
                next.or(ran, index == 0);
            }
            flow.states = next.states;
            flow.escapes.extend(next.escapes);
        }
        flow.output = self.output_of(call, head, output, printed, builtin, &flow, context);
        flow
    }

    /// The commands of a makefile that the text itself wrote.
    fn run_makefile(&mut self, program: &str, arguments: &[Argument], state: &State, context: &Context) {
        use sekisho_command_model::programs::makefile;
        if !makefile::PROGRAMS.contains(&program) || state.files.is_empty() {
            return;
        }
        let after = |names: &[&str]| {
            let at = arguments.iter().position(|word| word.known().is_some_and(|text| names.contains(&text)))?;
            arguments.get(at + 1).map(|word| word.value.clone())
        };
        let directory = after(&["-C", "--directory"]).map_or(String::new(), |value| format!("{}/", value.display()));
        let named: Vec<Value> = match after(&["-f", "--file", "--makefile"]) {
            Some(file) => vec![file],
            None => makefile::FILES.iter().map(|name| Value::literal(format!("{directory}{name}"))).collect(),
        };
        let written = named.iter().find_map(|file| {
            let key = self.file_key(file, state)?;
            state.files.get(&key).map(|contents| contents.to_vec())
        });
        for content in written.into_iter().flatten() {
            if let crate::state::Written::Text(text) = content {
                let shell = makefile::shell_text(&text);
                self.run_text(&shell, vec![state.child_process()], None, &context.uncertain());
            }
        }
    }

    /// What a command prints.
    #[allow(clippy::too_many_arguments, reason = "each is another source of what is known")]
    fn output_of(
        &mut self,
        call: &Call,
        head: &Head,
        own: Stream,
        carried: Option<Stream>,
        builtin: bool,
        flow: &Flow,
        context: &Context,
    ) -> Stream {
        if let Some(found) = located(head, &call.argv) {
            return found;
        }
        let output = match (own, carried) {
            (Stream::Nothing | Stream::Unknown, Some(carried)) => carried,
            (Stream::Nothing, None) if !builtin && !SILENT.contains(&head.program.as_str()) => Stream::Unknown,
            (own, _) => own,
        };
        let output = match output {
            Stream::FileContent(path) => match flow.states.first() {
                Some((state, _)) => self.content_of(&Value::literal(path), state),
                None => Stream::FileContent(path),
            },
            other => other,
        };
        if output != Stream::Unknown {
            return output;
        }
        // What was fetched stays so through any filter that is not understood.
        let from_process = call.argv.iter().any(|word| {
            matches!(&word.argument.value, Value::Dynamic(partial) if self.processes.get(&partial.prefix) == Some(&Stream::Remote))
        });
        match *context.input {
            Stream::Remote => Stream::Remote,
            _ if from_process => Stream::Remote,
            _ => output,
        }
    }

    /// Looks for a command among the words of a program nobody described: it may run one.
    fn scan(&mut self, words: &[Argument], state: &State, context: &Context) {
        let mut found = 0;
        for index in 0..words.len().min(32) {
            let (Some(word), Some(rest)) = (words.get(index), words.get(index + 1..)) else { return };
            let Some(text) = word.known().filter(|text| !text.is_empty() && !text.contains(char::is_whitespace)) else { continue };
            if text.starts_with('-') || (text.contains('/') && !text.starts_with('/')) {
                continue;
            }
            let Some(head) = Head::of(&word.value) else { continue };
            let understood = self.ask(&head, rest, &context.input, state);
            if !understood.described
                || understood.inert
                || understood.display
                || (!matters(&understood.effects) && understood.carried.is_empty())
            {
                continue;
            }
            if context.wrappers >= crate::engine::WRAPPERS {
                self.limit(crate::Limit::DerivedWork);
                return;
            }
            found += 1;
            let inner = Context { wrappers: context.wrappers + 1, ..context.uncertain() };
            self.step("embedded-command", text, context);
            let tail: Vec<Argument> = std::iter::once(word).chain(rest).cloned().collect();
            self.run_words(tail, Place::Process, state.child_process(), &inner);
            if found >= 4 {
                return;
            }
        }
    }
}

/// `$0`: at the top of a text that is the shell itself.
fn is_own_shell(value: &Value) -> bool {
    matches!(value, Value::Dynamic(partial)
        if partial.cause == Cause::Variable("0".to_owned()) && partial.prefix.is_empty() && partial.suffix.is_empty())
}

/// The program a command word may well name that is not known: a pattern that matches one that does harm, or text around
/// something that may be nothing (`r${x}m`, `r$@m`).
fn likely_program(value: &Value) -> Option<String> {
    match value {
        Value::Glob { pattern } => {
            let name = pattern.rsplit('/').next().unwrap_or(pattern);
            let matcher = crate::expansion::pattern::Pattern::parse(name)?;
            DESTRUCTIVE.iter().find(|known| matcher.matches_all(known)).map(|known| (*known).to_owned())
        }
        Value::Dynamic(partial) if partial.may_be_empty && !partial.globbed => {
            let text = format!("{}{}", partial.prefix, partial.suffix);
            (!partial.prefix.is_empty() && !partial.suffix.is_empty() && !text.contains(char::is_whitespace)).then_some(text)
        }
        _ => None,
    }
}

/// `which rm`, `command -v rm`, `type -P rm`: some path that ends in the name.
fn located(head: &Head, argv: &[Expanded]) -> Option<Stream> {
    let words: Option<Vec<&str>> = argv.iter().skip(1).map(|word| word.argument.known()).collect();
    let name = match (head.program.as_str(), words?.as_slice()) {
        ("which", [name]) | ("command", ["-v", name]) | ("type", ["-P" | "-p", name]) => *name,
        _ => return None,
    };
    let plain = !name.is_empty() && !name.starts_with('-') && !name.contains(['/', ' ']);
    let partial = Partial { suffix: format!("/{name}"), may_be_empty: false, ..Partial::unknown(Cause::Substitution) };
    plain.then(|| Stream::Words(vec![Value::Dynamic(partial)]))
}

/// Effects that make a program worth looking for among another's words. `env` and `set` are sub-commands of many programs, and
/// print what those programs say.
fn matters(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| {
        !matches!(&effect.kind, EffectKind::Disclose(what) if what == "environment")
            && !matches!(
                effect.kind,
                EffectKind::Read(_)
                    | EffectKind::Metadata(_)
                    | EffectKind::Use(_)
                    | EffectKind::Mention(_)
                    | EffectKind::Touch(_)
                    | EffectKind::Unknown(_)
            )
    })
}

/// A wrapper the user declared: its operands are the command.
fn transparent(arguments: &[Argument]) -> Understood {
    let start = arguments.iter().position(|word| !word.may_be_option()).unwrap_or(arguments.len());
    let words = arguments.get(start..).unwrap_or_default().to_vec();
    let carried = if words.is_empty() { Vec::new() } else { vec![sekisho_command_model::Carried::command(words, Span::default())] };
    Understood { described: true, carried, output: Stream::Unknown, ..Understood::default() }
}

fn status_of(program: &str) -> Status {
    match program {
        "false" => Status::Failure,
        name if SUCCEEDING.contains(&name) => Status::Success,
        _ => Status::Either,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_named_by_their_last_component() {
        for (word, program) in [("/bin/rm", "rm"), ("git", "git"), ("C:\\Git\\git.EXE", "git"), ("./x/rm", "rm"), (".exe", ".exe")]
        {
            assert_eq!(Head::of(&Value::literal(word)).unwrap().program, program, "{word}");
        }
    }
}
