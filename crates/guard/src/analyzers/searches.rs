//! Deletes of what a search finds: find, fd, and what they hand to xargs and parallel.

use sekisho_command_model::Family;
use sekisho_host::path;

use super::{delete, outcome};
use crate::facts::{Fact, Facts};
use crate::matcher::Outcome;
use crate::selection::{can_select_git, is_artefact, is_artefact_filtered};
use crate::target_class::{Classified, TargetClass};

/// What a delete of everything a search selects amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SearchDelete {
    Harmless,
    Ask,
    Deny,
    System,
    RootOrHome,
}

/// What a search that deletes amounts to, or `None` for a target that is not searched for.
pub(super) fn searched(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<SearchDelete> {
    let search = fact.search.as_ref()?;
    let selection = &search.selection;
    let artefacts = is_artefact_filtered(selection);
    let narrowed = is_narrowed(selection);
    let judge = |root: &Classified| match root.class {
        TargetClass::Root | TargetClass::Home => SearchDelete::RootOrHome,
        TargetClass::Temporary | TargetClass::TemporaryDynamic | TargetClass::Elsewhere | TargetClass::Allowed => {
            SearchDelete::Harmless
        }
        // `find /tmp -name 'test-*'` is `rm -rf /tmp/test-*`.
        TargetClass::TemporaryRoot if selection.names.iter().all(|name| is_own_name(name)) && !selection.names.is_empty() => {
            SearchDelete::Harmless
        }
        TargetClass::TemporaryRoot => SearchDelete::Ask,
        TargetClass::Inside | TargetClass::InsidePrecious | TargetClass::CwdSelf | TargetClass::WorkspaceGlob => {
            let itself = root.canonical.as_deref().and_then(path::file_name).is_some_and(is_artefact)
                || root.canonical.as_deref().is_some_and(|place| {
                    path::relative_to(place, &facts.workspace).is_some_and(|inside| path::components(inside).any(is_artefact))
                });
            if artefacts || itself {
                SearchDelete::Harmless
            } else if narrowed {
                SearchDelete::Ask
            } else {
                SearchDelete::Deny
            }
        }
        TargetClass::System => SearchDelete::System,
        TargetClass::Dynamic => SearchDelete::Ask,
        _ if selection.files_only && selection.by_age && is_tool_directory(root, &facts.home) => SearchDelete::Ask,
        _ => SearchDelete::Deny,
    };
    search.roots.iter().map(judge).max().or(Some(SearchDelete::Ask))
}

/// The pattern begins with a few letters of its own.
fn is_own_name(pattern: &str) -> bool {
    pattern.chars().take_while(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.')).count() >= 3
}

/// A directory of one tool: at least two levels below home (`~/.cache/tool`, `~/.tool/sessions`).
fn is_tool_directory(root: &Classified, home: &str) -> bool {
    root.canonical
        .as_deref()
        .and_then(|place| path::relative_to(place, home))
        .is_some_and(|relative| path::components(relative).count() >= 2)
}

/// The search can select Git's own files.
pub fn search_reaches_git(fact: &Fact<'_>, facts: &Facts<'_>) -> bool {
    let Some(search) = &fact.search else { return false };
    search.roots.iter().any(|root| {
        if root.class == TargetClass::GitMetadata {
            return true;
        }
        let Some(place) = root.canonical.as_deref() else { return false };
        can_select_git(&search.selection) && facts.reading.metadata.lies_below(facts.context.host, place)
    })
}

/// The search starts at the root or at a home directory: that explains more than what it meets on its way.
pub fn search_starts_above_home(fact: &Fact<'_>) -> bool {
    let above = |root: &Classified| matches!(root.class, TargetClass::Root | TargetClass::Home);
    fact.search.as_ref().is_some_and(|search| search.roots.iter().any(above))
}

/// Names or emptiness choose among what a search finds.
pub(super) fn is_narrowed(selection: &sekisho_command_model::effect::Selection) -> bool {
    selection.empty_only || !selection.names.is_empty() && selection.names.iter().any(|name| name.chars().any(|c| c != '*'))
}

/// Everything below root, home or another place outside is found, one entry at a time.
pub(super) fn sweeps(fact: &Fact<'_>, classes: &[TargetClass]) -> bool {
    fact.search.as_ref().is_some_and(|search| {
        !is_narrowed(&search.selection) && !search.selection.by_age && search.roots.iter().any(|root| classes.contains(&root.class))
    })
}

fn search_outcome(answer: SearchDelete) -> Option<Outcome> {
    match answer {
        SearchDelete::Harmless | SearchDelete::RootOrHome => None,
        SearchDelete::Ask => Some(Outcome::Ask),
        SearchDelete::Deny | SearchDelete::System => Some(Outcome::Deny),
    }
}

/// `find.delete`
pub fn find_delete(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    let (recursive, force) = delete(fact)?;
    let answer = searched(fact, facts)?;
    match fact.effect.family {
        Family::FindDelete => search_outcome(answer),
        Family::FindExec | Family::Xargs | Family::Parallel if !recursive && answer == SearchDelete::RootOrHome => {
            let narrowed = fact.search.as_ref().is_some_and(|search| is_narrowed(&search.selection));
            Some(if narrowed { Outcome::Ask } else { Outcome::Deny })
        }
        Family::FindExec if !(recursive && force) && answer != SearchDelete::System => search_outcome(answer),
        // Plain `rm` of all a search found is what `-delete` would be; names that something else chose stay with the rules for rm.
        // `git rm` has rules of its own, and keeps what is changed.
        Family::Xargs | Family::Parallel if !recursive && answer == SearchDelete::Deny && fact.program() != Some("git") => {
            search_outcome(answer)
        }
        _ => None,
    }
}

/// `find.exec-rm-recursive-force`
pub fn find_exec_rm(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    let (recursive, force) = delete(fact)?;
    if fact.effect.family != Family::FindExec || !(recursive && force) {
        return None;
    }
    searched(fact, facts).and_then(search_outcome)
}

/// `xargs.rm-recursive-force-dynamic`
pub fn xargs_rm(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    input_rm(fact, facts, Family::Xargs)
}

/// `parallel.rm-recursive-force-dynamic`
pub fn parallel_rm(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    input_rm(fact, facts, Family::Parallel)
}

fn input_rm(fact: &Fact<'_>, facts: &Facts<'_>, family: Family) -> Option<Outcome> {
    let (recursive, force) = delete(fact)?;
    if fact.effect.family != family || !recursive {
        return None;
    }
    let outside =
        matches!(fact.class, TargetClass::Outside | TargetClass::System | TargetClass::CwdSelf | TargetClass::WorkspaceGlob);
    match searched(fact, facts) {
        Some(SearchDelete::Harmless | SearchDelete::RootOrHome) => None,
        Some(SearchDelete::Ask | SearchDelete::Deny) if !force => None,
        Some(_) => Some(Outcome::Deny),
        None if matches!(fact.class, TargetClass::Dynamic | TargetClass::EmptyHazard | TargetClass::HomeCwd) => outcome(force),
        None => outcome(outside),
    }
}

pub(super) fn in_temporary(fact: &Fact<'_>) -> bool {
    fact.search.as_ref().is_some_and(|search| search.roots.iter().all(|root| root.class == TargetClass::Temporary))
}
