//! Installing, looking at and uninstalling a registration, with the real program.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod support;

use serde_json::{Value, json};
use support::{Home, run, stderr, stdout};

const SETTINGS: &str = ".claude/settings.json";

fn said(home: &Home, arguments: &[&str]) -> (i32, String) {
    let output = run(home.sekisho(arguments), b"");
    (output.status.code().unwrap(), stdout(&output) + &stderr(&output))
}

#[test]
fn install_doctor_uninstall() {
    let home = Home::new();
    home.write(SETTINGS, "{\n  // mine\n  \"model\": \"opus\"\n}\n");
    let (code, text) = said(&home, &["doctor"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("sekisho install claude-code"), "{text}");
    let (code, text) = said(&home, &["install", "--dry-run"]);
    assert_eq!((code, home.read(SETTINGS).contains("sekisho")), (0, false), "{text}");
    let (code, text) = said(&home, &["install"]);
    assert_eq!(code, 0, "{text}");
    let installed = home.read(SETTINGS);
    assert!(installed.contains("// mine") && installed.contains("\"hook\""), "{installed}");
    assert_eq!(said(&home, &["install", "claude-code"]).0, 0);
    assert_eq!(home.read(SETTINGS), installed, "a correct entry was changed");
    let (code, text) = said(&home, &["doctor", "--json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &report["hooks"][0]["probe"]), (0, &json!("refused")), "{text}");
    assert_eq!(said(&home, &["uninstall", "claude-code"]).0, 0);
    assert_eq!(home.read(SETTINGS), "{\n  // mine\n  \"model\": \"opus\"\n}\n");
}

#[test]
fn doctor_finds_what_is_wrong() {
    for (settings, check) in [
        (r#"{"disableAllHooks": true}"#, "hooks-switched-off"),
        ("{", "settings-unreadable"),
        (
            r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "/no/sekisho", "args": ["hook", "claude-code"]}]}]}}"#,
            "narrow-matcher",
        ),
        (
            r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "/no/sekisho", "args": ["hook", "claude-code"]}]}]}}"#,
            "program-missing",
        ),
        (
            r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "true sekisho hook claude-code"}]}]}}"#,
            "probe-failed",
        ),
    ] {
        let home = Home::new();
        home.write(SETTINGS, settings);
        let (code, text) = said(&home, &["doctor", "--json"]);
        let report: Value = serde_json::from_str(&text).unwrap();
        let found: Vec<&str> =
            report["findings"].as_array().unwrap().iter().filter_map(|finding| finding["check_id"].as_str()).collect();
        assert!(code == 1 && found.contains(&check), "{settings}: {found:?}");
    }
}

#[test]
fn a_broken_file_is_not_touched() {
    let home = Home::new();
    home.write(SETTINGS, "{ \"hooks\": ");
    let (code, text) = said(&home, &["install", "claude-code"]);
    assert_eq!((code, home.read(SETTINGS).as_str()), (1, "{ \"hooks\": "), "{text}");
}

#[test]
fn a_project_can_be_installed_alone() {
    let home = Home::new();
    assert_eq!(said(&home, &["install", "claude-code", "--project"]).0, 0);
    assert!(home.read("src/ledger/.claude/settings.json").contains("sekisho"));
    assert!(!home.path().join(SETTINGS).exists());
}
