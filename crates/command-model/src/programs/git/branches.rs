//! Sub-commands about branches, tags and what is checked out.
//!
//! Source: git-checkout(1), git-switch(1), git-branch(1), git-tag(1), git-symbolic-ref(1) of git 2.47.

use super::command::{Command, is_on, option_values};
use super::operands::{self, Role};
use super::options::{flag, optional, plain, plain_optional, plain_value, value};
use crate::argument::{Argument, Value};
use crate::option_grammar::{OptionSpec, Parsed};

#[rustfmt::skip]
const CHECKOUT: &[OptionSpec] = &[
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    value("create", &["-b"]),
    value("force-create", &["-B"]),
    value("orphan", &["--orphan"]),
    flag("detach", &["-d", "--detach"]),
    optional("track", &["--track"]),
    flag("track", &["-t"]),
    flag("patch", &["-p", "--patch"]),
    value("pathspec-file", &["--pathspec-from-file"]),
    optional("recurse-submodules", &["--recurse-submodules"]),
    flag("merge", &["-m", "--merge"]),
    plain(&[
        "-l", "-q", "-2", "-3", "--guess", "--overlay", "--no-overlay", "--quiet", "--progress", "--overwrite-ignore",
        "--ignore-other-worktrees", "--ours", "--theirs", "--ignore-skip-worktree-bits", "--pathspec-file-nul",
    ]),
    plain_value(&["--conflict"]),
];

/// `git checkout`: switches branches, or overwrites files of the work tree.
pub(super) fn checkout(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(CHECKOUT) else {
        return;
    };
    let arguments = command.arguments;
    recurses(command, &parsed);
    if is_on(&parsed, "force", "no-force") {
        command.operation("checkout-force");
    }
    if parsed.has("pathspec-file") {
        command.operation("checkout-pathspec-from-file");
        command.consumes_option_file(&parsed, "pathspec-file");
    }
    let creates = parsed.has("create") || parsed.has("force-create") || parsed.has("orphan");
    force_create(command, &parsed);
    if parsed.has("create") || parsed.has("orphan") {
        command.operation("branch-create");
    }
    let dash = parsed.double_dash.unwrap_or(usize::MAX);
    let before: Vec<&Argument> =
        parsed.operands.iter().filter(|index| **index < dash).filter_map(|index| arguments.get(*index)).collect();
    let after: Vec<&Argument> =
        parsed.operands.iter().filter(|index| **index > dash).filter_map(|index| arguments.get(*index)).collect();
    if creates {
        // Operands are the new branch's start; paths cannot be given.
        return;
    }
    if parsed.has("patch") {
        command.operation("checkout-patch");
    }
    if let Some(first) = after.first() {
        let name = if before.is_empty() { "checkout-double-dash" } else { "checkout-ref-path" };
        command.operation_at(name, first.span);
        command.mention_all(after.into_iter());
        return;
    }
    match before.as_slice() {
        [] => {}
        [only] => {
            let only = *only;
            if parsed.double_dash.is_none() && operands::role(command, only) == Role::Path {
                command.operation_on("checkout-path", only.known().map(str::to_owned), only.span);
                command.mentions(&only.value, only.span);
                return;
            }
        }
        [_, second, ..] => {
            command.operation_at("checkout-ambiguous", second.span);
            command.mention_all(before.iter().skip(1).copied());
            return;
        }
    }
    command.operation("switch");
}

/// `-B`, `-C`, `--force-create`: an existing branch is moved, a new one is only made.
fn force_create(command: &mut Command<'_>, parsed: &Parsed) {
    for (branch, span) in option_values(parsed, "force-create") {
        let name = if command.branch_may_exist(&branch) { "branch-move" } else { "branch-create" };
        command.operation_on(name, branch.known().map(str::to_owned), span);
    }
}

/// Submodules are changed too.
pub(super) fn recurses(command: &mut Command<'_>, parsed: &Parsed) {
    if let Some(option) = parsed.options.iter().find(|option| option.id == Some("recurse-submodules")) {
        command.operation_at("context-recurse-submodules", option.span);
    }
}

#[rustfmt::skip]
const SWITCH: &[OptionSpec] = &[
    value("create", &["-c", "--create"]),
    value("force-create", &["-C", "--force-create"]),
    value("orphan", &["--orphan"]),
    flag("discard-changes", &["--discard-changes"]),
    flag("no-discard-changes", &["--no-discard-changes"]),
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    optional("recurse-submodules", &["--recurse-submodules"]),
    plain(&[
        "-q", "-m", "-d", "-t", "--guess", "--quiet", "--progress", "--merge", "--detach", "--overwrite-ignore",
        "--ignore-other-worktrees",
    ]),
    plain_value(&["--conflict"]),
    plain_optional(&["--track"]),
];

/// `git switch`.
pub(super) fn switch(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(SWITCH) else {
        return;
    };
    recurses(command, &parsed);
    if is_on(&parsed, "discard-changes", "no-discard-changes") {
        command.operation("switch-discard-changes");
    }
    if is_on(&parsed, "force", "no-force") {
        command.operation("switch-force");
    }
    force_create(command, &parsed);
    if parsed.has("create") || parsed.has("orphan") {
        command.operation("branch-create");
    }
    command.operation("switch");
}

#[rustfmt::skip]
const BRANCH: &[OptionSpec] = &[
    flag("delete", &["-d", "--delete"]),
    flag("force-delete", &["-D"]),
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    flag("move", &["-m", "--move"]),
    flag("force-move", &["-M"]),
    flag("copy", &["-c", "--copy"]),
    flag("force-copy", &["-C"]),
    flag("list", &["-l", "--list"]),
    flag("show-current", &["--show-current"]),
    flag("edit", &["--edit-description", "--unset-upstream"]),
    value("upstream", &["-u", "--set-upstream-to"]),
    flag("listing", &["-a", "-r", "-v", "--all", "--remotes", "--verbose"]),
    optional("filter", &[
        "--contains", "--no-contains", "--merged", "--no-merged", "--with", "--without",
    ]),
    flag("recurse", &["--recurse-submodules"]),
    plain(&["-q", "-i", "--quiet", "--omit-empty", "--create-reflog", "--ignore-case", "--set-upstream", "-t"]),
    value("filter", &["--points-at"]),
    plain_value(&["--sort", "--format"]),
    plain_optional(&["--track", "--color", "--abbrev", "--column"]),
];

/// `git branch`: lists, makes, moves and deletes branches.
pub(super) fn branch(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(BRANCH) else {
        return;
    };
    let arguments = command.arguments;
    let operands: Vec<&Argument> = parsed.operands(arguments).collect();
    let force = is_on(&parsed, "force", "no-force");
    if parsed.has("force-delete") || (parsed.has("delete") && force) {
        command.operation_on_each("branch-force-delete", operands.into_iter());
    } else if parsed.has("delete") {
        command.operation_on_each("branch-delete", operands.into_iter());
    } else if parsed.has("force-move") || parsed.has("force-copy") || ((parsed.has("move") || parsed.has("copy")) && force) {
        overwrite_branch(command, &operands);
    } else if parsed.has("move") || parsed.has("copy") || parsed.has("upstream") || parsed.has("edit") {
        command.operation("branch-change");
    } else if parsed.has("show-current") {
        command.operation("read");
        if let Some(branch) = command.repository().and_then(|repository| repository.head_branch().map(str::to_owned)) {
            command.prints(format!("{branch}\n"));
        }
    } else if operands.is_empty() || parsed.has("list") || parsed.has("listing") || parsed.has("filter") {
        command.operation("read");
    } else {
        let branch = operands.first().copied();
        let exists = branch.is_none_or(|branch| command.branch_may_exist(&branch.value));
        let name = if force && exists { "branch-move" } else { "branch-create" };
        let span = branch.map_or(command.span, |branch| branch.span);
        command.operation_on(name, branch.and_then(Argument::known).map(str::to_owned), span);
    }
}

/// `git branch -M [OLD] NEW`, `-C [OLD] NEW`: the new name may be that of another branch, which is lost.
fn overwrite_branch(command: &mut Command<'_>, operands: &[&Argument]) {
    let (old, new) = match operands {
        [] => {
            command.operation("branch-change");
            return;
        }
        [new] => (None, *new),
        [old, new, ..] => (Some(*old), *new),
    };
    let from = match old {
        Some(old) => old.known().map(str::to_owned),
        None => command.repository().and_then(|repository| repository.head_branch().map(str::to_owned)),
    };
    let to = new.known().map(str::to_owned);
    let same = to.is_some() && from == to;
    // In a directory that is no repository yet there is no other branch to lose.
    let nothing_there = old.is_none() && command.base.is_some() && command.repository().is_none();
    let name = if same || nothing_there || !command.branch_may_exist(&new.value) { "branch-change" } else { "branch-move" };
    command.operation_on(name, to, new.span);
}

#[rustfmt::skip]
const TAG: &[OptionSpec] = &[
    flag("delete", &["-d", "--delete"]),
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    flag("list", &["-l", "--list", "-v", "--verify"]),
    optional("lines", &["-n"]),
    optional("filter", &[
        "--contains", "--no-contains", "--merged", "--no-merged", "--with", "--without",
    ]),
    value("message", &["-m", "--message", "--trailer"]),
    value("file", &["-F", "--file"]),
    flag("annotate", &["-a", "-s", "-e", "--annotate", "--sign", "--edit"]),
    plain(&["-i", "--create-reflog", "--omit-empty", "--ignore-case"]),
    value("filter", &["--points-at"]),
    plain_value(&["-u", "--local-user", "--cleanup", "--sort", "--format"]),
    plain_optional(&["--column", "--color"]),
];

/// `git tag`.
pub(super) fn tag(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(TAG) else {
        return;
    };
    let arguments = command.arguments;
    command.reads_option_file(&parsed, "file");
    if parsed.has("delete") {
        command.operation_on_each("tag-delete", parsed.operands(arguments));
        return;
    }
    let Some(tag) = parsed.operand(arguments, 0).filter(|_| !parsed.has("list") && !parsed.has("lines") && !parsed.has("filter"))
    else {
        command.operation("read");
        return;
    };
    let exists = match (tag.known(), command.repository()) {
        (Some(name), Some(repository)) => repository.has_ref(&format!("refs/tags/{name}")).unwrap_or(true),
        _ => true,
    };
    let name = if exists && is_on(&parsed, "force", "no-force") { "tag-move" } else { "tag-create" };
    command.operation_on(name, tag.known().map(str::to_owned), tag.span);
}

/// `git symbolic-ref`.
pub(super) fn symbolic_ref(command: &mut Command<'_>) {
    const OPTIONS: &[OptionSpec] = &[
        flag("delete", &["-d", "--delete"]),
        flag("short", &["--short"]),
        value("message", &["-m"]),
        plain(&["-q", "--quiet", "--recurse"]),
    ];
    let Some(parsed) = command.parse_guarded(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    if parsed.has("delete") {
        command.operation_on_each("ref-plumbing", parsed.operands(arguments));
    } else if parsed.operands.len() >= 2 {
        command.operation("ref-change");
    } else {
        command.operation("read");
        let asks_head = parsed.operand(arguments, 0).and_then(Argument::known) == Some("HEAD");
        if asks_head && let Some(branch) = command.repository().and_then(|repository| repository.head_branch().map(str::to_owned)) {
            let prefix = if parsed.has("short") { "" } else { "refs/heads/" };
            command.prints(format!("{prefix}{branch}\n"));
        }
    }
}

/// `git worktree`: more work trees of one repository.
pub(super) fn worktree(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("force", &["-f", "--force"]),
        flag("no-force", &["--no-force"]),
        value("create", &["-b"]),
        value("force-create", &["-B"]),
        plain(&[
            "-d", "-n", "-q", "-v", "-z", "--detach", "--checkout", "--guess-remote", "--track", "--lock",
            "--dry-run", "--porcelain", "--quiet", "--verbose", "--orphan", "--relative-paths",
        ]),
        plain_value(&["--expire", "--reason"]),
    ];
    let Some(parsed) = command.parse_guarded(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    let verb = parsed.operand(arguments, 0).and_then(Argument::known).unwrap_or_default().to_ascii_lowercase();
    let (first, second) = (parsed.operand(arguments, 1), parsed.operand(arguments, 2));
    let value_of = |word: Option<&Argument>| word.map(|word| (word.value.clone(), word.span));
    match verb.as_str() {
        "remove" => {
            let force = is_on(&parsed, "force", "no-force");
            let name = if force { "worktree-remove-force" } else { "worktree-remove" };
            let subject = first.and_then(Argument::known).map(str::to_owned);
            command.operation_on(name, subject, first.map_or(command.span, |word| word.span));
            if force && let Some((value, span)) = value_of(first) {
                super::working_tree::deletes(command, &value, true, true, span);
            }
        }
        "add" => {
            force_create(command, &parsed);
            command.operation("worktree-add");
            if let Some((value, span)) = value_of(first) {
                command.writes(&value, crate::effect::WriteMode::Create, span);
            }
        }
        "move" => {
            command.operation("worktree-change");
            if let (Some((from, span)), Some((to, _))) = (value_of(first), value_of(second)) {
                super::working_tree::moves(command, &from, &to, span);
            }
        }
        "list" => command.operation("read"),
        _ => command.operation("worktree-change"),
    }
}

/// The branch a push or reset is about, without `refs/heads/`.
pub(super) fn branch_name(value: &Value) -> Option<String> {
    value.known().map(|text| text.strip_prefix("refs/heads/").unwrap_or(text).to_owned())
}
