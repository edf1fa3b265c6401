//! The one that walks: budgets, results, and what surrounds a command.

use std::collections::BTreeMap;
use std::rc::Rc;

use sekisho_command_model::programs::parallel;
use sekisho_command_model::{Argument, Effect, EffectKind, Family, Origin, Scope, Stream, Value};
use sekisho_shell_syntax::span::Span;

use crate::markers::Markers;
use crate::state::State;
use crate::{Analysis, Directory, Execution, Limit, Start, Step};

/// Levels of `sh -c`, `eval`, functions and scripts inside each other.
pub(crate) const RECURSION: u32 = 10;
/// Words made by expansion, calls and loops, over the whole analysis.
pub(crate) const DERIVED_WORDS: usize = 16_384;
/// Wrappers taken off one command.
pub(crate) const WRAPPERS: u32 = 20;
/// Lists inside each other over all texts: bounds the stack.
pub(crate) const NESTING: u32 = 100;
/// Commands looked at, over the whole analysis.
const WORK: usize = 60_000;
/// Commands and words one script file may cost.
const SCRIPT_WORK: usize = 4_000;
/// Bytes of values that expansions may copy, over the whole analysis.
const EXPANDED_BYTES: usize = 4 * 1024 * 1024;
/// Steps kept.
const STEPS: usize = 512;

/// What surrounds a command besides the shell's state.
#[derive(Debug, Clone)]
pub(crate) struct Context {
    /// It runs whenever the text runs.
    pub(crate) certain: bool,
    /// Where it runs.
    pub(crate) scope: Rc<Scope>,
    /// With more rights.
    pub(crate) privileged: bool,
    /// Deletes in here belong to this family.
    pub(crate) family: Option<Family>,
    /// Levels of carried text.
    pub(crate) depth: u32,
    /// Lists inside each other.
    pub(crate) nesting: u32,
    /// Wrappers taken off so far.
    pub(crate) wrappers: u32,
    /// Standard input.
    pub(crate) input: Rc<Stream>,
    /// The text spans refer to.
    pub(crate) source: Rc<str>,
    /// That text is the outermost one.
    pub(crate) outermost: bool,
    /// The word of the outermost text the current one came from.
    pub(crate) anchor: Option<Span>,
    /// Functions being called, outermost first.
    pub(crate) calls: Rc<Vec<Call>>,
    /// Background jobs and pipelines around it.
    pub(crate) forks: u32,
    /// Its status is tested, so `set -e` does not apply.
    pub(crate) tested: bool,
    /// It is the body of an alias that is being defined, not used.
    pub(crate) latent: bool,
    /// Aliases being expanded.
    pub(crate) aliases: Rc<Vec<String>>,
    /// Product of the loops around it.
    pub(crate) rounds: usize,
    /// The text was read from a script file of this machine, which a call need not know in full.
    pub(crate) script: bool,
}

/// A function call under way.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// The function.
    pub(crate) name: String,
    /// [`Context::forks`] at the call.
    pub(crate) forks: u32,
}

impl Context {
    /// What surrounds the text itself.
    pub(crate) fn outermost(source: &str) -> Self {
        Self {
            certain: true,
            scope: Rc::new(Scope::Host),
            privileged: false,
            family: None,
            depth: 0,
            nesting: 0,
            wrappers: 0,
            input: Rc::new(Stream::Nothing),
            source: source.into(),
            outermost: true,
            anchor: None,
            calls: Rc::default(),
            forks: 0,
            tested: false,
            latent: false,
            aliases: Rc::default(),
            rounds: 1,
            script: false,
        }
    }

    /// The same, but it may not run.
    pub(crate) fn uncertain(&self) -> Self {
        self.certain_if(false)
    }

    /// The same, certain only under this condition.
    pub(crate) fn certain_if(&self, condition: bool) -> Self {
        Self { certain: self.certain && condition, ..self.clone() }
    }

    /// The same with another standard input.
    pub(crate) fn with_input(&self, input: Stream) -> Self {
        Self { input: Rc::new(input), ..self.clone() }
    }

    /// The same, with its status tested.
    pub(crate) fn tested(&self) -> Self {
        Self { tested: true, ..self.clone() }
    }
}

/// What a command came to, before it becomes an [`Execution`].
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// Its words.
    pub(crate) argv: Vec<Argument>,
    /// Its program.
    pub(crate) program: Option<String>,
    /// What it does.
    pub(crate) effects: Vec<Effect>,
    /// The program is described.
    pub(crate) described: bool,
    /// Its text.
    pub(crate) segment: String,
    /// Where it stands in the current text.
    pub(crate) span: Option<Span>,
}

/// The walker.
pub(crate) struct Engine<'a> {
    /// Where it starts.
    pub(crate) start: &'a Start<'a>,
    /// What was found.
    pub(crate) analysis: Analysis,
    /// Unknown parts of known texts.
    pub(crate) markers: Markers,
    /// What process substitutions give, by the name the word gets.
    pub(crate) processes: BTreeMap<String, Stream>,
    /// Process substitutions that a generator command stands behind.
    pub(crate) generators: std::collections::BTreeSet<String>,
    /// Script files read so far.
    pub(crate) scripts_read: usize,
    work: usize,
    derived: usize,
    expanded: usize,
}

impl<'a> Engine<'a> {
    /// A walker that has seen nothing yet.
    pub(crate) fn new(start: &'a Start<'a>) -> Self {
        Self {
            start,
            analysis: Analysis::default(),
            markers: Markers::default(),
            processes: BTreeMap::new(),
            generators: std::collections::BTreeSet::new(),
            scripts_read: 0,
            work: 0,
            derived: 0,
            expanded: 0,
        }
    }

    /// Records that a budget was exceeded.
    pub(crate) fn limit(&mut self, limit: Limit) {
        if !self.analysis.limits.contains(&limit) {
            self.analysis.limits.push(limit);
        }
    }

    /// Charges one command; `false` when there is no budget left.
    pub(crate) fn charge(&mut self) -> bool {
        self.work = self.work.saturating_add(1);
        if self.work > WORK {
            self.limit(Limit::DerivedWork);
            return false;
        }
        true
    }

    /// The budgets still allow going on.
    pub(crate) fn has_budget(&self) -> bool {
        self.work <= WORK && self.derived <= DERIVED_WORDS && self.expanded <= EXPANDED_BYTES
    }

    /// Charges words that expansion, calls and loops made; `false` when there is no budget left.
    pub(crate) fn derive(&mut self, words: usize) -> bool {
        self.derived = self.derived.saturating_add(words);
        if self.derived > DERIVED_WORDS {
            self.limit(Limit::DerivedWork);
            return false;
        }
        true
    }

    /// Charges the bytes of a value that an expansion copies; `false` when there is no budget left.
    pub(crate) fn expand_bytes(&mut self, bytes: usize) -> bool {
        // An empty value costs something as well: there may be many of them.
        self.expanded = self.expanded.saturating_add(bytes).saturating_add(8);
        if self.expanded > EXPANDED_BYTES {
            self.limit(Limit::DerivedWork);
            return false;
        }
        true
    }

    /// Leaves a script file a small part of the budgets; what to restore afterwards.
    pub(crate) fn enter_script(&mut self) -> (usize, usize) {
        let before = (self.work, self.derived);
        self.work = self.work.max(WORK.saturating_sub(SCRIPT_WORK));
        self.derived = self.derived.max(DERIVED_WORDS.saturating_sub(SCRIPT_WORK));
        before
    }

    /// Takes the budgets back.
    pub(crate) fn leave_script(&mut self, before: (usize, usize)) {
        (self.work, self.derived) = before;
    }

    /// Notes a step for `explain`.
    pub(crate) fn step(&mut self, kind: &'static str, text: impl Into<String>, context: &Context) {
        if self.analysis.steps.len() < STEPS {
            let mut text = text.into();
            if text.len() > 200 {
                let cut = (0..=200).rev().find(|index| text.is_char_boundary(*index)).unwrap_or(0);
                text.truncate(cut);
                text.push('…');
            }
            self.analysis.steps.push(Step { kind, text, depth: context.depth });
        }
    }

    /// Adds an execution.
    pub(crate) fn emit(&mut self, draft: Draft, state: &State, context: &Context) {
        let Draft { argv, program, mut effects, described, segment, span } = draft;
        for effect in &mut effects {
            if matches!(&effect.kind, EffectKind::Unknown(what) if what == parallel::LIMIT) {
                self.limit(Limit::Parallel);
            }
            if !context.outermost {
                effect.span = context.anchor.unwrap_or_default();
            }
            if let (Some(family), EffectKind::Delete { .. }) = (context.family, &effect.kind) {
                effect.family = family;
            }
            self.decode_effect(effect);
            self.follow_names(effect, &context.scope, state);
        }
        if context.script {
            soften(&mut effects);
        }
        let unknown_count = argv
            .first()
            .is_some_and(|head| matches!(&head.value, Value::Dynamic(partial) if partial.may_split && partial.suffix.is_empty()));
        self.analysis.executions.push(Execution {
            argv: (!unknown_count || argv.len() > 1).then_some(argv),
            program,
            certain: context.certain,
            scope: (*context.scope).clone(),
            cwd: if *context.scope == Scope::Host { state.cwd.clone() } else { remote_cwd(&state.cwd) },
            effects,
            described,
            privileged: context.privileged,
            latent: context.latent,
            depth: context.depth,
            segment,
            span: span.filter(|_| context.outermost),
        });
    }

    fn decode_effect(&self, effect: &mut Effect) {
        let decode = |value: &mut Value| {
            let taken = std::mem::replace(value, Value::literal(""));
            *value = self.markers.decode_value(taken);
        };
        if let Some(directory) = &mut effect.directory {
            decode(directory);
        }
        match &mut effect.kind {
            EffectKind::Read(target)
            | EffectKind::Write(target, _)
            | EffectKind::Delete { target, .. }
            | EffectKind::Permissions { target, .. }
            | EffectKind::Device(target)
            | EffectKind::Metadata(target)
            | EffectKind::Use(target)
            | EffectKind::Mention(target)
            | EffectKind::Touch(target) => decode(&mut target.value),
            EffectKind::Move { from, to } => {
                decode(&mut from.value);
                decode(&mut to.value);
            }
            EffectKind::Network { host: Some(host), .. } => decode(host),
            _ => {}
        }
    }

    /// Makes the executions from index `first` on agree with `runs` different states having run the same text: what not every
    /// state ran is not certain, and what is the same in all is said once.
    pub(crate) fn settle(&mut self, first: usize, runs: usize) {
        if runs < 2 || self.analysis.executions.len() <= first {
            return;
        }
        let fresh = self.analysis.executions.split_off(first);
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for execution in &fresh {
            *counts.entry(key(execution)).or_default() += 1;
        }
        for mut execution in fresh {
            if counts.get(&key(&execution)).is_some_and(|count| *count < runs) {
                execution.certain = false;
            }
            self.push_once(first, execution);
        }
    }

    /// Drops executions from index `second` on that equal one between `first` and `second`: a loop body looked at again.
    pub(crate) fn forget_repeats(&mut self, first: usize, second: usize) {
        if self.analysis.executions.len() <= second {
            return;
        }
        for execution in self.analysis.executions.split_off(second) {
            self.push_once(first, execution);
        }
    }

    fn push_once(&mut self, first: usize, mut execution: Execution) {
        for known in self.analysis.executions.iter_mut().skip(first) {
            // Whether it is certain is no difference: one that is says more. Nor is a directory where nothing is done in it.
            let certain = std::mem::replace(&mut execution.certain, known.certain);
            let idle =
                execution.effects.is_empty() && known.effects.is_empty() && execution.described && execution.program.is_some();
            let cwd = if idle { std::mem::replace(&mut execution.cwd, known.cwd.clone()) } else { execution.cwd.clone() };
            if *known == execution {
                known.certain |= certain;
                return;
            }
            execution.certain = certain;
            execution.cwd = cwd;
        }
        self.analysis.executions.push(execution);
    }
}

/// Leaves what is certain of a command in a script file that nobody asked to be read: what it does not know there was not known
/// before either.
fn soften(effects: &mut Vec<Effect>) {
    let dynamic = |value: &Value| matches!(value, Value::Dynamic(_));
    effects.retain_mut(|effect| match &mut effect.kind {
        EffectKind::Read(target)
        | EffectKind::Write(target, _)
        | EffectKind::Delete { target, .. }
        | EffectKind::Permissions { target, .. }
        | EffectKind::Device(target)
        | EffectKind::Metadata(target)
        | EffectKind::Use(target)
        | EffectKind::Mention(target)
        | EffectKind::Touch(target) => !dynamic(&target.value),
        EffectKind::Move { from, to } => !dynamic(&from.value) && !dynamic(&to.value),
        EffectKind::Execute { origin, .. } => {
            if matches!(
                origin,
                Origin::Unknown
                    | Origin::Generator
                    | Origin::UnknownProgram
                    | Origin::Interactive
                    | Origin::Input
                    | Origin::AwkDynamic
            ) {
                *origin = Origin::Local;
            }
            true
        }
        EffectKind::DynamicStructure | EffectKind::Unknown(_) => false,
        _ => true,
    });
}

/// What makes two executions the same command.
fn key(execution: &Execution) -> String {
    let mut key = execution.segment.clone();
    for argument in execution.argv.iter().flatten() {
        key.push('\0');
        key.push_str(&argument.value.display());
    }
    key
}

/// Elsewhere, only a directory that was stated is known, and never that it exists.
fn remote_cwd(cwd: &Directory) -> Directory {
    match cwd {
        Directory::Known { path, .. } => Directory::Known { path: path.clone(), exists: false },
        Directory::Unknown => Directory::Unknown,
    }
}
