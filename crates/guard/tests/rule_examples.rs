//! Every example of every rule file, judged in one small world.

use sekisho_guard::{Context, Places, decide, rules};
use sekisho_host::in_memory::World;
use sekisho_policy::{Capability, Snapshot};
use sekisho_verdict::{Decision, ToolCall, Verdict};

const HOME: &str = "/home/u";
const PROJECT: &str = "/home/u/proj";

fn world() -> World {
    let mut world = World::linux(HOME, PROJECT);
    for directory in ["build", "node_modules", "src", "/home/u/Documents", "/home/u/other"] {
        world.directory(directory);
    }
    for file in ["src/app.ts", "src/main.rs", "a.txt", "list.txt"] {
        world.file(file, "text\n");
    }
    world.git_repository(PROJECT);
    world.file(".git/refs/tags/v1", "0123456789012345678901234567890123456789\n");
    world.directory("vendored/.git");
    world.file("notes-not-committed.txt", "a day's work\n");
    world.untracked("notes-not-committed.txt");
    world
}

fn judge(command: &str, workspace: &str, snapshot: &Snapshot) -> Decision {
    let world = world();
    let places = Places::below_home(HOME);
    let context = Context { host: &world, workspace, cwd: workspace, snapshot, places: &places };
    let call = ToolCall::shell(command);
    decide(&call, &context)
}

/// The policy under which a rule is on.
fn snapshot(needs: Option<Capability>) -> Snapshot {
    let level = match needs {
        None => "standard",
        Some(Capability::FailClosed) => "strict",
        Some(_) => "paranoid",
    };
    let policy = format!(r#"{{"version": 1, "safety": {{"level": "{level}"}}}}"#);
    Snapshot::from_texts(Some(&policy), None, false, &world())
}

#[test]
fn every_example_gets_the_verdict_its_rule_file_says() {
    let mut wrong = Vec::new();
    for rule in rules::all() {
        let snapshot = snapshot(rule.needs);
        let workspace = if rule.examples_in_home { HOME } else { PROJECT };
        let stopped =
            rule.deny.iter().map(|command| (command, Verdict::Deny)).chain(rule.ask.iter().map(|command| (command, Verdict::Ask)));
        for (command, verdict) in stopped {
            let decision = judge(command, workspace, &snapshot);
            let named = decision.rule.iter().chain(&decision.also_matched).any(|id| id.as_str() == rule.id);
            if decision.verdict != verdict || !named {
                wrong.push(format!(
                    "{}: `{command}` is {} by {:?}, not {} by this rule",
                    rule.id,
                    decision.verdict.word(),
                    decision.rule.as_ref().map(|id| id.as_str()),
                    verdict.word()
                ));
            }
        }
        for command in rule.pass {
            let decision = judge(command, workspace, &snapshot);
            if decision.rule.iter().chain(&decision.also_matched).any(|id| id.as_str() == rule.id) {
                wrong.push(format!("{}: `{command}` must pass", rule.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_alternative_is_a_command_that_would_be_refused() {
    let snapshot = snapshot(None);
    for rule in rules::all() {
        let Some(alternative) = rule.alternative.filter(|text| text.starts_with("git ") || text.starts_with("find ")) else {
            continue;
        };
        let decision = judge(alternative, PROJECT, &snapshot);
        assert_ne!(decision.verdict, Verdict::Deny, "{} suggests `{alternative}`", rule.id);
    }
}

#[test]
fn every_rule_has_texts_a_person_can_act_on() {
    for rule in rules::all() {
        for (what, text) in [("reason", rule.reason), ("stops", rule.stops), ("why", rule.why), ("instead", rule.instead)] {
            assert!(text.len() > 10, "{}: `{what}` says nothing", rule.id);
        }
        assert!(rule.reason.starts_with(char::is_lowercase) && !rule.reason.ends_with('.'), "{}: a reason is a clause", rule.id);
    }
}

/// Operations that only rules written in code speak of.
const BY_CODE: &[&str] = &[
    "checkout-path",
    "checkout-patch",
    "push-force",
    "push-force-default-branch",
    "worktree-remove-force",
    "exec-config",
    "exec-config-ask",
];
/// `push-force-default-branch` stands beside it where it matters.
const NEUTRAL: &[&str] = &["push-force-with-lease"];

#[test]
fn every_git_operation_that_loses_or_runs_something_has_a_rule() {
    use sekisho_command_model::programs::git::{OPERATIONS, OperationKind};
    let named: Vec<&str> = rules::all()
        .iter()
        .filter_map(|rule| match &rule.matcher {
            sekisho_guard::matcher::Matcher::Vcs(names) => Some(names.iter().copied()),
            _ => None,
        })
        .flatten()
        .collect();
    for operation in OPERATIONS.iter().filter(|operation| matches!(operation.kind, OperationKind::Loss | OperationKind::Run)) {
        let known = [named.as_slice(), BY_CODE, NEUTRAL].iter().any(|list| list.contains(&operation.name));
        assert!(known, "no rule speaks of `{}`: {}", operation.name, operation.meaning);
    }
}
