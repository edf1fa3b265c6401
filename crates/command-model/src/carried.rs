//! What a command runs in turn. The analysis follows it with the shell's state; this crate only says what it is.

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};
use crate::effect::Family;
use crate::stream::Stream;

/// Something that runs because a command runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Carried {
    /// What.
    pub what: What,
    /// How its surroundings differ from the command's own.
    pub change: Change,
    /// It runs whenever the command runs (an `xargs` without input may run nothing).
    pub certain: bool,
    /// What is known of its standard input; `None`: the command's own.
    pub input: Option<Stream>,
    /// Effects of deletes inside it belong to this family (find -exec, xargs, parallel).
    pub family: Option<Family>,
    /// The words it comes from.
    pub span: Span,
}

impl Carried {
    /// A command run in the same surroundings.
    pub fn command(words: Vec<Argument>, span: Span) -> Self {
        Self { what: What::Command(words), change: Change::default(), certain: true, input: None, family: None, span }
    }

    /// Shell text run by a new shell.
    pub fn shell(source: Value, positional: Vec<Argument>, span: Span) -> Self {
        Self {
            what: What::Shell { source, positional, start: ShellStart::Child },
            change: Change::default(),
            certain: true,
            input: None,
            family: None,
            span,
        }
    }
}

/// The kinds of carried thing.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// Another command: words as a program would get them, the first is the program.
    Command(Vec<Argument>),
    /// Shell text.
    Shell {
        /// The text.
        source: Value,
        /// `$0`, `$1` … in that order, where given.
        positional: Vec<Argument>,
        /// Which shell reads it.
        start: ShellStart,
    },
    /// A script file run by a shell or sourced.
    Script {
        /// Its path.
        path: Value,
        /// `$1` …
        arguments: Vec<Argument>,
        /// `source`, or a new shell.
        start: ShellStart,
    },
    /// The command's standard input is shell text.
    StandardInput {
        /// Which shell reads it.
        start: ShellStart,
        /// `$1` … (`bash -s -- a b`).
        positional: Vec<Argument>,
    },
    /// Code of another language: `language` is a word of [`crate::inline`].
    Code {
        /// `python`, `javascript`, `ruby`, `perl`, `php`, `lua`, `awk`, `sql`, `powershell`, `cmd`.
        language: &'static str,
        /// The code; `None`: standard input.
        source: Option<Value>,
    },
    /// A script file of another language.
    CodeFile {
        /// As in [`What::Code`].
        language: &'static str,
        /// Its path.
        path: Value,
    },
}

/// Which shell reads carried text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShellStart {
    /// The same shell (`eval`, `source`, `trap`): it sees and changes variables, functions and the directory.
    Same,
    /// A new shell (`sh -c`): it inherits the environment and the directory.
    Child,
    /// A new shell whose text runs later or elsewhere in time (`at`, `crontab`, `trap … EXIT`).
    Later,
}

/// How carried code's surroundings differ.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Change {
    /// Variables set for it.
    pub environment: Vec<(String, Value)>,
    /// The environment is emptied first (`env -i`).
    pub clear_environment: bool,
    /// Variables removed.
    pub unset: Vec<String>,
    /// It runs in this directory.
    pub directory: Option<Value>,
    /// It runs in a directory that is not known (`sudo -i`, `find -execdir`).
    pub unknown_directory: bool,
    /// It runs somewhere else.
    pub scope: Option<Scope>,
    /// It runs with more rights.
    pub privileged: bool,
    /// The user it runs as, where that changes `~`.
    pub home_unknown: bool,
}

/// Which file system and machine a command acts on.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Scope {
    /// This machine.
    #[default]
    Host,
    /// A container.
    Container {
        /// Bind mounts: host path, container path.
        mounts: Vec<(Value, Value)>,
        /// It is created for this command and removed after it.
        disposable: bool,
        /// Mounts are not known (`docker exec`).
        unknown_mounts: bool,
    },
    /// Another machine.
    Remote,
}
