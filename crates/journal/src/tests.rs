use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use sekisho_verdict::tool_call::{Action, Completeness, Family, ShellDialect};
use sekisho_verdict::{Decision, EffectRecord, ErrorCode, Evidence, Json, RuleId, Source, Stage, ToolCall, Verdict};

use super::*;

/// A directory of its own for one test, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sekisho-journal-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn call(command: &str) -> ToolCall {
    ToolCall {
        agent: "claude-code".into(),
        shape: Some("claude-code".into()),
        event: "PreToolUse".into(),
        session: Some("s1".into()),
        call: None,
        transcript: None,
        mode: None,
        can_prompt: true,
        subagent: false,
        session_cwd: Some("/home/dev/app".into()),
        cwd: None,
        tool: "Bash".into(),
        family: Family::Shell,
        input: Json::Null,
        actions: vec![Action::Shell { text: command.into(), dialect: ShellDialect::Posix }],
        completeness: Completeness::Complete,
    }
}

fn denied(reason: &str) -> Decision {
    Decision {
        verdict: Verdict::Deny,
        source: Source::Guard,
        rule: Some(RuleId::new("git.reset-hard")),
        reason: reason.into(),
        evidence: Some(Evidence { segment: "git reset --hard".into(), start: None, end: None }),
        effects: vec![EffectRecord { kind: "vcs".into(), target: Some("https://u:hunter2@h/x".into()), ..EffectRecord::default() }],
        ..Decision::abstain(Stage::CommandAnalysis)
    }
}

fn at(seconds: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(seconds)
}

fn record(command: &str, decision: &Decision, seconds: u64) -> Record {
    Record::at(&call(command), decision, at(seconds), Duration::from_micros(7), format!("{seconds:016x}"))
}

const NOON: u64 = 1_709_208_000; // 2024-02-29T12:00:00Z
const DAY: u64 = 86_400;

#[test]
fn a_record_says_everything_without_secrets() {
    let record = record("TOKEN=hunter2 git reset --hard", &denied("because"), NOON);
    let line = serde_json::to_string(&record).unwrap();
    assert!(!line.contains("hunter2"), "{line}");
    for part in [
        r#""ts":"2024-02-29T12:00:00.000Z""#,
        r#""schema":1"#,
        r#""verdict":"deny","source":"guard","basis":"no_opinion""#,
        r#""tool":"Bash","registry_tool":"run_command","command":"TOKEN=<redacted> git reset --hard","segment":"git reset --hard""#,
        r#""rule":"git.reset-hard""#,
        r#""stage":"command-analysis","cwd":"/home/dev/app","duration_us":7"#,
        r#""effects":[{"kind":"vcs","target":"https://u:<redacted>@h/x"}]"#,
    ] {
        assert!(line.contains(part), "{part} is not in {line}");
    }
    for absent in ["shape", "truncated", "config_fallback", "error_code", "layer", "level", "directory", "moment"] {
        assert!(!line.contains(&format!("\"{absent}\"")), "{absent}");
    }
    let abstained = Record::from_decision(&call("ls"), &Decision::abstain(Stage::CommandAnalysis), Duration::ZERO);
    assert_eq!((abstained.reason.as_str(), abstained.id.len()), ("allowed", 16));
    assert!(abstained.id.bytes().all(|byte| byte.is_ascii_hexdigit()));
}

#[test]
fn long_texts_are_cut_after_redaction() {
    let long = format!("{} PASSWORD=hunter2hunter2", "é".repeat(9_995));
    let cut = record(&long, &denied("x"), NOON);
    assert!(cut.truncated && !cut.command.clone().unwrap().contains("hunter"));
    assert_eq!(cut.command.unwrap().chars().count(), 10_000);
    let mut failed = denied("x");
    failed.error = Some(ErrorCode::UnexpectedError);
    assert!(!record(&long, &failed, NOON).truncated);
    failed.error = Some(ErrorCode::ToolInputLimit);
    let silent = record(&long, &failed, NOON);
    assert_eq!((silent.command, silent.segment, silent.effects.len()), (None, None, 0));
    assert_eq!(silent.error_code.as_deref(), Some("tool-input-limit"));
}

#[test]
fn what_is_appended_is_listed_newest_first() {
    let scratch = Scratch::new("list");
    assert_eq!(list(&scratch.0, &Filter::default()).unwrap(), []);
    let abstain = Decision::abstain(Stage::CommandAnalysis);
    for (index, seconds) in [NOON, NOON + 5, NOON - DAY, NOON + DAY].into_iter().enumerate() {
        let decision = if index == 1 { denied("x") } else { abstain.clone() };
        append(&scratch.0, &record(&format!("echo {index}"), &decision, seconds)).unwrap();
    }
    let file = scratch.0.join("logs/-home-dev-app/2024-02/2024-02-29-s1.jsonl");
    let mut text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 2);
    text.push_str("{broken\n\n\u{0}\n{\"ts\":1}\n");
    fs::write(&file, text).unwrap();
    let commands = |filter: &Filter| -> Vec<String> {
        list(&scratch.0, filter).unwrap().into_iter().filter_map(|record| record.command).collect()
    };
    assert_eq!(commands(&Filter::default()), ["echo 3", "echo 1", "echo 0", "echo 2"]);
    for (filter, expected) in [
        (Filter { limit: 2, ..Filter::default() }, vec!["echo 3", "echo 1"]),
        (Filter { limit: 0, ..Filter::default() }, vec![]),
        (Filter { verdicts: vec![Verdict::Deny], ..Filter::default() }, vec!["echo 1"]),
        (Filter { rule: Some("git".into()), ..Filter::default() }, vec!["echo 1"]),
        (Filter { rule: Some("gi".into()), ..Filter::default() }, vec![]),
        (Filter { since: Some("2024-02-29T12:00:01".into()), ..Filter::default() }, vec!["echo 3", "echo 1"]),
        (Filter { cwd: Some("/home/dev".into()), limit: 1, ..Filter::default() }, vec!["echo 3"]),
        (Filter { cwd: Some("/home/de".into()), ..Filter::default() }, vec![]),
        (Filter { session: Some("s2".into()), ..Filter::default() }, vec![]),
        (Filter { agent: Some("codex".into()), ..Filter::default() }, vec![]),
    ] {
        assert_eq!(commands(&filter), expected, "{filter:?}");
    }
    let id = format!("{:016x}", NOON + 5);
    assert_eq!(show(&scratch.0, &id).unwrap().unwrap().command.as_deref(), Some("echo 1"));
    assert_eq!(show(&scratch.0, "000").unwrap(), None);
    assert_eq!(show(&scratch.0, "ffffffff").unwrap(), None);
}

#[test]
#[cfg(unix)]
fn only_the_owner_reads_and_no_link_is_followed() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scratch = Scratch::new("private");
    let record = record("ls", &denied("x"), NOON);
    append(&scratch.0, &record).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let month = scratch.0.join("logs/-home-dev-app/2024-02");
    let file = month.join("2024-02-29-s1.jsonl");
    assert_eq!((mode(&scratch.0), mode(&month), mode(&file)), (0o700, 0o700, 0o600));
    let victim = scratch.0.join("victim");
    fs::write(&victim, "").unwrap();
    fs::remove_file(&file).unwrap();
    symlink(&victim, &file).unwrap();
    assert!(append(&scratch.0, &record).is_err());
    assert_eq!(fs::read_to_string(&victim).unwrap(), "");
    assert_eq!(list(&scratch.0, &Filter::default()).unwrap(), []);
    fs::remove_dir_all(&month).unwrap();
    let elsewhere = scratch.0.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, &month).unwrap();
    assert!(append(&scratch.0, &record).is_err());
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn full_files_are_followed_by_others() {
    let scratch = Scratch::new("full");
    let record = record("ls", &denied("x"), NOON);
    append(&scratch.0, &record).unwrap();
    let month = scratch.0.join("logs/-home-dev-app/2024-02");
    let full = fs::OpenOptions::new().write(true).open(month.join("2024-02-29-s1.jsonl")).unwrap();
    full.set_len(64 * 1024 * 1024).unwrap();
    append(&scratch.0, &record).unwrap();
    assert!(month.join("2024-02-29-s1.1.jsonl").exists());
}

#[test]
fn old_days_go_once_a_day() {
    let scratch = Scratch::new("sweep");
    let now = SystemTime::now();
    let today = now.duration_since(UNIX_EPOCH).unwrap().as_secs();
    assert_eq!(sweep(&scratch.0, 30, now).unwrap(), 0);
    for age in [0, 29, 30, 31, 400] {
        append(&scratch.0, &record("ls", &denied("x"), today - age * DAY)).unwrap();
    }
    let project = scratch.0.join("logs/-home-dev-app");
    fs::write(project.join("note.txt"), "").unwrap();
    fs::write(scratch.0.join("logs/2001-01-01-x.jsonl"), "").unwrap();
    assert_eq!(sweep(&scratch.0, 30, now).unwrap(), 2);
    assert_eq!(list(&scratch.0, &Filter::default()).unwrap().len(), 3);
    assert!(project.join("note.txt").exists() && scratch.0.join("logs/2001-01-01-x.jsonl").exists());
    append(&scratch.0, &record("ls", &denied("x"), today - 400 * DAY)).unwrap();
    assert_eq!(sweep(&scratch.0, 30, now).unwrap(), 0);
    // Tomorrow.
    assert_eq!(sweep(&scratch.0, 30, now + Duration::from_secs(DAY)).unwrap(), 2);
}

#[test]
fn many_writers_lose_nothing() {
    let scratch = Scratch::new("many");
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let state = &scratch.0;
            scope.spawn(move || {
                for turn in 0..50 {
                    append(state, &record(&format!("echo {writer} {turn}"), &denied("x"), NOON)).unwrap();
                }
            });
        }
    });
    assert_eq!(list(&scratch.0, &Filter { limit: 1_000, ..Filter::default() }).unwrap().len(), 400);
}
