//! The executions that answers for programs carry: words, unknown words, and unknown numbers of words.

use serde_json::{Value, json};

fn executions(command: &str) -> Vec<Value> {
    let row = json!({"command": command, "trace": true, "fixture": {"files": ["a.o", "b.o"]}}).to_string();
    let answer = sekisho::batch::answer(row.as_bytes(), None);
    answer.get("executions").and_then(Value::as_array).cloned().unwrap_or_default()
}

#[test]
fn words_are_given_as_far_as_they_are_known() {
    for (command, expected) in [
        ("x='a b'; tool \"$x\" $x", json!([["tool", "a b", "a", "b"]])),
        ("tool \"$UNKNOWN\" end", json!([["tool", null, "end"]])),
        ("tool $UNKNOWN end", json!([null])),
        ("tool *.o", json!([null])),
        ("tool '*.o'", json!([["tool", "*.o"]])),
        ("tool \"$(echo a b)\"", json!([["echo", "a", "b"], ["tool", "a b"]])),
        ("for i in 1 2; do tool $i; done", json!([["tool", "1"], ["tool", "2"]])),
        ("sh -c 'tool \"$1\"' _ x", json!([["sh", "-c", "tool \"$1\"", "_", "x"], ["tool", "x"]])),
    ] {
        let argv: Vec<Value> = executions(command).iter().map(|execution| execution["argv"].clone()).collect();
        assert_eq!(Value::Array(argv), expected, "{command}");
    }
}

#[test]
fn what_may_not_run_is_not_certain() {
    let certain = |command: &str| -> Vec<bool> {
        executions(command).iter().map(|execution| execution["certain"].as_bool().unwrap()).collect()
    };
    assert_eq!(certain("tool a; tool b"), [true, true]);
    assert_eq!(certain("tool a && tool b"), [true, false]);
    assert_eq!(certain("if tool a; then tool b; fi"), [true, false]);
}
