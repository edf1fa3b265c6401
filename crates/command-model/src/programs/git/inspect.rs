//! Sub-commands that look: history, differences, files, names.
//!
//! Source: the manual page of each in git 2.47; gitdiffcore(7), git-rev-list(1) for the shared options.

use sekisho_host::path::{join, relative_to};

use super::command::{Command, option_values};
use super::global::known;
use super::operands::{self, Role};
use super::options::{flag, optional, plain, plain_optional, plain_value, value};
use crate::argument::{Argument, Value};
use crate::carried::Carried;
use crate::effect::{EffectKind, Selection, WriteMode};
use crate::option_grammar::{OptionSpec, Parsed};

/// Options of the commands that show history or differences.
#[rustfmt::skip]
pub(super) const HISTORY: &[OptionSpec] = &[
    value("output", &["--output"]),
    flag("ext-diff", &["--ext-diff"]),
    flag("no-ext-diff", &["--no-ext-diff"]),
    flag("textconv", &["--textconv"]),
    flag("no-textconv", &["--no-textconv"]),
    flag("patch", &[
        "-p", "-u", "--patch", "--patch-with-raw", "--patch-with-stat", "--cc", "-c", "--remerge-diff", "--full-diff",
    ]),
    flag("names", &["--name-only"]),
    flag("no-index", &["--no-index"]),
    flag("cached", &["--cached", "--staged"]),
    flag("names-and-more", &[
        "--name-status", "--numstat", "--shortstat", "--summary", "--compact-summary", "--raw", "--quiet",
    ]),
    optional("stat", &["--stat", "--dirstat", "-X", "--dirstat-by-file"]),
    value("order-file", &["-O"]),
    value("lines", &["-L"]),
    plain(&[
        "-a", "-b", "-w", "-z", "-W", "-R", "-D", "-s", "-t", "-r", "-i", "-E", "-F", "-P", "-g", "-q", "-m",
        "--no-patch", "--function-context", "--cumulative", "--check", "--binary", "--full-index", "--no-prefix",
        "--default-prefix", "--irreversible-delete", "--find-copies-harder", "--no-renames", "--rename-empty",
        "--follow", "--minimal", "--ignore-all-space", "--ignore-space-change", "--ignore-space-at-eol",
        "--ignore-cr-at-eol", "--ignore-blank-lines", "--indent-heuristic", "--patience", "--histogram", "--text",
        "--exit-code", "--ita-invisible-in-index", "--ita-visible-in-index", "--pickaxe-all", "--pickaxe-regex",
        "--combined-all-paths", "--source", "--use-mailmap", "--mailmap", "--clear-decorations", "--log-size",
        "--all-match", "--invert-grep", "--regexp-ignore-case", "--basic-regexp", "--extended-regexp",
        "--fixed-strings", "--perl-regexp", "--remove-empty", "--merges", "--no-merges", "--first-parent",
        "--exclude-first-parent-only", "--not", "--all", "--reflog", "--alternate-refs", "--single-worktree",
        "--ignore-missing", "--bisect", "--stdin", "--cherry-mark", "--cherry-pick", "--left-only", "--right-only",
        "--cherry", "--walk-reflogs", "--merge", "--boundary", "--simplify-by-decoration", "--show-pulls",
        "--full-history", "--dense", "--sparse", "--simplify-merges", "--date-order", "--author-date-order",
        "--topo-order", "--reverse", "--do-walk", "--abbrev-commit", "--oneline", "--standard-notes",
        "--show-signature", "--relative-date", "--parents", "--children", "--left-right", "--graph", "--merge-base",
        "--dual-color", "--root", "--always", "--no-commit-id", "--pretty-raw", "--count", "--objects",
        "--objects-edge", "--timestamp", "--disk-usage", "--use-bitmap-index", "--bisect-all", "--bisect-vars",
        "--header", "--unpacked", "--in-commit-order", "--no-object-names", "--base", "--ours", "--theirs", "-1",
        "-2", "-3", "-0",
    ]),
    plain_value(&[
        "-n", "-U", "-l", "-S", "-G", "-I", "--max-count", "--skip", "--since", "--after", "--since-as-filter",
        "--until", "--before", "--author", "--committer", "--grep-reflog", "--grep", "--min-parents", "--max-parents",
        "--glob", "--exclude", "--exclude-hidden", "--encoding", "--date", "--decorate-refs",
        "--decorate-refs-exclude", "--diff-merges", "--stat-width", "--stat-name-width", "--stat-graph-width",
        "--stat-count", "--ws-error-highlight", "--src-prefix", "--dst-prefix", "--line-prefix",
        "--inter-hunk-context", "--output-indicator-new", "--output-indicator-old", "--output-indicator-context",
        "--ignore-matching-lines", "--diff-algorithm", "--anchored", "--word-diff-regex", "--color-moved-ws",
        "--rotate-to", "--skip-to", "--find-object", "--diff-filter", "--creation-factor", "--max-age", "--min-age",
        "--filter", "--missing",
    ]),
    plain_optional(&[
        "--unified", "--color", "--abbrev", "--break-rewrites", "-B", "--find-renames", "-M", "--find-copies", "-C",
        "--word-diff", "--color-words", "--color-moved", "--relative", "--ignore-submodules", "--submodule",
        "--decorate", "--branches", "--tags", "--remotes", "--ancestry-path", "--no-walk", "--pretty", "--format",
        "--expand-tabs", "--notes", "--show-notes", "--show-linear-break", "--inline",
    ]),
];

/// What a command that shows history does with a path it is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// It shows content.
    Content,
    /// It shows names or sizes.
    Names,
}

/// `git log`, `whatchanged`, `rev-list`, `shortlog`, `range-diff` …: history, of paths where they are named.
pub(super) fn log(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(HISTORY) else {
        return;
    };
    command.operation("read");
    let shows = if parsed.has("patch") { Shows::Content } else { Shows::Names };
    history_files(command, &parsed);
    paths(command, &parsed, shows);
}

/// `git shortlog`: sums history up.
pub(super) fn shortlog(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        value("output", &["--output"]),
        plain(&[
            "-n", "-s", "-e", "-c", "--numbered", "--summary", "--email", "--committer", "--all", "--merges",
            "--first-parent", "--reverse",
        ]),
        plain_value(&[
            "--group", "--since", "--after", "--until", "--before", "--author", "--grep", "--max-count", "--date",
        ]),
        plain_optional(&["-w", "--format", "--branches", "--tags", "--remotes"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    command.operation("read");
    history_files(command, &parsed);
    paths(command, &parsed, Shows::Names);
}

/// `git diff` and its plumbing, and whatever else shows differences unless told otherwise.
pub(super) fn diff(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(HISTORY) else {
        return;
    };
    command.operation("read");
    history_files(command, &parsed);
    let only_names = parsed.has("names") || parsed.has("names-and-more") || parsed.has("stat");
    let shows = if only_names && !parsed.has("patch") { Shows::Names } else { Shows::Content };
    if parsed.has("no-index") {
        for word in parsed.operands(command.arguments).cloned().collect::<Vec<_>>() {
            command.reads(&word.value, word.span);
        }
        return;
    }
    paths(command, &parsed, shows);
    if parsed.has("names") {
        let root = command.repository().and_then(|repository| repository.top().map(str::to_owned)).or_else(|| command.base.clone());
        command.prints_paths(vec![known(root.as_deref().unwrap_or("."))], Selection::default());
    }
}

/// `git show`: commits with their differences, or the content of `revision:path`.
pub(super) fn show(command: &mut Command<'_>) {
    diff(command);
}

/// The file that output goes to, and the files options read.
fn history_files(command: &mut Command<'_>, parsed: &Parsed) {
    for (value, span) in option_values(parsed, "output") {
        command.writes(&value, WriteMode::Truncate, span);
    }
    command.consumes_option_file(parsed, "order-file");
    // `-L 1,20:file` follows lines of a file and shows them.
    for (lines, span) in option_values(parsed, "lines") {
        if let Some((_, file)) = lines.known().and_then(|text| text.rsplit_once(':')) {
            command.reads(&known(file), span);
        }
    }
}

/// Paths among the operands.
fn paths(command: &mut Command<'_>, parsed: &Parsed, shows: Shows) {
    let before_paths = parsed.double_dash.unwrap_or(usize::MAX);
    for index in &parsed.operands {
        let Some(word) = command.arguments.get(*index) else {
            continue;
        };
        // `:path` is the index's copy here, where other commands would take it for a pathspec.
        let in_index =
            word.known().and_then(|text| text.strip_prefix(':')).is_some_and(|rest| !rest.starts_with(['/', '(', '!', '^']));
        if *index < before_paths && (in_index || operands::role(command, word) != Role::Path) {
            object(command, word);
        } else if shows == Shows::Content {
            command.reads(&word.value, word.span);
        } else {
            command.mentions(&word.value, word.span);
        }
    }
}

/// `revision:path` names a path of the history; `:path` is the content of the index.
fn object(command: &mut Command<'_>, word: &Argument) {
    let Some((revision, path)) = word.known().and_then(|text| text.split_once(':')) else {
        return;
    };
    if path.is_empty() || revision.contains("..") || path.starts_with('/') {
        return;
    }
    // `:0:path`, `:2:path`: a stage of the index.
    let path =
        path.strip_prefix(|stage: char| ('0'..='3').contains(&stage)).and_then(|rest| rest.strip_prefix(':')).unwrap_or(path);
    if revision.is_empty() {
        command.reads(&known(path), word.span);
    } else {
        command.mentions(&known(path), word.span);
    }
}

#[rustfmt::skip]
const STATUS: &[OptionSpec] = &[
    plain(&[
        "-v", "-s", "-b", "-z", "--verbose", "--short", "--branch", "--show-stash", "--ahead-behind", "--long",
        "--null", "--no-renames", "--renames",
    ]),
    plain_optional(&[
        "-u", "--porcelain", "--untracked-files", "--ignored", "--ignore-submodules", "--column", "--find-renames",
        "-M",
    ]),
];

/// `git status`.
pub(super) fn status(command: &mut Command<'_>) {
    names_only(command, STATUS);
}

/// A command that only reads and whose operands are paths it names.
fn names_only(command: &mut Command<'_>, options: &'static [OptionSpec]) {
    let Some(parsed) = command.parse(options) else {
        return;
    };
    command.operation("read");
    command.mention_all(parsed.operands(command.arguments));
}

#[rustfmt::skip]
const BLAME: &[OptionSpec] = &[
    value("contents", &["--contents"]),
    value("file", &["--ignore-revs-file", "-S"]),
    plain(&[
        "-b", "-l", "-t", "-p", "-h", "-c", "-f", "-n", "-s", "-e", "-w", "--incremental", "--root", "--show-stats",
        "--progress", "--score-debug", "--show-name", "--show-number", "--porcelain", "--line-porcelain",
        "--show-email", "--color-lines", "--color-by-age", "--minimal", "--first-parent", "--textconv",
    ]),
    plain_value(&["-L", "--ignore-rev", "--encoding", "--date", "--reverse"]),
    plain_optional(&["-M", "-C", "--abbrev"]),
];

/// `git blame`: shows a file line by line.
pub(super) fn blame(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(BLAME) else {
        return;
    };
    command.operation("read");
    command.reads_option_file(&parsed, "contents");
    command.consumes_option_file(&parsed, "file");
    // The path comes last, a revision may stand before it; after `--` there are paths only.
    let last = parsed.operands.len().saturating_sub(1);
    for (position, index) in parsed.operands.iter().enumerate() {
        let Some(word) = command.arguments.get(*index) else {
            continue;
        };
        if position == last || parsed.double_dash.is_some_and(|dash| *index > dash) {
            command.reads(&word.value, word.span);
        }
    }
}

#[rustfmt::skip]
const GREP: &[OptionSpec] = &[
    optional("open", &["-O", "--open-files-in-pager"]),
    value("pattern", &["-e"]),
    value("file", &["-f"]),
    flag("names", &["-l", "--files-with-matches", "--name-only", "-L", "--files-without-match"]),
    flag("no-index", &["--no-index"]),
    plain(&[
        "-a", "-i", "-I", "-r", "-w", "-v", "-h", "-H", "-E", "-G", "-P", "-F", "-n", "-z", "-o", "-c", "-p", "-W",
        "-q", "--cached", "--untracked", "--exclude-standard", "--recurse-submodules", "--invert-match",
        "--ignore-case", "--word-regexp", "--text", "--textconv", "--recursive", "--extended-regexp",
        "--basic-regexp", "--fixed-strings", "--perl-regexp", "--line-number", "--column", "--full-name", "--null",
        "--only-matching", "--count", "--break", "--heading", "--show-function", "--function-context", "--and",
        "--or", "--not", "--quiet", "--all-match", "--ext-grep", "--index",
    ]),
    plain_value(&[
        "-C", "-A", "-B", "-m", "--max-depth", "--context", "--before-context", "--after-context", "--threads",
        "--max-count",
    ]),
    plain_optional(&["--color"]),
];

/// `git grep`: searches content, and may open what it finds in a program of the caller's choice.
pub(super) fn grep(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(GREP) else {
        return;
    };
    command.operation("read");
    command.reads_option_file(&parsed, "file");
    for option in parsed.options.iter().filter(|option| option.id == Some("open")) {
        // Without a value it is the configured pager; with one, the program followed by the files found.
        if let Some(program) = &option.value {
            let viewer =
                super::executable::judge(super::executable::Role::Pager, program) == super::executable::Judgement::Harmless;
            command.operation_on(
                if viewer { "exec-config-ask" } else { "exec-config" },
                Some("open-files-in-pager".to_owned()),
                option.span,
            );
            command.carry_shell(program.clone(), false, option.span);
        } else {
            command.configured("core.pager".to_owned());
        }
    }
    let pattern_is_option = parsed.has("pattern") || parsed.has("file");
    let mut roots = Vec::new();
    for (position, index) in parsed.operands.iter().enumerate() {
        let Some(word) = command.arguments.get(*index) else {
            continue;
        };
        let after_dash = parsed.double_dash.is_some_and(|dash| *index > dash);
        if position == 0 && !pattern_is_option && !after_dash {
            continue;
        }
        if after_dash || operands::role(command, word) == Role::Path {
            command.reads(&word.value, word.span);
            roots.push(word.value.clone());
        }
    }
    if parsed.has("names") {
        print_tracked(command, roots);
    }
}

#[rustfmt::skip]
const LS_FILES: &[OptionSpec] = &[
    value("file", &["-X", "--exclude-from"]),
    plain(&[
        "-c", "-d", "-m", "-o", "-i", "-s", "-u", "-k", "-z", "-t", "-v", "-f", "--cached", "--deleted", "--modified",
        "--others", "--ignored", "--stage", "--killed", "--directory", "--eol", "--no-empty-directory", "--empty-directory", "--unmerged",
        "--resolve-undo", "--exclude-standard", "--full-name", "--recurse-submodules", "--error-unmatch", "--debug",
        "--deduplicate", "--sparse",
    ]),
    plain_value(&["-x", "--exclude", "--exclude-per-directory", "--with-tree", "--format"]),
    plain_optional(&["--abbrev"]),
];

/// `git ls-files`: names tracked files, one a line.
pub(super) fn ls_files(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(LS_FILES) else {
        return;
    };
    command.operation("read");
    command.consumes_option_file(&parsed, "file");
    command.mention_all(parsed.operands(command.arguments));
    let roots = parsed.operands(command.arguments).map(|word| word.value.clone()).collect();
    print_tracked(command, roots);
}

/// Prints tracked files at or below these pathspecs.
fn print_tracked(command: &mut Command<'_>, pathspecs: Vec<Value>) {
    let here = command.base.clone().unwrap_or_else(|| ".".to_owned());
    if pathspecs.is_empty() {
        command.prints_paths(vec![known(&here)], Selection::default());
        return;
    }
    let mut roots = Vec::new();
    let mut names = Vec::new();
    for pathspec in &pathspecs {
        match pathspec.known() {
            Some(text) if !text.contains(['*', '?', '[', ':']) => roots.push(known(&join(&here, text))),
            _ => names.push(pathspec.display()),
        }
    }
    if !names.is_empty() {
        // Plain paths beside patterns: all of it lies below here, and nothing narrows it for certain.
        if !roots.is_empty() {
            names.clear();
        }
        roots = vec![known(&here)];
    }
    command.prints_paths(roots, Selection { names, ..Selection::default() });
}

#[rustfmt::skip]
const LS_TREE: &[OptionSpec] = &[
    plain(&[
        "-d", "-r", "-t", "-l", "-z", "--long", "--name-only", "--name-status", "--object-only", "--full-name",
        "--full-tree",
    ]),
    plain_value(&["--format"]),
    plain_optional(&["--abbrev"]),
];

/// `git ls-tree`.
pub(super) fn ls_tree(command: &mut Command<'_>) {
    names_only(command, LS_TREE);
}

#[rustfmt::skip]
const CAT_FILE: &[OptionSpec] = &[
    plain(&[
        "-t", "-s", "-e", "-p", "-z", "-Z", "--mailmap", "--use-mailmap", "--textconv", "--filters",
        "--batch-all-objects", "--buffer", "--unordered", "--allow-unknown-type", "--follow-symlinks",
    ]),
    plain_value(&["--path", "--filter"]),
    plain_optional(&["--batch", "--batch-check", "--batch-command"]),
];

/// `git cat-file`.
pub(super) fn cat_file(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(CAT_FILE) else {
        return;
    };
    command.operation("read");
    for word in parsed.operands(command.arguments) {
        object(command, word);
    }
}

#[rustfmt::skip]
const NAMES: &[OptionSpec] = &[
    plain(&[
        "-q", "-v", "-z", "-n", "-a", "-s", "-p", "-e", "-d", "-c", "--stdin", "--quiet", "--verbose",
        "--non-matching", "--no-index", "--all", "--cached", "--source", "--debug", "--tags", "--long",
        "--first-parent", "--exact-match", "--always", "--dirty", "--broken", "--contains", "--name-only",
        "--annotate-stdin", "--undefined", "--octopus", "--independent", "--is-ancestor", "--fork-point", "--shell",
        "--perl", "--python", "--tcl", "--omit-empty", "--ignore-case", "--include-root-refs", "--branches",
        "--heads", "--exists", "--verify", "--head", "--dereference", "--branch", "--normalize", "--allow-onelevel",
        "--refspec-pattern", "--print", "--human-readable", "-H", "--raw", "--current", "--list", "--remotes",
        "--reflog", "--merge-base", "--topo-order", "--date-order", "--topics", "--sparse", "--numbered", "--summary",
        "--email", "--committer", "--build-options", "--stat", "--write-tree", "--name-status", "--messages",
        "--stable", "--unstable", "--verbatim", "--stat-only", "--no-name", "--name", "--peel-tag", "-g", "--sha1-name", "--more", "--full",
        "--strict", "--unreachable", "--dangling", "--root", "--cache", "--reflogs", "--connectivity-only",
        "--progress", "--name-objects", "-r",
    ]),
    plain_value(&[
        "--candidates", "--match", "--exclude", "--refs", "--count", "--format", "--sort", "--points-at", "--group",
        "--mode", "--command", "--width", "--padding",
    ]),
    plain_optional(&[
        "--abbrev", "--hash", "--color", "--merged", "--no-merged", "--no-contains", "--exclude-existing",
    ]),
];

/// `git check-ignore`, `check-attr`: facts about names.
pub(super) fn checks(command: &mut Command<'_>) {
    names_only(command, NAMES);
}

/// `git rev-parse`: prints what names stand for; some of it can be known.
///
/// It reads its options itself, in order, and abbreviates none.
pub(super) fn rev_parse(command: &mut Command<'_>) {
    command.operation("read");
    let words: Vec<_> = command.arguments.iter().map(|word| word.known()).collect();
    let known_words: Option<Vec<&str>> = words.into_iter().collect();
    if let Some(text) = known_words.and_then(|words| rev_parse_output(command, &words)) {
        command.prints(text);
    }
}

fn rev_parse_output(command: &Command<'_>, words: &[&str]) -> Option<String> {
    let repository = command.repository();
    let base = command.base.clone();
    let explicit = command.context.is_explicit();
    let top = || match repository.and_then(|repository| repository.top().map(str::to_owned)) {
        Some(top) => Some(top),
        None if explicit => None,
        None => base.clone(),
    };
    let words: Vec<&str> = words.iter().copied().filter(|word| !matches!(*word, "--quiet" | "-q")).collect();
    let line = match words.as_slice() {
        ["--show-toplevel"] => top()?,
        ["--show-prefix"] => {
            let below = relative_to(base.as_deref()?, &top()?)?.to_owned();
            if below.is_empty() { below } else { format!("{below}/") }
        }
        ["--show-cdup"] => {
            let top = top()?;
            let depth = relative_to(base.as_deref()?, &top)?.split('/').filter(|part| !part.is_empty()).count();
            "../".repeat(depth.min(64))
        }
        ["--git-dir"] if base.is_some() && base == top() => {
            let git_dir = repository?.git_dir().to_owned();
            if Some(&git_dir) == base.as_deref().map(|base| join(base, ".git")).as_ref() { ".git".to_owned() } else { git_dir }
        }
        ["--git-dir" | "--absolute-git-dir"] => repository?.git_dir().to_owned(),
        ["--is-inside-work-tree"] => {
            repository?.top()?;
            "true".to_owned()
        }
        ["--abbrev-ref", "HEAD"] => repository?.head_branch()?.to_owned(),
        ["--symbolic-full-name", "HEAD"] => format!("refs/heads/{}", repository?.head_branch()?),
        _ => return None,
    };
    Some(format!("{line}\n"))
}

/// `git hash-object`: reads files, and stores them with `-w`.
pub(super) fn hash_object(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("write", &["-w"]),
        plain(&["--stdin", "--stdin-paths", "--no-filters", "--literally"]),
        plain_value(&["-t", "--path"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    command.operation(if parsed.has("write") { "other" } else { "read" });
    for word in parsed.operands(command.arguments) {
        command.reads(&word.value, word.span);
    }
}

/// `git difftool`: a program of the caller's choice shows the differences.
pub(super) fn difftool(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        value("command", &["-x", "--extcmd"]),
        value("tool", &["-t", "--tool"]),
        plain(&[
            "-d", "-g", "-y", "--dir-diff", "--gui", "--no-prompt", "--prompt", "--symlinks", "--tool-help",
            "--trust-exit-code", "--cached", "--staged", "--no-index",
        ]),
        plain_value(&["--rotate-to", "--skip-to"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    command.operation("other");
    for (text, span) in option_values(&parsed, "command") {
        command.carry_shell(text, true, span);
    }
    if !parsed.has("command") {
        command.configured("diff.tool".to_owned());
    }
    paths(command, &parsed, Shows::Content);
}

/// `git archive`: packs a tree, into a file or from another machine.
pub(super) fn archive(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        value("output", &["-o", "--output"]),
        value("remote", &["--remote"]),
        value("exec", &["--exec"]),
        value("add-file", &["--add-file"]),
        plain(&[
            "-l", "-v", "-0", "-1", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9", "--list", "--verbose",
            "--worktree-attributes",
        ]),
        plain_value(&["--format", "--prefix", "--add-virtual-file", "--mtime"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    command.operation("read");
    for (file, span) in option_values(&parsed, "output") {
        command.writes(&file, WriteMode::Truncate, span);
    }
    for (file, span) in option_values(&parsed, "add-file") {
        command.reads(&file, span);
    }
    for (remote, span) in option_values(&parsed, "remote") {
        super::surroundings::address(command, &remote, span);
        command.network(Some(remote), false, span);
    }
    super::remote::peer_program(command, &parsed, "exec");
    command.mention_all(parsed.operands(command.arguments).skip(1));
}

/// `git format-patch`: writes one file per commit.
pub(super) fn format_patch(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        value("directory", &["-o", "--output-directory"]),
        flag("stdout", &["--stdout"]),
        value("output", &["--output"]),
        value("read", &["--signature-file", "--description-file"]),
        plain(&[
            "-n", "-N", "-s", "-k", "-p", "-q", "-1", "-2", "-3", "--numbered", "--signoff", "--cover-letter",
            "--numbered-files", "--keep-subject", "--zero-commit", "--ignore-if-in-upstream", "--quiet", "--progress",
            "--force-in-body-from", "--root", "--no-stat", "--no-binary", "--always", "--binary", "--full-index",
            "--minimal", "--text",
        ]),
        plain_value(&[
            "-v", "--suffix", "--start-number", "--reroll-count", "--filename-max-length", "--cover-from-description",
            "--subject-prefix", "--add-header", "--to", "--cc", "--in-reply-to", "--signature", "--base",
            "--interdiff", "--range-diff", "--creation-factor", "-U", "--max-count",
        ]),
        plain_optional(&["--rfc", "--from", "--attach", "--inline", "--thread", "--stat", "-M", "-C"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    command.operation("read");
    command.reads_option_file(&parsed, "read");
    for (file, span) in option_values(&parsed, "output") {
        command.writes(&file, WriteMode::Truncate, span);
    }
    if !parsed.has("stdout") && !parsed.has("output") {
        let directory = parsed.value("directory").cloned().unwrap_or_else(|| known("."));
        command.writes(&directory, WriteMode::Create, command.span);
    }
}

/// `git bundle`: packs history into a file, or takes it out.
pub(super) fn bundle(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] =
        &[plain(&[
            "-q", "--quiet", "--progress", "--all-progress", "--all-progress-implied", "--all", "--stdin",
            "--branches", "--tags",
        ]), plain_value(&[
            "--version", "--filter", "--since",
        ])];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    let (verb, file) = (parsed.operand(arguments, 0), parsed.operand(arguments, 1));
    let verb = verb.and_then(Argument::known).unwrap_or_default();
    command.operation(if matches!(verb, "verify" | "list-heads" | "create") { "read" } else { "other" });
    if let Some(file) = file {
        match verb {
            "create" => command.writes(&file.value, WriteMode::Truncate, file.span),
            _ => command.reads(&file.value, file.span),
        }
    }
}

/// `git show-ref`, `for-each-ref`, `count-objects` … and other plain questions, `git help` and `git var` among them.
pub(super) fn questions(command: &mut Command<'_>) {
    let Some(_) = command.parse(NAMES) else {
        return;
    };
    command.operation("read");
}

/// `git help`, `git version`.
pub(super) fn help(command: &mut Command<'_>) {
    command.understood.inert = true;
}

/// `git bisect`: marks commits, and may run a command on each.
pub(super) fn bisect(command: &mut Command<'_>) {
    let arguments = command.arguments;
    let verb = arguments.first().and_then(Argument::known).unwrap_or_default();
    match verb {
        "run" => {
            let words = arguments.get(1..).unwrap_or_default();
            command.operation("other");
            let span = words.first().map_or(command.span, |word| word.span);
            // The words are put together again and run by a shell, each as it was.
            if !words.is_empty() {
                command.carry(Carried::command(words.to_vec(), span), true);
            }
        }
        "reset" => command.operation("sequencer-abort"),
        "log" | "view" | "visualize" | "terms" | "help" | "--help" | "-h" => command.operation("read"),
        _ => command.operation("other"),
    }
    if arguments.first().is_some_and(|word| word.known().is_none()) {
        command.emit(EffectKind::DynamicStructure, arguments.first().map_or(command.span, |word| word.span));
    }
}
