//! Follows a shell program to the commands it runs and what they do.
//!
//! [`analyze`] walks a [`Program`](sekisho_shell_syntax::tree::Program) with the state a shell would have (directory,
//! variables, functions, aliases, files it wrote itself), expands words as far as they can be known, asks
//! [`sekisho_command_model`] what each simple command does, and follows what those commands run in turn: `sh -c`, `eval`,
//! wrappers, `xargs`, here-documents. The result is the list of [`Execution`]s, each with its effects.
//!
//! It knows no rule and no verdict. Work is counted; a budget exceeded is a [`Limit`], never silence.
#![forbid(unsafe_code)]

mod builtins;
mod directory;
mod engine;
mod expansion;
mod flow;
mod markers;
mod state;
mod walk;

use sekisho_command_model::{Argument, Effect, Scope};
use sekisho_host::Host;
use sekisho_shell_syntax::span::Span;
use sekisho_shell_syntax::tree::{Program, Status};

/// Where an analysis starts.
pub struct Start<'a> {
    /// The machine.
    pub host: &'a dyn Host,
    /// The directory the text runs in: absolute, existing.
    pub cwd: &'a str,
    /// Commands that pass their operands on to be run (`rtk`), as the user declared them.
    pub transparent_wrappers: &'a [String],
}

/// What a program does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Analysis {
    /// The simple commands that may run, in source order, nested ones before the command that needs them.
    pub executions: Vec<Execution>,
    /// Budgets exceeded. Anything here means that something was not followed.
    pub limits: Vec<Limit>,
    /// Texts without structure (an unclosed quote inside `sh -c '…'`, the program itself), to be judged by other means.
    pub unparsed: Vec<Unparsed>,
    /// The texts that commands of the program run in turn, each once: for what is a matter of syntax.
    pub carried: Vec<(String, Program)>,
    /// How the analysis came to its result, for `explain`.
    pub steps: Vec<Step>,
}

/// One simple command that may run.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    /// Its words; `None` where even their number is not known. Empty for a command of redirections or assignments only.
    pub argv: Option<Vec<Argument>>,
    /// The program: last path component of the first word, where it is known.
    pub program: Option<String>,
    /// It runs whenever the text runs.
    pub certain: bool,
    /// Where it runs.
    pub scope: Scope,
    /// Its working directory.
    pub cwd: Directory,
    /// What it does, redirections included.
    pub effects: Vec<Effect>,
    /// The program is described.
    pub described: bool,
    /// The user runs it with more rights.
    pub privileged: bool,
    /// It runs only if a later call uses the alias whose body it is.
    pub latent: bool,
    /// How deep it was carried: 0 for the text itself.
    pub depth: u32,
    /// Its text.
    pub segment: String,
    /// Where it stands in the outermost text, if it stands there.
    pub span: Option<Span>,
}

/// A working directory as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Directory {
    /// This directory.
    Known {
        /// Absolute, links resolved where it exists.
        path: String,
        /// Every component exists. Otherwise the path is known only as text.
        exists: bool,
    },
    /// Not known.
    Unknown,
}

impl Directory {
    /// The path, where it is known.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Known { path, .. } => Some(path),
            Self::Unknown => None,
        }
    }
}

/// A budget that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The text exceeds a budget of the parser.
    Structure,
    /// More than ten levels of `sh -c`, `eval`, functions, interpreters.
    Recursion,
    /// Derived tokens, wrapper iterations, states or known files.
    DerivedWork,
    /// GNU parallel.
    Parallel,
}

/// A text that could not be given structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unparsed {
    /// The text.
    pub text: String,
    /// How far it was understood.
    pub status: Status,
    /// 0 for the text itself.
    pub depth: u32,
    /// A here-document is at fault.
    pub here_document: bool,
}

/// One step of the analysis, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// `cwd-change`, `shell-wrapper`, `recurse`, `function-call`, `substitution-resolved`, …
    pub kind: &'static str,
    /// What.
    pub text: String,
    /// How deep.
    pub depth: u32,
}

/// Follows `program`, which was parsed from `source`.
pub fn analyze(program: &Program, source: &str, start: &Start<'_>) -> Analysis {
    let mut engine = engine::Engine::new(start);
    engine.judge(program, source, 0);
    if program.status != Status::Limited {
        let state = state::State::new(Directory::Known { path: start.cwd.to_owned(), exists: true });
        let context = engine::Context::outermost(source);
        engine.run_list(&program.body, vec![state], &context);
    }
    engine.analysis
}
