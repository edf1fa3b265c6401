//! Programs described as data.
//!
//! `programs/<name>.toml` says what a program's options and operands mean; `build.rs` checks every file and writes them down as
//! the static tables of this module, so that nothing is parsed when a command is judged. How a file is written is told in
//! `programs/README.md`. [`mod@read`] finds the sub-command, [`mod@apply`] turns roles into effects.

use crate::effect::{Family, Origin, WriteMode};
use crate::option_grammar::{Grammar, OptionSpec, ValueArity};

pub mod apply;
pub mod read;
mod remote;
mod transfer;

/// One described program.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    /// Its first name.
    pub name: &'static str,
    /// What it is for, in a few words.
    pub summary: &'static str,
    /// The manual the description follows.
    pub source: &'static str,
    /// The service its operations belong to; empty: the name it was called by.
    pub service: &'static str,
    /// The family of its effects.
    pub family: Family,
    /// Its words are shown or searched, never run.
    pub display: bool,
    /// Its first word may be a cluster of options without a dash (`tar xzf a.tgz`, `ps aux`).
    pub bundled: bool,
    /// Sub-commands are recognised whatever their case (`FLUSHALL`).
    pub ignore_case: bool,
    /// Variables it reads that run or name something, and what their values are.
    pub environment: &'static [(&'static str, Role)],
    /// What it does without a sub-command.
    pub root: Level,
    /// Its sub-commands.
    pub subcommands: &'static [Level],
}

/// A program or one of its sub-commands.
#[derive(Debug, Clone, Copy)]
pub struct Level {
    /// The words that choose it, each phrase in full; none at the root. `*` is any word, `delete-*` any word that begins so, and
    /// a leading `**` any number of words.
    pub phrases: &'static [&'static [&'static str]],
    /// Its options, those of the program included.
    pub grammar: Grammar,
    /// Options that make it do nothing.
    pub inert: &'static [&'static str],
    /// The second option takes back the first where it comes later (`rm -f -i`).
    pub cancels: &'static [(&'static str, &'static str)],
    /// What options do, by id; an id may stand more than once.
    pub options: &'static [(&'static str, Role)],
    /// What operands are.
    pub operands: &'static [(Which, Role)],
    /// What it does whatever its operands are.
    pub effects: &'static [Role],
    /// `host:path` and `rsync://…` operands are on another machine.
    pub remote_operands: bool,
    /// Options that are not listed only change how it works or what it shows.
    pub open: bool,
    /// What its output is.
    pub output: Output,
}

/// Which operands a role is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// Every one.
    All,
    /// Number `.0`, counted from zero.
    At(usize),
    /// Number `.0` and those after it.
    From(usize),
    /// The last.
    Last,
    /// All but the last.
    AllButLast,
    /// The values of operands written `key=value` (`of=file`).
    Key(&'static str),
}

/// Something done to a value, under conditions.
#[derive(Debug, Clone, Copy)]
pub struct Role {
    /// What is done.
    pub action: Action,
    /// At least one of these conditions holds; empty: always.
    pub when: &'static [&'static str],
    /// None of these conditions holds.
    pub unless: &'static [&'static str],
    /// Conditions under which it reaches everything below.
    pub recursive: &'static [&'static str],
    /// Conditions under which it neither asks nor complains.
    pub force: &'static [&'static str],
    /// The path it is done to where that is not a word of the command.
    pub path: Option<&'static str>,
}

/// What can be done with a value or by a command. The words of the files stand in `programs/README.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The content is read.
    Read,
    /// The path after `@` is read (`curl -d @file`); anything else is text.
    ReadAfterAt,
    /// The path after `@`, itself perhaps after a name, is read (`curl --data-urlencode name@file`); anything else is text.
    ReadNameAt,
    /// The path after `=@` or `=<` is read (`curl -F field=@file`); anything else is text.
    ReadField,
    /// A key or configuration the program consumes itself.
    Use,
    /// Named and not touched.
    Mention,
    /// Names, sizes and times.
    Metadata,
    /// Anything may happen to it.
    Touch,
    /// Written.
    Write(WriteMode),
    /// Written under the last component of this address.
    WriteUrlName,
    /// Removed.
    Delete,
    /// Permissions, owner or attributes; the change is the first operand or the option `mode`.
    Permissions,
    /// A device or volume is erased.
    Device,
    /// Copied to the destination.
    Copy,
    /// Moved to the destination.
    Move,
    /// Linked from the destination.
    Link,
    /// Where copies, moves and links go.
    Destination,
    /// An address it talks to.
    Network,
    /// An address it sends data to.
    Upload,
    /// Shell text.
    Shell,
    /// Shell text after this mark, itself perhaps after a `:` (tar's `exec=`, vim's `:!`); anything else is text.
    ShellAfter(&'static str),
    /// This word and those after it are a command.
    Command,
    /// A shell script.
    Script,
    /// Code of this language.
    Code(&'static str),
    /// Standard input is code of this language.
    CodeInput(&'static str),
    /// Standard input is shell text.
    ShellInput,
    /// The directory its operands and what it does on its own are relative to; values of other options are not.
    Directory,
    /// The directory what it writes is relative to.
    OutputDirectory,
    /// Something runs that was not read.
    Execute(Origin, &'static str),
    /// An operation of the program's service.
    Service(&'static str),
    /// The system changes.
    System(&'static str),
    /// Secrets are printed.
    Disclose(&'static str),
    /// More rights.
    Privilege,
    /// A signal is sent.
    Process {
        /// To many processes at once.
        broad: bool,
    },
    /// Not described.
    Unknown(&'static str),
}

/// What a program writes to its standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Output {
    /// Something not known.
    Unknown,
    /// Nothing.
    Nothing,
    /// A changed form of what it reads.
    Filter,
    /// Some lines of what it reads, unchanged.
    Lines,
    /// What it fetches from the network, unless it writes that to a file.
    Remote,
    /// Decoded from what it reads.
    Decoded,
}

include!(concat!(env!("OUT_DIR"), "/programs.rs"));

/// The description of the program called `name`.
pub fn find(name: &str) -> Option<&'static Program> {
    let position = NAMES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    NAMES.get(position).and_then(|(_, index)| PROGRAMS.get(*index))
}

/// Every described program, sorted by its first name.
pub fn programs() -> &'static [Program] {
    PROGRAMS
}
