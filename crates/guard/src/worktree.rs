//! Worktree mode: in a linked worktree, which was made to be thrown away, discarding local changes may be let through.
//!
//! Only what the call says plainly is relaxed: the place is known, the repository is not named by other means, no word is
//! unknown, and no submodule is taken along.

use sekisho_command_model::{EffectKind, Scope};
use sekisho_host::git;

use crate::facts::{Fact, Facts};
use crate::rules::Rule;

/// Facts of the git analyzer that speak against it.
const AGAINST: &[&str] =
    &["context-explicit", "context-alias", "context-recurse-submodules", "context-clean-nested", "context-unknown-words"];
/// Variables that name another repository or index.
const VARIABLES: &[&str] = &["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE"];

/// What the rule found is let through by worktree mode.
pub fn relaxes(rule: &Rule, fact: &Fact<'_>, facts: &Facts<'_>) -> bool {
    if !rule.local_discard || !facts.context.snapshot.worktree_mode() {
        return false;
    }
    let EffectKind::Vcs(operation) = &fact.effect.kind else { return false };
    let execution = fact.execution;
    let resets_branch = operation.name.starts_with("reset-") && operation.with_ref;
    let against = execution.effects.iter().any(|effect| match &effect.kind {
        EffectKind::Vcs(operation) => AGAINST.contains(&operation.name),
        EffectKind::DynamicStructure | EffectKind::Unknown(_) => true,
        _ => false,
    });
    let plain = execution.depth == 0 && !execution.privileged && *fact.scope == Scope::Host;
    if resets_branch || against || !plain || VARIABLES.iter().any(|name| facts.context.host.environment(name).is_some()) {
        return false;
    }
    let here = match &fact.effect.directory {
        None => execution.cwd.path().map(str::to_owned),
        Some(directory) => directory.known().and_then(|directory| {
            let absolute = sekisho_host::path::is_absolute(directory);
            let base = if absolute { Some("/") } else { execution.cwd.path() };
            base.map(|base| sekisho_host::path::join(base, directory))
        }),
    };
    let host = facts.context.host;
    here.and_then(|here| git::locate(host, &here)).is_some_and(|repository| {
        let config = git::config(host, &repository);
        repository.is_linked_worktree && !config.has_includes && config.boolean("submodule.recurse") != Some(true)
    })
}
