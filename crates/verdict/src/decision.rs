//! The answer to a call, with everything that explains it.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::verdict::Verdict;

/// The id of a rule: `area.what-it-stops`. Stable for ever, never reused.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RuleId(Cow<'static, str>);

impl RuleId {
    /// A built-in rule.
    pub const fn new(id: &'static str) -> Self {
        Self(Cow::Borrowed(id))
    }

    /// A rule read from a file (`custom.<book>/<rule>`).
    pub fn custom(id: String) -> Self {
        Self(Cow::Owned(id))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Where a decision was made, in order of evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The agent's adapter: payload unreadable, call malformed, working directory unusable, deadline.
    Adapter,
    /// The report on the configuration.
    ConfigState,
    /// An administrator's ceiling.
    Governance,
    /// A denial stored for the session.
    SessionDenial,
    /// Input bounds, facts, Git location, policy files, Git metadata.
    PolicyProtection,
    /// Recursion budget; destructive commands and rulebooks.
    CommandAnalysis,
    /// Structure budget; missing or blank command.
    CommandValidation,
    /// Snapshot and level.
    ConfigLoad,
    /// Sensitive paths.
    SecretProtection,
    /// Calls without a command end here.
    NonCommand,
    /// The user's or organisation's own scripts.
    HookScript,
    /// A person's earlier answer.
    SessionApproval,
    /// User, project and shipped tiers; known-harmless effects.
    Policy,
    /// An allow lowered to ask because nobody consented.
    Consent,
    /// An ask turned into a deny because nobody can answer.
    AskDelivery,
}

impl Stage {
    /// The word used in JSON and on the screen.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Adapter => "adapter",
            Self::ConfigState => "config-state",
            Self::Governance => "governance",
            Self::SessionDenial => "session-denial",
            Self::PolicyProtection => "policy-protection",
            Self::CommandAnalysis => "command-analysis",
            Self::CommandValidation => "command-validation",
            Self::ConfigLoad => "config-load",
            Self::SecretProtection => "secret-protection",
            Self::NonCommand => "non-command",
            Self::HookScript => "hook-script",
            Self::SessionApproval => "session-approval",
            Self::Policy => "policy",
            Self::Consent => "consent",
            Self::AskDelivery => "ask-delivery",
        }
    }
}

/// Who or what decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// An administrator's rule.
    Governance,
    /// A denial stored for the session.
    SessionDenial,
    /// The guard, custom rules included.
    Guard,
    /// A hook script.
    Hook,
    /// The user's policy.
    UserPolicy,
    /// The project's policy.
    ProjectPolicy,
    /// The shipped default policy, known-harmless effects included.
    ShippedDefault,
    /// A person's earlier answer.
    SessionApproval,
    /// A person, now.
    Human,
    /// Nothing matched.
    Default,
}

/// Why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The guard denied.
    GuardDeny,
    /// The guard asks.
    GuardAsk,
    /// A hook script denied.
    HookDeny,
    /// A hook script asks.
    HookAsk,
    /// A hook script allowed.
    HookAllow,
    /// A policy entry denied.
    PolicyDeny,
    /// A policy entry asks.
    PolicyAsk,
    /// A policy entry or a known-harmless effect allowed.
    PolicyAllow,
    /// An administrator's rule denied.
    GovernanceDeny,
    /// An administrator's rule allowed.
    GovernanceAllow,
    /// A protected path was to be changed.
    ProtectedPath,
    /// An allow without consent.
    ConsentMissing,
    /// Nothing matched, so a person is asked.
    Prompt,
    /// Nobody can answer.
    NoApprover,
    /// The host cannot ask.
    AskUnavailable,
    /// Our own failure.
    Failure,
    /// Nothing to say.
    NoOpinion,
}

/// What the agent should do about a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Stop this line of action.
    HardStop,
    /// Use the safer form named in the reason.
    UseAlternative,
    /// Retry with a narrower, literal target.
    ScopeDown,
    /// The user runs it personally.
    ManualOnly,
    /// Simplify, or report.
    StopAndExplain,
}

/// How strict the guard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Doubtful cases ask.
    #[default]
    Standard,
    /// Doubtful cases are denied.
    Strict,
    /// Strict, and every recursive delete and inline program is denied.
    Paranoid,
    /// A combination of capabilities that no preset has.
    Custom,
}

/// Whether the configuration could be read as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfigState {
    /// Everything was read.
    #[default]
    Ready,
    /// Something could not be read; something at least as safe is in force.
    Degraded,
}

/// Our own failures, by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// Resolving a path took more work than allowed.
    PathCanonicalizationLimit,
    /// The tool's arguments exceed a bound.
    ToolInputLimit,
    /// The shell text exceeds a budget of the parser.
    StructuralShellSyntaxLimit,
    /// Anything else.
    UnexpectedError,
}

/// The part of the call a finding is about. Unredacted; whoever prints it redacts.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Evidence {
    /// The simple command or path.
    pub segment: String,
    /// First byte in the shell text of the call, where the segment stands there literally.
    pub start: Option<u32>,
    /// One past the last byte.
    pub end: Option<u32>,
}

/// One rule that matched.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Which rule.
    pub rule: RuleId,
    /// Deny or ask.
    pub verdict: Verdict,
    /// Where.
    pub stage: Stage,
    /// One or two sentences: what would be lost, the safer form. Holds no unredacted user text.
    pub reason: String,
    /// What the agent should do.
    pub intent: Intent,
    /// A concrete safer form.
    pub alternative: Option<String>,
    /// What it is about.
    pub evidence: Option<Evidence>,
    /// Only a person may answer this ask; no policy entry does.
    pub only_a_person: bool,
}

/// One effect of a call, in words.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EffectRecord {
    /// `read`, `write`, `delete`, …
    pub kind: String,
    /// A path, host, operation or resource. Unredacted; whoever prints it redacts.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub target: Option<String>,
    /// What the target is: `root`, `home`, `inside_workspace`, …
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub class: Option<String>,
    /// How the target is known: `literal`, `known`, `glob`, `dynamic`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub provenance: Option<String>,
    /// The family the program declares (`rm`, `find`, `interpreter`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub family: Option<String>,
    /// What else there is to say (`recursive`, `force`, `append`).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub details: Vec<String>,
}

/// One simple command the analysis says may run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct ExecutionRecord {
    /// The words; `None` for one word whose value is not known. The whole is `None` where even their number is not known.
    pub argv: Option<Vec<Option<String>>>,
    /// The number of words is known: none of them is a pattern, or a value that may become several words or none. Where it is not,
    /// `argv` shows the words as written and is left out of answers for programs.
    #[serde(skip)]
    pub counted: bool,
    /// It runs whenever the text runs.
    pub certain: bool,
    /// `host`, `container` or `remote`.
    pub scope: String,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The rule, if one decided.
    pub rule: Option<RuleId>,
    /// The first stage that denied, else the one that gave the verdict.
    pub stage: Stage,
    /// Who decided.
    pub source: Source,
    /// Why.
    pub basis: Basis,
    /// One or two sentences; empty for abstain.
    pub reason: String,
    /// What the agent should do.
    pub intent: Option<Intent>,
    /// A concrete safer form.
    pub alternative: Option<String>,
    /// Other rules that matched.
    pub also_matched: Vec<RuleId>,
    /// What the rule is about.
    pub evidence: Option<Evidence>,
    /// The level in force; absent for what no level can change.
    pub level: Option<Level>,
    /// Whether the configuration could be read.
    pub config: ConfigState,
    /// What is wrong with the configuration, in a sentence.
    pub config_warning: Option<String>,
    /// Our own failure, if it was one.
    pub error: Option<ErrorCode>,
    /// Only a person may answer this ask.
    pub only_a_person: bool,
    /// What the call would do.
    pub effects: Vec<EffectRecord>,
    /// The simple commands it would run, in source order.
    pub executions: Vec<ExecutionRecord>,
}

impl Decision {
    /// No opinion, given at `stage`.
    pub fn abstain(stage: Stage) -> Self {
        Self {
            verdict: Verdict::Abstain,
            rule: None,
            stage,
            source: Source::Default,
            basis: Basis::NoOpinion,
            reason: String::new(),
            intent: None,
            alternative: None,
            also_matched: Vec::new(),
            evidence: None,
            level: None,
            config: ConfigState::Ready,
            config_warning: None,
            error: None,
            only_a_person: false,
            effects: Vec::new(),
            executions: Vec::new(),
        }
    }

    /// What a finding says, as a decision of the guard.
    pub fn from_finding(finding: Finding) -> Self {
        Self {
            verdict: finding.verdict,
            rule: Some(finding.rule),
            source: Source::Guard,
            basis: if finding.verdict == Verdict::Deny { Basis::GuardDeny } else { Basis::GuardAsk },
            reason: finding.reason,
            intent: Some(finding.intent),
            alternative: finding.alternative,
            evidence: finding.evidence,
            only_a_person: finding.only_a_person,
            ..Self::abstain(finding.stage)
        }
    }
}
