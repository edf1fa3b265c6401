//! From a tool call to a decision, whatever the machine: the real one or one made of data.

use std::borrow::Cow;

use sekisho_guard::{Context, Places};
use sekisho_host::path::{self, Style};
use sekisho_host::resolve::Resolver;
use sekisho_host::{EntryKind, Host, Platform};
use sekisho_policy::{OnFailure, Snapshot};
use sekisho_verdict::tool_call::{Action, Completeness, Family, ShellDialect};
use sekisho_verdict::{Basis, Decision, ErrorCode, Intent, RuleId, Source, Stage, ToolCall, Verdict};
use serde_json::Value;

const MALFORMED: RuleId = RuleId::new("tool-call.malformed");
const FAILED_CLOSED: RuleId = RuleId::new("analysis.failed-closed");

/// Said when our own work takes too long.
pub const TOO_SLOW: &str = "sekisho could not judge this call in time and let nothing through; a slow or hanging file system is the usual cause, and the \
     command may be fine";

/// Said when our own work breaks.
pub const BROKE: &str =
    "sekisho failed while judging this call and let nothing through; the fault is in sekisho, not in the command";

/// Decides about a call on one machine under one policy.
pub fn judge(call: &ToolCall, host: &dyn Host, places: &Places, snapshot: &Snapshot) -> Decision {
    let Some(workspace) = call.session_cwd.as_deref().and_then(|directory| usable_directory(host, None, directory)) else {
        return as_failure_is_wanted(unusable_directory(), snapshot);
    };
    // A directory named by the call that is not there is the tool's own error; the call is judged from the session's.
    let cwd = call.cwd.as_deref().and_then(|directory| usable_directory(host, Some(&workspace), directory));
    let cwd = cwd.as_deref().unwrap_or(&workspace);
    let call = declared_shell(call, snapshot);
    let decision = sekisho_guard::decide(&call, &Context { host, workspace: &workspace, cwd, snapshot, places });
    as_failure_is_wanted(decision, snapshot)
}

/// The directory that holds the project's policy: `.sekisho` beside the nearest `.git` upward, else in the session's directory.
pub fn project_directory(host: &dyn Host, session: &str) -> String {
    let mut directory = Some(session);
    while let Some(top) = directory {
        if host.entry(&path::join(top, ".git")).is_some() {
            return path::join(top, ".sekisho");
        }
        directory = path::parent(top);
    }
    path::join(session, ".sekisho")
}

/// The normal spelling of a directory that exists. A Windows path on another system is taken as it is written: such a call is
/// judged by its text alone.
pub fn usable_directory(host: &dyn Host, from: Option<&str>, directory: &str) -> Option<String> {
    if from.is_none() && !path::is_absolute(directory) {
        return None;
    }
    if host.platform() != Platform::Windows && Style::of_text(directory) == Style::Windows {
        return Some(path::normalize(directory));
    }
    let resolved = Resolver::new(host).canonical(from, directory).ok()?;
    (resolved.kind == Some(EntryKind::Directory)).then_some(resolved.lexical)
}

fn deny(rule: RuleId, stage: Stage, basis: Basis, reason: &str, intent: Intent) -> Decision {
    Decision {
        verdict: Verdict::Deny,
        rule: Some(rule),
        source: Source::Guard,
        basis,
        reason: reason.to_owned(),
        intent: Some(intent),
        ..Decision::abstain(stage)
    }
}

/// The answer to an event that could not be read as a call.
pub fn unreadable(reason: &str, limit: bool) -> Decision {
    if limit {
        let decision = deny(MALFORMED, Stage::PolicyProtection, Basis::Failure, reason, Intent::StopAndExplain);
        return Decision { error: Some(ErrorCode::ToolInputLimit), ..decision };
    }
    deny(MALFORMED, Stage::Adapter, Basis::GuardDeny, reason, Intent::UseAlternative)
}

fn unusable_directory() -> Decision {
    let reason = "the working directory of the session is missing or no directory, so nobody can say what this call would touch";
    deny(MALFORMED, Stage::Adapter, Basis::GuardDeny, reason, Intent::StopAndExplain)
}

/// The answer when our own work failed.
pub fn failure(reason: &str) -> Decision {
    let decision = deny(FAILED_CLOSED, Stage::Adapter, Basis::Failure, reason, Intent::StopAndExplain);
    Decision { error: Some(ErrorCode::UnexpectedError), ..decision }
}

/// The decision as the user wants it where sekisho itself failed: with `"failure": "ask"` a person may let the call through.
#[must_use]
pub fn as_failure_is_wanted(decision: Decision, snapshot: &Snapshot) -> Decision {
    let is_failure = decision.basis == Basis::Failure || (decision.stage == Stage::Adapter && decision.verdict == Verdict::Deny);
    if !is_failure || decision.error == Some(ErrorCode::ToolInputLimit) || snapshot.on_failure() != OnFailure::Ask {
        return decision;
    }
    Decision { verdict: Verdict::Ask, ..decision }
}

/// A call of a tool that the user's policy declares to be a shell, read as one. Its text may be of any dialect.
fn declared_shell<'a>(call: &'a ToolCall, snapshot: &Snapshot) -> Cow<'a, ToolCall> {
    let text =
        call.input.string("command").filter(|_| call.completeness == Completeness::Opaque && snapshot.is_shell_tool(&call.tool));
    let Some(text) = text else { return Cow::Borrowed(call) };
    let mut call = call.clone();
    call.family = Family::Shell;
    call.actions.push(Action::Shell { text: text.to_owned(), dialect: ShellDialect::Auto });
    Cow::Owned(call)
}

/// The stricter of two decisions about the same call; the first where they are equally strict.
#[must_use]
pub fn stricter(first: Decision, second: Decision) -> Decision {
    if first.verdict.stricter_layer(second.verdict) == first.verdict { first } else { second }
}

/// The policy in force on a machine.
pub fn load_snapshot(host: &dyn Host, settings: &str, project: Option<&str>) -> Snapshot {
    sekisho_policy::load(host, &sekisho_policy::Places { settings_dir: settings, project_dir: project })
}

/// The policy in force in a world made of data.
pub fn snapshot_from_values(user: Option<&Value>, project: Option<&Value>, project_is_trusted: bool, host: &dyn Host) -> Snapshot {
    let text = |value: Option<&Value>| value.map(|value| format!("{value:#}"));
    Snapshot::from_texts(text(user).as_deref(), text(project).as_deref(), project_is_trusted, host)
}
