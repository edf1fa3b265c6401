//! Everything a decision knows besides the call.

use sekisho_host::Host;
use sekisho_policy::Snapshot;

/// Where Sekisho keeps its own files on this machine. Absolute paths.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// The user's settings (`policy.json`, `hooks.json`, `rules/`).
    pub settings: String,
    /// State: audit log, tokens, trust.
    pub state: String,
    /// The program itself, where that is known.
    pub binary: Option<String>,
}

impl Places {
    /// The default places below `home`.
    pub fn below_home(home: &str) -> Self {
        Self { settings: format!("{home}/.config/sekisho"), state: format!("{home}/.local/state/sekisho"), binary: None }
    }
}

/// Everything a decision knows besides the call.
pub struct Context<'a> {
    /// The machine.
    pub host: &'a dyn Host,
    /// The session's directory, absolute and existing: deletes are judged against it, never against a directory the call names.
    pub workspace: &'a str,
    /// The directory the call runs in, absolute and existing.
    pub cwd: &'a str,
    /// The policy in force.
    pub snapshot: &'a Snapshot,
    /// Our own files.
    pub places: &'a Places,
}
