//! What a command does to the world, in terms no rule has to parse again.

use sekisho_shell_syntax::span::Span;

use crate::argument::Value;

/// One thing a command does.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// What.
    pub kind: EffectKind,
    /// The family the program declares; one table of rules is keyed by it.
    pub family: Family,
    /// The directory its targets are relative to where it is not the command's own (`git -C`, `make -C`, `tar -C`).
    pub directory: Option<Value>,
    /// The word it comes from.
    pub span: Span,
}

impl Effect {
    /// An effect of this kind and family, relative to the command's own directory.
    pub fn new(kind: EffectKind, family: Family, span: Span) -> Self {
        Self { kind, family, directory: None, span }
    }
}

/// The kinds of effect.
#[derive(Debug, Clone, PartialEq)]
pub enum EffectKind {
    /// Reads the content of a file.
    Read(Target),
    /// Changes or creates a file's content.
    Write(Target, WriteMode),
    /// Removes a file or tree.
    Delete {
        /// What.
        target: Target,
        /// With everything below it.
        recursive: bool,
        /// Without asking and without complaint about missing files.
        force: bool,
    },
    /// Moves or renames.
    Move {
        /// From where.
        from: Target,
        /// To where.
        to: Target,
    },
    /// Changes permissions, owner or attributes.
    Permissions {
        /// Of what.
        target: Target,
        /// With everything below it.
        recursive: bool,
        /// The new mode or owner as written.
        change: String,
    },
    /// Formats, erases or repartitions a device or volume.
    Device(Target),
    /// Runs something that is not a command of this program's text: see [`Origin`].
    Execute {
        /// Where the code comes from.
        origin: Origin,
        /// A few words on it (`core.pager`, `--to-command`).
        what: String,
    },
    /// Talks to the network.
    Network {
        /// The host or address.
        host: Option<Value>,
        /// Sends local data.
        upload: bool,
    },
    /// Runs with more rights (sudo, doas).
    Privilege,
    /// A version-control operation.
    Vcs(VcsOperation),
    /// An operation on a container, cluster, cloud, database, registry or forge.
    Service {
        /// `docker`, `kubectl`, `aws`, `psql`, `gh`, …
        service: String,
        /// `volume-delete`, `repository-delete`, `list`, …: words of the program's description.
        operation: String,
        /// What it is done to.
        resource: Option<String>,
    },
    /// Sends a signal.
    Process {
        /// The signal as written, `TERM` by default.
        signal: String,
        /// Many processes at once, by pattern or `-1`.
        broad: bool,
    },
    /// Changes the system: power, services, users, firewall, cron.
    System(String),
    /// Prints secrets: the whole environment, or a variable or command whose output is one.
    Disclose(String),
    /// Looks at names, sizes and times only.
    Metadata(Target),
    /// Consumes a file itself (a key, a configuration) without showing it.
    Use(Target),
    /// Names a path and touches nothing.
    Mention(Target),
    /// An operand of a program that is not described: it may do anything with it.
    Touch(Target),
    /// A word that is not known stands where the program decides what to do: before or at a sub-command, among the options
    /// of an operation that loses something.
    DynamicStructure,
    /// The program, or this option of it, is not described.
    Unknown(String),
}

/// A path an effect is about.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The path as far as it is known.
    pub value: Value,
    /// Only some of what lies below it (find, fd, rsync filters).
    pub selection: Option<Selection>,
}

impl Target {
    /// All of `value`.
    pub fn new(value: Value) -> Self {
        Self { value, selection: None }
    }

    /// What `selection` chooses below `value`.
    pub fn selected(value: Value, selection: Selection) -> Self {
        Self { value, selection: Some(selection) }
    }
}

/// What a search below a root can select. Facts about the expression; rules decide what they mean.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Selection {
    /// Every way to reach the action carries at least one positive name or path filter; these are all of them as written
    /// (`*.pyc`, `node_modules`). Empty: nothing narrows the names.
    pub names: Vec<String>,
    /// Only empty directories or files (`-empty`).
    pub empty_only: bool,
    /// Only regular files (`-type f`).
    pub files_only: bool,
    /// Only directories (`-type d`).
    pub directories_only: bool,
    /// Filtered by age (`-mtime`, `-mmin`, `-atime` …).
    pub by_age: bool,
    /// `.git` is pruned or excluded.
    pub excludes_git: bool,
    /// The search cannot select anything below `.git` for another reason (a depth limit of zero, `-maxdepth 1 -type f`).
    pub cannot_reach_git: bool,
    /// The greatest depth, if limited.
    pub max_depth: Option<u32>,
    /// Hidden entries are not visited (fd, `rg`).
    pub skips_hidden: bool,
}

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WriteMode {
    /// The old content is lost.
    Truncate,
    /// The old content is lost and nothing is written (`: > f`, `truncate -s 0`, `cp /dev/null f`).
    Empty,
    /// The old content stays.
    Append,
    /// Changed in place (`sed -i`).
    InPlace,
    /// A new file or directory; an existing one stays or is an error (`mkdir`, `touch`, `>` with noclobber).
    Create,
    /// A link is put there.
    Link,
}

/// Where executed code comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A local file or program that was not read.
    Local,
    /// Code known in full and already followed.
    Followed,
    /// Code given in the command and understood only in part (inline Python that only computes).
    Inline,
    /// Text not known before it runs (`eval "$X"`, `sh -c "$X"`, `… | sh`).
    Unknown,
    /// Text not known, given by a generator command (`eval "$(tool init)"`, `source <(tool completion)`).
    Generator,
    /// The command word itself is not known (`$CMD x`).
    UnknownProgram,
    /// Fetched from the network.
    Fetched,
    /// Decoded from an opaque form (`base64 -d | sh` over something unknown).
    Decoded,
    /// Each line of an input becomes code (`xargs sh -c`, `parallel` reading commands).
    Input,
    /// A program's configuration names what runs (`core.pager`).
    Configuration,
    /// An awk program runs text that is not known.
    AwkDynamic,
    /// A shell or interpreter that will read commands typed into it later.
    Interactive,
}

/// The family a program declares for its effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Anything without a family of its own.
    General,
    /// rm, unlink, rmdir and their kin.
    Rm,
    /// find -delete and fd with nothing executed.
    FindDelete,
    /// A command run by find -exec or fd -x.
    FindExec,
    /// A command whose operands come from xargs.
    Xargs,
    /// A command whose operands come from GNU parallel.
    Parallel,
    /// Mirrors that delete: rsync, robocopy, rclone.
    Sync,
    /// Archivers that remove or overwrite.
    Archive,
    /// rimraf, trash, wipe.
    Deleter,
    /// shred.
    Shred,
    /// dd.
    Dd,
    /// mkfs and other formatters.
    Format,
    /// Calls in inline code of an interpreter.
    Interpreter,
    /// git.
    Git,
    /// A redirection of the shell.
    Redirection,
    /// A file tool of the agent, not a shell command.
    FileTool,
    /// A patch.
    Patch,
}

/// A version-control operation that loses, moves or runs something, or plainly reads.
#[derive(Debug, Clone, PartialEq)]
pub struct VcsOperation {
    /// Words of the git analyzer (`reset-hard`, `push-force`, `status`): rules match them exactly.
    pub name: &'static str,
    /// A ref or commit was named.
    pub with_ref: bool,
    /// What it is done to: a branch, a ref, a configuration key.
    pub subject: Option<String>,
}

impl VcsOperation {
    /// The operation alone.
    pub fn new(name: &'static str) -> Self {
        Self { name, with_ref: false, subject: None }
    }
}
