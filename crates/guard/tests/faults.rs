//! Whatever breaks while a call is judged, the answer is a deny that names a stage.

use std::cell::Cell;

use sekisho_guard::{Context, Places, decide};
use sekisho_host::in_memory::World;
use sekisho_host::{EntryKind, FileState, Host, Platform, ReadFailure};
use sekisho_policy::Snapshot;
use sekisho_verdict::{Basis, Decision, ErrorCode, Stage, ToolCall, Verdict};

/// A machine that breaks at the look number `at`.
struct Breaking {
    world: World,
    looks: Cell<u32>,
    at: u32,
}

impl Breaking {
    fn look(&self) {
        self.looks.set(self.looks.get() + 1);
        assert!(self.looks.get() != self.at, "the machine broke");
    }
}

impl Host for Breaking {
    fn home(&self) -> &str {
        self.world.home()
    }
    fn home_of(&self, user: &str) -> Option<String> {
        self.look();
        self.world.home_of(user)
    }
    fn environment(&self, name: &str) -> Option<String> {
        self.look();
        self.world.environment(name)
    }
    fn platform(&self) -> Platform {
        self.world.platform()
    }
    fn entry(&self, path: &str) -> Option<EntryKind> {
        self.look();
        self.world.entry(path)
    }
    fn link_target(&self, path: &str) -> Option<String> {
        self.look();
        self.world.link_target(path)
    }
    fn read(&self, path: &str, limit: usize) -> Result<String, ReadFailure> {
        self.look();
        self.world.read(path, limit)
    }
    fn list(&self, path: &str, limit: usize) -> Result<Vec<String>, ReadFailure> {
        self.look();
        self.world.list(path, limit)
    }
    fn file_state(&self, path: &str) -> FileState {
        self.look();
        self.world.file_state(path)
    }
}

fn judge(command: &str, at: u32) -> (Decision, u32) {
    let mut world = World::linux("/home/u", "/home/u/proj");
    world.git_repository("/home/u/proj");
    let host = Breaking { world, looks: Cell::new(0), at };
    let (snapshot, places) = (Snapshot::default(), Places::below_home("/home/u"));
    let context = Context { host: &host, workspace: "/home/u/proj", cwd: "/home/u/proj", snapshot: &snapshot, places: &places };
    let call = ToolCall::shell(command);
    (decide(&call, &context), host.looks.get())
}

#[test]
fn a_machine_that_breaks_at_any_look_denies_and_names_the_stage() {
    std::panic::set_hook(Box::new(|_| {}));
    for command in ["git status", "rm -rf build", "cat .env*; cp a.txt ~/b", "git reset --hard", "rm -rf ~/x/*"] {
        let (sound, looks) = judge(command, 0);
        assert_eq!(sound.error, None, "{command}");
        for at in 1..=looks {
            let (broken, _) = judge(command, at);
            assert_eq!(broken.verdict, Verdict::Deny, "{command}, look {at}");
            assert_eq!(broken.error, Some(ErrorCode::UnexpectedError), "{command}, look {at}");
            assert_eq!(broken.basis, Basis::Failure);
            let stages = [Stage::PolicyProtection, Stage::SecretProtection, Stage::CommandAnalysis, Stage::NonCommand];
            assert!(stages.contains(&broken.stage), "{:?}", broken.stage);
            assert_eq!(broken.evidence.map(|evidence| evidence.segment).as_deref(), Some(command));
        }
    }
}
