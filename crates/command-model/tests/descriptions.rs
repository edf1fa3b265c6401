//! The examples of `programs/*.toml`: each command line has the effects its file says, in any order.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sekisho_command_model::argument::{Argument, Cause, Partial, Value};
use sekisho_command_model::carried::What;
use sekisho_command_model::effect::{Effect, EffectKind, Target, WriteMode};
use sekisho_command_model::{Invocation, Stream, Understood, description, understand};
use sekisho_host::{EntryKind, FileState, Host, Platform, ReadFailure};
use sekisho_shell_syntax::span::Span;

#[derive(serde::Deserialize)]
struct File {
    name: String,
    examples: BTreeMap<String, Vec<String>>,
}

/// A machine with nothing on it, of this platform.
struct Nowhere(Platform);

impl Host for Nowhere {
    fn home(&self) -> &str {
        "/home/dev"
    }
    fn home_of(&self, _: &str) -> Option<String> {
        None
    }
    fn environment(&self, _: &str) -> Option<String> {
        None
    }
    fn platform(&self) -> Platform {
        self.0
    }
    fn entry(&self, _: &str) -> Option<EntryKind> {
        None
    }
    fn link_target(&self, _: &str) -> Option<String> {
        None
    }
    fn read(&self, _: &str, _: usize) -> Result<String, ReadFailure> {
        Err(ReadFailure::Missing)
    }
    fn list(&self, _: &str, _: usize) -> Result<Vec<String>, ReadFailure> {
        Err(ReadFailure::Missing)
    }
    fn file_state(&self, _: &str) -> FileState {
        FileState::Missing
    }
}

/// Splits a line as a shell would, without expanding: quotes, `$NAME` as a word that is not known, globs.
fn words(line: &str) -> Vec<Argument> {
    let mut words = Vec::new();
    let mut letters = line.chars().peekable();
    while letters.peek().is_some() {
        while letters.next_if(|letter| *letter == ' ').is_some() {}
        let (mut text, mut any, mut quoted, mut glob) = (String::new(), false, false, false);
        let mut variable: Option<(String, String)> = None;
        let mut quote = None;
        while let Some(letter) = letters.next_if(|letter| quote.is_some() || *letter != ' ') {
            any = true;
            match (quote, letter) {
                (None, '\'' | '"') => (quote, quoted) = (Some(letter), true),
                (Some(open), _) if open == letter => quote = None,
                (Some('"') | None, '\\') => text.extend(letters.next()),
                (Some('"') | None, '$') if variable.is_none() => {
                    let mut name = String::new();
                    while let Some(letter) = letters.next_if(char::is_ascii_alphanumeric) {
                        name.push(letter);
                    }
                    variable = Some((std::mem::take(&mut text), name));
                }
                (None, '*' | '?') => {
                    glob = true;
                    text.push(letter);
                }
                _ => text.push(letter),
            }
        }
        if !any {
            continue;
        }
        let value = match variable {
            Some((prefix, name)) => {
                Value::Dynamic(Partial { prefix, suffix: text, may_split: !quoted, ..Partial::unknown(Cause::Variable(name)) })
            }
            None if glob => Value::Glob { pattern: text },
            None => Value::literal(text),
        };
        words.push(Argument { value, quoted, span: Span::default() });
    }
    words
}

/// Runs a line; `NAME=value` words before the program are variables it sees.
fn run(line: &str, platform: Platform) -> Understood {
    let mut words = words(line);
    let mut variables = BTreeMap::new();
    while let Some((name, value)) = words.first().and_then(Argument::known).and_then(|text| text.split_once('=')) {
        variables.insert(name.to_owned(), Value::literal(value));
        words.remove(0);
    }
    // An example without a program is described by nobody, which fails it.
    let Some((program, arguments)) = words.split_first() else {
        return Understood::default();
    };
    let program = program.known().unwrap_or_default();
    understand(&Invocation {
        program: program.rsplit('/').next().unwrap_or(program),
        program_path: program.contains('/').then_some(program),
        arguments,
        input: &Stream::Nothing,
        variable: &|name| variables.get(name).cloned(),
        cwd: Some("/home/dev/project"),
        host: &Nowhere(platform),
    })
}

fn render(understood: &Understood) -> Vec<String> {
    if understood.inert {
        return Vec::new();
    }
    let mut lines: Vec<String> = understood.effects.iter().map(render_effect).collect();
    lines.extend(understood.carried.iter().map(|carried| {
        let show = |words: &[Argument]| words.iter().map(|word| word.value.display()).collect::<Vec<_>>().join(" ");
        let text = match &carried.what {
            What::Command(words) => format!("run {}", show(words)),
            What::Shell { source, .. } => format!("shell {}", source.display()),
            What::Script { path, .. } => format!("script {}", path.display()),
            What::StandardInput { .. } => "shell-input".to_owned(),
            What::Code { language, source: Some(source) } => format!("code {language} {}", source.display()),
            What::Code { language, source: None } => format!("code-input {language}"),
            What::CodeFile { language, path } => format!("code-file {language} {}", path.display()),
        };
        match &carried.change.directory {
            Some(directory) => format!("{text} in {}", directory.display()),
            None => text,
        }
    }));
    lines.sort();
    lines
}

fn render_effect(effect: &Effect) -> String {
    let show = |target: &Target| target.value.display();
    let flag = |on: bool, word: &'static str| if on { word } else { "" };
    let text = match &effect.kind {
        EffectKind::Read(target) => format!("read {}", show(target)),
        EffectKind::Write(target, mode) => {
            let mode = match mode {
                WriteMode::Truncate => "truncate",
                WriteMode::Empty => "empty",
                WriteMode::Append => "append",
                WriteMode::InPlace => "in-place",
                WriteMode::Create => "create",
                WriteMode::Link => "link",
            };
            format!("write {mode} {}", show(target))
        }
        EffectKind::Delete { target, recursive, force } => {
            format!("delete {}{}{}", flag(*recursive, "recursive "), flag(*force, "force "), show(target))
        }
        EffectKind::Move { from, to } => format!("move {} -> {}", show(from), show(to)),
        EffectKind::Permissions { target, recursive, change } => {
            format!("permissions {}{change} {}", flag(*recursive, "recursive "), show(target))
        }
        EffectKind::Device(target) => format!("device {}", show(target)),
        EffectKind::Execute { origin, what } => {
            format!("execute {} {what}", format!("{origin:?}").to_lowercase())
        }
        EffectKind::Network { host, upload } => {
            let host = host.as_ref().map(Value::display).unwrap_or_default();
            format!("network {}{host}", flag(*upload, "upload ")).trim_end().to_owned()
        }
        EffectKind::Privilege => "privilege".to_owned(),
        EffectKind::Vcs(operation) => format!("vcs {}", operation.name),
        EffectKind::Service { service, operation, resource } => {
            format!("service {service} {operation} {}", resource.as_deref().unwrap_or_default()).trim_end().to_owned()
        }
        EffectKind::Process { signal, broad } => {
            format!("process {signal}{}", flag(*broad, " broad"))
        }
        EffectKind::System(what) => format!("system {what}"),
        EffectKind::Disclose(what) => format!("disclose {what}"),
        EffectKind::Metadata(target) => format!("metadata {}", show(target)),
        EffectKind::Use(target) => format!("use {}", show(target)),
        EffectKind::Mention(target) => format!("mention {}", show(target)),
        EffectKind::Touch(target) => format!("touch {}", show(target)),
        EffectKind::DynamicStructure => "dynamic structure".to_owned(),
        EffectKind::Unknown(what) => format!("unknown {what}"),
    };
    match &effect.directory {
        Some(directory) => format!("{text} in {}", directory.display()),
        None => text,
    }
}

#[test]
fn every_example_holds() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let mut wrong = Vec::new();
    let mut files = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        files += 1;
        let file: File = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for (line, expected) in file.examples {
            let understood = run(&line, Platform::Linux);
            let mut expected = expected;
            expected.sort();
            let found = render(&understood);
            if found != expected || !understood.described {
                wrong.push(format!("{}: `{line}`\n  should be {expected:?}\n  but is    {found:?}", file.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(files >= 100, "only {files} descriptions");
}

#[test]
fn descriptions_are_found_by_every_name() {
    assert!(description::programs().is_sorted_by_key(|program| program.name));
    for program in description::programs() {
        assert_eq!(description::find(program.name).map(|found| found.name), Some(program.name));
    }
    assert_eq!(description::find("egrep").map(|program| program.name), Some("grep"));
    assert!(description::find("no-such-program").is_none());
}

#[test]
fn bsd_reads_no_options_behind_operands() {
    assert!(!run("rm -rf x --help", Platform::MacOs).inert);
    assert!(run("rm --help x", Platform::MacOs).inert);
    assert!(!run("rm -rf $X x --help", Platform::Linux).inert, "`$X` may be `--`");
}

#[test]
fn unknown_programs_may_do_anything() {
    let understood = run("frobnicate rm a/b --in=.env", Platform::Linux);
    assert!(understood.unknown_runner && !understood.described);
    assert_eq!(render(&understood), ["touch .env", "touch a/b", "touch rm", "unknown frobnicate"]);
    assert_eq!(render(&run("./deploy.sh x", Platform::Linux)), ["execute local ./deploy.sh", "script ./deploy.sh", "touch x"]);
    assert_eq!(render(&run("./x.py", Platform::Linux)), ["code-file python ./x.py", "execute local ./x.py"]);
    assert_eq!(render(&run("./x/rm -r y", Platform::Linux)), ["delete recursive y"]);
}

#[test]
fn odd_words_never_panic() {
    let odd = [
        "", "-", "--", "--=", "-=", "=", "-é", "--é=ü", "é", "-f", "--help", "of=", "@", "=@", "a:", ":", "://", "file://", "-C",
        "/", "+:!",
    ];
    for program in description::programs() {
        for first in odd {
            for second in odd {
                for third in ["x", "-C", ""] {
                    let arguments = [first, second, third].map(Argument::literal);
                    let _ = understand(&Invocation {
                        program: program.name,
                        program_path: None,
                        arguments: &arguments,
                        input: &Stream::Unknown,
                        variable: &|_| None,
                        cwd: None,
                        host: &Nowhere(Platform::Windows),
                    });
                }
            }
        }
    }
}

#[test]
fn work_grows_with_the_words() {
    // A quadratic step would take minutes here.
    let mut arguments = Vec::new();
    for _ in 0..60_000 {
        arguments.push(Argument::literal("-rf"));
        arguments.push(Argument::literal("x/y"));
    }
    for program in ["rm", "cp", "mv", "chmod", "tar", "rsync", "curl", "icacls", "gh", "cat", "frobnicate"] {
        let understood = understand(&Invocation {
            program,
            program_path: None,
            arguments: &arguments,
            input: &Stream::Nothing,
            variable: &|_| None,
            cwd: Some("/home/dev/project"),
            host: &Nowhere(Platform::Linux),
        });
        assert!(!understood.inert, "{program}");
    }
}
