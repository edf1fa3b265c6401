//! Programs that run a text once, again and again, recorded or under a lock: script(1), flock(1), watch(1), hyperfine(1), entr(1),
//! nix-shell(1).

use super::words::{asks_for_help, carry_text, described, flag, glued, inert, named, named_flag, span_of, value, word};
use crate::argument::{Argument, Value};
use crate::carried::{Carried, ShellStart};
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family, Target, WriteMode};
use crate::option_grammar::{Grammar, OptionSpec, parse};

const SCRIPT: &[OptionSpec] = &[
    named("text", &["-c", "--command"]),
    named("write", &["-B", "--log-io", "-I", "--log-in", "-O", "--log-out", "-T", "--log-timing"]),
    named_flag("append", &["-a", "--append"]),
    flag(&["-e", "--return", "-f", "--flush", "-F", "--force", "-q", "--quiet", "-d", "-k", "-p", "-r"]),
    glued(&["-t", "--timing"]),
    value(&["-E", "--echo", "-m", "--logging-format", "-o", "--output-limit"]),
];

/// `script [-c TEXT] [FILE]` (util-linux), `script [FILE [COMMAND …]]` (BSD), `script FILE -- COMMAND …` (util-linux 2.40).
pub(super) fn script(arguments: &[Argument]) -> Understood {
    // BSD's child begins after the file, so options end there; `-c` after the file is still found below.
    let grammar = if arguments.iter().any(|word| matches!(word.known(), Some("-c" | "--command"))) {
        Grammar::gnu(SCRIPT)
    } else {
        Grammar::leading(SCRIPT)
    };
    let parsed = parse(&grammar, arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    let mode = if parsed.has("append") { WriteMode::Append } else { WriteMode::Truncate };
    let files = parsed.options.iter().filter(|option| option.id == Some("write"));
    let mut targets: Vec<_> = files.filter_map(|option| Some((option.value.clone()?, option.span))).collect();
    match parsed.operand(arguments, 0) {
        Some(file) => targets.push((file.value.clone(), file.span)),
        None if targets.is_empty() => targets.push((Value::literal("typescript"), span_of(arguments))),
        None => {}
    }
    for (value, span) in targets {
        understood.effects.push(Effect::new(EffectKind::Write(Target::new(value), mode), Family::General, span));
    }
    let mut words = parsed.from_operand(arguments, 1);
    if words.first().and_then(Argument::known) == Some("--") {
        words = words.get(1..).unwrap_or_default();
    }
    match parsed.value("text") {
        Some(text) => {
            let text = Argument::with(text.clone(), span_of(arguments));
            understood.carried.push(carry_text(&[text], "sh", ShellStart::Child));
        }
        None if words.is_empty() => {
            understood.carried.push(Carried::command(vec![word("sh", span_of(arguments))], span_of(arguments)));
        }
        None => understood.carried.push(Carried::command(words.to_vec(), span_of(words))),
    }
    understood
}

const FLOCK: &[OptionSpec] = &[
    flag(&["-s", "--shared", "-x", "-e", "--exclusive", "-u", "--unlock", "-n", "--nb", "--nonblock", "-o", "--close"]),
    flag(&["-F", "--no-fork", "-v", "--verbose", "--fcntl"]),
    value(&["-w", "--timeout", "--wait", "-E", "--conflict-exit-code"]),
];

/// `flock FILE COMMAND …`, `flock FILE -c TEXT`, `flock NUMBER`.
pub(super) fn flock(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar::leading(FLOCK), arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    let words = parsed.from_operand(arguments, 1);
    let Some(file) = parsed.operand(arguments, 0).filter(|_| !words.is_empty()) else {
        return understood;
    };
    let kind = EffectKind::Write(Target::new(file.value.clone()), WriteMode::Create);
    understood.effects.push(Effect::new(kind, Family::General, file.span));
    let text = words.first().filter(|first| matches!(first.known(), Some("-c" | "--command"))).and_then(|_| words.get(1));
    understood.carried.push(match text {
        Some(text) => carry_text(std::slice::from_ref(text), "sh", ShellStart::Child),
        None => Carried::command(words.to_vec(), span_of(words)),
    });
    understood
}

const WATCH: &[OptionSpec] = &[
    named_flag("exec", &["-x", "--exec"]),
    flag(&["-b", "--beep", "-c", "--color", "-C", "--no-color", "-e", "--errexit", "-f", "--follow", "-g", "--chgexit"]),
    flag(&["-p", "--precise", "-r", "--no-rerun", "-t", "--no-title", "-w", "--no-wrap", "-v"]),
    glued(&["-d", "--differences"]),
    value(&["-n", "--interval", "-q", "--equexit", "-s", "--shotsdir"]),
];

/// `watch COMMAND …`: the words are joined and given to `sh -c`; with `-x` they are run as they are (procps-ng 4).
pub(super) fn watch(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar::leading(WATCH), arguments);
    if asks_for_help(&parsed) || parsed.options.iter().any(|option| option.written == "-v") {
        return inert();
    }
    let mut understood = described();
    let words = parsed.from_operand(arguments, 0);
    if !words.is_empty() {
        understood.carried.push(if parsed.has("exec") {
            Carried::command(words.to_vec(), span_of(words))
        } else {
            carry_text(words, "sh", ShellStart::Child)
        });
    }
    understood
}

/// hyperfine's options that take words after them: how many, and whether the word is shell text (`hyperfine 1.19`).
const HYPERFINE: &[(&[&str], usize, bool)] = &[
    (&["-s", "--setup", "-p", "--prepare", "-c", "--cleanup", "-C", "--conclude", "--reference"], 1, true),
    (
        &["-w", "--warmup", "-m", "--min-runs", "-M", "--max-runs", "-r", "--runs", "-D", "--parameter-step-size", "-S", "--shell"],
        1,
        false,
    ),
    (
        &["--style", "--sort", "-u", "--time-unit", "--export-asciidoc", "--export-csv", "--export-json", "--export-markdown"],
        1,
        false,
    ),
    (&["--export-orgmode", "--output", "--input", "-n", "--command-name", "--reference-name", "--min-benchmarking-time"], 1, false),
    (&["-L", "--parameter-list"], 2, false),
    (&["-P", "--parameter-scan"], 3, false),
];

/// `hyperfine TEXT …`: every operand is shell text (with `-N` split by it, which comes to the same words).
pub(super) fn hyperfine(arguments: &[Argument]) -> Understood {
    let mut understood = described();
    let mut index = 0;
    let mut options = true;
    while let Some(argument) = arguments.get(index) {
        index += 1;
        let text = argument.known().filter(|text| options && text.starts_with('-') && text.len() > 1);
        let Some(text) = text else {
            understood.carried.push(carry_text(std::slice::from_ref(argument), "sh", ShellStart::Child));
            continue;
        };
        match text {
            "--" => options = false,
            "--help" | "-h" | "--version" | "-V" => return inert(),
            _ => {}
        }
        let (name, glued) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let Some((_, count, is_text)) = HYPERFINE.iter().find(|(names, ..)| names.contains(&name)) else {
            continue;
        };
        let taken = if glued.is_some() { count.saturating_sub(1) } else { *count };
        if *is_text {
            let code = glued.map(|code| word(code, argument.span)).or_else(|| arguments.get(index).cloned());
            understood.carried.extend(code.map(|code| carry_text(&[code], "sh", ShellStart::Child)));
        }
        index += taken;
    }
    understood
}

const ENTR: &[OptionSpec] = &[named_flag("shell", &["-s"]), flag(&["-a", "-c", "-d", "-n", "-p", "-r", "-x", "-z"])];

/// `entr COMMAND …`, `entr -s TEXT`; `/_` stands for the first changed file.
pub(super) fn entr(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar::leading(ENTR), arguments);
    let mut understood = described();
    let words = parsed.from_operand(arguments, 0);
    if !words.is_empty() {
        let carried = if parsed.has("shell") {
            carry_text(words, "sh", ShellStart::Child)
        } else {
            Carried::command(words.to_vec(), span_of(words))
        };
        understood.carried.push(Carried { certain: false, ..carried });
    }
    understood
}

const NIX_SHELL: &[OptionSpec] = &[
    named("text", &["--run", "--command"]),
    value(&["-I", "--attr", "-A", "--expr", "-E", "-i", "--exclude", "--keep", "--arg-from-file", "-j", "--max-jobs", "--cores"]),
    flag(&["-p", "--packages", "--pure", "--impure", "--quiet", "-Q", "-v", "--verbose", "-k", "-K"]),
];

/// `nix-shell … --run TEXT`.
pub(super) fn nix_shell(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar { abbreviates: false, ..Grammar::gnu(NIX_SHELL) }, arguments);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    for option in parsed.options.iter().filter(|option| option.id == Some("text")) {
        if let Some(text) = &option.value {
            understood.carried.push(carry_text(&[Argument::with(text.clone(), option.span)], "sh", ShellStart::Child));
        }
    }
    understood
}

#[cfg(test)]
mod tests {
    use crate::programs::text_carriers::testing::check;

    #[test]
    fn texts_and_commands() {
        check(&[
            ("script -c 'rm -rf /' /dev/null", "write:Truncate /dev/null; sh{rm -rf /}"),
            ("script /dev/null -c 'rm a'", "write:Truncate /dev/null; sh{rm a}"),
            ("script -q /dev/null rm a", "write:Truncate /dev/null; run{rm a}"),
            ("flock /tmp/l -c 'rm -rf /'", "write:Create /tmp/l; sh{rm -rf /}"),
            ("flock -n -w 5 /tmp/l rm a", "write:Create /tmp/l; run{rm a}"),
            ("flock 9", ""),
            ("watch -n 1 rm -rf a", "sh{rm -rf a}"),
            ("watch -d 'rm a'", "sh{rm a}"),
            ("watch -x rm 'a b'", "run{rm a b}"),
            ("hyperfine -w 3 -p 'rm a' 'ls b' 'ls c'", "sh{rm a}; sh{ls b}; sh{ls c}"),
            ("hyperfine -P n 1 5 'ls {n}'", "sh{ls {n}}"),
            ("entr -rs 'rm a'", "sh{rm a}?"),
            ("nix-shell -p jq --run 'rm a'", "sh{rm a}"),
            ("nix-shell -p jq", ""),
            ("su root -c 'rm -rf /'", "privilege; sh{rm -rf /} +root home?"),
            ("su - -c 'rm a'", "privilege; sh{rm a} +root dir? home?"),
            ("su --command='rm a' u", "privilege; sh{rm a} +root home?"),
            ("su", "privilege"),
            ("runuser -u u -- rm a", "privilege; run{rm a} +root home?"),
            ("runuser -l u -c 'rm a'", "privilege; sh{rm a} +root dir? home?"),
            ("sg g -c 'rm a'", "sh{rm a}"),
            ("sg g 'rm a'", "sh{rm a}"),
            ("machinectl shell u@box /bin/rm a", "run{/bin/rm a} dir? home? @container(?)"),
            ("machinectl list", "service machinectl read"),
        ]);
    }
}
