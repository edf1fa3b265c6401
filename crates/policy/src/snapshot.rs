//! The policy in force for one call: nothing in it changes any more.

use std::collections::{BTreeMap, BTreeSet};

use sekisho_verdict::{ConfigState, Level};

use crate::document::{Diagnostic, Scope};

/// What a level switches on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Capability {
    /// Doubtful cases are denied instead of asked about.
    FailClosed,
    /// Every recursive delete is denied.
    ParanoidRm,
    /// Every inline program is denied.
    ParanoidInterpreters,
}

impl Capability {
    /// All three.
    pub const ALL: [Self; 3] = [Self::FailClosed, Self::ParanoidRm, Self::ParanoidInterpreters];

    /// The word used in files and on the screen.
    pub const fn word(self) -> &'static str {
        match self {
            Self::FailClosed => "fail_closed",
            Self::ParanoidRm => "paranoid_rm",
            Self::ParanoidInterpreters => "paranoid_interpreters",
        }
    }

    /// Whether a level has it.
    pub const fn is_in(self, level: Level) -> bool {
        match level {
            Level::Standard | Level::Custom => false,
            Level::Strict => matches!(self, Self::FailClosed),
            Level::Paranoid => true,
        }
    }
}

/// What set a capability. The later one is the stronger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CapabilitySource {
    /// The level.
    Preset,
    /// `safety.overrides`.
    CapabilityOverride,
    /// A variable.
    Environment,
}

impl CapabilitySource {
    /// The word used in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Preset => "preset",
            Self::CapabilityOverride => "capability_override",
            Self::Environment => "environment",
        }
    }
}

/// Whether a capability is on, and who said so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CapabilityState {
    /// It is on.
    pub on: bool,
    /// Everything that had a say, the weakest first; never empty.
    pub sources: Vec<CapabilitySource>,
}

impl CapabilityState {
    /// The strongest that had a say.
    pub fn source(&self) -> CapabilitySource {
        self.sources.last().copied().unwrap_or(CapabilitySource::Preset)
    }
}

/// A rule switched on or off by a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Override {
    /// On or off.
    pub on: bool,
    /// Why, in the user's words.
    pub reason: Option<String>,
    /// The line it stands on.
    pub line: Option<usize>,
}

/// A group of rules that can be switched together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words say it")]
pub enum Pack {
    System,
    Cmd,
    Container,
    Kubernetes,
    Iac,
    Cloud,
    Database,
    Mcp,
    Package,
    Forge,
}

impl Pack {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::System,
        Self::Cmd,
        Self::Container,
        Self::Kubernetes,
        Self::Iac,
        Self::Cloud,
        Self::Database,
        Self::Mcp,
        Self::Package,
        Self::Forge,
    ];

    /// The word used in files.
    pub const fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Cmd => "cmd",
            Self::Container => "container",
            Self::Kubernetes => "kubernetes",
            Self::Iac => "iac",
            Self::Cloud => "cloud",
            Self::Database => "database",
            Self::Mcp => "mcp",
            Self::Package => "package",
            Self::Forge => "forge",
        }
    }
}

/// How the rules of a pack work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum PackState {
    /// Not at all.
    Off,
    /// What they would deny, they ask about.
    Ask,
    /// As they are.
    #[default]
    On,
}

/// What becomes of an ask where the host cannot ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum AskUnavailable {
    /// It is denied.
    #[default]
    Deny,
    /// The host's own permission flow goes on, where it has one.
    Abstain,
}

/// What becomes of a call when our own work fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnFailure {
    /// It is denied.
    #[default]
    Deny,
    /// A person is asked.
    Ask,
}

/// Something a scope wanted weaker than it may.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredDelta {
    /// Which scope.
    pub scope: Scope,
    /// The field.
    pub field: String,
    /// What is in force.
    pub old: String,
    /// What was wanted.
    pub new: String,
}

/// One of the two protections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Protection {
    pub enabled: bool,
    pub overrides: BTreeMap<String, Override>,
    pub allow_paths: Vec<String>,
}

impl Default for Protection {
    fn default() -> Self {
        Self { enabled: true, overrides: BTreeMap::new(), allow_paths: Vec::new() }
    }
}

/// The policy in force for one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub(crate) level: Level,
    pub(crate) capabilities: [CapabilityState; 3],
    pub(crate) worktree_mode: bool,
    pub(crate) destructive: Protection,
    pub(crate) secrets: Protection,
    pub(crate) deny_paths_enabled: bool,
    pub(crate) secret_deny_paths: Vec<String>,
    pub(crate) retention_days: u16,
    pub(crate) shell_tools: BTreeSet<String>,
    pub(crate) packs: BTreeMap<Pack, PackState>,
    pub(crate) ask_unavailable: AskUnavailable,
    pub(crate) on_failure: OnFailure,
    pub(crate) approvals: Option<serde_json::Value>,
    pub(crate) project_approvals: Option<serde_json::Value>,
    pub(crate) allow_tier_off: bool,
    pub(crate) transparent_wrappers: Vec<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) ignored: Vec<IgnoredDelta>,
}

/// Days records are kept where nobody says otherwise.
pub(crate) const RETENTION_DAYS: u16 = 30;

impl Default for Snapshot {
    /// What is in force where nobody wrote anything: level `standard`, every protection on.
    fn default() -> Self {
        let off = || CapabilityState { on: false, sources: vec![CapabilitySource::Preset] };
        Self {
            level: Level::Standard,
            capabilities: [off(), off(), off()],
            worktree_mode: false,
            destructive: Protection::default(),
            secrets: Protection::default(),
            deny_paths_enabled: true,
            secret_deny_paths: Vec::new(),
            retention_days: RETENTION_DAYS,
            shell_tools: BTreeSet::new(),
            packs: BTreeMap::new(),
            ask_unavailable: AskUnavailable::Deny,
            on_failure: OnFailure::Deny,
            approvals: None,
            project_approvals: None,
            allow_tier_off: false,
            transparent_wrappers: Vec::new(),
            diagnostics: Vec::new(),
            ignored: Vec::new(),
        }
    }
}

impl Snapshot {
    /// Whether everything was read as written.
    pub fn state(&self) -> ConfigState {
        if self.diagnostics.iter().any(|diagnostic| diagnostic.degrades) { ConfigState::Degraded } else { ConfigState::Ready }
    }

    /// What failed, what is in force instead, and how to put it right, in a few sentences without words from a file. `None` while
    /// the state is ready.
    pub fn warning(&self) -> Option<String> {
        let mut degrading = self.diagnostics.iter().filter(|diagnostic| diagnostic.degrades);
        let first = degrading.next()?;
        let others = match degrading.count() {
            0 => String::new(),
            1 => " (and one more problem)".to_owned(),
            count => format!(" (and {count} more problems)"),
        };
        Some(format!("{}{others}. Run `sekisho policy check` for the list.", first.sentence()))
    }

    /// Everything that is wrong with the configuration.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What a project or a variable wanted weaker than it may.
    pub fn ignored(&self) -> &[IgnoredDelta] {
        &self.ignored
    }

    /// The level, as the three capabilities amount to.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Whether a capability is on, and who said so.
    pub fn capability(&self, capability: Capability) -> &CapabilityState {
        let [fail_closed, paranoid_rm, paranoid_interpreters] = &self.capabilities;
        match capability {
            Capability::FailClosed => fail_closed,
            Capability::ParanoidRm => paranoid_rm,
            Capability::ParanoidInterpreters => paranoid_interpreters,
        }
    }

    /// Doubtful cases are denied instead of asked about.
    pub fn fail_closed(&self) -> bool {
        self.capability(Capability::FailClosed).on
    }

    /// Whether a rule is on. The first that applies counts: catastrophic rules always are; a protection that is off as a whole; the
    /// rule's own switch; the capability it needs; on.
    ///
    /// Ids that begin with `secret.` belong to the protection of secrets, all others to that against destructive commands.
    pub fn rule_state(&self, rule: &str, catastrophic: bool, needs: Option<Capability>) -> bool {
        if catastrophic {
            return true;
        }
        let protection = self.protection(rule);
        if !protection.enabled {
            return false;
        }
        match protection.overrides.get(rule) {
            Some(switch) => switch.on,
            None => needs.is_none_or(|capability| self.capability(capability).on),
        }
    }

    fn protection(&self, rule: &str) -> &Protection {
        if rule.starts_with("secret.") { &self.secrets } else { &self.destructive }
    }

    /// A file switches the rule on by name (for rules that are off by themselves).
    pub fn switched_on(&self, rule: &str) -> bool {
        let protection = self.protection(rule);
        protection.enabled && protection.overrides.get(rule).is_some_and(|switch| switch.on)
    }

    /// The rules that files switch, with what they say.
    pub fn overrides(&self) -> impl Iterator<Item = (&str, &Override)> {
        self.destructive.overrides.iter().chain(&self.secrets.overrides).map(|(rule, switch)| (rule.as_str(), switch))
    }

    /// The switches whose rule `is_known` does not know. They have no effect; whoever knows all rules reports them.
    pub fn unknown_overrides(&self, is_known: impl Fn(&str) -> bool) -> Vec<&str> {
        self.overrides().map(|(rule, _)| rule).filter(|rule| !is_known(rule)).collect()
    }

    /// How a pack's rules work; on for a name that is none.
    pub fn pack(&self, name: &str) -> PackState {
        self.packs.iter().find(|(pack, _)| pack.word() == name).map(|(_, state)| *state).unwrap_or_default()
    }

    /// The protection against destructive commands is on; catastrophic rules are on in any case.
    pub fn destructive_protection(&self) -> bool {
        self.destructive.enabled
    }

    /// The protection of secrets is on. Paths the policy denies are looked at in any case.
    pub fn secret_protection(&self) -> bool {
        self.secrets.enabled
    }

    /// Roots below which may be deleted: absolute, or begin with `~/`.
    pub fn delete_allow_paths(&self) -> impl Iterator<Item = &str> {
        self.destructive.allow_paths.iter().map(String::as_str)
    }

    /// Paths that are denied like secrets, patterns possible: absolute, below `~/`, or relative to the session's directory.
    pub fn secret_deny_paths(&self) -> impl Iterator<Item = &str> {
        self.secret_deny_paths.iter().filter(|_| self.deny_paths_enabled).map(String::as_str)
    }

    /// Paths that are no secrets although the catalogue says so, in the same forms, without patterns.
    pub fn secret_allow_paths(&self) -> impl Iterator<Item = &str> {
        self.secrets.allow_paths.iter().map(String::as_str)
    }

    /// Deletes in a linked worktree are relaxed.
    pub fn worktree_mode(&self) -> bool {
        self.worktree_mode
    }

    /// Whether the user declared a tool, by its exact name, to run shell text.
    pub fn is_shell_tool(&self, tool: &str) -> bool {
        self.shell_tools.contains(tool)
    }

    /// Programs that run the command behind them, as declared in `rule.json`.
    pub fn transparent_wrappers(&self) -> &[String] {
        &self.transparent_wrappers
    }

    /// What becomes of an ask where the host cannot ask.
    pub fn ask_unavailable(&self) -> AskUnavailable {
        self.ask_unavailable
    }

    /// What becomes of a call when our own work fails.
    pub fn on_failure(&self) -> OnFailure {
        self.on_failure
    }

    /// Days audit records are kept.
    pub fn retention_days(&self) -> u16 {
        self.retention_days
    }

    /// The user's `approvals`, as written.
    pub fn approvals(&self) -> Option<&serde_json::Value> {
        self.approvals.as_ref()
    }

    /// The project's `approvals`, without what a project may not say.
    pub fn project_approvals(&self) -> Option<&serde_json::Value> {
        self.project_approvals.as_ref()
    }

    /// A file could not be read as written, so that no entry may allow anything.
    pub fn allow_tier_off(&self) -> bool {
        self.allow_tier_off
    }
}
