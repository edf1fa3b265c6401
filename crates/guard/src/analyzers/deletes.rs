//! Deletes by other means than a search.

use sekisho_command_model::{EffectKind, Family, Scope, WriteMode};

use super::searches::{SearchDelete, in_temporary, searched};
use super::{delete, is_plain_delete, outcome};
use crate::facts::{Fact, Facts};
use crate::matcher::Outcome;
use crate::target_class::TargetClass;

/// `rm.recursive-force-root-or-home`
pub fn root_or_home(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    let (recursive, _) = delete(fact)?;
    let direct = recursive && matches!(fact.class, TargetClass::Root | TargetClass::Home);
    let searched =
        searched(fact, facts) == Some(SearchDelete::RootOrHome) && (recursive || fact.effect.family == Family::FindDelete);
    outcome(is_plain_delete(fact) && (direct || searched))
}

/// `rm.recursive-outside-cwd`
pub fn recursive_without_force(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    let (recursive, force) = delete(fact)?;
    let outside = matches!(fact.class, TargetClass::Outside | TargetClass::System);
    outcome(matches!(fact.effect.family, Family::Rm | Family::General) && recursive && !force && outside)
}

/// `rm.recursive-force-dynamic-target`
pub fn dynamic_target(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    let (recursive, _) = delete(fact)?;
    if !recursive || !matches!(fact.effect.family, Family::Rm | Family::General) {
        return None;
    }
    match fact.class {
        TargetClass::Dynamic => Some(Outcome::AsWritten),
        TargetClass::TemporaryRoot => Some(Outcome::Ask),
        TargetClass::TemporaryDynamic | TargetClass::GuardedDynamic if facts.context.snapshot.fail_closed() => {
            Some(Outcome::AsWritten)
        }
        _ => None,
    }
}

/// `rm.recursive-force-paranoid`
pub fn paranoid_delete(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    let (recursive, force) = delete(fact)?;
    let temporary = matches!(fact.class, TargetClass::Temporary | TargetClass::TemporaryDynamic | TargetClass::Elsewhere)
        || searched(fact, facts) == Some(SearchDelete::Harmless) && in_temporary(fact);
    outcome(is_plain_delete(fact) && recursive && (force || fact.effect.family == Family::Xargs) && !temporary)
}

/// `sync.delete`
pub fn sync_delete(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    delete(fact)?;
    if fact.effect.family != Family::Sync {
        return None;
    }
    match fact.class {
        TargetClass::Root | TargetClass::Home => Some(Outcome::Deny),
        TargetClass::Outside
        | TargetClass::System
        | TargetClass::CwdSelf
        | TargetClass::WorkspaceGlob
        | TargetClass::HomeCwd
        | TargetClass::Dynamic
        | TargetClass::EmptyHazard => Some(Outcome::AsWritten),
        TargetClass::Elsewhere => outcome(matches!(fact.scope, Scope::Remote)),
        _ => None,
    }
}

/// `archive.remove`
pub fn archive_remove(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    if fact.effect.family != Family::Archive {
        return None;
    }
    match &fact.effect.kind {
        EffectKind::Delete { .. } => Some(Outcome::AsWritten),
        EffectKind::Write(_, mode)
            if *mode != WriteMode::Create || fact.class == TargetClass::Root || fact.class == TargetClass::System =>
        {
            outcome(matches!(fact.class, TargetClass::Root | TargetClass::System))
        }
        _ => None,
    }
}

/// `interpreter.native-delete`
pub fn native_delete(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    let (recursive, _) = delete(fact)?;
    if fact.effect.family != Family::Interpreter || !recursive {
        return None;
    }
    match fact.class {
        TargetClass::Dynamic | TargetClass::EmptyHazard | TargetClass::TemporaryRoot | TargetClass::InsidePrecious => {
            Some(Outcome::Ask)
        }
        TargetClass::Outside | TargetClass::System | TargetClass::HomeCwd | TargetClass::CwdSelf | TargetClass::WorkspaceGlob => {
            Some(Outcome::AsWritten)
        }
        _ => None,
    }
}

/// `shred.target`
pub fn shred(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    let destroys = matches!(fact.effect.kind, EffectKind::Delete { .. } | EffectKind::Write(..));
    let temporary = matches!(fact.class, TargetClass::Temporary | TargetClass::TemporaryDynamic | TargetClass::Elsewhere);
    outcome(fact.effect.family == Family::Shred && destroys && !temporary)
}
