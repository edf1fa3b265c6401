//! A decision as JSON, for `check --json`, `check --batch` and `explain --json`.

use sekisho_verdict::redaction::redact;
use sekisho_verdict::{ConfigState, Decision, EffectRecord, ExecutionRecord};
use serde_json::{Map, Value, json};

/// The row that `check --batch` prints. `id` stands first where there is one.
pub fn decision(id: Option<Value>, decision: &Decision, trace: bool) -> Map<String, Value> {
    let mut row = Map::new();
    if let Some(id) = id {
        row.insert("id".to_owned(), id);
    }
    row.insert("verdict".to_owned(), decision.verdict.word().into());
    row.insert("rule".to_owned(), decision.rule.as_ref().map_or(Value::Null, |rule| rule.as_str().into()));
    row.insert("stage".to_owned(), decision.stage.word().into());
    row.insert("source".to_owned(), json!(decision.source));
    row.insert("basis".to_owned(), json!(decision.basis));
    row.insert("reason".to_owned(), redact(&decision.reason).into());
    if let Some(intent) = decision.intent {
        row.insert("intent".to_owned(), json!(intent));
    }
    if let Some(alternative) = &decision.alternative {
        row.insert("alternative".to_owned(), redact(alternative).into());
    }
    if !decision.also_matched.is_empty() {
        row.insert("also_matched".to_owned(), json!(decision.also_matched));
    }
    if let Some(level) = decision.level {
        row.insert("level".to_owned(), json!(level));
    }
    if decision.config == ConfigState::Degraded {
        row.insert("config".to_owned(), json!(decision.config));
    }
    if let Some(error) = decision.error {
        row.insert("error_code".to_owned(), json!(error));
    }
    row.insert("effects".to_owned(), decision.effects.iter().map(effect).collect());
    if trace {
        row.insert("executions".to_owned(), decision.executions.iter().map(execution).collect());
    }
    row
}

/// One effect; its target is redacted.
pub fn effect(effect: &EffectRecord) -> Value {
    json!(EffectRecord { target: effect.target.as_deref().map(redact), ..effect.clone() })
}

/// One execution; its words are redacted.
pub fn execution(execution: &ExecutionRecord) -> Value {
    let redacted = |words: &Vec<Option<String>>| words.iter().map(|word| word.as_deref().map(redact)).collect();
    let argv = execution.argv.as_ref().filter(|_| execution.counted).map(redacted);
    json!(ExecutionRecord { argv, ..execution.clone() })
}
