//! Any text given to the shell tool gets a decision: no panic, no allow, bounded work.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sekisho_guard::{Context, Places, decide};
use sekisho_host::in_memory::World;
use sekisho_policy::Snapshot;
use sekisho_verdict::{Stage, ToolCall, Verdict};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let world = World::linux("/home/dev", "/home/dev/app");
    let snapshot = Snapshot::default();
    let places = Places::below_home("/home/dev");
    let context =
        Context { host: &world, workspace: "/home/dev/app", cwd: "/home/dev/app", snapshot: &snapshot, places: &places };
    let call = ToolCall::shell(text);
    let decision = decide(&call, &context);
    assert_ne!(decision.verdict, Verdict::Allow);
    // A failure of the guard is a deny, but it is also a bug.
    assert_ne!(decision.error, Some(sekisho_verdict::ErrorCode::UnexpectedError), "{:?}", decision.stage as Stage);
});
