//! Worktree mode: what a linked worktree lets through, and what it does not.

use sekisho_guard::{Context, Places, decide};
use sekisho_host::in_memory::World;
use sekisho_policy::Snapshot;
use sekisho_verdict::{ToolCall, Verdict};

const HOME: &str = "/home/u";
const WORKTREE: &str = "/home/u/wt";

/// A repository with a linked worktree, and a submodule that only looks like one.
fn world() -> World {
    let mut world = World::linux(HOME, "/home/u/proj");
    world.git_repository("/home/u/proj");
    world.file("/home/u/wt/.git", "gitdir: /home/u/proj/.git/worktrees/wt\n");
    world.file("/home/u/proj/.git/worktrees/wt/gitdir", "/home/u/wt/.git\n");
    world.file("/home/u/proj/.git/worktrees/wt/commondir", "../..\n");
    world.file("/home/u/proj/.git/worktrees/wt/HEAD", "ref: refs/heads/wt\n");
    world.file("/home/u/wt/a.txt", "text\n");
    world
}

fn verdict(command: &str, cwd: &str, on: bool) -> Verdict {
    let world = world();
    let policy = format!(r#"{{"version": 1, "workflow": {{"worktree_mode": {on}}}}}"#);
    let snapshot = Snapshot::from_texts(Some(&policy), None, false, &world);
    let places = Places::below_home(HOME);
    let context = Context { host: &world, workspace: cwd, cwd, snapshot: &snapshot, places: &places };
    decide(&ToolCall::shell(command), &context).verdict
}

#[test]
fn local_changes_of_a_linked_worktree_may_be_discarded() {
    for command in [
        "git reset --hard",
        "git checkout -- a.txt",
        "git restore .",
        "git clean -fd",
        "git switch -f main",
        "git -C . reset --hard",
    ] {
        assert_eq!(verdict(command, WORKTREE, true), Verdict::Abstain, "{command}");
        assert_eq!(verdict(command, WORKTREE, false), Verdict::Deny, "{command}");
        assert_eq!(verdict(command, "/home/u/proj", true), Verdict::Deny, "{command} in the main work tree");
    }
}

#[test]
fn what_reaches_beyond_it_stays_refused() {
    for command in [
        "git reset --hard HEAD~1",
        "git push --force",
        "git branch -D main",
        "git stash clear",
        "git --git-dir=/home/u/proj/.git reset --hard",
        "GIT_DIR=/home/u/proj/.git git reset --hard",
        "git -C /home/u/proj reset --hard",
        "git clean -ffdx",
        "git checkout -- $X",
        "git -c alias.x='reset --hard' x",
        "bash -c 'git reset --hard'",
        "git -c submodule.recurse=true reset --hard",
        "git ls-files | xargs git checkout --",
    ] {
        assert_eq!(verdict(command, WORKTREE, true), Verdict::Deny, "{command}");
    }
}
