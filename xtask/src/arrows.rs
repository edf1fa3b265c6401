//! Which crate may depend on which. Each crate names the crates it may use; anything else turns an arrow round.

use std::collections::BTreeMap;

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
    let metadata: serde_json::Value = serde_json::from_str(&text).map_err(|error| format!("cargo metadata: {error}"))?;
    let mut allowed: BTreeMap<&str, Vec<&str>> = ALLOWED.iter().map(|(name, uses)| (*name, uses.to_vec())).collect();
    let below: Vec<&str> = ALLOWED.iter().map(|(name, _)| *name).collect();
    for (name, uses) in ABOVE {
        allowed.insert(name, below.iter().chain(*uses).copied().collect());
    }
    let mut wrong = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(uses) = allowed.get(name) else { continue };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let target = dependency["name"].as_str().unwrap_or_default();
            let ours = target == "sekisho" || target.starts_with("sekisho-");
            // Tests may use the test kit; what ships may not.
            if ours && dependency["kind"].is_null() && !uses.contains(&target) {
                wrong.push(format!("{name} must not depend on {target}"));
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
