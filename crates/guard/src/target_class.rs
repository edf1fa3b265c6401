//! What a target is: the ordered classification every rule about paths stands on.
//!
//! The order matters and is the same for every program: root or home, Git metadata, temporary, dynamic, allowed by policy,
//! home as working directory, the working directory itself, inside the workspace, outside.

use sekisho_command_model::{Cause, Scope, Target, Value};
use sekisho_host::resolve::Resolver;
use sekisho_host::{EntryKind, path};
use sekisho_shell_analysis::Directory;

use crate::context::Context;
use crate::git_metadata::Metadata;

/// The class of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetClass {
    /// The root of the file system or of a drive, or everything directly below it.
    Root,
    /// A home directory, what lies above one, or everything directly in it.
    Home,
    /// Git's own files, or (for what acts on a whole tree) a directory that holds them.
    GitMetadata,
    /// A temporary directory itself.
    TemporaryRoot,
    /// Below a temporary directory.
    Temporary,
    /// Below a temporary directory, with a rest that is not known.
    TemporaryDynamic,
    /// Not known.
    Dynamic,
    /// Not known, but never empty (`"${X:?}/"*`).
    GuardedDynamic,
    /// Not known, and the root of the file system if the unknown part is empty (`"$X"/*`).
    EmptyHazard,
    /// Chosen by a search below a place; see [`crate::selection`].
    Searched,
    /// Below a path the user's policy trusts.
    Allowed,
    /// Inside the workspace, which is the home directory.
    HomeCwd,
    /// The working directory or the workspace itself.
    CwdSelf,
    /// Every entry of the workspace (`*`, `.*`).
    WorkspaceGlob,
    /// Inside the workspace, and something there cannot be had again: a nested repository, uncommitted work.
    InsidePrecious,
    /// Inside the workspace.
    Inside,
    /// A block device.
    BlockDevice,
    /// `/dev/null`, a terminal, a descriptor.
    PseudoDevice,
    /// A system directory or something in one.
    System,
    /// Anywhere else.
    Outside,
    /// In a container or on another machine, and not one of the classes above.
    Elsewhere,
    /// The effect has no target.
    None,
}

impl TargetClass {
    /// The word used in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Root => "root",
            Self::Home => "home",
            Self::GitMetadata => "git_metadata",
            Self::TemporaryRoot => "temporary_root",
            Self::Temporary | Self::TemporaryDynamic => "temporary",
            Self::Dynamic | Self::GuardedDynamic | Self::EmptyHazard => "dynamic",
            Self::Searched => "searched",
            Self::Allowed => "allowed",
            Self::HomeCwd => "home_cwd",
            Self::CwdSelf => "workspace",
            Self::WorkspaceGlob => "workspace_entries",
            Self::InsidePrecious | Self::Inside => "inside_workspace",
            Self::BlockDevice => "device",
            Self::PseudoDevice => "pseudo_device",
            Self::System => "system",
            Self::Outside => "outside",
            Self::Elsewhere => "elsewhere",
            Self::None => "none",
        }
    }
}

/// A classified target.
#[derive(Debug, Clone, PartialEq)]
pub struct Classified {
    /// Its class.
    pub class: TargetClass,
    /// Its path with links followed, where it is one known path.
    pub canonical: Option<String>,
    /// Its path as text, absolute, where it is one known path or pattern.
    pub lexical: Option<String>,
    /// It is a pattern.
    pub is_pattern: bool,
}

impl Classified {
    fn of(class: TargetClass) -> Self {
        Self { class, canonical: None, lexical: None, is_pattern: false }
    }
}

/// Resolving took more work than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LimitReached;

/// Directories whose content belongs to the system.
const SYSTEM: &[&str] = &[
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/boot",
    "/sys",
    "/proc",
    "/var/lib",
    "/var/log",
    "/System",
    "/Library",
    "/Applications",
    "C:/Windows",
    "C:/Program Files",
    "C:/Program Files (x86)",
];

/// Directories whose content may go at any time.
pub const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"];

/// Classifies targets for one call; remembers the work it did.
pub struct Classifier<'a> {
    context: &'a Context<'a>,
    resolver: Resolver<'a>,
    written_home: String,
    home: String,
    workspace: String,
    metadata: &'a Metadata,
}

impl<'a> Classifier<'a> {
    /// A classifier for one call.
    pub fn new(context: &'a Context<'a>, metadata: &'a Metadata) -> Self {
        let mut resolver = Resolver::new(context.host);
        let written_home = path::normalize(context.host.home());
        let mut canonical = |text: &str| resolver.canonical(None, text).map_or_else(|_| text.to_owned(), |found| found.canonical);
        let canonical_home = canonical(&written_home);
        let workspace = canonical(context.workspace);
        Self { context, resolver, written_home, home: canonical_home, workspace, metadata }
    }

    /// The user's home directory with links followed.
    pub fn home(&self) -> &str {
        &self.home
    }

    /// The workspace with links followed.
    pub fn workspace(&self) -> &str {
        &self.workspace
    }

    /// Resolves one known path.
    ///
    /// # Errors
    /// [`LimitReached`] when resolving takes more work than allowed.
    pub fn resolve(&mut self, cwd: &Directory, text: &str) -> Result<Classified, LimitReached> {
        let found = self.resolver.canonical(cwd.path(), text).map_err(|_| LimitReached)?;
        Ok(Classified {
            class: TargetClass::None,
            canonical: Some(found.canonical),
            lexical: Some(found.lexical),
            is_pattern: false,
        })
    }

    /// Says what `target` is for an effect in `cwd` and `scope`. `whole_tree`: the effect acts on everything below it.
    ///
    /// # Errors
    /// [`LimitReached`] when resolving takes more work than allowed.
    pub fn classify(
        &mut self,
        target: &Target,
        cwd: &Directory,
        scope: &Scope,
        whole_tree: bool,
    ) -> Result<Classified, LimitReached> {
        if let Some(mapped) = self.outside_host(target, cwd, scope, whole_tree) {
            return match mapped {
                Elsewhere::Class(class) => Ok(Classified::of(class)),
                Elsewhere::HostPath(value) => {
                    let target = Target { value, selection: target.selection.clone() };
                    self.on_host(&target, &Directory::Unknown, whole_tree)
                }
            };
        }
        self.on_host(target, cwd, whole_tree)
    }

    fn on_host(&mut self, target: &Target, cwd: &Directory, whole_tree: bool) -> Result<Classified, LimitReached> {
        match &target.value {
            Value::Known { text, .. } => self.known(text, cwd, whole_tree),
            Value::Glob { pattern } => self.glob(pattern, cwd, whole_tree),
            Value::Dynamic(partial) => {
                if let Cause::PathUnder { .. } = partial.cause {
                    return Ok(Classified::of(TargetClass::Searched));
                }
                self.dynamic(partial, cwd, whole_tree)
            }
        }
    }

    fn known(&mut self, text: &str, cwd: &Directory, whole_tree: bool) -> Result<Classified, LimitReached> {
        if is_windows_namespace(text) {
            return Ok(Classified { lexical: Some(text.to_owned()), ..Classified::of(TargetClass::Outside) });
        }
        if !path::is_absolute(text) && cwd.path().is_none() {
            return Ok(Classified { lexical: Some(text.to_owned()), ..Classified::of(TargetClass::Outside) });
        }
        let found = self.resolver.canonical(cwd.path(), text).map_err(|_| LimitReached)?;
        // A delete or a move of a link acts on the link: what counts is where the link lies. Links of /proc lead to the process's
        // own root and directory, and nobody names them for their own sake.
        let place = if whole_tree && !path::is_within(&found.lexical, "/proc") {
            self.resolver.canonical_entry(cwd.path(), text).map_err(|_| LimitReached)?.canonical
        } else {
            found.canonical.clone()
        };
        let mut classified = Classified {
            class: TargetClass::Outside,
            canonical: Some(found.canonical.clone()),
            lexical: Some(found.lexical.clone()),
            is_pattern: false,
        };
        classified.class = self.class_of_path(&place, &found.lexical, text, cwd, whole_tree);
        Ok(classified)
    }

    fn class_of_path(&mut self, canonical: &str, lexical: &str, text: &str, cwd: &Directory, whole_tree: bool) -> TargetClass {
        if path::is_root(canonical) {
            return TargetClass::Root;
        }
        if self.is_home_or_above(canonical) || self.is_home_or_above(lexical) || self.is_other_home(canonical) {
            return TargetClass::Home;
        }
        match self.context.host.entry(canonical) {
            Some(EntryKind::BlockDevice) => return TargetClass::BlockDevice,
            Some(EntryKind::CharacterDevice) => return TargetClass::PseudoDevice,
            _ if is_pseudo_device(canonical) || is_pseudo_device(lexical) => return TargetClass::PseudoDevice,
            _ if path::is_within(canonical, "/dev") && canonical != "/dev" => return TargetClass::BlockDevice,
            _ => {}
        }
        if self.metadata.covers(canonical) || (whole_tree && self.metadata.lies_below(self.context.host, canonical)) {
            return TargetClass::GitMetadata;
        }
        if let Some(class) = self.temporary(canonical, text, cwd) {
            return class;
        }
        if self.allowed(canonical, text) {
            return TargetClass::Allowed;
        }
        if cwd.path() == Some(canonical) || canonical == self.workspace || canonical == self.context.cwd {
            return TargetClass::CwdSelf;
        }
        if path::is_within(canonical, &self.workspace) {
            return if self.workspace == self.home {
                TargetClass::HomeCwd
            } else if whole_tree && self.is_precious(canonical) {
                TargetClass::InsidePrecious
            } else {
                TargetClass::Inside
            };
        }
        if is_system(canonical) { TargetClass::System } else { TargetClass::Outside }
    }

    fn is_home_or_above(&self, candidate: &str) -> bool {
        path::is_within(&self.home, candidate) || path::is_within(&self.written_home, candidate)
    }

    /// A home directory of somebody else: directly below `/home` or `/Users`, or root's.
    fn is_other_home(&self, candidate: &str) -> bool {
        candidate == "/root"
            || ["/home", "/Users", "C:/Users"].iter().any(|homes| {
                path::parent(candidate) == Some(*homes) && path::parent(&self.home).is_some_and(|parent| parent == *homes)
            })
    }

    fn temporary(&self, canonical: &str, text: &str, cwd: &Directory) -> Option<TargetClass> {
        let per_user = match self.context.host.platform() {
            sekisho_host::Platform::Windows => Some(format!("{}/AppData/Local/Temp", self.home)),
            sekisho_host::Platform::MacOs => Some("/private/var/folders".to_owned()),
            sekisho_host::Platform::Linux => None,
        };
        let root = TEMPORARY.iter().copied().chain(per_user.as_deref()).find(|root| path::is_within(canonical, root))?;
        if canonical == root {
            return Some(TargetClass::TemporaryRoot);
        }
        // A path that climbs, or hangs on a directory known only as text, is never trusted to stay temporary.
        let certain = path::is_absolute(text) || matches!(cwd, Directory::Known { exists: true, .. });
        (certain && !text.split('/').any(|component| component == "..")).then_some(TargetClass::Temporary)
    }

    fn allowed(&self, canonical: &str, text: &str) -> bool {
        !text.split('/').any(|component| component == "..")
            && self.context.snapshot.delete_allow_paths().any(|allowed| {
                let allowed =
                    allowed.strip_prefix("~/").map_or_else(|| allowed.to_owned(), |rest| path::join(&self.written_home, rest));
                path::is_within(canonical, &path::normalize(&allowed)) && !self.is_home_or_above(&path::normalize(&allowed))
            })
    }

    /// Something below `directory` cannot be had again: a nested repository, or a tracked file with changes. Looks at no more
    /// than 256 entries, three levels deep, and never runs git.
    fn is_precious(&self, directory: &str) -> bool {
        const ENTRIES: usize = 256;
        const LEVELS: usize = 3;
        let host = self.context.host;
        let mut open = vec![(directory.to_owned(), 1)];
        let mut budget = ENTRIES;
        while let Some((place, level)) = open.pop() {
            if host.entry(&place) != Some(EntryKind::Directory) {
                continue;
            }
            let Ok(names) = host.list(&place, budget) else { continue };
            budget = budget.saturating_sub(names.len());
            for name in &names {
                let entry = path::join(&place, name);
                if name == ".git" || host.file_state(&entry) == sekisho_host::FileState::TrackedModified {
                    return true;
                }
                if level < LEVELS && name != "node_modules" {
                    open.push((entry, level + 1));
                }
            }
        }
        false
    }

    fn glob(&mut self, pattern: &str, cwd: &Directory, whole_tree: bool) -> Result<Classified, LimitReached> {
        let absolute = if path::is_absolute(pattern) {
            pattern.to_owned()
        } else {
            match cwd.path() {
                Some(cwd) => path::join(cwd, pattern),
                None => {
                    return Ok(Classified {
                        is_pattern: true,
                        lexical: Some(pattern.to_owned()),
                        ..Classified::of(TargetClass::Outside)
                    });
                }
            }
        };
        let (directory, rest) = crate::selection::split_glob(&absolute);
        let found = self.resolver.canonical(None, &directory).map_err(|_| LimitReached)?;
        let canonical = path::join(&found.canonical, rest);
        let star_only = rest.split('/').filter(|part| !part.is_empty()).all(|part| matches!(part, "*" | "." | ".*"));
        let class = if (path::is_root(&found.canonical) && star_only) || self.pattern_selects(&canonical, "/") {
            TargetClass::Root
        } else if self.is_home_or_above(&found.canonical) && star_only || self.pattern_selects_home(&canonical) {
            TargetClass::Home
        } else if self.metadata.matched_by(&canonical, whole_tree) || self.metadata.covers(&found.canonical) {
            TargetClass::GitMetadata
        } else if found.canonical == self.workspace && is_everything(rest) {
            if self.workspace == self.home { TargetClass::Home } else { TargetClass::WorkspaceGlob }
        } else if path::is_within(&found.canonical, "/dev") {
            TargetClass::BlockDevice
        } else if found.canonical == self.workspace {
            if self.workspace == self.home { TargetClass::HomeCwd } else { TargetClass::Inside }
        } else {
            // What a pattern selects lies below its directory; a temporary directory's own entries are everyone's.
            match self.class_of_path(&found.canonical, &found.lexical, &directory, cwd, false) {
                TargetClass::CwdSelf if path::is_within(&found.canonical, &self.workspace) => TargetClass::Inside,
                TargetClass::CwdSelf if is_system(&found.canonical) => TargetClass::System,
                TargetClass::CwdSelf => TargetClass::Outside,
                TargetClass::TemporaryRoot if is_everything(rest) => TargetClass::TemporaryRoot,
                TargetClass::TemporaryRoot => TargetClass::Temporary,
                TargetClass::Home | TargetClass::Root => TargetClass::Outside,
                class => class,
            }
        };
        Ok(Classified { class, canonical: Some(canonical), lexical: Some(absolute), is_pattern: true })
    }

    fn pattern_selects(&self, pattern: &str, path_text: &str) -> bool {
        crate::selection::glob_matches_path(pattern, path_text)
    }

    fn pattern_selects_home(&self, pattern: &str) -> bool {
        let mut at = Some(self.home.as_str());
        while let Some(candidate) = at {
            if !path::is_root(candidate) && self.pattern_selects(pattern, candidate) {
                return true;
            }
            at = path::parent(candidate);
        }
        false
    }

    fn dynamic(
        &mut self,
        partial: &sekisho_command_model::Partial,
        cwd: &Directory,
        whole_tree: bool,
    ) -> Result<Classified, LimitReached> {
        if let Some(otherwise) = partial.otherwise.as_deref().filter(|text| !text.contains(['*', '?', '['])) {
            // The text names what it means; that the environment says something else is no likelier than for any other program.
            let text = format!("{}{otherwise}{}", partial.prefix, partial.suffix);
            let meant = if partial.globbed { self.glob(&text, cwd, whole_tree)? } else { self.known(&text, cwd, whole_tree)? };
            let class = match meant.class {
                TargetClass::Inside | TargetClass::Temporary | TargetClass::Allowed => TargetClass::GuardedDynamic,
                class => class,
            };
            return Ok(Classified { class, canonical: None, ..meant });
        }
        let classified = self.dynamic_place(partial, cwd)?;
        if classified.class == TargetClass::Dynamic && (names_artefact(partial) || stays_beside(partial)) {
            // Wherever it lies, a build makes it again; or it is one of several directories made under a common name.
            return Ok(Classified { class: TargetClass::GuardedDynamic, ..classified });
        }
        Ok(classified)
    }

    fn dynamic_place(&mut self, partial: &sekisho_command_model::Partial, cwd: &Directory) -> Result<Classified, LimitReached> {
        match partial.cause {
            Cause::Temporary => return Ok(Classified::of(TargetClass::Temporary)),
            // The words may lie anywhere.
            Cause::Scattered => return Ok(Classified::of(TargetClass::Outside)),
            _ => {}
        }
        let home_is_workspace = self.workspace == self.home;
        if partial.prefix.is_empty() {
            let everything = matches!(partial.suffix.as_str(), "/" | "/*" | "/." | "/.*");
            let old_directory = partial.cause == Cause::Variable("OLDPWD".to_owned()) && partial.suffix.is_empty();
            let class = if everything && partial.may_be_empty {
                TargetClass::EmptyHazard
            } else if old_directory {
                TargetClass::Outside
            } else if home_is_workspace {
                TargetClass::HomeCwd
            } else if everything {
                TargetClass::GuardedDynamic
            } else {
                TargetClass::Dynamic
            };
            return Ok(Classified::of(class));
        }
        // What is certain is the directory the known beginning names.
        let directory = match partial.prefix.rfind('/') {
            Some(0) => "/",
            Some(at) => partial.prefix.get(..at).unwrap_or("/"),
            None => ".",
        };
        if !path::is_absolute(directory) && cwd.path().is_none() {
            return Ok(Classified::of(TargetClass::Outside));
        }
        let found = self.resolver.canonical(cwd.path(), directory).map_err(|_| LimitReached)?;
        let place = &found.canonical;
        let class = if TEMPORARY.iter().any(|root| path::is_within(place, root)) && path::is_absolute(directory) {
            TargetClass::TemporaryDynamic
        } else if path::is_within(place, &self.workspace) {
            if home_is_workspace { TargetClass::HomeCwd } else { TargetClass::Dynamic }
        } else if self.metadata.covers(place) {
            TargetClass::GitMetadata
        } else if is_system(place) {
            TargetClass::System
        } else {
            TargetClass::Outside
        };
        Ok(Classified { lexical: Some(partial.display()), ..Classified::of(class) })
    }

    /// What a target is that does not lie on this machine; `None` for the host.
    fn outside_host(&self, target: &Target, cwd: &Directory, scope: &Scope, whole_tree: bool) -> Option<Elsewhere> {
        match scope {
            Scope::Host => None,
            Scope::Remote => {
                let text = target.value.display();
                let root = path::is_absolute(&text) && path::is_root(&path::normalize(text.trim_end_matches('*')));
                let home = matches!(text.trim_end_matches(['/', '*']), "~" | "$HOME" | "${HOME}") || text == self.written_home;
                Some(Elsewhere::Class(if root {
                    TargetClass::Root
                } else if home {
                    TargetClass::Home
                } else {
                    TargetClass::Elsewhere
                }))
            }
            Scope::Container { mounts, .. } => {
                let (text, is_pattern) = match &target.value {
                    Value::Known { text, .. } => (text, false),
                    Value::Glob { pattern } => (pattern, true),
                    Value::Dynamic(_) => return Some(Elsewhere::Class(TargetClass::Elsewhere)),
                };
                let inside = match cwd.path() {
                    Some(cwd) => path::join(cwd, text),
                    None if path::is_absolute(text) => path::normalize(text),
                    None => return Some(Elsewhere::Class(TargetClass::Elsewhere)),
                };
                let mount = mounts.iter().find_map(|(host, container)| {
                    let (host, container) = (host.known()?, path::normalize(container.known()?));
                    if path::is_within(&inside, &container) {
                        let rest = inside.get(container.len()..).unwrap_or_default().trim_start_matches('/');
                        let place = path::join(&path::normalize(host), rest);
                        return Some(if is_pattern { Value::Glob { pattern: place } } else { Value::literal(place) });
                    }
                    // What goes with everything below it takes what is mounted there along.
                    let above = if is_pattern { inside.trim_end_matches('*') } else { inside.as_str() };
                    (whole_tree && path::is_within(&container, &path::normalize(above)))
                        .then(|| Value::literal(path::normalize(host)))
                });
                Some(mount.map_or(Elsewhere::Class(TargetClass::Elsewhere), Elsewhere::HostPath))
            }
        }
    }
}

enum Elsewhere {
    Class(TargetClass),
    HostPath(Value),
}

/// The path lies in a directory of the system.
pub fn is_system(candidate: &str) -> bool {
    SYSTEM.iter().any(|root| path::is_within(candidate, root))
}

fn is_pseudo_device(candidate: &str) -> bool {
    [
        "/dev/null",
        "/dev/zero",
        "/dev/full",
        "/dev/random",
        "/dev/urandom",
        "/dev/tty",
        "/dev/stdin",
        "/dev/stdout",
        "/dev/stderr",
        "/dev/ptmx",
    ]
    .contains(&candidate)
        || ["/dev/fd", "/dev/shm", "/dev/pts", "/dev/tcp", "/dev/udp"].iter().any(|root| path::is_within(candidate, root))
}

/// One word whose last component is written, and is the name of something a build makes.
fn names_artefact(partial: &sekisho_command_model::Partial) -> bool {
    let one_word = !partial.may_split && matches!(partial.cause, Cause::Variable(_) | Cause::Substitution | Cause::Input);
    one_word && written_artefact(partial).is_some()
}

/// One word in the workspace that lies in a directory a build makes, or whose last component begins with a name of its own
/// (`release/app-$VERSION`): no value leads it to what nobody meant but one that climbs on purpose.
fn stays_beside(partial: &sekisho_command_model::Partial) -> bool {
    let one_word =
        !partial.may_split && !partial.globbed && matches!(partial.cause, Cause::Variable(_) | Cause::Substitution | Cause::Input);
    let (directory, name) = partial.prefix.rsplit_once('/').unwrap_or(("", &partial.prefix));
    let climbs = |text: &str| text.split('/').any(|component| component == "..");
    let beside = name.chars().filter(char::is_ascii_alphanumeric).count() >= 3;
    let inside = !path::is_absolute(directory) && directory.split('/').any(crate::selection::is_artefact);
    one_word && !climbs(&partial.prefix) && !climbs(&partial.suffix) && (beside || inside)
}

/// The last component of a value that is only known at its end, where a build makes what is called so.
pub fn written_artefact(partial: &sekisho_command_model::Partial) -> Option<&str> {
    let (_, last) = partial.suffix.trim_end_matches('/').rsplit_once('/')?;
    let climbs = partial.suffix.split('/').any(|component| component == "..");
    (!climbs && !partial.globbed && crate::selection::is_artefact(last)).then_some(last)
}

/// The last component of the pattern selects every visible or every hidden entry.
fn is_everything(rest: &str) -> bool {
    matches!(rest.trim_end_matches('/'), "*" | ".*" | ".[!.]*" | ".??*" | "**" | "**/*" | "[!.]*")
}

/// `\\?\…`, `\\.\…`: a path that skips Windows' own reading of it.
fn is_windows_namespace(text: &str) -> bool {
    ["\\\\?\\", "\\\\.\\", "//?/", "//./"].iter().any(|prefix| text.starts_with(prefix))
}
