//! One decision, as it is kept.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use sekisho_verdict::redaction::redact;
use sekisho_verdict::tool_call::{Action, Family};
use sekisho_verdict::{ConfigState, Decision, EffectRecord, ErrorCode, Source, ToolCall, Verdict};
use serde::{Deserialize, Serialize};

use crate::place;

/// The version of the record's fields.
pub const SCHEMA: u32 = 1;

const TOOL_CHARACTERS: usize = 256;
const COMMAND_CHARACTERS: usize = 10_000;
const SEGMENT_CHARACTERS: usize = 2_000;
const REASON_CHARACTERS: usize = 2_000;
const CWD_CHARACTERS: usize = 32_768;
const ID_CHARACTERS: usize = 256;
const TARGET_CHARACTERS: usize = 1_024;
const EFFECTS: usize = 64;
const ALSO_MATCHED: usize = 32;

/// One decision. Words of Sekisho's vocabularies are text here, so that records of other versions can be read.
///
/// Every text that came from a call is redacted and cut; `truncated` says that something was cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// When, RFC 3339 in UTC.
    pub ts: String,
    /// 16 hexadecimal digits, random.
    pub id: String,
    /// The version of Sekisho.
    pub v: String,
    /// The version of the fields.
    pub schema: u32,
    /// The agent's session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The agent.
    pub agent: String,
    /// The wire format, where it is not the agent's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// What the host was told, where that is something else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered: Option<Verdict>,
    /// What a person answered, where the host reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask_outcome: Option<String>,
    /// Who or what decided.
    pub source: String,
    /// Why.
    pub basis: String,
    /// The layer of an allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// The level in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The configuration could not be read as written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub config_fallback: bool,
    /// The agent's own name of the tool.
    pub tool: String,
    /// The registry's name of it, where one name fits the whole call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub registry_tool: Option<String>,
    /// The shell text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The part of it the rule is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<String>,
    /// Something was cut.
    #[serde(default, skip_serializing_if = "is_false")]
    pub truncated: bool,
    /// The reason; `allowed` where nothing was said.
    pub reason: String,
    /// The rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// What the agent was told to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// Where it was decided.
    pub stage: String,
    /// Our own failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<String>,
    /// Where the call would have run.
    pub cwd: Option<String>,
    /// How long deciding took.
    pub duration_us: u64,
    /// Other rules that matched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_matched: Vec<String>,
    /// What the call would have done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<EffectRecord>,
    /// The name of the directory the record belongs in.
    #[serde(skip)]
    pub(crate) directory: String,
    /// The day the record belongs to, as the clock that made it says.
    #[serde(skip, default = "SystemTime::now")]
    pub(crate) moment: SystemTime,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature serde asks for")]
const fn is_false(value: &bool) -> bool {
    !*value
}

impl Record {
    /// The record of a decision made just now, with an id of its own.
    pub fn from_decision(call: &ToolCall, decision: &Decision, took: Duration) -> Self {
        let now = SystemTime::now();
        Self::at(call, decision, now, took, random_id(now))
    }

    /// The record of a decision made at `now`.
    pub fn at(call: &ToolCall, decision: &Decision, now: SystemTime, took: Duration, id: String) -> Self {
        let mut cut = Cut { happened: false };
        // Of an input that exceeds a bound nothing is repeated anywhere.
        let silent = decision.error == Some(ErrorCode::ToolInputLimit);
        let shown = |text: Option<&str>| text.filter(|_| !silent).map(str::to_owned);
        let command_limit = if decision.error.is_some() { usize::MAX } else { COMMAND_CHARACTERS };
        let command = shown(call.command()).map(|text| cut.text(&text, command_limit));
        let segment = decision.evidence.as_ref().map(|evidence| evidence.segment.as_str()).filter(|text| !text.is_empty());
        let segment = shown(segment).map(|text| cut.text(&text, SEGMENT_CHARACTERS));
        let effects = if silent { Vec::new() } else { cut.list(&decision.effects, EFFECTS) };
        let effects = effects.into_iter().map(|effect| cut.effect(effect)).collect();
        let also_matched = cut.list(&decision.also_matched, ALSO_MATCHED);
        Self {
            ts: crate::time::timestamp(now),
            id,
            v: env!("CARGO_PKG_VERSION").to_owned(),
            schema: SCHEMA,
            session_id: call.session.as_deref().map(|text| cut.text(text, ID_CHARACTERS)),
            agent: cut.text(&call.agent, ID_CHARACTERS),
            shape: call.shape.as_deref().filter(|shape| *shape != call.agent).map(|text| cut.text(text, ID_CHARACTERS)),
            verdict: decision.verdict,
            delivered: None,
            ask_outcome: None,
            source: word(&decision.source),
            basis: word(&decision.basis),
            layer: layer(decision).map(str::to_owned),
            level: decision.level.as_ref().map(word),
            config_fallback: decision.config == ConfigState::Degraded,
            tool: cut.text(&call.tool, TOOL_CHARACTERS),
            registry_tool: registry_name(call).map(|name| cut.text(&name, TOOL_CHARACTERS)),
            segment: segment.filter(|segment| Some(segment) != command.as_ref()),
            command,
            reason: if decision.reason.is_empty() { "allowed".to_owned() } else { cut.text(&decision.reason, REASON_CHARACTERS) },
            rule: decision.rule.as_ref().map(|rule| cut.text(rule.as_str(), ID_CHARACTERS)),
            intent: decision.intent.as_ref().map(word),
            stage: word(&decision.stage),
            error_code: decision.error.as_ref().map(word),
            cwd: call.cwd.as_deref().or(call.session_cwd.as_deref()).map(|text| cut.text(text, CWD_CHARACTERS)),
            duration_us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            also_matched: also_matched.iter().map(|rule| cut.text(rule.as_str(), ID_CHARACTERS)).collect(),
            effects,
            truncated: cut.happened,
            directory: place::directory_name(call.session_cwd.as_deref().or(call.cwd.as_deref()).unwrap_or_default()),
            moment: now,
        }
    }

    /// The record for a host that was told something else than the verdict.
    #[must_use]
    pub fn delivered_as(mut self, verdict: Verdict) -> Self {
        self.delivered = (verdict != self.verdict).then_some(verdict);
        self
    }
}

/// Redacts and cuts, and remembers that it did.
struct Cut {
    happened: bool,
}

impl Cut {
    fn text(&mut self, text: &str, characters: usize) -> String {
        let redacted = redact(text);
        match redacted.char_indices().nth(characters) {
            None => redacted,
            Some((end, _)) => {
                self.happened = true;
                redacted.get(..end).unwrap_or_default().to_owned()
            }
        }
    }

    fn list<T: Clone>(&mut self, items: &[T], count: usize) -> Vec<T> {
        self.happened |= items.len() > count;
        items.iter().take(count).cloned().collect()
    }

    fn effect(&mut self, effect: EffectRecord) -> EffectRecord {
        EffectRecord {
            target: effect.target.as_deref().map(|target| self.text(target, TARGET_CHARACTERS)),
            details: effect.details.iter().take(16).map(|detail| self.text(detail, ID_CHARACTERS)).collect(),
            ..effect
        }
    }
}

/// The word a value is written as.
fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// The layer an allow came from, where it came from a policy.
const fn layer(decision: &Decision) -> Option<&'static str> {
    match (decision.verdict, decision.source) {
        (Verdict::Allow, Source::ShippedDefault) => Some("shipped_default"),
        (Verdict::Allow, Source::UserPolicy) => Some("user_policy"),
        (Verdict::Allow, Source::ProjectPolicy) => Some("project_policy"),
        (Verdict::Allow, Source::Hook) => Some("hook"),
        _ => None,
    }
}

/// The registry's name of a call's tool. `None` where one call is several registry tools, or none.
fn registry_name(call: &ToolCall) -> Option<String> {
    let name = match call.family {
        Family::Shell => "run_command",
        Family::ProcessInput => "send_process_input",
        Family::Code => "run_code",
        Family::FileRead => "read_file",
        Family::FileWrite => "create_file_with_contents",
        Family::FileEdit => "edit_file",
        Family::FileDelete => "delete_file",
        Family::FileMove => "move_file",
        Family::List => "list_dir",
        Family::Search => match call.actions.first() {
            Some(Action::Search { content: false, .. }) => "find_files",
            _ => "grep",
        },
        Family::NetFetch => "fetch_url",
        Family::NetSearch => "search_web",
        Family::Mcp => {
            return call.actions.iter().find_map(|action| match action {
                Action::McpCall { server, tool } => Some(format!("mcp__{server}__{tool}")),
                _ => None,
            });
        }
        Family::Subagent => "start_agent",
        Family::Browser | Family::Other => "agent_tool",
        Family::Patch | Family::AskUser => return None,
    };
    Some(name.to_owned())
}

/// 64 random bits: the keys of the standard library's hasher come from the system.
fn random_id(now: SystemTime) -> String {
    format!("{:016x}", RandomState::new().hash_one((now, std::process::id())))
}
