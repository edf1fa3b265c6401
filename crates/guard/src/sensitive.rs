//! Which paths hold secrets: the catalogue of `sensitive/*.toml` and the order it is evaluated in.

use sekisho_host::{EntryKind, Host, path};
use sekisho_policy::Snapshot;
use sekisho_verdict::RuleId;

use crate::selection::{glob_matches, glob_matches_path};

/// How the patterns of an entry are compared with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Below the home directory; a directory covers what is below it.
    Home,
    /// The same, and copies with a backup suffix beside it.
    HomeWithBackups,
    /// The same, for agents' own files: an allow path does not lift it.
    Cli,
    /// Absolute.
    Absolute,
    /// The file's name.
    Basename,
    /// A pattern for the file's name.
    BasenameGlob,
    /// The file's name, if its text holds assignments.
    Assignments,
    /// `.env.` and anything but a template or a document.
    EnvVariant,
    /// The name followed by `-`, `_` or a backup suffix.
    Variant,
    /// A name without a dot that ends so.
    KeyShape,
    /// The last extension; each has an id of its own.
    Extension,
    /// The last extension; all share one id.
    ExtensionGroup,
}

/// One entry of the catalogue.
#[derive(Debug)]
pub struct Entry {
    /// Its rule id, or the beginning of it.
    pub id: &'static str,
    /// How its patterns are compared.
    pub kind: Kind,
    /// The patterns.
    pub patterns: &'static [&'static str],
    /// It asks instead of denying.
    pub ask: bool,
    /// It is off until the user's policy turns it on.
    pub opt_in: bool,
    /// What is in there, in a few words.
    pub what: &'static str,
}

/// A path that holds secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The rule.
    pub rule: RuleId,
    /// It asks instead of denying.
    pub ask: bool,
    /// What is in there.
    pub what: &'static str,
    /// It is a store of keys or credentials that must not be overwritten either.
    pub store: bool,
    /// The entry of the user's policy that names it.
    pub entry: Option<String>,
}

const BACKUP_SUFFIXES: &[&str] = &["bak", "backup", "copy", "disabled", "old", "orig", "save", "tmp"];
const VARIANT_SUFFIXES: &[&str] = &["bak", "backup", "copy", "disabled", "key", "old", "orig", "pem", "save", "tmp"];
const TEMPLATES: &[&str] = &[".env.example", ".env.sample", ".env.template", ".env.defaults"];
const PUBLIC_KEYS: &[&str] = &["id_rsa.pub", "id_ed25519.pub", "id_ecdsa.pub", "id_dsa.pub"];
const DOCUMENTS: &[&str] = &["md", "mdx", "rst", "adoc"];
const SOURCE_EXTENSIONS: &[&str] = &[
    "c", "cc", "cpp", "cs", "css", "dart", "ex", "exs", "go", "h", "hpp", "hs", "html", "java", "js", "jsx", "kt", "lua", "md",
    "ml", "mjs", "php", "pl", "py", "rb", "rs", "scala", "sh", "sql", "swift", "tf", "ts", "tsx", "vue", "zig",
];
const TEST_DIRECTORIES: &[&str] = &["test", "tests", "fixtures", "testdata", "examples"];

/// Looks at paths for one call.
pub struct Looker<'a> {
    /// The machine.
    pub host: &'a dyn Host,
    /// The policy.
    pub snapshot: &'a Snapshot,
    /// The home directory, with links followed.
    pub home: &'a str,
    /// The session's directory, for relative entries of the policy.
    pub workspace: &'a str,
}

impl Looker<'_> {
    /// What a path holds, if it is a secret: `places` are its spellings (as written, links followed), all absolute.
    pub fn look(&self, places: &[&str]) -> Option<Hit> {
        if let Some(hit) = self.denied_by_policy(places) {
            return Some(hit);
        }
        if !self.snapshot.secret_protection() {
            return None;
        }
        let name = places.first().and_then(|place| path::file_name(place)).unwrap_or_default().to_lowercase();
        if is_template(&name) {
            return None;
        }
        let public =
            PUBLIC_KEYS.contains(&name.as_str()) || name.ends_with(".pub") && places.iter().any(|place| place.contains("/.ssh/"));
        if public {
            return None;
        }
        let hit = crate::tables::SENSITIVE.iter().find_map(|entry| self.entry(entry, places))?;
        let lifted = !hit.rule.as_str().starts_with("secret.cli.") && self.allowed_by_policy(places);
        (!lifted).then_some(hit)
    }

    fn entry(&self, entry: &Entry, places: &[&str]) -> Option<Hit> {
        let (id, store) = places.iter().find_map(|place| self.matches(entry, place))?;
        let on = if entry.opt_in { self.snapshot.switched_on(&id) } else { self.snapshot.rule_state(&id, false, None) };
        on.then(|| Hit { rule: RuleId::custom(id), ask: entry.ask, what: entry.what, store, entry: None })
    }

    /// The id under which `place` matches, and whether it is a store of keys or credentials.
    fn matches(&self, entry: &Entry, place: &str) -> Option<(String, bool)> {
        let id = || entry.id.to_owned();
        let lower = path::file_name(place).unwrap_or_default().to_lowercase();
        let name = lower.as_str();
        match entry.kind {
            Kind::Home | Kind::Cli | Kind::HomeWithBackups => {
                let relative = path::relative_to(place, self.home)?;
                if entry.patterns.iter().any(|pattern| covers(pattern, relative)) {
                    return Some((id(), true));
                }
                let backup = (entry.kind == Kind::HomeWithBackups).then(|| {
                    entry.patterns.iter().find_map(|pattern| {
                        let suffix = relative.strip_prefix(pattern)?.strip_prefix('.')?;
                        BACKUP_SUFFIXES.contains(&suffix).then(|| format!("{}.{suffix}", entry.id))
                    })
                });
                backup.flatten().map(|id| (id, true))
            }
            Kind::Absolute => entry
                .patterns
                .iter()
                .any(|pattern| covers(pattern.trim_start_matches('/'), place.trim_start_matches('/')))
                .then(|| (id(), true)),
            _ if is_vendored(place) && !matches!(entry.kind, Kind::Basename | Kind::EnvVariant | Kind::Variant) => None,
            Kind::Basename => entry.patterns.contains(&name).then(|| (id(), name.starts_with("id_") || name == "credentials")),
            Kind::BasenameGlob => entry.patterns.iter().any(|pattern| glob_matches(pattern, name)).then(|| (id(), false)),
            Kind::Assignments => (entry.patterns.contains(&name) && self.holds_assignments(place)).then(|| (id(), false)),
            Kind::EnvVariant => {
                let rest = entry.patterns.iter().find_map(|pattern| name.strip_prefix(pattern)).filter(|rest| !rest.is_empty())?;
                let document = rest.rsplit('.').next().is_some_and(|extension| DOCUMENTS.contains(&extension));
                (!document && self.is_file_name(name, place)).then(|| (id(), false))
            }
            Kind::Variant => {
                let rest = entry.patterns.iter().find_map(|pattern| name.strip_prefix(pattern)).filter(|rest| !rest.is_empty())?;
                if let Some(suffix) = rest.strip_prefix('.') {
                    return VARIANT_SUFFIXES.contains(&suffix).then(|| (format!("{}.{suffix}", entry.id), true));
                }
                let source = name.rsplit_once('.').is_some_and(|(_, extension)| SOURCE_EXTENSIONS.contains(&extension));
                (rest.starts_with(['-', '_']) && !source && self.is_file_name(name, place))
                    .then(|| (format!("{}.separator", entry.id), true))
            }
            Kind::KeyShape => {
                (!name.contains('.') && entry.patterns.iter().any(|ending| name.ends_with(ending))).then(|| (id(), true))
            }
            Kind::Extension | Kind::ExtensionGroup => {
                let (stem, extension) = name.rsplit_once('.')?;
                if stem.is_empty() || !entry.patterns.contains(&extension) {
                    return None;
                }
                let sample = matches!(extension, "pem" | "asc" | "crt" | "key" | "jks" | "keystore" | "p12" | "pfx" | "pkcs12")
                    && path::components(place).any(|component| TEST_DIRECTORIES.contains(&component));
                let id = if entry.kind == Kind::Extension { format!("{}.{extension}", entry.id) } else { id() };
                (!sample).then_some((id, true))
            }
        }
    }

    /// A name without white space, or a file that exists: prose that merely begins like a secret's name is neither.
    fn is_file_name(&self, name: &str, place: &str) -> bool {
        !name.contains(char::is_whitespace) || self.host.entry(place).is_some()
    }

    fn holds_assignments(&self, place: &str) -> bool {
        const LIMIT: usize = 64 * 1024;
        self.host.read(place, LIMIT).map_or(true, |text| {
            text.lines().any(|line| {
                let line = line.trim_start().strip_prefix("export ").unwrap_or(line.trim_start());
                line.split_once('=').is_some_and(|(name, value)| {
                    !name.is_empty()
                        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                        && !value.trim().is_empty()
                })
            })
        })
    }

    fn denied_by_policy(&self, places: &[&str]) -> Option<Hit> {
        let entry = self.snapshot.secret_deny_paths().find(|entry| places.iter().any(|place| self.policy_path(entry, place)))?;
        Some(Hit {
            rule: RuleId::new("secret.deny-path"),
            ask: false,
            what: "a path your policy denies",
            store: true,
            entry: Some(entry.to_owned()),
        })
    }

    fn allowed_by_policy(&self, places: &[&str]) -> bool {
        self.snapshot.secret_allow_paths().any(|entry| places.iter().all(|place| self.policy_path(entry, place)))
    }

    fn policy_path(&self, entry: &str, place: &str) -> bool {
        let absolute = match entry.strip_prefix("~/") {
            Some(rest) => path::join(self.home, rest),
            None if path::is_absolute(entry) => path::normalize(entry),
            None => path::join(self.workspace, entry),
        };
        if absolute.contains(['*', '?', '[']) {
            return covers(absolute.trim_start_matches('/'), place.trim_start_matches('/'));
        }
        path::is_within(place, &absolute)
    }

    /// The paths a pattern can select that hold secrets. Names in its directory where that can be listed (at most 256), else the
    /// names of the catalogue that the pattern matches.
    pub fn look_at_pattern(&self, pattern: &str) -> Option<Hit> {
        const ENTRIES: usize = 256;
        let (directory, rest) = crate::selection::split_glob(pattern);
        let rest = rest.trim_end_matches('/');
        if rest.contains('/') {
            // A pattern over several levels: judged by its last name alone, by what it says as a whole (`/proc/*/environ`), and in
            // this home where it names every home.
            let last = rest.rsplit('/').next().unwrap_or(rest);
            if has_magic(last) {
                return None;
            }
            let whole = path::join(&directory, rest);
            let depth = path::components(self.home).count();
            let start: String = path::components(&whole).take(depth).fold(String::new(), |start, part| start + "/" + part);
            let at_home = glob_matches_path(&start, self.home)
                .then(|| path::components(&whole).skip(depth).fold(self.home.to_owned(), |place, part| path::join(&place, part)));
            let named = path::join(&directory, last);
            return self.look(&[&named]).or_else(|| self.look(&[&whole])).or_else(|| self.look(&[at_home?.as_str()]));
        }
        // All there is in a place for secrets, public halves apart.
        if let Some(hit) = self.look(&[&directory]).filter(|_| !rest.ends_with(".pub")) {
            return Some(hit);
        }
        if rest.starts_with(['*', '?', '[', '!']) {
            // Whoever writes `*` means what is visible; only a pattern that begins with a name asks for what it names.
            return None;
        }
        match self.host.list(&directory, ENTRIES) {
            Ok(names) => {
                names.iter().filter(|name| glob_matches(rest, name)).find_map(|name| self.look(&[&path::join(&directory, name)]))
            }
            Err(_) => {
                let names = crate::tables::SENSITIVE.iter().filter(|entry| entry.kind == Kind::Basename);
                names
                    .flat_map(|entry| entry.patterns)
                    .filter(|name| glob_matches(rest, name))
                    .find_map(|name| self.look(&[&path::join(&directory, name)]))
            }
        }
    }

    /// The secrets a search may find by `name` below `root`, at whatever depth: the names of the catalogue that it matches.
    pub fn look_for_name(&self, root: &str, name: &str) -> Option<Hit> {
        if !has_magic(name) {
            return self.look(&[&path::join(root, name)]);
        }
        if name.starts_with(['*', '?', '[', '!']) {
            return None;
        }
        let names = crate::tables::SENSITIVE.iter().filter(|entry| entry.kind == Kind::Basename).flat_map(|entry| entry.patterns);
        names.filter(|known| glob_matches(name, known)).find_map(|known| self.look(&[&path::join(root, known)]))
    }

    /// The file exists.
    pub fn exists(&self, places: &[&str]) -> bool {
        places.iter().any(|place| matches!(self.host.entry(place), Some(EntryKind::File { .. } | EntryKind::Link)))
    }
}

fn has_magic(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// The relative pattern names `relative` or a directory above it.
fn covers(pattern: &str, relative: &str) -> bool {
    if !has_magic(pattern) {
        let beginning = relative.get(..pattern.len()).unwrap_or_default();
        let rest = relative.get(pattern.len()..).unwrap_or_default();
        return beginning.eq_ignore_ascii_case(pattern) && (rest.is_empty() || rest.starts_with('/'));
    }
    let depth = pattern.split('/').count();
    let beginning: Vec<_> = relative.split('/').take(depth).collect();
    beginning.len() == depth && glob_matches_path(pattern, &beginning.join("/"))
}

fn is_template(name: &str) -> bool {
    // `.env.test.example` is a template of `.env.test`.
    let of_variant =
        name.starts_with(".env.") && [".example", ".sample", ".template", ".defaults"].iter().any(|end| name.ends_with(end));
    TEMPLATES.contains(&name) || of_variant || name.starts_with(".env.example.") || name.starts_with(".env.sample.")
}

/// Third-party code keeps test keys of its own.
fn is_vendored(place: &str) -> bool {
    let mut previous = "";
    path::components(place).any(|component| {
        let vendored =
            matches!(component, "node_modules" | "__pycache__") || previous == "vendor" && matches!(component, "bundle" | "cache");
        previous = component;
        vendored
    })
}
