//! Compiles `rules/**/*.toml` and the path catalogues into static tables, so that the hook path parses no data.
//!
//! A rule file that does not fit the schema fails the build with the file's name: a panic is how a build script says so.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    id: String,
    verdict: String,
    verdict_when_fail_closed: Option<String>,
    #[serde(default)]
    catastrophic: bool,
    needs: Option<String>,
    /// It only discards local changes, which worktree mode may let through.
    #[serde(default)]
    local_discard: bool,
    pack: Option<String>,
    intent: String,
    #[serde(default)]
    only_a_person: bool,
    reason: String,
    reason_when_asking: Option<String>,
    alternative: Option<String>,
    #[serde(rename = "match")]
    matcher: BTreeMap<String, toml::Value>,
    documentation: Documentation,
    #[serde(default)]
    examples: Examples,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Documentation {
    stops: String,
    why: String,
    instead: String,
    safe_when: Option<String>,
    #[serde(default)]
    references: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Examples {
    /// The session runs in the home directory instead of a project.
    #[serde(default)]
    in_home: bool,
    #[serde(default)]
    deny: Vec<String>,
    #[serde(default)]
    ask: Vec<String>,
    #[serde(default)]
    pass: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SensitiveFile {
    #[serde(default)]
    path: Vec<SensitivePath>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SensitivePath {
    id: String,
    kind: String,
    patterns: Vec<String>,
    #[serde(default)]
    ask: bool,
    #[serde(default)]
    opt_in: bool,
    what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProtectedFile {
    #[serde(default)]
    agent: Vec<ProtectedAgent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProtectedAgent {
    id: String,
    #[serde(default)]
    user: Vec<String>,
    #[serde(default)]
    project: Vec<String>,
    #[serde(default)]
    system: Vec<String>,
}

fn main() {
    let mut out = String::new();
    rules(&mut out);
    sensitive(&mut out);
    protected(&mut out);
    let target = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join("tables.rs");
    fs::write(target, out).expect("the build directory is writable");
}

fn toml_files(folder: &str) -> Vec<PathBuf> {
    println!("cargo:rerun-if-changed={folder}");
    let mut found = Vec::new();
    let mut open = vec![PathBuf::from(folder)];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display())).flatten() {
            let path = entry.path();
            if path.is_dir() {
                println!("cargo:rerun-if-changed={}", path.display());
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> T {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rules(out: &mut String) {
    let mut seen = BTreeMap::new();
    writeln!(out, "/// Every built-in rule, in the order of their ids.\npub static RULES: &[crate::rules::Rule] = &[").unwrap();
    for path in toml_files("rules") {
        let rule: RuleFile = read(&path);
        let file = path.display().to_string();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let area = rule.id.split('.').next().unwrap_or_default().to_owned();
        assert!(
            rule.id == format!("{area}.{stem}") || rule.id.replace('.', "-") == format!("{area}-{stem}"),
            "{file}: the file must be named after the rule `{}`",
            rule.id
        );
        if let Some(other) = seen.insert(rule.id.clone(), file.clone()) {
            panic!("{file}: rule `{}` stands in {other} too", rule.id);
        }
        let example_needed = !rule.matcher.contains_key("stage");
        assert!(
            !example_needed || !rule.examples.deny.is_empty() || !rule.examples.ask.is_empty(),
            "{file}: a rule needs an example that it stops"
        );
        writeln!(
            out,
            "crate::rules::Rule {{ id: {:?}, verdict: {}, verdict_when_fail_closed: {}, catastrophic: {}, needs: {}, local_discard: {}, pack: {:?}, intent: {}, \
             only_a_person: {}, reason: {:?}, reason_when_asking: {:?}, alternative: {:?}, matcher: {}, stops: {:?}, why: {:?}, instead: {:?}, safe_when: {:?}, \
             references: &{:?}, examples_in_home: {}, deny: &{:?}, ask: &{:?}, pass: &{:?} }},",
            rule.id,
            verdict(&file, &rule.verdict),
            rule.verdict_when_fail_closed.as_deref().map_or("None".into(), |word| format!("Some({})", verdict(&file, word))),
            rule.catastrophic,
            rule.needs.as_deref().map_or("None".into(), |word| format!("Some(crate::rules::Capability::{})", camel(word))),
            rule.local_discard,
            rule.pack,
            format_args!("sekisho_verdict::Intent::{}", camel(&rule.intent)),
            rule.only_a_person,
            rule.reason,
            rule.reason_when_asking,
            rule.alternative,
            matcher(&file, &rule.matcher),
            rule.documentation.stops,
            rule.documentation.why,
            rule.documentation.instead,
            rule.documentation.safe_when,
            rule.documentation.references,
            rule.examples.in_home,
            rule.examples.deny,
            rule.examples.ask,
            rule.examples.pass,
        )
        .unwrap();
    }
    writeln!(out, "];").unwrap();
}

fn verdict(file: &str, word: &str) -> &'static str {
    match word {
        "deny" => "sekisho_verdict::Verdict::Deny",
        "ask" => "sekisho_verdict::Verdict::Ask",
        _ => panic!("{file}: a verdict is `deny` or `ask`, not `{word}`"),
    }
}

fn camel(word: &str) -> String {
    word.split(['_', '-'])
        .map(|part| {
            let mut letters = part.chars();
            letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}

fn matcher(file: &str, table: &BTreeMap<String, toml::Value>) -> String {
    assert!(table.len() == 1, "{file}: a rule has exactly one matcher");
    let (kind, value) = table.iter().next().expect("one entry");
    let words = |value: &toml::Value| -> Vec<String> {
        match value {
            toml::Value::String(word) => vec![word.clone()],
            toml::Value::Array(items) => items
                .iter()
                .map(|item| item.as_str().unwrap_or_else(|| panic!("{file}: `{kind}` takes words")).to_owned())
                .collect(),
            _ => panic!("{file}: `{kind}` takes a word or a list of words"),
        }
    };
    let field = |name: &str| value.get(name).map(words).unwrap_or_default();
    let known = |names: &[&str]| {
        if let Some(table) = value.as_table() {
            for key in table.keys() {
                assert!(names.contains(&key.as_str()), "{file}: `{kind}` has no field `{key}`");
            }
        }
    };
    let flag = |name: &str| {
        value.get(name).map_or("None".to_owned(), |value| {
            format!("Some({})", value.as_bool().unwrap_or_else(|| panic!("{file}: `{name}` is true or false")))
        })
    };
    let list = |path: &str, names: Vec<String>| {
        let items: Vec<_> = names.iter().map(|name| format!("{path}::{}", camel(name))).collect();
        format!("&[{}]", items.join(", "))
    };
    let families = |names| list("sekisho_command_model::Family", names);
    let classes = |names| list("crate::target_class::TargetClass", names);
    match kind.as_str() {
        "stage" => format!("crate::matcher::Matcher::Stage({:?})", words(value)),
        "vcs" => format!("crate::matcher::Matcher::Vcs(&{:?})", words(value)),
        "system" => format!("crate::matcher::Matcher::System(&{:?})", words(value)),
        "disclose" => format!("crate::matcher::Matcher::Disclose(&{:?})", words(value)),
        "execute" => {
            format!("crate::matcher::Matcher::Execute({})", list("sekisho_command_model::Origin", words(value)))
        }
        "code" => format!("crate::matcher::Matcher::Code(crate::analyzers::{})", words(value).join("")),
        "service" => {
            known(&["service", "operation"]);
            format!(
                "crate::matcher::Matcher::Service {{ services: &{:?}, operations: &{:?} }}",
                field("service"),
                field("operation")
            )
        }
        "process" => {
            known(&["broad"]);
            format!("crate::matcher::Matcher::Process {{ broad: {} }}", flag("broad"))
        }
        "delete" => {
            known(&["family", "class", "recursive", "force"]);
            format!(
                "crate::matcher::Matcher::Delete {{ families: {}, classes: {}, recursive: {}, force: {} }}",
                families(field("family")),
                classes(field("class")),
                flag("recursive"),
                flag("force")
            )
        }
        "write" => {
            known(&["family", "class", "mode"]);
            format!(
                "crate::matcher::Matcher::Write {{ families: {}, classes: {}, modes: {} }}",
                families(field("family")),
                classes(field("class")),
                list("sekisho_command_model::WriteMode", field("mode"))
            )
        }
        "permissions" => {
            known(&["class", "recursive"]);
            format!(
                "crate::matcher::Matcher::Permissions {{ classes: {}, recursive: {} }}",
                classes(field("class")),
                flag("recursive")
            )
        }
        other => panic!("{file}: there is no matcher `{other}`"),
    }
    .replace("Matcher::Stage([", "Matcher::Stage(&[")
}

fn sensitive(out: &mut String) {
    writeln!(
        out,
        "/// The catalogue of sensitive paths, in the order of evaluation.\npub static SENSITIVE: &[crate::sensitive::Entry] = &["
    )
    .unwrap();
    for path in toml_files("sensitive") {
        let file: SensitiveFile = read(&path);
        for entry in file.path {
            writeln!(
                out,
                "crate::sensitive::Entry {{ id: {:?}, kind: crate::sensitive::Kind::{}, patterns: &{:?}, ask: {}, opt_in: {}, what: {:?} }},",
                entry.id,
                camel(&entry.kind),
                entry.patterns,
                entry.ask,
                entry.opt_in,
                entry.what
            )
            .unwrap();
        }
    }
    writeln!(out, "];").unwrap();
}

fn protected(out: &mut String) {
    println!("cargo:rerun-if-changed=protected.toml");
    let file: ProtectedFile = read(Path::new("protected.toml"));
    writeln!(
        out,
        "/// Where each agent keeps the registration of our hook.\npub static AGENT_FILES: &[crate::protected::AgentFiles] = &["
    )
    .unwrap();
    for agent in file.agent {
        writeln!(
            out,
            "crate::protected::AgentFiles {{ id: {:?}, user: &{:?}, project: &{:?}, system: &{:?} }},",
            agent.id, agent.user, agent.project, agent.system
        )
        .unwrap();
    }
    writeln!(out, "];").unwrap();
}
