//! What a command runs in turn, followed with the shell's state.

use std::rc::Rc;

use sekisho_command_model::carried::What;
use sekisho_command_model::effect::Selection;
use sekisho_command_model::{
    Argument, Carried, Cause, Change, Effect, EffectKind, Family, Origin, Scope, ShellStart, Stream, Target, Value, inline,
};
use sekisho_shell_syntax::posix;
use sekisho_shell_syntax::span::Span;
use sekisho_shell_syntax::tree::{IssueCode, Status as ParseStatus};

use super::runner::{Call, Head, Place};
use super::scripts::Script;
use crate::engine::{Context, Engine, RECURSION, WRAPPERS};
use crate::flow::{Escape, Flow, Status};
use crate::state::{Positional, State};
use crate::{Directory, Limit, Unparsed, directory};

/// Something to follow.
#[derive(Debug)]
pub(super) struct Job {
    work: Work,
    change: Change,
    certain: bool,
    input: Option<Stream>,
    family: Option<Family>,
    span: Span,
}

#[derive(Debug)]
enum Work {
    /// A command.
    Words(Vec<Argument>),
    /// Shell text, one of these.
    Texts {
        texts: Vec<String>,
        start: ShellStart,
        /// `$0`, `$1` …; `None`: the shell's own.
        zero: Option<Value>,
        words: Option<Vec<Value>>,
        from_disk: bool,
    },
}

/// Carried texts that are kept for whoever looks at syntax.
const CARRIED: usize = 64;

impl Engine<'_> {
    /// Turns what a command carries into work; what cannot be followed becomes an effect.
    #[allow(clippy::too_many_arguments, reason = "the command, what is known of it and what surrounds it")]
    pub(super) fn prepare(
        &mut self,
        carried: Vec<Carried>,
        call: &Call,
        head: &Head,
        described: bool,
        effects: &mut Vec<Effect>,
        state: &State,
        context: &Context,
    ) -> Vec<Job> {
        let mut jobs = Vec::new();
        let mut templates: Vec<Span> = Vec::new();
        if matches!(head.program.as_str(), "source" | ".") {
            self.prepare_process_source(call, effects, state, context, &mut jobs);
        }
        // Code may carry commands, which carry nothing yet: two levels at most.
        let mut pending: Vec<Carried> = carried.into_iter().rev().collect();
        let mut codes = 0;
        while let Some(one) = pending.pop() {
            let Carried { what, change, certain, input, family, span } = one;
            let own_input = input.clone().unwrap_or_else(|| (*context.input).clone());
            let job = |work: Work| Job { work, change: change.clone(), certain, input: input.clone(), family, span };
            let execute =
                |origin: Origin| Effect::new(EffectKind::Execute { origin, what: head.program.clone() }, Family::General, span);
            match what {
                What::Command(words) => jobs.push(job(Work::Words(words))),
                What::Shell { source, positional, start } => {
                    let (zero, words) = split_positional(positional);
                    let texts = match &source {
                        // The same text again, in the model's own terms: it was followed with its unknown parts in place.
                        Value::Known { .. } if templates.contains(&span) && !certain => continue,
                        Value::Known { text, .. } => vec![text.clone()],
                        Value::Glob { pattern } => vec![pattern.clone()],
                        Value::Dynamic(partial) => {
                            let (text, whole) = self.template(&source, call);
                            if partial.cause == Cause::Remote {
                                effects.push(execute(Origin::Fetched));
                            } else if whole && !has_unknown_execution(effects) {
                                effects.push(execute(if partial.cause == Cause::Temporary {
                                    Origin::Local
                                } else {
                                    Origin::Unknown
                                }));
                            }
                            if whole {
                                continue;
                            }
                            templates.push(span);
                            vec![text]
                        }
                    };
                    jobs.push(job(Work::Texts { texts, start, zero, words: Some(words), from_disk: false }));
                }
                What::Script { path, arguments, start } => {
                    let direct = !described;
                    let script = self.script(&path, direct, state, context);
                    let words: Vec<Value> = arguments.into_iter().map(|argument| argument.value).collect();
                    self.script_effects(&script, head, span, effects);
                    if let (Some(language), [text]) = (script.language, script.texts.as_slice()) {
                        if codes < 16 {
                            codes += 1;
                            self.code(language, text, span, effects, &mut pending);
                        }
                    } else if !script.texts.is_empty() {
                        let keeps = start == ShellStart::Same && words.is_empty();
                        jobs.push(job(Work::texts(script, start, Some(path), (!keeps).then_some(words))));
                    }
                }
                What::StandardInput { start, positional } => {
                    let script = self.input_script(&own_input, state, context);
                    self.script_effects(&script, head, span, effects);
                    let words = positional.into_iter().map(|argument| argument.value).collect();
                    if !script.texts.is_empty() {
                        jobs.push(job(Work::texts(script, start, None, Some(words))));
                    }
                }
                What::Code { language, source } => {
                    let script = match source {
                        Some(Value::Known { text, .. }) => Script { texts: vec![text], ..Script::default() },
                        Some(value @ Value::Dynamic(_)) => {
                            let (text, whole) = self.template(&value, call);
                            let remote = matches!(&value, Value::Dynamic(partial) if partial.cause == Cause::Remote);
                            let origins = if remote {
                                vec![Origin::Fetched]
                            } else if whole {
                                vec![Origin::Unknown]
                            } else {
                                Vec::new()
                            };
                            Script { texts: if whole { Vec::new() } else { vec![text] }, origins, ..Script::default() }
                        }
                        Some(Value::Glob { pattern }) => Script { texts: vec![pattern], ..Script::default() },
                        None => self.input_script(&own_input, state, context),
                    };
                    let mut script = script;
                    if language == "sql" && script.origins.iter().any(|origin| matches!(origin, Origin::Unknown | Origin::Decoded))
                    {
                        // A dump or script for a database client is as unread on its standard input as behind `-f`.
                        script.origins.retain(|origin| !matches!(origin, Origin::Unknown | Origin::Decoded));
                        let what = format!("script:{}", head.program);
                        effects.push(Effect::new(EffectKind::Execute { origin: Origin::Unknown, what }, Family::General, span));
                    }
                    self.script_effects(&script, head, span, effects);
                    for text in script.texts.iter().take(8) {
                        if codes < 16 {
                            codes += 1;
                            self.code(language, text, span, effects, &mut pending);
                            inline_marker(language, effects, span);
                        }
                    }
                }
                What::CodeFile { language, path } => {
                    let script = self.script(&path, false, state, context);
                    if matches!(path, Value::Dynamic(_)) && script.origins == [Origin::Unknown] {
                        let what = format!("script:{}", head.program);
                        effects.push(Effect::new(EffectKind::Execute { origin: Origin::Unknown, what }, Family::General, span));
                    } else {
                        self.script_effects(&script, head, span, effects);
                    }
                    for text in script.texts.iter().filter(|_| !script.from_disk).take(8) {
                        if codes < 16 {
                            codes += 1;
                            self.code(language, text, span, effects, &mut pending);
                        }
                    }
                }
            }
        }
        jobs
    }

    /// `source <(…)`: the file is what the commands print.
    fn prepare_process_source(
        &mut self,
        call: &Call,
        effects: &mut Vec<Effect>,
        state: &State,
        context: &Context,
        jobs: &mut Vec<Job>,
    ) {
        let operand = call.argv.iter().skip(1).find(|word| word.argument.known() != Some("--"));
        let Some(word) = operand else { return };
        let Value::Dynamic(partial) = &word.argument.value else { return };
        let Some(stream) = self.processes.get(&partial.prefix).cloned() else { return };
        let span = word.argument.span;
        effects.retain(|effect| !matches!(effect.kind, EffectKind::Execute { .. }));
        let mut script = self.input_script(&stream, state, context);
        if script.origins == [Origin::Unknown] && self.generators.contains(&partial.prefix) {
            script.origins = vec![Origin::Generator];
        }
        for origin in &script.origins {
            effects.push(Effect::new(EffectKind::Execute { origin: *origin, what: "source".to_owned() }, Family::General, span));
        }
        if !script.texts.is_empty() {
            let work = Work::texts(script, ShellStart::Same, None, None);
            jobs.push(Job { work, change: Change::default(), certain: true, input: None, family: None, span });
        }
    }

    /// A value that is not known, as text with markers; `true` where nothing of it is known. The word it came from says more
    /// than the value does.
    fn template(&mut self, source: &Value, call: &Call) -> (String, bool) {
        let pieces =
            call.argv.iter().find(|word| word.argument.value == *source && !word.pieces.is_empty()).map(|word| word.pieces.clone());
        let text = match &pieces {
            Some(pieces) => self.text_of_chunks(pieces),
            None => self.markers.text_of(source),
        };
        let whole = self.markers.split(text.trim()).iter().all(|stretch| match stretch {
            crate::markers::Stretch::Text(text) => text.trim().is_empty(),
            crate::markers::Stretch::Unknown(_) => true,
        });
        (text, whole)
    }

    fn script_effects(&self, script: &Script, head: &Head, span: Span, effects: &mut Vec<Effect>) {
        for origin in &script.origins {
            let known =
                effects.iter().any(|effect| matches!(&effect.kind, EffectKind::Execute { origin: own, .. } if own == origin));
            if !known {
                effects.push(Effect::new(
                    EffectKind::Execute { origin: *origin, what: head.program.clone() },
                    Family::General,
                    span,
                ));
            }
        }
    }

    /// Code of another language: its calls are effects of the command, what it runs is followed.
    fn code(&mut self, language: &'static str, text: &str, span: Span, effects: &mut Vec<Effect>, pending: &mut Vec<Carried>) {
        let code = inline::read(language, text, self.start.host.home(), span);
        for literal in &code.literals {
            let is_path = literal.contains(['/', '.', '~']) && !literal.contains(char::is_whitespace) && literal.len() <= 1024;
            let named = effects.iter().chain(&code.effects).any(|effect| match &effect.kind {
                EffectKind::Read(target)
                | EffectKind::Write(target, _)
                | EffectKind::Delete { target, .. }
                | EffectKind::Touch(target) => target.value.known() == Some(literal),
                _ => false,
            });
            if is_path && !named {
                let target = Target { value: Value::literal(literal.as_str()), selection: None::<Selection> };
                effects.push(Effect::new(EffectKind::Touch(target), Family::Interpreter, span));
            }
        }
        effects.extend(code.effects);
        let said = effects.iter().any(|effect| matches!(effect.kind, EffectKind::Execute { origin: Origin::Inline, .. }));
        if !code.harmless && !said {
            effects.push(Effect::new(
                EffectKind::Execute { origin: Origin::Inline, what: language.to_owned() },
                Family::Interpreter,
                span,
            ));
        }
        pending.extend(code.carried.into_iter().rev());
    }

    /// Follows one job.
    pub(super) fn run_job(&mut self, job: &Job, head: &Head, state: State, context: &Context) -> Flow {
        let mut inner = Context { certain: context.certain && job.certain, ..context.clone() };
        if let Some(input) = &job.input {
            inner.input = Rc::new(input.clone());
        }
        inner.family = job.family.or(context.family);
        inner.privileged |= job.change.privileged;
        if context.outermost {
            inner.anchor = Some(job.span);
        }
        match &job.work {
            Work::Words(words) => {
                if context.wrappers >= WRAPPERS {
                    self.limit(Limit::DerivedWork);
                    return Flow::one(state, Status::Either);
                }
                inner.wrappers += 1;
                let same_shell = matches!(head.program.as_str(), "command" | "builtin" | "exec") && head.path.is_none();
                if same_shell && job.change == Change::default() {
                    return self.run_words(words.clone(), Place::Builtins, state, &inner);
                }
                let mut outer = state;
                let mut child = outer.child_process();
                self.surround(&job.change, &mut child, &mut inner);
                self.step("wrapper", head.program.as_str(), context);
                let flow = self.run_words(words.clone(), Place::Process, child, &inner);
                let output = flow.output.clone();
                if *inner.scope == *context.scope {
                    outer.absorb_files(&flow.ends());
                }
                Flow::one(outer, Status::Either).with_output(output)
            }
            Work::Texts { texts, start, zero, words, from_disk } => {
                self.step(if *from_disk { "script" } else { "shell-wrapper" }, head.program.as_str(), context);
                if context.depth >= RECURSION {
                    if !from_disk {
                        self.limit(Limit::Recursion);
                    }
                    return Flow::one(state, Status::Either);
                }
                inner.wrappers = 0;
                inner.script |= *from_disk;
                inner.certain &= texts.len() == 1;
                let mut outer = state;
                let mut entry = match start {
                    ShellStart::Same | ShellStart::Later => outer.clone(),
                    ShellStart::Child => outer.child_process(),
                };
                self.surround(&job.change, &mut entry, &mut inner);
                if let Some(words) = words {
                    let exact = words.iter().all(|value| match value {
                        Value::Known { .. } => true,
                        Value::Glob { .. } => false,
                        Value::Dynamic(partial) => !partial.may_split,
                    });
                    let decoded = words.iter().map(|value| self.markers.decode_value(value.clone())).collect();
                    entry.positional = Rc::new(Positional {
                        zero: zero.clone().map(|zero| self.markers.decode_value(zero)).or_else(|| entry.positional.zero.clone()),
                        words: exact.then_some(decoded),
                    });
                }
                let positional = outer.positional.clone();
                let mut result = Flow::default();
                for (index, text) in texts.iter().enumerate() {
                    let flow = if *from_disk {
                        self.run_disk_text(text, entry.clone(), &inner)
                    } else {
                        self.run_text(text, vec![entry.clone()], None, &inner)
                    };
                    result.or(flow, index == 0);
                }
                if *start == ShellStart::Same {
                    let mut escapes = Vec::new();
                    for (state, escape) in std::mem::take(&mut result.escapes) {
                        match escape {
                            Escape::Return if words.is_some() || *from_disk || head.program != "eval" => {
                                result.states.push((state, Status::Either))
                            }
                            other => escapes.push((state, other)),
                        }
                    }
                    result.escapes = escapes;
                    if words.is_some() {
                        for (state, _) in &mut result.states {
                            state.positional = positional.clone();
                        }
                    }
                    return result;
                }
                let output = result.output.clone();
                if *start == ShellStart::Child && *inner.scope == *context.scope {
                    outer.absorb_files(&result.ends());
                }
                let output = if *start == ShellStart::Later { Stream::Nothing } else { output };
                Flow::one(outer, Status::Either).with_output(output)
            }
        }
    }

    /// Applies how the surroundings of what is carried differ.
    fn surround(&mut self, change: &Change, state: &mut State, context: &mut Context) {
        if change.clear_environment {
            state.variables = Rc::default();
            state.bare = true;
        }
        for name in &change.unset {
            state.assign_slot(name, crate::state::Slot::Unset);
        }
        for (name, value) in &change.environment {
            let value = self.markers.decode_value(value.clone());
            state.assign(name, value);
            state.export(name);
        }
        if change.home_unknown {
            state.home_unknown = true;
            Rc::make_mut(&mut state.variables).remove("HOME");
        }
        if let Some(scope) = &change.scope {
            if *scope != Scope::Host {
                state.cwd = Directory::Unknown;
                state.home_unknown = true;
                state.files = Rc::default();
                state.made = Rc::default();
            }
            context.scope = Rc::new(scope.clone());
        }
        if change.unknown_directory {
            state.cwd = Directory::Unknown;
        }
        if let Some(path) = &change.directory {
            state.cwd = match (path.known(), state.cwd.path()) {
                (Some(path), base) if base.is_some() || directory::is_absolute(path) => {
                    let base = base.unwrap_or("/").to_owned();
                    if *context.scope == Scope::Host {
                        let made = state.made.clone();
                        directory::enter(self.start.host, &base, path, &|path| made.contains(path)).unwrap_or(Directory::Unknown)
                    } else {
                        Directory::Known { path: directory::join(&base, path), exists: false }
                    }
                }
                _ => Directory::Unknown,
            };
        }
    }

    /// Reads `text` and runs it, one level deeper.
    pub(crate) fn run_text(&mut self, text: &str, states: Vec<State>, anchor: Option<Span>, context: &Context) -> Flow {
        let stay = |states: Vec<State>| Flow {
            states: states.into_iter().map(|state| (state, Status::Either)).collect(),
            ..Flow::default()
        };
        if text.trim().is_empty() {
            return stay(states);
        }
        if context.depth >= RECURSION {
            self.limit(Limit::Recursion);
            return stay(states);
        }
        let program = posix::parse(text);
        let depth = context.depth + 1;
        self.judge(&program, text, depth);
        if program.status == ParseStatus::Limited || !self.derive(program.word_count) {
            return stay(states);
        }
        let inner = Context {
            depth,
            source: text.into(),
            outermost: false,
            anchor: if context.outermost { anchor.or(context.anchor) } else { context.anchor },
            tested: false,
            ..context.clone()
        };
        self.step("recurse", text, &inner);
        let flow = self.run_list(&program.body, states, &inner);
        let carried = &mut self.analysis.carried;
        if carried.len() < CARRIED && !carried.iter().any(|(known, _)| known == text) {
            carried.push((text.to_owned(), program));
        }
        flow
    }

    /// Notes a text that has no structure, or too much.
    pub(crate) fn judge(&mut self, program: &sekisho_shell_syntax::tree::Program, text: &str, depth: u32) {
        let open = program.issues.iter().any(|issue| {
            matches!(
                issue.code,
                IssueCode::UnclosedSingleQuote
                    | IssueCode::UnclosedDoubleQuote
                    | IssueCode::UnclosedAnsiQuote
                    | IssueCode::UnclosedArithmetic
                    | IssueCode::UnclosedSubstitution
            )
        });
        let here_document = program.issues.iter().any(|issue| {
            matches!(
                issue.code,
                IssueCode::UnterminatedHereDocument
                    | IssueCode::MissingHereDocumentDelimiter
                    | IssueCode::AmbiguousHereDocumentDelimiter
            )
        });
        match program.status {
            ParseStatus::Complete => {}
            ParseStatus::Partial if !open && !here_document => {}
            ParseStatus::Partial | ParseStatus::Invalid => {
                if self.analysis.unparsed.len() < 64 {
                    self.analysis.unparsed.push(Unparsed { text: text.to_owned(), status: program.status, depth, here_document });
                }
            }
            ParseStatus::Limited => self.limit(Limit::Structure),
        }
    }

    /// Runs a script that was read from this machine. It may only add what is certain: one that cannot be followed is what it
    /// would have been unread, a local program.
    fn run_disk_text(&mut self, text: &str, state: State, context: &Context) -> Flow {
        let marks = (self.analysis.executions.len(), self.analysis.limits.clone(), self.analysis.unparsed.len());
        let budget = self.enter_script();
        let flow = self.run_text(text, vec![state.clone()], None, context);
        self.leave_script(budget);
        if self.analysis.limits.len() > marks.1.len() || self.analysis.unparsed.len() > marks.2 {
            self.analysis.executions.truncate(marks.0);
            self.analysis.limits = marks.1;
            self.analysis.unparsed.truncate(marks.2);
            return Flow::one(state, Status::Either).with_output(Stream::Unknown);
        }
        flow
    }
}

impl Work {
    fn texts(script: Script, start: ShellStart, zero: Option<Value>, words: Option<Vec<Value>>) -> Self {
        Self::Texts { texts: script.texts, start, zero, words, from_disk: script.from_disk }
    }
}

/// `$0` and the words after it.
fn split_positional(positional: Vec<Argument>) -> (Option<Value>, Vec<Value>) {
    let mut values = positional.into_iter().map(|argument| argument.value);
    let zero = values.next();
    (zero, values.collect())
}

/// The command is already known to run something unknown.
fn has_unknown_execution(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| {
        matches!(
            effect.kind,
            EffectKind::Execute {
                origin: Origin::Unknown | Origin::Generator | Origin::Fetched | Origin::Decoded | Origin::Input,
                ..
            }
        )
    })
}

/// Says that code was given with the command itself, harmless or not: some policies refuse that alone.
fn inline_marker(language: &str, effects: &mut Vec<Effect>, span: Span) {
    let what = format!("inline:{language}");
    let marked = |effect: &Effect| matches!(&effect.kind, EffectKind::Execute { what: own, .. } if *own == what);
    if !effects.iter().any(marked) {
        effects.push(Effect::new(EffectKind::Execute { origin: Origin::Followed, what }, Family::Interpreter, span));
    }
}
