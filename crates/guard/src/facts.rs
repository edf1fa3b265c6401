//! What the stages look at: the executions of a call, each effect with its target classified. Text is parsed once, here.

use sekisho_command_model::effect::Selection;
use sekisho_command_model::{Cause, Effect, EffectKind, Family, Partial, Scope, Target, Value, WriteMode};
use sekisho_host::git::{self, Repository};
use sekisho_shell_analysis::{Analysis, Directory, Execution, Start, analyze};
use sekisho_shell_syntax::posix;
use sekisho_shell_syntax::span::Span;
use sekisho_shell_syntax::tree::{Program, Status};
use sekisho_verdict::ToolCall;
use sekisho_verdict::tool_call::{Action, ShellDialect};

use crate::context::Context;
use crate::git_metadata::Metadata;
use crate::patch;
use crate::protected::Protected;
use crate::target_class::{Classified, Classifier, LimitReached, TargetClass, written_artefact};

/// How a call reaches the guard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// Shell text that will run.
    Command,
    /// Files by path, patches, searches.
    Path,
    /// A tool nobody described: what it names may raise the verdict, never lower it.
    Unknown,
}

/// One shell text of a call.
pub struct Text {
    /// The text.
    pub source: String,
    /// Its tree; `None` where there is no parser for its language.
    pub program: Option<Program>,
    /// What it would run.
    pub analysis: Analysis,
    /// The tool declares its language to be one there is no parser for.
    pub unreadable: bool,
}

/// A call, read.
pub struct Reading {
    /// How it reaches the guard.
    pub route: Route,
    /// Its shell texts.
    pub texts: Vec<Text>,
    /// What it does without a shell.
    pub direct: Vec<Execution>,
    /// The repository around the directory it runs in.
    pub repository: Option<Repository>,
    /// Git's own files.
    pub metadata: Metadata,
    /// A patch was too ambiguous to read within bounds.
    pub patch_limit: bool,
}

impl Text {
    /// The trees of the text and of what it runs in turn, each with its source.
    pub fn programs(&self) -> impl Iterator<Item = (&Program, &str)> {
        let own = self.program.as_ref().map(|program| (program, self.source.as_str()));
        own.into_iter().chain(self.analysis.carried.iter().map(|(source, program)| (program, source.as_str())))
    }
}

impl Reading {
    /// Reads a call: parses each shell text once and follows it.
    pub fn of(call: &ToolCall, context: &Context<'_>) -> Self {
        let mut reading = Self {
            route: Route::Path,
            texts: Vec::new(),
            direct: Vec::new(),
            repository: None,
            metadata: Metadata::default(),
            patch_limit: false,
        };
        for action in &call.actions {
            reading.action(action, context);
        }
        // Where Git keeps its files matters only to a call that may change files, and costs a few looks at the disk.
        if reading.executions().any(|execution| execution.effects.iter().any(|effect| changes_files(&effect.kind))) {
            reading.repository = git::locate(context.host, context.cwd);
            reading.metadata = Metadata::of(reading.repository.as_ref());
        }
        reading
    }

    fn action(&mut self, action: &Action, context: &Context<'_>) {
        let literal = |path: &str| Target::new(Value::literal(path));
        match action {
            Action::Shell { text, dialect } => {
                self.route = Route::Command;
                self.texts.push(read_text(text, *dialect, context));
            }
            Action::Unknown { paths, commands } => {
                self.route = Route::Unknown;
                for text in commands {
                    self.texts.push(read_text(text, ShellDialect::Posix, context));
                }
                for path in paths {
                    self.effect(context, path, EffectKind::Touch(literal(path)), Family::FileTool);
                }
            }
            Action::ReadFile { path } => self.effect(context, path, EffectKind::Read(literal(path)), Family::FileTool),
            Action::WriteFile { path } => {
                self.effect(context, path, EffectKind::Write(literal(path), WriteMode::Truncate), Family::FileTool);
            }
            Action::EditFile { path } => {
                self.effect(context, path, EffectKind::Write(literal(path), WriteMode::InPlace), Family::FileTool);
            }
            Action::DeleteFile { path } => {
                let kind = EffectKind::Delete { target: literal(path), recursive: false, force: true };
                self.effect(context, path, kind, Family::FileTool);
            }
            Action::MoveFile { from, to } => {
                self.effect(context, from, EffectKind::Move { from: literal(from), to: literal(to) }, Family::FileTool);
            }
            Action::Patch { text } => match patch::targets(text) {
                Ok(targets) => {
                    for target in targets {
                        let path = target.path.as_str();
                        let kind = match target.operation {
                            patch::Operation::Write => EffectKind::Write(literal(path), WriteMode::InPlace),
                            patch::Operation::Delete => EffectKind::Delete { target: literal(path), recursive: false, force: true },
                        };
                        self.effect(context, path, kind, Family::Patch);
                    }
                }
                Err(patch::TooAmbiguous) => self.patch_limit = true,
            },
            Action::Search { content, root, pattern, glob } => {
                self.search(context, *content, root.as_deref(), pattern, glob.as_deref())
            }
            Action::ListDirectory { path } => self.effect(context, path, EffectKind::Metadata(literal(path)), Family::FileTool),
            Action::Fetch { url } => {
                let host = url.as_deref().map(Value::literal);
                self.effect(
                    context,
                    url.as_deref().unwrap_or_default(),
                    EffectKind::Network { host, upload: false },
                    Family::FileTool,
                );
            }
            Action::RunCode { language, text } => {
                let code = sekisho_command_model::inline::read(language, text, context.host.home(), Span::default());
                self.direct.push(Execution { effects: code.effects, ..blank(context, text) });
            }
            Action::McpCall { .. } | Action::Spawn | Action::TypeInto { .. } => {}
        }
    }

    fn search(&mut self, context: &Context<'_>, content: bool, root: Option<&str>, pattern: &str, glob: Option<&str>) {
        let kind =
            |value: Value| if content { EffectKind::Read(Target::new(value)) } else { EffectKind::Metadata(Target::new(value)) };
        if let Some(root) = root {
            self.effect(context, root, kind(Value::literal(root)), Family::FileTool);
        }
        let names = if content { glob } else { Some(pattern) };
        if let Some(names) = names.filter(|names| !names.is_empty()) {
            let place = root.map_or_else(|| names.to_owned(), |root| sekisho_host::path::join(root, names));
            let value =
                if names.contains(['*', '?', '[', '{']) { Value::Glob { pattern: place.clone() } } else { Value::literal(&place) };
            self.effect(context, &place, kind(value), Family::FileTool);
        }
    }

    fn effect(&mut self, context: &Context<'_>, segment: &str, kind: EffectKind, family: Family) {
        self.direct.push(Execution { effects: vec![Effect::new(kind, family, Span::default())], ..blank(context, segment) });
    }

    /// Every execution, those of shell texts first.
    pub fn executions(&self) -> impl Iterator<Item = &Execution> {
        self.texts.iter().flat_map(|text| &text.analysis.executions).chain(&self.direct)
    }
}

/// The effect can change, move or remove a file.
pub fn changes_files(kind: &EffectKind) -> bool {
    matches!(
        kind,
        EffectKind::Write(..)
            | EffectKind::Delete { .. }
            | EffectKind::Move { .. }
            | EffectKind::Permissions { .. }
            | EffectKind::Device(_)
            | EffectKind::Touch(_)
    )
}

fn blank(context: &Context<'_>, segment: &str) -> Execution {
    Execution {
        argv: Some(Vec::new()),
        program: None,
        certain: true,
        scope: Scope::Host,
        cwd: Directory::Known { path: context.cwd.to_owned(), exists: true },
        effects: Vec::new(),
        described: true,
        privileged: false,
        latent: false,
        depth: 0,
        segment: segment.to_owned(),
        span: None,
    }
}

fn read_text(text: &str, dialect: ShellDialect, context: &Context<'_>) -> Text {
    if dialect == ShellDialect::PowerShell {
        return Text { source: text.to_owned(), program: None, analysis: Analysis::default(), unreadable: true };
    }
    let program = posix::parse(text);
    let analysis = if program.status == Status::Limited {
        Analysis::default()
    } else {
        let start = Start { host: context.host, cwd: context.cwd, transparent_wrappers: context.snapshot.transparent_wrappers() };
        analyze(&program, text, &start)
    };
    Text { source: text.to_owned(), program: Some(program), analysis, unreadable: false }
}

/// One effect of one execution, its target classified.
pub struct Fact<'a> {
    /// The effect.
    pub effect: &'a Effect,
    /// The execution it belongs to.
    pub execution: &'a Execution,
    /// Where it happens.
    pub scope: &'a Scope,
    /// Its target.
    pub target: Classified,
    /// The destination of a move.
    pub second: Option<Classified>,
    /// The class of its target.
    pub class: TargetClass,
    /// Where and how its target is searched for, if it is.
    pub search: Option<Search>,
}

/// A target that a search chooses.
pub struct Search {
    /// Where the search starts.
    pub roots: Vec<Classified>,
    /// What it selects.
    pub selection: Selection,
}

impl Fact<'_> {
    /// The program, where it is known.
    pub fn program(&self) -> Option<&str> {
        self.execution.program.as_deref()
    }

    /// The target as the command gives it.
    pub fn value(&self) -> Option<&Value> {
        target_of(&self.effect.kind).map(|target| &target.value)
    }
}

/// The target of an effect, if it has one.
pub fn target_of(kind: &EffectKind) -> Option<&Target> {
    match kind {
        EffectKind::Read(target)
        | EffectKind::Write(target, _)
        | EffectKind::Delete { target, .. }
        | EffectKind::Move { from: target, .. }
        | EffectKind::Permissions { target, .. }
        | EffectKind::Device(target)
        | EffectKind::Metadata(target)
        | EffectKind::Use(target)
        | EffectKind::Mention(target)
        | EffectKind::Touch(target) => Some(target),
        _ => None,
    }
}

/// Everything the stages look at.
pub struct Facts<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// What is known besides.
    pub context: &'a Context<'a>,
    /// The call, read.
    pub reading: &'a Reading,
    /// One entry an effect, in the order of the executions.
    pub facts: Vec<Fact<'a>>,
    /// Our own files, where the call may change files at all.
    pub protected: Option<Protected>,
    /// The user's home with links followed.
    pub home: String,
    /// The workspace with links followed.
    pub workspace: String,
}

impl<'a> Facts<'a> {
    /// Classifies every effect.
    ///
    /// # Errors
    /// [`LimitReached`] when resolving paths takes more work than allowed.
    pub fn of(call: &'a ToolCall, context: &'a Context<'a>, reading: &'a Reading) -> Result<Self, LimitReached> {
        let mut classifier = Classifier::new(context, &reading.metadata);
        let mut facts = Vec::new();
        for execution in reading.executions() {
            for effect in &execution.effects {
                facts.push(classify(&mut classifier, execution, effect)?);
            }
        }
        everything_in_root(&mut facts);
        let work_tree = reading.repository.as_ref().map_or(context.workspace, |repository| repository.work_tree.as_str());
        let changes = facts.iter().any(|fact| changes_files(&fact.effect.kind));
        let protected = changes.then(|| Protected::new(context, work_tree));
        let (home, workspace) = (classifier.home().to_owned(), classifier.workspace().to_owned());
        Ok(Self { call, context, reading, facts, protected, home, workspace })
    }
}

/// One word that expands to several directories of the root (`/{bin,etc,usr}`) means the root.
fn everything_in_root(facts: &mut [Fact<'_>]) {
    let in_root = |fact: &Fact<'_>| {
        matches!(fact.effect.kind, EffectKind::Delete { recursive: true, .. })
            && fact.target.lexical.as_deref().is_some_and(|place| sekisho_host::path::parent(place) == Some("/"))
    };
    let places: Vec<_> =
        facts.iter().filter(|fact| in_root(fact)).map(|fact| (std::ptr::from_ref(fact.execution), fact.effect.span)).collect();
    for fact in facts.iter_mut() {
        let place = (std::ptr::from_ref(fact.execution), fact.effect.span);
        if in_root(fact) && fact.effect.span != Span::default() && places.iter().filter(|other| **other == place).count() > 1 {
            fact.class = TargetClass::Root;
        }
    }
}

fn classify<'a>(classifier: &mut Classifier<'_>, execution: &'a Execution, effect: &'a Effect) -> Result<Fact<'a>, LimitReached> {
    let own;
    let cwd = match &effect.directory {
        None => &execution.cwd,
        Some(directory) => {
            own = relative_directory(classifier, &execution.cwd, directory)?;
            &own
        }
    };
    let whole_tree = match &effect.kind {
        EffectKind::Delete { recursive, .. } | EffectKind::Permissions { recursive, .. } => *recursive,
        EffectKind::Move { .. } => true,
        _ => false,
    };
    let none = || Classified { class: TargetClass::None, canonical: None, lexical: None, is_pattern: false };
    let target = match target_of(&effect.kind) {
        Some(target) => classifier.classify(target, cwd, &execution.scope, whole_tree)?,
        None => none(),
    };
    let second = match &effect.kind {
        EffectKind::Move { to, .. } => Some(classifier.classify(to, cwd, &execution.scope, false)?),
        _ => None,
    };
    let search = search(classifier, cwd, &execution.scope, &effect.kind)?;
    let class = if search.is_some() { TargetClass::Searched } else { target.class };
    Ok(Fact { effect, execution, scope: &execution.scope, target, second, class, search })
}

/// The places of a search are classified by themselves: which files below them go is a matter of the selection.
fn search(
    classifier: &mut Classifier<'_>,
    cwd: &Directory,
    scope: &Scope,
    kind: &EffectKind,
) -> Result<Option<Search>, LimitReached> {
    let Some(target) = target_of(kind) else { return Ok(None) };
    let (values, selection) = match (&target.selection, &target.value) {
        (Some(selection), value) => (std::slice::from_ref(value), selection.clone()),
        (None, Value::Dynamic(partial @ Partial { cause: Cause::PathUnder { roots, selection }, .. })) => {
            let mut selection = selection.clone();
            let below = !sekisho_host::path::is_absolute(&partial.prefix) && !partial.prefix.split('/').any(|part| part == "..");
            if let Some(name) = written_artefact(partial).filter(|_| below) {
                // What goes is not the path that was found but this in it.
                selection.names = vec![name.to_owned()];
            }
            (roots.as_slice(), selection)
        }
        _ => return Ok(None),
    };
    let mut roots = Vec::with_capacity(values.len());
    for value in values {
        roots.push(classifier.classify(&Target::new(value.clone()), cwd, scope, false)?);
    }
    Ok(Some(Search { roots, selection }))
}

fn relative_directory(classifier: &mut Classifier<'_>, cwd: &Directory, directory: &Value) -> Result<Directory, LimitReached> {
    let Some(text) = directory.known() else { return Ok(Directory::Unknown) };
    if !sekisho_host::path::is_absolute(text) && cwd.path().is_none() {
        return Ok(Directory::Unknown);
    }
    let found = classifier.resolve(cwd, text)?;
    Ok(found.canonical.map_or(Directory::Unknown, |path| Directory::Known { path, exists: true }))
}
