//! Reads the case files in `tests/cases/posix`.
//!
//! One case a line; `⏎` stands for a line end and `⇥` for a tab. Empty lines and lines that begin with `## ` are left out.
#![allow(dead_code, reason = "each test file uses its own share")]

use std::path::Path;

/// The lines of `name`, their signs replaced.
pub fn lines(name: &str) -> Vec<String> {
    raw_lines(name).iter().map(|line| decode(line)).collect()
}

/// The lines of `name` as they stand there.
pub fn raw_lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/posix").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(!text.is_empty(), "no cases in {}", path.display());
    text.lines().filter(|line| !line.is_empty() && !line.starts_with("## ")).map(str::to_owned).collect()
}

/// `line` with its signs replaced.
pub fn decode(line: &str) -> String {
    line.replace('⏎', "\n").replace('⇥', "\t")
}
