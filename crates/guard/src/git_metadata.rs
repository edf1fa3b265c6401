//! Git's own files: where they are, and which effects on them are refused.

use sekisho_command_model::{EffectKind, Family, WriteMode};
use sekisho_host::git::Repository;
use sekisho_host::{EntryKind, Host, path};

use crate::facts::Fact;
use crate::target_class::{Classified, TargetClass};

/// The files and directories that are Git's, for one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// `.git` itself, whether a directory or a file.
    entry: Option<String>,
    /// Every directory that holds metadata, the common directory of a linked worktree included.
    directories: Vec<String>,
    /// Directories whose files Git runs.
    hooks: Vec<String>,
}

/// What may be done to Git's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Nothing against it.
    Pass,
    /// A person decides.
    Ask,
    /// Refused.
    Deny,
}

impl Metadata {
    /// What there is around the directory a call runs in. No repository: nothing beyond paths that hold `.git` as a component.
    pub fn of(repository: Option<&Repository>) -> Self {
        let Some(repository) = repository else { return Self::default() };
        let directories = repository.metadata_directories().into_iter().map(str::to_owned).collect();
        Self { entry: Some(repository.entry.clone()), directories, hooks: repository.hooks.clone() }
    }

    /// `candidate` is `.git`, lies in it, or lies in a directory of hooks.
    pub fn covers(&self, candidate: &str) -> bool {
        self.entry.as_deref() == Some(candidate)
            || self.directories.iter().chain(&self.hooks).any(|directory| path::is_within(candidate, directory))
            || candidate.split('/').any(|component| component.eq_ignore_ascii_case(".git"))
    }

    /// Git's files lie below `candidate`.
    pub fn lies_below(&self, host: &dyn Host, candidate: &str) -> bool {
        self.entry.as_deref().is_some_and(|entry| path::is_within(entry, candidate))
            || self.directories.iter().any(|directory| path::is_within(directory, candidate))
            || host.entry(&path::join(candidate, ".git")).is_some()
                && !self.entry.as_deref().is_some_and(|entry| path::is_within(candidate, path::parent(entry).unwrap_or("/")))
    }

    /// A pattern selects `.git`, or (for what acts on whole trees) a directory above it.
    pub fn matched_by(&self, pattern: &str, whole_tree: bool) -> bool {
        let Some(entry) = self.entry.as_deref() else { return false };
        let mut at = Some(entry);
        while let Some(candidate) = at {
            if !path::is_root(candidate) && crate::selection::glob_matches_path(pattern, candidate) {
                return candidate == entry || whole_tree;
            }
            at = path::parent(candidate);
        }
        false
    }

    /// `candidate` is the work tree or a directory in it, and none of Git's own.
    fn is_work_tree_above(&self, candidate: &str) -> bool {
        let work_tree = self.entry.as_deref().and_then(path::parent);
        !self.covers(candidate) && work_tree.is_some_and(|work_tree| path::is_within(candidate, work_tree))
    }

    fn is_hook(&self, candidate: &str) -> bool {
        self.hooks.iter().any(|directory| path::is_within(candidate, directory)) || candidate.contains("/.git/hooks")
    }
}

/// The rule about Git's files for one effect: its id and what it says.
pub fn judge(metadata: &Metadata, fact: &Fact<'_>) -> Option<(&'static str, Answer)> {
    let general = "git.metadata-mutation";
    let target = &fact.target;
    // git itself never takes its own files away, whatever its operands are.
    let by_git = fact.effect.family == Family::Git;
    if by_git || fact.class != TargetClass::GitMetadata && !touches(metadata, &fact.second) {
        return None;
    }
    let place = target.canonical.as_deref().unwrap_or_default();
    let answer = match &fact.effect.kind {
        EffectKind::Delete { .. } => {
            if place.ends_with(".lock") && !target.is_pattern {
                return None;
            }
            let rule = match fact.effect.family {
                _ if fact.program() == Some("rm") => "rm.git-metadata",
                Family::FindDelete | Family::FindExec => "find.delete-git-metadata",
                _ => general,
            };
            return Some((rule, Answer::Deny));
        }
        EffectKind::Move { .. } => Answer::Deny,
        // A work tree may be handed to another owner as a whole: Git's files keep their content, and go with it.
        EffectKind::Permissions { recursive: true, .. } if metadata.is_work_tree_above(place) => Answer::Pass,
        EffectKind::Permissions { change, recursive, .. } => {
            if metadata.is_hook(place) && !recursive && change.contains('x') {
                Answer::Ask
            } else {
                Answer::Deny
            }
        }
        EffectKind::Write(_, mode) => {
            if place.ends_with(".lock") {
                Answer::Pass
            } else if place.ends_with("/info/exclude") && *mode != WriteMode::Link {
                Answer::Ask
            } else if *mode == WriteMode::Create && fact.program() == Some("mkdir") {
                Answer::Pass
            } else {
                Answer::Deny
            }
        }
        EffectKind::Touch(_) => Answer::Ask,
        _ => Answer::Pass,
    };
    Some((general, answer))
}

fn touches(metadata: &Metadata, second: &Option<Classified>) -> bool {
    second.as_ref().and_then(|target| target.canonical.as_deref()).is_some_and(|place| metadata.covers(place))
}

/// The entry is a regular file that names a directory elsewhere (a linked worktree or a submodule).
pub fn is_marker_file(host: &dyn Host, entry: &str) -> bool {
    matches!(host.entry(entry), Some(EntryKind::File { .. }))
}
