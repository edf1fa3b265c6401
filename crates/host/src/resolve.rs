//! Paths against a [`crate::Host`]: links followed, within budgets.
//!
//! A text like `build/../link/..` means different places to a reader and to the kernel. [`Resolver::canonical`] gives both: the
//! lexical path and the one the kernel would reach. What does not exist is kept as written behind the last part that does.
//!
//! One resolver serves one evaluation; its budgets (numbers of `Budget`) count over all its paths, and running out is an error
//! that has to fail closed.

use std::collections::BTreeMap;

use crate::path::{self, Style};
use crate::{EntryKind, Host, Platform};

/// How much work one evaluation may spend on resolving paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Components behind the last existing directory of one path.
    pub missing_components: usize,
    /// Looks at the file system.
    pub lookups: usize,
    /// Bytes of all paths looked at.
    pub candidate_bytes: usize,
    /// Links followed in one path; the same number as Linux has (path_resolution(7)).
    pub links: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { missing_components: 256, lookups: 16_384, candidate_bytes: 4 * 1024 * 1024, links: 40 }
    }
}

/// A budget ran out. The path is not resolved; the evaluation must fail closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitReached;

impl std::fmt::Display for LimitReached {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("resolving paths took more work than allowed")
    }
}

impl std::error::Error for LimitReached {}

/// What is known of one path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The normal spelling of what was written, links not followed.
    pub lexical: String,
    /// The place it names: the real path of what exists, the rest appended. Relative only where neither the text nor a directory
    /// says where it begins.
    pub canonical: String,
    /// The whole path exists (a link that leads nowhere does not).
    pub exists: bool,
    /// What stands there, if it exists.
    pub kind: Option<EntryKind>,
    /// How many components at the end do not exist.
    pub missing_components: usize,
    /// A link was followed on the way.
    pub through_link: bool,
}

/// Whether a link at the end of a path is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LastLink {
    Follow,
    Keep,
}

/// Resolves the paths of one evaluation.
pub struct Resolver<'host> {
    host: &'host dyn Host,
    budget: Budget,
    lookups: usize,
    candidate_bytes: usize,
    seen: BTreeMap<String, Option<EntryKind>>,
}

/// Entries remembered; beyond that the host is asked again.
const REMEMBERED: usize = 4_096;

impl<'host> Resolver<'host> {
    /// A resolver with the usual budgets.
    pub fn new(host: &'host dyn Host) -> Self {
        Self::with_budget(host, Budget::default())
    }

    /// A resolver with other budgets.
    pub fn with_budget(host: &'host dyn Host, budget: Budget) -> Self {
        Self { host, budget, lookups: 0, candidate_bytes: 0, seen: BTreeMap::new() }
    }

    /// The host it asks.
    pub fn host(&self) -> &'host dyn Host {
        self.host
    }

    /// Looks spent so far.
    pub fn lookups(&self) -> usize {
        self.lookups
    }

    /// The place `text` names, seen from `cwd`; a link at its end is followed.
    ///
    /// # Errors
    /// [`LimitReached`] when a budget runs out.
    pub fn canonical(&mut self, cwd: Option<&str>, text: &str) -> Result<Resolved, LimitReached> {
        self.resolve(cwd, text, LastLink::Follow)
    }

    /// The directory entry `text` names, seen from `cwd`: what `rm` and `mv` act on. A link at its end is not followed, unless a `/`
    /// stands behind it.
    ///
    /// # Errors
    /// [`LimitReached`] when a budget runs out.
    pub fn canonical_entry(&mut self, cwd: Option<&str>, text: &str) -> Result<Resolved, LimitReached> {
        self.resolve(cwd, text, LastLink::Keep)
    }

    fn resolve(&mut self, cwd: Option<&str>, text: &str, last_link: LastLink) -> Result<Resolved, LimitReached> {
        let style = cwd.map_or(Style::of_platform(self.host.platform()), Style::of_text);
        let lexical = cwd.map_or_else(|| path::normalize_in(style, text), |cwd| path::join(cwd, text));
        if !path::is_absolute(&lexical) {
            let missing_components = path::components(&lexical).count();
            self.spend(&lexical, missing_components)?;
            let canonical = lexical.clone();
            return Ok(Resolved { lexical, canonical, exists: false, kind: None, missing_components, through_link: false });
        }
        // Windows takes `..` away before it looks at anything (Win32 path normalisation); Unix follows the link first.
        let written = match style {
            Style::Windows => lexical.clone(),
            Style::Posix => match cwd {
                Some(cwd) if !text.starts_with('/') => format!("{cwd}/{text}"),
                _ => text.to_owned(),
            },
        };
        let mut walk = Walk::new(&written, last_link);
        self.spend(&written, 0)?;
        while let Some(component) = walk.next_component() {
            self.step(&mut walk, component, cwd)?;
        }
        if walk.current_kind.is_none() && walk.missing == 0 {
            walk.current_kind = self.look(&walk.current)?;
        }
        Ok(Resolved {
            lexical,
            exists: walk.missing == 0 && walk.current_kind.is_some() && !walk.broken,
            kind: if walk.missing == 0 { walk.current_kind } else { None },
            missing_components: walk.missing,
            through_link: walk.links > 0,
            canonical: walk.current,
        })
    }

    fn step(&mut self, walk: &mut Walk, component: String, cwd: Option<&str>) -> Result<(), LimitReached> {
        if component == ".." {
            walk.go_up();
            return Ok(());
        }
        let parent_length = walk.current.len();
        walk.descend(&component);
        if walk.missing > 0 {
            walk.missing += 1;
            return self.spend(&walk.current, walk.missing);
        }
        match special(self.host.platform(), &walk.current) {
            Some(Special::Opaque(kind)) => {
                walk.current_kind = Some(kind);
                return self.spend(&walk.current, 0);
            }
            Some(Special::WorkingDirectory) => {
                self.spend(&walk.current, 0)?;
                if let Some(cwd) = cwd.filter(|_| walk.may_follow(self.budget)) {
                    walk.follow(parent_length, cwd);
                } else {
                    walk.current_kind = Some(EntryKind::Link);
                }
                return Ok(());
            }
            Some(Special::Root) => {
                self.spend(&walk.current, 0)?;
                if walk.may_follow(self.budget) {
                    walk.follow(parent_length, "/");
                }
                return Ok(());
            }
            None => {}
        }
        let kind = self.look(&walk.current)?;
        match kind {
            None => {
                walk.missing = 1;
                walk.current_kind = None;
            }
            Some(EntryKind::Link) if walk.last_link == LastLink::Keep && walk.is_at_end() => walk.current_kind = kind,
            Some(EntryKind::Link) => match self.host.link_target(&walk.current) {
                Some(target) if walk.may_follow(self.budget) => walk.follow(parent_length, &target),
                // A loop, or a link nobody may read: it stays what it is, and nothing stands behind it.
                _ => {
                    walk.current_kind = kind;
                    walk.broken = true;
                }
            },
            Some(_) => walk.current_kind = kind,
        }
        Ok(())
    }

    fn look(&mut self, path: &str) -> Result<Option<EntryKind>, LimitReached> {
        self.lookups += 1;
        self.spend(path, 0)?;
        if let Some(kind) = self.seen.get(path) {
            return Ok(*kind);
        }
        let kind = self.host.entry(path);
        if self.seen.len() < REMEMBERED {
            self.seen.insert(path.to_owned(), kind);
        }
        Ok(kind)
    }

    fn spend(&mut self, path: &str, missing: usize) -> Result<(), LimitReached> {
        self.candidate_bytes = self.candidate_bytes.saturating_add(path.len());
        let within = self.lookups <= self.budget.lookups
            && self.candidate_bytes <= self.budget.candidate_bytes
            && missing <= self.budget.missing_components;
        if within { Ok(()) } else { Err(LimitReached) }
    }
}

/// Where a walk along a path stands.
struct Walk {
    current: String,
    current_kind: Option<EntryKind>,
    /// Components still to come, the next one last.
    pending: Vec<String>,
    missing: usize,
    links: usize,
    broken: bool,
    last_link: LastLink,
    /// A separator at the very end: the last component must be a directory, so a link there is followed.
    trailing_separator: bool,
}

impl Walk {
    fn new(written: &str, last_link: LastLink) -> Self {
        let mut walk = Self {
            current: String::new(),
            current_kind: None,
            pending: Vec::new(),
            missing: 0,
            links: 0,
            broken: false,
            last_link,
            trailing_separator: written.ends_with('/') || written.ends_with("/."),
        };
        walk.start(written);
        walk
    }

    /// Goes to the root of an absolute path and queues its components.
    fn start(&mut self, absolute: &str) {
        let root = path::normalize(absolute);
        let root_of = |normal: &str| {
            let mut at = normal;
            while let Some(above) = path::parent(at) {
                at = above;
            }
            at.to_owned()
        };
        self.current = if absolute.starts_with('/') { "/".to_owned() } else { root_of(&root) };
        self.current_kind = None;
        if absolute.starts_with('/') {
            self.queue(absolute);
        } else {
            self.pending.extend(path::components(&root).map(str::to_owned).collect::<Vec<_>>().into_iter().rev());
        }
    }

    fn queue(&mut self, components: &str) {
        self.pending
            .extend(components.split('/').rev().filter(|component| !component.is_empty() && *component != ".").map(str::to_owned));
    }

    fn next_component(&mut self) -> Option<String> {
        self.pending.pop()
    }

    fn is_at_end(&self) -> bool {
        self.pending.is_empty() && !self.trailing_separator
    }

    fn descend(&mut self, component: &str) {
        if !self.current.ends_with('/') {
            self.current.push('/');
        }
        self.current.push_str(component);
    }

    fn go_up(&mut self) {
        if let Some(length) = path::parent(&self.current).map(str::len) {
            self.current.truncate(length);
        }
        self.missing = self.missing.saturating_sub(1);
        self.current_kind = None;
        self.broken = false;
    }

    fn may_follow(&self, budget: Budget) -> bool {
        self.links < budget.links
    }

    fn follow(&mut self, parent_length: usize, target: &str) {
        self.links += 1;
        self.current.truncate(parent_length.max(1));
        self.current_kind = None;
        if path::is_absolute(target) && (target.starts_with('/') || !self.current.starts_with('/')) {
            self.start(target);
        } else if self.current.starts_with('/') {
            self.queue(target);
        } else {
            self.queue(&target.replace('\\', "/"));
        }
    }
}

/// Names whose meaning belongs to the process that uses them, so that a look from here would see our own.
enum Special {
    /// Stays as written.
    Opaque(EntryKind),
    /// The working directory of the process.
    WorkingDirectory,
    /// The root directory.
    Root,
}

/// Source: proc(5) `/proc/pid/cwd`, `/proc/pid/root`, `/proc/pid/fd`; null(4) and fd(4) for the names below `/dev`.
fn special(platform: Platform, path: &str) -> Option<Special> {
    if platform == Platform::Windows {
        return None;
    }
    if let Some(name) = path.strip_prefix("/dev/") {
        return match name {
            "stdin" | "stdout" | "stderr" => Some(Special::Opaque(EntryKind::CharacterDevice)),
            "fd" => Some(Special::Opaque(EntryKind::Directory)),
            _ if name.starts_with("fd/") => Some(Special::Opaque(EntryKind::CharacterDevice)),
            _ => None,
        };
    }
    let process = path.strip_prefix("/proc/")?;
    let (who, rest) = process.split_once('/').unwrap_or((process, ""));
    let own = who == "self" || who == "thread-self";
    if !own && (who.is_empty() || !who.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    match rest {
        "root" => Some(Special::Root),
        "cwd" if own => Some(Special::WorkingDirectory),
        "" | "fd" | "task" if own => Some(Special::Opaque(EntryKind::Directory)),
        _ if own => Some(Special::Opaque(EntryKind::Other)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::in_memory::World;

    fn world() -> World {
        let mut world = World::linux("/home/dev", "/home/dev/app");
        world
            .directory("/home/dev/app/src")
            .directory("/data/deep/er")
            .file("/home/dev/app/src/main.rs", "fn main() {}")
            .link("/home/dev/app/data", "/data/deep")
            .link("/home/dev/app/up", "..")
            .link("/home/dev/app/loop-a", "loop-b")
            .link("/home/dev/app/loop-b", "loop-a")
            .link("/home/dev/app/nowhere", "gone/away")
            .link("/home/dev/app/chain", "data/er");
        world
    }

    #[test]
    fn follows_links_then_goes_up() {
        let world = world();
        let mut resolver = Resolver::new(&world);
        for (text, lexical, canonical, exists, missing, through_link) in [
            (".", "/home/dev/app", "/home/dev/app", true, 0, false),
            ("src/main.rs", "/home/dev/app/src/main.rs", "/home/dev/app/src/main.rs", true, 0, false),
            ("new/file", "/home/dev/app/new/file", "/home/dev/app/new/file", false, 2, false),
            ("new/../src", "/home/dev/app/src", "/home/dev/app/src", true, 0, false),
            ("data", "/home/dev/app/data", "/data/deep", true, 0, true),
            ("data/x", "/home/dev/app/data/x", "/data/deep/x", false, 1, true),
            ("data/..", "/home/dev/app", "/data", true, 0, true),
            ("chain/..", "/home/dev/app", "/data/deep", true, 0, true),
            ("up/up", "/home/dev/app/up/up", "/home/dev/up", false, 1, true),
            ("up/app/up", "/home/dev/app/up/app/up", "/home/dev", true, 0, true),
            ("nowhere", "/home/dev/app/nowhere", "/home/dev/app/gone/away", false, 2, true),
            ("../../..", "/", "/", true, 0, false),
            ("../../../../..", "/", "/", true, 0, false),
            ("/proc/self/cwd/src", "/proc/self/cwd/src", "/home/dev/app/src", true, 0, true),
            ("/proc/self/root/etc", "/proc/self/root/etc", "/etc", true, 0, true),
            ("/proc/self/fd/1", "/proc/self/fd/1", "/proc/self/fd/1", true, 0, false),
            ("/dev/stdout", "/dev/stdout", "/dev/stdout", true, 0, false),
            ("/dev/null", "/dev/null", "/dev/null", true, 0, false),
            ("/bin/sh", "/bin/sh", "/usr/bin/sh", false, 1, true),
        ] {
            let resolved = resolver.canonical(Some("/home/dev/app"), text).unwrap();
            assert_eq!(
                (resolved.lexical.as_str(), resolved.canonical.as_str(), resolved.exists, resolved.missing_components),
                (lexical, canonical, exists, missing),
                "{text}"
            );
            assert_eq!(resolved.through_link, through_link, "{text}");
        }
    }

    #[test]
    fn loops_end() {
        let world = world();
        let resolved = Resolver::new(&world).canonical(Some("/home/dev/app"), "loop-a/x").unwrap();
        assert!(!resolved.exists && resolved.through_link);
    }

    #[test]
    fn an_entry_is_not_what_it_links_to() {
        let world = world();
        let mut resolver = Resolver::new(&world);
        for (text, canonical, kind) in [
            ("data", "/home/dev/app/data", EntryKind::Link),
            ("data/", "/data/deep", EntryKind::Directory),
            ("data/.", "/data/deep", EntryKind::Directory),
            ("up/app/data", "/home/dev/app/data", EntryKind::Link),
            ("src", "/home/dev/app/src", EntryKind::Directory),
        ] {
            let resolved = resolver.canonical_entry(Some("/home/dev/app"), text).unwrap();
            assert_eq!((resolved.canonical.as_str(), resolved.kind), (canonical, Some(kind)), "{text}");
        }
    }

    #[test]
    fn without_a_directory_a_relative_path_stays_relative() {
        let world = world();
        let resolved = Resolver::new(&world).canonical(None, "./a/../b").unwrap();
        assert_eq!((resolved.canonical.as_str(), resolved.exists), ("b", false));
        assert!(Resolver::new(&world).canonical(None, "/etc").unwrap().exists);
    }

    #[test]
    fn budgets_hold_exactly() {
        let world = world();
        let missing = |count: usize| format!("/{}", vec!["m"; count].join("/"));
        assert!(Resolver::new(&world).canonical(None, &missing(256)).is_ok());
        assert_eq!(Resolver::new(&world).canonical(None, &missing(257)), Err(LimitReached));
        let budget = Budget { lookups: 3, ..Budget::default() };
        assert!(Resolver::with_budget(&world, budget).canonical(None, "/home/dev/app").is_ok());
        assert_eq!(Resolver::with_budget(&world, budget).canonical(None, "/home/dev/app/src"), Err(LimitReached));
        let budget = Budget { candidate_bytes: 100, ..Budget::default() };
        assert_eq!(Resolver::with_budget(&world, budget).canonical(None, &missing(60)), Err(LimitReached));
        let huge = "x".repeat(4 * 1024 * 1024 + 1);
        assert_eq!(Resolver::new(&world).canonical(Some("/"), &huge), Err(LimitReached));
    }

    #[test]
    fn windows_takes_dots_away_first() {
        let mut world = World::windows(r"C:\Users\dev", r"C:\work\app");
        world.directory(r"D:\data").junction("data", r"D:\data");
        let mut resolver = Resolver::new(&world);
        for (text, canonical) in [
            (r"data\x", "D:/data/x"),
            (r"data\..", "C:/work/app"),
            (r"DATA", "D:/data"),
            (r"C:\Users\dev", "C:/Users/dev"),
            ("/", "C:/"),
        ] {
            assert_eq!(resolver.canonical(Some("C:/work/app"), text).unwrap().canonical, canonical, "{text}");
        }
    }
}
