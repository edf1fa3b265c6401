//! Programs that run the command given as their operands: sudo, env, nice, timeout and their kin.

mod env;
mod runners;
mod sandbox;
mod table;

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};
use crate::carried::{Carried, Change, Scope, ShellStart, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Target, WriteMode};
use crate::option_grammar::{Grammar, Parsed, parse};
use crate::programs::text_carriers::words::{asks_for_help, assignment, carry_text, described, inert, join, span_of, undescribed};
use table::{Child, WRAPPERS, Wrapper};

/// The forms of programs described elsewhere (`npm`, `uv`, `nix`, `pipenv`, `ssh-agent` …) that run a child; `None` for every
/// other sub-command. The catalog asks here before it reads a table.
pub fn runner(invocation: &Invocation<'_>) -> Option<Understood> {
    let program = invocation.program;
    if NAMES.contains(&program) {
        return None;
    }
    runners::package_runner(invocation).or_else(|| {
        let wrapper = WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&program))?;
        after_subcommand(wrapper, invocation.arguments)?;
        Some(wrapped(wrapper, invocation)).filter(|understood| !understood.carried.is_empty())
    })
}

/// The programs this file answers for.
pub const NAMES: &[&str] = &[
    "sudo",
    "sudoedit",
    "doas",
    "pkexec",
    "gosu",
    "su-exec",
    "env",
    "command",
    "builtin",
    "exec",
    "nohup",
    "nice",
    "ionice",
    "chrt",
    "taskset",
    "numactl",
    "cgexec",
    "systemd-run",
    "prlimit",
    "setsid",
    "caffeinate",
    "setarch",
    "linux32",
    "linux64",
    "i386",
    "x86_64",
    "unbuffer",
    "faketime",
    "eatmydata",
    "fakeroot-tcp",
    "fakeroot",
    "chronic",
    "setcap-exec",
    "catchsegv",
    "nocache",
    "torsocks",
    "torify",
    "proxychains",
    "proxychains4",
    "choom",
    "setpriv",
    "tini",
    "dumb-init",
    "rlwrap",
    "timeout",
    "gtimeout",
    "stdbuf",
    "gstdbuf",
    "time",
    "gtime",
    "perf",
    "strace",
    "ltrace",
    "valgrind",
    "gdb",
    "rr",
    "chroot",
    "unshare",
    "nsenter",
    "firejail",
    "bwrap",
    "proot",
    "xvfb-run",
    "dbus-run-session",
    "direnv",
    "mise",
    "rtx",
    "asdf",
    "devbox",
    "dotenvx",
    "pixi",
    "dotenv",
    "dotenv-cli",
    "npx",
    "pnpx",
    "bunx",
    "uvx",
    "busybox",
    "toybox",
    "capsh",
    "newgrp",
];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    match invocation.program {
        "env" => env::understand(invocation),
        "sudoedit" => edits(invocation.arguments),
        "gdb" => sandbox::gdb(invocation.arguments),
        "bwrap" => sandbox::bubblewrap(invocation.arguments),
        "capsh" => sandbox::capsh(invocation.arguments),
        "proot" => sandbox::proot(invocation.arguments),
        "busybox" | "toybox" => applet(invocation.arguments),
        "npx" | "pnpx" | "bunx" | "uvx" => runners::package_runner(invocation).unwrap_or_else(|| undescribed(invocation.program)),
        program => match WRAPPERS.iter().find(|wrapper| wrapper.names.contains(&program)) {
            Some(wrapper) => wrapped(wrapper, invocation),
            None => undescribed(program),
        },
    }
}

/// The words `program` with `arguments` runs as a command, if it is a wrapper that does nothing else of note with them.
/// For analyzers that must know the program at the end of a chain (`xargs sudo env X=1 sh -c …`).
pub(super) fn child_words(invocation: &Invocation<'_>) -> Option<Vec<Argument>> {
    if !NAMES.contains(&invocation.program) {
        return None;
    }
    understand(invocation).carried.into_iter().find_map(|carried| match carried.what {
        What::Command(words) => Some(words),
        _ => None,
    })
}

/// Reads a wrapper of the table.
fn wrapped(wrapper: &Wrapper, invocation: &Invocation<'_>) -> Understood {
    let program = invocation.program;
    let Some(mut arguments) = after_subcommand(wrapper, invocation.arguments) else {
        return undescribed(program);
    };
    // The architecture stands before the options and may be left out.
    if program == "setarch" && arguments.first().and_then(Argument::known).is_some_and(|text| !text.starts_with('-')) {
        arguments = arguments.get(1..).unwrap_or_default();
    }
    let grammar = Grammar::leading(wrapper.options);
    let parsed = parse(&grammar, arguments);
    if asks_for_help(&parsed) || parsed.has("query") {
        return inert();
    }
    let mut understood = described();
    if parsed.has("edit") {
        return edits(parsed.from_operand(arguments, 0));
    }
    let mut change = change_of(&parsed, program);
    change.privileged |= wrapper.privileged;
    files_of(&parsed, &mut understood);
    for text in parsed.values("text") {
        let words = [Argument::with(text.clone(), span_of(arguments))];
        understood.carried.push(Carried { change: change.clone(), ..carry_text(&words, "sh", ShellStart::Child) });
    }
    let mut position = match wrapper.child {
        Child::Operands(count) => count,
        Child::Root => 1,
        Child::Options | Child::Assignments => 0,
        Child::DoubleDash => {
            let mark = parsed.operands(arguments).position(|word| word.known() == Some("--"));
            mark.map_or(0, |mark| mark + 1)
        }
    };
    if wrapper.child == Child::Root
        && let Some(root) = parsed.operand(arguments, 0)
    {
        change.scope = scope_below(&root.value);
        change.unknown_directory = true;
    }
    if wrapper.child == Child::Assignments {
        while let Some((name, value)) = parsed.operand(arguments, position).and_then(assignment) {
            change.environment.push((name, value));
            position += 1;
        }
    }
    let words = parsed.from_operand(arguments, position);
    if wrapper.privileged && (!words.is_empty() || !parsed.has("forget")) {
        understood.effects.push(Effect::new(EffectKind::Privilege, Family::General, span_of(invocation.arguments)));
    }
    if words.is_empty() {
        starts_a_shell(&parsed, invocation, &change, &mut understood);
        return understood;
    }
    if parsed.has("shell") || parsed.has("login") && program == "sudo" {
        // sudo escapes its operands before the shell reads them, so words stay words; one word is read as text all the same
        // because a program with such a name cannot be meant.
        understood.carried.push(Carried { change, ..carry_text(words, "sh", ShellStart::Child) });
        return understood;
    }
    if matches!(program, "devbox" | "bun") && words.len() == 1 {
        // One word is a script, or text for a shell.
        understood.carried.push(Carried { change, ..carry_text(words, "sh", ShellStart::Child) });
        return understood;
    }
    carry_child(words, &change, &mut understood);
    unclear_beginnings(program, &parsed, arguments, position, &change, &mut understood);
    understood
}

/// The words after the sub-command that runs a child; `None` for another sub-command.
fn after_subcommand<'a>(wrapper: &Wrapper, arguments: &'a [Argument]) -> Option<&'a [Argument]> {
    if wrapper.subcommands.is_empty() {
        return Some(arguments);
    }
    // Options before the sub-command are the program's own; none of these programs takes a command there.
    let at = arguments.iter().position(|word| word.known().is_some_and(|text| wrapper.subcommands.contains(&text)))?;
    let earlier = arguments.get(..at).unwrap_or_default();
    let first = earlier.iter().position(|word| word.known().is_none_or(|text| !text.starts_with('-')));
    // Another word may be the value of an option (`op --account me run`), so it counts only when it stands first.
    if first == Some(0) { None } else { arguments.get(at + 1..) }
}

/// What the options change for the child.
fn change_of(parsed: &Parsed, program: &str) -> Change {
    let mut change = Change {
        clear_environment: parsed.has("clear"),
        unset: parsed.values("unset").filter_map(|value| value.known().map(str::to_owned)).collect(),
        directory: parsed.value("directory").cloned(),
        unknown_directory: parsed.has("unknown-directory") || parsed.has("login"),
        home_unknown: parsed.has("home") || parsed.has("login"),
        ..Change::default()
    };
    for value in parsed.values("set-one") {
        change.environment.extend(assignment(&Argument::with(value.clone(), Span::default())));
    }
    if let Some(root) = parsed.value("root") {
        change.scope = scope_below(root);
    } else if parsed.has("remote") {
        change.scope = Some(Scope::Remote);
    } else if program == "nsenter" && parsed.value("target").and_then(Value::known) == Some("1") {
        // The first process sees the machine as it is.
        change.unknown_directory = true;
    } else if parsed.has("machine") {
        change.scope = Some(Scope::Container { mounts: Vec::new(), disposable: false, unknown_mounts: true });
    }
    if program == "pkexec" && !parsed.has("keep-directory") {
        change.unknown_directory = true;
    }
    change
}

/// Files the options name.
fn files_of(parsed: &Parsed, understood: &mut Understood) {
    for option in &parsed.options {
        let Some(value) = &option.value else { continue };
        let target = Target::new(value.clone());
        let kind = match option.id {
            // `strace -o '|command'` writes into a command.
            Some("write") if value.known().is_some_and(|text| text.starts_with(['|', '!'])) => {
                let words = [Argument::with(Value::literal(value.display().trim_start_matches(['|', '!'])), option.span)];
                understood.carried.push(carry_text(&words, "sh", ShellStart::Child));
                continue;
            }
            Some("write") => EffectKind::Write(target, WriteMode::Truncate),
            Some("use") => EffectKind::Use(target),
            _ => continue,
        };
        understood.effects.push(Effect::new(kind, Family::General, option.span));
    }
}

/// The child sees `root` as `/`; the host's own root changes nothing.
fn scope_below(root: &Value) -> Option<Scope> {
    if root
        .known()
        .is_some_and(|path| !path.is_empty() && path.chars().all(|letter| matches!(letter, '/' | '.')) && path.starts_with('/'))
    {
        return None;
    }
    Some(Scope::Container { mounts: vec![(root.clone(), Value::literal("/"))], disposable: false, unknown_mounts: false })
}

/// Without operands some wrappers start a shell, which reads standard input.
fn starts_a_shell(parsed: &Parsed, invocation: &Invocation<'_>, change: &Change, understood: &mut Understood) {
    let always = matches!(
        invocation.program,
        "unshare" | "nsenter" | "chroot" | "newgrp" | "setarch" | "linux32" | "linux64" | "pkexec" | "fakeroot"
    );
    if always || parsed.has("shell") || parsed.has("login") {
        let what = What::Command(vec![Argument::literal("sh")]);
        let span = span_of(invocation.arguments);
        understood.carried.push(Carried { what, change: change.clone(), ..Carried::command(Vec::new(), span) });
    }
}

/// The child itself.
fn carry_child(words: &[Argument], change: &Change, understood: &mut Understood) {
    understood.carried.push(Carried { change: change.clone(), ..Carried::command(words.to_vec(), span_of(words)) });
}

/// Where an option is not described, or an unknown word stands before the child, the child may begin one word later.
fn unclear_beginnings(
    program: &str,
    parsed: &Parsed,
    arguments: &[Argument],
    position: usize,
    change: &Change,
    understood: &mut Understood,
) {
    // A glued value (`--tool=memcheck`) leaves the child where it is.
    let unknown: Vec<_> =
        parsed.unknown().filter(|option| option.value.is_none()).map(|option| (option.written.clone(), option.span)).collect();
    let first = parsed.operand(arguments, position);
    let vanishing =
        first.is_some_and(|word| matches!(&word.value, Value::Dynamic(partial) if partial.may_split && partial.prefix.is_empty()));
    if unknown.is_empty() && !vanishing {
        return;
    }
    for (written, span) in unknown {
        understood.effects.push(Effect::new(EffectKind::Unknown(format!("{program} {written}")), Family::General, span));
    }
    if vanishing && let Some(word) = first {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, word.span));
    }
    let rest = parsed.from_operand(arguments, position + 1);
    if !rest.is_empty() {
        let carried = Carried::command(rest.to_vec(), span_of(rest));
        understood.carried.push(Carried { change: change.clone(), certain: false, ..carried });
    }
}

/// `sudoedit FILE…`: each file is changed by a person's editor, with more rights.
fn edits(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar::leading(table::SUDO), arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    understood.effects.push(Effect::new(EffectKind::Privilege, Family::General, span_of(arguments)));
    for file in parsed.operands(arguments) {
        let kind = EffectKind::Write(Target::new(file.value.clone()), WriteMode::InPlace);
        understood.effects.push(Effect::new(kind, Family::General, file.span));
    }
    understood
}

/// `busybox APPLET …`: the applet is the program.
fn applet(arguments: &[Argument]) -> Understood {
    match arguments.first() {
        None => inert(),
        Some(first) => match first.known() {
            Some("--install") => {
                let directory = arguments.iter().skip(1).find(|word| !word.may_be_option());
                let mut understood = described();
                let value = directory.map_or_else(|| join(&[Argument::literal("/bin")], ""), |word| word.value.clone());
                let kind = EffectKind::Write(Target::new(value), WriteMode::Link);
                understood.effects.push(Effect::new(kind, Family::General, first.span));
                understood
            }
            Some(option) if option.starts_with("--") => inert(),
            _ => Understood { carried: vec![Carried::command(arguments.to_vec(), span_of(arguments))], ..described() },
        },
    }
}

#[cfg(test)]
mod tests;
