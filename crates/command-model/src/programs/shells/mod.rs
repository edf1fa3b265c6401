//! Shells: bash, sh, zsh and their kin.

mod unix;
mod windows;

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};
use crate::carried::{Carried, ShellStart, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin};
use crate::programs::evaluation::{reads_descriptor, reads_standard_input};
use crate::programs::text_carriers::words::{carry_text, described, inert, parametrized, span_of, undescribed};
use crate::stream::Stream;

/// The programs this file answers for.
pub const NAMES: &[&str] = &[
    "bash",
    "sh",
    "zsh",
    "ksh",
    "ksh93",
    "dash",
    "fish",
    "csh",
    "tcsh",
    "ash",
    "mksh",
    "sash",
    "osh",
    "posh",
    "oksh",
    "loksh",
    "yash",
    "rbash",
    "rzsh",
    "rksh",
    "nu",
    "elvish",
    "xonsh",
    "pwsh",
    "pwsh-preview",
    "powershell",
    "cmd",
];

/// What a shell's words make it read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    /// What it reads.
    pub from: From,
    /// Words after that: `$0`, `$1` … of `-c`, `$1` … of a script.
    pub positional: Vec<Argument>,
    /// It is interactive (`-i`).
    pub interactive: bool,
    /// Text it runs before anything else (`fish -C TEXT`).
    pub first_text: Option<Argument>,
    /// Files it reads first (`--rcfile F` with `-i`).
    pub startup: Vec<(Value, Span)>,
    /// A word that is not known stands where options may.
    pub uncertain: bool,
}

/// Where a shell's code stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum From {
    /// In a word.
    Text(Argument),
    /// In a file.
    Script(Argument),
    /// On standard input.
    Input,
    /// Nowhere: it only reads, prints help or a version.
    Nowhere,
}

/// Reads a shell's words; `None` for a program that is no Unix shell.
pub(super) fn reading(program: &str, arguments: &[Argument]) -> Option<Reading> {
    unix::dialect(program).map(|dialect| unix::read(dialect, arguments))
}

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let program = invocation.program;
    match program {
        "pwsh" | "pwsh-preview" | "powershell" => return windows::powershell(program, invocation),
        "cmd" => return windows::cmd(invocation),
        _ => {}
    }
    let Some(reading) = reading(program, invocation.arguments) else {
        return undescribed(program);
    };
    if reading.from == From::Nowhere {
        return inert();
    }
    let mut understood = described();
    let span = span_of(invocation.arguments);
    if reading.uncertain {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, span));
    }
    let startup: Vec<_> = reading.startup.iter().cloned().chain(startup_from_environment(&reading, invocation)).collect();
    for (path, span) in startup {
        let what = What::Script { path, arguments: Vec::new(), start: ShellStart::Child };
        understood.carried.push(Carried { what, ..Carried::command(Vec::new(), span) });
    }
    understood.carried.extend(reading.first_text.map(|text| carry_text(&[text], program, ShellStart::Child)));
    uncertain_text(&reading.from, &reading.positional, reading.uncertain, program, &mut understood);
    let positional = reading.positional;
    match reading.from {
        From::Nowhere => {}
        From::Text(text) => {
            let readable = text.known().is_none() && parametrized(std::slice::from_ref(&text), program).is_some();
            let what = What::Shell { source: text.value.clone(), positional, start: ShellStart::Child };
            understood.carried.push(Carried { what, ..Carried::command(Vec::new(), text.span) });
            if readable {
                // The text as a whole is not known; what is known of it may still say enough (`sh -c "rm -rf / $X"`).
                let carried = carry_text(std::slice::from_ref(&text), program, ShellStart::Child);
                understood.carried.push(Carried { certain: false, ..carried });
            }
        }
        // Whatever was opened under that number.
        From::Script(path) if path.known().is_some_and(reads_descriptor) => {
            let kind = EffectKind::Execute { origin: Origin::Unknown, what: program.to_owned() };
            understood.effects.push(Effect::new(kind, Family::General, path.span));
        }
        From::Script(path) => {
            let what = match path.known() {
                Some(text) if reads_standard_input(text) => What::StandardInput { start: ShellStart::Child, positional },
                _ => What::Script { path: path.value, arguments: positional, start: ShellStart::Child },
            };
            understood.carried.push(Carried { what, ..Carried::command(Vec::new(), path.span) });
        }
        From::Input if *invocation.input == Stream::Nothing => {
            let kind = EffectKind::Execute { origin: Origin::Interactive, what: program.to_owned() };
            understood.effects.push(Effect::new(kind, Family::General, span));
        }
        From::Input => {
            let what = What::StandardInput { start: ShellStart::Child, positional };
            understood.carried.push(Carried { what, ..Carried::command(Vec::new(), span) });
        }
    }
    understood
}

/// `sh $X -c TEXT`: where the unknown word is nothing or an option, the shell reads on after it.
fn uncertain_text(from: &From, rest: &[Argument], uncertain: bool, program: &str, understood: &mut Understood) {
    if !uncertain || !matches!(from, From::Script(_)) {
        return;
    }
    if let Some(Reading { from: From::Text(text), positional, .. }) = reading(program, rest) {
        let what = What::Shell { source: text.value.clone(), positional, start: ShellStart::Child };
        understood.carried.push(Carried { what, certain: false, ..Carried::command(Vec::new(), text.span) });
    }
}

/// Files that variables make a shell read first: `BASH_ENV` for a bash that is not interactive, `ENV` for other shells. `ENV` is
/// also a common name for a deployment stage, so without `-i` it counts only when it looks like a path.
fn startup_from_environment(reading: &Reading, invocation: &Invocation<'_>) -> Option<(Value, Span)> {
    let bash = matches!(invocation.program, "bash" | "rbash");
    let unix = matches!(invocation.program, "sh" | "dash" | "ash" | "ksh" | "ksh93" | "rksh" | "mksh" | "yash" | "zsh");
    let (name, wanted) = match (bash, unix) {
        (true, _) => ("BASH_ENV", !reading.interactive),
        (_, true) => ("ENV", true),
        _ => return None,
    };
    let value = (invocation.variable)(name).filter(|value| wanted && value.known() != Some(""))?;
    let is_path = bash || reading.interactive || value.known().is_none_or(|text| text.contains('/'));
    is_path.then(|| (value, span_of(invocation.arguments)))
}

#[cfg(test)]
mod tests {
    use crate::programs::text_carriers::testing::{check, show_input, text, understand_line};
    use crate::stream::Stream;

    #[test]
    fn command_strings() {
        check(&[
            ("bash -c 'rm -rf /'", "sh{rm -rf /}"),
            ("bash -lc 'rm a' x y", "sh{rm a}(x y)"),
            ("bash -c -x 'rm a'", "sh{rm a}"),
            ("bash -euo pipefail -c 'rm a'", "sh{rm a}"),
            ("bash --norc --noprofile -O extglob -c -- 'rm a'", "sh{rm a}"),
            ("zsh -o extendedglob -fc 'rm a'", "sh{rm a}"),
            ("sh +e -c 'rm a'", "sh{rm a}"),
            ("sh -c \"$X\"", "sh{${X}}"),
            ("sh -c \"rm -rf $X\"", "sh{rm -rf ${X}}; sh{rm -rf ${1}}(sh ${X})?"),
            ("sh $X -c 'rm a'", "structure; sh{rm a}?; script{${X}}(-c rm a)"),
            ("fish --command='rm a'", "sh{rm a}"),
            ("fish -c 'rm a' -C 'rm b'", "sh{rm b}; sh{rm a}"),
            ("nu -c 'rm a'", "sh{rm a}"),
            ("xonsh -c 'rm a'", "sh{rm a}"),
            ("tcsh -fc 'rm a'", "sh{rm a}"),
        ]);
    }

    #[test]
    fn scripts_standard_input_and_nothing() {
        check(&[
            ("bash script.sh a b", "script{script.sh}(a b)"),
            ("bash -n script.sh", "inert"),
            ("bash -nv script.sh", "inert"),
            ("bash -n +n script.sh", "script{script.sh}"),
            ("bash -o noexec script.sh", "inert"),
            ("bash --version", "inert"),
            ("fish -n x.fish", "script{x.fish}"),
            ("bash --rcfile rc -i", "execute:Interactive bash; script{rc}"),
            ("bash --rcfile rc script", "script{script}"),
            ("bash", "execute:Interactive bash"),
            ("sh -s a", "execute:Interactive sh"),
            ("bash \"$X\"", "script{${X}}"),
        ]);
        let input = Stream::Unknown;
        assert_eq!(show_input("bash -s -- a b", &input), "stdin(a b)");
        assert_eq!(show_input("sh -", &input), "stdin");
        assert_eq!(show_input("bash /dev/stdin a", &input), "stdin(a)");
        let variables = [("BASH_ENV", "/x/env"), ("ENV", "production")];
        assert_eq!(text(&understand_line("bash a", &input, &variables)), "script{/x/env}; script{a}");
        assert_eq!(text(&understand_line("sh a", &input, &variables)), "script{a}");
    }

    #[test]
    fn windows_shells() {
        check(&[
            ("pwsh -NoProfile -Command Remove-Item x", "powershell{Remove-Item x}"),
            ("powershell -c 'rm x'", "powershell{rm x}"),
            ("powershell.exe -ExecutionPolicy Bypass -File a.ps1 x", "powershell-file{a.ps1}"),
            ("pwsh a.ps1", "powershell-file{a.ps1}"),
            ("powershell rm x", "powershell{rm x}"),
            ("pwsh -enc ZQBjAGgAbwAgADEA", "powershell{echo 1}"),
            ("pwsh -e \"$X\"", "execute:Decoded powershell"),
            ("pwsh -Version", "inert"),
            ("pwsh", "execute:Interactive pwsh"),
            ("cmd /c del x", "cmd{del x}"),
            ("cmd /s /q /cdel x", "cmd{del x}"),
            ("cmd", "execute:Interactive cmd"),
        ]);
    }
}
