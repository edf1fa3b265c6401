//! One git command while it is being understood: what was given, where it acts, and what is already known of it.

use std::cell::{Cell, OnceCell};

use sekisho_host::path;
use sekisho_shell_syntax::span::Span;

use super::global::{Context, known};
use super::repository::Repository;
use crate::argument::{Argument, Value};
use crate::carried::{Carried, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin, Selection, Target, VcsOperation, WriteMode};
use crate::option_grammar::{self, Grammar, OptionSpec, Parsed};
use crate::stream::Stream;

/// How many words are looked up as refs and paths.
const LOOK_LIMIT: u32 = 24;

/// A git command with its sub-command found.
pub(super) struct Command<'a> {
    /// The call as it came.
    pub(super) invocation: &'a Invocation<'a>,
    /// The sub-command in lower case.
    pub(super) name: &'a str,
    /// Where the sub-command stands.
    pub(super) span: Span,
    /// The words after it.
    pub(super) arguments: &'a [Argument],
    /// What applies to the whole command.
    pub(super) context: Context,
    /// What is known so far.
    pub(super) understood: Understood,
    /// The directory it acts in, where that is known.
    pub(super) base: Option<String>,
    repository: OnceCell<Option<Repository<'a>>>,
    looks: Cell<u32>,
}

impl<'a> Command<'a> {
    /// A command about which nothing is known yet.
    pub(super) fn new(
        invocation: &'a Invocation<'a>,
        name: &'a str,
        span: Span,
        arguments: &'a [Argument],
        context: Context,
        understood: Understood,
    ) -> Self {
        let base = context.base(invocation.cwd);
        Self { invocation, name, span, arguments, context, understood, base, repository: OnceCell::new(), looks: Cell::new(0) }
    }

    /// The repository it acts on, where it can be found.
    pub(super) fn repository(&self) -> Option<&Repository<'a>> {
        self.repository.get_or_init(|| find_repository(self.invocation, &self.context, self.base.as_deref())).as_ref()
    }

    /// Counts a word that is looked up; says whether there may be another.
    pub(super) fn may_look(&self) -> bool {
        self.looks.set(self.looks.get().saturating_add(1));
        self.looks.get() <= LOOK_LIMIT
    }

    /// Sorts the arguments; `None` where the command only prints its usage.
    ///
    /// Options the table does not have are reported, except `--no-…`: a negation takes something away.
    pub(super) fn parse(&mut self, options: &'static [OptionSpec]) -> Option<Parsed> {
        self.parse_words(options, self.arguments)
    }

    /// Sorts the words of a sub-command's own sub-command.
    pub(super) fn parse_words(&mut self, options: &'static [OptionSpec], words: &[Argument]) -> Option<Parsed> {
        let parsed = option_grammar::parse(&Grammar::gnu(options), words);
        let asks_usage = matches!(words, [only] if only.known() == Some("-h"));
        if asks_usage || parsed.unknown().any(|option| option.written == "--help") {
            self.understood.inert = true;
            return None;
        }
        for option in parsed.unknown() {
            let is_number = option.written.strip_prefix('-').is_some_and(|rest| rest.chars().all(|letter| letter.is_ascii_digit()));
            if !is_number && !option.written.starts_with("--no-") {
                self.emit(EffectKind::Unknown(format!("git {} {}", self.name, option.written)), option.span);
            }
        }
        Some(parsed)
    }

    /// The same for a sub-command that loses something: a word that is not known and may be an option is reported.
    pub(super) fn parse_guarded(&mut self, options: &'static [OptionSpec]) -> Option<Parsed> {
        self.parse_guarded_words(options, self.arguments)
    }

    /// The same for some of the words.
    pub(super) fn parse_guarded_words(&mut self, options: &'static [OptionSpec], words: &[Argument]) -> Option<Parsed> {
        let parsed = self.parse_words(options, words)?;
        if parsed.uncertain {
            let end = parsed.double_dash.unwrap_or(words.len());
            let span = words
                .iter()
                .take(end)
                .find(|word| word.known().is_none() && word.may_be_option())
                .map_or(self.span, |word| word.span);
            self.emit(EffectKind::DynamicStructure, span);
        }
        Some(parsed)
    }

    /// Adds an effect.
    pub(super) fn emit(&mut self, kind: EffectKind, span: Span) {
        let directory = self.context.effect_directory();
        self.understood.effects.push(Effect { kind, family: Family::Git, directory, span });
    }

    /// Adds an operation, shown at the sub-command.
    pub(super) fn operation(&mut self, name: &'static str) {
        self.operation_at(name, self.span);
    }

    /// Adds an operation, shown at a word.
    pub(super) fn operation_at(&mut self, name: &'static str, span: Span) {
        self.emit(EffectKind::Vcs(VcsOperation::new(name)), span);
    }

    /// Adds an operation with what it is done to.
    pub(super) fn operation_on(&mut self, name: &'static str, subject: Option<String>, span: Span) {
        let with_ref = subject.is_some();
        self.emit(EffectKind::Vcs(VcsOperation { name, with_ref, subject }), span);
    }

    /// Adds an operation once for each word it is done to, or once where there is none.
    pub(super) fn operation_on_each<'w>(&mut self, name: &'static str, words: impl Iterator<Item = &'w Argument>) {
        let mut any = false;
        for word in words {
            any = true;
            let subject = word.known().map(str::to_owned);
            self.emit(EffectKind::Vcs(VcsOperation { name, with_ref: true, subject }), word.span);
        }
        if !any {
            self.operation(name);
        }
    }

    /// Reads a file's content.
    pub(super) fn reads(&mut self, value: &Value, span: Span) {
        self.emit(EffectKind::Read(Target::new(value.clone())), span);
    }

    /// Names a path.
    pub(super) fn mentions(&mut self, value: &Value, span: Span) {
        self.emit(EffectKind::Mention(Target::new(value.clone())), span);
    }

    /// Uses a file without showing it.
    pub(super) fn consumes(&mut self, value: &Value, span: Span) {
        self.emit(EffectKind::Use(Target::new(value.clone())), span);
    }

    /// Writes a file.
    pub(super) fn writes(&mut self, value: &Value, mode: WriteMode, span: Span) {
        self.emit(EffectKind::Write(Target::new(value.clone()), mode), span);
    }

    /// Reads a file of patterns or text given to an option, `-` being standard input.
    pub(super) fn reads_option_file(&mut self, parsed: &Parsed, id: &'static str) {
        for (value, span) in option_values(parsed, id) {
            if value.known() != Some("-") {
                self.reads(&value, span);
            }
        }
    }

    /// Uses the file of a `--pathspec-from-file`.
    pub(super) fn consumes_option_file(&mut self, parsed: &Parsed, id: &'static str) {
        for (value, span) in option_values(parsed, id) {
            if value.known() != Some("-") {
                self.consumes(&value, span);
            }
        }
    }

    /// Mentions each of the words.
    pub(super) fn mention_all<'w>(&mut self, words: impl Iterator<Item = &'w Argument>) {
        for word in words {
            self.mentions(&word.value, word.span);
        }
    }

    /// Talks to another machine.
    pub(super) fn network(&mut self, host: Option<Value>, upload: bool, span: Span) {
        self.emit(EffectKind::Network { host, upload }, span);
    }

    /// The configuration makes git run something.
    pub(super) fn configured(&mut self, what: String) {
        self.emit(EffectKind::Execute { origin: Origin::Configuration, what }, self.span);
    }

    /// Runs shell text, in the top of the work tree where git goes before it runs anything.
    pub(super) fn carry_shell(&mut self, source: Value, certain: bool, span: Span) {
        let carried = Carried::shell(source, Vec::new(), span);
        self.carry(carried, certain);
    }

    /// Runs something of the user's, in the top of the work tree.
    pub(super) fn carry(&mut self, mut carried: Carried, certain: bool) {
        carried.certain = certain;
        let shell_text_is_unknown = matches!(&carried.what, What::Shell { source, .. } if source.known().is_none());
        if shell_text_is_unknown {
            self.emit(EffectKind::Execute { origin: Origin::Unknown, what: format!("git {}", self.name) }, carried.span);
        }
        if carried.change.directory.is_none() && !carried.change.unknown_directory {
            carried.change.directory = self.run_directory();
        }
        self.understood.carried.push(carried);
    }

    /// Where git runs commands: the top of the work tree.
    pub(super) fn run_directory(&self) -> Option<Value> {
        if let Some(tree) = self.context.work_tree.as_ref() {
            return self.context.effect_directory().or_else(|| Some(tree.clone()));
        }
        match self.repository().and_then(|repository| repository.top().map(str::to_owned)) {
            Some(top) if Some(top.as_str()) == self.invocation.cwd => None,
            Some(top) => Some(known(&top)),
            None => self.context.directory.clone(),
        }
    }

    /// What is printed is known.
    pub(super) fn prints(&mut self, text: String) {
        self.understood.output = Stream::Known(text);
    }

    /// What is printed are paths below the command's directory, none of them in `.git`.
    pub(super) fn prints_paths(&mut self, roots: Vec<Value>, mut selection: Selection) {
        selection.excludes_git = true;
        self.understood.output = Stream::Paths { roots, selection };
    }

    /// A path as git would find it from its directory.
    pub(super) fn absolute(&self, text: &str) -> Option<String> {
        if path::is_absolute(text) {
            return Some(path::normalize(text));
        }
        self.base.as_deref().map(|base| path::join(base, text))
    }

    /// Whether something stands at this path; `None` where it cannot be looked up.
    pub(super) fn exists(&self, text: &str) -> Option<bool> {
        let absolute = self.absolute(text)?;
        Some(self.invocation.host.entry(&absolute).is_some())
    }

    /// Whether a local branch exists; one that cannot be looked up is taken to.
    pub(super) fn branch_may_exist(&self, name: &Value) -> bool {
        match (name.known(), self.repository()) {
            (Some(name), Some(repository)) => repository.has_branch(name).unwrap_or(true),
            _ => true,
        }
    }
}

/// Each value an option was given, with its place.
pub(super) fn option_values(parsed: &Parsed, id: &str) -> Vec<(Value, Span)> {
    parsed
        .options
        .iter()
        .filter(|option| option.id == Some(id))
        .filter_map(|option| option.value.clone().map(|value| (value, option.span)))
        .collect()
}

/// The later of an option and its negation decides; without either it is off.
pub(super) fn is_on(parsed: &Parsed, yes: &str, no: &str) -> bool {
    parsed.last_of(&[yes, no]).is_some_and(|option| option.id == Some(yes))
}

/// The repository the command acts on.
pub(super) fn find_repository<'a>(invocation: &Invocation<'a>, context: &Context, base: Option<&str>) -> Option<Repository<'a>> {
    let host = invocation.host;
    match &context.git_dir {
        None => Repository::find(host, base?),
        Some(git_dir) => {
            let git_dir = git_dir.known()?;
            let git_dir = if path::is_absolute(git_dir) { path::normalize(git_dir) } else { path::join(base?, git_dir) };
            let top = match &context.work_tree {
                Some(tree) => tree.known().and_then(|tree| base.map(|base| path::join(base, tree))),
                None => base.map(str::to_owned),
            };
            Some(Repository::at(host, git_dir, top))
        }
    }
}
