//! The outside world as decisions see it.
//!
//! Everything a decision may know about the machine comes through [`Host`]: reading only, bounded, no network. The in-memory
//! world of [`in_memory`] makes every decision testable and replayable; the real one lives in the binary.
#![forbid(unsafe_code)]

pub mod git;
pub mod git_index;
pub mod in_memory;
pub mod path;
pub mod resolve;

/// The operating system a call runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Platform {
    /// Linux and other Unix systems.
    #[default]
    Linux,
    /// macOS.
    MacOs,
    /// Windows.
    Windows,
}

/// What stands at a path, without following a link at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A regular file; its size in bytes.
    File {
        /// Size in bytes.
        size: u64,
    },
    /// A directory.
    Directory,
    /// A symbolic link or a junction.
    Link,
    /// A block device.
    BlockDevice,
    /// A character device.
    CharacterDevice,
    /// A pipe, socket or anything else.
    Other,
}

/// How a file stands towards the Git repository it lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileState {
    /// There is no such file.
    Missing,
    /// Tracked, and as the index has it.
    TrackedClean,
    /// Tracked, and changed since.
    TrackedModified,
    /// Not tracked, or in no repository.
    Untracked,
    /// Could not be found out within bounds.
    Unknown,
}

/// Why something could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReadFailure {
    /// Nothing there.
    Missing,
    /// Larger than the caller's limit.
    TooLarge,
    /// Not a regular file (or not a directory, for a listing).
    WrongKind,
    /// No permission, an input/output error, not valid text.
    Unreadable,
}

/// Read-only looks at one machine. Paths are absolute, `/`-separated on every platform (`C:/Users/dev`).
///
/// Implementations never write, never use the network and answer in bounded time.
pub trait Host {
    /// The user's home directory: from the password database or fixed at install, never from a variable a repository can set.
    fn home(&self) -> &str;

    /// A user's home directory by name (`~name`); `None` where there is no such user.
    fn home_of(&self, user: &str) -> Option<String>;

    /// An environment variable as it stood when the hook process started.
    fn environment(&self, name: &str) -> Option<String>;

    /// The operating system.
    fn platform(&self) -> Platform;

    /// What stands at `path`; a link at its end is not followed.
    fn entry(&self, path: &str) -> Option<EntryKind>;

    /// What the link at `path` holds, as written.
    fn link_target(&self, path: &str) -> Option<String>;

    /// The text of a regular file of at most `limit` bytes.
    ///
    /// # Errors
    /// See [`ReadFailure`].
    fn read(&self, path: &str, limit: usize) -> Result<String, ReadFailure>;

    /// The names in a directory, at most `limit` of them, in no special order.
    ///
    /// # Errors
    /// See [`ReadFailure`]; a directory with more than `limit` entries is `TooLarge`.
    fn list(&self, path: &str, limit: usize) -> Result<Vec<String>, ReadFailure>;

    /// How the file at `path` stands towards its Git repository. Never runs git: compares the index with the file's size and time.
    fn file_state(&self, path: &str) -> FileState;
}
