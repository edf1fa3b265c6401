//! Whether a word names a path or a revision, as far as its spelling and the repository tell.

use super::command::Command;
use crate::argument::{Argument, Cause, Value};

/// What a word before `--` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// A path or a pattern of paths.
    Path,
    /// A commit, a branch, a tag or a range.
    Revision,
    /// It could be either, or nothing.
    Unclear,
}

/// Names that git gives a meaning of its own.
const SPECIAL: &[&str] =
    &["HEAD", "@", "-", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD", "AUTO_MERGE"];

/// Says what a word is.
pub(super) fn role(command: &Command<'_>, word: &Argument) -> Role {
    match &word.value {
        Value::Known { text, .. } => role_of_text(command, text),
        Value::Glob { .. } => Role::Path,
        Value::Dynamic(partial) => {
            let below = matches!(partial.cause, Cause::PathUnder { .. } | Cause::Temporary);
            if below || ["./", "../", "/", ":"].iter().any(|start| partial.prefix.starts_with(start)) {
                Role::Path
            } else {
                Role::Unclear
            }
        }
    }
}

fn role_of_text(command: &Command<'_>, text: &str) -> Role {
    if is_path_shaped(text) {
        return Role::Path;
    }
    if is_revision_shaped(text) {
        return Role::Revision;
    }
    if !command.may_look() {
        // So many words before `--` are paths, or an attempt to hide one.
        return Role::Path;
    }
    let resolved = command.repository().map(|repository| repository.resolves(text));
    if resolved == Some(Some(true)) {
        return Role::Revision;
    }
    let plain = !text.contains(['.', '/']);
    match command.exists(text) {
        // Without refs to compare with, a plain word is taken for a branch.
        Some(true) if plain && !matches!(resolved, Some(Some(false))) => Role::Revision,
        Some(true) => Role::Path,
        None if has_file_extension(text) => Role::Path,
        _ if text.len() >= 7 && text.chars().all(|letter| letter.is_ascii_hexdigit()) => Role::Revision,
        _ => Role::Unclear,
    }
}

/// Spellings no ref has (git-check-ref-format(1)) and pathspecs with magic (gitglossary(7)).
fn is_path_shaped(text: &str) -> bool {
    let is_range = text.len() > 2 && text.starts_with("..") && !text.starts_with("../");
    let has_brace = text.contains("@{") || text.contains("^{");
    !is_range
        && (text.starts_with(['.', '/', ':'])
            || text.ends_with('/')
            || (!has_brace && !text.contains(':') && text.contains(['*', '?', '[', ' ', '\\'])))
}

/// Spellings that only revisions have (gitrevisions(7)).
pub(super) fn is_revision_shaped(text: &str) -> bool {
    SPECIAL.contains(&text) || text.contains("..") || text.contains("@{") || text.contains(['^', '~', ':'])
}

/// `app.ts`, but not `v1.2`.
fn has_file_extension(text: &str) -> bool {
    let name = text.rsplit('/').next().unwrap_or(text);
    name.rsplit_once('.').is_some_and(|(stem, extension)| {
        !stem.is_empty()
            && extension.starts_with(|letter: char| letter.is_ascii_alphabetic())
            && extension.chars().all(|letter| letter.is_ascii_alphanumeric())
    })
}
