//! Programs that type into or open a terminal: tmux(1) 3.5, screen(1) 5.0 and terminal emulators.

use super::words::{carry_text, described, flag, inert, named, named_flag, span_of, undescribed, value, word};
use crate::argument::{Argument, Value};
use crate::carried::{Carried, Change, ShellStart, What};
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family, Target};
use crate::option_grammar::{Grammar, OptionSpec, parse};

const TMUX: &[OptionSpec] = &[
    flag(&["-2", "-C", "-D", "-l", "-N", "-u", "-v"]),
    named_flag("query", &["-V", "-h"]),
    named("text", &["-c"]),
    named("use", &["-f"]),
    value(&["-L", "-S", "-T"]),
];

/// How a tmux command reads its words.
struct TmuxCommand {
    names: &'static [&'static str],
    options: &'static [OptionSpec],
    operands: Operands,
}

/// What a tmux command's operands are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operands {
    /// One operand is shell text; several are a command.
    Command,
    /// Keys typed into a shell.
    Keys,
    /// A condition that is shell text, then tmux commands.
    Condition,
    /// A tmux command in one word or more.
    Nested,
}

const DIRECTORY: OptionSpec = named("directory", &["-c"]);

const TMUX_COMMANDS: &[TmuxCommand] = &[
    TmuxCommand {
        names: &["new-session", "new"],
        options: &[
            DIRECTORY,
            flag(&["-A", "-d", "-D", "-E", "-P", "-X"]),
            value(&["-e", "-f", "-F", "-n", "-s", "-t", "-x", "-y"]),
        ],
        operands: Operands::Command,
    },
    TmuxCommand {
        names: &["new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp", "respawn-window", "respawnw"],
        options: &[
            DIRECTORY,
            flag(&["-a", "-b", "-d", "-f", "-h", "-I", "-k", "-P", "-S", "-v", "-Z"]),
            value(&["-e", "-F", "-l", "-n", "-p", "-t"]),
        ],
        operands: Operands::Command,
    },
    TmuxCommand {
        names: &["display-popup", "popup"],
        options: &[
            named("directory", &["-d"]),
            flag(&["-B", "-C", "-E", "-N"]),
            value(&["-b", "-c", "-e", "-h", "-s", "-S", "-t", "-T", "-w", "-x", "-y"]),
        ],
        operands: Operands::Command,
    },
    TmuxCommand {
        names: &["run-shell", "run"],
        options: &[DIRECTORY, flag(&["-b", "-C"]), value(&["-d", "-t"])],
        operands: Operands::Command,
    },
    TmuxCommand {
        names: &["pipe-pane", "pipep"],
        options: &[flag(&["-I", "-O", "-o"]), value(&["-t"])],
        operands: Operands::Command,
    },
    TmuxCommand {
        names: &["if-shell", "if"],
        options: &[named_flag("format", &["-F"]), flag(&["-b"]), value(&["-t"])],
        operands: Operands::Condition,
    },
    TmuxCommand {
        names: &["send-keys", "send"],
        options: &[named_flag("literal", &["-l"]), flag(&["-F", "-H", "-K", "-M", "-R", "-X"]), value(&["-c", "-N", "-t"])],
        operands: Operands::Keys,
    },
    TmuxCommand {
        names: &["confirm-before", "confirm"],
        options: &[flag(&["-b", "-y"]), value(&["-c", "-p", "-t"])],
        operands: Operands::Nested,
    },
    TmuxCommand {
        names: &["set-hook", "bind-key", "bind"],
        options: &[flag(&["-a", "-g", "-n", "-p", "-r", "-R", "-u", "-w"]), value(&["-N", "-t", "-T"])],
        operands: Operands::Nested,
    },
];

/// `tmux COMMAND … [; COMMAND …]`.
pub(super) fn tmux(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar { abbreviates: false, ..Grammar::leading(TMUX) }, arguments);
    if parsed.has("query") {
        return inert();
    }
    let mut understood = described();
    for option in &parsed.options {
        let Some(value) = &option.value else { continue };
        match option.id {
            Some("text") => {
                understood.carried.push(carry_text(&[Argument::with(value.clone(), option.span)], "sh", ShellStart::Child))
            }
            Some("use") => {
                let kind = EffectKind::Use(Target::new(value.clone()));
                understood.effects.push(Effect::new(kind, Family::General, option.span));
            }
            _ => {}
        }
    }
    for command in parsed.from_operand(arguments, 0).split(|word| word.known() == Some(";")) {
        tmux_command(command, &mut understood);
    }
    understood
}

fn tmux_command(words: &[Argument], understood: &mut Understood) {
    let Some((first, arguments)) = words.split_first() else {
        return;
    };
    let Some(name) = first.known() else {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, first.span));
        return;
    };
    let Some(command) = TMUX_COMMANDS.iter().find(|command| command.names.contains(&name)) else {
        return;
    };
    let parsed = parse(&Grammar { abbreviates: false, ..Grammar::leading(command.options) }, arguments);
    let operands = parsed.from_operand(arguments, 0);
    if operands.is_empty() {
        return;
    }
    let change = Change { directory: parsed.value("directory").cloned(), ..Change::default() };
    match command.operands {
        Operands::Command if operands.len() == 1 => {
            understood.carried.push(Carried { change, ..carry_text(operands, "sh", ShellStart::Child) });
        }
        Operands::Command => understood.carried.push(Carried { change, ..Carried::command(operands.to_vec(), span_of(operands)) }),
        Operands::Keys => {
            let typed = typed_text(operands, parsed.has("literal"));
            let change = Change { unknown_directory: true, ..Change::default() };
            understood.carried.push(Carried { change, ..carry_text(&[typed], "sh", ShellStart::Later) });
        }
        Operands::Condition => {
            if !parsed.has("format") {
                understood
                    .carried
                    .extend(operands.first().map(|text| carry_text(std::slice::from_ref(text), "sh", ShellStart::Child)));
            }
            let branches = operands.get(1..).unwrap_or_default();
            understood.carried.extend(branches.iter().map(|branch| nested(std::slice::from_ref(branch), false)));
        }
        // The hook's or key's name stands first.
        Operands::Nested if name.starts_with("confirm") => understood.carried.push(nested(operands, true)),
        Operands::Nested => understood.carried.push(nested(operands.get(1..).unwrap_or_default(), false)),
    }
}

/// A tmux command given as text: read like shell words, run by tmux.
fn nested(words: &[Argument], certain: bool) -> Carried {
    let mut with_program = vec![word("tmux", span_of(words))];
    with_program.extend_from_slice(words);
    Carried { certain, ..carry_text(&with_program, "sh", ShellStart::Child) }
}

/// The text that keys type: names of keys are no text, words are typed without blanks between them.
fn typed_text(keys: &[Argument], literal: bool) -> Argument {
    let mut typed: Vec<Argument> = Vec::new();
    for key in keys {
        let text = match key.known().filter(|_| !literal) {
            Some("Enter" | "KPEnter" | "C-m" | "C-j") => Some("\n"),
            Some("Space") => Some(" "),
            Some("Tab" | "C-i") => Some("\t"),
            Some(
                "Escape" | "BSpace" | "Up" | "Down" | "Left" | "Right" | "Home" | "End" | "DC" | "IC" | "BTab" | "PageUp"
                | "PageDown",
            ) => Some(""),
            Some(name) if name.starts_with("C-") || name.starts_with("M-") || name.starts_with("^") && name.len() == 2 => Some(""),
            _ => None,
        };
        typed.push(text.map_or_else(|| key.clone(), |text| word(text, key.span)));
    }
    Argument::with(super::words::join(&typed, ""), span_of(keys))
}

const SCREEN: &[OptionSpec] = &[
    named_flag("send", &["-X"]),
    named("use", &["-c"]),
    named_flag("query", &["-v", "--version", "--help", "-ls", "-list", "-wipe"]),
    flag(&["-a", "-A", "-d", "-D", "-i", "-L", "-l", "-m", "-O", "-q", "-Q", "-r", "-R", "-U", "-x", "-4", "-6"]),
    value(&["-e", "-h", "-p", "-s", "-S", "-t", "-T", "-Logfile"]),
];

/// `screen -dm COMMAND …`, `screen -X stuff TEXT`.
pub(super) fn screen(arguments: &[Argument]) -> Understood {
    let parsed = parse(&Grammar { abbreviates: false, ..Grammar::leading(SCREEN) }, arguments);
    let written = |name: &str| arguments.iter().any(|word| word.known() == Some(name));
    if ["-ls", "-list", "-wipe", "-v", "--version", "--help"].iter().any(|name| written(name)) {
        return inert();
    }
    let mut understood = described();
    for value in parsed.values("use") {
        let kind = EffectKind::Use(Target::new(value.clone()));
        understood.effects.push(Effect::new(kind, Family::General, span_of(arguments)));
    }
    let words = parsed.from_operand(arguments, 0);
    let Some(first) = words.first() else {
        return understood;
    };
    if !parsed.has("send") {
        understood.carried.push(Carried::command(words.to_vec(), span_of(words)));
        return understood;
    }
    let rest = words.get(1..).unwrap_or_default();
    let change = Change { unknown_directory: true, ..Change::default() };
    match first.known() {
        Some("stuff") => {
            if let Some(text) = rest.first() {
                let typed = Argument { value: unescaped(&text.value), ..text.clone() };
                understood.carried.push(Carried { change, ..carry_text(&[typed], "sh", ShellStart::Later) });
            }
        }
        Some("exec" | "screen") if !rest.is_empty() => {
            understood.carried.push(Carried { change, ..Carried::command(rest.to_vec(), span_of(rest)) });
        }
        Some(_) => {}
        None => understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, first.span)),
    }
    understood
}

/// screen's escapes for a line's end: `\n`, `\r`, `\015`, `^M`.
fn unescaped(value: &Value) -> Value {
    let line_ends = |text: &str| {
        ["\\n", "\\r", "\\015", "\\012", "^M", "^J", "\r"].iter().fold(text.to_owned(), |text, mark| text.replace(mark, "\n"))
    };
    match value {
        Value::Known { text, provenance } => Value::Known { text: line_ends(text), provenance: *provenance },
        Value::Glob { pattern } => Value::literal(line_ends(pattern)),
        Value::Dynamic(partial) => {
            let (prefix, suffix) = (line_ends(&partial.prefix), line_ends(&partial.suffix));
            Value::Dynamic(crate::argument::Partial { prefix, suffix, ..partial.clone() })
        }
    }
}

/// How a terminal emulator is given its child: an option the rest of the words follow, an option whose value is shell text.
const EMULATORS: &[(&[&str], &[&str], &[&str])] = &[
    (&["gnome-terminal", "mate-terminal", "xfce4-terminal"], &["--", "-x", "--execute"], &["-e", "--command"]),
    (&["xterm", "uxterm", "urxvt", "rxvt", "st", "konsole", "alacritty", "x-terminal-emulator"], &["-e", "--command"], &[]),
    (&["kitty", "foot", "wezterm"], &["-e", "--"], &[]),
];

/// A terminal emulator with a command.
pub(super) fn emulator(program: &str, arguments: &[Argument]) -> Understood {
    let mut understood = described();
    let Some((_, rest, texts)) = EMULATORS.iter().find(|(names, ..)| names.contains(&program)) else {
        return undescribed(program);
    };
    for (index, argument) in arguments.iter().enumerate() {
        let Some(written) = argument.known() else {
            continue;
        };
        if matches!(written, "--help" | "--version") {
            return inert();
        }
        if rest.contains(&written) {
            let words = arguments.get(index + 1..).unwrap_or_default();
            if let [only] = words {
                // xterm gives one word that is no program to a shell.
                understood.carried.push(carry_text(std::slice::from_ref(only), "sh", ShellStart::Child));
            } else if !words.is_empty() {
                understood.carried.push(Carried::command(words.to_vec(), span_of(words)));
            }
            break;
        }
        let text = texts.iter().find_map(|name| {
            if written == *name {
                return arguments.get(index + 1).cloned();
            }
            written.strip_prefix(&format!("{name}=")).map(|text| word(text, argument.span))
        });
        understood.carried.extend(text.map(|text| carry_text(&[text], "sh", ShellStart::Child)));
    }
    understood.carried.retain(|carried| !matches!(&carried.what, What::Command(words) if words.is_empty()));
    understood
}

#[cfg(test)]
mod tests {
    use crate::programs::text_carriers::testing::check;

    #[test]
    fn terminals() {
        check(&[
            ("tmux send-keys 'rm -rf /' Enter", "sh:later{rm -rf /\n} dir?"),
            ("tmux send-keys -t s:1 rm Space -rf Space / C-m", "sh:later{rm -rf /\n} dir?"),
            ("tmux new -d -s x 'rm a'", "sh{rm a}"),
            ("tmux new-window -c /d rm -rf a", "run{rm -rf a} dir=/d"),
            ("tmux new -d \\; split-window 'rm a'", "sh{rm a}"),
            ("tmux if-shell 'rm a' 'run-shell \"rm b\"'", "sh{rm a}; sh{tmux run-shell \"rm b\"}?"),
            ("tmux ls", ""),
            ("screen -dm rm a", "run{rm a}"),
            ("screen -d -m -S n rm a", "run{rm a}"),
            ("screen -dmS n rm a", "run{rm a}"),
            ("screen -S n -X stuff 'rm a^M'", "sh:later{rm a\n} dir?"),
            ("screen -ls", "inert"),
            ("xterm -e rm a", "run{rm a}"),
            ("xterm -e 'rm a'", "sh{rm a}"),
            ("gnome-terminal -- rm a", "run{rm a}"),
            ("gnome-terminal -e 'rm a'", "sh{rm a}"),
        ]);
    }
}
