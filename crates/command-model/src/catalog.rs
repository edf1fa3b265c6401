//! The one way in: from a command's words to what it does.

use sekisho_host::Host;

use crate::argument::{Argument, Value};
use crate::carried::Carried;
use crate::effect::Effect;
use crate::stream::Stream;

/// One simple command, expanded as far as it can be known.
pub struct Invocation<'a> {
    /// The program: last path component, `.exe` and its kin removed.
    pub program: &'a str,
    /// The command word as written, when it holds a `/`.
    pub program_path: Option<&'a str>,
    /// The words after it.
    pub arguments: &'a [Argument],
    /// What is known of its standard input.
    pub input: &'a Stream,
    /// Variables the command sees (prefix assignments and exported shell variables), by name.
    pub variable: &'a dyn Fn(&str) -> Option<Value>,
    /// The working directory, where it is known.
    pub cwd: Option<&'a str>,
    /// The machine, for bounded looks (a branch's existence, a repository's configuration).
    pub host: &'a dyn Host,
}

/// What one command does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Understood {
    /// Its own effects.
    pub effects: Vec<Effect>,
    /// What it runs in turn.
    pub carried: Vec<Carried>,
    /// What is known of its output.
    pub output: Stream,
    /// The program is described.
    pub described: bool,
    /// It only prints help or a version, or has no effect for another reason: nothing else in here counts.
    pub inert: bool,
    /// Its words are shown, not run: nothing in them is a command (`echo`, `grep`).
    pub display: bool,
    /// Only the program's own words are commands to be looked for: index of the first word that may start a command this
    /// program runs, where the program is not described (see [`Understood::described`]).
    pub unknown_runner: bool,
}

/// Says what a command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let _ = invocation;
    Understood::default()
}
