//! What described programs do with their standard input and with words that a table cannot express: lists of files, editor
//! commands, addresses that are files.

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};
use crate::carried::{Carried, ShellStart};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};
use crate::programs::text_carriers::words::{carry_text, word};
use crate::stream::Stream;

/// Most lines of an input that are looked at.
const LINES: usize = 256;

/// Adds it to what the description says.
pub fn add(invocation: &Invocation<'_>, understood: &mut Understood) {
    match invocation.program {
        "ncat" | "nc" | "netcat" | "socat" => connected(invocation, understood),
        "ed" | "ex" | "vi" | "vim" | "nvim" => editor_input(invocation, understood),
        "jq" | "gojq" => query(invocation.arguments, understood),
        "tar" | "gtar" | "bsdtar" | "rsync" | "cpio" | "zip" | "pax" => listed_files(invocation, understood),
        "sftp" => transfers(invocation, understood),
        "make" | "gmake" | "bmake" => makefiles(invocation, understood),
        "export" | "declare" | "typeset" | "readonly" => shown_variables(invocation.arguments, understood),
        "printenv" => understood.effects.extend(invocation.arguments.iter().filter_map(printed_variable)),
        _ => {}
    }
}

/// Lines of standard input, where they are known.
fn lines<'a>(invocation: &'a Invocation<'_>) -> impl Iterator<Item = &'a str> {
    let text = match invocation.input {
        Stream::Known(text) => text.as_str(),
        _ => "",
    };
    text.lines().take(LINES)
}

fn read(path: impl Into<String>, span: Span) -> Effect {
    Effect::new(EffectKind::Read(Target::new(Value::literal(path))), Family::General, span)
}

/// Whoever is at the other end of a connection writes what the program reads; socat's addresses may be files.
///
/// Source: socat(1) 1.8, "ADDRESS TYPES": a word with a `/` and no type is GOPEN.
fn connected(invocation: &Invocation<'_>, understood: &mut Understood) {
    for carried in &mut understood.carried {
        carried.input = Some(Stream::Remote);
    }
    if invocation.program != "socat" {
        return;
    }
    for argument in invocation.arguments {
        let Some(text) = argument.known().filter(|text| !text.starts_with('-')) else { continue };
        let address = text.split("!!").next().unwrap_or(text);
        let path = match address.split_once(':') {
            Some((kind, rest)) => {
                ["FILE", "OPEN", "GOPEN", "CREATE", "CREAT"].iter().any(|known| known.eq_ignore_ascii_case(kind)).then_some(rest)
            }
            None => (address.contains('/') || address.starts_with('.')).then_some(address),
        };
        if let Some(path) = path.map(|path| path.split(',').next().unwrap_or(path)).filter(|path| !path.is_empty()) {
            let place = Target::new(Value::literal(path));
            understood.effects.push(read(path, argument.span));
            understood.effects.push(Effect::new(EffectKind::Write(place, WriteMode::InPlace), Family::General, argument.span));
        }
    }
}

/// `!command` among the commands an editor reads.
fn editor_input(invocation: &Invocation<'_>, understood: &mut Understood) {
    let commands = lines(invocation).filter_map(|line| line.trim_start().trim_start_matches(':').strip_prefix('!'));
    for command in commands {
        let carried = carry_text(&[word(command, Span::default())], "sh", ShellStart::Child);
        understood.carried.push(Carried { input: Some(Stream::Nothing), ..carried });
    }
}

/// Options of jq with two values, the second a file; filters that are the whole environment.
fn query(arguments: &[Argument], understood: &mut Understood) {
    for window in arguments.windows(3) {
        if let [option, _, file] = window
            && matches!(option.known(), Some("--rawfile" | "--slurpfile" | "--argfile"))
        {
            let kind = EffectKind::Read(Target::new(file.value.clone()));
            understood.effects.push(Effect::new(kind, Family::General, file.span));
        }
    }
    for argument in arguments {
        let filter = argument.known().unwrap_or_default().split('|').next().unwrap_or_default().trim();
        if matches!(filter, "env" | "$ENV") {
            understood.effects.push(Effect::new(EffectKind::Disclose("environment".to_owned()), Family::General, argument.span));
        }
    }
}

/// Names of files read from standard input: `tar -T -`, `rsync --files-from=-`, `cpio -o`, `zip -@`, `pax -w`.
fn listed_files(invocation: &Invocation<'_>, understood: &mut Understood) {
    let is_input = |text: &str| matches!(text, "-" | "/dev/stdin");
    let mut previous = "";
    let listed = invocation.arguments.iter().any(|argument| {
        let text = argument.known().unwrap_or_default();
        let before = std::mem::replace(&mut previous, text);
        match invocation.program {
            "cpio" => matches!(text, "--create" | "--pass-through") || is_cluster(text, &['o', 'p']),
            "pax" => is_cluster(text, &['w']),
            "zip" => text == "-@",
            _ => {
                is_input(text)
                    && (before == "--files-from" || is_cluster(before, &['T']) || !before.starts_with('-') && before.ends_with('T'))
                    || text.strip_prefix("--files-from=").or_else(|| text.strip_prefix("-T")).is_some_and(is_input)
            }
        }
    });
    if listed {
        let span = invocation.arguments.first().map_or_else(Span::default, |argument| argument.span);
        understood.effects.extend(lines(invocation).filter(|line| !line.is_empty()).map(|line| read(line, span)));
    }
}

/// `-abT`, with one of these letters last or anywhere before.
fn is_cluster(text: &str, letters: &[char]) -> bool {
    text.strip_prefix('-').is_some_and(|cluster| !cluster.starts_with('-') && cluster.contains(letters))
}

/// A makefile given as text: `--eval TEXT`, or standard input (`-f -`).
fn makefiles(invocation: &Invocation<'_>, understood: &mut Understood) {
    let mut previous = "";
    for argument in invocation.arguments {
        let Some(text) = argument.known() else { continue };
        let before = std::mem::replace(&mut previous, text);
        let evaluated = if before == "--eval" { Some(text) } else { text.strip_prefix("--eval=") };
        let reads_input = matches!(text, "-f-" | "--file=-" | "--makefile=-")
            || matches!(before, "-f" | "--file" | "--makefile") && matches!(text, "-" | "/dev/stdin");
        let makefile = match (evaluated, invocation.input) {
            (Some(text), _) => text,
            (None, Stream::Known(input)) if reads_input => input,
            (None, Stream::Remote) if reads_input => {
                let kind = EffectKind::Execute { origin: Origin::Fetched, what: "makefile".to_owned() };
                understood.effects.push(Effect::new(kind, Family::General, argument.span));
                continue;
            }
            _ => continue,
        };
        let text = super::makefile::shell_text(makefile);
        if !text.is_empty() {
            let carried = Carried::shell(Value::literal(text), Vec::new(), argument.span);
            understood.carried.push(Carried { certain: false, ..carried });
        }
    }
}

/// `put FILE` among the commands sftp reads.
fn transfers(invocation: &Invocation<'_>, understood: &mut Understood) {
    for line in lines(invocation) {
        let mut words = line.split_whitespace().skip_while(|word| word.starts_with('-') || *word == "@");
        let command = words.next().unwrap_or_default();
        if matches!(command, "put" | "mput" | "reput")
            && let Some(file) = words.find(|word| !word.starts_with('-'))
        {
            understood.effects.push(read(file.trim_matches(['"', '\'']), Span::default()));
        } else if let Some(text) = line.trim_start().strip_prefix('!') {
            understood.carried.push(carry_text(&[word(text, Span::default())], "sh", ShellStart::Child));
        }
    }
}

/// Without words all variables are shown; `-p NAME` shows that one.
fn shown_variables(arguments: &[Argument], understood: &mut Understood) {
    match arguments {
        [] => {
            understood.effects.push(Effect::new(EffectKind::Disclose("environment".to_owned()), Family::General, Span::default()));
        }
        [first, names @ ..] if first.known() == Some("-p") => understood.effects.extend(names.iter().filter_map(printed_variable)),
        _ => {}
    }
}

/// A variable that is printed by its name.
fn printed_variable(argument: &Argument) -> Option<Effect> {
    let name = argument.known().filter(|name| !name.starts_with('-'))?;
    super::basics::is_secret_variable(name)
        .then(|| Effect::new(EffectKind::Disclose("variable".to_owned()), Family::General, argument.span))
}
