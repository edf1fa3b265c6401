//! Text that runs later: at(1), batch(1), crontab(1).

use sekisho_shell_syntax::span::Span;

use super::words::{asks_for_help, described, flag, inert, named, named_flag, span_of, value};
use crate::argument::{Argument, Value};
use crate::carried::{Carried, Change, ShellStart, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Target};
use crate::option_grammar::{Grammar, OptionSpec, parse};
use crate::stream::Stream;

const AT: &[OptionSpec] = &[
    named("file", &["-f"]),
    named_flag("query", &["-l", "-c", "-V"]),
    named_flag("remove", &["-r", "-d"]),
    flag(&["-m", "-M", "-b", "-v"]),
    value(&["-q", "-t", "-u"]),
];

/// `at TIME`: standard input, or the file of `-f`, is shell text that runs later in the same directory.
pub(super) fn at(invocation: &Invocation<'_>) -> Understood {
    let parsed = parse(&Grammar::gnu(AT), invocation.arguments);
    if asks_for_help(&parsed) || parsed.has("query") {
        return inert();
    }
    let mut understood = described();
    let span = span_of(invocation.arguments);
    if parsed.has("remove") {
        return understood;
    }
    let what = match parsed.value("file") {
        Some(path) => What::Script { path: path.clone(), arguments: Vec::new(), start: ShellStart::Later },
        None if *invocation.input == Stream::Nothing => return understood,
        None => What::StandardInput { start: ShellStart::Later, positional: Vec::new() },
    };
    understood.carried.push(Carried { what, ..Carried::command(Vec::new(), span) });
    understood
}

const CRONTAB: &[OptionSpec] = &[
    named_flag("list", &["-l"]),
    named_flag("remove", &["-r"]),
    named_flag("edit", &["-e"]),
    named_flag("check", &["-V", "-T"]),
    flag(&["-i", "-s", "-n"]),
    value(&["-u", "-c", "-x"]),
];

/// `crontab FILE`, `crontab -` (also without operands), `-l`, `-r`, `-e`.
pub(super) fn crontab(invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    let parsed = parse(&Grammar::gnu(CRONTAB), arguments);
    if asks_for_help(&parsed) || parsed.has("check") || parsed.has("list") {
        return inert();
    }
    let span = span_of(arguments);
    let mut understood = described();
    let mut system = |word: &str| {
        understood.effects.push(Effect::new(EffectKind::System(word.to_owned()), Family::General, span));
    };
    if parsed.has("remove") {
        system("crontab-remove");
        return understood;
    }
    system("crontab-write");
    if parsed.has("edit") {
        return understood;
    }
    match parsed.operand(arguments, 0).filter(|file| file.known() != Some("-")) {
        Some(file) => {
            let kind = EffectKind::Use(Target::new(file.value.clone()));
            understood.effects.push(Effect::new(kind, Family::General, file.span));
        }
        None => match invocation.input {
            Stream::Nothing => {}
            Stream::Known(text) => understood.carried.extend(jobs(text).map(|job| later(job, span))),
            _ => {
                let what = What::StandardInput { start: ShellStart::Later, positional: Vec::new() };
                understood.carried.push(Carried { what, change: at_home(), ..Carried::command(Vec::new(), span) });
            }
        },
    }
    understood
}

/// Jobs start in the user's home directory, which nobody set here.
fn at_home() -> Change {
    Change { unknown_directory: true, ..Change::default() }
}

fn later(source: String, span: Span) -> Carried {
    let what = What::Shell { source: Value::literal(source), positional: Vec::<Argument>::new(), start: ShellStart::Later };
    Carried { what, change: at_home(), ..Carried::command(Vec::new(), span) }
}

/// The command of each job of a table: five time fields or one `@word`, then text in which `%` ends a line (crontab(5)).
fn jobs(table: &str) -> impl Iterator<Item = String> + '_ {
    table.lines().filter_map(|line| {
        let line = line.trim_start();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let fields = if line.starts_with('@') { 1 } else { 5 };
        let mut rest = line;
        for _ in 0..fields {
            let end = rest.find(char::is_whitespace)?;
            // `NAME = value` is a setting, not a job.
            if rest.get(..end)?.contains('=') {
                return None;
            }
            rest = rest.get(end..)?.trim_start();
            if rest.starts_with('=') {
                return None;
            }
        }
        let command = rest.split_once('%').map_or(rest, |(command, _)| command);
        (!command.is_empty()).then(|| command.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use crate::programs::text_carriers::testing::{check, show_input};
    use crate::stream::Stream;

    #[test]
    fn later_text() {
        check(&[
            ("at -f job now", "script:later{job}"),
            ("at -l", "inert"),
            ("at now", ""),
            ("crontab -l", "inert"),
            ("crontab -r", "system crontab-remove"),
            ("crontab -u x table", "system crontab-write; use table"),
        ]);
        let table = "# x\nA=b c\nC = d\n0 5 * * 1 rm -rf /%in\n@daily rm a\n";
        let shown = show_input("crontab -", &Stream::Known(table.to_owned()));
        assert_eq!(shown, "system crontab-write; sh:later{rm -rf /} dir?; sh:later{rm a} dir?");
        assert_eq!(show_input("at now", &Stream::Known("rm -rf /\n".to_owned())), "stdin:later");
        assert_eq!(show_input("crontab", &Stream::Unknown), "system crontab-write; stdin:later dir?");
    }
}
