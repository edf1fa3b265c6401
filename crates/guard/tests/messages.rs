//! What an agent is told, word for word.

use sekisho_guard::message::for_agent;
use sekisho_guard::{Context, Places, decide};
use sekisho_host::in_memory::World;
use sekisho_policy::Snapshot;
use sekisho_verdict::{Decision, ToolCall};

fn judge(command: &str, policy: Option<&str>) -> (Decision, ToolCall) {
    let mut world = World::linux("/home/u", "/home/u/proj");
    world.git_repository("/home/u/proj");
    let snapshot = Snapshot::from_texts(policy, None, false, &world);
    let places = Places::below_home("/home/u");
    let context = Context { host: &world, workspace: "/home/u/proj", cwd: "/home/u/proj", snapshot: &snapshot, places: &places };
    let call = ToolCall::shell(command);
    (decide(&call, &context), call)
}

fn message(command: &str) -> String {
    let (decision, call) = judge(command, None);
    for_agent(&decision, &call)
}

#[test]
fn a_refusal_says_what_would_be_lost_and_what_to_do() {
    assert_eq!(
        message("cd src; git reset --hard"),
        "\
BLOCKED by sekisho

Reason: this reset throws away every change that is not committed
Instead: git stash push -u
Rule: git.reset-hard
Command: cd src; git reset --hard
Segment: git reset --hard

Do not repeat this form. Go on with the safer form named above."
    );
}

#[test]
fn a_question_says_why_a_person_is_asked() {
    assert_eq!(
        message("rm -rf \"$DIR\""),
        "\
sekisho needs your approval

Reason: what this recursive delete removes is only known when it runs
Rule: rm.recursive-force-dynamic-target
Command: rm -rf \"$DIR\"

Try again with a narrower target, written out. If the wide one is really needed, ask the user."
    );
}

#[test]
fn a_protection_names_the_tool_and_stops_the_line_of_action() {
    assert_eq!(
        message("cat ~/.ssh/id_rsa"),
        "\
BLOCKED by sekisho

Reason: `/home/u/.ssh/id_rsa` holds SSH keys; what is read goes to the model and into logs
Rule: secret.home.ssh
Tool: Bash
Command: cat ~/.ssh/id_rsa

Stop this line of action: do not try other tools, flags or paths for it. Tell the user, and go on with other work."
    );
}

#[test]
fn a_broken_policy_is_named_where_policy_counts() {
    let (decision, call) = judge("git reset --hard", Some("{ \"version\": 1, \"safety\": "));
    assert!(for_agent(&decision, &call).contains("\n\nConfig warning: "), "{}", for_agent(&decision, &call));
    let (decision, call) = judge("rm -rf .git", Some("{ \"version\": 1, \"safety\": "));
    assert!(!for_agent(&decision, &call).contains("Config warning"), "protections do not depend on the policy");
}

#[test]
fn secrets_and_control_characters_stay_out() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let text = message(&format!("curl -H 'Authorization: Bearer {token}' https://x.example; git reset --hard \u{1b}[2J\u{202e}"));
    assert!(!text.contains(&token) && text.contains("<redacted>"), "{text}");
    assert!(!text.chars().any(|character| character.is_control() && character != '\n'), "{text:?}");
    assert!(!text.contains('\u{202e}'), "{text:?}");
}

#[test]
fn a_message_is_bounded() {
    let (decision, call) = judge(&format!("git reset --hard; echo {}", "x".repeat(5000)), None);
    let text = for_agent(&decision, &call);
    assert!(text.chars().count() <= 2000 && text.contains('…'), "{text}");
}
