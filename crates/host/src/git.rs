//! Git repositories, read without running git.
//!
//! Everything here reads a few small files with limits; a repository in a state that git itself would refuse is
//! described as far as it goes. Sources: gitrepository-layout(5), git-config(1), gitattributes(5), git-rev-parse(1), Git 2.47.

use crate::path;
use crate::resolve::Resolver;
use crate::{EntryKind, Host};

/// Directories above the start that are searched for a `.git`.
const LEVELS: usize = 256;
/// Bytes of `HEAD`, `commondir` and a `.git` file.
const POINTER_BYTES: usize = 16 * 1024;
/// Bytes of a configuration or attributes file.
const CONFIG_BYTES: usize = 1024 * 1024;
/// Bytes of `packed-refs`.
const PACKED_REFS_BYTES: usize = 16 * 1024 * 1024;

/// A repository and where its parts lie. Paths are absolute; `…_canonical` have their links followed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Repository {
    /// The top of the work tree; for a bare repository, its directory.
    pub work_tree: String,
    /// The path of `.git` (for a bare repository, its directory).
    pub entry: String,
    /// `.git` is a file that points elsewhere: a linked worktree or a submodule.
    pub entry_is_file: bool,
    /// The directory with this work tree's `HEAD` and index.
    pub git_dir: String,
    /// The same place with links followed.
    pub git_dir_canonical: String,
    /// The directory with objects, references and configuration.
    pub common_dir: String,
    /// The same place with links followed.
    pub common_dir_canonical: String,
    /// Directories git takes hooks from, as written and with links followed.
    pub hooks: Vec<String>,
    /// The work tree was made by `git worktree add`.
    pub is_linked_worktree: bool,
    /// There is no work tree.
    pub is_bare: bool,
}

impl Repository {
    /// Every directory that holds Git metadata, as written and with links followed, without duplicates.
    pub fn metadata_directories(&self) -> Vec<&str> {
        let mut directories: Vec<&str> = Vec::new();
        for directory in [&self.git_dir, &self.git_dir_canonical, &self.common_dir, &self.common_dir_canonical] {
            if !directories.contains(&directory.as_str()) {
                directories.push(directory);
            }
        }
        directories
    }
}

/// The repository `from` lies in: the first `.git` upward, or a bare repository around it.
pub fn locate(host: &dyn Host, from: &str) -> Option<Repository> {
    let mut directory = from;
    for _ in 0..LEVELS {
        let entry = path::join(directory, ".git");
        match host.entry(&entry) {
            Some(EntryKind::Directory) => return Some(describe(host, directory, &entry, None)),
            Some(EntryKind::File { .. }) => {
                return Some(describe(host, directory, &entry, pointed_at(host, directory, &entry)));
            }
            Some(EntryKind::Link) => {
                let target = Resolver::new(host).canonical(None, &entry).ok();
                let points = target.is_some_and(|target| matches!(target.kind, Some(EntryKind::File { .. })));
                let pointed = if points { pointed_at(host, directory, &entry) } else { None };
                return Some(describe(host, directory, &entry, pointed));
            }
            _ => {}
        }
        if is_bare_repository(host, directory) {
            let mut repository = describe(host, directory, directory, None);
            repository.is_bare = true;
            return Some(repository);
        }
        directory = path::parent(directory)?;
    }
    None
}

/// Source: setup.c `is_git_directory`: a `HEAD`, an `objects` and a `refs`. `HEAD` is looked at first, so that an ordinary
/// directory costs one look.
fn is_bare_repository(host: &dyn Host, directory: &str) -> bool {
    let kind = |name: &str| host.entry(&path::join(directory, name));
    matches!(kind("HEAD"), Some(EntryKind::File { .. } | EntryKind::Link))
        && kind("objects") == Some(EntryKind::Directory)
        && kind("refs") == Some(EntryKind::Directory)
}

/// The directory a `.git` file names.
fn pointed_at(host: &dyn Host, directory: &str, entry: &str) -> Option<String> {
    let text = host.read(entry, POINTER_BYTES).ok()?;
    let target = text.lines().next()?.strip_prefix("gitdir:")?.trim();
    (!target.is_empty()).then(|| path::join(directory, target))
}

fn describe(host: &dyn Host, work_tree: &str, entry: &str, pointed: Option<String>) -> Repository {
    let mut resolver = Resolver::new(host);
    let mut canonical = |path: &str| resolver.canonical(None, path).map_or_else(|_| path.to_owned(), |resolved| resolved.canonical);
    let entry_is_file = pointed.is_some() || matches!(host.entry(entry), Some(EntryKind::File { .. }));
    let git_dir = pointed.unwrap_or_else(|| entry.to_owned());
    let common = if entry_is_file { host.read(&path::join(&git_dir, "commondir"), POINTER_BYTES).ok() } else { None };
    let common_dir = common
        .as_deref()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map_or_else(|| git_dir.clone(), |text| path::join(&git_dir, text));
    let mut repository = Repository {
        work_tree: work_tree.to_owned(),
        entry: entry.to_owned(),
        entry_is_file,
        git_dir_canonical: canonical(&git_dir),
        common_dir_canonical: canonical(&common_dir),
        is_linked_worktree: entry_is_file && common_dir != git_dir,
        git_dir,
        common_dir,
        hooks: Vec::new(),
        is_bare: false,
    };
    let mut hooks: Vec<String> = repository.metadata_directories().iter().map(|directory| path::join(directory, "hooks")).collect();
    if let Some(configured) = config(host, &repository).get("core.hookspath").filter(|text| !text.is_empty()) {
        hooks.push(match configured.strip_prefix("~/") {
            Some(rest) => path::join(host.home(), rest),
            None => path::join(work_tree, configured),
        });
    }
    for hook in hooks {
        let real = canonical(&hook);
        for directory in [hook, real] {
            if !repository.hooks.contains(&directory) {
                repository.hooks.push(directory);
            }
        }
    }
    repository
}

/// Where `HEAD` stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Head {
    /// On a branch.
    Branch(String),
    /// On a commit.
    Detached(String),
    /// Unreadable, or kept in a format that is not text files (reftable).
    Unknown,
}

/// Where the work tree's `HEAD` stands.
pub fn head(host: &dyn Host, repository: &Repository) -> Head {
    let Ok(text) = host.read(&path::join(&repository.git_dir, "HEAD"), POINTER_BYTES) else {
        return Head::Unknown;
    };
    let text = text.trim();
    if let Some(reference) = text.strip_prefix("ref:") {
        return match reference.trim().strip_prefix("refs/heads/") {
            Some(branch) if !branch.is_empty() && branch != ".invalid" => Head::Branch(branch.to_owned()),
            _ => Head::Unknown,
        };
    }
    if text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        Head::Detached(text.to_owned())
    } else {
        Head::Unknown
    }
}

/// The branch the work tree is on.
pub fn current_branch(host: &dyn Host, repository: &Repository) -> Option<String> {
    match head(host, repository) {
        Head::Branch(branch) => Some(branch),
        Head::Detached(_) | Head::Unknown => None,
    }
}

/// Whether a local branch of that name exists.
pub fn branch_exists(host: &dyn Host, repository: &Repository, name: &str) -> bool {
    reference_exists(host, repository, &[format!("refs/heads/{name}")])
}

/// Whether `name` is a reference: in full (`refs/tags/v1`) or short, in git's own order of search (gitrevisions(7)).
pub fn ref_exists(host: &dyn Host, repository: &Repository, name: &str) -> bool {
    let full = [
        name.to_owned(),
        format!("refs/{name}"),
        format!("refs/tags/{name}"),
        format!("refs/heads/{name}"),
        format!("refs/remotes/{name}"),
        format!("refs/remotes/{name}/HEAD"),
    ];
    // Directly below the Git directory only names in capitals are references (`HEAD`, `FETCH_HEAD`), not `config` or `index`.
    let pseudo = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let first = usize::from(!(pseudo || name.starts_with("refs/")));
    reference_exists(host, repository, full.get(first..).unwrap_or_default())
}

fn reference_exists(host: &dyn Host, repository: &Repository, names: &[String]) -> bool {
    // Source: git-check-ref-format(1).
    let possible = |name: &str| {
        !name.contains("..") && !name.ends_with('/') && !name.bytes().any(|byte| byte <= b' ' || b"~^:?*[\\\x7f".contains(&byte))
    };
    let names: Vec<&String> = names.iter().filter(|name| possible(name)).collect();
    let loose = |directory: &str, name: &str| {
        matches!(host.entry(&path::join(directory, name)), Some(EntryKind::File { .. } | EntryKind::Link))
    };
    if names.iter().any(|name| {
        loose(&repository.common_dir, name) || (repository.git_dir != repository.common_dir && loose(&repository.git_dir, name))
    }) {
        return true;
    }
    let Ok(packed) = host.read(&path::join(&repository.common_dir, "packed-refs"), PACKED_REFS_BYTES) else {
        return false;
    };
    packed
        .lines()
        .filter(|line| !line.starts_with(['#', '^']))
        .filter_map(|line| line.split_once(' '))
        .any(|(_, reference)| names.iter().any(|name| name.as_str() == reference.trim_end()))
}

/// The settings of one configuration file, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Config {
    /// Key (section and name in lower case, subsection as written) and value; `None` for a name alone, which means true.
    entries: Vec<(String, Option<String>)>,
    /// The file includes others, which are not read.
    pub has_includes: bool,
    /// Part of the file could not be understood, or it is larger than what is read.
    pub is_incomplete: bool,
}

impl Config {
    /// The last value of a setting, as git takes it; `true` for a name alone. The key is `section.name` or `section.subsection.name`.
    pub fn get(&self, key: &str) -> Option<&str> {
        let key = folded(key);
        self.entries.iter().rev().find(|(known, _)| *known == key).map(|(_, value)| value.as_deref().unwrap_or("true"))
    }

    /// Every value of a setting, in order.
    pub fn all<'a>(&'a self, key: &str) -> impl Iterator<Item = &'a str> {
        let key = folded(key);
        self.entries.iter().filter(move |(known, _)| *known == key).map(|(_, value)| value.as_deref().unwrap_or("true"))
    }

    /// A yes-or-no setting. Source: git-config(1), "Values".
    pub fn boolean(&self, key: &str) -> Option<bool> {
        let value = self.get(key)?.to_ascii_lowercase();
        match value.as_str() {
            "true" | "yes" | "on" => Some(true),
            "false" | "no" | "off" | "" => Some(false),
            number => number.parse::<i64>().ok().map(|number| number != 0),
        }
    }

    /// The settings whose key starts with `prefix`: what follows it, and the value. `alias.` lists the aliases.
    pub fn with_prefix<'a>(&'a self, prefix: &str) -> impl Iterator<Item = (&'a str, &'a str)> {
        let prefix = prefix.to_owned();
        self.entries.iter().filter_map(move |(key, value)| {
            key.strip_prefix(prefix.as_str()).map(|rest| (rest, value.as_deref().unwrap_or("true")))
        })
    }

    /// Adds the settings of `later`, which win.
    pub fn extend(&mut self, later: Config) {
        self.entries.extend(later.entries);
        self.has_includes |= later.has_includes;
        self.is_incomplete |= later.is_incomplete;
    }

    /// Reads the text of a configuration file.
    pub fn parse(text: &str) -> Self {
        ConfigReader {
            rest: text.strip_prefix('\u{feff}').unwrap_or(text).chars().peekable(),
            config: Self::default(),
            section: String::new(),
        }
        .read()
    }
}

/// A key with section and name in lower case; the subsection between them keeps its case.
fn folded(key: &str) -> String {
    match (key.split_once('.'), key.rsplit_once('.')) {
        (Some((section, _)), Some((head, name))) if section.len() < head.len() => {
            let subsection = head.get(section.len()..).unwrap_or_default();
            format!("{}{subsection}.{}", section.to_ascii_lowercase(), name.to_ascii_lowercase())
        }
        _ => key.to_ascii_lowercase(),
    }
}

/// Reads a configuration file character by character. Source: git-config(1), "Syntax".
struct ConfigReader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    config: Config,
    section: String,
}

impl ConfigReader<'_> {
    fn read(mut self) -> Config {
        while let Some(character) = self.rest.peek().copied() {
            match character {
                '#' | ';' => self.skip_line(),
                '[' => self.header(),
                _ if character.is_whitespace() => drop(self.rest.next()),
                _ if character.is_ascii_alphabetic() => self.setting(),
                _ => {
                    self.config.is_incomplete = true;
                    self.skip_line();
                }
            }
        }
        self.config
    }

    fn skip_line(&mut self) {
        for character in self.rest.by_ref() {
            if character == '\n' {
                break;
            }
        }
    }

    fn header(&mut self) {
        self.rest.next();
        let mut section = String::new();
        let mut subsection: Option<String> = None;
        while let Some(character) = self.rest.next() {
            match character {
                ']' => {
                    self.section = match subsection {
                        Some(subsection) => format!("{section}.{subsection}"),
                        // `[section.sub]` is an old spelling whose subsection ignores case.
                        None => section,
                    };
                    self.config.has_includes |= self.section == "include" || self.section.starts_with("includeif.");
                    return;
                }
                '"' if subsection.is_none() => subsection = Some(self.quoted_subsection()),
                '\n' => break,
                _ if character.is_whitespace() => {}
                _ => section.push(character.to_ascii_lowercase()),
            }
        }
        self.config.is_incomplete = true;
        self.section.clear();
    }

    fn quoted_subsection(&mut self) -> String {
        let mut name = String::new();
        while let Some(character) = self.rest.next() {
            match character {
                '"' => break,
                '\\' => name.extend(self.rest.next()),
                _ => name.push(character),
            }
        }
        name
    }

    fn setting(&mut self) {
        let mut name = String::new();
        while let Some(character) = self.rest.next_if(|character| character.is_ascii_alphanumeric() || *character == '-') {
            name.push(character.to_ascii_lowercase());
        }
        while self.rest.next_if(|character| *character == ' ' || *character == '\t' || *character == '\r').is_some() {}
        let value = match self.rest.peek() {
            Some('=') => {
                self.rest.next();
                Some(self.value())
            }
            Some('\n') | None => None,
            Some('#' | ';') => {
                self.skip_line();
                None
            }
            Some(_) => {
                self.config.is_incomplete = true;
                self.skip_line();
                return;
            }
        };
        if self.section.is_empty() {
            self.config.is_incomplete = true;
            return;
        }
        let key = format!("{}.{name}", self.section);
        self.config.entries.push((key, value));
    }

    fn value(&mut self) -> String {
        let mut value = String::new();
        let mut quoted = false;
        // Space outside quotes counts only when something follows it.
        let mut kept = 0;
        while let Some(character) = self.rest.next() {
            match character {
                '\n' => break,
                '"' => {
                    quoted = !quoted;
                    kept = value.len();
                }
                '\\' => {
                    match self.rest.next() {
                        Some('\n') => continue,
                        Some('\r') if self.rest.next_if_eq(&'\n').is_some() => continue,
                        Some('n') => value.push('\n'),
                        Some('t') => value.push('\t'),
                        Some('b') => value.push('\u{8}'),
                        Some(other) => value.push(other),
                        None => {}
                    }
                    kept = value.len();
                }
                '#' | ';' if !quoted => {
                    self.skip_line();
                    break;
                }
                _ if character.is_whitespace() && !quoted => {
                    if !value.is_empty() || kept > 0 {
                        value.push(character);
                    }
                }
                _ => {
                    value.push(character);
                    kept = value.len();
                }
            }
        }
        value.truncate(kept);
        value
    }
}

/// A setting as lines of a configuration file.
pub(crate) fn config_lines(key: &str, value: &str) -> String {
    let (head, name) = key.rsplit_once('.').unwrap_or(("", key));
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let value = escaped(value).replace('\n', "\\n");
    match head.split_once('.') {
        Some((section, subsection)) => format!("[{section} \"{}\"]\n\t{name} = \"{value}\"\n", escaped(subsection)),
        None => format!("[{head}]\n\t{name} = \"{value}\"\n"),
    }
}

/// The repository's own settings: `config`, and `config.worktree` where there is one.
pub fn config(host: &dyn Host, repository: &Repository) -> Config {
    let mut config = config_file(host, &path::join(&repository.common_dir, "config"));
    if config.boolean("extensions.worktreeconfig") == Some(true) {
        config.extend(config_file(host, &path::join(&repository.git_dir, "config.worktree")));
    }
    config
}

/// The user's own settings: `~/.config/git/config`, then `~/.gitconfig`.
pub fn user_config(host: &dyn Host) -> Config {
    let mut config = config_file(host, &path::join(host.home(), ".config/git/config"));
    config.extend(config_file(host, &path::join(host.home(), ".gitconfig")));
    config
}

fn config_file(host: &dyn Host, path: &str) -> Config {
    match host.read(path, CONFIG_BYTES) {
        Ok(text) => Config::parse(&text),
        Err(crate::ReadFailure::Missing) => Config::default(),
        Err(_) => Config { is_incomplete: true, ..Config::default() },
    }
}

/// What an attributes line says about an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AttributeState {
    /// `name`
    Set,
    /// `-name`
    Unset,
    /// `!name`
    Unspecified,
    /// `name=value`
    Value(String),
}

/// One line of an attributes file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeLine {
    /// Which paths; for a macro definition, `[attr]name`.
    pub pattern: String,
    /// What it says about them.
    pub attributes: Vec<(String, AttributeState)>,
}

/// Reads the text of an attributes file. Source: gitattributes(5).
pub fn parse_attributes(text: &str) -> Vec<AttributeLine> {
    text.lines().filter_map(attribute_line).collect()
}

fn attribute_line(line: &str) -> Option<AttributeLine> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return None;
    }
    let (pattern, rest) = match line.strip_prefix('"') {
        Some(quoted) => quoted_pattern(quoted),
        None => {
            let end = line.find(char::is_whitespace).unwrap_or(line.len());
            (line.get(..end).unwrap_or_default().to_owned(), line.get(end..).unwrap_or_default())
        }
    };
    let attributes = rest.split_whitespace().map(attribute).collect();
    Some(AttributeLine { pattern, attributes })
}

fn quoted_pattern(quoted: &str) -> (String, &str) {
    let mut pattern = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => pattern.extend(characters.next()),
            _ => pattern.push(character),
        }
    }
    (pattern, characters.as_str())
}

fn attribute(word: &str) -> (String, AttributeState) {
    if let Some(name) = word.strip_prefix('-') {
        return (name.to_owned(), AttributeState::Unset);
    }
    if let Some(name) = word.strip_prefix('!') {
        return (name.to_owned(), AttributeState::Unspecified);
    }
    match word.split_once('=') {
        Some((name, value)) => (name.to_owned(), AttributeState::Value(value.to_owned())),
        None => (word.to_owned(), AttributeState::Set),
    }
}

/// The attributes of the work tree's top and of the repository itself. Files deeper in the tree are not read.
pub fn attributes(host: &dyn Host, repository: &Repository) -> Vec<AttributeLine> {
    let files = [path::join(&repository.work_tree, ".gitattributes"), path::join(&repository.common_dir, "info/attributes")];
    files.iter().filter_map(|file| host.read(file, CONFIG_BYTES).ok()).flat_map(|text| parse_attributes(&text)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::in_memory::World;

    fn world() -> World {
        let mut world = World::linux("/home/dev", "/home/dev/app");
        world.git_repository("/home/dev/app").directory("src/deep").branch("feature/x");
        world
    }

    #[test]
    fn finds_the_first_entry_upward() {
        let world = world();
        let repository = locate(&world, "/home/dev/app/src/deep").unwrap();
        assert_eq!(repository.work_tree, "/home/dev/app");
        assert_eq!(repository.git_dir, "/home/dev/app/.git");
        assert_eq!(repository.hooks, ["/home/dev/app/.git/hooks"]);
        assert!(!repository.entry_is_file && !repository.is_linked_worktree && !repository.is_bare);
        assert_eq!(locate(&world, "/home/dev"), None);
        assert_eq!(locate(&world, "/"), None);
    }

    #[test]
    fn follows_a_linked_worktree_and_a_submodule() {
        let mut world = world();
        world
            .file("/home/dev/tree/.git", "gitdir: ../app/.git/worktrees/tree\n")
            .file("/home/dev/app/.git/worktrees/tree/commondir", "../..\n")
            .file("/home/dev/app/.git/worktrees/tree/HEAD", "ref: refs/heads/side\n")
            .file("/home/dev/app/sub/.git", "gitdir: ../.git/modules/sub")
            .file("/home/dev/app/.git/modules/sub/HEAD", "ref: refs/heads/main\n");
        let tree = locate(&world, "/home/dev/tree").unwrap();
        assert!(tree.entry_is_file && tree.is_linked_worktree);
        assert_eq!(tree.git_dir, "/home/dev/app/.git/worktrees/tree");
        assert_eq!(tree.common_dir, "/home/dev/app/.git");
        assert_eq!(current_branch(&world, &tree).as_deref(), Some("side"));
        assert!(branch_exists(&world, &tree, "feature/x"));
        let module = locate(&world, "/home/dev/app/sub").unwrap();
        assert!(module.entry_is_file && !module.is_linked_worktree);
        assert_eq!(module.git_dir, "/home/dev/app/.git/modules/sub");
    }

    #[test]
    fn sees_links_bare_repositories_and_configured_hooks() {
        let mut world = world();
        world.symlink("/home/dev/other/.git", "/home/dev/app/.git").git_config("core.hooksPath", "tools/hooks");
        let other = locate(&world, "/home/dev/other").unwrap();
        assert_eq!((other.git_dir.as_str(), other.git_dir_canonical.as_str()), ("/home/dev/other/.git", "/home/dev/app/.git"));
        assert_eq!(other.hooks, ["/home/dev/other/.git/hooks", "/home/dev/app/.git/hooks", "/home/dev/other/tools/hooks"]);
        world.file("/srv/x.git/HEAD", "ref: refs/heads/main").directory("/srv/x.git/objects").directory("/srv/x.git/refs");
        assert!(locate(&world, "/srv/x.git/refs").unwrap().is_bare);
        world.file("/home/dev/broken/.git", "nonsense");
        assert_eq!(locate(&world, "/home/dev/broken").unwrap().git_dir, "/home/dev/broken/.git");
    }

    #[test]
    fn references() {
        let mut world = world();
        world
            .file(
                ".git/packed-refs",
                "# pack-refs with: peeled\n0123 refs/tags/v1\n^4567\n89ab refs/remotes/origin/main\ncdef refs/remotes/up/HEAD\n",
            )
            .file(".git/FETCH_HEAD", "");
        let repository = locate(&world, "/home/dev/app").unwrap();
        for name in ["main", "feature/x", "v1", "tags/v1", "refs/tags/v1", "origin/main", "up", "HEAD", "FETCH_HEAD", "heads/main"]
        {
            assert!(ref_exists(&world, &repository, name), "{name}");
        }
        for name in ["feature", "v2", "config", "index", "../x", "main~1", "", "src", "refs/heads"] {
            assert!(!ref_exists(&world, &repository, name), "{name}");
        }
        assert!(branch_exists(&world, &repository, "main") && !branch_exists(&world, &repository, "v1"));
        assert_eq!(head(&world, &repository), Head::Branch("main".into()));
        world.file(".git/HEAD", "0123456789012345678901234567890123456789\n");
        assert!(matches!(head(&world, &repository), Head::Detached(_)));
    }

    #[test]
    fn configuration_syntax() {
        let config = Config::parse(concat!(
            "\u{feff}; comment\n[core]\n\teditor = vim # not part\n\tBare\n  hooksPath = \"a b\"\n",
            "[alias]\n\tst = status\n\tl = \"!f() { git log \\\"$@\\\"; }; f\"\n\tlong = one \\\n two\n",
            "[remote \"Origin\"]\n\turl = https://x # y\n[branch.Old]\nmerge=refs/heads/x\r\n",
            "[diff \"a]b\"] textconv = cat\n[empty]\nkey =\nother = \"\"\n[core]\neditor = nano\n",
        ));
        for (key, value) in [
            ("core.editor", Some("nano")),
            ("core.bare", Some("true")),
            ("CORE.HooksPath", Some("a b")),
            ("alias.st", Some("status")),
            ("alias.l", Some("!f() { git log \"$@\"; }; f")),
            ("alias.long", Some("one  two")),
            ("remote.Origin.url", Some("https://x")),
            ("remote.origin.url", None),
            ("branch.old.merge", Some("refs/heads/x")),
            ("diff.a]b.textconv", Some("cat")),
            ("empty.key", Some("")),
            ("empty.other", Some("")),
            ("nothing.here", None),
        ] {
            assert_eq!(config.get(key), value, "{key}");
        }
        assert_eq!(config.with_prefix("alias.").map(|(name, _)| name).collect::<Vec<_>>(), ["st", "l", "long"]);
        assert_eq!(config.all("core.editor").collect::<Vec<_>>(), ["vim", "nano"]);
        assert_eq!(config.boolean("core.bare"), Some(true));
        assert!(!config.has_includes && !config.is_incomplete);
        assert!(Config::parse("[include]\npath=x").has_includes);
        assert!(Config::parse("[includeIf \"gitdir:~/\"]\npath=x").has_includes);
        for broken in ["[core\nx=1", "x = 1", "[a]\n= 1\n", "[a]\nb c\n"] {
            assert!(Config::parse(broken).is_incomplete, "{broken}");
        }
    }

    #[test]
    fn settings_written_are_settings_read() {
        for (key, value) in [("core.pager", "less -R"), ("alias.x", "!sh -c \"a\\b\" # c"), ("diff.My Driver.textconv", "cat\nx")] {
            assert_eq!(Config::parse(&config_lines(key, value)).get(key), Some(value));
        }
    }

    #[test]
    fn attributes_of_both_places() {
        let mut world = world();
        world.git_attributes("# no\n*.png diff=image -text !eol\n\"a b\" filter=x\n").file(".git/info/attributes", "*.c text\n");
        let lines = attributes(&world, &locate(&world, "/home/dev/app").unwrap());
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0].attributes[0], ("diff".into(), AttributeState::Value("image".into())));
        assert_eq!(lines[0].attributes[1], ("text".into(), AttributeState::Unset));
        assert_eq!(lines[0].attributes[2], ("eol".into(), AttributeState::Unspecified));
        assert_eq!(lines[1].pattern, "a b");
    }
}
