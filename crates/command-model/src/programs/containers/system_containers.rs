//! lxc and incus, lxc-attach(1), distrobox(1), toolbox(1).

use super::{grammar, listed, service, structure};
use crate::argument::{Argument, Value};
use crate::carried::{Carried, Change, Scope};
use crate::catalog::Understood;
use crate::option_grammar::{OptionSpec, parse};
use crate::programs::text_carriers::words::{asks_for_help, described, flag, inert, named, named_flag, span_of, value};

const LXC: &[OptionSpec] = &[
    named("directory", &["--cwd"]),
    flag(&["-t", "--force-interactive", "-T", "--force-noninteractive", "-n", "--disable-stdin", "-f", "--force", "-q", "--quiet"]),
    value(&["--project", "--env", "--mode", "--user", "--group", "-c", "--config", "-p", "--profile", "-s", "--storage"]),
];

fn unknown_mounts() -> Change {
    let scope = Scope::Container { mounts: Vec::new(), disposable: false, unknown_mounts: true };
    Change { scope: Some(scope), unknown_directory: true, home_unknown: true, ..Change::default() }
}

fn carry(words: &[Argument], change: Change, understood: &mut Understood) {
    let words = match words.split_first() {
        Some((first, rest)) if first.known() == Some("--") => rest,
        _ => words,
    };
    if !words.is_empty() {
        understood.carried.push(Carried { change, ..Carried::command(words.to_vec(), span_of(words)) });
    }
}

/// `lxc exec NAME -- COMMAND …`; other sub-commands are operations.
pub(super) fn lxc(arguments: &[Argument]) -> Understood {
    let outer = parse(&grammar(LXC, false), arguments);
    if asks_for_help(&outer) {
        return inert();
    }
    let words = outer.from_operand(arguments, 0);
    let Some((first, rest)) = words.split_first() else {
        return inert();
    };
    let mut understood = described();
    let Some(name) = first.known() else {
        understood.effects.push(structure(first.span));
        return understood;
    };
    if name == "exec" {
        let parsed = parse(&grammar(LXC, false), rest);
        let change = match parsed.value("directory") {
            Some(directory) => Change { directory: Some(directory.clone()), unknown_directory: false, ..unknown_mounts() },
            None => unknown_mounts(),
        };
        let behind = parsed.from_operand(rest, 1);
        // Options may stand behind the name, up to `--`.
        let mark = behind.iter().position(|word| word.known() == Some("--"));
        carry(mark.and_then(|mark| behind.get(mark..)).unwrap_or(behind), change, &mut understood);
        return understood;
    }
    let parsed = parse(&grammar(LXC, true), rest);
    if asks_for_help(&parsed) {
        return inert();
    }
    let operation = match name {
        "list" | "ls" | "info" | "show" | "version" | "monitor" | "help" | "console" => "read",
        "delete" | "rm" => "delete",
        other => other,
    };
    understood.effects.push(service("lxc", operation, listed(parsed.operands(rest)), span_of(arguments)));
    understood
}

const ATTACH: &[OptionSpec] = &[
    named_flag("clear", &["--clear-env"]),
    flag(&["-q", "--quiet", "--keep-env", "-e", "--elevated-privileges", "-R", "--remount-sys-proc"]),
    value(&["-n", "--name", "-P", "--lxcpath", "-o", "--logfile", "-l", "--logpriority", "-s", "--namespaces", "-a", "--arch"]),
    value(&["-v", "--set-var", "--keep-var", "-f", "--rcfile", "-u", "--uid", "-g", "--gid", "-c", "--context"]),
];

/// `lxc-attach -n NAME -- COMMAND …`.
pub(super) fn lxc_attach(arguments: &[Argument]) -> Understood {
    let parsed = parse(&grammar(ATTACH, false), arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    let change = Change { clear_environment: parsed.has("clear"), ..unknown_mounts() };
    carry(parsed.from_operand(arguments, 0), change, &mut understood);
    understood
}

/// Such a container shares the user's home and the temporary directory and shows the whole machine below `/run/host`.
fn shared() -> Change {
    let pair = |host: &str, inside: &str| (Value::literal(host), Value::literal(inside));
    let mounts = vec![pair("/home", "/home"), pair("/tmp", "/tmp"), pair("/", "/run/host")];
    Change { scope: Some(Scope::Container { mounts, disposable: false, unknown_mounts: false }), ..Change::default() }
}

const ENTER: &[OptionSpec] = &[
    named("container", &["-n", "--name"]),
    flag(&[
        "-T",
        "-H",
        "--no-tty",
        "-r",
        "--root",
        "-nw",
        "--no-workdir",
        "--clean-path",
        "-d",
        "--dry-run",
        "-v",
        "--verbose",
        "-Y",
        "--yes",
    ]),
    value(&["-a", "--additional-flags"]),
];

/// `distrobox enter NAME -- COMMAND …`.
pub(super) fn distrobox(program: &str, arguments: &[Argument]) -> Understood {
    let mut rest = arguments;
    if program == "distrobox" {
        let Some((first, behind)) = arguments.split_first() else {
            return inert();
        };
        match first.known() {
            Some("enter") => rest = behind,
            Some("list" | "ls" | "version" | "help" | "--help" | "--version") => return inert(),
            Some(name) => {
                let mut understood = described();
                let operation = if name == "rm" { "delete" } else { name };
                understood.effects.push(service("distrobox", operation, listed(behind.iter()), span_of(arguments)));
                return understood;
            }
            None => {
                let mut understood = described();
                understood.effects.push(structure(first.span));
                return understood;
            }
        }
    }
    let mut understood = described();
    // `-e` begins the command as `--` does.
    let mark = rest.iter().position(|word| matches!(word.known(), Some("--" | "-e" | "--exec")));
    let own = mark.and_then(|mark| rest.get(..mark)).unwrap_or(rest);
    let parsed = parse(&grammar(ENTER, true), own);
    if asks_for_help(&parsed) {
        return inert();
    }
    if let Some(words) = mark.and_then(|mark| rest.get(mark + 1..)) {
        carry(words, shared(), &mut understood);
    }
    understood
}

const TOOLBOX_RUN: &[OptionSpec] = &[value(&["-c", "--container", "-d", "--distro", "-r", "--release", "--preserve-fds"])];

/// `toolbox run [-c NAME] COMMAND …`.
pub(super) fn toolbox(arguments: &[Argument]) -> Understood {
    let Some(at) = arguments.iter().position(|word| word.known().is_none_or(|text| !text.starts_with('-'))) else {
        return inert();
    };
    let rest = arguments.get(at + 1..).unwrap_or_default();
    let mut understood = described();
    match arguments.get(at).and_then(Argument::known) {
        Some("run") => {
            let parsed = parse(&grammar(TOOLBOX_RUN, false), rest);
            if asks_for_help(&parsed) {
                return inert();
            }
            carry(parsed.from_operand(rest, 0), shared(), &mut understood);
        }
        Some("list" | "help") => return inert(),
        Some(name) => {
            let operation = if matches!(name, "rm" | "rmi") { "delete" } else { name };
            understood.effects.push(service("toolbox", operation, listed(rest.iter()), span_of(arguments)));
        }
        None => understood.effects.push(structure(span_of(arguments))),
    }
    understood
}
