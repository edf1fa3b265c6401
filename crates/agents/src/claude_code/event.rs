//! What Claude Code sends → a tool call.
//!
//! Source: Claude Code documentation, "Hooks reference", PreToolUse input; tool names and arguments from its tool descriptions.

use sekisho_verdict::tool_call::{Family, ShellDialect};
use sekisho_verdict::{Json, ToolCall};

use super::foreign;
use crate::payload::{malformed, read_object};
use crate::tool_table::{Role, Tool, known, optional, read as read_table, read_unknown, required, required_list, shell, tool};
use crate::{Environment, Event, Reading};

const EVENT: &str = "PreToolUse";

/// The tools and their arguments. Other names are judged by what their arguments contain.
const TOOLS: [Tool; 27] = [
    shell(
        "Bash",
        ShellDialect::Posix,
        &[required("command", Role::Command), known("description"), known("timeout"), known("run_in_background")],
    ),
    shell(
        "PowerShell",
        ShellDialect::PowerShell,
        &[required("command", Role::Command), known("description"), known("timeout"), known("run_in_background")],
    ),
    tool("Write", Family::FileWrite, &[required("file_path", Role::Path), required("content", Role::Other)]),
    tool(
        "Edit",
        Family::FileEdit,
        &[
            required("file_path", Role::Path),
            required("old_string", Role::Other),
            required("new_string", Role::Other),
            known("replace_all"),
        ],
    ),
    tool("MultiEdit", Family::FileEdit, &[required("file_path", Role::Path), required_list("edits")]),
    tool(
        "NotebookEdit",
        Family::FileEdit,
        &[
            required("notebook_path", Role::Path),
            optional("new_source", Role::Other),
            known("cell_id"),
            known("cell_type"),
            known("edit_mode"),
        ],
    ),
    tool("Read", Family::FileRead, &[required("file_path", Role::Path), known("offset"), known("limit"), known("pages")]),
    tool("NotebookRead", Family::FileRead, &[required("notebook_path", Role::Path), known("cell_id")]),
    tool("LS", Family::List, &[required("path", Role::Path), known("ignore")]),
    tool("Glob", Family::Search, &[required("pattern", Role::Pattern), optional("path", Role::Path)]),
    tool(
        "Grep",
        Family::Search,
        &[
            required("pattern", Role::Pattern),
            optional("path", Role::Path),
            optional("glob", Role::Glob),
            known("output_mode"),
            known("-A"),
            known("-B"),
            known("-C"),
            known("context"),
            known("-n"),
            known("-i"),
            known("-o"),
            known("type"),
            known("head_limit"),
            known("offset"),
            known("multiline"),
        ],
    ),
    tool("WebFetch", Family::NetFetch, &[required("url", Role::Url), optional("prompt", Role::Other)]),
    tool("WebSearch", Family::NetSearch, &[required("query", Role::Other), known("allowed_domains"), known("blocked_domains")]),
    tool(
        "Agent",
        Family::Subagent,
        &[
            required("prompt", Role::Other),
            known("description"),
            known("subagent_type"),
            known("model"),
            known("run_in_background"),
            known("isolation"),
        ],
    ),
    tool(
        "Task",
        Family::Subagent,
        &[
            required("prompt", Role::Other),
            known("description"),
            known("subagent_type"),
            known("model"),
            known("run_in_background"),
        ],
    ),
    // Lists the agent keeps for itself, and questions to the user.
    tool("TodoWrite", Family::AskUser, &[known("todos")]),
    tool("TaskCreate", Family::AskUser, &[known("subject"), known("description"), known("activeForm"), known("metadata")]),
    tool("TaskUpdate", Family::AskUser, &[known("taskId"), known("status"), known("subject"), known("description")]),
    tool("TaskGet", Family::AskUser, &[known("taskId")]),
    tool("TaskList", Family::AskUser, &[]),
    tool("AskUserQuestion", Family::AskUser, &[known("questions"), known("answers")]),
    tool("EnterPlanMode", Family::AskUser, &[]),
    tool("ExitPlanMode", Family::AskUser, &[known("plan"), known("allowedPrompts")]),
    // What a command running in the background has printed, and its end.
    tool("BashOutput", Family::Other, &[known("bash_id"), known("filter")]),
    tool("TaskOutput", Family::Other, &[known("task_id"), known("block"), known("timeout")]),
    tool("KillShell", Family::Other, &[known("shell_id")]),
    tool("TaskStop", Family::Other, &[known("task_id"), known("shell_id")]),
];

/// Permission modes in which Claude Code asks nobody.
const MODES_WITHOUT_PROMPTS: [&str; 2] = ["bypassPermissions", "dontAsk"];

/// Reads one call's tool name and arguments.
pub fn read_call(name: &str, input: &Json) -> Reading {
    read_table(&TOOLS, name, input).unwrap_or_else(|| read_unknown(name, input))
}

/// Reads what Claude Code wrote to our standard input.
pub fn read(bytes: &[u8], environment: Environment<'_>) -> Event {
    match read_object(bytes) {
        Ok(payload) => read_payload(payload, environment),
        Err(event) => event,
    }
}

fn read_payload(mut payload: Json, environment: Environment<'_>) -> Event {
    match payload.get("hook_event_name") {
        // Test drives by hand leave it out; only the one event is registered.
        None => {}
        Some(Json::String(name)) if name == EVENT => {}
        Some(Json::String(_)) => return Event::Ignored,
        Some(_) => return malformed("`hook_event_name` is not a string"),
    }
    let Some(tool) = payload.string("tool_name").filter(|name| !name.trim().is_empty()).map(str::to_owned) else {
        return malformed("`tool_name` is missing");
    };
    let directory = match payload.get("cwd") {
        None | Some(Json::Null) => None,
        Some(Json::String(path)) if path.is_empty() => None,
        Some(Json::String(path)) => Some(path.clone()),
        Some(_) => return malformed("`cwd` is not a string"),
    };
    let input = take(&mut payload, "tool_input").unwrap_or_else(|| Json::Object(Vec::new()));
    let reading = foreign::read_call(&tool, &input, environment).unwrap_or_else(|| read_call(&tool, &input));
    let shape = foreign::shape(environment);
    let directory = directory.or_else(|| shape.and_then(|_| environment(foreign::DEVIN_DIRECTORY)));
    let text = |key: &str| payload.string(key).filter(|text| !text.is_empty()).map(str::to_owned);
    let mode = text("permission_mode");
    Event::Call(Box::new(ToolCall {
        agent: super::ID.to_owned(),
        shape: shape.map(str::to_owned),
        event: EVENT.to_owned(),
        session: text("session_id"),
        call: text("tool_use_id"),
        transcript: text("transcript_path"),
        // Devin has no way to ask.
        can_prompt: shape.is_none() && !mode.as_deref().is_some_and(|mode| MODES_WITHOUT_PROMPTS.contains(&mode)),
        mode,
        subagent: payload.get("agent_id").is_some(),
        session_cwd: session_directory(directory.as_deref(), environment("CLAUDE_PROJECT_DIR")),
        cwd: reading.directory.or(directory),
        tool,
        family: reading.family,
        actions: reading.actions,
        completeness: reading.completeness,
        input,
    }))
}

/// The directory of the session. `cwd` follows the agent's own `cd`; where that leads above the project, the project stays the
/// place deletes are judged against. The variable can only narrow.
fn session_directory(directory: Option<&str>, project: Option<String>) -> Option<String> {
    let directory = directory?;
    let below = |project: &String| {
        let rest = project.strip_prefix(directory.trim_end_matches(['/', '\\']));
        rest.is_some_and(|rest| {
            rest.len() > 1 && rest.starts_with(['/', '\\']) && !rest.split(['/', '\\']).any(|name| name == "..")
        })
    };
    Some(project.filter(below).unwrap_or_else(|| directory.to_owned()))
}

fn take(object: &mut Json, key: &str) -> Option<Json> {
    let Json::Object(entries) = object else { return None };
    let at = entries.iter().position(|(name, _)| name == key)?;
    Some(entries.swap_remove(at).1)
}

#[cfg(test)]
mod tests {
    use sekisho_verdict::tool_call::{Action, Completeness};

    use super::*;

    fn event(text: &str) -> Event {
        read(text.as_bytes(), &|_| None)
    }

    fn call(text: &str) -> ToolCall {
        match event(text) {
            Event::Call(call) => *call,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn every_tool_of_the_table_reads_its_required_arguments() {
        for (name, input, action) in [
            ("Read", r#"{"file_path": "/a", "limit": 3}"#, Action::ReadFile { path: "/a".to_owned() }),
            ("Write", r#"{"file_path": "/a", "content": ""}"#, Action::WriteFile { path: "/a".to_owned() }),
            ("Edit", r#"{"file_path": "/a", "old_string": "x", "new_string": "y"}"#, Action::EditFile { path: "/a".to_owned() }),
            ("MultiEdit", r#"{"file_path": "/a", "edits": []}"#, Action::EditFile { path: "/a".to_owned() }),
            ("NotebookEdit", r#"{"notebook_path": "/a", "new_source": ""}"#, Action::EditFile { path: "/a".to_owned() }),
            ("LS", r#"{"path": "/a"}"#, Action::ListDirectory { path: "/a".to_owned() }),
            (
                "Glob",
                r#"{"pattern": "**/*.rs"}"#,
                Action::Search { content: false, root: None, pattern: "**/*.rs".to_owned(), glob: None },
            ),
            (
                "Grep",
                r#"{"pattern": "x", "path": "src", "-n": true}"#,
                Action::Search { content: true, root: Some("src".to_owned()), pattern: "x".to_owned(), glob: None },
            ),
            (
                "WebFetch",
                r#"{"url": "https://x.example", "prompt": "p"}"#,
                Action::Fetch { url: Some("https://x.example".to_owned()) },
            ),
            ("WebSearch", r#"{"query": "q"}"#, Action::Fetch { url: None }),
            ("Agent", r#"{"prompt": "p", "description": "d", "subagent_type": "Explore"}"#, Action::Spawn),
        ] {
            let call = call(&format!(r#"{{"tool_name": "{name}", "tool_input": {input}}}"#));
            assert_eq!(call.actions, [action], "{name}");
            assert_eq!(call.completeness, Completeness::Complete, "{name}");
        }
    }

    #[test]
    fn who_can_be_asked() {
        for (mode, can_prompt) in [
            ("default", true),
            ("plan", true),
            ("acceptEdits", true),
            ("auto", true),
            ("dontAsk", false),
            ("bypassPermissions", false),
        ] {
            let call = call(&format!(r#"{{"tool_name": "Bash", "tool_input": {{"command": "ls"}}, "permission_mode": "{mode}"}}"#));
            assert_eq!(call.can_prompt, can_prompt, "{mode}");
        }
    }

    #[test]
    fn other_events_are_ignored_and_broken_ones_are_not() {
        assert_eq!(event(r#"{"hook_event_name": "SessionStart"}"#), Event::Ignored);
        for text in [
            r#"{"hook_event_name": "PreToolUse"}"#,
            r#"{"hook_event_name": 3, "tool_name": "Bash"}"#,
            r#"{"tool_name": " "}"#,
            r#"{"tool_name": ["Bash"]}"#,
            r#"{"tool_name": "Bash", "cwd": 3}"#,
        ] {
            assert!(matches!(event(text), Event::Malformed { limit: false, .. }), "{text}");
        }
        assert!(matches!(call(r#"{"tool_name": "Bash"}"#).completeness, Completeness::Malformed(_)));
        assert!(matches!(call(r#"{"tool_name": "New"}"#).completeness, Completeness::Opaque));
    }

    #[test]
    fn the_project_only_narrows_the_session_directory() {
        for (cwd, project, session) in [
            ("/home/dev", Some("/home/dev/app"), "/home/dev/app"),
            ("/", Some("/home/dev/app"), "/home/dev/app"),
            ("/home/dev/app", Some("/home/dev/app"), "/home/dev/app"),
            ("/home/dev/app/src", Some("/home/dev/app"), "/home/dev/app/src"),
            ("/home/dev", Some("/home/developer"), "/home/dev"),
            ("/home/dev", Some("/home/dev/../x"), "/home/dev"),
            ("/home/dev", None, "/home/dev"),
        ] {
            assert_eq!(session_directory(Some(cwd), project.map(str::to_owned)).as_deref(), Some(session), "{cwd} {project:?}");
        }
    }

    #[test]
    fn continue_names_its_paths_otherwise() {
        let text = r#"{"tool_name": "Read", "tool_input": {"filepath": "/a"}}"#;
        let Event::Call(call) = read(text.as_bytes(), &|name| (name == "CONTINUE_PROJECT_DIR").then(String::new)) else {
            panic!("not a call")
        };
        assert_eq!(call.actions, [Action::ReadFile { path: "/a".to_owned() }]);
    }
}
