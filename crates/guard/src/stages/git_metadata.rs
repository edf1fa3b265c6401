//! Stage 7: Git's own files.

use sekisho_command_model::EffectKind;
use sekisho_verdict::{Finding, Stage, Verdict};

use crate::analyzers::{search_reaches_git, search_starts_above_home};
use crate::facts::{Fact, Facts};
use crate::git_metadata::{Answer, judge};
use crate::rules::finding;

use super::destructive::evidence;

/// What the stage finds. The flag says that a directory above `.git` goes.
pub fn findings(facts: &Facts<'_>) -> Vec<(Finding, bool)> {
    let mut found: Vec<_> = facts.facts.iter().filter_map(|fact| one(fact, facts)).collect();
    found.sort_by_key(|(finding, _)| finding.verdict != Verdict::Deny);
    found
}

fn one(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<(Finding, bool)> {
    let stage = Stage::PolicyProtection;
    if fact.search.is_some() {
        let deletes = matches!(fact.effect.kind, EffectKind::Delete { .. });
        let input = matches!(fact.effect.family, sekisho_command_model::Family::Xargs | sekisho_command_model::Family::Parallel);
        let reached = deletes && !input && search_reaches_git(fact, facts);
        let above = search_starts_above_home(fact);
        return reached.then(|| (finding("find.delete-git-metadata", stage, Some(evidence(fact.execution))), above));
    }
    let (rule, answer) = judge(&facts.reading.metadata, fact)?;
    let mut found = finding(rule, stage, Some(evidence(fact.execution)));
    match answer {
        Answer::Pass => return None,
        Answer::Ask => found.verdict = Verdict::Ask,
        Answer::Deny if fact.execution.latent => found.verdict = Verdict::Ask,
        Answer::Deny => {}
    }
    let place = fact.target.canonical.as_deref().unwrap_or_default();
    Some((found, !facts.reading.metadata.covers(place)))
}
