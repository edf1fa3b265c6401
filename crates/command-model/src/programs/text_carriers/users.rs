//! Shell text run as another user or inside another machine: su(1), runuser(1), sg(1), machinectl(1).

use super::words::{asks_for_help, carry_text, described, flag, inert, named, named_flag, span_of, value, word};
use crate::argument::Argument;
use crate::carried::{Carried, Change, Scope, ShellStart, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family};
use crate::option_grammar::{Grammar, OptionSpec, parse};
use crate::stream::Stream;

const SU: &[OptionSpec] = &[
    named("text", &["-c", "--command", "--session-command"]),
    named_flag("login", &["-l", "--login"]),
    named("user", &["-u", "--user"]),
    flag(&["-f", "--fast", "-m", "-p", "--preserve-environment", "-P", "--pty", "-T", "--no-pty"]),
    value(&["-g", "--group", "-G", "--supp-group", "-s", "--shell", "-w", "--whitelist-environment"]),
];

/// `su [-] [USER] -c TEXT`, `runuser -u USER -- COMMAND` (util-linux 2.40).
pub(super) fn su(invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    let grammar = if arguments.iter().any(|word| matches!(word.known(), Some("-u" | "--user"))) {
        Grammar::leading(SU)
    } else {
        Grammar::gnu(SU)
    };
    let parsed = parse(&grammar, arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    let span = span_of(arguments);
    understood.effects.push(Effect::new(EffectKind::Privilege, Family::General, span));
    let mut operands: Vec<_> = parsed.operands(arguments).cloned().collect();
    let dash = operands.first().is_some_and(|word| word.known() == Some("-"));
    if dash {
        operands.remove(0);
    }
    let login = dash || parsed.has("login");
    let change = Change { privileged: true, unknown_directory: login, home_unknown: true, ..Change::default() };
    let mut carry = |carried: Carried| understood.carried.push(Carried { change: change.clone(), ..carried });
    if parsed.has("user") && invocation.program == "runuser" {
        if !operands.is_empty() {
            carry(Carried::command(operands, span));
        }
        return understood;
    }
    // The first operand is the user; later ones are given to the shell.
    let positional = operands.get(1..).unwrap_or_default();
    match parsed.value("text") {
        Some(text) => {
            let mut carried = carry_text(&[Argument::with(text.clone(), span)], "sh", ShellStart::Child);
            if let What::Shell { positional: own, .. } = &mut carried.what
                && own.is_empty()
            {
                own.extend_from_slice(positional);
            }
            carry(carried);
        }
        None if !positional.is_empty() => {
            carry(Carried::command(std::iter::once(word("sh", span)).chain(positional.iter().cloned()).collect(), span));
        }
        None if *invocation.input != Stream::Nothing => {
            carry(Carried {
                what: What::StandardInput { start: ShellStart::Child, positional: Vec::new() },
                ..Carried::command(Vec::new(), span)
            });
        }
        None => {}
    }
    understood
}

/// `sg GROUP [-c] TEXT`.
pub(super) fn sg(arguments: &[Argument]) -> Understood {
    let mut understood = described();
    let words: Vec<_> =
        arguments.iter().filter(|word| !matches!(word.known(), Some("-" | "-c" | "--command"))).skip(1).cloned().collect();
    if !words.is_empty() {
        understood.carried.push(carry_text(&words, "sh", ShellStart::Child));
    }
    understood
}

const MACHINECTL: &[OptionSpec] = &[
    named("set", &["-E", "--setenv"]),
    value(&[
        "--uid",
        "-H",
        "--host",
        "-M",
        "--machine",
        "-p",
        "--property",
        "-s",
        "--signal",
        "-o",
        "--output",
        "-n",
        "--lines",
        "--kill-whom",
    ]),
    flag(&["-q", "--quiet", "-l", "--full", "-a", "--all", "--no-pager", "--no-legend", "--mkdir", "--read-only", "--force"]),
];

/// `machinectl shell [[USER@]MACHINE [PATH [ARGUMENT…]]]`: `.host` is this machine.
pub(super) fn machinectl(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar::leading(MACHINECTL), arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let rest = parsed.from_operand(arguments, 0);
    let Some(first) = rest.first() else {
        return inert();
    };
    let mut understood = described();
    match first.known() {
        Some("shell") => {
            let inner = rest.get(1..).unwrap_or_default();
            let parsed = parse(&Grammar::leading(MACHINECTL), inner);
            let machine = parsed.operand(inner, 0).map(|word| word.value.display()).unwrap_or_default();
            let host = machine.is_empty() || machine.ends_with(".host");
            let scope = (!host).then(|| Scope::Container { mounts: Vec::new(), disposable: false, unknown_mounts: true });
            let words = parsed.from_operand(inner, 1);
            if !words.is_empty() {
                let change = Change { scope, unknown_directory: true, home_unknown: true, privileged: host, ..Change::default() };
                understood.carried.push(Carried { change, ..Carried::command(words.to_vec(), span_of(words)) });
            }
            if host {
                understood.effects.push(Effect::new(EffectKind::Privilege, Family::General, span_of(arguments)));
            }
        }
        Some(operation) => {
            let resource = rest.get(1).map(|word| word.value.display());
            let reading = matches!(operation, "list" | "status" | "show" | "list-images" | "image-status" | "show-image");
            let operation = if reading { "read" } else { operation };
            let kind = EffectKind::Service { service: "machinectl".to_owned(), operation: operation.to_owned(), resource };
            understood.effects.push(Effect::new(kind, Family::General, first.span));
        }
        None => understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, first.span)),
    }
    understood
}
