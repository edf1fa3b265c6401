//! What a variable is known to hold.

use sekisho_command_model::{Cause, Partial, Provenance, Value};

use super::split::{DEFAULT, Separators};
use crate::Directory;
use crate::engine::Engine;
use crate::state::{Content, Slot, State};

/// Variables that always hold something.
const NEVER_EMPTY: &[&str] = &[
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "BASHPID",
    "UID",
    "EUID",
    "PPID",
    "HOSTNAME",
    "HOSTTYPE",
    "OSTYPE",
    "MACHTYPE",
    "BASH",
    "BASH_VERSION",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "SHLVL",
    "SHELLOPTS",
    "BASHOPTS",
    "PATH",
    "PWD",
    "HOME",
];

/// A known value that comes from tracked state.
pub(crate) fn tracked(text: impl Into<String>) -> Value {
    Value::Known { text: text.into(), provenance: Provenance::Known }
}

/// A variable nothing is known of.
pub(crate) fn unknown(name: &str) -> Value {
    let may_be_empty = !NEVER_EMPTY.contains(&name);
    Value::Dynamic(Partial { may_be_empty, ..Partial::unknown(Cause::Variable(name.to_owned())) })
}

impl Engine<'_> {
    /// The value of `name`, one of several as unknown.
    pub(crate) fn variable(&self, name: &str, state: &State) -> Slot {
        let Some(variable) = state.variables.get(name) else { return self.inherited(name, state) };
        match &variable.content {
            Content::Scalar(slots) => match slots.as_slice() {
                [one] => match one {
                    Slot::Value(Value::Known { text, .. }) => Slot::Value(tracked(text.as_str())),
                    other => other.clone(),
                },
                _ => Slot::Value(unknown(name)),
            },
            Content::Array(elements) => match elements.iter().find(|(key, _)| key == "0") {
                Some((_, value)) => Slot::Value(value.clone()),
                None => Slot::Unset,
            },
        }
    }

    /// The value of a variable the text never assigned.
    pub(crate) fn inherited(&self, name: &str, state: &State) -> Slot {
        let host = self.start.host;
        let directory = |directory: Option<&Directory>| match directory.and_then(Directory::path) {
            Some(path) => tracked(path),
            None => unknown(name),
        };
        let value = match name {
            "PWD" => directory(Some(&state.cwd)),
            "OLDPWD" => directory(state.old_cwd.as_ref()),
            "IFS" => tracked(DEFAULT),
            "HOME" => self.home(state),
            _ if state.bare => return Slot::Unset,
            "TMPDIR" => match host.environment(name).filter(|path| is_temporary(path)) {
                Some(path) => tracked(path),
                None => unknown(name),
            },
            "USER" | "LOGNAME" if !state.home_unknown => match host.environment(name) {
                Some(user) => tracked(user),
                None => Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(Cause::Variable(name.to_owned())) }),
            },
            "BASH" => tracked("/bin/bash"),
            "SHELL" => tracked(host.environment(name).unwrap_or_else(|| "/bin/sh".to_owned())),
            _ => unknown(name),
        };
        Slot::Value(value)
    }

    /// What `~` stands for.
    pub(crate) fn home(&self, state: &State) -> Value {
        if let Some(variable) = state.variables.get("HOME") {
            return match &variable.content {
                Content::Scalar(slots) => match slots.as_slice() {
                    [Slot::Value(value)] => value.clone(),
                    _ => unknown("HOME"),
                },
                Content::Array(_) => unknown("HOME"),
            };
        }
        if state.home_unknown { unknown("HOME") } else { tracked(self.start.host.home()) }
    }

    /// The characters unquoted values split at.
    pub(crate) fn separators(&self, state: &State) -> Separators {
        match self.variable("IFS", state) {
            Slot::Unset => Separators(Some(DEFAULT.to_owned())),
            Slot::Value(Value::Known { text, .. }) => Separators(Some(text)),
            Slot::Value(_) => Separators(None),
        }
    }

    /// A variable as an integer, for arithmetic: unset and empty count as zero.
    pub(crate) fn integer(&self, name: &str, state: &State) -> Option<i64> {
        match self.variable(name, state) {
            Slot::Unset => Some(0),
            Slot::Value(Value::Known { text, .. }) if text.trim().is_empty() => Some(0),
            Slot::Value(Value::Known { text, .. }) => super::arithmetic::number(text.trim()),
            Slot::Value(_) => None,
        }
    }
}

/// A place that is meant for temporary files, whoever set the variable.
fn is_temporary(path: &str) -> bool {
    let path = crate::directory::join("/", path);
    ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm"]
        .iter()
        .any(|place| crate::directory::is_below(&path, place))
}
