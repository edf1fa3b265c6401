//! What the tests at the budgets share: one small world, and a way to judge a call in it.
#![allow(dead_code, reason = "each test uses a part")]

use sekisho_guard::{Context, Places, decide};
use sekisho_host::in_memory::World;
use sekisho_policy::Snapshot;
use sekisho_verdict::tool_call::{Action, Completeness, Family, ShellDialect};
use sekisho_verdict::{Decision, Json, ToolCall};

/// The user's home directory.
pub const HOME: &str = "/home/u";
/// The session's directory, the top of a clean work tree.
pub const PROJECT: &str = "/home/u/proj";

/// Subdirectories `d1`, `d2`, … of the project.
pub const DIRECTORIES: usize = 70;

/// A machine with one project and something outside it.
pub fn world() -> World {
    let mut world = World::linux(HOME, PROJECT);
    for directory in ["build", "src", "/home/u/Documents"] {
        world.directory(directory);
    }
    for number in 1..=DIRECTORIES {
        world.directory(&format!("d{number}"));
    }
    for file in ["src/app.ts", "src/main.rs", "a.txt"] {
        world.file(file, "text\n");
    }
    world.git_repository(PROJECT);
    world
}

/// A call of the shell tool.
pub fn shell(command: &str) -> ToolCall {
    ToolCall {
        tool: "Bash".into(),
        family: Family::Shell,
        input: Json::Object(vec![("command".into(), Json::String(command.into()))]),
        actions: vec![Action::Shell { text: command.into(), dialect: ShellDialect::Posix }],
        ..call(Json::Object(Vec::new()))
    }
}

/// A call of a tool that nobody described, with these arguments.
pub fn call(input: Json) -> ToolCall {
    ToolCall {
        agent: "claude-code".into(),
        shape: None,
        event: "PreToolUse".into(),
        session: None,
        call: None,
        transcript: None,
        mode: None,
        can_prompt: true,
        subagent: false,
        session_cwd: None,
        cwd: None,
        tool: "New".into(),
        family: Family::Other,
        input,
        actions: Vec::new(),
        completeness: Completeness::Complete,
    }
}

/// The decision on a call at level standard.
pub fn judge(call: &ToolCall) -> Decision {
    let world = world();
    let places = Places::below_home(HOME);
    let snapshot = Snapshot::default();
    decide(call, &Context { host: &world, workspace: PROJECT, cwd: PROJECT, snapshot: &snapshot, places: &places })
}

/// The decision on a shell command.
pub fn judge_command(command: &str) -> Decision {
    judge(&shell(command))
}
