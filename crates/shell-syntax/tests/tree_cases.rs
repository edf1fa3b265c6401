//! Input and tree, side by side: a line `> input` and below it a line `= tree`, as [`render::tree`] shows it.
//!
//! With `UPDATE_CASES=1` the trees are written anew; the change is then read like code.

use std::fmt::Write as _;
use std::path::Path;

use sekisho_shell_syntax::{posix, render};

mod support;

#[test]
fn trees_are_as_written() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/posix/trees.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut updated = String::new();
    let mut failures = String::new();
    let mut pending: Option<&str> = None;
    for line in text.lines() {
        if let Some(input) = line.strip_prefix("> ") {
            assert_eq!(pending, None, "an input without a tree");
            pending = Some(input);
            let _ = writeln!(updated, "{line}\n= {}", tree(input));
        } else if let Some(expected) = line.strip_prefix("= ") {
            let input = pending.take().unwrap();
            let actual = tree(input);
            if actual != expected {
                let _ = writeln!(failures, "> {input}\n- {expected}\n+ {actual}\n");
            }
        } else {
            let _ = writeln!(updated, "{line}");
        }
    }
    assert_eq!(pending, None, "an input without a tree");
    if std::env::var_os("UPDATE_CASES").is_some() {
        std::fs::write(&path, updated).unwrap();
        return;
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn tree(input: &str) -> String {
    render::tree(&posix::parse(&support::decode(input)))
}
