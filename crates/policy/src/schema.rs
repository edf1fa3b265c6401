//! `policy.json`, version 1, as written: every field that could be read, and nothing decided yet.
//!
//! A field that is wrong is noted and left out; its neighbours count. What is missing gets its default in [`crate::merge`].

use std::collections::BTreeMap;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::common::{Range, Ranged};
use sekisho_host::path::{self, Style};
use sekisho_host::{Host, Platform};
use sekisho_verdict::Level;

use crate::document::{Document, Scope, below};
use crate::snapshot::{AskUnavailable, Capability, OnFailure, Override, Pack, PackState};
use crate::time;

/// Characters of a reason.
const REASON_CHARACTERS: usize = 256;

/// What one file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Written {
    pub level: Option<Level>,
    /// A level is named, but it is none of those there are.
    pub level_is_invalid: bool,
    pub capabilities: BTreeMap<Capability, bool>,
    pub worktree_mode: Option<bool>,
    pub destructive: Protection,
    pub secrets: Protection,
    pub deny_paths_enabled: Option<bool>,
    pub secret_deny_paths: Vec<String>,
    pub retention_days: Option<u16>,
    pub shell_tools: Vec<String>,
    pub packs: BTreeMap<Pack, PackState>,
    pub ask_unavailable: Option<AskUnavailable>,
    pub on_failure: Option<OnFailure>,
    pub approvals: Option<serde_json::Value>,
}

/// The fields both protections have.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Protection {
    pub enabled: Option<bool>,
    pub overrides: BTreeMap<String, Override>,
    pub allow_paths: Vec<String>,
}

/// Which paths a list of paths may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Paths {
    /// Roots that may be deleted below: absolute or below `~`, no patterns.
    DeleteRoots,
    /// Exceptions from the catalogue of secrets: also relative, no patterns.
    SecretExceptions,
    /// Additions to it: also relative, also patterns.
    SecretAdditions,
}

pub(crate) struct Reader<'d, 'a> {
    pub document: &'d mut Document<'a>,
    pub host: &'d dyn Host,
    /// Seconds since 1970, where there is a clock.
    pub now: &'d dyn Fn() -> Option<i64>,
}

const ON_OFF: &str = "Write \"on\", \"off\" or { \"state\": …, \"reason\": …, \"expires\": … }.";

impl<'a> Reader<'_, 'a> {
    /// Reads the whole file. `None` where it does not hold an object.
    pub fn read(&mut self) -> Option<Written> {
        let root = self.document.root()?;
        let mut written = Written::default();
        let mut version = None;
        for (name, value, range) in self.document.properties(&root, "") {
            match name {
                "version" => version = Some(value),
                "$schema" => {}
                "safety" => self.safety(value, &mut written),
                "workflow" => self.workflow(value, &mut written),
                "destructive_command_protection" => self.destructive(value, &mut written),
                "secret_protection" => self.secrets(value, &mut written),
                "audit" => self.audit(value, range, &mut written),
                "tools" => self.tools(value, &mut written),
                "packs" => self.packs(value, &mut written),
                "ask_unavailable" => {
                    let words = [("deny", AskUnavailable::Deny), ("abstain", AskUnavailable::Abstain)];
                    written.ask_unavailable = self.document.word(value, name, &words, "Write \"deny\" or \"abstain\".");
                }
                "failure" => {
                    if self.user_only(range, name) {
                        let words = [("deny", OnFailure::Deny), ("ask", OnFailure::Ask)];
                        written.on_failure = self.document.word(value, name, &words, "Write \"deny\" or \"ask\".");
                    }
                }
                "approvals" => self.approvals(value, &mut written),
                _ => self.document.unknown_key(range, "", name),
            }
        }
        self.version(version, root.range);
        Some(written)
    }

    fn version(&mut self, version: Option<&Value<'a>>, root: Range) {
        const FIX: &str = "Write \"version\": 1.";
        match version {
            Some(Value::NumberLit(number)) if number.value == "1" => {}
            Some(value) => {
                self.document.note(Some(value.range()), Some("version"), "only version 1 is known; what can be read counts", FIX)
            }
            None => self.document.note(Some(root), Some("version"), "the version is missing; what can be read counts", FIX),
        }
    }

    /// Whether a field that only the user's file may have stands there.
    fn user_only(&mut self, range: Range, field: &str) -> bool {
        let allowed = self.document.scope == Scope::User;
        if !allowed {
            self.document.note(Some(range), Some(field), "only the user's own file may say this; it has no effect", "Remove it.");
        }
        allowed
    }

    fn each<'v>(&mut self, value: &'v Value<'a>, field: &str) -> Vec<(&'v str, &'v Value<'a>, Range)> {
        match self.document.object(value, field) {
            Some(object) => self.document.properties(object, field),
            None => Vec::new(),
        }
    }

    fn safety(&mut self, value: &Value<'a>, written: &mut Written) {
        for (name, value, range) in self.each(value, "safety") {
            match name {
                "level" => match level(value) {
                    Some(level) => written.level = Some(level),
                    None => {
                        written.level_is_invalid = true;
                        let what = "the level is not one of those there are; `strict` or stricter is in force";
                        self.document.note(
                            Some(value.range()),
                            Some("safety.level"),
                            what,
                            "Write \"standard\", \"strict\" or \"paranoid\".",
                        );
                    }
                },
                "overrides" => {
                    for (name, value, range) in self.each(value, "safety.overrides") {
                        match Capability::ALL.iter().find(|capability| capability.word() == name) {
                            Some(capability) => {
                                if let Some(on) = self.document.boolean(value, &below("safety.overrides", name)) {
                                    written.capabilities.insert(*capability, on);
                                }
                            }
                            None => self.document.unknown_key(range, "safety.overrides", name),
                        }
                    }
                }
                _ => self.document.unknown_key(range, "safety", name),
            }
        }
    }

    fn workflow(&mut self, value: &Value<'a>, written: &mut Written) {
        for (name, value, range) in self.each(value, "workflow") {
            match name {
                "worktree_mode" => written.worktree_mode = self.document.boolean(value, "workflow.worktree_mode"),
                _ => self.document.unknown_key(range, "workflow", name),
            }
        }
    }

    fn destructive(&mut self, value: &Value<'a>, written: &mut Written) {
        const FIELD: &str = "destructive_command_protection";
        for (name, value, range) in self.each(value, FIELD) {
            let field = below(FIELD, name);
            match name {
                "enabled" => written.destructive.enabled = self.document.boolean(value, &field),
                "overrides" => written.destructive.overrides = self.overrides(value, &field),
                "allow_paths" => written.destructive.allow_paths = self.paths(value, &field, Paths::DeleteRoots),
                _ => self.document.unknown_key(range, FIELD, name),
            }
        }
    }

    fn secrets(&mut self, value: &Value<'a>, written: &mut Written) {
        const FIELD: &str = "secret_protection";
        for (name, value, range) in self.each(value, FIELD) {
            let field = below(FIELD, name);
            match name {
                "enabled" => written.secrets.enabled = self.document.boolean(value, &field),
                "deny_paths_enabled" => written.deny_paths_enabled = self.document.boolean(value, &field),
                "overrides" => written.secrets.overrides = self.overrides(value, &field),
                "allow_paths" => written.secrets.allow_paths = self.paths(value, &field, Paths::SecretExceptions),
                "deny_paths" => written.secret_deny_paths = self.paths(value, &field, Paths::SecretAdditions),
                _ => self.document.unknown_key(range, FIELD, name),
            }
        }
    }

    fn audit(&mut self, value: &Value<'a>, range: Range, written: &mut Written) {
        if !self.user_only(range, "audit") {
            return;
        }
        for (name, value, range) in self.each(value, "audit") {
            match (name, value) {
                ("retention_days", Value::NumberLit(number))
                    if number.value.parse().is_ok_and(|days: u16| (1..=365).contains(&days)) =>
                {
                    written.retention_days = number.value.parse().ok();
                }
                ("retention_days", _) => {
                    let what = "a whole number from 1 to 365 is expected; 30 days are in force";
                    self.document.note(Some(value.range()), Some("audit.retention_days"), what, "Write a number of days.");
                }
                _ => self.document.unknown_key(range, "audit", name),
            }
        }
    }

    fn tools(&mut self, value: &Value<'a>, written: &mut Written) {
        for (name, value, range) in self.each(value, "tools") {
            match name {
                "shell" => {
                    written.shell_tools = self.document.strings(value, "tools.shell").into_iter().map(|(tool, _)| tool).collect()
                }
                _ => self.document.unknown_key(range, "tools", name),
            }
        }
    }

    fn packs(&mut self, value: &Value<'a>, written: &mut Written) {
        for (name, value, range) in self.each(value, "packs") {
            let Some(pack) = Pack::ALL.iter().find(|pack| pack.word() == name) else {
                self.document.unknown_key(range, "packs", name);
                continue;
            };
            let words = [("on", PackState::On), ("ask", PackState::Ask), ("off", PackState::Off)];
            if let Some(state) = self.document.word(value, &below("packs", name), &words, "Write \"on\", \"ask\" or \"off\".") {
                written.packs.insert(*pack, state);
            }
        }
    }

    /// Entries that allow, ask or deny by tool are read by those who apply them; here only what is not the project's to say goes.
    fn approvals(&mut self, value: &Value<'a>, written: &mut Written) {
        const USER_ONLY: &[&str] = &["auto", "effects", "without_isolation", "disable_defaults"];
        let Some(object) = self.document.object(value, "approvals") else {
            return;
        };
        let mut kept = serde_json::Map::new();
        for (name, value, range) in self.document.properties(object, "approvals") {
            if !USER_ONLY.contains(&name) || self.user_only(range, &below("approvals", name)) {
                kept.insert(name.to_owned(), serde_json::Value::from(value.clone()));
            }
        }
        written.approvals = Some(serde_json::Value::Object(kept));
    }

    fn overrides(&mut self, value: &Value<'a>, field: &str) -> BTreeMap<String, Override> {
        let mut overrides = BTreeMap::new();
        for (id, value, range) in self.each(value, field) {
            let path = below(field, id);
            let read = match value {
                Value::Object(object) => self.detailed_override(object, &path),
                _ => self
                    .document
                    .word(value, &path, &[("on", true), ("off", false)], ON_OFF)
                    .map(|on| Override { on, ..Override::default() }),
            };
            if let Some(read) = read {
                let line = self.document.line_of(range);
                overrides.insert(id.to_owned(), Override { line, ..read });
            }
        }
        overrides
    }

    fn detailed_override(&mut self, object: &Object<'a>, field: &str) -> Option<Override> {
        let mut on = None;
        let mut reason = None;
        let mut expired = false;
        for (name, value, range) in self.document.properties(object, field) {
            let path = below(field, name);
            match (name, value) {
                ("state", _) => on = self.document.word(value, &path, &[("on", true), ("off", false)], ON_OFF),
                ("reason", Value::StringLit(text)) if text.value.chars().count() <= REASON_CHARACTERS => {
                    reason = Some(text.value.to_string())
                }
                ("reason", _) => {
                    self.document.note(
                        Some(value.range()),
                        Some(&path),
                        "a text of at most 256 characters is expected",
                        "Shorten the reason.",
                    );
                }
                ("expires", Value::StringLit(text)) if time::seconds(&text.value).is_some() => {
                    expired = time::seconds(&text.value).zip((self.now)()).is_some_and(|(end, now)| end <= now);
                }
                ("expires", _) => {
                    // An end that cannot be read must not become no end.
                    expired = true;
                    let what = "a date or time is expected; the entry has no effect";
                    self.document.note(
                        Some(value.range()),
                        Some(&path),
                        what,
                        "Write it like \"2030-01-31\" or \"2030-01-31T12:00:00Z\".",
                    );
                }
                _ => self.document.unknown_key(range, field, name),
            }
        }
        if expired {
            self.document.remark(
                Some(object.range),
                Some(field),
                "this entry has expired and has no effect",
                "Remove it or move its end.",
            );
            return None;
        }
        if on.is_none() {
            self.document.note(Some(object.range), Some(field), "the state is missing; the entry has no effect", ON_OFF);
        }
        on.map(|on| Override { on, reason, line: None })
    }

    fn paths(&mut self, value: &Value<'a>, field: &str, kind: Paths) -> Vec<String> {
        let mut paths = Vec::new();
        for (text, range) in self.document.strings(value, field) {
            match self.fault(&text, kind) {
                None => paths.push(self.with_slashes(text)),
                Some(what) => self.document.note(Some(range), Some(field), what, "Name the directory or file itself."),
            }
        }
        paths
    }

    /// What is wrong with an entry of a list of paths.
    fn fault(&self, text: &str, kind: Paths) -> Option<&'static str> {
        let style = Style::of_platform(self.host.platform());
        let below_home = text == "~" || text.starts_with("~/") || (style == Style::Windows && text.starts_with(r"~\"));
        let absolute = text.starts_with('/') || (style == Style::Windows && path::is_absolute(text));
        if text.trim().is_empty() {
            return Some("the path is empty; it has no effect");
        }
        if text.contains('\0') {
            return Some("the path holds a character no path has; it has no effect");
        }
        if kind == Paths::DeleteRoots && !below_home && !absolute {
            return Some("the path must be absolute or begin with `~/`; it has no effect");
        }
        if kind != Paths::SecretAdditions && text.contains(['*', '?']) {
            return Some("patterns are not possible here; it has no effect");
        }
        if text
            .split(|character| character == '/' || (style == Style::Windows && character == '\\'))
            .any(|component| component == "..")
        {
            return Some("`..` is not possible here; it has no effect");
        }
        let place = match text.strip_prefix('~') {
            Some(rest) if below_home => path::join(self.host.home(), rest.trim_start_matches(['/', '\\'])),
            _ if absolute => path::normalize_in(style, text),
            _ => return None,
        };
        path::is_within_on(self.host.platform(), self.host.home(), &place)
            .then_some("the home directory and what is above it cannot be named here; it has no effect")
    }

    fn with_slashes(&self, text: String) -> String {
        if self.host.platform() == Platform::Windows { text.replace('\\', "/") } else { text }
    }
}

fn level(value: &Value<'_>) -> Option<Level> {
    match value {
        Value::StringLit(text) => crate::merge::level(&text.value),
        _ => None,
    }
}
