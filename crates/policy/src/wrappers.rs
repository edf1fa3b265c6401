//! `rule.json`: the rulebooks in use, and the programs that run the command behind them.
//!
//! Only `transparent_wrappers` is applied here; sources and overrides of rulebooks are checked for their shape alone.

use crate::document::Document;

/// Sources of rulebooks in one file.
const SOURCES: usize = 64;
/// Names that already have a meaning and cannot be declared.
const RESERVED: &[&str] = &[
    "git",
    "busybox",
    "rm",
    "find",
    "xargs",
    "parallel",
    "sh",
    "bash",
    "dash",
    "zsh",
    "ksh",
    "mksh",
    "ash",
    "fish",
    "csh",
    "tcsh",
    "pwsh",
    "powershell",
    "cmd",
    "python",
    "python2",
    "python3",
    "pypy",
    "pypy3",
    "node",
    "nodejs",
    "bun",
    "deno",
    "ruby",
    "perl",
    "php",
    "lua",
    "awk",
    "gawk",
    "mawk",
    "nawk",
];

/// The wrappers a file declares. Any fault drops the whole file: half a rule configuration is nobody's intention.
pub(crate) fn read(document: &mut Document<'_>) -> Vec<String> {
    const WHAT: &str = "the rule configuration is not valid; none of it is in force";
    const FIX: &str = "Correct it; built-in rules are in force in any case.";
    let before = document.diagnostics.len();
    let Some(root) = document.root() else {
        return Vec::new();
    };
    let mut wrappers: Vec<String> = Vec::new();
    let mut has_version = false;
    let mut faults = Vec::new();
    for (name, value, range) in document.properties(&root, "") {
        match name {
            "version" => has_version = value.as_number_lit().is_some_and(|number| number.value == "1"),
            "$schema" => {}
            "rules" if value.as_array().is_some_and(|sources| sources.elements.len() <= SOURCES) => {}
            "overrides" if value.as_object().is_some() => {}
            "transparent_wrappers" => {
                for (name, range) in document.strings(value, "transparent_wrappers") {
                    if is_wrapper_name(&name) && !wrappers.contains(&name) {
                        wrappers.push(name);
                    } else {
                        faults.push((range, "transparent_wrappers"));
                    }
                }
            }
            _ => faults.push((range, "")),
        }
    }
    for (range, field) in faults {
        document.note(Some(range), (!field.is_empty()).then_some(field), WHAT, FIX);
    }
    if !has_version {
        document.note(Some(root.range), Some("version"), WHAT, "Write \"version\": 1.");
    }
    if document.diagnostics.len() > before {
        return Vec::new();
    }
    wrappers
}

/// `^[a-zA-Z][a-zA-Z0-9_-]*$`, and not reserved.
fn is_wrapper_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_' || character == '-')
        && !RESERVED.contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Scope;

    #[test]
    fn one_fault_drops_the_file() {
        for (text, wrappers, faults) in [
            ("{\"version\":1,\"transparent_wrappers\":[\"rtk\",\"wrap-it\"]}", vec!["rtk", "wrap-it"], 0),
            ("{\"version\":1,\"$schema\":\"x\",\"rules\":[\"a\"],\"overrides\":{}}", vec![], 0),
            ("{\"version\":1,\"transparent_wrappers\":[\"rtk\",\"git\"]}", vec![], 1),
            ("{\"version\":1,\"transparent_wrappers\":[\"rtk\",\"rtk\"]}", vec![], 1),
            ("{\"version\":1,\"transparent_wrappers\":[\"-x\",\"Bash\"]}", vec![], 2),
            ("{\"version\":1,\"transparent_wrappers\":[1]}", vec![], 1),
            ("{\"transparent_wrappers\":[\"rtk\"]}", vec![], 1),
            ("{\"version\":1,\"wrappers\":[]}", vec![], 1),
            ("{", vec![], 1),
        ] {
            let mut document = Document::new(Scope::User, "rule.json", text);
            assert_eq!(read(&mut document), wrappers, "{text}");
            assert_eq!(document.diagnostics.len(), faults, "{text}");
        }
    }
}
