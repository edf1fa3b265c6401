//! The words git operations are known by.

/// What kind of thing an operation is. Facts only: rules decide what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperationKind {
    /// Looks and changes nothing.
    Read,
    /// Changes what is staged, and no file or commit.
    Index,
    /// Adds or changes something that git keeps a way back from.
    Change,
    /// Loses, or may lose, something there is no or no easy way back to.
    Loss,
    /// Runs, or arranges to run, a program the caller names, or keeps checks from running.
    Run,
    /// Says something of the circumstances of the other operations of the same command; nothing by itself.
    Context,
}

/// One operation and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// The word in [`crate::effect::VcsOperation::name`].
    pub name: &'static str,
    /// What kind of thing it is.
    pub kind: OperationKind,
    /// What it does, and what its subject is if it has one.
    pub meaning: &'static str,
    /// The manual page it comes from.
    pub manual: &'static str,
}

const fn operation(name: &'static str, kind: OperationKind, meaning: &'static str, manual: &'static str) -> Operation {
    Operation { name, kind, meaning, manual }
}

use OperationKind::{Change, Context, Index, Loss, Read, Run};

/// Every operation the git analyzer can report.
pub const OPERATIONS: &[Operation] = &[
    operation("read", Read, "shows history, differences, names, settings or the state of things", "git(1)"),
    operation("push-dry-run", Read, "says what a push would do", "git-push(1)"),
    operation("index", Index, "stages or unstages", "git-add(1), git-reset(1), git-restore(1)"),
    operation("commit", Change, "makes a commit", "git-commit(1)"),
    operation("commit-amend", Change, "replaces the last commit, which stays in the reflog", "git-commit(1)"),
    operation("switch", Change, "switches to another branch or commit and keeps changes", "git-checkout(1), git-switch(1)"),
    operation("branch-create", Change, "makes a branch; subject: its name", "git-branch(1)"),
    operation("branch-change", Change, "renames, copies or configures a branch and overwrites no other", "git-branch(1)"),
    operation("branch-delete", Change, "deletes a merged branch; subject: its name", "git-branch(1)"),
    operation("tag-create", Change, "makes a tag; subject: its name", "git-tag(1)"),
    operation("ref-change", Change, "makes a ref or points `HEAD` at another branch", "git-update-ref(1), git-symbolic-ref(1)"),
    operation("merge", Change, "merges", "git-merge(1)"),
    operation("rebase", Change, "repeats commits elsewhere; the old ones stay in the reflog", "git-rebase(1)"),
    operation("sequence", Change, "cherry-picks, reverts or applies mails", "git-cherry-pick(1), git-revert(1), git-am(1)"),
    operation("apply", Change, "changes files as a patch says", "git-apply(1)"),
    operation("reset-move", Change, "moves the branch and keeps the files; subject: where to", "git-reset(1)"),
    operation("stash", Change, "puts changes away or brings them back", "git-stash(1)"),
    operation("mv", Change, "moves tracked files", "git-mv(1)"),
    operation("rm", Change, "deletes tracked files that are as they were committed", "git-rm(1)"),
    operation("clean", Change, "asks before it deletes untracked files, or refuses to", "git-clean(1)"),
    operation("worktree-add", Change, "makes another work tree", "git-worktree(1)"),
    operation("worktree-remove", Change, "removes a work tree that holds no changes; subject: its path", "git-worktree(1)"),
    operation("worktree-change", Change, "moves, locks, repairs or forgets work trees", "git-worktree(1)"),
    operation("submodule", Change, "adds or updates submodules", "git-submodule(1)"),
    operation("fetch", Change, "brings refs and objects here", "git-fetch(1)"),
    operation("push", Change, "changes another repository", "git-push(1)"),
    operation("clone", Change, "copies a repository", "git-clone(1)"),
    operation("init", Change, "makes a repository", "git-init(1)"),
    operation("remote-change", Change, "changes the list of other repositories", "git-remote(1)"),
    operation("config", Change, "changes a setting; subject: its key in normal spelling", "git-config(1)"),
    operation("maintenance", Change, "tidies the object store", "git-maintenance(1), git-gc(1)"),
    operation("other", Change, "anything else", "git(1)"),
    operation("checkout-force", Loss, "switches and throws changes away", "git-checkout(1)"),
    operation("checkout-pathspec-from-file", Loss, "overwrites the files a list names", "git-checkout(1)"),
    operation("checkout-double-dash", Loss, "overwrites the files named after `--` from the index", "git-checkout(1)"),
    operation("checkout-ref-path", Loss, "overwrites the files named after `--` from a commit", "git-checkout(1)"),
    operation("checkout-ambiguous", Loss, "two names and no `--`: overwrites the files named", "git-checkout(1)"),
    operation("checkout-path", Loss, "one name, and it is a path: overwrites it; subject: the path", "git-checkout(1)"),
    operation("checkout-patch", Loss, "throws away the changes a person picks", "git-checkout(1)"),
    operation(
        "branch-move",
        Loss,
        "points an existing branch, or one that may exist, elsewhere; subject: the branch",
        "git-branch(1), git-checkout(1), git-switch(1), git-update-ref(1)",
    ),
    operation("switch-discard-changes", Loss, "switches and throws changes away", "git-switch(1)"),
    operation("switch-force", Loss, "switches and throws changes away", "git-switch(1)"),
    operation("restore-worktree", Loss, "overwrites files, said so", "git-restore(1)"),
    operation("restore-unstaged", Loss, "overwrites files, as it does unless told otherwise", "git-restore(1)"),
    operation("reset-hard", Loss, "throws all changes away; with a ref it moves the branch too; subject: the ref", "git-reset(1)"),
    operation(
        "reset-merge",
        Loss,
        "throws staged changes away; with a ref it moves the branch too; subject: the ref",
        "git-reset(1)",
    ),
    operation("reset-keep", Loss, "moves the branch and the files that are unchanged; subject: the ref", "git-reset(1)"),
    operation("clean-force", Loss, "deletes untracked files", "git-clean(1)"),
    operation("rm-force", Loss, "deletes tracked files with their changes", "git-rm(1)"),
    operation("push-force", Loss, "replaces history elsewhere; subject: the first branch, if known", "git-push(1)"),
    operation(
        "push-force-with-lease",
        Loss,
        "replaces history elsewhere unless it changed meanwhile; subject: the branch, none where it is not known",
        "git-push(1)",
    ),
    operation(
        "push-force-default-branch",
        Loss,
        "stands beside `push-force-with-lease` where the branch is a default branch or not known; subject: the branch",
        "git-push(1)",
    ),
    operation("push-delete", Loss, "deletes a ref elsewhere; subject: the ref", "git-push(1)"),
    operation("push-mirror", Loss, "deletes elsewhere what is not here", "git-push(1)"),
    operation("branch-force-delete", Loss, "deletes a branch, merged or not; subject: the branch", "git-branch(1)"),
    operation("tag-delete", Loss, "deletes a tag; subject: the tag", "git-tag(1)"),
    operation("tag-move", Loss, "points an existing tag, or one that may exist, elsewhere; subject: the tag", "git-tag(1)"),
    operation("stash-drop", Loss, "deletes changes put away; subject: which", "git-stash(1)"),
    operation("stash-clear", Loss, "deletes all changes put away", "git-stash(1)"),
    operation("worktree-remove-force", Loss, "removes a work tree with its changes; subject: its path", "git-worktree(1)"),
    operation("rebase-abort", Loss, "throws away the resolutions of a rebase", "git-rebase(1)"),
    operation("merge-abort", Loss, "throws away the resolutions of a merge", "git-merge(1)"),
    operation(
        "sequencer-abort",
        Loss,
        "throws away the resolutions of a cherry-pick, revert or am; ends a bisection",
        "git-cherry-pick(1), git-revert(1), git-am(1), git-bisect(1)",
    ),
    operation(
        "reflog-delete",
        Loss,
        "deletes the record of where refs were, or the objects it leads to; subject: the ref",
        "git-reflog(1), git-gc(1), git-prune(1), git-repack(1)",
    ),
    operation(
        "ref-plumbing",
        Loss,
        "deletes refs, or overwrites files, without any check; subject: the ref",
        "git-update-ref(1), git-symbolic-ref(1), git-replace(1), git-notes(1), git-read-tree(1), git-checkout-index(1), git-update-index(1)",
    ),
    operation("history-rewrite", Loss, "replaces commits throughout", "git-filter-branch(1), git-rebase(1), git-fast-import(1)"),
    operation("submodule-discard", Loss, "throws changes in submodules away", "git-submodule(1)"),
    operation("fetch-force", Loss, "replaces a local branch by what is fetched; subject: the branch", "git-fetch(1)"),
    operation(
        "ssh-env",
        Run,
        "a program named with the command connects in place of ssh; subject: the variable or key",
        "git(1), git-config(1)",
    ),
    operation(
        "alias-config",
        Run,
        "an alias given with the command runs shell text or cannot be followed; subject: its name",
        "git-config(1)",
    ),
    operation(
        "exec-config",
        Run,
        "a setting or variable given with the command, or stored by it, makes git run a program; subject: the key",
        "git-config(1)",
    ),
    operation("exec-config-ask", Run, "the same, for values people usually mean; subject: the key", "git-config(1)"),
    operation("hook-bypass", Run, "hooks do not run", "githooks(5)"),
    operation(
        "context-explicit",
        Context,
        "where the repository, its index or its work tree is was said (`--git-dir`, `--work-tree`, `--namespace`, `GIT_DIR`, …)",
        "git(1)",
    ),
    operation("context-alias", Context, "the sub-command came from an alias; subject: its name", "git-config(1)"),
    operation(
        "context-recurse-submodules",
        Context,
        "submodules are changed too, by option or setting",
        "git-checkout(1), git-config(1)",
    ),
    operation("context-unknown-words", Context, "words of an operation that loses something are patterns or not known", "git(1)"),
    operation("context-clean-nested", Context, "`clean` was forced twice: repositories inside go too", "git-clean(1)"),
];

/// What is known of an operation by its name.
pub fn find(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}
