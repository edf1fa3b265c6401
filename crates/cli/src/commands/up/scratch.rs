//! A home directory with a small project, for one session, gone at its end.

use std::fs;
use std::io;
use std::path::PathBuf;

/// The files of the project, relative to it.
const FILES: [(&str, &str); 9] = [
    (".git/HEAD", "ref: refs/heads/main\n"),
    (".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"),
    (".git/objects/info/packs", ""),
    (".git/refs/heads/main", "9fceb02d0ae598e95dc970b74767f19372d61af8\n"),
    ("src/login.py", "def login(user, password):\n    return user.password == password\n"),
    ("tests/login_test.py", "from login import login\n"),
    ("build/login.pyc", ""),
    (".env", "API_KEY=not-a-real-key\n"),
    ("README.md", "# Shop\n"),
];

/// The directories of one session.
pub struct Scratch {
    root: PathBuf,
}

impl Scratch {
    /// Makes them.
    ///
    /// # Errors
    /// The system refuses.
    pub fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        // Paths the hook prints have their links followed; so must those we compare with.
        let parent = parent.canonicalize().unwrap_or(parent);
        let mut number = std::process::id();
        let root = loop {
            let root = parent.join(format!("sekisho-up-{number}"));
            match fs::create_dir(&root) {
                Ok(()) => break root,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number = number.wrapping_add(1),
                Err(error) => return Err(error),
            }
        };
        let scratch = Self { root };
        for (path, text) in FILES {
            let file = scratch.root.join("home/dev/shop").join(path);
            if let Some(directory) = file.parent() {
                fs::create_dir_all(directory)?;
            }
            fs::write(file, text)?;
        }
        Ok(scratch)
    }

    /// The home directory.
    pub fn home(&self) -> String {
        self.root.join("home/dev").to_string_lossy().into_owned()
    }

    /// The project.
    pub fn project(&self) -> String {
        self.root.join("home/dev/shop").to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning of temporary files.
        let _ = fs::remove_dir_all(&self.root);
    }
}
