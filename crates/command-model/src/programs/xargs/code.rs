//! Whether values from an input can become code: as the program, a shell's text, an interpreter's option.

use crate::argument::{Argument, Cause, Value};
use crate::catalog::Invocation;
use crate::programs::shells::{self, From};
use crate::programs::text_carriers::words::program_name;
use crate::programs::wrappers;

/// How many wrappers are looked through.
const WRAPPERS: usize = 8;

/// Interpreters, the letters of their options with code, and those with a value that is none.
const INTERPRETERS: &[(&[&str], &str, &str)] = &[
    (&["python", "python2", "python3", "pypy", "pypy3"], "c", "mWXQ"),
    (&["node", "nodejs", "bun"], "ep", "rC"),
    (&["deno"], "", ""),
    (&["ruby", "jruby"], "e", "rICEFKTWx"),
    (&["perl"], "eE", "IMmFCxD"),
    (&["php"], "rBRE", "cdfFzSt"),
    (&["lua", "luajit", "osascript"], "e", "lj"),
    (&["Rscript", "elixir", "raku", "groovy", "scala", "julia"], "e", "rpL"),
    (&["tclsh", "expect", "jshell"], "c", "f"),
];

/// Words that were made from an input can be read as code by the command they are in.
pub(crate) fn input_becomes_code(words: &[Argument], invocation: &Invocation<'_>) -> bool {
    let mut words = words.to_vec();
    for _ in 0..WRAPPERS {
        let Some((head, arguments)) = words.split_first() else {
            return false;
        };
        let Some(program) = head.known().map(program_name) else {
            return comes_from_input(head);
        };
        let child = Invocation {
            program,
            program_path: None,
            arguments,
            input: invocation.input,
            variable: invocation.variable,
            cwd: None,
            host: invocation.host,
        };
        let next = wrappers::child_words(&child);
        match next {
            Some(next) => words = next,
            None => return program_reads_code(program, arguments),
        }
    }
    false
}

fn program_reads_code(program: &str, arguments: &[Argument]) -> bool {
    if let Some(reading) = shells::reading(program, arguments) {
        return match &reading.from {
            // A path that was found, in the middle of text whose program is written there: the text is followed with the path in it.
            From::Text(text) => comes_from_input(text) && !is_written_command(text),
            // `xargs sh`: the value may be `-c`.
            From::Script(path) => opens_options(path),
            From::Input | From::Nowhere => false,
        };
    }
    match program {
        "eval" => arguments.iter().any(comes_from_input),
        "awk" | "gawk" | "mawk" | "nawk" => awk_reads_code(arguments),
        "git" => git_subcommand(arguments),
        "ssh" => ssh_reads_code(arguments),
        _ => INTERPRETERS
            .iter()
            .find(|(names, ..)| {
                names.contains(&program) || program.strip_prefix("python3.").is_some() && names.contains(&"python3")
            })
            .is_some_and(|(_, code, values)| interpreter_reads_code(arguments, code, values)),
    }
}

/// The word is unknown because of the input.
fn comes_from_input(word: &Argument) -> bool {
    match &word.value {
        Value::Dynamic(partial) => {
            matches!(partial.cause, Cause::Input | Cause::PathUnder { .. } | Cause::Temporary | Cause::Remote | Cause::Unknown)
        }
        _ => false,
    }
}

/// The text begins with a word of its own before the found path it holds.
fn is_written_command(word: &Argument) -> bool {
    match &word.value {
        Value::Dynamic(partial) => {
            let path = matches!(partial.cause, Cause::PathUnder { .. });
            path && partial.prefix.trim_start().contains(char::is_whitespace)
        }
        _ => false,
    }
}

/// The word comes from the input and may be an option.
fn opens_options(word: &Argument) -> bool {
    comes_from_input(word) && word.may_be_option()
}

/// An interpreter's words: code in an option's value, or a value where options are still read.
fn interpreter_reads_code(arguments: &[Argument], code: &str, values: &str) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let Some(text) = word.known() else {
            let prefixed = matches!(&word.value, Value::Dynamic(partial) if partial.prefix.starts_with('-'));
            return opens_options(word) || prefixed && comes_from_input(word);
        };
        if text == "--" || !text.starts_with('-') || text == "-" {
            return false;
        }
        let (takes_code, takes_value) = if text.starts_with("--") {
            (matches!(text, "--eval" | "--print" | "--run"), false)
        } else {
            let last = text.chars().next_back().unwrap_or_default();
            (code.contains(last), values.contains(last) && text.chars().count() == 2)
        };
        if takes_code {
            // Later options may hold code as well, but nothing after a script's first words does.
            match words.next() {
                Some(value) if comes_from_input(value) => return true,
                _ => return false,
            }
        }
        if takes_value {
            // `python -m MODULE` ends the options.
            if text.ends_with('m') && code == "c" {
                return words.next().is_some_and(comes_from_input);
            }
            words.next();
        }
    }
    false
}

/// awk's program is its first operand, or the file of `-f`.
fn awk_reads_code(arguments: &[Argument]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.known() {
            Some("-f" | "--file" | "-e" | "--source" | "-i" | "--include") => {
                return words.next().is_some_and(comes_from_input);
            }
            Some("-F" | "-v" | "--field-separator" | "--assign") => {
                words.next();
            }
            Some(text) if text.starts_with('-') && text.len() > 1 => {}
            Some(_) => return false,
            None => return comes_from_input(word),
        }
    }
    false
}

/// git's sub-command itself comes from the input.
fn git_subcommand(arguments: &[Argument]) -> bool {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.known() {
            Some("-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" | "--config-env") => {
                if words.next().is_some_and(|value| comes_from_input(value) && word.known() == Some("-c")) {
                    return true;
                }
            }
            Some(text) if text.starts_with('-') => {}
            Some(_) => return false,
            None => return comes_from_input(word),
        }
    }
    false
}

/// The first word of a remote command, or a word before the host, comes from the input. (`xargs ssh` alone takes hosts.)
fn ssh_reads_code(arguments: &[Argument]) -> bool {
    let mut operands = 0;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.known() {
            Some(text) if text.starts_with('-') && text.len() > 1 => {
                if text.len() == 2 && text.chars().all(|letter| "-BbcDEeFIiJLlmOoPpRSWw".contains(letter)) {
                    words.next();
                }
            }
            Some(_) if operands == 0 => operands = 1,
            Some(_) => return false,
            None if operands == 0 && !comes_from_input(word) => operands = 1,
            None if operands == 0 => return opens_options(word) && words.next().is_none(),
            None => return comes_from_input(word),
        }
    }
    false
}
