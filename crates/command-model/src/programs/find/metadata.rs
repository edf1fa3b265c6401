//! Whether a filter can select anything of a repository's `.git` directory.
//!
//! The names are those git itself makes (gitrepository-layout(5)). A branch may be called anything and so may its file below
//! `refs`, which a filter for build products is not blamed for.

use super::expression::Filter;
use super::pattern::matches;

/// Paths in a `.git` directory, and the directory itself.
const PATHS: &[&str] = &[
    "HEAD",
    "ORIG_HEAD",
    "FETCH_HEAD",
    "MERGE_HEAD",
    "MERGE_MSG",
    "COMMIT_EDITMSG",
    "config",
    "config.worktree",
    "description",
    "index",
    "index.lock",
    "packed-refs",
    "shallow",
    "branches",
    "gitdir",
    "commondir",
    "hooks",
    "hooks/pre-commit",
    "hooks/commit-msg",
    "hooks/pre-push",
    "hooks/post-checkout",
    "hooks/post-merge",
    "hooks/pre-commit.sample",
    "hooks/update.sample",
    "info",
    "info/exclude",
    "info/attributes",
    "info/refs",
    "objects",
    "objects/info",
    "objects/info/alternates",
    "objects/pack",
    "objects/pack/pack-0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c.pack",
    "objects/pack/pack-0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c.idx",
    "objects/pack/pack-0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c.rev",
    "objects/pack/multi-pack-index",
    "objects/3f",
    "objects/3f/1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c",
    "refs",
    "refs/heads",
    "refs/heads/main",
    "refs/heads/master",
    "refs/tags",
    "refs/remotes",
    "refs/remotes/origin",
    "refs/remotes/origin/HEAD",
    "refs/stash",
    "logs",
    "logs/HEAD",
    "logs/refs",
    "modules",
    "worktrees",
    "lfs",
    "rebase-merge",
    "sequencer",
];

/// How many roots a path filter is tried with; with more it is taken to select.
const ROOTS: usize = 16;

/// The filter may select a `.git` directory or something in it.
pub(super) fn may_select(filter: &Filter, roots: &[&str]) -> bool {
    let fits = |text: &str| matches(&filter.pattern, text, filter.ignores_case);
    if !filter.whole_path {
        let name = |path: &str| fits(path.rsplit('/').next().unwrap_or(path));
        return fits(".git") || PATHS.iter().any(|path| name(path));
    }
    roots.len() > ROOTS
        || roots.iter().chain(&["."]).any(|root| {
            let root = root.trim_end_matches('/');
            fits(&format!("{root}/.git"))
                || PATHS.iter().any(|path| fits(&format!("{root}/.git/{path}")))
                // The root may lie in the repository's metadata itself.
                || root.contains(".git") && PATHS.iter().any(|path| fits(&format!("{root}/{path}")))
        })
}

/// The filter matches a `.git` directory wherever it may stand below a root.
pub(super) fn covers_directory(filter: &Filter) -> bool {
    let fits = |text: &str| matches(&filter.pattern, text, filter.ignores_case);
    if filter.whole_path { fits("./.git") || fits("/r/.git") } else { fits(".git") }
}

/// The filter matches everything in a `.git` directory.
pub(super) fn covers_content(filter: &Filter) -> bool {
    filter.whole_path
        && ["./", "/r/"]
            .iter()
            .any(|root| PATHS.iter().all(|path| matches(&filter.pattern, &format!("{root}.git/{path}"), filter.ignores_case)))
}
