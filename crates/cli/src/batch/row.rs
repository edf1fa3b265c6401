//! One row of a batch, read.

use std::collections::HashMap;

use sekisho_agents::{Event, payload};
use sekisho_verdict::Json;
use serde_json::Value;
use serde_json::value::RawValue;

/// A row, every key optional.
#[derive(Debug, Clone)]
pub struct Row {
    /// Returned as given.
    pub id: Value,
    /// The adapter id.
    pub agent: String,
    /// The agent's name of the tool.
    pub tool: String,
    /// The tool's arguments.
    pub input: Json,
    /// The session's directory.
    pub cwd: Option<String>,
    /// The home directory.
    pub home: Option<String>,
    /// Environment variables.
    pub env: Vec<(String, String)>,
    /// The level, as the user's setting.
    pub level: Option<String>,
    /// Auto mode is on.
    pub auto: bool,
    /// Nobody can answer.
    pub headless: bool,
    /// The user's policy.
    pub policy: Option<Value>,
    /// The project's policy.
    pub project_policy: Option<Value>,
    /// The user has trusted exactly that project policy.
    pub project_trusted: bool,
    /// The administrator's ceiling: registry name → rule.
    pub ceiling: Option<Value>,
    /// Opinions of hook scripts.
    pub hooks: Vec<String>,
    /// The executions are part of the answer.
    pub trace: bool,
    /// The world.
    pub fixture: Value,
}

/// A row that cannot be judged.
#[derive(Debug, Clone, PartialEq)]
pub struct RowFailure {
    /// The row's id, where that much could be read.
    pub id: Value,
    /// Why.
    pub reason: String,
    /// A bound was exceeded.
    pub limit: bool,
}

impl Row {
    /// Reads a line. Keys that are not known, or not of the expected type, are as if they were not there.
    ///
    /// # Errors
    /// The line is no JSON object, or the tool's arguments are malformed or beyond a bound.
    pub fn read(line: &[u8]) -> Result<Self, RowFailure> {
        let failure = |id: &Value, reason: String, limit: bool| RowFailure { id: id.clone(), reason, limit };
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let keys: HashMap<String, &RawValue> = serde_json::from_slice(line)
            .map_err(|error| failure(&Value::Null, format!("this line is not a JSON object (column {})", error.column()), false))?;
        let value = |key: &str| {
            keys.get(key).and_then(|raw| serde_json::from_str::<Value>(raw.get()).ok()).filter(|value| !value.is_null())
        };
        let text = |key: &str| value(key).and_then(|value| value.as_str().map(str::to_owned));
        let flag = |key: &str| value(key).and_then(|value| value.as_bool()).unwrap_or_default();
        let id = value("id").unwrap_or_default();
        let input = match (keys.get("tool_input"), keys.get("command")) {
            (Some(raw), _) if raw.get() != "null" => arguments(raw).map_err(|(reason, limit)| failure(&id, reason, limit))?,
            (_, Some(raw)) => {
                let command = arguments_value(raw).map_err(|(reason, limit)| failure(&id, reason, limit))?;
                Json::Object(vec![("command".to_owned(), command)])
            }
            _ => Json::Object(Vec::new()),
        };
        let fixture = value("fixture").unwrap_or_default();
        let mut env = strings(fixture.get("env"));
        env.extend(strings(value("env").as_ref()));
        let interactive = fixture.get("interactive").and_then(Value::as_bool).unwrap_or(true);
        Ok(Self {
            agent: text("agent").unwrap_or_else(|| "claude-code".to_owned()),
            tool: text("tool").unwrap_or_else(|| "Bash".to_owned()),
            input,
            cwd: text("cwd"),
            home: text("home"),
            env,
            level: text("level"),
            auto: flag("auto"),
            headless: flag("headless") || !interactive,
            policy: value("policy"),
            project_policy: value("project_policy"),
            project_trusted: flag("project_trusted"),
            ceiling: value("ceiling"),
            hooks: words(value("hooks").as_ref()),
            trace: flag("trace"),
            fixture,
            id,
        })
    }
}

/// The arguments of a tool; what is no object is kept, and malformed for a tool that is known.
fn arguments(raw: &RawValue) -> Result<Json, (String, bool)> {
    if raw.get().starts_with('{') {
        return payload::read_object(raw.get().as_bytes()).map_err(described);
    }
    arguments_value(raw)
}

fn arguments_value(raw: &RawValue) -> Result<Json, (String, bool)> {
    // An object around it makes the bounds count as they do for a whole tool input.
    let wrapped = payload::read_object(format!("{{\"value\":{}}}", raw.get()).as_bytes()).map_err(described)?;
    let Json::Object(entries) = wrapped else { return Ok(Json::Null) };
    Ok(entries.into_iter().next().map_or(Json::Null, |(_, value)| value))
}

fn described(event: Event) -> (String, bool) {
    match event {
        Event::Malformed { reason, limit } => (reason, limit),
        Event::Call(_) | Event::Ignored => (String::new(), false),
    }
}

/// The entries of an object whose values are strings.
pub fn strings(value: Option<&Value>) -> Vec<(String, String)> {
    let entries = value.and_then(Value::as_object).into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect()
}

/// The strings of an array.
pub fn words(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
