//! The repository a command acts on, as far as the decisions of this analyzer need it.
//!
//! A layer over [`sekisho_host::git`] that looks at each file once, and says where something cannot be told.

use std::cell::OnceCell;

use sekisho_host::git::{self, Config, Head};
use sekisho_host::path::join;
use sekisho_host::{EntryKind, Host};

/// The longest pointer file (`refs/remotes/origin/HEAD`) that is read, in bytes.
const POINTER_LIMIT: usize = 4096;

/// One repository.
pub(super) struct Repository<'a> {
    host: &'a dyn Host,
    place: git::Repository,
    config: OnceCell<Config>,
    head: OnceCell<Head>,
}

impl<'a> Repository<'a> {
    /// The repository `directory` lies in, looking upward.
    pub(super) fn find(host: &'a dyn Host, directory: &str) -> Option<Self> {
        git::locate(host, directory).map(|place| Self::new(host, place))
    }

    /// The repository whose directory is given, with this work tree.
    pub(super) fn at(host: &'a dyn Host, git_dir: String, work_tree: Option<String>) -> Self {
        let common_dir = host
            .read(&join(&git_dir, "commondir"), POINTER_LIMIT)
            .map_or_else(|_| git_dir.clone(), |text| join(&git_dir, text.trim()));
        let is_bare = work_tree.is_none();
        let work_tree = work_tree.unwrap_or_else(|| git_dir.clone());
        Self::new(host, git::Repository { work_tree, git_dir, common_dir, is_bare, ..git::Repository::default() })
    }

    fn new(host: &'a dyn Host, place: git::Repository) -> Self {
        Self { host, place, config: OnceCell::new(), head: OnceCell::new() }
    }

    /// The top of its work tree; `None` for a bare one.
    pub(super) fn top(&self) -> Option<&str> {
        (!self.place.is_bare).then_some(self.place.work_tree.as_str())
    }

    /// Its own directory (`.git`, or `.git/worktrees/x` for a linked work tree).
    pub(super) fn git_dir(&self) -> &str {
        &self.place.git_dir
    }

    /// The repository's own settings: key in normal spelling and value, in order.
    pub(super) fn settings(&self) -> impl Iterator<Item = (&str, &str)> {
        self.config().with_prefix("")
    }

    /// The last value of a key.
    pub(super) fn setting(&self, key: &str) -> Option<&str> {
        self.config().get(key)
    }

    fn config(&self) -> &Config {
        self.config.get_or_init(|| git::config(self.host, &self.place))
    }

    fn head(&self) -> &Head {
        self.head.get_or_init(|| git::head(self.host, &self.place))
    }

    /// The branch that is checked out; `None` for a detached `HEAD` or one that cannot be read.
    pub(super) fn head_branch(&self) -> Option<&str> {
        match self.head() {
            Head::Branch(branch) => Some(branch),
            Head::Detached(_) | Head::Unknown => None,
        }
    }

    /// The branch a remote calls its default (`refs/remotes/origin/HEAD`), where it is known.
    pub(super) fn remote_default(&self, remote: &str) -> Option<String> {
        let pointer = join(&self.place.common_dir, &format!("refs/remotes/{remote}/HEAD"));
        let text = self.host.read(&pointer, POINTER_LIMIT).ok()?;
        text.strip_prefix("ref:")?.trim().strip_prefix(&format!("refs/remotes/{remote}/")).map(str::to_owned)
    }

    /// Refs are kept in files that can be read. Source: gitrepository-layout(5); reftable is another format.
    fn refs_are_readable(&self) -> bool {
        *self.head() != Head::Unknown
            && self.host.entry(&join(&self.place.common_dir, "reftable")).is_none()
            && self.host.entry(&join(&self.place.common_dir, "refs")) == Some(EntryKind::Directory)
    }

    /// `Some(false)` only where refs can be read and it is none.
    fn told(&self, exists: bool) -> Option<bool> {
        if exists {
            Some(true)
        } else if self.refs_are_readable() {
            Some(false)
        } else {
            None
        }
    }

    /// Whether the ref with this full name exists; `None` where it cannot be told.
    pub(super) fn has_ref(&self, full_name: &str) -> Option<bool> {
        self.told(git::ref_exists(self.host, &self.place, full_name))
    }

    /// Whether a local branch exists; the checked-out one does even before its first commit.
    pub(super) fn has_branch(&self, name: &str) -> Option<bool> {
        if self.head_branch() == Some(name) {
            return Some(true);
        }
        self.told(git::branch_exists(self.host, &self.place, name))
    }

    /// Whether a name stands for a ref in any of the places git looks (gitrevisions(7)).
    pub(super) fn resolves(&self, name: &str) -> Option<bool> {
        if self.head_branch() == Some(name) {
            return Some(true);
        }
        self.has_ref(name)
    }
}
