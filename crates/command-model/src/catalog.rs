//! The one way in: from a command's words to what it does.

use sekisho_host::Host;
use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};
use crate::carried::{Carried, ShellStart, What};
use crate::description;
use crate::effect::{Effect, EffectKind, Family, Origin, Target};
use crate::option_grammar::ValueArity;
use crate::programs;
use crate::stream::Stream;

/// One simple command, expanded as far as it can be known.
pub struct Invocation<'a> {
    /// The program: last path component, `.exe` and its kin removed.
    pub program: &'a str,
    /// The command word as written, when it holds a `/`.
    pub program_path: Option<&'a str>,
    /// The words after it.
    pub arguments: &'a [Argument],
    /// What is known of its standard input.
    pub input: &'a Stream,
    /// Variables the command sees (prefix assignments and exported shell variables), by name.
    pub variable: &'a dyn Fn(&str) -> Option<Value>,
    /// The working directory, where it is known.
    pub cwd: Option<&'a str>,
    /// The machine, for bounded looks (a branch's existence, a repository's configuration).
    pub host: &'a dyn Host,
}

/// What one command does.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Understood {
    /// Its own effects.
    pub effects: Vec<Effect>,
    /// What it runs in turn.
    pub carried: Vec<Carried>,
    /// What is known of its output.
    pub output: Stream,
    /// The program is described.
    pub described: bool,
    /// It only prints help or a version, or has no effect for another reason: nothing else in here counts.
    pub inert: bool,
    /// Its words are shown, not run: nothing in them is a command (`echo`, `grep`).
    pub display: bool,
    /// Only the program's own words are commands to be looked for: index of the first word that may start a command this
    /// program runs, where the program is not described (see [`Understood::described`]).
    pub unknown_runner: bool,
}

/// Says what a command does.
///
/// The analyzers of [`mod@programs`] come first, then package managers that run a child, then what `programs/*.toml` describes;
/// an analyzer that has nothing to say of one form of its program leaves it to those after it. What none of them knows may do
/// anything with its operands and may run them as a command.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    if let Some(subcommand) = git_program(invocation.program) {
        let arguments: Vec<Argument> =
            std::iter::once(Argument::literal(subcommand)).chain(invocation.arguments.iter().cloned()).collect();
        return understand(&Invocation { program: "git", arguments: &arguments, ..*invocation });
    }
    let analyzer = programs::ANALYZERS.iter().find(|(names, _)| names.contains(&invocation.program));
    if let Some((_, analyzer)) = analyzer {
        let understood = analyzer(invocation);
        if understood != Understood::default() {
            return understood;
        }
    }
    if let Some(understood) = programs::wrappers::runner(invocation) {
        return understood;
    }
    match description::find(invocation.program) {
        Some(program) => described(program, invocation),
        None => unknown(invocation),
    }
}

/// The sub-command of `git-reset` and its kin, which Git keeps as programs of their own. What others have added stays theirs.
fn git_program(program: &str) -> Option<&str> {
    let subcommand = program.strip_prefix("git-").filter(|rest| !rest.is_empty() && !rest.starts_with('-'))?;
    let own = description::find(program).is_some() || programs::ANALYZERS.iter().any(|(names, _)| names.contains(&program));
    (!own && programs::git::is_command(subcommand)).then_some(subcommand)
}

fn described(program: &'static description::Program, invocation: &Invocation<'_>) -> Understood {
    let unbundled = if program.bundled { unbundle(program, invocation.arguments) } else { None };
    let arguments = unbundled.as_deref().unwrap_or(invocation.arguments);
    let (mut understood, reading) = description::apply::understand(program, invocation, arguments);
    if !understood.inert {
        programs::basics::empties(program, invocation, &mut understood.effects);
        programs::supplied::add(invocation, &mut understood);
        understood.output = programs::basics::output(program, invocation, &reading, &understood.effects);
    }
    understood
}

/// `tar xfz a.tgz b` as `tar -x -f a.tgz -z b`: letters of the first word take their values from the words behind it, in order.
///
/// Source: GNU tar 1.35 manual, "Old Option Style".
fn unbundle(program: &description::Program, arguments: &[Argument]) -> Option<Vec<Argument>> {
    let (first, rest) = arguments.split_first()?;
    let cluster = first.known().filter(|text| !text.starts_with('-') && !text.is_empty())?;
    let mut words = Vec::new();
    let mut values = rest.iter();
    for letter in cluster.chars() {
        let name = format!("-{letter}");
        let spec = program.root.grammar.options.iter().find(|spec| spec.names.contains(&name.as_str()))?;
        words.push(Argument { value: Value::literal(name), ..first.clone() });
        if spec.value == ValueArity::Required {
            words.extend(values.next().cloned());
        }
    }
    words.extend(values.cloned());
    Some(words)
}

/// A program nobody described.
fn unknown(invocation: &Invocation<'_>) -> Understood {
    let mut understood = Understood { output: Stream::Unknown, unknown_runner: true, ..Understood::default() };
    let span = Span::default();
    match invocation.program_path.map(|path| (path, script_language(path))) {
        Some((path, language)) => {
            // The analysis reads the file within bounds; whatever it finds, a file of this machine runs.
            understood.effects.push(Effect::new(
                EffectKind::Execute { origin: Origin::Local, what: path.to_owned() },
                Family::General,
                span,
            ));
            let path = Value::literal(path);
            let what = match language {
                ScriptLanguage::Shell => {
                    Some(What::Script { path, arguments: invocation.arguments.to_vec(), start: ShellStart::Child })
                }
                ScriptLanguage::Other(language) => Some(What::CodeFile { language, path }),
                ScriptLanguage::None => None,
            };
            understood.carried.extend(what.map(|what| Carried { what, ..Carried::command(Vec::new(), span) }));
        }
        None => {
            let name = invocation.program.to_owned();
            understood.effects.push(Effect::new(EffectKind::Unknown(name), Family::General, span));
        }
    }
    for argument in invocation.arguments {
        for value in paths_of(argument) {
            understood.effects.push(Effect::new(EffectKind::Touch(Target::new(value)), Family::General, argument.span));
        }
    }
    understood
}

/// What a file called so is written in, as far as its name says.
enum ScriptLanguage {
    /// A shell, or nothing that says otherwise.
    Shell,
    /// A language of [`crate::inline`].
    Other(&'static str),
    /// Something that is not read as a script.
    None,
}

fn script_language(path: &str) -> ScriptLanguage {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        None | Some("sh" | "bash" | "zsh" | "ksh" | "dash") => ScriptLanguage::Shell,
        Some("py") => ScriptLanguage::Other("python"),
        Some("js" | "mjs" | "cjs") => ScriptLanguage::Other("javascript"),
        Some("rb") => ScriptLanguage::Other("ruby"),
        Some("pl") => ScriptLanguage::Other("perl"),
        Some("php") => ScriptLanguage::Other("php"),
        Some("lua") => ScriptLanguage::Other("lua"),
        Some(_) => ScriptLanguage::None,
    }
}

/// The paths a word of an unknown program may name: the word itself, or what stands behind a `=` in it.
fn paths_of(argument: &Argument) -> Vec<Value> {
    let Some(text) = argument.known() else {
        return vec![argument.value.clone()];
    };
    let mut values = Vec::new();
    if !text.starts_with('-') && description::apply::may_name_a_path(text) {
        values.push(argument.value.clone());
    }
    if let Some((name, rest)) = text.split_once('=')
        && description::apply::may_name_a_path(rest)
    {
        values.extend(argument.value.without_prefix(&format!("{name}=")));
    }
    values
}
