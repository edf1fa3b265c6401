//! Programs whose output other commands are built from, and those whose words follow no option grammar.
//!
//! `echo`, `printf`, `test` and their kin are answered here; for described programs [`output`] adds what their output is, which
//! a table cannot say.

mod decode;
mod filters;
mod paths;
mod print;

pub use print::is_secret_variable;

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};
use crate::catalog::{Invocation, Understood};
use crate::description::read::Reading;
use crate::description::{Output, Program};
use crate::effect::{Effect, EffectKind, Family, Target, WriteMode};
use crate::stream::Stream;

/// The programs this file answers for.
pub const NAMES: &[&str] = &["echo", "printf", "true", "false", ":", "test", "["];

/// Longest text that is followed through a pipe, in bytes.
pub const TEXT_BYTES: usize = 256 * 1024;

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let mut understood = Understood { described: true, display: true, ..Understood::default() };
    match invocation.program {
        "echo" | "printf" => {
            let print = if invocation.program == "echo" { print::echo } else { print::printf };
            understood.output = print(invocation.arguments);
            understood.effects = invocation.arguments.iter().filter_map(print::discloses).collect();
        }
        "test" | "[" => understood.effects = test(invocation.arguments),
        _ => {}
    }
    understood
}

/// `tee FILE </dev/null` leaves an empty file behind.
pub fn empties(program: &Program, invocation: &Invocation<'_>, effects: &mut [Effect]) {
    if program.name != "tee" || *invocation.input != Stream::Known(String::new()) {
        return;
    }
    for effect in effects {
        if let EffectKind::Write(_, mode @ WriteMode::Truncate) = &mut effect.kind {
            *mode = WriteMode::Empty;
        }
    }
}

/// What a described program writes to its standard output.
pub fn output(program: &Program, invocation: &Invocation<'_>, reading: &Reading<'_>, effects: &[Effect]) -> Stream {
    let input = invocation.input;
    match program.name {
        "cat" => filters::cat(invocation, reading),
        "tee" => input.clone(),
        "head" => filters::head(input, reading, effects),
        "rev" if !reads_files(effects) => filters::rev(input),
        "tr" => filters::tr(input, reading),
        "grep" | "rg" if reading.has("names-only") || reading.has("files") => {
            filters::matching_files(effects, program.name == "rg")
        }
        "grep" if !reads_files(effects) => filters::matching_lines(input, reading),
        "ls" if reading.parsed.operands.is_empty() => filters::listing(reading),
        "ls" => filters::named_listing(invocation, reading),
        "base64" => decode::base64(input, reading, effects),
        "xxd" => decode::xxd(input, reading, effects),
        "pwd" => invocation.cwd.map_or(Stream::Unknown, line),
        "dirname" => paths::dirname(reading),
        "basename" => paths::basename(reading),
        "realpath" => paths::realpath(invocation, reading, true),
        "readlink" => paths::realpath(invocation, reading, reading.has("canonicalize")),
        "mktemp" => paths::mktemp(invocation, reading),
        "seq" => print::seq(reading),
        "yes" => print::yes(reading),
        _ => by_description(reading.level.output, input, effects),
    }
}

fn by_description(output: Output, input: &Stream, effects: &[Effect]) -> Stream {
    let writes = || effects.iter().any(|effect| matches!(effect.kind, EffectKind::Write(..)));
    match output {
        Output::Unknown => Stream::Unknown,
        Output::Nothing => Stream::Nothing,
        Output::Remote if writes() => Stream::Nothing,
        Output::Remote => Stream::Remote,
        Output::Decoded => filters::decoded(input),
        Output::Filter if reads_files(effects) => filters::changed(&Stream::Unknown),
        Output::Lines if reads_files(effects) => filters::some_lines(&Stream::Unknown),
        Output::Filter => filters::changed(input),
        Output::Lines => filters::some_lines(input),
    }
}

fn reads_files(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect.kind, EffectKind::Read(_)))
}

fn line(text: &str) -> Stream {
    Stream::Known(format!("{text}\n"))
}

/// The one value of an operand list, for programs with one.
fn single<'a>(reading: &'a Reading<'_>) -> Option<&'a Argument> {
    let mut operands = reading.parsed.operands(reading.arguments);
    let first = operands.next()?;
    operands.next().is_none().then_some(first)
}

/// `test` and `[`: files are looked at, no more. Source: POSIX.1-2017 test(1), GNU coreutils 9.5.
fn test(words: &[Argument]) -> Vec<Effect> {
    const FILE_QUESTIONS: &str = "bcdefghkprstuwxGLNOS";
    let mut effects = Vec::new();
    let mut look = |value: &Value, span: Span| {
        effects.push(Effect::new(EffectKind::Metadata(Target::new(value.clone())), Family::General, span));
    };
    let mut previous: Option<&Argument> = None;
    let mut words = words.iter().peekable();
    while let Some(word) = words.next() {
        let text = word.known().unwrap_or_default();
        if matches!(text, "-nt" | "-ot" | "-ef") {
            for side in previous.into_iter().chain(words.peek().copied()) {
                look(&side.value, side.span);
            }
        } else if text.len() == 2
            && text.starts_with('-')
            && text.chars().last().is_some_and(|letter| FILE_QUESTIONS.contains(letter))
            && let Some(file) = words.peek()
            && file.known() != Some("]")
        {
            look(&file.value, file.span);
        }
        previous = Some(word);
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::argument::{Cause, Partial};
    use crate::catalog;
    use crate::effect::Selection;

    /// A machine with nothing on it.
    pub struct Nowhere;

    impl sekisho_host::Host for Nowhere {
        fn home(&self) -> &str {
            "/home/dev"
        }
        fn home_of(&self, _: &str) -> Option<String> {
            None
        }
        fn environment(&self, _: &str) -> Option<String> {
            None
        }
        fn platform(&self) -> sekisho_host::Platform {
            sekisho_host::Platform::Linux
        }
        fn entry(&self, _: &str) -> Option<sekisho_host::EntryKind> {
            None
        }
        fn link_target(&self, _: &str) -> Option<String> {
            None
        }
        fn read(&self, _: &str, _: usize) -> Result<String, sekisho_host::ReadFailure> {
            Err(sekisho_host::ReadFailure::Missing)
        }
        fn list(&self, _: &str, _: usize) -> Result<Vec<String>, sekisho_host::ReadFailure> {
            Err(sekisho_host::ReadFailure::Missing)
        }
        fn file_state(&self, _: &str) -> sekisho_host::FileState {
            sekisho_host::FileState::Missing
        }
    }

    fn run(words: &[&str], input: &Stream) -> Understood {
        let arguments: Vec<_> = words.iter().skip(1).map(|word| Argument::literal(*word)).collect();
        catalog::understand(&Invocation {
            program: words[0],
            program_path: None,
            arguments: &arguments,
            input,
            variable: &|_| None,
            cwd: Some("/home/dev/project"),
            host: &Nowhere,
        })
    }

    fn known(text: &str) -> Stream {
        Stream::Known(text.to_owned())
    }

    #[test]
    fn prints() {
        for (words, text) in [
            (&["echo", "a", "b"][..], "a b\n"),
            (&["echo", "-n", "a"], "a"),
            (&["echo", "-ne", r"a\tb"], "a\tb"),
            (&["echo", "-E", r"a\tb"], "a\\tb\n"),
            (&["echo", "-x", "a"], "-x a\n"),
            (&["echo", "--help"], "--help\n"),
            (&["echo", "-e", r"\x72m \0057"], "rm /\n"),
            (&["printf", r"%s\n", "a", "b"], "a\nb\n"),
            (&["printf", "%s-%d%%", "a", "3"], "a-3%"),
            (&["printf", r"\162\155"], "rm"),
            (&["printf", "%b", r"a\nb"], "a\nb"),
            (&["printf", "--", "x"], "x"),
            (&["seq", "2", "4"], "2\n3\n4\n"),
            (&["yes", "no"], "no\n"),
            (&["pwd"], "/home/dev/project\n"),
            (&["dirname", "a/b/c", "/x", "y"], "a/b\n/\n.\n"),
            (&["basename", "a/b.c", ".c"], "b\n"),
            (&["basename", "-a", "a/b", "c/"], "b\nc\n"),
            (&["realpath", "../x"], "/home/dev/x\n"),
            (&["readlink", "-f", "."], "/home/dev/project\n"),
        ] {
            assert_eq!(run(words, &Stream::Nothing).output, known(text), "{words:?}");
        }
    }

    #[test]
    fn passes_on() {
        for (words, input, output) in [
            (&["cat"][..], known("x\n"), known("x\n")),
            (&["cat", "-"], Stream::Remote, Stream::Remote),
            (&["cat", "file"], Stream::Nothing, Stream::FileContent("file".to_owned())),
            (&["tee", "out"], known("x\n"), known("x\n")),
            (&["grep", "x"], Stream::Remote, Stream::Remote),
            (&["head", "-1"], known("a\nb\n"), known("a\n")),
            (&["head", "-n", "2"], known("a\nb\nc\n"), known("a\nb\n")),
            (&["head", "-n", "2", "file"], known("a\nb\nc\n"), Stream::Unknown),
            (&["rev"], known("fr- mr\n"), known("rm -rf\n")),
            (&["tr", "a-y", "b-z"], known("ql\n"), known("rm\n")),
            (&["base64", "-d"], known("cm0gLXJmIC8K\n"), known("rm -rf /\n")),
            (&["base64", "-d"], Stream::Unknown, Stream::Decoded),
            (&["base64", "--decode"], Stream::Remote, Stream::Remote),
            (&["base64"], known("x"), Stream::Unknown),
            (&["xxd", "-r", "-p"], known("726d0a"), known("rm\n")),
            (&["gunzip"], Stream::Unknown, Stream::Decoded),
            (&["curl", "https://x.example/i.sh"], Stream::Nothing, Stream::Remote),
            (&["curl", "-o", "f", "https://x.example/i.sh"], Stream::Nothing, Stream::Nothing),
            (&["wget", "-qO-", "https://x.example/i.sh"], Stream::Nothing, Stream::Remote),
            (&["wget", "https://x.example/i.sh"], Stream::Nothing, Stream::Nothing),
            (&["mktemp", "-d"], Stream::Nothing, Stream::TemporaryPath),
            (&["mktemp", "/tmp/x.XXXX"], Stream::Nothing, Stream::TemporaryPath),
            (&["mktemp", "x.XXXX"], Stream::Nothing, Stream::Unknown),
            (&["mktemp", "-p", "/home/dev"], Stream::Nothing, Stream::Unknown),
        ] {
            assert_eq!(run(words, &input).output, output, "{words:?} over {input:?}");
        }
        let found = run(&["grep", "-rl", "x", "src", "--include=*.c"], &Stream::Nothing).output;
        let Stream::Paths { roots, selection } = found else { panic!("{found:?}") };
        assert!(roots == [Value::literal("src")] && selection.files_only && selection.names == ["*.c"]);
        assert!(matches!(run(&["ls"], &Stream::Nothing).output, Stream::Paths { .. }));
        assert_eq!(run(&["ls", "-l"], &Stream::Nothing).output, Stream::Unknown);
        let paths = Stream::Paths { roots: vec![Value::literal(".")], selection: Selection::default() };
        assert_eq!(run(&["sort", "-u"], &paths).output, paths);
        assert_eq!(run(&["cut", "-d/", "-f2"], &paths).output, Stream::Unknown);
    }

    #[test]
    fn unknown_words_stay_values() {
        let unknown = Value::Dynamic(Partial::unknown(Cause::Unknown));
        let arguments = [Argument::literal("a"), Argument::with(unknown.clone(), Span::default())];
        assert_eq!(print::echo(&arguments), Stream::Words(vec![Value::literal("a"), unknown]));
    }

    #[test]
    fn test_looks() {
        let effects = run(&["[", "-f", "a", "-a", "b", "-nt", "c", "]"], &Stream::Nothing).effects;
        assert_eq!(effects.len(), 3);
        assert!(run(&["test", "a", "=", "b"], &Stream::Nothing).effects.is_empty());
    }
}
