//! Sub-commands that change files of the work tree or the index.
//!
//! Source: git-restore(1), git-reset(1), git-clean(1), git-rm(1), git-mv(1), git-add(1), git-stash(1), git-apply(1) of git 2.47.

use sekisho_shell_syntax::span::Span;

use super::branches::recurses;
use super::command::{Command, is_on, option_values};
use super::config::is_false;
use super::operands::{self, Role};
use super::options::{flag, optional, plain, plain_optional, plain_value, value};
use crate::argument::{Argument, Value};
use crate::effect::{EffectKind, Target, VcsOperation};
use crate::option_grammar::OptionSpec;

#[rustfmt::skip]
const RESTORE: &[OptionSpec] = &[
    flag("staged", &["-S", "--staged"]),
    flag("no-staged", &["--no-staged"]),
    flag("worktree", &["-W", "--worktree"]),
    flag("no-worktree", &["--no-worktree"]),
    flag("patch", &["-p", "--patch"]),
    value("source", &["-s", "--source"]),
    value("pathspec-file", &["--pathspec-from-file"]),
    optional("recurse-submodules", &["--recurse-submodules"]),
    plain(&[
        "-q", "-m", "-2", "-3", "--ignore-unmerged", "--overlay", "--quiet", "--progress", "--merge", "--ours",
        "--theirs", "--ignore-skip-worktree-bits", "--pathspec-file-nul",
    ]),
    plain_value(&["--conflict"]),
];

/// `git restore`: overwrites files of the work tree, the index, or both.
pub(super) fn restore(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(RESTORE) else {
        return;
    };
    recurses(command, &parsed);
    command.consumes_option_file(&parsed, "pathspec-file");
    command.mention_all(parsed.operands(command.arguments));
    let staged = is_on(&parsed, "staged", "no-staged");
    let worktree = is_on(&parsed, "worktree", "no-worktree");
    let has_paths = !parsed.operands.is_empty() || parsed.has("pathspec-file") || parsed.has("patch");
    let name = match (has_paths, worktree, staged) {
        (false, ..) => "read",
        (true, true, _) => "restore-worktree",
        (true, false, true) => "index",
        (true, false, false) => "restore-unstaged",
    };
    command.operation(name);
}

#[rustfmt::skip]
const RESET: &[OptionSpec] = &[
    flag("hard", &["--hard"]),
    flag("merge", &["--merge"]),
    flag("keep", &["--keep"]),
    flag("soft", &["--soft"]),
    flag("mixed", &["--mixed"]),
    flag("patch", &["-p", "--patch"]),
    value("pathspec-file", &["--pathspec-from-file"]),
    optional("recurse-submodules", &["--recurse-submodules"]),
    plain(&["-q", "-N", "--quiet", "--no-refresh", "--refresh", "--intent-to-add", "--pathspec-file-nul"]),
];

/// `git reset`: moves the branch, resets the index, and with some options the work tree.
pub(super) fn reset(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(RESET) else {
        return;
    };
    let arguments = command.arguments;
    recurses(command, &parsed);
    command.consumes_option_file(&parsed, "pathspec-file");
    let before_dash = parsed.operands.first().filter(|index| parsed.double_dash.is_none_or(|dash| **index < dash));
    let first = before_dash.and_then(|index| arguments.get(*index));
    let subject = first.and_then(Argument::known).map(str::to_owned);
    let moves = first.is_some() && !matches!(subject.as_deref(), Some("HEAD" | "@"));
    // The span of the option that says so is what a person wants to see.
    let emit = |command: &mut Command<'_>, id: &str, name: &'static str| {
        let Some(option) = parsed.options.iter().find(|option| option.id == Some(id)) else {
            return false;
        };
        let operation = VcsOperation { name, with_ref: first.is_some(), subject: subject.clone() };
        command.emit(EffectKind::Vcs(operation), option.span);
        true
    };
    let hard = emit(command, "hard", "reset-hard");
    let merge = emit(command, "merge", "reset-merge");
    if hard || merge {
        return;
    }
    if parsed.has("keep") {
        if moves {
            emit(command, "keep", "reset-keep");
        } else {
            command.operation("index");
        }
        return;
    }
    let is_path = first.is_some_and(|word| operands::role(command, word) == Role::Path);
    let names_paths = parsed.operands.len() > 1 || is_path || parsed.has("patch") || parsed.has("pathspec-file");
    if names_paths || !moves {
        command.operation("index");
        let skipped = usize::from(!is_path && first.is_some());
        command.mention_all(parsed.operands(arguments).skip(skipped));
    } else {
        command.operation_on("reset-move", subject, command.span);
    }
}

#[rustfmt::skip]
const CLEAN: &[OptionSpec] = &[
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    flag("dry-run", &["-n", "--dry-run"]),
    flag("no-dry-run", &["--no-dry-run"]),
    flag("interactive", &["-i", "--interactive"]),
    flag("no-interactive", &["--no-interactive"]),
    plain(&["-q", "-d", "-x", "-X", "--quiet"]),
    plain_value(&["-e", "--exclude"]),
];

/// `git clean`: deletes files git does not track. Without `-f` git refuses, unless its configuration says otherwise.
pub(super) fn clean(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(CLEAN) else {
        return;
    };
    command.mention_all(parsed.operands(command.arguments));
    if is_on(&parsed, "dry-run", "no-dry-run") {
        command.operation("read");
        return;
    }
    if is_on(&parsed, "interactive", "no-interactive") {
        command.operation("clean");
        return;
    }
    let given = command.context.setting("clean.requireforce").map(|setting| setting.value.known().is_none_or(is_false));
    let not_required = given.unwrap_or_else(|| {
        command.repository().and_then(|repository| repository.setting("clean.requireforce")).is_some_and(is_false)
    });
    // `--no-force` starts the count again.
    let mut forces = 0_usize;
    for option in &parsed.options {
        match option.id {
            Some("force") => forces += 1,
            Some("no-force") => forces = 0,
            _ => {}
        }
    }
    let span = parsed.last_of(&["force"]).map_or(command.span, |option| option.span);
    if forces > 0 || not_required {
        command.operation_at("clean-force", span);
        if forces > 1 {
            command.operation_at("context-clean-nested", span);
        }
    } else {
        command.operation("clean");
    }
}

#[rustfmt::skip]
const RM: &[OptionSpec] = &[
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    flag("cached", &["--cached"]),
    flag("no-cached", &["--no-cached"]),
    flag("dry-run", &["-n", "--dry-run"]),
    flag("no-dry-run", &["--no-dry-run"]),
    flag("recursive", &["-r"]),
    value("pathspec-file", &["--pathspec-from-file"]),
    plain(&["-q", "--quiet", "--ignore-unmatch", "--sparse", "--pathspec-file-nul"]),
];

/// `git rm`: deletes tracked files; without `-f` only those that are as they were committed.
pub(super) fn rm(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(RM) else {
        return;
    };
    let arguments = command.arguments;
    command.consumes_option_file(&parsed, "pathspec-file");
    if is_on(&parsed, "dry-run", "no-dry-run") {
        command.operation("read");
        command.mention_all(parsed.operands(arguments));
        return;
    }
    if is_on(&parsed, "cached", "no-cached") {
        command.operation("index");
        command.mention_all(parsed.operands(arguments));
        return;
    }
    let force = is_on(&parsed, "force", "no-force");
    let span = parsed.last_of(&["force"]).map_or(command.span, |option| option.span);
    command.operation_at(if force { "rm-force" } else { "rm" }, span);
    for word in parsed.operands(arguments) {
        deletes(command, &word.value, parsed.has("recursive"), force, word.span);
    }
}

/// A file or tree is deleted.
pub(super) fn deletes(command: &mut Command<'_>, value: &Value, recursive: bool, force: bool, span: Span) {
    command.emit(EffectKind::Delete { target: Target::new(value.clone()), recursive, force }, span);
}

/// A file or tree is moved.
pub(super) fn moves(command: &mut Command<'_>, from: &Value, to: &Value, span: Span) {
    command.emit(EffectKind::Move { from: Target::new(from.clone()), to: Target::new(to.clone()) }, span);
}

/// `git mv`.
pub(super) fn mv(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("dry-run", &["-n", "--dry-run"]),
        flag("force", &["-f", "--force"]),
        plain(&["-v", "-k", "--verbose", "--sparse"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    if parsed.has("dry-run") {
        command.operation("read");
        return;
    }
    command.operation("mv");
    let count = parsed.operands.len();
    let Some(to) = parsed.operand(arguments, count.saturating_sub(1)) else {
        return;
    };
    for from in parsed.operands(arguments).take(count.saturating_sub(1)) {
        moves(command, &from.value, &to.value, from.span);
    }
}

#[rustfmt::skip]
const ADD: &[OptionSpec] = &[
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    flag("dry-run", &["-n", "--dry-run"]),
    value("pathspec-file", &["--pathspec-from-file"]),
    plain(&[
        "-v", "-i", "-p", "-e", "-u", "-N", "-A", "--verbose", "--interactive", "--patch", "--edit", "--update",
        "--renormalize", "--intent-to-add", "--all", "--ignore-removal", "--refresh", "--ignore-errors",
        "--ignore-missing", "--sparse", "--no-warn-embedded-repo", "--warn-embedded-repo", "--pathspec-file-nul",
        "--no-all",
    ]),
    plain_value(&["--chmod"]),
];

/// `git add`: stages files. What `.gitignore` leaves out on purpose goes in with `-f`, and out with the next push.
pub(super) fn add(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(ADD) else {
        return;
    };
    command.consumes_option_file(&parsed, "pathspec-file");
    let force = is_on(&parsed, "force", "no-force");
    command.operation(if parsed.has("dry-run") { "read" } else { "index" });
    for word in parsed.operands(command.arguments) {
        if force {
            command.reads(&word.value, word.span);
        } else {
            command.mentions(&word.value, word.span);
        }
    }
}

#[rustfmt::skip]
const STASH: &[OptionSpec] = &[
    value("message", &["-m", "--message"]),
    value("pathspec-file", &["--pathspec-from-file"]),
    plain(&[
        "-k", "-u", "-a", "-p", "-q", "-S", "--keep-index", "--include-untracked", "--only-untracked", "--all",
        "--patch", "--quiet", "--staged", "--index", "--pathspec-file-nul", "--stat", "--oneline", "--name-only",
        "--name-status",
    ]),
    plain_optional(&["--format", "--pretty"]),
];

/// `git stash`: the first word, and only that, is its own sub-command.
pub(super) fn stash(command: &mut Command<'_>) {
    let arguments = command.arguments;
    let Some(first) = arguments.first() else {
        command.operation("stash");
        return;
    };
    let Some(verb) = first.known() else {
        command.emit(EffectKind::DynamicStructure, first.span);
        return;
    };
    let verb = verb.to_ascii_lowercase();
    let rest = arguments.get(1..).unwrap_or_default();
    match verb.as_str() {
        "drop" | "clear" => {
            let Some(parsed) = command.parse_guarded_words(STASH, rest) else {
                return;
            };
            if verb == "clear" {
                command.operation_at("stash-clear", first.span);
            } else {
                let subject = parsed.operand(rest, 0).and_then(Argument::known).map(str::to_owned);
                command.operation_on("stash-drop", subject, first.span);
            }
        }
        "list" => {
            let Some(_) = command.parse_words(super::inspect::HISTORY, rest) else {
                return;
            };
            command.operation("read");
        }
        "show" => {
            let Some(parsed) = command.parse_words(super::inspect::HISTORY, rest) else {
                return;
            };
            command.operation("read");
            for (file, span) in option_values(&parsed, "output") {
                command.writes(&file, crate::effect::WriteMode::Truncate, span);
            }
        }
        "push" | "save" | "pop" | "apply" | "branch" | "create" | "store" => {
            let Some(parsed) = command.parse_words(STASH, rest) else {
                return;
            };
            command.consumes_option_file(&parsed, "pathspec-file");
            if verb == "push" {
                command.mention_all(parsed.operands(rest));
            }
            command.operation("stash");
        }
        // Options first mean `push`.
        _ => {
            let Some(_) = command.parse_words(STASH, arguments) else {
                return;
            };
            command.operation("stash");
        }
    }
}

/// `git apply`: changes files as a patch says.
pub(super) fn apply(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("looks", &["--stat", "--numstat", "--summary", "--check"]),
        flag("apply", &["--apply"]),
        flag("cached", &["--cached"]),
        flag("unsafe", &["--unsafe-paths"]),
        plain(&[
            "-3", "-z", "-R", "-v", "-q", "-N", "--no-add", "--allow-binary-replacement", "--binary", "--index",
            "--intent-to-add", "--3way", "--ours", "--theirs", "--union", "--ignore-space-change",
            "--ignore-whitespace", "--reverse", "--unidiff-zero", "--reject", "--allow-overlap", "--verbose",
            "--quiet", "--inaccurate-eof", "--recount", "--allow-empty",
        ]),
        plain_value(&["-p", "-C", "--exclude", "--include", "--build-fake-ancestor", "--whitespace", "--directory"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    for word in parsed.operands(command.arguments) {
        if word.known() != Some("-") {
            command.reads(&word.value, word.span);
        }
    }
    let looks = parsed.has("looks") && !parsed.has("apply");
    command.operation(if looks {
        "read"
    } else if parsed.has("cached") {
        "index"
    } else {
        "apply"
    });
    if parsed.has("unsafe") {
        command.emit(EffectKind::Unknown("git apply --unsafe-paths".to_owned()), command.span);
    }
}

/// `git submodule`: repositories inside the repository.
pub(super) fn submodule(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("force", &["-f", "--force"]),
        value("branch", &["-b", "--branch", "--name", "--depth", "-j", "--jobs", "--reference", "--filter"]),
        plain(&[
            "-q", "-n", "-d", "-N", "--quiet", "--all", "--init", "--remote", "--no-fetch", "--checkout", "--merge",
            "--rebase", "--recursive", "--single-branch", "--cached", "--files", "--default", "--dissociate",
            "--progress", "--recommend-shallow", "--require-init",
        ]),
        plain_value(&["--summary-limit"]),
    ];
    let arguments = command.arguments;
    let quiet = arguments.iter().take_while(|word| matches!(word.known(), Some("-q" | "--quiet" | "--cached"))).count();
    let verb = arguments.get(quiet).and_then(Argument::known).unwrap_or_default().to_ascii_lowercase();
    let rest = arguments.get(quiet + 1..).unwrap_or_default();
    if verb == "foreach" {
        let options = rest.iter().take_while(|word| matches!(word.known(), Some("-q" | "--quiet" | "--recursive"))).count();
        super::history::shell_words(command, rest.get(options..).unwrap_or_default());
        command.operation("other");
        return;
    }
    let Some(parsed) = command.parse_words(OPTIONS, rest) else {
        return;
    };
    match verb.as_str() {
        "deinit" | "update" if parsed.has("force") => command.operation("submodule-discard"),
        "status" | "summary" | "" => command.operation("read"),
        _ => command.operation("submodule"),
    }
    if verb == "add"
        && let Some(address) = parsed.operand(rest, 0)
    {
        super::surroundings::address(command, &address.value, address.span);
    }
    if matches!(verb.as_str(), "update" | "add") {
        let address = if verb == "add" { parsed.operand(rest, 0).map(|word| word.value.clone()) } else { None };
        command.network(address, false, command.span);
    }
    if arguments.get(quiet).is_some_and(|word| word.known().is_none()) {
        command.emit(EffectKind::DynamicStructure, command.span);
    }
}
