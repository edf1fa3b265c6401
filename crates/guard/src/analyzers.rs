//! Conditions of rules that the closed matchers cannot say. Each is named in a rule file as `code = "name"`.

use sekisho_command_model::{EffectKind, Family, Origin, Scope, WriteMode};
use sekisho_host::{EntryKind, FileState, path};

use crate::facts::{Fact, Facts};
use crate::matcher::Outcome;
use crate::selection::{can_select_git, is_artefact, is_artefact_filtered};
use crate::target_class::{Classified, TargetClass};

/// What a delete of everything a search selects amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SearchDelete {
    Harmless,
    Ask,
    Deny,
    System,
    RootOrHome,
}

fn delete(fact: &Fact<'_>) -> Option<(bool, bool)> {
    match fact.effect.kind {
        EffectKind::Delete { recursive, force, .. } => Some((recursive, force)),
        _ => None,
    }
}

fn outcome(holds: bool) -> Option<Outcome> {
    holds.then_some(Outcome::AsWritten)
}

fn is_plain_delete(fact: &Fact<'_>) -> bool {
    matches!(
        fact.effect.family,
        Family::Rm | Family::General | Family::FindDelete | Family::FindExec | Family::Xargs | Family::Parallel
    )
}

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

fn in_temporary(fact: &Fact<'_>) -> bool {
    fact.search.as_ref().is_some_and(|search| search.roots.iter().all(|root| root.class == TargetClass::Temporary))
}

/// What a search that deletes amounts to, or `None` for a target that is not searched for.
fn searched(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<SearchDelete> {
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
fn is_narrowed(selection: &sekisho_command_model::effect::Selection) -> bool {
    selection.empty_only || !selection.names.is_empty() && selection.names.iter().any(|name| name.chars().any(|c| c != '*'))
}

/// Everything below root, home or another place outside is found, one entry at a time.
fn sweeps(fact: &Fact<'_>, classes: &[TargetClass]) -> bool {
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
fn is_formatter(fact: &Fact<'_>) -> bool {
    let program = fact.program().unwrap_or_default();
    ["mkfs", "mke2fs", "mkswap", "newfs", "format"].iter().any(|name| program.starts_with(name))
}

fn is_regular_file(fact: &Fact<'_>, facts: &Facts<'_>) -> bool {
    let place = fact.target.canonical.as_deref().unwrap_or_default();
    matches!(facts.context.host.entry(place), Some(EntryKind::File { .. }))
}

/// `shred.target`
pub fn shred(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    let destroys = matches!(fact.effect.kind, EffectKind::Delete { .. } | EffectKind::Write(..));
    let temporary = matches!(fact.class, TargetClass::Temporary | TargetClass::TemporaryDynamic | TargetClass::Elsewhere);
    outcome(fact.effect.family == Family::Shred && destroys && !temporary)
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

/// `interpreter.one-liner-paranoid`
pub fn inline_code(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Execute { origin: Origin::Inline | Origin::Followed, what } => outcome(what.starts_with("inline:")),
        _ => None,
    }
}

/// `xargs.shell-dynamic`
pub fn xargs_shell(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    input_code(fact, "xargs", None)
}

/// `parallel.shell-dynamic`
pub fn parallel_shell(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    input_code(fact, "parallel", Some(false))
}

/// `parallel.command-stream-dynamic`
pub fn parallel_stream(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    input_code(fact, "parallel", Some(true))
}

fn input_code(fact: &Fact<'_>, program: &str, stream: Option<bool>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Execute { origin: Origin::Input, what } if fact.program() == Some(program) => {
            outcome(stream.is_none_or(|stream| stream == (what == "command-stream")))
        }
        _ => None,
    }
}

/// `shell.dynamic-structure`
pub fn dynamic_structure(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    outcome(fact.effect.kind == EffectKind::DynamicStructure)
}

/// Commands whose output is made to be evaluated: beginnings of the command as written.
const GENERATORS: &[&str] = &[
    "ssh-agent",
    "minikube docker-env",
    "brew shellenv",
    "/opt/homebrew/bin/brew shellenv",
    "direnv hook",
    "direnv export",
    "starship init",
    "dircolors",
    "register-python-argcomplete",
    "opam env",
    "fnm env",
    "rbenv init",
    "pyenv init",
    "nodenv init",
    "conda shell.",
    "zoxide init",
    "mise activate",
    "mise env",
    "thefuck --alias",
    "atuin init",
];

/// `shell.unverifiable-source`
pub fn unverifiable_source(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Execute { origin: Origin::Unknown, what } => {
            let fail_closed = facts.context.snapshot.fail_closed();
            // A script named by a value that is not known is as unknown as any script at level standard.
            let passes = !fail_closed && (what.starts_with("script:") || is_known_generator(&fact.execution.segment));
            outcome(!passes)
        }
        EffectKind::Execute { origin: Origin::Decoded, .. } => Some(Outcome::Deny),
        EffectKind::Execute { origin: Origin::Generator, .. } => {
            let known = !facts.context.snapshot.fail_closed() && is_known_generator(&fact.execution.segment);
            outcome(!known)
        }
        _ => None,
    }
}

fn is_known_generator(segment: &str) -> bool {
    let inner =
        ["$(", "<(", "`"].iter().find_map(|opening| segment.split_once(opening)).map_or("", |(_, inner)| inner).trim_start();
    let completion = inner.split_whitespace().any(|word| matches!(word.trim_end_matches(')'), "completion" | "completions"));
    completion || GENERATORS.iter().any(|beginning| inner.starts_with(beginning))
}

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
