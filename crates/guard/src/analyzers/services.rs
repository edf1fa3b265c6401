//! Operations of git and of code hosts, and commands that print secrets.

use sekisho_command_model::EffectKind;
use sekisho_host::path;

use super::outcome;
use crate::facts::{Fact, Facts};
use crate::matcher::Outcome;

/// `git.checkout-path`
pub fn checkout_path(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    vcs_pair(fact, "checkout-path")
}

/// `git.exec-config`
pub fn exec_config(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    vcs_pair(fact, "exec-config")
}

/// The operation called `name` matches as written, its milder form asks.
fn vcs_pair(fact: &Fact<'_>, name: &str) -> Option<Outcome> {
    let EffectKind::Vcs(operation) = &fact.effect.kind else { return None };
    if operation.name == name {
        return Some(Outcome::AsWritten);
    }
    // A person chooses the changes that `--patch` throws away.
    let milder = operation.name.strip_suffix("-ask") == Some(name) || operation.name == "checkout-patch" && name == "checkout-path";
    milder.then_some(Outcome::Ask)
}

/// `git.push-force`
pub fn push_force(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    let EffectKind::Vcs(operation) = &fact.effect.kind else { return None };
    match operation.name {
        "push-force" => Some(Outcome::AsWritten),
        "push-force-default-branch" => Some(Outcome::Ask),
        _ => None,
    }
}

/// `git.worktree-remove-force`
pub fn worktree_remove(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    let EffectKind::Vcs(operation) = &fact.effect.kind else { return None };
    if operation.name != "worktree-remove-force" {
        return None;
    }
    let temporary = operation
        .subject
        .as_deref()
        .is_some_and(|place| crate::target_class::TEMPORARY.iter().any(|root| path::is_within(&path::normalize(place), root)));
    Some(if temporary { Outcome::Ask } else { Outcome::AsWritten })
}

/// `secret.command.token`
pub fn discloses_token(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Disclose(what) => outcome(matches!(what.as_str(), "token" | "secret" | "public-key" | "decrypted")),
        EffectKind::Service { operation, .. } => outcome(matches!(operation.as_str(), "compose-config" | "get-secret")),
        _ => None,
    }
}

/// `forge.delete`
pub fn forge_delete(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    let EffectKind::Service { service, operation, .. } = &fact.effect.kind else { return None };
    if !matches!(service.as_str(), "gh" | "glab" | "hub") {
        return None;
    }
    match operation.as_str() {
        "rename" | "repository-change" | "repository-rename" | "workflow-disable" | "disable" => Some(Outcome::Ask),
        "admin-merge" | "merge-admin" => Some(Outcome::AsWritten),
        other if other.ends_with("delete") || other.ends_with("archive") => Some(Outcome::AsWritten),
        _ => None,
    }
}
