//! What `check --batch` does to one line: row → world, call and layers → decision → row.
//!
//! Every key of a row and of its answer is described in the documentation of `check --batch`. Unknown keys are ignored.

mod layers;
mod policy;
mod row;
mod world;

use sekisho_agents::delivery::deliver;
use sekisho_agents::{Reading, registry, tool_table, unreadable_call, unregistered};
use sekisho_guard::Places;
use sekisho_host::{Host, path};
use sekisho_verdict::tool_call::{Action, Completeness, Family, ShellDialect};
use sekisho_verdict::{Decision, Json, ToolCall};
use serde_json::Value;

pub use row::{Row, RowFailure};

use crate::views::Views;
use crate::{engine, output};

/// The answer to one line. `real` is this machine, where the batch takes place on it.
pub fn answer(line: &[u8], real: Option<&Views>) -> Value {
    let row = match Row::read(line) {
        Ok(row) => row,
        Err(failure) => {
            let decision = engine::unreadable(&failure.reason, failure.limit);
            return Value::Object(output::decision(Some(failure.id), &decision, false));
        }
    };
    let decision = decide(&row, real);
    Value::Object(output::decision(Some(row.id.clone()), &decision, row.trace))
}

/// The decision on one row.
pub fn decide(row: &Row, real: Option<&Views>) -> Decision {
    match real {
        Some(views) => {
            let call = call(row, &directory(row, &views.main.host));
            deliver(layers::apply(row, &call, views.judge_undelivered(&call)), &call)
        }
        None => in_memory(row),
    }
}

fn in_memory(row: &Row) -> Decision {
    let world = world::build(row);
    let places = Places::below_home(world.home());
    let snapshot = policy::snapshot(row, &world);
    let call = call(row, world.working_directory());
    let decision = engine::judge(&call, &world, &places, &snapshot);
    let decision = policy::note(row, decision);
    deliver(layers::apply(row, &call, decision), &call)
}

fn directory(row: &Row, host: &dyn Host) -> String {
    let here = std::env::current_dir().ok().and_then(|directory| directory.to_str().map(str::to_owned));
    let here = here.unwrap_or_else(|| host.home().to_owned());
    row.cwd.as_deref().map_or(here.clone(), |cwd| path::join(&here, cwd))
}

fn call(row: &Row, cwd: &str) -> ToolCall {
    let reading = read_call(row);
    ToolCall {
        agent: row.agent.clone(),
        can_prompt: !row.headless,
        session_cwd: Some(cwd.to_owned()),
        cwd: Some(reading.directory.map_or_else(|| cwd.to_owned(), |directory| path::join(cwd, &directory))),
        tool: row.tool.clone(),
        family: reading.family,
        actions: reading.actions,
        completeness: reading.completeness,
        input: row.input.clone(),
        ..unreadable_call(&row.agent)
    }
}

fn read_call(row: &Row) -> Reading {
    if row.tool == "cmd"
        && let Some(text) = row.input.string("command")
    {
        // The Windows command interpreter, which no agent's table has.
        let actions = vec![Action::Shell { text: text.to_owned(), dialect: ShellDialect::Auto }];
        return Reading { family: Family::Shell, actions, completeness: Completeness::Complete, directory: None };
    }
    match registry::find(&row.agent) {
        Some(agent) => (agent.read_call)(&row.tool, &row.input),
        None if row.tool.is_empty() => tool_table::read_unknown("", &row.input),
        None => unregistered::read_call(&row.tool, &row.input),
    }
}

/// The strings of a row's arguments, one after the other: what its call names.
fn named(input: &Json) -> String {
    let mut text = String::new();
    let mut pending = vec![input];
    while let Some(value) = pending.pop() {
        match value {
            Json::String(string) => {
                text.push_str(string);
                text.push('\n');
            }
            Json::Array(items) => pending.extend(items),
            Json::Object(entries) => pending.extend(entries.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(line: &str) -> Value {
        answer(line.as_bytes(), None)
    }

    #[test]
    fn a_line_that_is_no_object_is_denied() {
        for line in ["", "x", "[]", "3", "{\"id\": 1", "{} {}"] {
            let row = answered(line);
            assert_eq!((&row["id"], &row["verdict"], &row["stage"]), (&Value::Null, &"deny".into(), &"adapter".into()), "{line}");
        }
    }

    #[test]
    fn the_id_comes_back_as_given() {
        for id in ["\"a\"", "7", "null", "1.5"] {
            let row = answered(&format!("{{\"id\": {id}, \"command\": \"ls\"}}"));
            assert_eq!(row["id"], serde_json::from_str::<Value>(id).unwrap());
        }
        assert_eq!(answered("{\"command\": \"ls\"}")["id"], Value::Null);
    }

    #[test]
    fn arguments_beyond_a_bound_are_denied_with_their_id() {
        let deep = format!("{{\"id\": \"x\", \"tool\": \"New\", \"tool_input\": {{\"a\": {}{}}}}}", "[".repeat(64), "]".repeat(64));
        let row = answered(&deep);
        assert_eq!(
            (&row["id"], &row["stage"], &row["error_code"]),
            (&"x".into(), &"policy-protection".into(), &"tool-input-limit".into())
        );
        let double = answered("{\"id\": \"y\", \"tool_input\": {\"command\": \"ls\", \"command\": \"rm -rf /\"}}");
        assert_eq!((&double["id"], &double["rule"]), (&"y".into(), &"tool-call.malformed".into()));
    }

    #[test]
    fn the_policy_may_name_shells() {
        let declared =
            r#"{"tool": "run_it", "command": "git reset --hard", "policy": {"version": 1, "tools": {"shell": ["run_it"]}}}"#;
        assert_eq!(answered(declared)["verdict"], "deny");
    }

    #[test]
    fn layers_only_tighten_what_the_guard_said() {
        for (row, verdict, stage) in [
            (r#""command": "ls""#, "abstain", "command-analysis"),
            (r#""command": "ls", "hooks": ["allow"]"#, "abstain", "command-analysis"),
            (r#""command": "ls", "hooks": ["ask", "allow"]"#, "ask", "hook-script"),
            (r#""command": "ls", "hooks": ["deny"], "auto": true"#, "deny", "hook-script"),
            (r#""command": "git reset --hard", "hooks": ["allow"], "auto": true"#, "deny", "command-analysis"),
            (r#""command": "ls", "auto": true"#, "allow", "policy"),
            (r#""command": "unknown-program x", "auto": true"#, "ask", "policy"),
            (r#""command": "unknown-program x", "auto": true, "headless": true"#, "deny", "ask-delivery"),
            (r#""command": "ls", "auto": true, "ceiling": {"run_command": "deny"}"#, "deny", "governance"),
            (r#""command": "git status", "ceiling": {"run_git_command": {"decision": "ask"}, "*": "allow"}"#, "ask", "governance"),
            (r#""command": "ls", "fixture": {"interactive": false}, "hooks": ["ask"]"#, "deny", "ask-delivery"),
        ] {
            let answer = answered(&format!("{{{row}}}"));
            assert_eq!((answer["verdict"].as_str(), answer["stage"].as_str()), (Some(verdict), Some(stage)), "{row}");
        }
    }
}
