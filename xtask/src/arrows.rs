//! Which crate may depend on which. Each crate names the crates it may use; anything else turns an arrow round.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::process;

/// From the bottom to the top: a crate and every crate of ours it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("sekisho-verdict", &[]),
    ("sekisho-host", &[]),
    ("sekisho-shell-syntax", &[]),
    ("sekisho-command-model", &["sekisho-verdict", "sekisho-host", "sekisho-shell-syntax"]),
    ("sekisho-shell-analysis", &["sekisho-verdict", "sekisho-host", "sekisho-shell-syntax", "sekisho-command-model"]),
    (
        "sekisho-policy",
        &["sekisho-verdict", "sekisho-host", "sekisho-shell-syntax", "sekisho-command-model", "sekisho-shell-analysis"],
    ),
    (
        "sekisho-guard",
        &[
            "sekisho-verdict",
            "sekisho-host",
            "sekisho-shell-syntax",
            "sekisho-command-model",
            "sekisho-shell-analysis",
            "sekisho-policy",
        ],
    ),
];

/// Crates above the guard: they may use everything below and these.
const ABOVE: &[(&str, &[&str])] =
    &[("sekisho-agents", &[]), ("sekisho-journal", &[]), ("sekisho", &["sekisho-agents", "sekisho-journal"])];

/// Checks the arrows of `cargo metadata`.
///
/// # Errors
/// A dependency that points the wrong way, or metadata that cannot be read.
pub fn check() -> Result<(), String> {
    let text = process::output("cargo", &["metadata", "--format-version", "1", "--no-deps"])?;
    let metadata: Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let mut allowed: BTreeMap<&str, Vec<&str>> = ALLOWED.iter().map(|(name, uses)| (*name, uses.to_vec())).collect();
    let below: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    for (name, uses) in ABOVE {
        allowed.insert(name, below.iter().chain(*uses).copied().collect());
    }
    let mut wrong = Vec::new();
    for package in metadata.get("packages").and_then(Value::as_array).into_iter().flatten() {
        let name = string(package, "name");
        let Some(uses) = allowed.get(name) else { continue };
        for dependency in package.get("dependencies").and_then(Value::as_array).into_iter().flatten() {
            let target = string(dependency, "name");
            let ours = target == "sekisho" || target.starts_with("sekisho-");
            // Tests may use the test kit; what ships may not.
            if ours && dependency.get("kind").is_none_or(Value::is_null) && !uses.contains(&target) {
                wrong.push(format!("{name} must not depend on {target}"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
