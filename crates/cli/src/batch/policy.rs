//! The policy of a row.

use sekisho_host::Host;
use sekisho_policy::Snapshot;
use sekisho_verdict::{ConfigState, Decision};
use serde_json::{Map, Value};

use super::row::Row;
use crate::engine;

/// The keys of the short form: lists of `Tool(pattern)`.
const SHORT_FORM: [&str; 6] = ["allow", "ask", "deny", "default", "protect", "on_failure"];

/// The snapshot of a row's policies, environment and level.
pub fn snapshot(row: &Row, host: &dyn Host) -> Snapshot {
    let user = row.policy.as_ref().filter(|policy| !is_short_form(policy)).cloned();
    let user = match &row.level {
        Some(level) => Some(with_level(user, level)),
        None => user,
    };
    engine::snapshot_from_values(user.as_ref(), row.project_policy.as_ref(), row.project_trusted, host)
}

/// Says on the decision that entries of the policy were not applied.
pub fn note(row: &Row, decision: Decision) -> Decision {
    let Some(policy) = &row.policy else { return decision };
    if !is_short_form(policy) && policy.get("approvals").is_none() {
        return decision;
    }
    let warning = "entries that allow, ask or deny by tool are not applied yet".to_owned();
    Decision { config: ConfigState::Degraded, config_warning: Some(warning), ..decision }
}

fn is_short_form(policy: &Value) -> bool {
    policy.get("version").is_none() && SHORT_FORM.iter().any(|key| policy.get(key).is_some())
}

/// The user's policy with the row's level, unless it names one itself.
fn with_level(user: Option<Value>, level: &str) -> Value {
    let mut policy = match user {
        Some(Value::Object(policy)) => policy,
        _ => Map::from_iter([("version".to_owned(), 1.into())]),
    };
    let safety = policy.entry("safety").or_insert_with(|| Value::Object(Map::new()));
    if let Value::Object(safety) = safety {
        safety.entry("level").or_insert_with(|| level.into());
    }
    Value::Object(policy)
}
