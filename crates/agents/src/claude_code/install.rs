//! Where Claude Code reads hooks from.
//!
//! Source: Claude Code documentation, "Settings" and "Hooks reference". All sources add up, so one registration is enough.

use crate::install::{Registration, Said, Sample};

/// How Claude Code is told to call us.
pub const REGISTRATION: Registration = Registration {
    agent: super::ID,
    event: "PreToolUse",
    user_file: ".claude/settings.json",
    directory_variable: Some("CLAUDE_CONFIG_DIR"),
    project_files: &[".claude/settings.json", ".claude/settings.local.json"],
    sign_of_use: ".claude",
    off_switch: Some("disableAllHooks"),
    timeout: 10,
    event_of,
    said,
};

fn event_of(sample: &Sample<'_>) -> String {
    let event = serde_json::json!({
        "session_id": sample.session,
        "transcript_path": "",
        "cwd": sample.cwd,
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": sample.tool,
        "tool_input": sample.input,
        "tool_use_id": "toolu_sekisho",
    });
    event.to_string()
}

/// Only exit code 0 with this one document counts.
fn said(output: &str, exit: Option<i32>) -> Option<Said> {
    let document: serde_json::Value = serde_json::from_str(output).ok().filter(|_| exit == Some(0))?;
    let answer =
        document.get("hookSpecificOutput").filter(|answer| answer.get("hookEventName").is_some_and(|name| name == "PreToolUse"))?;
    let text = |key: &str| answer.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
    Some(Said { word: text("permissionDecision")?, reason: text("permissionDecisionReason").unwrap_or_default() })
}
