//! The user's file, the project's file and the variables, combined: stricter always counts, weaker only from the user.

use std::collections::BTreeMap;

use sekisho_verdict::Level;

use crate::document::{Diagnostic, Scope};
use crate::schema::{self, Written};
use crate::snapshot::{
    AskUnavailable, Capability, CapabilitySource, CapabilityState, IgnoredDelta, OnFailure, Override, Protection, RETENTION_DAYS,
    Snapshot,
};

/// One file as it was found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    /// What it says; nothing where there is no file.
    pub written: Written,
    /// There is a file, and it could not be understood at all.
    pub is_malformed: bool,
    /// It is in a place or a state in which it may only tighten.
    pub only_tightens: bool,
}

/// Reads a variable.
pub(crate) type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The level called `word`.
pub(crate) fn level(word: &str) -> Option<Level> {
    match word {
        "standard" => Some(Level::Standard),
        "strict" => Some(Level::Strict),
        "paranoid" => Some(Level::Paranoid),
        _ => None,
    }
}

const fn level_word(level: Level) -> &'static str {
    match level {
        Level::Standard => "standard",
        Level::Strict => "strict",
        Level::Paranoid => "paranoid",
        Level::Custom => "custom",
    }
}

const fn strength(level: Level) -> u8 {
    match level {
        Level::Standard => 0,
        Level::Custom => 1,
        Level::Strict => 2,
        Level::Paranoid => 3,
    }
}

fn stricter(a: Level, b: Level) -> Level {
    if strength(b) > strength(a) { b } else { a }
}

/// What only the user, or a project the user trusts, may say.
struct Ignored {
    deltas: Vec<IgnoredDelta>,
}

impl Ignored {
    fn add(&mut self, scope: Scope, field: impl Into<String>, old: impl Into<String>, new: impl Into<String>) {
        self.deltas.push(IgnoredDelta { scope, field: field.into(), old: old.into(), new: new.into() });
    }
}

/// Combines both files and the variables. Diagnostics of reading, and wrappers, are added by the caller.
pub(crate) fn merge(user: Source, project: Source, environment: Environment<'_>) -> Snapshot {
    let mut ignored = Ignored { deltas: Vec::new() };
    let mut diagnostics = Vec::new();
    let malformed = user.is_malformed || project.is_malformed;
    // A user's file that may only tighten is folded in like a project's.
    let mut base = Written::default();
    let mut additions = Vec::new();
    for (source, scope) in [(user, Scope::User), (project, Scope::Project)] {
        if source.only_tightens { additions.push((source.written, scope)) } else { base = source_over(base, source.written) }
    }
    let base_level = base.level.unwrap_or_default();
    let (level, capabilities) = safety(&base, &additions, malformed, environment, &mut ignored, &mut diagnostics);
    let mut snapshot = Snapshot {
        level: effective(&capabilities),
        capabilities,
        worktree_mode: base.worktree_mode.unwrap_or(false),
        destructive: protection(base.destructive),
        secrets: protection(base.secrets),
        deny_paths_enabled: base.deny_paths_enabled.unwrap_or(true),
        secret_deny_paths: base.secret_deny_paths,
        retention_days: base.retention_days.unwrap_or(RETENTION_DAYS),
        shell_tools: base.shell_tools.into_iter().collect(),
        packs: base.packs,
        ask_unavailable: base.ask_unavailable.unwrap_or_default(),
        on_failure: base.on_failure.unwrap_or_default(),
        approvals: base.approvals,
        project_approvals: None,
        allow_tier_off: malformed,
        transparent_wrappers: Vec::new(),
        diagnostics,
        ignored: Vec::new(),
    };
    for (written, scope) in additions {
        if let Some(wanted) = written.level.filter(|wanted| strength(*wanted) < strength(base_level)) {
            ignored.add(scope, "safety.level", level_word(level), level_word(wanted));
        }
        tighten(&mut snapshot, written, scope, &mut ignored);
    }
    if is_set(environment, "SEKISHO_WORKTREE") && !snapshot.worktree_mode {
        ignored.add(Scope::Environment, "SEKISHO_WORKTREE", "off", "on");
    }
    snapshot.ignored = ignored.deltas;
    snapshot
}

/// The fields of `later` count where it has them; lists and maps are united. Only for files that may weaken.
fn source_over(base: Written, later: Written) -> Written {
    let over = |base: schema::Protection, later: schema::Protection| schema::Protection {
        enabled: later.enabled.or(base.enabled),
        overrides: base.overrides.into_iter().chain(later.overrides).collect(),
        allow_paths: base.allow_paths.into_iter().chain(later.allow_paths).collect(),
    };
    Written {
        level: later.level.or(base.level),
        level_is_invalid: base.level_is_invalid || later.level_is_invalid,
        capabilities: base.capabilities.into_iter().chain(later.capabilities).collect(),
        worktree_mode: later.worktree_mode.or(base.worktree_mode),
        destructive: over(base.destructive, later.destructive),
        secrets: over(base.secrets, later.secrets),
        deny_paths_enabled: later.deny_paths_enabled.or(base.deny_paths_enabled),
        secret_deny_paths: base.secret_deny_paths.into_iter().chain(later.secret_deny_paths).collect(),
        retention_days: later.retention_days.or(base.retention_days),
        shell_tools: base.shell_tools.into_iter().chain(later.shell_tools).collect(),
        packs: base.packs.into_iter().chain(later.packs).collect(),
        ask_unavailable: later.ask_unavailable.or(base.ask_unavailable),
        on_failure: later.on_failure.or(base.on_failure),
        approvals: later.approvals.or(base.approvals),
    }
}

fn protection(written: schema::Protection) -> Protection {
    Protection { enabled: written.enabled.unwrap_or(true), overrides: written.overrides, allow_paths: written.allow_paths }
}

fn is_set(environment: Environment<'_>, name: &str) -> bool {
    environment(name).is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("true"))
}

/// The level and the capabilities: preset of the strictest level named, then `safety.overrides`, then variables, which only raise.
fn safety(
    base: &Written,
    additions: &[(Written, Scope)],
    malformed: bool,
    environment: Environment<'_>,
    ignored: &mut Ignored,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Level, [CapabilityState; 3]) {
    let mut level = base.level.unwrap_or_default();
    let mut invalid = base.level_is_invalid;
    for (written, _) in additions {
        level = stricter(level, written.level.unwrap_or_default());
        invalid |= written.level_is_invalid;
    }
    // A misspelt level, or a file nobody can read, may have meant any of them: never less than strict.
    if invalid || malformed {
        level = stricter(level, Level::Strict);
    }
    if let Some(word) = environment("SEKISHO_LEVEL") {
        match self::level(&word) {
            Some(named) => {
                if strength(named) < strength(level) {
                    ignored.add(Scope::Environment, "SEKISHO_LEVEL", level_word(level), level_word(named));
                }
                level = stricter(level, named);
            }
            None => diagnostics.push(Diagnostic {
                scope: Scope::Environment,
                file: "SEKISHO_LEVEL".to_owned(),
                line: None,
                column: None,
                field: None,
                what: "the level is not one of those there are; the variable has no effect",
                fix: "Set it to standard, strict or paranoid, or unset it.",
                degrades: false,
            }),
        }
    }
    let capabilities = Capability::ALL.map(|capability| {
        let mut state = CapabilityState { on: capability.is_in(level), sources: vec![CapabilitySource::Preset] };
        if let Some(on) = base.capabilities.get(&capability).copied() {
            // An override that loosens was written for the level beside it, not for one that a damaged file fell back to.
            state.on = on || (state.on && (invalid || malformed));
            state.sources.push(CapabilitySource::CapabilityOverride);
        }
        for (written, scope) in additions {
            match written.capabilities.get(&capability) {
                Some(true) => {
                    state.on = true;
                    state.sources.push(CapabilitySource::CapabilityOverride);
                }
                Some(false) if state.on => {
                    ignored.add(*scope, format!("safety.overrides.{}", capability.word()), "true", "false");
                }
                // A level that an addition raises is not undone by an override beside a lower one.
                _ => {
                    if written.level.is_some_and(|level| capability.is_in(level)) {
                        state.on = true;
                    }
                }
            }
        }
        let variables: &[&str] = match capability {
            Capability::FailClosed => &["SEKISHO_STRICT"],
            Capability::ParanoidRm => &["SEKISHO_PARANOID", "SEKISHO_PARANOID_RM"],
            Capability::ParanoidInterpreters => &["SEKISHO_PARANOID", "SEKISHO_PARANOID_INTERPRETERS"],
        };
        let named = environment("SEKISHO_LEVEL").and_then(|word| self::level(&word));
        if named.is_some_and(|named| capability.is_in(named)) || variables.iter().any(|name| is_set(environment, name)) {
            state.on = true;
            state.sources.push(CapabilitySource::Environment);
        }
        state
    });
    (level, capabilities)
}

/// The level three capabilities amount to.
fn effective(capabilities: &[CapabilityState; 3]) -> Level {
    let on = |states: &[CapabilityState; 3]| states.each_ref().map(|state| state.on);
    let on = on(capabilities);
    [Level::Standard, Level::Strict, Level::Paranoid]
        .into_iter()
        .find(|level| Capability::ALL.map(|capability| capability.is_in(*level)) == on)
        .unwrap_or(Level::Custom)
}

/// Adds what a file says that may only tighten; the rest is listed.
fn tighten(snapshot: &mut Snapshot, written: Written, scope: Scope, ignored: &mut Ignored) {
    let switch = |enabled: bool| if enabled { "true" } else { "false" };
    let mut both = |into: &mut Protection, from: schema::Protection, field: &str| {
        match from.enabled {
            Some(true) => into.enabled = true,
            Some(false) if into.enabled => ignored.add(scope, format!("{field}.enabled"), "true", "false"),
            _ => {}
        }
        tighten_overrides(&mut into.overrides, from.overrides, field, scope, ignored);
        for path in from.allow_paths {
            if !into.allow_paths.contains(&path) {
                ignored.add(scope, format!("{field}.allow_paths"), "", path);
            }
        }
    };
    both(&mut snapshot.destructive, written.destructive, "destructive_command_protection");
    both(&mut snapshot.secrets, written.secrets, "secret_protection");
    match written.deny_paths_enabled {
        Some(true) => snapshot.deny_paths_enabled = true,
        Some(false) if snapshot.deny_paths_enabled => ignored.add(scope, "secret_protection.deny_paths_enabled", "true", "false"),
        _ => {}
    }
    for path in written.secret_deny_paths {
        if !snapshot.secret_deny_paths.contains(&path) {
            snapshot.secret_deny_paths.push(path);
        }
    }
    if written.worktree_mode == Some(true) && !snapshot.worktree_mode {
        ignored.add(scope, "workflow.worktree_mode", switch(false), switch(true));
    }
    // Declaring a tool a shell only makes more of it visible.
    snapshot.shell_tools.extend(written.shell_tools);
    for (pack, state) in written.packs {
        let current = snapshot.packs.entry(pack).or_default();
        if state < *current {
            let word = |state: &_| format!("{state:?}").to_lowercase();
            ignored.add(scope, format!("packs.{}", pack.word()), word(current), word(&state));
        } else {
            *current = state;
        }
    }
    match written.ask_unavailable {
        Some(AskUnavailable::Deny) => snapshot.ask_unavailable = AskUnavailable::Deny,
        Some(AskUnavailable::Abstain) if snapshot.ask_unavailable == AskUnavailable::Deny => {
            ignored.add(scope, "ask_unavailable", "deny", "abstain");
        }
        _ => {}
    }
    match written.on_failure {
        Some(OnFailure::Deny) => snapshot.on_failure = OnFailure::Deny,
        Some(OnFailure::Ask) if snapshot.on_failure == OnFailure::Deny => ignored.add(scope, "failure", "deny", "ask"),
        _ => {}
    }
    if let Some(days) = written.retention_days {
        // Keeping records longer is the stricter side.
        snapshot.retention_days = snapshot.retention_days.max(days);
    }
    if let Some(approvals) = written.approvals {
        match scope {
            Scope::Project => snapshot.project_approvals = Some(approvals),
            Scope::User | Scope::Environment => {
                snapshot.approvals = Some(approvals);
                snapshot.allow_tier_off = true;
            }
        }
    }
}

/// `on` beats `off`. Switching on what is on by itself changes nothing but what the user's file says.
fn tighten_overrides(
    into: &mut BTreeMap<String, Override>,
    from: BTreeMap<String, Override>,
    field: &str,
    scope: Scope,
    ignored: &mut Ignored,
) {
    for (rule, wanted) in from {
        if wanted.on {
            into.insert(rule, wanted);
        } else if into.get(&rule).is_none_or(|current| current.on) {
            ignored.add(scope, format!("{field}.overrides.{rule}"), "on", "off");
        }
    }
}
