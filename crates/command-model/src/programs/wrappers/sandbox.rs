//! bwrap(1), proot(1) and gdb(1): options with several values, or a child only behind a special option.

use crate::argument::{Argument, Value};
use crate::carried::{Carried, Change, Scope, ShellStart};
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family};
use crate::option_grammar::{Grammar, OptionSpec, parse};
use crate::programs::text_carriers::words::{
    asks_for_help, carry_text, described, flag, inert, named, named_flag, span_of, value, word,
};

/// bubblewrap's options and how many words each takes after it (bwrap 0.11). Any other option takes none.
const BUBBLEWRAP: &[(usize, &[&str])] = &[
    (
        1,
        &[
            "--args",
            "--argv0",
            "--userns",
            "--userns2",
            "--pidns",
            "--uid",
            "--gid",
            "--hostname",
            "--chdir",
            "--unsetenv",
            "--lock-file",
            "--sync-fd",
            "--remount-ro",
            "--exec-label",
            "--file-label",
            "--proc",
            "--dev",
            "--tmpfs",
            "--mqueue",
            "--dir",
            "--seccomp",
            "--add-seccomp-fd",
            "--block-fd",
            "--userns-block-fd",
            "--info-fd",
            "--json-status-fd",
            "--cap-add",
            "--cap-drop",
            "--perms",
            "--size",
            "--overlay-src",
            "--tmp-overlay",
            "--ro-overlay",
        ],
    ),
    (
        2,
        &[
            "--setenv",
            "--bind",
            "--bind-try",
            "--dev-bind",
            "--dev-bind-try",
            "--ro-bind",
            "--ro-bind-try",
            "--bind-fd",
            "--ro-bind-fd",
            "--file",
            "--bind-data",
            "--ro-bind-data",
            "--symlink",
            "--chmod",
        ],
    ),
    (3, &["--overlay"]),
];

/// `bwrap [OPTION…] COMMAND …`: a file system made of what is bound into it.
pub(super) fn bubblewrap(arguments: &[Argument]) -> Understood {
    let mut understood = described();
    let mut change = Change::default();
    let mut mounts = Vec::new();
    let mut unknown_mounts = false;
    let mut index = 0;
    while let Some(argument) = arguments.get(index) {
        let Some(text) = argument.known() else { break };
        if !text.starts_with("--") {
            break;
        }
        index += 1;
        match text {
            "--" => break,
            "--help" | "--version" => return inert(),
            _ => {}
        }
        let taken = BUBBLEWRAP.iter().find(|(_, names)| names.contains(&text)).map_or(0, |(count, _)| *count);
        let first = arguments.get(index).map(|word| word.value.clone());
        let second = arguments.get(index + 1).map(|word| word.value.clone());
        match (text, first, second) {
            ("--chdir", Some(directory), _) => change.directory = Some(directory),
            ("--setenv", Some(Value::Known { text, .. }), Some(value)) => change.environment.push((text, value)),
            ("--unsetenv", Some(Value::Known { text, .. }), _) => change.unset.push(text),
            ("--args", ..) => unknown_mounts = true,
            (_, Some(host), Some(inside)) if text.ends_with("bind") || text.ends_with("bind-try") => mounts.push((host, inside)),
            _ => change.clear_environment |= text == "--clearenv",
        }
        index += taken;
    }
    let words = arguments.get(index..).unwrap_or_default();
    if words.is_empty() {
        return understood;
    }
    change.scope = Some(Scope::Container { mounts, disposable: true, unknown_mounts });
    if let Some(first) = words.first()
        && first.known().is_none()
        && first.may_be_option()
    {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, first.span));
    }
    understood.carried.push(Carried { change, ..Carried::command(words.to_vec(), span_of(words)) });
    understood
}

/// `capsh [OPTION…] -- [WORD…]`: bash gets the words behind `--` (or `==`).
pub(super) fn capsh(arguments: &[Argument]) -> Understood {
    let mut understood = described();
    let Some(mark) = arguments.iter().position(|argument| matches!(argument.known(), Some("--" | "=="))) else {
        return understood;
    };
    let rest = arguments.get(mark + 1..).unwrap_or_default();
    let words: Vec<Argument> = std::iter::once(word("bash", span_of(arguments))).chain(rest.iter().cloned()).collect();
    understood.carried.push(Carried::command(words, span_of(arguments)));
    understood
}

const PROOT: &[OptionSpec] = &[
    named("root", &["-r", "--rootfs", "-R", "-S"]),
    named("bind", &["-b", "--bind", "-m", "--mount"]),
    named("directory", &["-w", "--pwd", "--cwd"]),
    value(&["-q", "--qemu", "-k", "--kernel-release", "-v", "--verbose", "-i", "--change-id"]),
    flag(&["-0", "--root-id", "-h", "-V", "-l", "--kill-on-exit", "--link2symlink", "-L", "--sysvipc", "-p", "-n"]),
];

/// `proot [-r ROOT] [-b HOST[:INSIDE]] COMMAND …`.
pub(super) fn proot(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar { abbreviates: false, ..Grammar::leading(PROOT) }, arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let words = parsed.from_operand(arguments, 0);
    let mut mounts = Vec::new();
    let mut unknown_mounts = false;
    for value in parsed.values("bind") {
        match value.known() {
            Some(text) => {
                let (host, inside) = text.split_once(':').unwrap_or((text, text));
                mounts.push((Value::literal(host), Value::literal(inside.trim_end_matches('!'))));
            }
            None => unknown_mounts = true,
        }
    }
    let root = parsed.value("root").filter(|root| root.known() != Some("/"));
    mounts.extend(root.map(|root| (root.clone(), Value::literal("/"))));
    // Without a new root the child sees this machine's files.
    let scope = root.map(|_| Scope::Container { mounts, disposable: false, unknown_mounts });
    let mut understood = described();
    let child = if words.is_empty() { vec![Argument::literal("sh")] } else { words.to_vec() };
    let change = Change { scope, directory: parsed.value("directory").cloned(), ..Change::default() };
    understood.carried.push(Carried { change, ..Carried::command(child, span_of(words)) });
    understood
}

const GDB: &[OptionSpec] = &[
    named_flag("args", &["-args", "--args"]),
    named(
        "command",
        &["-ex", "--ex", "-eval-command", "--eval-command", "-iex", "--iex", "-init-eval-command", "--init-eval-command"],
    ),
    named("script", &["-x", "--x", "-command", "--command", "-ix", "--ix", "-init-command", "--init-command"]),
    value(&[
        "-c",
        "-core",
        "--core",
        "-cd",
        "--cd",
        "-d",
        "-directory",
        "--directory",
        "-e",
        "-exec",
        "--exec",
        "-p",
        "-pid",
        "--pid",
    ]),
    value(&["-s", "-se", "-symbols", "--symbols", "-b", "-l", "-tty", "--tty", "-i", "-interpreter", "--interpreter"]),
    flag(&[
        "-batch", "--batch", "-q", "-quiet", "--quiet", "-nx", "--nx", "-nh", "--nh", "-n", "-tui", "--tui", "-nw", "-silent",
        "--silent",
    ]),
];

/// `gdb --args PROGRAM …`, and debugger commands that run shell text.
pub(super) fn gdb(arguments: &[Argument]) -> Understood {
    let grammar = Grammar { options: GDB, permutes: false, abbreviates: false, single_dash_long: true };
    let parsed = parse(&grammar, arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    for option in parsed.options.iter().filter(|option| option.id == Some("command")) {
        let Some(value) = &option.value else { continue };
        let text = value.display();
        let shell = ["shell ", "!", "make "].iter().find_map(|prefix| text.trim_start().strip_prefix(prefix));
        if let Some(code) = shell {
            let words = [word(code, option.span)];
            understood.carried.push(carry_text(&words, "sh", ShellStart::Child));
        }
    }
    if parsed.has("args") {
        let words = parsed.from_operand(arguments, 0);
        if !words.is_empty() {
            understood.carried.push(Carried::command(words.to_vec(), span_of(words)));
        }
    }
    understood
}
