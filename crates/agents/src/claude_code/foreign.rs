//! Other agents that read Claude Code's settings and run our registration there. They send its envelope and name their tools, or
//! the arguments, otherwise; a variable of theirs tells them apart.

use sekisho_verdict::tool_call::{Family, ShellDialect};
use sekisho_verdict::{Json, Verdict};

use crate::tool_table::{Role, Tool, known, optional, read, required, shell, tool};
use crate::{Answer, Environment, Reading, Rendered, one_line};

/// Devin's wire format.
pub const DEVIN: &str = "devin";

/// The variable that holds Devin's project directory; its events name none.
pub const DEVIN_DIRECTORY: &str = "DEVIN_PROJECT_DIR";

const CONTINUE_DIRECTORY: &str = "CONTINUE_PROJECT_DIR";

/// Source: docs.devin.ai, "Hooks"; the tools' arguments are those seen in integrations.
const DEVIN_TOOLS: [Tool; 6] = [
    shell("exec", ShellDialect::Auto, &[required("command", Role::Command)]),
    tool("read", Family::FileRead, &[required("file_path", Role::Path)]),
    tool("write", Family::FileWrite, &[required("file_path", Role::Path), known("content")]),
    tool(
        "edit",
        Family::FileEdit,
        &[required("file_path", Role::Path), known("old_string"), known("new_string"), known("replace_all")],
    ),
    tool("grep", Family::Search, &[required("pattern", Role::Pattern), optional("path", Role::Path), optional("glob", Role::Glob)]),
    tool("glob", Family::Search, &[required("pattern", Role::Pattern), optional("path", Role::Path)]),
];

/// Continue's `cn`. Source: the types of its hook engine.
const CONTINUE_TOOLS: [Tool; 3] = [
    tool("Read", Family::FileRead, &[required("filepath", Role::Path)]),
    tool("Write", Family::FileWrite, &[required("filepath", Role::Path), known("content")]),
    tool(
        "Edit",
        Family::FileEdit,
        &[required("file_path", Role::Path), known("edits"), known("old_string"), known("new_string"), known("replace_all")],
    ),
];

/// The wire format to answer in.
pub fn shape(environment: Environment<'_>) -> Option<&'static str> {
    environment(DEVIN_DIRECTORY).map(|_| DEVIN)
}

/// Reads a call by the other agent's table, if one of them runs us and knows the tool.
pub fn read_call(name: &str, input: &Json, environment: Environment<'_>) -> Option<Reading> {
    let devin = || environment(DEVIN_DIRECTORY).and_then(|_| read(&DEVIN_TOOLS, name, input));
    let continues = || environment(CONTINUE_DIRECTORY).and_then(|_| read(&CONTINUE_TOOLS, name, input));
    devin().or_else(continues)
}

/// Devin refuses on exit code 2 and on `{"decision": "block"}`; which of them counts differs between its versions, so both are
/// said. It has no ask, so nothing but a deny is printed.
pub fn render_devin(answer: Answer<'_>) -> Rendered {
    let Answer::Decided { decision, message } = answer else { return Rendered::default() };
    if decision.verdict != Verdict::Deny {
        return Rendered::default();
    }
    let reason = one_line(message);
    let document = serde_json::json!({"decision": "block", "reason": reason});
    Rendered { stdout: format!("{document}\n"), stderr: format!("{reason}\n"), exit: 2 }
}
