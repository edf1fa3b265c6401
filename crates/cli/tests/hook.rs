//! The hook process as an agent sees it.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::process::Stdio;

use serde_json::{Value, json};
use support::{Home, run, stderr, stdout};

fn decision(output: &std::process::Output) -> (String, String) {
    assert_eq!((output.status.code(), stderr(output).as_str()), (Some(0), ""));
    let document: Value = serde_json::from_str(&stdout(output)).unwrap();
    let answer = &document["hookSpecificOutput"];
    (answer["permissionDecision"].as_str().unwrap().to_owned(), answer["permissionDecisionReason"].as_str().unwrap().to_owned())
}

fn event(home: &Home, tool: &str, input: Value) -> Vec<u8> {
    json!({"session_id": "s1", "cwd": home.project(), "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input})
        .to_string()
        .into_bytes()
}

#[test]
fn wrong_usage_refuses_and_says_why() {
    let home = Home::new();
    for arguments in [
        &["hook"][..],
        &["hook", "nobody"],
        &["hook", "claude-code", "extra"],
        &["hook", "claude-code", "--verbose"],
        &["hook", "--help"],
    ] {
        let output = run(home.sekisho(arguments), b"{}");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stdout(&output).is_empty() && stderr(&output).starts_with("sekisho hook: "), "{arguments:?}");
    }
}

#[test]
fn what_cannot_be_read_is_denied() {
    let home = Home::new();
    let too_long = [b"{\"a\":\"".as_slice(), &vec![b'x'; 8 * 1024 * 1024], b"\"}"].concat();
    for input in [
        &b""[..],
        b"hello",
        b"[]",
        b"{\"tool_name\":\"Bash\"",
        b"{\"tool_name\":\"Bash\",\"tool_name\":\"Read\"}",
        b"\xff\xfe",
        &too_long,
    ] {
        let (word, reason) = decision(&home.hook(input));
        assert_eq!(word, "deny");
        assert!(reason.contains("tool-call.malformed"), "{reason}");
    }
}

#[test]
fn the_user_may_be_asked_about_failures() {
    let home = Home::new();
    home.write(".config/sekisho/policy.json", r#"{"version": 1, "failure": "ask"}"#);
    assert_eq!(decision(&home.hook(b"{")).0, "ask");
    // Of what exceeds a bound nobody can say what it is, so nobody is asked.
    let deep = format!("{{\"tool_name\": \"New\", \"tool_input\": {}{}}}", "[".repeat(70), "]".repeat(70));
    assert_eq!(decision(&home.hook(deep.as_bytes())).0, "deny");
}

#[test]
fn other_events_get_no_answer() {
    let home = Home::new();
    for name in ["PostToolUse", "SessionStart", "Stop"] {
        let output = home.hook(json!({"hook_event_name": name, "tool_name": "Bash"}).to_string().as_bytes());
        assert_eq!((output.status.code(), stdout(&output).as_str(), stderr(&output).as_str()), (Some(0), "", ""), "{name}");
    }
}

#[test]
fn a_directory_that_is_not_there_is_denied() {
    let home = Home::new();
    for cwd in ["/no/such/directory", "relative", home.project().join(".git/HEAD").to_str().unwrap()] {
        let input = json!({"cwd": cwd, "tool_name": "Bash", "tool_input": {"command": "ls"}}).to_string();
        let (word, reason) = decision(&home.hook(input.as_bytes()));
        assert_eq!(word, "deny", "{cwd}");
        assert!(reason.contains("working directory"), "{reason}");
    }
}

#[test]
fn variables_tighten_and_never_loosen() {
    let home = Home::new();
    let other = Home::new();
    let key = event(&home, "Read", json!({"file_path": format!("{}/.ssh/id_rsa", home.text())}));
    // The home fixed at install stays protected whatever HOME says.
    let mut command = home.sekisho(&["hook", "claude-code", "--home", home.text()]);
    command.env("HOME", other.text());
    assert_eq!(decision(&run(command, &key)).0, "deny");
    // And so does the one HOME names.
    let key = event(&home, "Read", json!({"file_path": format!("{}/.ssh/id_rsa", other.text())}));
    let mut command = home.sekisho(&["hook", "claude-code", "--home", home.text()]);
    command.env("HOME", other.text());
    assert_eq!(decision(&run(command, &key)).0, "deny");
}

#[test]
fn the_record_is_written() {
    let home = Home::new();
    let output = home.hook(&event(&home, "Bash", json!({"command": "ls"})));
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""));
    assert!(home.path().join(".local/state/sekisho/logs").is_dir());
}

#[test]
fn an_agent_that_never_stops_writing_is_answered_all_the_same() {
    let home = Home::new();
    let mut command = home.sekisho(&["hook", "claude-code", "--home", home.text()]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    let output = child.wait_with_output().unwrap();
    drop(input);
    assert_eq!(decision(&output).0, "deny");
}
