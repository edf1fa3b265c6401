//! Sub-commands that make, join, repeat and rewrite commits.
//!
//! Source: git-commit(1), git-merge(1), git-rebase(1), git-cherry-pick(1), git-am(1), git-filter-branch(1) of git 2.47.

use sekisho_shell_syntax::span::Span;

use super::command::{Command, is_on, option_values};
use super::global::unknown;
use super::options::{flag, optional, plain, plain_optional, plain_value, value};
use crate::argument::Argument;
use crate::carried::Carried;
use crate::effect::WriteMode;
use crate::option_grammar::{self, Grammar, OptionSpec, Parsed};

#[rustfmt::skip]
const COMMIT: &[OptionSpec] = &[
    value("file", &["-F", "--file", "-t", "--template"]),
    value("pathspec-file", &["--pathspec-from-file"]),
    flag("no-verify", &["-n", "--no-verify"]),
    flag("verify", &["--verify"]),
    flag("dry-run", &["--dry-run"]),
    flag("amend", &["--amend"]),
    plain(&[
        "-q", "-v", "-s", "-e", "-a", "-i", "-p", "-o", "-z", "--quiet", "--verbose", "--reset-author", "--signoff",
        "--edit", "--status", "--all", "--include", "--interactive", "--patch", "--only", "--short", "--branch",
        "--ahead-behind", "--porcelain", "--long", "--null", "--no-post-rewrite", "--post-rewrite",
        "--pathspec-file-nul", "--allow-empty", "--allow-empty-message", "--no-edit",
    ]),
    plain_value(&[
        "-m", "-C", "-c", "--author", "--date", "--message", "--reedit-message", "--reuse-message", "--fixup",
        "--squash", "--trailer", "--cleanup",
    ]),
    plain_optional(&["-S", "-u", "--gpg-sign", "--untracked-files"]),
];

/// `git commit`.
pub(super) fn commit(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(COMMIT) else {
        return;
    };
    command.reads_option_file(&parsed, "file");
    command.consumes_option_file(&parsed, "pathspec-file");
    command.mention_all(parsed.operands(command.arguments));
    command.operation(if parsed.has("dry-run") { "read" } else { "commit" });
    if parsed.has("amend") {
        command.operation("commit-amend");
    }
    bypass(command, &parsed);
}

/// `--no-verify`: hooks do not run.
pub(super) fn bypass(command: &mut Command<'_>, parsed: &Parsed) {
    if is_on(parsed, "no-verify", "verify")
        && let Some(option) = parsed.last_of(&["no-verify"])
    {
        command.operation_at("hook-bypass", option.span);
    }
}

#[rustfmt::skip]
const MERGE: &[OptionSpec] = &[
    flag("abort", &["--abort"]),
    value("file", &["-F", "--file"]),
    flag("no-verify", &["--no-verify"]),
    flag("verify", &["--verify"]),
    plain(&[
        "-n", "-e", "-v", "-q", "--stat", "--summary", "--squash", "--commit", "--edit", "--ff", "--ff-only",
        "--rerere-autoupdate", "--verify-signatures", "--verbose", "--quiet", "--quit", "--continue",
        "--allow-unrelated-histories", "--progress", "--autostash", "--overwrite-ignore", "--signoff", "--no-ff",
        "--no-edit", "--no-commit", "--compact-summary",
    ]),
    plain_value(&["-m", "-s", "-X", "--cleanup", "--strategy", "--strategy-option", "--message", "--into-name"]),
    plain_optional(&["-S", "--log", "--gpg-sign"]),
];

/// `git merge`.
pub(super) fn merge(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(MERGE) else {
        return;
    };
    if let Some(option) = parsed.last_of(&["abort"]) {
        command.operation_at("merge-abort", option.span);
        return;
    }
    command.reads_option_file(&parsed, "file");
    command.operation("merge");
    bypass(command, &parsed);
}

#[rustfmt::skip]
const REBASE: &[OptionSpec] = &[
    flag("abort", &["--abort"]),
    flag("root", &["--root"]),
    value("exec", &["-x", "--exec"]),
    flag("no-verify", &["--no-verify"]),
    flag("verify", &["--verify"]),
    plain(&[
        "-q", "-v", "-n", "-f", "-i", "-m", "-p", "-k", "--keep-base", "--quiet", "--verbose", "--no-stat", "--stat",
        "--signoff", "--committer-date-is-author-date", "--reset-author-date", "--ignore-date", "--ignore-whitespace",
        "--force-rebase", "--no-ff", "--ff", "--continue", "--skip", "--quit", "--edit-todo", "--show-current-patch",
        "--apply", "--merge", "--interactive", "--preserve-merges", "--rerere-autoupdate", "--keep-empty",
        "--autosquash", "--update-refs", "--autostash", "--allow-empty-message", "--fork-point",
        "--reschedule-failed-exec", "--reapply-cherry-picks",
    ]),
    plain_value(&["-C", "-s", "-X", "--onto", "--whitespace", "--empty", "--strategy", "--strategy-option"]),
    plain_optional(&["-S", "-r", "--gpg-sign", "--rebase-merges"]),
];

/// `git rebase`: repeats commits elsewhere, and may run a command after each.
pub(super) fn rebase(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(REBASE) else {
        return;
    };
    if let Some(option) = parsed.last_of(&["abort"]) {
        command.operation_at("rebase-abort", option.span);
        return;
    }
    if let Some(option) = parsed.last_of(&["root"]) {
        command.operation_at("history-rewrite", option.span);
    }
    for (text, span) in option_values(&parsed, "exec") {
        command.carry_shell(text, true, span);
    }
    command.operation("rebase");
    bypass(command, &parsed);
}

#[rustfmt::skip]
const SEQUENCE: &[OptionSpec] = &[
    flag("abort", &["--abort"]),
    plain(&[
        "-n", "-e", "-s", "-x", "-r", "--quit", "--continue", "--skip", "--no-commit", "--commit", "--edit", "--signoff",
        "--rerere-autoupdate", "--ff", "--allow-empty", "--allow-empty-message", "--keep-redundant-commits",
        "--reference",
    ]),
    plain_value(&["-m", "-X", "--mainline", "--cleanup", "--strategy", "--strategy-option", "--empty"]),
    plain_optional(&["-S", "--gpg-sign"]),
];

/// `git cherry-pick`, `git revert`.
pub(super) fn sequence(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(SEQUENCE) else {
        return;
    };
    match parsed.last_of(&["abort"]) {
        Some(option) => command.operation_at("sequencer-abort", option.span),
        None => command.operation("sequence"),
    }
}

#[rustfmt::skip]
const AM: &[OptionSpec] = &[
    flag("abort", &["--abort"]),
    flag("no-verify", &["-n", "--no-verify"]),
    flag("verify", &["--verify"]),
    plain(&[
        "-i", "-3", "-q", "-s", "-u", "-k", "-b", "-m", "-c", "-r", "--interactive", "--binary", "--3way", "--quiet",
        "--signoff", "--utf8", "--keep", "--keep-non-patch", "--message-id", "--keep-cr", "--scissors",
        "--ignore-space-change", "--ignore-whitespace", "--reject", "--continue", "--resolved", "--skip", "--quit",
        "--retry", "--allow-empty", "--committer-date-is-author-date", "--ignore-date", "--rerere-autoupdate",
    ]),
    plain_value(&[
        "-p", "-C", "--quoted-cr", "--whitespace", "--directory", "--exclude", "--include", "--patch-format",
        "--resolvemsg", "--empty",
    ]),
    plain_optional(&["-S", "--gpg-sign", "--show-current-patch"]),
];

/// `git am`: makes commits of patches.
pub(super) fn am(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(AM) else {
        return;
    };
    if let Some(option) = parsed.last_of(&["abort"]) {
        command.operation_at("sequencer-abort", option.span);
        return;
    }
    for word in parsed.operands(command.arguments) {
        command.reads(&word.value, word.span);
    }
    command.operation("sequence");
    bypass(command, &parsed);
}

/// `git filter-branch`: each filter is shell text.
pub(super) fn filter_branch(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        value(
            "filter",
            &[
                "--setup", "--env-filter", "--tree-filter", "--index-filter", "--parent-filter", "--msg-filter",
                "--commit-filter", "--tag-name-filter",
            ],
        ),
        plain(&["-f", "--force", "--prune-empty", "--remap-to-ancestor"]),
        plain_value(&["-d", "--original", "--state-branch", "--subdirectory-filter"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    for (text, span) in option_values(&parsed, "filter") {
        command.carry_shell(text, true, span);
    }
    command.operation("history-rewrite");
}

/// `git filter-repo` and what else rewrites everything it is given.
pub(super) fn filter_repo(command: &mut Command<'_>) {
    let looks = command
        .arguments
        .iter()
        .filter_map(Argument::known)
        .any(|word| matches!(word, "--analyze" | "--dry-run" | "-h" | "--help" | "--version"));
    command.operation(if looks { "read" } else { "history-rewrite" });
}

/// `git fast-import`: with `--force` it replaces branches that do not lead to the new ones.
pub(super) fn fast_import(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("force", &["--force"]),
        value("write", &["--export-marks", "--export-pack-edges"]),
        value("read", &["--import-marks", "--import-marks-if-exists"]),
        plain(&["--quiet", "--stats", "--allow-unsafe-features", "--done", "--relative-marks"]),
        plain_value(&[
            "--date-format", "--max-pack-size", "--big-file-threshold", "--depth", "--active-branches",
            "--cat-blob-fd", "--rewrite-submodules-from", "--rewrite-submodules-to",
        ]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    for (file, span) in option_values(&parsed, "write") {
        command.writes(&file, WriteMode::Truncate, span);
    }
    command.reads_option_file(&parsed, "read");
    command.operation(if parsed.has("force") { "history-rewrite" } else { "other" });
}

/// Words that are shell text if there is one of them, and a command if there are more (`submodule foreach`).
pub(super) fn shell_words(command: &mut Command<'_>, words: &[Argument]) {
    let Some(first) = words.first() else { return };
    let mut carried = match words {
        [only] => Carried::shell(only.value.clone(), Vec::new(), only.span),
        _ => Carried::command(words.to_vec(), first.span),
    };
    // Each submodule in turn; where there is none, nothing runs.
    carried.change.unknown_directory = true;
    command.carry(carried, false);
}

/// `git for-each-repo`: a git command in every repository a setting lists.
pub(super) fn for_each_repo(command: &mut Command<'_>) {
    const OPTIONS: &[OptionSpec] = &[value("config", &["--config"]), plain(&["--keep-going"])];
    let arguments = command.arguments;
    let parsed = option_grammar::parse(&Grammar::leading(OPTIONS), arguments);
    command.operation("other");
    let Some(start) = parsed.operands.first() else {
        return;
    };
    let rest = arguments.get(*start..).unwrap_or_default();
    let mut words = vec![Argument::literal("git"), Argument::literal("-C"), Argument::with(unknown(), Span::default())];
    words.extend_from_slice(rest);
    let mut carried = Carried::command(words, command.span);
    carried.change.unknown_directory = true;
    command.carry(carried, false);
}

/// `git notes`: remarks on commits.
pub(super) fn notes(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        value("file", &["-F", "--file"]),
        flag("dry-run", &["-n", "--dry-run"]),
        flag("force", &["-f", "--force"]),
        plain(&[
            "-q", "-v", "-e", "--quiet", "--verbose", "--allow-empty", "--commit", "--abort", "--stdin",
            "--ignore-missing", "--for-rewrite",
        ]),
        plain_value(&[
            "-m", "-C", "-c", "-s", "--ref", "--message", "--reuse-message", "--reedit-message", "--strategy",
        ]),
        optional("separator", &["--separator", "--stripspace"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    command.reads_option_file(&parsed, "file");
    let verb = parsed.operand(arguments, 0).and_then(Argument::known).unwrap_or_default().to_ascii_lowercase();
    match verb.as_str() {
        "remove" => command.operation("ref-plumbing"),
        "prune" if !parsed.has("dry-run") => command.operation("ref-plumbing"),
        "" | "list" | "show" | "get-ref" | "prune" => command.operation("read"),
        _ => command.operation("other"),
    }
}

/// `git replace`: puts one object in the place of another.
pub(super) fn replace(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("delete", &["-d", "--delete"]),
        flag("list", &["-l", "--list"]),
        plain(&["-f", "-e", "-g", "--force", "--edit", "--graft", "--convert-graft-file", "--raw"]),
        plain_value(&["--format"]),
    ];
    let Some(parsed) = command.parse_guarded(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    if parsed.has("delete") {
        command.operation_on_each("ref-plumbing", parsed.operands(arguments));
    } else {
        command.operation(if parsed.has("list") || parsed.operands.is_empty() { "read" } else { "other" });
    }
}
