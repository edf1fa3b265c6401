//! Writes, moves, permissions and devices.

use sekisho_command_model::{EffectKind, Family, WriteMode};
use sekisho_host::{EntryKind, FileState, path};

use super::outcome;
use super::searches::{SearchDelete, searched, sweeps};
use crate::facts::{Fact, Facts};
use crate::matcher::Outcome;
use crate::target_class::TargetClass;

/// `rm.system-path`
pub fn system_path(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Delete { recursive, .. } => {
            if !matches!(fact.effect.family, Family::FindDelete | Family::Shred)
                && searched(fact, facts) == Some(SearchDelete::System)
            {
                return Some(Outcome::Deny);
            }
            let in_system = fact.class == TargetClass::System && !recursive;
            if in_system && fact.target.is_pattern { Some(Outcome::Deny) } else { outcome(in_system) }
        }
        EffectKind::Write(_, mode) => outcome(
            fact.class == TargetClass::System && !matches!(mode, WriteMode::Create) && fact.effect.family != Family::Archive,
        ),
        EffectKind::Move { .. } => {
            let into = fact.second.as_ref().is_some_and(|second| second.class == TargetClass::System);
            outcome(fact.class == TargetClass::System || into)
        }
        _ => None,
    }
}

/// `device.write`
pub fn device_write(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Write(..) => outcome(fact.class == TargetClass::BlockDevice && fact.effect.family != Family::Dd),
        EffectKind::Move { .. } => outcome(fact.second.as_ref().is_some_and(|second| second.class == TargetClass::BlockDevice)),
        EffectKind::Device(_) => outcome(!is_formatter(fact) && !is_regular_file(fact, facts)),
        _ => None,
    }
}

/// `mkfs.device`
pub fn format_device(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    let EffectKind::Device(_) = fact.effect.kind else { return None };
    let device = matches!(fact.class, TargetClass::BlockDevice | TargetClass::Dynamic);
    outcome(is_formatter(fact) && device && !is_regular_file(fact, facts))
}

/// mkfs and its kin; other tools that erase devices have a rule of their own.
pub(super) fn is_formatter(fact: &Fact<'_>) -> bool {
    let program = fact.program().unwrap_or_default();
    ["mkfs", "mke2fs", "mkswap", "newfs", "format"].iter().any(|name| program.starts_with(name))
}

fn is_regular_file(fact: &Fact<'_>, facts: &Facts<'_>) -> bool {
    let place = fact.target.canonical.as_deref().unwrap_or_default();
    matches!(facts.context.host.entry(place), Some(EntryKind::File { .. }))
}

/// `file.truncate`
pub fn truncate_uncommitted(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    let EffectKind::Write(_, mode) = &fact.effect.kind else { return None };
    let overwritten_by_dd = fact.effect.family == Family::Dd && *mode == WriteMode::Truncate;
    if *mode != WriteMode::Empty && !overwritten_by_dd {
        return None;
    }
    if let Some(answer) = searched(fact, facts) {
        return match answer {
            SearchDelete::Harmless => None,
            SearchDelete::Ask => Some(Outcome::AsWritten),
            _ => Some(Outcome::Deny),
        };
    }
    if matches!(fact.class, TargetClass::Temporary | TargetClass::PseudoDevice | TargetClass::Elsewhere) {
        return None;
    }
    let place = fact.target.canonical.as_deref()?;
    let host = facts.context.host;
    let Some(EntryKind::File { size }) = host.entry(place) else {
        return outcome(host.file_state(place) == FileState::TrackedModified);
    };
    outcome(match host.file_state(place) {
        FileState::TrackedModified => true,
        FileState::Untracked => size > 0,
        _ => false,
    })
}

/// `file.move-away`
pub fn move_away(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    let EffectKind::Move { .. } = fact.effect.kind else { return None };
    let second = fact.second.as_ref()?;
    if sweeps(fact, &[TargetClass::Root, TargetClass::Home, TargetClass::CwdSelf]) {
        return Some(if second.class == TargetClass::PseudoDevice { Outcome::Deny } else { Outcome::Ask });
    }
    let source = fact.target.canonical.as_deref().unwrap_or_default();
    let home_child = path::parent(source) == Some(facts.home.as_str());
    let inside = matches!(second.class, TargetClass::Inside | TargetClass::InsidePrecious | TargetClass::HomeCwd);
    let big = match fact.class {
        TargetClass::Root | TargetClass::Home | TargetClass::CwdSelf | TargetClass::WorkspaceGlob => true,
        _ => home_child && !fact.target.is_pattern && !is_hidden(source),
    };
    if !big {
        return None;
    }
    if second.class == TargetClass::PseudoDevice {
        return Some(Outcome::Deny);
    }
    let whole_home = matches!(fact.class, TargetClass::Root | TargetClass::Home);
    if whole_home {
        return Some(Outcome::Deny);
    }
    outcome(!inside)
}

fn is_hidden(place: &str) -> bool {
    path::file_name(place).is_some_and(|name| name.starts_with('.'))
}

/// `perms.recursive`
pub fn permissions(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    let EffectKind::Permissions { recursive, change, .. } = &fact.effect.kind else { return None };
    let outside = matches!(
        fact.class,
        TargetClass::Root
            | TargetClass::Home
            | TargetClass::Outside
            | TargetClass::System
            | TargetClass::HomeCwd
            | TargetClass::TemporaryRoot
            | TargetClass::EmptyHazard
    );
    let world_writable =
        fact.class == TargetClass::System && matches!(change.as_str(), "777" | "0777" | "a+rwx" | "a+w" | "o+w" | "ugo+rwx");
    const SWEPT: &[TargetClass] = &[TargetClass::Root, TargetClass::Home, TargetClass::Outside, TargetClass::System];
    outcome(*recursive && outside || world_writable || sweeps(fact, SWEPT))
}

/// `file.startup-write`
pub fn startup_write(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    const FILES: &[&str] = &[
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".profile",
        ".bash_logout",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".kshrc",
        ".config/fish",
        ".config/powershell",
        "Documents/PowerShell",
        ".config/autostart",
        "Library/LaunchAgents",
        ".config/systemd/user",
        ".xprofile",
        ".xsession",
        ".pam_environment",
    ];
    const SYSTEM_FILES: &[&str] = &[
        "/etc/cron.d",
        "/etc/crontab",
        "/var/spool/cron",
        "/etc/cron.daily",
        "/etc/cron.hourly",
        "/etc/profile",
        "/etc/profile.d",
        "/etc/bash.bashrc",
    ];
    if let EffectKind::System(operation) = &fact.effect.kind {
        return outcome(operation == "crontab-write");
    }
    let place = match &fact.effect.kind {
        EffectKind::Write(..) => fact.target.canonical.as_deref(),
        EffectKind::Move { .. } => fact.second.as_ref().and_then(|second| second.canonical.as_deref()),
        _ => None,
    }?;
    let below =
        |relative: &str, file: &str| relative == file || relative.strip_prefix(file).is_some_and(|rest| rest.starts_with('/'));
    let personal = path::relative_to(place, &facts.home).is_some_and(|relative| FILES.iter().any(|file| below(relative, file)));
    outcome(personal || SYSTEM_FILES.iter().any(|file| path::is_within(place, file)))
}
