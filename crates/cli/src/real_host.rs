//! The machine the process runs on.
//!
//! Every method looks when it is asked and remembers little: a call that asks nothing opens nothing. Nothing is written, nothing but
//! the file system and the environment is read, and no file that is not a regular one is ever opened.

use std::cell::{OnceCell, RefCell};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::UNIX_EPOCH;

use sekisho_host::git::{self, Repository};
use sekisho_host::git_index::{FileLook, INDEX_BYTES, Index, Time};
use sekisho_host::resolve::Resolver;
use sekisho_host::{EntryKind, FileState, Host, Platform, ReadFailure, path};

/// Bytes of the password database that are read.
const PASSWORD_BYTES: usize = 1024 * 1024;
/// Tracked files of one directory whose state is looked at.
const FILES_LOOKED_AT: usize = 2_000;

/// This machine, seen by this user.
pub struct RealHost {
    home: String,
    users: OnceCell<Vec<User>>,
    index: RefCell<Option<Tree>>,
}

/// A line of the password database.
struct User {
    name: String,
    id: String,
    home: String,
}

/// The index of the work tree asked about last.
struct Tree {
    /// The directory whose repository it is.
    directory: String,
    repository: Option<Repository>,
    index: Option<(Index, Time)>,
}

impl RealHost {
    /// This machine. `home` is the path fixed at install, if there is one; otherwise the password database says where the user's home is,
    /// and only where it says nothing does the environment.
    pub fn new(home: Option<&str>) -> Self {
        let mut host = Self { home: String::new(), users: OnceCell::new(), index: RefCell::new(None) };
        host.home = match home {
            Some(home) => path::normalize(home),
            None => host.home_of_this_user().unwrap_or_else(home_of_environment),
        };
        host
    }

    fn home_of_this_user(&self) -> Option<String> {
        let id = user_id()?;
        self.users().iter().find(|user| user.id == id).map(|user| user.home.clone())
    }

    fn users(&self) -> &[User] {
        self.users.get_or_init(|| {
            if cfg!(windows) {
                return Vec::new();
            }
            read_text("/etc/passwd", PASSWORD_BYTES).map(|text| text.lines().filter_map(user).collect()).unwrap_or_default()
        })
    }

    fn state_in_tree(&self, tree: &Tree, file: &str) -> FileState {
        let Some(repository) = tree.repository.as_ref() else {
            return FileState::Untracked;
        };
        let Some(below) = path::relative_to_on(self.platform(), file, &repository.work_tree) else {
            return FileState::Unknown;
        };
        let Some((index, written)) = tree.index.as_ref() else {
            // A repository without an index tracks nothing yet; one with an index that cannot be read may track anything.
            let has_none = self.entry(&path::join(&repository.git_dir, "index")).is_none();
            return if has_none { FileState::Untracked } else { FileState::Unknown };
        };
        match fs::symlink_metadata(file) {
            Err(_) => FileState::Missing,
            Ok(metadata) if metadata.is_dir() => directory_state(index, *written, &repository.work_tree, below),
            Ok(metadata) => index.state(below, look(&metadata), *written),
        }
    }
}

/// The strongest state of the tracked files below a directory.
fn directory_state(index: &Index, written: Time, work_tree: &str, below: &str) -> FileState {
    let mut found = FileState::Untracked;
    for (count, file) in index.below(below).enumerate() {
        if count >= FILES_LOOKED_AT {
            return FileState::Unknown;
        }
        let state = fs::symlink_metadata(path::join(work_tree, file)).map(|metadata| index.state(file, look(&metadata), written));
        match state {
            // A deleted file is a change too, but nothing of it can be lost any more.
            Err(_) | Ok(FileState::TrackedClean) if found != FileState::Unknown => found = FileState::TrackedClean,
            Ok(FileState::TrackedModified) => return FileState::TrackedModified,
            Ok(FileState::Unknown) => found = FileState::Unknown,
            _ => {}
        }
    }
    found
}

fn read_tree(host: &RealHost, directory: &str) -> Tree {
    let repository = git::locate(host, directory).filter(|repository| !repository.is_bare);
    let index = repository.as_ref().and_then(|repository| {
        let file = path::join(&repository.git_dir, "index");
        let metadata = fs::metadata(&file).ok().filter(|metadata| metadata.is_file() && metadata.len() <= INDEX_BYTES)?;
        let hash_bytes = match git::config(host, repository).get("extensions.objectformat") {
            Some("sha256") => 32,
            _ => 20,
        };
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
        File::open(&file).ok()?.take(INDEX_BYTES).read_to_end(&mut bytes).ok()?;
        Some((Index::parse(&bytes, hash_bytes).ok()?, modified(&metadata)))
    });
    Tree { directory: directory.to_owned(), repository, index }
}

fn look(metadata: &fs::Metadata) -> FileLook {
    FileLook { size: metadata.len(), modified: modified(metadata), is_link: metadata.is_symlink() }
}

/// The index keeps the lower 32 bits of the seconds.
#[expect(clippy::cast_possible_truncation, reason = "the index keeps the lower 32 bits")]
fn modified(metadata: &fs::Metadata) -> Time {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    Time { seconds: since.as_secs() as u32, nanoseconds: since.subsec_nanos() }
}

/// Source: passwd(5): name, password, user id, group id, comment, home, shell.
fn user(line: &str) -> Option<User> {
    let mut fields = line.split(':');
    let name = fields.next()?;
    let id = fields.nth(1)?;
    let home = fields.nth(2)?;
    home.starts_with('/').then(|| User { name: name.to_owned(), id: id.to_owned(), home: path::normalize(home) })
}

/// The user this process runs as: the owner of its own entry in `/proc` (proc(5)), where there is one.
#[cfg(unix)]
fn user_id() -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").ok().map(|metadata| metadata.uid().to_string())
}

#[cfg(not(unix))]
fn user_id() -> Option<String> {
    None
}

fn home_of_environment() -> String {
    let named = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    match std::env::var(named) {
        Ok(home) if path::is_absolute(&home) => path::normalize(&home),
        // No home at all: the root, so that everything counts as below it.
        _ => if cfg!(windows) { "C:/" } else { "/" }.to_owned(),
    }
}

fn failure(error: &std::io::Error) -> ReadFailure {
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => ReadFailure::Missing,
        _ => ReadFailure::Unreadable,
    }
}

fn read_text(path: &str, limit: usize) -> Result<String, ReadFailure> {
    // Looked at before it is opened: opening a pipe waits for a writer, opening a device may do something.
    let metadata = fs::metadata(path).map_err(|error| failure(&error))?;
    if !metadata.is_file() {
        return Err(ReadFailure::WrongKind);
    }
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    if metadata.len() > limit {
        return Err(ReadFailure::TooLarge);
    }
    let file = File::open(path).map_err(|error| failure(&error))?;
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // It may have grown meanwhile, and files of `/proc` say they are empty.
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| failure(&error))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limit {
        return Err(ReadFailure::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| ReadFailure::Unreadable)
}

/// Source: inode(7); junctions count as links (`FileType::is_symlink` on Windows).
fn kind(metadata: &fs::Metadata) -> EntryKind {
    let file_type = metadata.file_type();
    if file_type.is_symlink() {
        return EntryKind::Link;
    }
    if file_type.is_dir() {
        return EntryKind::Directory;
    }
    if file_type.is_file() {
        return EntryKind::File { size: metadata.len() };
    }
    device_kind(file_type)
}

#[cfg(unix)]
fn device_kind(file_type: fs::FileType) -> EntryKind {
    use std::os::unix::fs::FileTypeExt;
    if file_type.is_block_device() {
        EntryKind::BlockDevice
    } else if file_type.is_char_device() {
        EntryKind::CharacterDevice
    } else {
        EntryKind::Other
    }
}

#[cfg(not(unix))]
fn device_kind(_: fs::FileType) -> EntryKind {
    EntryKind::Other
}

impl Host for RealHost {
    fn home(&self) -> &str {
        &self.home
    }

    fn home_of(&self, user: &str) -> Option<String> {
        self.users().iter().find(|known| known.name == user).map(|known| known.home.clone())
    }

    fn environment(&self, name: &str) -> Option<String> {
        // `var` refuses these names by panicking on some platforms.
        if name.is_empty() || name.contains(['=', '\0']) {
            return None;
        }
        // Nothing in this process changes its environment, so this is how it stood at the start.
        std::env::var(name).ok()
    }

    fn platform(&self) -> Platform {
        if cfg!(windows) {
            Platform::Windows
        } else if cfg!(target_os = "macos") {
            Platform::MacOs
        } else {
            Platform::Linux
        }
    }

    fn entry(&self, path: &str) -> Option<EntryKind> {
        fs::symlink_metadata(path).ok().map(|metadata| kind(&metadata))
    }

    fn link_target(&self, path: &str) -> Option<String> {
        fs::read_link(path).ok().map(|target| target.to_string_lossy().into_owned())
    }

    fn read(&self, path: &str, limit: usize) -> Result<String, ReadFailure> {
        read_text(path, limit)
    }

    fn list(&self, path: &str, limit: usize) -> Result<Vec<String>, ReadFailure> {
        if !Path::new(path).is_dir() {
            return Err(if Path::new(path).exists() { ReadFailure::WrongKind } else { ReadFailure::Missing });
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| failure(&error))? {
            if names.len() == limit {
                return Err(ReadFailure::TooLarge);
            }
            let entry = entry.map_err(|error| failure(&error))?;
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
        Ok(names)
    }

    fn file_state(&self, path: &str) -> FileState {
        let Ok(resolved) = Resolver::new(self).canonical_entry(None, path) else {
            return FileState::Unknown;
        };
        if !resolved.exists {
            return FileState::Missing;
        }
        let file = resolved.canonical;
        let directory = match resolved.kind {
            Some(EntryKind::Directory) => file.as_str(),
            _ => path::parent(&file).unwrap_or(&file),
        };
        let remembered = self.index.borrow().as_ref().is_some_and(|tree| tree.directory == directory);
        if !remembered {
            let tree = read_tree(self, directory);
            self.index.replace(Some(tree));
        }
        self.index.borrow().as_ref().map_or(FileState::Unknown, |tree| self.state_in_tree(tree, &file))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::process::Command;

    /// A directory of its own for one test, gone at the end.
    struct Scratch(String);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("sekisho-real-host-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(fs::canonicalize(path).unwrap().to_str().unwrap().to_owned())
        }

        fn path(&self, name: &str) -> String {
            path::join(&self.0, name)
        }

        fn git(&self, words: &[&str]) -> bool {
            let isolated = [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")];
            let status = Command::new("git")
                .args(["-c", "user.name=x", "-c", "user.email=x@x"])
                .args(words)
                .current_dir(&self.0)
                .envs(isolated)
                .output();
            status.is_ok_and(|output| output.status.success())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn reads_only_regular_text_within_limits() {
        let scratch = Scratch::new("read");
        let host = RealHost::new(None);
        fs::write(scratch.path("a"), "text").unwrap();
        fs::write(scratch.path("b"), [0xff, 0xfe]).unwrap();
        std::os::unix::fs::symlink("a", scratch.path("l")).unwrap();
        for (name, limit, expected) in [
            ("a", 4, Ok("text")),
            ("a", 3, Err(ReadFailure::TooLarge)),
            ("l", 4, Ok("text")),
            ("b", 4, Err(ReadFailure::Unreadable)),
            ("c", 4, Err(ReadFailure::Missing)),
            ("a/c", 4, Err(ReadFailure::Missing)),
            (".", 4, Err(ReadFailure::WrongKind)),
            ("/dev/zero", 4, Err(ReadFailure::WrongKind)),
        ] {
            assert_eq!(host.read(&scratch.path(name), limit).as_deref(), expected.as_deref(), "{name}");
        }
        assert_eq!(host.entry(&scratch.path("l")), Some(EntryKind::Link));
        assert_eq!(host.link_target(&scratch.path("l")).as_deref(), Some("a"));
        assert_eq!(host.entry("/dev/null"), Some(EntryKind::CharacterDevice));
        assert_eq!(host.list(&scratch.path("."), 3).map(|names| names.len()), Ok(3));
        assert_eq!(host.list(&scratch.path("."), 2), Err(ReadFailure::TooLarge));
        assert_eq!(host.list(&scratch.path("a"), 2), Err(ReadFailure::WrongKind));
    }

    #[test]
    fn the_password_database_says_where_home_is() {
        let host = RealHost::new(None);
        assert!(path::is_absolute(host.home()));
        assert_eq!(RealHost::new(Some("/home/fixed/")).home(), "/home/fixed");
        let known = user("dev:x:1000:1000:Dev,,,:/home/dev:/bin/bash").unwrap();
        assert_eq!((known.name.as_str(), known.id.as_str(), known.home.as_str()), ("dev", "1000", "/home/dev"));
        assert!(user("broken:x").is_none());
        assert_eq!(host.environment("A=B"), None);
    }

    #[test]
    fn the_index_says_what_is_tracked() {
        let scratch = Scratch::new("state");
        if !scratch.git(&["init", "-q"]) {
            return;
        }
        let host = || RealHost::new(None);
        assert_eq!(host().file_state(&scratch.path("none")), FileState::Missing);
        fs::create_dir_all(scratch.path("src/deep")).unwrap();
        for name in ["a", "src/b", "src/deep/c"] {
            fs::write(scratch.path(name), name).unwrap();
        }
        assert_eq!(host().file_state(&scratch.path("a")), FileState::Untracked);
        // An index written in the same instant as its files proves nothing.
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(scratch.git(&["add", "a", "src"]));
        fs::write(scratch.path("src/deep/c"), "changed").unwrap();
        fs::write(scratch.path("d"), "new").unwrap();
        for version in ["2", "4"] {
            assert!(scratch.git(&["update-index", "--index-version", version]));
            for (name, state) in [
                ("a", FileState::TrackedClean),
                ("src/b", FileState::TrackedClean),
                ("src/deep/c", FileState::TrackedModified),
                ("src", FileState::TrackedModified),
                (".", FileState::TrackedModified),
                ("d", FileState::Untracked),
            ] {
                assert_eq!(host().file_state(&scratch.path(name)), state, "{name}, version {version}");
            }
        }
    }
}
