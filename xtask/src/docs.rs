//! Writes the reference of rules from the rule files, so that it cannot say anything else than they do.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::process;

const PAGE: &str = "docs/rules.md";

const HEAD: &str = "\
# Rules

Every built-in rule of the guard, from `crates/guard/rules`. This page is generated: `cargo xtask docs`.

A rule denies or asks at level `standard`; where `strict` and `paranoid` differ, it says so. *Cannot be switched off* means that no
policy has an effect on it. All others are switched by id in `policy.json`:

```json
{ \"version\": 1, \"destructive_command_protection\": { \"overrides\": { \"git.stash-drop\": \"off\" } } }
```
";

/// Writes the page.
///
/// # Errors
/// A rule file cannot be read, or the page cannot be written.
pub fn write() -> Result<(), String> {
    let path = process::root().join(PAGE);
    let text = page()?;
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(|error| error.to_string())?;
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Checks that the page says what the rule files say.
///
/// # Errors
/// It does not.
pub fn check() -> Result<(), String> {
    let written = fs::read_to_string(process::root().join(PAGE)).unwrap_or_default();
    if written == page()? { Ok(()) } else { Err(format!("{PAGE} is not what the rule files say; run `cargo xtask docs`")) }
}

fn page() -> Result<String, String> {
    let mut areas: BTreeMap<String, Vec<Table>> = BTreeMap::new();
    for file in files(&process::root().join("crates/guard/rules"))? {
        let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let rule: Table = text.parse().map_err(|error| format!("{}: {error}", file.display()))?;
        let area = string(&rule, "id").split('.').next().unwrap_or_default().to_owned();
        areas.entry(area).or_default().push(rule);
    }
    let mut out = HEAD.to_owned();
    for (area, rules) in &areas {
        let _ = write!(out, "\n## {area}\n");
        for rule in rules {
            section(&mut out, rule);
        }
    }
    Ok(out)
}

fn section(out: &mut String, rule: &Table) {
    let documentation = rule.get("documentation").and_then(Value::as_table).cloned().unwrap_or_default();
    let _ = write!(out, "\n### {}\n\n{}\n\n", string(rule, "id"), string(&documentation, "stops"));
    let _ = writeln!(out, "- **Verdict:** {}", verdict(rule));
    let _ = writeln!(out, "- **Why:** {}", string(&documentation, "why"));
    let _ = writeln!(out, "- **Instead:** {}", string(&documentation, "instead"));
    if documentation.contains_key("safe_when") {
        let _ = writeln!(out, "- **Safe to allow when:** {}", string(&documentation, "safe_when"));
    }
    let references = strings(&documentation, "references");
    if !references.is_empty() {
        let _ = writeln!(out, "- **References:** {}", references.join("; "));
    }
    let Some(examples) = rule.get("examples").and_then(Value::as_table) else { return };
    let _ = write!(out, "\n```sh\n");
    for (key, word) in [("deny", "denied"), ("ask", "asked"), ("pass", "not touched")] {
        let commands = strings(examples, key);
        if !commands.is_empty() {
            let _ = writeln!(out, "# {word}\n{}", commands.join("\n"));
        }
    }
    let _ = writeln!(out, "```");
}

fn verdict(rule: &Table) -> String {
    let mut text = string(rule, "verdict").to_owned();
    if let Some(strict) = rule.get("verdict_when_fail_closed").and_then(Value::as_str) {
        let _ = write!(text, ", {strict} at level strict");
    }
    match rule.get("needs").and_then(Value::as_str) {
        Some("fail_closed") => text.push_str(", only at level strict and above"),
        Some(_) => text.push_str(", only at level paranoid"),
        None => {}
    }
    if flag(rule, "catastrophic") {
        text.push_str("; cannot be switched off");
    }
    if flag(rule, "only_a_person") {
        text.push_str("; only a person may answer");
    }
    text
}

fn string<'t>(table: &'t Table, key: &str) -> &'t str {
    table.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn strings<'t>(table: &'t Table, key: &str) -> Vec<&'t str> {
    table.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn flag(table: &Table, key: &str) -> bool {
    table.get(key).and_then(Value::as_bool).unwrap_or_default()
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).map_err(|error| format!("{}: {error}", next.display()))?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
