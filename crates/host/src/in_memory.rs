//! A world made of data.
//!
//! [`World`] implements [`Host`] on a table of paths, so that a decision can be tested, replayed and asked for without touching a
//! disk. Paths may be given with backslashes, relative to the world's working directory, or below `~`; missing parents are made.
//!
//! ```
//! use sekisho_host::in_memory::World;
//! use sekisho_host::{FileState, Host};
//!
//! let mut world = World::linux("/home/dev", "/home/dev/app");
//! world.git_repository("/home/dev/app").branch("feature").file("src/main.rs", "fn main() {}").modified("src/main.rs");
//! assert_eq!(world.file_state("/home/dev/app/src/main.rs"), FileState::TrackedModified);
//! ```

use std::collections::BTreeMap;

use crate::path::{self, Style};
use crate::{EntryKind, FileState, Host, Platform, ReadFailure};

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    Directory,
    File(String),
    Link(String),
    BlockDevice,
    CharacterDevice,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    /// The path as it was given; the key may have another case.
    path: String,
    node: Node,
}

/// Which undeclared paths inside the work tree exist, tracked and modified.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum Conjured {
    #[default]
    Nothing,
    /// Those that end with one of these (components joined by `/`; `true` for a directory).
    Named(Vec<(String, bool)>),
    Everything,
}

/// A machine made of data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    platform: Platform,
    home: String,
    cwd: String,
    users: BTreeMap<String, String>,
    environment: BTreeMap<String, String>,
    places: BTreeMap<String, Place>,
    states: BTreeMap<String, FileState>,
    work_tree: Option<String>,
    conjured: Conjured,
}

/// Directories of every Unix world. Source: Filesystem Hierarchy Standard 3.0.
const UNIX_DIRECTORIES: &[&str] = &[
    "/",
    "/boot",
    "/dev",
    "/etc",
    "/home",
    "/lib",
    "/media",
    "/mnt",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/srv",
    "/sys",
    "/tmp",
    "/usr",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/share",
    "/var",
    "/var/lib",
    "/var/log",
    "/var/tmp",
];
const MAC_DIRECTORIES: &[&str] =
    &["/Applications", "/Library", "/System", "/Users", "/Volumes", "/private", "/private/etc", "/private/tmp", "/private/var"];
const WINDOWS_DIRECTORIES: &[&str] = &[
    "C:/",
    "C:/Program Files",
    "C:/Program Files (x86)",
    "C:/ProgramData",
    "C:/Users",
    "C:/Windows",
    "C:/Windows/System32",
    "C:/Windows/Temp",
];
const CHARACTER_DEVICES: &[&str] =
    &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/console", "/dev/mem"];
const BLOCK_DEVICES: &[&str] = &["/dev/sda", "/dev/sda1", "/dev/sdb", "/dev/nvme0n1", "/dev/nvme0n1p1", "/dev/vda", "/dev/loop0"];
/// Source: Linux and Debian conventions, udev(7) and UsrMerge.
const UNIX_LINKS: &[(&str, &str)] = &[
    ("/dev/stdin", "/proc/self/fd/0"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/dev/fd", "/proc/self/fd"),
];
const LINUX_LINKS: &[(&str, &str)] = &[("/bin", "usr/bin"), ("/sbin", "usr/sbin")];

impl World {
    /// A Linux machine with the usual directories and devices, a user `dev` and a working directory.
    pub fn linux(home: &str, cwd: &str) -> Self {
        Self::new(Platform::Linux, home, cwd)
    }

    /// A Windows machine.
    pub fn windows(home: &str, cwd: &str) -> Self {
        Self::new(Platform::Windows, home, cwd)
    }

    /// A machine with the usual directories, devices and variables (`HOME`, `USER`, `SHELL`, `PATH`), a home and a working directory.
    pub fn new(platform: Platform, home: &str, cwd: &str) -> Self {
        let style = Style::of_platform(platform);
        let home = path::normalize_in(style, home);
        let cwd = path::normalize_in(style, cwd);
        let mut world = Self {
            platform,
            users: BTreeMap::new(),
            environment: BTreeMap::new(),
            places: BTreeMap::new(),
            states: BTreeMap::new(),
            work_tree: None,
            conjured: Conjured::Nothing,
            home: home.clone(),
            cwd: cwd.clone(),
        };
        let user = path::file_name(&home).unwrap_or("dev").to_owned();
        world.user(&user, &home);
        let unix = platform != Platform::Windows;
        if unix {
            world.directories(UNIX_DIRECTORIES).links(UNIX_LINKS);
            for device in CHARACTER_DEVICES {
                world.character_device(device);
            }
            for device in BLOCK_DEVICES {
                world.block_device(device);
            }
            world.user("root", "/root");
            world.variable("HOME", &home).variable("USER", &user).variable("SHELL", "/bin/bash");
            world.variable("PATH", "/usr/local/bin:/usr/bin:/bin");
        } else {
            world.directories(WINDOWS_DIRECTORIES);
            let native = home.replace('/', "\\");
            world.variable("USERPROFILE", &native).variable("HOME", &native).variable("USERNAME", &user);
            world.variable("SYSTEMROOT", r"C:\Windows").variable("TEMP", &format!(r"{native}\AppData\Local\Temp"));
        }
        match platform {
            Platform::Linux => world.links(LINUX_LINKS),
            Platform::MacOs => world.directories(MAC_DIRECTORIES),
            Platform::Windows => &mut world,
        };
        world.directory(&home).directory(&cwd);
        world
    }

    /// A path as the world keeps it: absolute, `/`-separated, `~` replaced.
    pub fn absolute(&self, text: &str) -> String {
        let separators = |text: &str| text.starts_with('/') || (self.platform == Platform::Windows && text.starts_with('\\'));
        match text.strip_prefix('~') {
            Some("") => self.home.clone(),
            Some(rest) if separators(rest) => path::join(&self.home, rest.trim_start_matches(['/', '\\'])),
            _ if path::is_absolute(text) && Style::of_text(text) == Style::Windows => path::normalize_in(Style::Windows, text),
            _ => path::join(&self.cwd, text),
        }
    }

    fn key(&self, path: &str) -> String {
        if path::ignores_case(self.platform) { path.to_ascii_lowercase() } else { path.to_owned() }
    }

    fn put(&mut self, path: &str, node: Node) -> &mut Self {
        let path = self.absolute(path);
        let mut above = path::parent(&path);
        while let Some(directory) = above {
            let key = self.key(directory);
            if self.places.contains_key(&key) {
                break;
            }
            self.places.insert(key, Place { path: directory.to_owned(), node: Node::Directory });
            above = path::parent(directory);
        }
        let key = self.key(&path);
        self.places.insert(key, Place { path, node });
        self
    }

    fn directories(&mut self, paths: &[&str]) -> &mut Self {
        for path in paths {
            self.directory(path);
        }
        self
    }

    fn links(&mut self, links: &[(&str, &str)]) -> &mut Self {
        for (path, target) in links {
            self.link(path, target);
        }
        self
    }

    /// The working directory that relative paths of this builder start from. It exists.
    pub fn working_directory(&self) -> &str {
        &self.cwd
    }

    /// A user and the home directory `~name` stands for.
    pub fn user(&mut self, name: &str, home: &str) -> &mut Self {
        self.users.insert(name.to_owned(), home.to_owned());
        self
    }

    /// An environment variable.
    pub fn variable(&mut self, name: &str, value: &str) -> &mut Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    /// Takes an environment variable away.
    pub fn without_variable(&mut self, name: &str) -> &mut Self {
        self.environment.remove(name);
        self
    }

    /// A directory. What stands there already stays.
    pub fn directory(&mut self, path: &str) -> &mut Self {
        let key = self.key(&self.absolute(path));
        if self.places.contains_key(&key) { self } else { self.put(path, Node::Directory) }
    }

    /// A regular file with its text.
    pub fn file(&mut self, path: &str, text: &str) -> &mut Self {
        self.put(path, Node::File(text.to_owned()))
    }

    /// A symbolic link that holds `target` as written, whether or not anything is there.
    pub fn link(&mut self, path: &str, target: &str) -> &mut Self {
        self.put(path, Node::Link(target.to_owned()))
    }

    /// A symbolic link whose target exists: as a directory, unless it is or will be declared otherwise.
    pub fn symlink(&mut self, path: &str, target: &str) -> &mut Self {
        let link = self.absolute(path);
        let at = match path::parent(&link) {
            _ if target.starts_with('~') => self.absolute(target),
            Some(parent) => path::join(parent, target),
            None => self.absolute(target),
        };
        let held = if target.starts_with('~') { at.clone() } else { target.to_owned() };
        self.directory(&at).link(&link, &held)
    }

    /// A junction (Windows): a link to an absolute directory, which exists.
    pub fn junction(&mut self, path: &str, target: &str) -> &mut Self {
        let target = self.absolute(target);
        self.directory(&target).link(path, &target)
    }

    /// A block device.
    pub fn block_device(&mut self, path: &str) -> &mut Self {
        self.put(path, Node::BlockDevice)
    }

    /// A character device.
    pub fn character_device(&mut self, path: &str) -> &mut Self {
        self.put(path, Node::CharacterDevice)
    }

    /// Takes away what stands at a path, and everything below it.
    pub fn remove(&mut self, path: &str) -> &mut Self {
        let root = self.key(&self.absolute(path));
        self.places.retain(|key, _| !path::is_within(key, &root));
        self
    }

    /// Makes `path` the top of a Git work tree: branch `main`, clean, no remotes.
    pub fn git_repository(&mut self, path: &str) -> &mut Self {
        let top = self.absolute(path);
        let git = path::join(&top, ".git");
        self.directory(&top).directory(&git);
        for directory in ["hooks", "info", "objects/pack", "refs/heads", "refs/tags", "logs"] {
            self.directory(&path::join(&git, directory));
        }
        self.file(&path::join(&git, "HEAD"), "ref: refs/heads/main\n");
        self.file(&path::join(&git, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
        self.file(&path::join(&git, "refs/heads/main"), OBJECT);
        self.file(&path::join(&git, "index"), "DIRC");
        self.work_tree = Some(top);
        self
    }

    /// No Git repository at the work tree declared before.
    pub fn without_git(&mut self) -> &mut Self {
        if let Some(top) = self.work_tree.take() {
            self.remove(&path::join(&top, ".git"));
        }
        self
    }

    fn git_file(&mut self, name: &str, text: &str) -> &mut Self {
        match self.work_tree.clone() {
            Some(top) => self.file(&path::join(&top, &format!(".git/{name}")), text),
            None => self,
        }
    }

    /// A branch of the work tree's repository.
    pub fn branch(&mut self, name: &str) -> &mut Self {
        self.git_file(&format!("refs/heads/{name}"), OBJECT)
    }

    /// The branch the work tree is on. It exists.
    pub fn on_branch(&mut self, name: &str) -> &mut Self {
        self.branch(name).git_file("HEAD", &format!("ref: refs/heads/{name}\n"))
    }

    /// A setting of the repository, `section.key` or `section.subsection.key`.
    pub fn git_config(&mut self, key: &str, value: &str) -> &mut Self {
        let Some(top) = self.work_tree.clone() else {
            return self;
        };
        let path = path::join(&top, ".git/config");
        let mut text = self.read(&path, usize::MAX).unwrap_or_default();
        text.push_str(&crate::git::config_lines(key, value));
        self.file(&path, &text)
    }

    /// The text of the work tree's `.gitattributes`.
    pub fn git_attributes(&mut self, text: &str) -> &mut Self {
        match self.work_tree.clone() {
            Some(top) => self.file(&path::join(&top, ".gitattributes"), text),
            None => self,
        }
    }

    /// An existing file that is tracked and changed. It is made if it is not there.
    pub fn modified(&mut self, path: &str) -> &mut Self {
        self.with_state(path, FileState::TrackedModified)
    }

    /// An existing file Git does not track. It is made if it is not there.
    pub fn untracked(&mut self, path: &str) -> &mut Self {
        self.with_state(path, FileState::Untracked)
    }

    fn with_state(&mut self, path: &str, state: FileState) -> &mut Self {
        let path = self.absolute(path);
        let key = self.key(&path);
        if !self.places.contains_key(&key) {
            self.file(&path, "content\n");
        }
        self.states.insert(key, state);
        self
    }

    /// Every path `text` (a command, say) names inside the work tree exists, is tracked and modified. A word counts wherever
    /// the command may have changed to, so a path exists when it ends with the components of a word; options, and
    /// names under `.git` and `.sekisho`, do not count. A word that ends with `/` is a directory.
    pub fn dirty_paths_named_in(&mut self, text: &str) -> &mut Self {
        let mut named = match std::mem::take(&mut self.conjured) {
            Conjured::Named(named) => named,
            Conjured::Nothing | Conjured::Everything => Vec::new(),
        };
        let ends = |character: char| character.is_whitespace() || "'\"`;|&()<>{}=,:$".contains(character);
        for word in text.split(ends).filter(|word| !word.is_empty() && !word.starts_with('-')) {
            let directory = word.ends_with(['/', '\\']);
            let normal = path::normalize_in(Style::of_platform(self.platform), word);
            let below_tree = self.work_tree.as_deref().and_then(|top| path::relative_to(&normal, top)).unwrap_or(&normal);
            let kept = below_tree.trim_start_matches("../").trim_start_matches('/');
            if !kept.is_empty() && kept != "." && kept != ".." {
                named.push((self.key(kept), directory));
            }
        }
        self.conjured = Conjured::Named(named);
        self
    }

    /// Every path inside the work tree that nothing else is said about exists as a file, tracked and modified.
    pub fn everything_dirty(&mut self) -> &mut Self {
        self.conjured = Conjured::Everything;
        self
    }

    /// What an undeclared path is, if [`Conjured`] says it exists.
    fn conjured(&self, path: &str) -> Option<EntryKind> {
        let top = self.work_tree.as_deref()?;
        let below = path::relative_to_on(self.platform, path, top).filter(|below| !below.is_empty())?;
        if [".git", ".sekisho"].iter().any(|own| path::is_within_on(self.platform, below, own)) {
            return None;
        }
        let file = Some(EntryKind::File { size: CONJURED_SIZE });
        match &self.conjured {
            Conjured::Nothing => None,
            Conjured::Everything => file,
            Conjured::Named(named) => {
                let below = self.key(below);
                let ends_with =
                    |whole: &str, end: &str| whole.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
                // A directory on the way to a named path exists too: `docs` of `docs/evidence/a.txt`.
                let leads_to = |named: &str| {
                    named.match_indices('/').any(|(at, _)| named.get(..at).is_some_and(|above| ends_with(&below, above)))
                };
                if let Some((_, directory)) = named.iter().find(|(name, _)| ends_with(&below, name)) {
                    return if *directory { Some(EntryKind::Directory) } else { file };
                }
                named.iter().any(|(name, _)| leads_to(name)).then_some(EntryKind::Directory)
            }
        }
    }

    /// The place at a path, its parents' links followed. `None` for the place where nothing is declared.
    fn place(&self, path: &str) -> (String, Option<&Place>) {
        let mut current = path.to_owned();
        for _ in 0..LINKS_FOLLOWED {
            let Some((above, target)) = self.first_link_above(&current) else {
                break;
            };
            let rest = current.get(above.len()..).unwrap_or_default().trim_start_matches('/').to_owned();
            let parent = path::parent(&above).unwrap_or("/");
            current = path::join(&path::join(parent, &target), &rest);
        }
        let place = self.places.get(&self.key(&current));
        (current, place)
    }

    /// The uppermost link among the directories above a path, and what it holds.
    fn first_link_above(&self, path: &str) -> Option<(String, String)> {
        let ends = path.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
        ends.filter_map(|at| path.get(..at)).find_map(|above| match self.places.get(&self.key(above)) {
            Some(Place { node: Node::Link(target), .. }) => Some((above.to_owned(), target.clone())),
            _ => None,
        })
    }

    /// The place at a path with every link followed, the last one too.
    fn target(&self, path: &str) -> (String, Option<&Place>) {
        let mut current = path.to_owned();
        for _ in 0..LINKS_FOLLOWED {
            let (at, place) = self.place(&current);
            match place {
                Some(Place { node: Node::Link(target), .. }) => {
                    current = path::join(path::parent(&at).unwrap_or("/"), target);
                }
                _ => return (at, place),
            }
        }
        (current, None)
    }
}

/// The text of a reference that nobody follows.
const OBJECT: &str = "0123456789abcdef0123456789abcdef01234567\n";
const CONJURED_SIZE: u64 = 64;
const LINKS_FOLLOWED: usize = 40;

impl Host for World {
    fn home(&self) -> &str {
        &self.home
    }

    fn home_of(&self, user: &str) -> Option<String> {
        self.users.get(user).cloned()
    }

    fn environment(&self, name: &str) -> Option<String> {
        if self.platform == Platform::Windows {
            return self.environment.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.clone());
        }
        self.environment.get(name).cloned()
    }

    fn platform(&self) -> Platform {
        self.platform
    }

    fn entry(&self, path: &str) -> Option<EntryKind> {
        let (at, place) = self.place(path);
        match place {
            None => self.conjured(&at),
            Some(place) => Some(match &place.node {
                Node::Directory => EntryKind::Directory,
                Node::File(text) => EntryKind::File { size: text.len() as u64 },
                Node::Link(_) => EntryKind::Link,
                Node::BlockDevice => EntryKind::BlockDevice,
                Node::CharacterDevice => EntryKind::CharacterDevice,
            }),
        }
    }

    fn link_target(&self, path: &str) -> Option<String> {
        match self.place(path).1 {
            Some(Place { node: Node::Link(target), .. }) => Some(target.clone()),
            _ => None,
        }
    }

    fn read(&self, path: &str, limit: usize) -> Result<String, ReadFailure> {
        let (at, place) = self.target(path);
        match place.map(|place| &place.node) {
            Some(Node::File(text)) if text.len() > limit => Err(ReadFailure::TooLarge),
            Some(Node::File(text)) => Ok(text.clone()),
            Some(_) => Err(ReadFailure::WrongKind),
            // It exists, but nobody said what it holds.
            None if self.conjured(&at).is_some() => Err(ReadFailure::Unreadable),
            None => Err(ReadFailure::Missing),
        }
    }

    fn list(&self, path: &str, limit: usize) -> Result<Vec<String>, ReadFailure> {
        let (at, place) = self.target(path);
        match place.map(|place| &place.node) {
            Some(Node::Directory) => {}
            Some(_) => return Err(ReadFailure::WrongKind),
            None => return Err(ReadFailure::Missing),
        }
        let directory = self.key(&at);
        let names: Vec<String> = self
            .places
            .values()
            .filter(|place| path::parent(&place.path).is_some_and(|parent| self.key(parent) == directory))
            .filter_map(|place| path::file_name(&place.path).map(str::to_owned))
            .collect();
        if names.len() > limit { Err(ReadFailure::TooLarge) } else { Ok(names) }
    }

    fn file_state(&self, path: &str) -> FileState {
        let (at, place) = self.target(path);
        let key = self.key(&at);
        if let Some(state) = self.states.get(&key) {
            return *state;
        }
        let inside = self.work_tree.as_deref().is_some_and(|top| {
            path::is_within_on(self.platform, &at, top) && !path::is_within_on(self.platform, &at, &path::join(top, ".git"))
        });
        match place.map(|place| &place.node) {
            None if self.conjured(&at).is_some() => FileState::TrackedModified,
            None => FileState::Missing,
            Some(_) if !inside => FileState::Untracked,
            Some(Node::Directory) => {
                let modified =
                    self.states.iter().any(|(file, state)| *state == FileState::TrackedModified && path::is_within(file, &key));
                let tracked = || {
                    let mut files = self.places.iter().filter(|(_, place)| matches!(place.node, Node::File(_)));
                    files.any(|(file, _)| {
                        path::is_within(file, &key)
                            && !path::components(file).any(|name| name == ".git")
                            && !self.states.contains_key(file)
                    })
                };
                if modified || self.conjured != Conjured::Nothing {
                    FileState::TrackedModified
                } else if tracked() {
                    FileState::TrackedClean
                } else {
                    FileState::Untracked
                }
            }
            // Given files are tracked; so are those a dirty tree names, and those it does not name may be anything but clean.
            Some(_) if self.conjured != Conjured::Nothing => FileState::TrackedModified,
            Some(_) => FileState::TrackedClean,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linux_world_has_what_every_machine_has() {
        let world = World::linux("/home/dev", "/home/dev/app");
        for directory in ["/", "/tmp", "/etc", "/home/dev", "/home/dev/app", "/var/tmp"] {
            assert_eq!(world.entry(directory), Some(EntryKind::Directory), "{directory}");
        }
        assert_eq!(world.entry("/dev/null"), Some(EntryKind::CharacterDevice));
        assert_eq!(world.entry("/dev/sda1"), Some(EntryKind::BlockDevice));
        assert_eq!(world.entry("/bin"), Some(EntryKind::Link));
        assert_eq!(world.entry("/nothing"), None);
        assert_eq!(world.home_of("dev").as_deref(), Some("/home/dev"));
        assert_eq!(world.environment("HOME").as_deref(), Some("/home/dev"));
    }

    #[test]
    fn files_links_and_listings() {
        let mut world = World::linux("/home/dev", "/home/dev/app");
        world.file("src/main.rs", "x").symlink("lib", "src").symlink("cfg", "~/settings").link("bad", "gone").directory("src");
        assert_eq!(world.read("/home/dev/app/src/main.rs", 1).as_deref(), Ok("x"));
        assert_eq!(world.read("/home/dev/app/src/main.rs", 0), Err(ReadFailure::TooLarge));
        assert_eq!(world.read("/home/dev/app/lib/main.rs", 9).as_deref(), Ok("x"));
        assert_eq!(world.read("/home/dev/app/src", 9), Err(ReadFailure::WrongKind));
        assert_eq!(world.read("/home/dev/app/bad", 9), Err(ReadFailure::Missing));
        assert_eq!(world.entry("/home/dev/app/lib"), Some(EntryKind::Link));
        assert_eq!(world.entry("/home/dev/app/lib/main.rs"), Some(EntryKind::File { size: 1 }));
        assert_eq!(world.entry("/home/dev/settings"), Some(EntryKind::Directory));
        assert_eq!(world.list("/home/dev/app", 9).unwrap(), ["bad", "cfg", "lib", "src"]);
        assert_eq!(world.list("/home/dev/app", 3), Err(ReadFailure::TooLarge));
        assert_eq!(world.list("/home/dev/app/lib", 9).unwrap(), ["main.rs"]);
    }

    #[test]
    fn states_of_files() {
        let mut world = World::linux("/home/dev", "/home/dev/app");
        world.git_repository("/home/dev/app").file("a", "1").modified("src/b").untracked("c").file("/tmp/x", "");
        for (path, state) in [
            ("/home/dev/app/a", FileState::TrackedClean),
            ("/home/dev/app/src/b", FileState::TrackedModified),
            ("/home/dev/app/src", FileState::TrackedModified),
            ("/home/dev/app", FileState::TrackedModified),
            ("/home/dev/app/c", FileState::Untracked),
            ("/home/dev/app/d", FileState::Missing),
            ("/tmp/x", FileState::Untracked),
        ] {
            assert_eq!(world.file_state(path), state, "{path}");
        }
    }

    #[test]
    fn a_dirty_tree_has_what_a_command_names() {
        let mut world = World::linux("/home/dev", "/home/dev/app");
        world.git_repository("/home/dev/app").dirty_paths_named_in("cd src && git restore -- lib/a.rs ../docs/ /home/dev/app/x -q");
        for (path, kind) in [
            ("/home/dev/app/lib/a.rs", Some(EntryKind::File { size: CONJURED_SIZE })),
            ("/home/dev/app/src/lib/a.rs", Some(EntryKind::File { size: CONJURED_SIZE })),
            ("/home/dev/app/lib", Some(EntryKind::Directory)),
            ("/home/dev/app/docs", Some(EntryKind::Directory)),
            ("/home/dev/app/x", Some(EntryKind::File { size: CONJURED_SIZE })),
            ("/home/dev/app/-q", None),
            ("/home/dev/app/other", None),
            ("/home/dev/lib/a.rs", None),
        ] {
            assert_eq!(world.entry(path), kind, "{path}");
        }
        assert_eq!(world.file_state("/home/dev/app/x"), FileState::TrackedModified);
        world.everything_dirty();
        assert!(world.entry("/home/dev/app/other").is_some());
        assert!(world.entry("/home/dev/app/.git/other").is_none());
        assert!(world.entry("/home/dev/app/.sekisho/policy.json").is_none());
    }

    #[test]
    fn windows_paths_have_one_spelling() {
        let mut world = World::windows(r"C:\Users\dev", r"C:\work\app");
        world.file(r"src\main.rs", "x").file(r"D:\data\y", "z");
        assert_eq!(world.home(), "C:/Users/dev");
        assert_eq!(world.entry("C:/work/app/SRC/Main.rs"), Some(EntryKind::File { size: 1 }));
        assert_eq!(world.entry("D:/data"), Some(EntryKind::Directory));
        assert_eq!(world.entry("D:/"), Some(EntryKind::Directory));
        assert_eq!(world.environment("userprofile").as_deref(), Some(r"C:\Users\dev"));
        assert_eq!(world.list("C:/work/APP", 9).unwrap(), ["src"]);
    }
}
