//! bash itself says which programs are valid and which commands they hold.
//!
//! `valid.txt` and `rejected.txt` hold programs on which `bash -n` and this parser agree; `differ.txt` those on which they do not,
//! each with its reason. Without bash 5.2 or later only this parser's side is checked, which is said on standard error.

use std::process::Command;

use sekisho_shell_syntax::tree::{CommandKind, Program, Status};
use sekisho_shell_syntax::{posix, render, walk};

mod support;

/// Whether a bash is there whose grammar is the one followed here.
fn bash_is_usable() -> bool {
    let output = Command::new("bash").args(["-c", "echo $((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))"]).output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok()?.trim().parse::<u32>().ok());
    // The next minor version adds a form of `${ … }`.
    let usable = version == Some(502);
    if !usable {
        eprintln!("SKIPPED: no bash 5.2 here (found {version:?}), agreement with it was not checked");
    }
    usable
}

/// Whether `bash -n` takes the program.
fn bash_accepts(program: &str) -> bool {
    let Ok(output) = Command::new("bash").args(["-n", "-c", "--", program]).output() else { return false };
    let messages = String::from_utf8_lossy(&output.stderr);
    // Errors inside `[[` leave the exit status alone.
    output.status.success() && !["syntax error", "unexpected", "expected"].iter().any(|text| messages.contains(text))
}

#[test]
fn valid_programs_are_complete() {
    let programs = support::lines("valid.txt");
    assert!(programs.len() >= 150);
    let bash = bash_is_usable();
    let mut failures = Vec::new();
    for program in &programs {
        let parsed = posix::parse(program);
        if parsed.status != Status::Complete {
            failures.push(format!("{program:?}: {}", render::tree(&parsed)));
        }
        if bash && !bash_accepts(program) {
            failures.push(format!("{program:?}: bash rejects it"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn rejected_programs_are_not_complete() {
    let programs = support::lines("rejected.txt");
    let bash = bash_is_usable();
    let mut failures = Vec::new();
    for program in &programs {
        let parsed = posix::parse(program);
        if parsed.status == Status::Complete {
            failures.push(format!("{program:?}: {}", render::tree(&parsed)));
        }
        if bash && bash_accepts(program) {
            failures.push(format!("{program:?}: bash accepts it"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// A difference that is gone must leave the list.
#[test]
fn differences_are_still_there() {
    let bash = bash_is_usable();
    let mut failures = Vec::new();
    for line in support::raw_lines("differ.txt") {
        let (reason, program) = line.split_once(" | ").unwrap();
        let program = support::decode(program);
        let complete = posix::parse(&program).status == Status::Complete;
        if bash && complete == bash_accepts(&program) {
            failures.push(format!("{program:?}: no longer differs ({reason})"));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// bash writes out the commands it read. Reading that gives the same commands as reading the original.
#[test]
fn bash_sees_the_same_commands() {
    if !bash_is_usable() {
        return;
    }
    let mut failures = Vec::new();
    let script = std::env::temp_dir().join(format!("sekisho-agree-{}.sh", std::process::id()));
    for program in support::lines("valid.txt") {
        std::fs::write(&script, &program).unwrap();
        let output = Command::new("bash").arg("--pretty-print").arg(&script).output().unwrap();
        let (true, Ok(printed)) = (output.status.success(), String::from_utf8(output.stdout)) else { continue };
        let original = posix::parse(&program);
        if is_printed_otherwise(&original) {
            continue;
        }
        let (ours, theirs) = (command_names(&original), command_names(&posix::parse(&printed)));
        if ours != theirs {
            failures.push(format!("{program:?}\n  {ours:?}\n  {theirs:?}\n  {printed:?}"));
        }
    }
    let _ = std::fs::remove_file(&script);
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Coprocesses are printed with a name that reads as a command, functions named like a reserved word without `function`.
fn is_printed_otherwise(program: &Program) -> bool {
    struct Find(bool);
    impl<'t> walk::Visit<'t> for Find {
        fn command(&mut self, command: &'t sekisho_shell_syntax::tree::Command) {
            match &command.kind {
                CommandKind::Coprocess(_) => self.0 = true,
                CommandKind::Function(function) => self.0 |= matches!(function.name.as_str(), "if" | "a=b" | "f+"),
                _ => {}
            }
            walk::walk_command(self, command);
        }
    }
    let mut find = Find(false);
    walk::Visit::list(&mut find, &program.body);
    find.0
}

/// The first word of every simple command, quotes as bash prints them.
fn command_names(program: &Program) -> Vec<String> {
    program
        .simple_commands()
        .map(|simple| simple.words.first().map(render::word).unwrap_or_default().replace("$'", "'").replace("$\"", "\""))
        .collect()
}
