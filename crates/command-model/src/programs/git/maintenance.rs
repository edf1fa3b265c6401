//! Sub-commands about the object store, logs of refs and plumbing that changes files or refs directly.
//!
//! Source: git-reflog(1), git-gc(1), git-prune(1), git-repack(1), git-update-ref(1), git-read-tree(1), git-checkout-index(1),
//! git-update-index(1) of git 2.47.

use super::command::{Command, option_values};
use super::options::{flag, optional, plain, plain_optional, plain_value, value};
use crate::argument::{Argument, Value};
use crate::effect::{EffectKind, WriteMode};
use crate::option_grammar::OptionSpec;

/// A time that spares nothing.
fn is_now(value: &Value) -> bool {
    value.known().is_none_or(|text| matches!(text.to_ascii_lowercase().as_str(), "now" | "all" | "0" | "now()"))
}

/// `git reflog`: the record of where refs were.
pub(super) fn reflog(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const EXPIRE: &[OptionSpec] = &[
        value("expire", &["--expire", "--expire-unreachable"]),
        flag("all", &["--all"]),
        flag("dry-run", &["-n", "--dry-run"]),
        plain(&["--updateref", "--rewrite", "--stale-fix", "--verbose", "--single-worktree"]),
    ];
    let arguments = command.arguments;
    let verb = arguments.first();
    let rest = arguments.get(1..).unwrap_or_default();
    match verb.and_then(Argument::known).unwrap_or_default().to_ascii_lowercase().as_str() {
        verb @ ("delete" | "expire") => {
            let is_expire = verb == "expire";
            let Some(parsed) = command.parse_guarded_words(EXPIRE, rest) else {
                return;
            };
            let dry_run = parsed.has("dry-run");
            let broad = !is_expire || parsed.has("all") || parsed.values("expire").any(is_now);
            if broad && !dry_run {
                command.operation_on_each("reflog-delete", parsed.operands(rest));
            } else {
                command.operation(if dry_run { "read" } else { "maintenance" });
            }
        }
        _ => {
            if let Some(word) = verb.filter(|word| word.known().is_none()) {
                command.emit(EffectKind::DynamicStructure, word.span);
            }
            super::inspect::log(command);
        }
    }
}

/// `git gc`: tidies up; `--prune=now` leaves nothing to come back to.
pub(super) fn gc(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        optional("prune", &["--prune"]),
        plain(&["-q", "--quiet", "--cruft", "--aggressive", "--auto", "--detach", "--force", "--keep-largest-pack"]),
        plain_value(&["--max-cruft-size", "--expire-to"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    let given = command.context.setting("gc.pruneexpire").is_some_and(|setting| is_now(&setting.value));
    let everything = parsed.values("prune").any(is_now) || given;
    command.operation(if everything { "reflog-delete" } else { "maintenance" });
}

/// `git prune`: removes every object nothing leads to.
pub(super) fn prune(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("dry-run", &["-n", "--dry-run"]),
        plain(&["-v", "--verbose", "--progress", "--exclude-promisor-objects"]),
        plain_value(&["--expire"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    command.operation(if parsed.has("dry-run") { "read" } else { "reflog-delete" });
}

/// `git repack`: packs objects; some options leave out those nothing leads to.
pub(super) fn repack(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("all", &["-a", "-A"]),
        flag("delete", &["-d"]),
        value("unreachable", &["--unpack-unreachable", "--cruft-expiration"]),
        plain(&[
            "-f", "-F", "-l", "-n", "-q", "-b", "-k", "-i", "-m", "--cruft", "--quiet", "--local",
            "--write-bitmap-index", "--delta-islands", "--keep-unreachable", "--pack-kept-objects", "--write-midx",
        ]),
        plain_value(&[
            "-g", "--window", "--window-memory", "--depth", "--threads", "--max-pack-size", "--max-cruft-size",
            "--filter", "--keep-pack", "--geometric", "--expire-to", "--filter-to",
        ]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    let drops = parsed.has("delete") && parsed.has("unreachable");
    command.operation(if drops { "reflog-delete" } else { "maintenance" });
}

/// `git maintenance`, `pack-refs`, `rerere`, `sparse-checkout` …: changes that lose nothing git was told to keep.
pub(super) fn tidy(command: &mut Command<'_>) {
    let first = command.arguments.first().and_then(Argument::known).unwrap_or_default();
    let reads = matches!(
        (command.name, first),
        ("sparse-checkout", "list") | ("rerere", "status" | "diff" | "remaining") | ("commit-graph" | "multi-pack-index", "verify")
    );
    command.operation(if reads { "read" } else { "maintenance" });
}

/// `git update-ref`: changes refs without looking.
pub(super) fn update_ref(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("delete", &["-d"]),
        flag("stdin", &["--stdin"]),
        plain(&["-z", "--no-deref", "--deref", "--create-reflog", "--batch-updates"]),
        plain_value(&["-m"]),
    ];
    let Some(parsed) = command.parse_guarded(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    if parsed.has("delete") {
        command.operation_on_each("ref-plumbing", parsed.operands(arguments).take(1));
    } else if parsed.has("stdin") {
        command.operation("ref-plumbing");
    } else {
        let name = parsed.operand(arguments, 0);
        let exists = match (name.and_then(Argument::known), command.repository()) {
            (Some(name), Some(repository)) => {
                let is_head = name.strip_prefix("refs/heads/").is_some_and(|branch| repository.head_branch() == Some(branch));
                name == "HEAD" || is_head || repository.has_ref(name).unwrap_or(true)
            }
            _ => true,
        };
        let subject = name.and_then(Argument::known).map(str::to_owned);
        command.operation_on(
            if exists { "branch-move" } else { "ref-change" },
            subject,
            name.map_or(command.span, |word| word.span),
        );
    }
}

/// `git read-tree`: fills the index, and with `-u` the work tree.
pub(super) fn read_tree(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("reset", &["--reset"]),
        flag("merge", &["-m"]),
        flag("update", &["-u"]),
        flag("dry-run", &["-n", "--dry-run"]),
        value("output", &["--index-output"]),
        plain(&[
            "-i", "-v", "-q", "--empty", "--verbose", "--trivial", "--aggressive", "--no-sparse-checkout",
            "--debug-unpack", "--recurse-submodules", "--quiet", "--sparse-checkout",
        ]),
        plain_value(&["--prefix", "--exclude-per-directory", "--super-prefix"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    for (file, span) in option_values(&parsed, "output") {
        command.writes(&file, WriteMode::Truncate, span);
    }
    let overwrites = parsed.has("reset") || (parsed.has("merge") && parsed.has("update"));
    command.operation(match (parsed.has("dry-run"), overwrites) {
        (true, _) => "read",
        (false, true) => "ref-plumbing",
        (false, false) => "index",
    });
}

/// `git checkout-index`: copies files out of the index.
pub(super) fn checkout_index(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("force", &["-f", "--force"]),
        value("prefix", &["--prefix"]),
        flag("temporary", &["--temp"]),
        plain(&[
            "-a", "-q", "-n", "-u", "-z", "--all", "--ignore-skip-worktree-bits", "--quiet", "--no-create", "--index",
            "--stdin", "--create",
        ]),
        plain_value(&["--stage"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    for (prefix, span) in option_values(&parsed, "prefix") {
        command.writes(&prefix, WriteMode::Create, span);
    }
    command.mention_all(parsed.operands(command.arguments));
    // With a prefix or as temporary files it does not write over the work tree.
    let overwrites = parsed.has("force") && !parsed.has("temporary");
    command.operation(if overwrites { "ref-plumbing" } else { "other" });
}

/// `git update-index`.
pub(super) fn update_index(command: &mut Command<'_>) {
    let refreshes = command.arguments.iter().filter_map(Argument::known).any(|word| word == "--really-refresh");
    command.operation(if refreshes { "ref-plumbing" } else { "index" });
}

/// `git init`: a new repository, with files of its template in it.
pub(super) fn init(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        value("template", &["--template"]),
        value("git-dir", &["--separate-git-dir"]),
        plain(&["-q", "--bare", "--quiet"]),
        plain_value(&["-b", "--initial-branch", "--object-format", "--ref-format"]),
        plain_optional(&["--shared"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    for (directory, span) in option_values(&parsed, "template") {
        super::surroundings::runs(command, super::executable::Role::Template, "template", &directory, span);
    }
    for (directory, span) in option_values(&parsed, "git-dir") {
        command.writes(&directory, WriteMode::Create, span);
    }
    let place = parsed.operand(command.arguments, 0).map(|word| (word.value.clone(), word.span));
    let (value, span) = place.unwrap_or_else(|| (Value::literal("."), command.span));
    command.writes(&value, WriteMode::Create, span);
    command.operation("init");
}

/// Commands that store objects or listen and are seldom typed.
pub(super) fn other(command: &mut Command<'_>) {
    command.operation("other");
}

/// Commands that start programs of their own: windows, servers, tools.
pub(super) fn starts(command: &mut Command<'_>) {
    command.operation("other");
    command.emit(EffectKind::Unknown(format!("git {}", command.name)), command.span);
}

/// `git credential fill` prints a stored password; `approve` and `reject` change what is stored. Source: git-credential(1).
pub(super) fn credential(command: &mut Command<'_>) {
    command.operation("other");
    if command.arguments.first().and_then(Argument::known) == Some("fill") {
        command.emit(EffectKind::Disclose("password".to_owned()), command.span);
    }
}
