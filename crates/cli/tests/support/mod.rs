//! What the tests of the binary share: a home directory with a Git work tree, and a way to run the program in it.
#![allow(dead_code, reason = "each test uses a part")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A home directory, gone at the end of the test.
pub struct Home {
    root: PathBuf,
}

impl Home {
    /// Makes a home with a Git work tree at `src/ledger`.
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().canonicalize().unwrap().join(format!("sekisho-test-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        let home = Self { root };
        for (path, text) in [
            ("HEAD", "ref: refs/heads/main\n"),
            ("config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"),
            ("objects/info/packs", ""),
            ("refs/heads/main", "9fceb02d0ae598e95dc970b74767f19372d61af8\n"),
        ] {
            home.write(&format!("src/ledger/.git/{path}"), text);
        }
        home
    }

    /// The home directory.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The home directory, as text.
    pub fn text(&self) -> &str {
        self.root.to_str().unwrap()
    }

    /// The work tree.
    pub fn project(&self) -> PathBuf {
        self.root.join("src/ledger")
    }

    /// Writes a file below the home directory.
    pub fn write(&self, path: &str, text: &str) {
        let file = self.root.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Reads a file below the home directory.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// The program with this home, in the work tree, without variables that name other places.
    pub fn sekisho(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sekisho"));
        command.args(arguments).current_dir(self.project()).env("HOME", self.text()).env("NO_COLOR", "1");
        for name in [
            "SEKISHO_HOME",
            "SEKISHO_STATE_HOME",
            "XDG_CONFIG_HOME",
            "XDG_STATE_HOME",
            "CLAUDE_PROJECT_DIR",
            "CLAUDE_CONFIG_DIR",
            "CONTINUE_PROJECT_DIR",
            "DEVIN_PROJECT_DIR",
        ] {
            command.env_remove(name);
        }
        command
    }

    /// Runs the hook on one event.
    pub fn hook(&self, input: &[u8]) -> Output {
        run(self.sekisho(&["hook", "claude-code", "--home", self.text()]), input)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Runs a command with `input` on its standard input.
pub fn run(mut command: Command, input: &[u8]) -> Output {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that ends without reading all of it is judged by what it says.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Standard output as text.
pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Standard error as text.
pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}
