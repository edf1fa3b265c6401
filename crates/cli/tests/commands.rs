//! The commands for people and programs: exit codes and streams.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::fs;

use serde_json::Value;
use support::{Home, run, stderr, stdout};

#[test]
fn exit_codes() {
    let home = Home::new();
    for (arguments, code) in [
        (&["--version"][..], 0),
        (&["version", "--json"], 0),
        (&["--help"], 0),
        (&["check", "--help"], 0),
        (&[], 64),
        (&["nonsense"], 64),
        (&["check"], 64),
        (&["check", "--tool", "Read", "--input", "{"], 64),
        (&["check", "--", "ls"], 0),
        (&["check", "--tool", "Read", "--input", "{\"file_path\": \".env\"}"], 2),
        (&["check", "--tool", "Bash", "--input", "{}"], 2),
        (&["explain", "--", "ls"], 0),
        (&["explain", "--exit-code", "--tool", "Read", "--input", "{\"file_path\": \".env\"}"], 2),
        (&["parse", "--json", "--", "ls | wc"], 0),
        (&["parse"], 64),
    ] {
        let output = run(home.sekisho(arguments), b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    }
}

#[test]
fn a_batch_answers_line_by_line() {
    let home = Home::new();
    let output = run(
        home.sekisho(&["check", "--batch"]),
        b"{\"id\": 1, \"command\": \"ls\"}\n[]\n\n{\"id\": \"x\", \"tool\": \"Read\", \"tool_input\": {\"file_path\": \".env\"}}",
    );
    assert_eq!(output.status.code(), Some(0));
    let rows: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ids: Vec<&Value> = rows.iter().map(|row| &row["id"]).collect();
    assert_eq!(ids, [&Value::from(1), &Value::Null, &Value::Null, &Value::from("x")]);
    assert_eq!(rows[3]["rule"], "secret.basename.env");
}

#[test]
fn up_needs_nothing_and_leaves_nothing() {
    let home = Home::new();
    let temporary = home.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let mut command = home.sekisho(&["up"]);
    command.env("TMPDIR", &temporary);
    let output = run(command, b"");
    let text = stdout(&output);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""), "{text}");
    assert!(text.contains("policy.file-mutation") && text.contains("sekisho install claude-code"), "{text}");
    assert!(!text.contains('\u{1b}'), "colours in a pipe");
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn the_log_shows_what_was_decided() {
    let home = Home::new();
    let event = |command: &str| {
        serde_json::json!({"session_id": "s1", "cwd": home.project(), "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}}).to_string()
    };
    home.hook(event("ls").as_bytes());
    home.hook(event("git reset --hard").as_bytes());
    let log = |arguments: &[&str]| stdout(&run(home.sekisho(&[&["log", "--home", home.text()], arguments].concat()), b""));
    let denials: Value = serde_json::from_str(&log(&["--json"])).unwrap();
    assert_eq!((denials.as_array().unwrap().len(), &denials[0]["rule"]), (1, &Value::from("git.reset-hard")));
    let all: Value = serde_json::from_str(&log(&["list", "--all", "--json"])).unwrap();
    assert_eq!(all.as_array().unwrap().len(), 2);
    let text = log(&["show", denials[0]["id"].as_str().unwrap()]);
    assert!(text.contains("git reset --hard") && text.contains("git.reset-hard"), "{text}");
    assert!(log(&[]).contains("git.reset-hard"));
}
