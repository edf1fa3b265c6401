//! Finds the files, reads them through the host, and makes the snapshot.

use std::time::{SystemTime, UNIX_EPOCH};

use sekisho_host::resolve::Resolver;
use sekisho_host::{EntryKind, Host, ReadFailure, path};

use crate::document::{Diagnostic, Document, FILE_BYTES, Scope};
use crate::merge::{self, Environment, Source};
use crate::schema::Reader;
use crate::snapshot::Snapshot;
use crate::wrappers;

/// Where settings lie. Absolute paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Places<'a> {
    /// The user's settings.
    pub settings_dir: &'a str,
    /// The project's: `.sekisho` at the top of the work tree.
    pub project_dir: Option<&'a str>,
}

const POLICY: &str = "policy.json";
const RULES: &str = "rules/rule.json";

/// The policy in force. Costs two failed opens a scope where nobody wrote anything.
pub fn load(host: &dyn Host, places: &Places<'_>) -> Snapshot {
    let project_dir = places.project_dir.filter(|project| !path::same_on(host.platform(), project, places.settings_dir));
    let mut found = Found { host, now: &clock, diagnostics: Vec::new(), wrappers: Vec::new() };
    let user = found.policy(Scope::User, places.settings_dir);
    let project = project_dir.map(|directory| found.policy(Scope::Project, directory)).unwrap_or_default();
    found.rules(Scope::User, places.settings_dir);
    if let Some(directory) = project_dir {
        found.rules(Scope::Project, directory);
    }
    found.snapshot(user, project, &|name| host.environment(name))
}

impl Snapshot {
    /// The policy in force in a world made of data: two files as values, variables and home from `host`. There is no clock, so no
    /// entry has expired. The project is not trusted.
    pub fn from_values(user: Option<&serde_json::Value>, project: Option<&serde_json::Value>, host: &dyn Host) -> Self {
        let text = |value: Option<&serde_json::Value>| value.map(|value| format!("{value:#}"));
        Self::from_texts(text(user).as_deref(), text(project).as_deref(), false, host)
    }

    /// The same from the texts of the files. A project the user trusts may weaken as the user's own file may.
    pub fn from_texts(user: Option<&str>, project: Option<&str>, project_is_trusted: bool, host: &dyn Host) -> Self {
        let mut found = Found { host, now: &|| None, diagnostics: Vec::new(), wrappers: Vec::new() };
        let user = user.map(|text| found.source(Scope::User, POLICY, text, false)).unwrap_or_default();
        let project = project.map(|text| found.source(Scope::Project, ".sekisho/policy.json", text, !project_is_trusted));
        found.snapshot(user, project.unwrap_or_default(), &|name| host.environment(name))
    }
}

fn clock() -> Option<i64> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}

/// What has been found so far.
struct Found<'a> {
    host: &'a dyn Host,
    now: &'a dyn Fn() -> Option<i64>,
    diagnostics: Vec<Diagnostic>,
    wrappers: Vec<String>,
}

impl Found<'_> {
    fn policy(&mut self, scope: Scope, directory: &str) -> Source {
        let file = path::join(directory, POLICY);
        match self.host.read(&file, FILE_BYTES) {
            Ok(text) => {
                let strays = self.strays(&file, directory);
                if strays {
                    let what = "the file is a link that leaves its directory; only what tightens is in force";
                    self.whole_file(scope, &file, what, "Put the file itself there.");
                }
                self.source(scope, &file, &text, strays || scope == Scope::Project)
            }
            Err(ReadFailure::Missing) => {
                // A link that leads nowhere is not a file that was never written.
                if self.host.entry(&file).is_none() { Source::default() } else { self.unreadable(scope, &file) }
            }
            Err(_) => self.unreadable(scope, &file),
        }
    }

    fn unreadable(&mut self, scope: Scope, file: &str) -> Source {
        let what = "the file cannot be read; the built-in rules are in force at level `strict`";
        self.whole_file(scope, file, what, "Make it a regular, readable text file of at most 256 KiB, or remove it.");
        Source { is_malformed: true, only_tightens: true, ..Source::default() }
    }

    fn whole_file(&mut self, scope: Scope, file: &str, what: &'static str, fix: &'static str) {
        self.diagnostics.push(Diagnostic {
            scope,
            file: file.to_owned(),
            line: None,
            column: None,
            field: None,
            what,
            fix,
            degrades: true,
        });
    }

    fn source(&mut self, scope: Scope, file: &str, text: &str, only_tightens: bool) -> Source {
        let mut document = Document::new(scope, file, text);
        let written = Reader { document: &mut document, host: self.host, now: self.now }.read();
        self.diagnostics.append(&mut document.diagnostics);
        Source { is_malformed: written.is_none(), written: written.unwrap_or_default(), only_tightens }
    }

    fn rules(&mut self, scope: Scope, directory: &str) {
        let file = path::join(directory, RULES);
        let text = match self.host.read(&file, FILE_BYTES) {
            Ok(text) => text,
            Err(ReadFailure::Missing) => return,
            Err(_) => {
                let what = "the rule configuration cannot be read; none of it is in force";
                return self.whole_file(scope, &file, what, "Make it a regular, readable text file.");
            }
        };
        let mut document = Document::new(scope, &file, &text);
        for wrapper in wrappers::read(&mut document) {
            if !self.wrappers.contains(&wrapper) {
                self.wrappers.push(wrapper);
            }
        }
        self.diagnostics.append(&mut document.diagnostics);
    }

    /// The file is reached through a link that leads out of its directory.
    fn strays(&self, file: &str, directory: &str) -> bool {
        if self.host.entry(file) != Some(EntryKind::Link) {
            return false;
        }
        let mut resolver = Resolver::new(self.host);
        match (resolver.canonical(None, file), resolver.canonical(None, directory)) {
            (Ok(file), Ok(directory)) => !path::is_within(&file.canonical, &directory.canonical),
            _ => true,
        }
    }

    fn snapshot(self, user: Source, project: Source, environment: Environment<'_>) -> Snapshot {
        let mut snapshot = merge::merge(user, project, environment);
        snapshot.diagnostics.splice(0..0, self.diagnostics);
        snapshot.transparent_wrappers = self.wrappers;
        snapshot
    }
}
