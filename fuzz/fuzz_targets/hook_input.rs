//! Any bytes an agent may send: no panic, and what is printed is nothing, or a refusal or a question that Claude Code understands.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sekisho_agents::delivery::deliver;
use sekisho_agents::{Answer, Event, Rendered, claude_code, payload};
use sekisho_guard::{Context, Places, decide, message};
use sekisho_host::in_memory::World;
use sekisho_policy::Snapshot;
use sekisho_verdict::{ErrorCode, Json, ToolCall, Verdict, bounds};

const HOME: &str = "/home/dev";
const PROJECT: &str = "/home/dev/app";

fuzz_target!(|data: &[u8]| {
    match claude_code::event::read(data, &|_| None) {
        Event::Call(call) => check(&call),
        Event::Ignored => assert_eq!(claude_code::answer::render(Answer::NoOpinion, None), Rendered::default()),
        Event::Malformed { reason, .. } => assert!(!reason.is_empty() && reason.len() < 300, "{reason}"),
    }
});

fn check(call: &ToolCall) {
    let mut world = World::linux(HOME, PROJECT);
    world.git_repository(PROJECT);
    let snapshot = Snapshot::default();
    let places = Places::below_home(HOME);
    let context = Context { host: &world, workspace: PROJECT, cwd: PROJECT, snapshot: &snapshot, places: &places };
    let decision = deliver(decide(call, &context), call);
    // A failure of the guard is a deny, but it is also a bug.
    assert_ne!(decision.error, Some(ErrorCode::UnexpectedError), "{:?}", decision.stage);
    let told = message::for_agent(&decision, call);
    let rendered = claude_code::answer::render(Answer::Decided { decision: &decision, message: &told }, None);
    // Any other exit code lets the tool run, or hides what is printed.
    assert_eq!((rendered.exit, rendered.stderr.as_str()), (0, ""));
    let word = match decision.verdict {
        Verdict::Abstain => return assert!(rendered.stdout.is_empty(), "{}", rendered.stdout),
        Verdict::Deny => "deny",
        Verdict::Ask => "ask",
        Verdict::Allow => panic!("the guard allows nothing"),
    };
    assert!(rendered.stdout.ends_with('\n') && rendered.stdout.lines().count() == 1, "{}", rendered.stdout);
    let printed = payload::read_object(rendered.stdout.as_bytes());
    let Ok(Json::Object(entries)) = &printed else { panic!("not JSON: {}", rendered.stdout) };
    let [(key, output)] = entries.as_slice() else { panic!("{entries:?}") };
    assert_eq!(key, "hookSpecificOutput");
    assert_eq!(output.string("hookEventName"), Some("PreToolUse"));
    assert_eq!(output.string("permissionDecision"), Some(word));
    let reason = output.string("permissionDecisionReason").unwrap_or_default();
    assert!(!reason.is_empty() && reason.chars().count() <= bounds::REASON_CHARACTERS, "{reason}");
    assert!(!reason.contains(char::is_control), "{reason}");
}
