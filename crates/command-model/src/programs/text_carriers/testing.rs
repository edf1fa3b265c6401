//! Tables of cases for analyzers: a command line in, one line of text out.

use sekisho_host::in_memory::World;

use crate::argument::{Argument, Cause, Partial, Provenance, Value};
use crate::carried::{Carried, Scope, ShellStart, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Selection, Target};
use crate::programs::ANALYZERS;
use crate::stream::Stream;
use sekisho_shell_syntax::span::Span;

/// Splits a line the way a shell would, with `$NAME` and `$(…)` as unknown words and unquoted `*` as a pattern. One unknown
/// part a word.
pub(crate) fn split(line: &str) -> Vec<Argument> {
    let mut words = Vec::new();
    let mut letters = line.chars().peekable();
    let (mut text, mut started, mut quoted, mut glob) = (String::new(), false, false, false);
    let mut hole: Option<(String, Cause, bool)> = None;
    let mut quote = None;
    loop {
        let letter = letters.next();
        match (quote, letter) {
            (None, None | Some(' ')) => {
                if started {
                    let value = match hole.take() {
                        Some((prefix, cause, may_split)) => Value::Dynamic(Partial {
                            prefix,
                            suffix: std::mem::take(&mut text),
                            cause,
                            may_be_empty: true,
                            may_split,
                            globbed: false,
                            otherwise: None,
                        }),
                        None if glob => Value::Glob { pattern: std::mem::take(&mut text) },
                        None => Value::Known { text: std::mem::take(&mut text), provenance: Provenance::Literal },
                    };
                    words.push(Argument { value, quoted, span: Span::default() });
                }
                (started, quoted, glob) = (false, false, false);
                if letter.is_none() {
                    return words;
                }
            }
            (_, None) => panic!("unclosed quote in {line}"),
            (None, Some(mark @ ('\'' | '"'))) => (quote, started, quoted) = (Some(mark), true, true),
            (Some(open), Some(mark)) if open == mark => quote = None,
            (None | Some('"'), Some('\\')) => {
                text.push(letters.next().unwrap());
                started = true;
            }
            (None | Some('"'), Some('$')) if matches!(letters.peek(), Some('(' | 'A'..='Z')) => {
                let cause = if letters.peek() == Some(&'(') {
                    for inner in letters.by_ref() {
                        if inner == ')' {
                            break;
                        }
                    }
                    Cause::Substitution
                } else {
                    let mut name = String::new();
                    while let Some(next) = letters.next_if(|next| next.is_ascii_alphanumeric() || *next == '_') {
                        name.push(next);
                    }
                    Cause::Variable(name)
                };
                hole = Some((std::mem::take(&mut text), cause, quote.is_none()));
                started = true;
            }
            (_, Some(other)) => {
                glob |= quote.is_none() && other == '*';
                text.push(other);
                started = true;
            }
        }
    }
}

/// What the analyzer of the line's program says.
pub(crate) fn understand_line(line: &str, input: &Stream, variables: &[(&str, &str)]) -> Understood {
    let words = split(line);
    let program = super::words::program_name(words[0].known().unwrap()).to_owned();
    let host = World::linux("/home/u", "/w");
    let lookup = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, text)| Value::literal(*text));
    let invocation = Invocation {
        program: &program,
        program_path: None,
        arguments: &words[1..],
        input,
        variable: &lookup,
        cwd: Some("/w"),
        host: &host,
    };
    let analyzer = ANALYZERS.iter().find(|(names, _)| names.contains(&program.as_str()));
    match analyzer {
        Some((_, understand)) => understand(&invocation),
        None => super::super::wrappers::runner(&invocation).unwrap_or_default(),
    }
}

/// The same, as text.
pub(crate) fn show(line: &str) -> String {
    show_input(line, &Stream::Nothing)
}

/// The same, with something on standard input.
pub(crate) fn show_input(line: &str, input: &Stream) -> String {
    text(&understand_line(line, input, &[]))
}

/// Compares a table of lines with what they show.
pub(crate) fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<_> = cases
        .iter()
        .filter_map(|(line, expected)| {
            let shown = show(line);
            (shown != *expected).then(|| format!("{line}\n  expected {expected}\n  found    {shown}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An understanding as text: effects, then what is carried.
pub(crate) fn text(understood: &Understood) -> String {
    if understood.inert {
        return "inert".to_owned();
    }
    if !understood.described {
        return "undescribed".to_owned();
    }
    let effects = understood.effects.iter().map(effect_text);
    effects.chain(understood.carried.iter().map(carried_text)).collect::<Vec<_>>().join("; ")
}

fn effect_text(effect: &Effect) -> String {
    let kind = match &effect.kind {
        EffectKind::Read(target) => format!("read {}", target_text(target)),
        EffectKind::Write(target, mode) => format!("write:{mode:?} {}", target_text(target)),
        EffectKind::Delete { target, recursive, force } => {
            let letters =
                [(*recursive, "r"), (*force, "f")].iter().filter(|(on, _)| *on).map(|(_, letter)| *letter).collect::<String>();
            format!("delete:{letters} {}", target_text(target))
        }
        EffectKind::Execute { origin, what } => format!("execute:{origin:?} {what}"),
        EffectKind::Network { host, upload } => {
            let host = host.as_ref().map(Value::display).unwrap_or_default();
            format!("network{} {host}", if *upload { ":upload" } else { "" })
        }
        EffectKind::Service { service, operation, resource } => {
            format!("service {service} {operation} {}", resource.as_deref().unwrap_or_default()).trim_end().to_owned()
        }
        EffectKind::Metadata(target) => format!("look {}", target_text(target)),
        EffectKind::Use(target) => format!("use {}", target_text(target)),
        EffectKind::System(what) => format!("system {what}"),
        EffectKind::Disclose(what) => format!("disclose {what}"),
        EffectKind::Unknown(what) => format!("unknown {what}"),
        EffectKind::DynamicStructure => "structure".to_owned(),
        EffectKind::Privilege => "privilege".to_owned(),
        other => format!("{other:?}"),
    };
    if effect.family == Family::General { kind } else { format!("{kind} <{:?}>", effect.family) }
}

fn target_text(target: &Target) -> String {
    format!("{}{}", target.value.display(), target.selection.as_ref().map(selection_text).unwrap_or_default())
}

fn selection_text(selection: &Selection) -> String {
    let mut parts = selection.names.clone();
    let marks = [
        (selection.empty_only, "empty"),
        (selection.files_only, "files"),
        (selection.directories_only, "dirs"),
        (selection.by_age, "age"),
        (selection.excludes_git, "-git"),
        (selection.cannot_reach_git, "!git"),
        (selection.skips_hidden, "visible"),
    ];
    parts.extend(marks.iter().filter(|(on, _)| *on).map(|(_, mark)| format!("+{mark}")));
    parts.extend(selection.max_depth.map(|depth| format!("+depth{depth}")));
    format!("[{}]", parts.join(" "))
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Dynamic(Partial { prefix, suffix, cause: Cause::PathUnder { roots, selection }, .. }) => {
            let roots: Vec<_> = roots.iter().map(Value::display).collect();
            format!("{prefix}<{}{}>{suffix}", roots.join(","), selection_text(selection))
        }
        other => other.display(),
    }
}

fn words_text(words: &[Argument]) -> String {
    words.iter().map(|word| value_text(&word.value)).collect::<Vec<_>>().join(" ")
}

/// One carried thing as text.
pub(crate) fn carried_text(carried: &Carried) -> String {
    let started = |start: &ShellStart| match start {
        ShellStart::Same => ":same",
        ShellStart::Child => "",
        ShellStart::Later => ":later",
    };
    let listed = |words: &[Argument]| {
        if words.is_empty() { String::new() } else { format!("({})", words_text(words)) }
    };
    let mut text = match &carried.what {
        What::Command(words) => format!("run{{{}}}", words_text(words)),
        What::Shell { source, positional, start } => {
            format!("sh{}{{{}}}{}", started(start), value_text(source), listed(positional))
        }
        What::Script { path, arguments, start } => format!("script{}{{{}}}{}", started(start), value_text(path), listed(arguments)),
        What::StandardInput { start, positional } => {
            format!("stdin{}{}", started(start), listed(positional))
        }
        What::Code { language, source } => {
            format!("{language}{{{}}}", source.as_ref().map_or_else(|| "<stdin>".to_owned(), Value::display))
        }
        What::CodeFile { language, path } => format!("{language}-file{{{}}}", path.display()),
    };
    let change = &carried.change;
    if !carried.certain {
        text.push('?');
    }
    if change.privileged {
        text.push_str(" +root");
    }
    if change.clear_environment {
        text.push_str(" -env");
    }
    for (name, value) in &change.environment {
        text.push_str(&format!(" {name}={}", value.display()));
    }
    for name in &change.unset {
        text.push_str(&format!(" -{name}"));
    }
    if let Some(directory) = &change.directory {
        text.push_str(&format!(" dir={}", directory.display()));
    }
    if change.unknown_directory {
        text.push_str(" dir?");
    }
    if change.home_unknown {
        text.push_str(" home?");
    }
    match &change.scope {
        None => {}
        Some(Scope::Host) => text.push_str(" @host"),
        Some(Scope::Remote) => text.push_str(" @remote"),
        Some(Scope::Container { mounts, disposable, unknown_mounts }) => {
            let mut parts: Vec<_> = mounts.iter().map(|(host, inner)| format!("{}:{}", host.display(), inner.display())).collect();
            parts.extend(disposable.then(|| "rm".to_owned()));
            parts.extend(unknown_mounts.then(|| "?".to_owned()));
            text.push_str(&format!(" @container({})", parts.join(" ")));
        }
    }
    if let Some(family) = carried.family {
        text.push_str(&format!(" <{family:?}>"));
    }
    text
}

/// Words made at random from pieces that mean something to these programs, in a fixed order.
pub(crate) struct Words(pub u64);

impl Words {
    fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap()
    }

    fn word(&mut self, pieces: &[&str]) -> Argument {
        let mut text = String::new();
        for _ in 0..=self.next() % 2 {
            text.push_str(pieces[self.next() % pieces.len()]);
        }
        let value = match self.next() % 8 {
            0 => Value::Glob { pattern: text },
            1 => Value::Dynamic(Partial {
                prefix: text,
                may_split: self.next().is_multiple_of(2),
                ..Partial::unknown([Cause::Input, Cause::Substitution, Cause::Unknown][self.next() % 3].clone())
            }),
            _ => Value::literal(text),
        };
        Argument { value, quoted: self.next().is_multiple_of(2), span: Span::default() }
    }
}

/// Runs every analyzer of these files on words nobody would write.
#[test]
fn no_words_make_an_analyzer_fail() {
    let pieces = [
        "-",
        "--",
        "-c",
        "-x",
        "-exec",
        ";",
        "{}",
        "+",
        "(",
        ")",
        "!",
        "-o",
        "-name",
        "*",
        "é",
        "日本",
        "'",
        "\"",
        "\\",
        "$",
        "${",
        "=",
        ":",
        ":::",
        "::::",
        "/",
        "a",
        "A=1",
        "-I",
        "-n1",
        "-0",
        "-d",
        "run",
        "exec",
        "compose",
        "-v",
        "--mount",
        "src=",
        ",",
        "/c",
        "-enc",
        "Zg==",
        "{1}",
        "{-9}",
        "{=",
        "-S",
        "-i",
        "-e",
        "-p",
        "shell",
        "delete",
        "-prune",
        "-delete",
        "\n",
        "-t",
        "%",
        "[",
        "]",
        "-99999999999999999999",
        "",
        "--x=y",
    ];
    let programs = crate::programs::ANALYZERS.iter().flat_map(|(names, _)| names.iter()).copied().filter(|name| mine(name));
    let others = ["npm", "uv", "nix", "conda", "bundle", "pipenv"];
    let host = World::linux("/home/u", "/w");
    let mut words = Words(1);
    for program in programs.chain(others) {
        for round in 0..60 {
            let arguments: Vec<_> = (0..words.next() % 9).map(|_| words.word(&pieces)).collect();
            let input =
                [Stream::Nothing, Stream::Unknown, Stream::Known("a 'b\n\\".to_owned()), Stream::Known("x\0y\n".to_owned())];
            let invocation = Invocation {
                program,
                program_path: None,
                arguments: &arguments,
                input: &input[round % input.len()],
                variable: &|_| None,
                cwd: None,
                host: &host,
            };
            let understood = crate::programs::wrappers::runner(&invocation);
            let understand = ANALYZERS.iter().find(|(names, _)| names.contains(&program)).map(|(_, understand)| understand);
            let understood = understood.or_else(|| understand.map(|understand| understand(&invocation)));
            assert!(text(&understood.unwrap_or_default()).len() < 1 << 22);
        }
    }
}

/// The program is answered for by one of the files these tests belong to.
fn mine(program: &str) -> bool {
    use crate::programs::{containers, evaluation, find, parallel, shells, wrappers, xargs};
    let names = [
        containers::NAMES,
        evaluation::NAMES,
        find::NAMES,
        parallel::NAMES,
        shells::NAMES,
        super::NAMES,
        wrappers::NAMES,
        xargs::NAMES,
    ];
    names.concat().contains(&program)
}

/// Long words and many words take time in proportion.
#[test]
fn long_command_lines_stay_bounded() {
    let many = |piece: &str, count: usize| piece.repeat(count);
    let long = Stream::Known(format!("{}\n", many("x", 30_000)));
    for line in [
        format!("find {} -name {} -delete {}", many("r ", 5000), many("n", 5000), many("-o -name y -delete ", 1000)),
        format!("find {} -exec x {} +", many("r ", 5000), many("{} ", 5000)),
        format!("find . {} -delete", many("-name abcdefghij -o ", 5000)),
        format!("find . -name {}b -delete", many("*a", 10_000)),
        format!("find . {} x", many("-exec rm {} + ", 5000)),
        format!("xargs -I{{}} x {}", many("{}", 15_000)),
        format!("parallel x {}", many("{}", 15_000)),
        format!("parallel x {} ::: {}", many("{} ", 15_000), many("a ", 1000)),
        format!("env {}", many("-S a ", 5000)),
        format!("docker run {} x", many("-v /a:/b ", 5000)),
        format!("ssh h {}", many("$A ", 5000)),
        format!("tmux {}", many("new a ; ", 5000)),
        format!("hyperfine {}", many("-p a ", 5000)),
    ] {
        // Work that grew faster than the line would not end.
        drop(understand_line(&line, &long, &[]));
    }
}
