//! Recorded events of each agent, with what the hook must print: exactly that, and nothing else.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::fs;
use std::path::Path;

use sekisho_testkit::gaps::{Outcome, compare};
use sekisho_testkit::repository_file;
use serde_json::Value;
use support::{Home, run, stderr, stdout};

/// The home directory written in the recorded events.
const RECORDED_HOME: &str = "/home/dana";

#[test]
fn recorded_events_get_their_answers() {
    let mut outcomes = Vec::new();
    for agent in fs::read_dir(repository_file("crates/agents/tests/events")).unwrap().map(|entry| entry.unwrap().path()) {
        if !agent.is_dir() {
            continue;
        }
        let mut files: Vec<_> = fs::read_dir(&agent).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for expected in files.iter().filter(|file| file.to_str().unwrap().ends_with(".expected.json")) {
            outcomes.push(play(expected));
        }
    }
    assert!(outcomes.len() >= 18, "only {} events were found", outcomes.len());
    let heading = "Recorded events that do not get their answer yet: agent/case # reason.";
    if let Err(report) =
        compare(repository_file("crates/agents/tests/events/known-gaps.txt"), heading, "-p sekisho --test agent_events", &outcomes)
    {
        panic!("{report}");
    }
}

fn play(expected_file: &Path) -> Outcome {
    let home = Home::new();
    let moved = |text: &str| text.replace(RECORDED_HOME, home.text());
    let expected: Value = serde_json::from_str(&moved(&fs::read_to_string(expected_file).unwrap())).unwrap();
    let input_file = expected_file.to_str().unwrap().replace(".expected.json", ".json");
    let input = moved(&fs::read_to_string(input_file).unwrap());
    let words = expected["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    let arguments: Vec<&str> = words.chain(["--home", home.text()]).collect();
    let mut command = home.sekisho(&arguments);
    for (name, value) in expected["env"].as_object().into_iter().flatten() {
        command.env(name, value.as_str().unwrap());
    }
    let output = run(command, input.as_bytes());
    let failure = compare_output(&expected, output.status.code(), &stdout(&output), &stderr(&output)).err();
    let id = format!("{}/{}", expected["agent"].as_str().unwrap(), expected["case"].as_str().unwrap());
    Outcome { about: id.clone(), id, failure }
}

fn compare_output(expected: &Value, exit: Option<i32>, stdout: &str, stderr: &str) -> Result<(), String> {
    if expected["exit_code"].as_i64() != exit.map(i64::from) {
        return Err(format!("wants exit code {}, got {exit:?}", expected["exit_code"]));
    }
    let mut reasons = Vec::new();
    match expected["stdout"]["kind"].as_str().unwrap() {
        "empty" if stdout.is_empty() => {}
        "json" => {
            let document: Value = serde_json::from_str(stdout).map_err(|error| format!("wants one JSON document: {error}"))?;
            matches(&expected["stdout"]["value"], &document, &mut reasons)?;
        }
        _ => return Err(format!("wants no output, got {stdout}")),
    }
    match expected["stderr"]["kind"].as_str().unwrap() {
        "empty" if stderr.is_empty() => {}
        "contains-reason" if !stderr.is_empty() => {}
        kind => return Err(format!("wants {kind} on standard error, got {stderr:?}")),
    }
    for reason in &reasons {
        let characters = reason.chars().count();
        if characters == 0 || characters > 2_000 || reason.chars().any(char::is_control) {
            return Err(format!("the reason is no plain text: {reason:?}"));
        }
        if let Some(rule) = expected["rule"].as_str()
            && !reason.contains(rule)
        {
            return Err(format!("wants rule {rule} in the reason, got: {reason}"));
        }
    }
    Ok(())
}

/// Compares by value; `{{REASON}}` stands for any reason.
fn matches(expected: &Value, got: &Value, reasons: &mut Vec<String>) -> Result<(), String> {
    match (expected, got) {
        (Value::String(pattern), Value::String(text)) if pattern == "{{REASON}}" => reasons.push(text.clone()),
        (Value::Object(wanted), Value::Object(entries)) => {
            if let Some(extra) = entries.keys().find(|key| !wanted.contains_key(*key)) {
                return Err(format!("wants no key {extra}"));
            }
            for (key, value) in wanted {
                matches(value, entries.get(key).unwrap_or(&Value::Null), reasons)?;
            }
        }
        _ if expected == got => {}
        _ => return Err(format!("wants {expected}, got {got}")),
    }
    Ok(())
}
