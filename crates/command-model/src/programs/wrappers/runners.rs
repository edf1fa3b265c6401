//! Package managers that run a program of a package or a project: `npx`, `uv run`, `poetry run`, `nix shell -c` …
//!
//! Only the forms that run a child are answered here; every other sub-command is the table's.

use crate::argument::{Argument, Value};
use crate::carried::{Carried, Change, ShellStart};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Target};
use crate::option_grammar::{Grammar, OptionSpec, parse};
use crate::programs::text_carriers::words::{
    asks_for_help, carry_text, described, flag, glued, inert, named, named_flag, program_name, span_of, value, word,
};

/// A sub-command that runs a child.
struct Runner {
    programs: &'static [&'static str],
    /// Words after the program (and its own options) that choose this form.
    path: &'static [&'static str],
    /// Options after the path: `directory`, `text`, `use`, `query`, `module`, `child` (the child's words follow it) as in
    /// [`super::table`].
    options: &'static [OptionSpec],
    child: Child,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Child {
    /// The operands are a command.
    Command,
    /// The first operand names a package; its program is called like it.
    Package,
    /// The child follows the option `child`.
    AfterOption,
    /// The first operand is an installable; arguments follow it.
    Installable,
}

const UV: &[OptionSpec] = &[
    named("directory", &["--directory"]),
    named("use", &["--env-file"]),
    named_flag("module", &["-m", "--module"]),
    named_flag("script", &["-s", "--script", "--gui-script"]),
    value(&["--with", "-w", "--with-editable", "--with-requirements", "-p", "--python", "--package", "--extra", "--no-extra"]),
    value(&["--group", "--no-group", "--only-group", "--index", "--default-index", "-i", "--index-url", "--extra-index-url"]),
    value(&["-f", "--find-links", "--project", "--cache-dir", "--config-file", "--color", "--python-platform", "--from"]),
    value(&["-P", "--upgrade-package", "--refresh-package", "--resolution", "--prerelease", "--link-mode", "--keyring-provider"]),
    value(&["-C", "--config-setting", "--exclude-newer", "--no-build-package", "--no-binary-package", "--index-strategy", "-c"]),
    value(&["--constraints", "--overrides", "--allow-insecure-host", "--fork-strategy", "--reinstall-package", "--torch-backend"]),
    flag(&["--isolated", "--active", "--no-sync", "--locked", "--frozen", "--dev", "--no-dev", "--only-dev", "--all-extras"]),
    flag(&["--all-groups", "--no-default-groups", "--exact", "--no-editable", "--no-env-file", "--all-packages", "--no-project"]),
    flag(&["-q", "--quiet", "-v", "--verbose", "-n", "--no-cache", "--offline", "--refresh", "-U", "--upgrade", "--reinstall"]),
    flag(&["--no-index", "--no-config", "--no-progress", "--managed-python", "--no-managed-python", "--no-python-downloads"]),
    flag(&["--native-tls", "--no-build", "--no-binary", "--no-build-isolation", "--no-sources", "--compile-bytecode"]),
];

const NPX: &[OptionSpec] = &[
    named("text", &["-c", "--call"]),
    named("directory", &["-C", "--prefix", "--dir", "--cwd"]),
    value(&["-p", "--package", "-w", "--workspace", "--registry", "--cache", "--userconfig", "--loglevel", "--node-options", "-n"]),
    value(&["--node-arg", "--shell", "-s", "--script-shell", "--filter", "--allow-build"]),
    flag(&[
        "-y",
        "--yes",
        "--no",
        "--no-install",
        "-q",
        "--quiet",
        "--workspaces",
        "--ws",
        "--include-workspace-root",
        "--ignore-existing",
    ]),
    flag(&["--prefer-offline", "--offline", "--silent", "--verbose", "--bun", "-r", "--recursive", "--parallel", "--if-present"]),
    flag(&["--always-spawn", "--no-bail", "--resume-from", "--foreground-scripts", "--ignore-scripts"]),
];

/// pnpm has the shell mode as a flag: `pnpm exec -c 'text'`.
const PNPM: &[OptionSpec] = &[
    named_flag("shell", &["-c", "--shell-mode"]),
    named("directory", &["-C", "--dir"]),
    value(&["--package", "--filter", "-F", "--allow-build", "--reporter", "--workspace-concurrency", "--resume-from"]),
    flag(&[
        "-r",
        "--recursive",
        "--parallel",
        "--silent",
        "-s",
        "--no-bail",
        "--no-reporter-hide-prefix",
        "--report-summary",
        "-w",
        "--workspace-root",
    ]),
];

const NIX: &[OptionSpec] = &[
    named_flag("child", &["-c", "--command"]),
    value(&[
        "-f",
        "--file",
        "-I",
        "--include",
        "--inputs-from",
        "--override-flake",
        "--profile",
        "-k",
        "--keep",
        "-u",
        "--unset-env-var",
    ]),
    value(&["--extra-experimental-features", "--experimental-features", "--system", "--store", "--eval-store", "-j", "--max-jobs"]),
    flag(&[
        "-i",
        "--ignore-env",
        "--ignore-environment",
        "--impure",
        "-L",
        "--print-build-logs",
        "--refresh",
        "--offline",
        "--quiet",
    ]),
    flag(&[
        "-v",
        "--verbose",
        "--debug",
        "--no-write-lock-file",
        "--accept-flake-config",
        "--expr",
        "--recreate-lock-file",
        "--rebuild",
    ]),
];

const CONDA: &[OptionSpec] = &[
    named("directory", &["--cwd"]),
    value(&["-n", "--name", "-p", "--prefix", "-r", "--root-prefix", "-a", "--attach", "-e", "--env", "--label"]),
    flag(&["-v", "--verbose", "--dev", "--debug-wrapper-scripts", "--no-capture-output", "--live-stream", "-d", "--detach"]),
];

const RUNNERS: &[Runner] = &[
    Runner { programs: &["uv"], path: &["run"], options: UV, child: Child::Command },
    Runner { programs: &["uv"], path: &["tool", "run"], options: UV, child: Child::Package },
    Runner { programs: &["uvx"], path: &[], options: UV, child: Child::Package },
    Runner {
        programs: &["pipx"],
        path: &["run"],
        options: &[
            value(&["--spec", "--python", "--pip-args", "-i", "--index-url", "--with"]),
            flag(&["--no-cache", "--verbose", "-q", "--pypackages"]),
        ],
        child: Child::Package,
    },
    Runner { programs: &["poetry"], path: &["run"], options: &[], child: Child::Command },
    Runner {
        programs: &["bundle", "bundler"],
        path: &["exec"],
        options: &[flag(&["--keep-file-descriptors"]), glued(&["--gemfile"])],
        child: Child::Command,
    },
    Runner { programs: &["conda", "mamba", "micromamba"], path: &["run"], options: CONDA, child: Child::Command },
    Runner { programs: &["npx", "pnpx", "bunx"], path: &[], options: NPX, child: Child::Package },
    Runner { programs: &["npm"], path: &["exec"], options: NPX, child: Child::Package },
    Runner { programs: &["npm"], path: &["x"], options: NPX, child: Child::Package },
    Runner { programs: &["pnpm"], path: &["exec"], options: PNPM, child: Child::Command },
    Runner { programs: &["pnpm"], path: &["dlx"], options: PNPM, child: Child::Package },
    Runner { programs: &["yarn"], path: &["dlx"], options: NPX, child: Child::Package },
    Runner { programs: &["yarn"], path: &["exec"], options: NPX, child: Child::Command },
    Runner { programs: &["bun"], path: &["x"], options: NPX, child: Child::Package },
    Runner { programs: &["nix"], path: &["run"], options: NIX, child: Child::Installable },
    Runner { programs: &["nix"], path: &["shell"], options: NIX, child: Child::AfterOption },
    Runner { programs: &["nix"], path: &["develop"], options: NIX, child: Child::AfterOption },
];

/// Options of these programs before the sub-command that take a value; every other one takes none.
const GLOBAL_VALUES: &[&str] = &[
    "-C",
    "--directory",
    "--project",
    "-P",
    "--prefix",
    "--cwd",
    "--dir",
    "-w",
    "--workspace",
    "--filter",
    "-F",
    "--config-file",
    "--cache-dir",
    "--color",
    "--extra-experimental-features",
    "--experimental-features",
    "--option",
];

/// What a form that runs a child does; `None` for every other sub-command.
pub(super) fn package_runner(invocation: &Invocation<'_>) -> Option<Understood> {
    let program = invocation.program;
    RUNNERS
        .iter()
        .filter(|runner| runner.programs.contains(&program))
        .find_map(|runner| Some(run(runner, &beginning(runner, invocation.arguments)?)))
}

/// The words after a runner's path, and the directory the program's own options choose.
fn beginning(runner: &Runner, arguments: &[Argument]) -> Option<(Vec<Argument>, Option<Value>)> {
    let mut directory = None;
    let mut path = runner.path.iter();
    let mut wanted = path.next();
    let mut index = 0;
    while let Some(expected) = wanted {
        let text = arguments.get(index)?.known()?;
        index += 1;
        if text == *expected {
            wanted = path.next();
        } else if GLOBAL_VALUES.contains(&text) {
            if matches!(text, "-C" | "--directory" | "--prefix" | "--cwd" | "--dir") {
                directory = arguments.get(index).map(|word| word.value.clone());
            }
            index += 1;
        } else if !text.starts_with(['-', '+']) {
            return None;
        }
    }
    Some((arguments.get(index..)?.to_vec(), directory))
}

fn run(runner: &Runner, (arguments, directory): &(Vec<Argument>, Option<Value>)) -> Understood {
    // A nix child is one word after `--command`: options of nix may follow installables.
    let permutes = runner.child == Child::AfterOption;
    let grammar = Grammar { options: runner.options, permutes, abbreviates: false, single_dash_long: false };
    let own = if permutes { until_child(arguments) } else { arguments };
    let parsed = parse(&grammar, own);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    let change = Change { directory: parsed.value("directory").or(directory.as_ref()).cloned(), ..Change::default() };
    for option in parsed.options.iter().filter(|option| option.id == Some("use")) {
        if let Some(value) = &option.value {
            understood.effects.push(Effect::new(EffectKind::Use(Target::new(value.clone())), Family::General, option.span));
        }
    }
    for text in parsed.values("text") {
        let words = [Argument::with(text.clone(), span_of(arguments))];
        understood.carried.push(Carried { change: change.clone(), ..carry_text(&words, "sh", ShellStart::Child) });
    }
    let words = parsed.from_operand(own, 0);
    let child = match runner.child {
        Child::AfterOption => arguments.get(own.len()..).unwrap_or_default().to_vec(),
        _ if words.is_empty() => return understood,
        Child::Command if parsed.has("module") => with_head(&["python", "-m"], words),
        Child::Command if parsed.has("script") => with_head(&["python"], words),
        Child::Command
            if runner.programs == ["uv"] && words.first().and_then(Argument::known).is_some_and(|text| text.ends_with(".py")) =>
        {
            with_head(&["python"], words)
        }
        Child::Command => words.to_vec(),
        Child::Package => renamed(words, package_program),
        Child::Installable => renamed(&without_double_dash(words), installable_program),
    };
    if child.is_empty() {
        return understood;
    }
    let span = span_of(&child);
    if parsed.has("shell") {
        understood.carried.push(Carried { change, ..carry_text(&child, "sh", ShellStart::Child) });
        return understood;
    }
    for option in parsed.unknown() {
        understood.effects.push(Effect::new(EffectKind::Unknown(option.written.clone()), Family::General, option.span));
        // The option may take the first operand as its value.
        if let Some(rest) = child.get(1..)
            && !rest.is_empty()
        {
            let carried = Carried::command(rest.to_vec(), span_of(rest));
            understood.carried.push(Carried { change: change.clone(), certain: false, ..carried });
        }
    }
    understood.carried.insert(0, Carried { change, ..Carried::command(child, span) });
    understood
}

/// The words up to and with the option that introduces a child.
fn until_child(arguments: &[Argument]) -> &[Argument] {
    let at = arguments.iter().position(|word| matches!(word.known(), Some("-c" | "--command")));
    at.and_then(|at| arguments.get(..=at)).unwrap_or(arguments)
}

fn with_head(head: &[&str], words: &[Argument]) -> Vec<Argument> {
    let span = words.first().map(|first| first.span).unwrap_or_default();
    head.iter().map(|text| word(*text, span)).chain(words.iter().cloned()).collect()
}

/// The first word replaced by the program it names.
fn renamed(words: &[Argument], name: fn(&str) -> &str) -> Vec<Argument> {
    let mut words = words.to_vec();
    if let Some(first) = words.first_mut()
        && let Some(text) = first.known()
    {
        first.value = Value::literal(name(text));
    }
    words
}

/// `@scope/rimraf@5` and `rimraf@latest` run `rimraf`; a path or address keeps its last component.
fn package_program(package: &str) -> &str {
    let unversioned = match package.char_indices().skip(1).find(|(_, letter)| *letter == '@') {
        Some((at, _)) => package.get(..at).unwrap_or(package),
        None => package.split_once("==").map_or(package, |(name, _)| name),
    };
    program_name(unversioned)
}

/// `nixpkgs#hello` runs `hello`.
fn installable_program(installable: &str) -> &str {
    let attribute = installable.rsplit_once('#').map_or(installable, |(_, attribute)| attribute);
    let attribute = attribute.split('^').next().unwrap_or(attribute);
    attribute.rsplit('.').next().unwrap_or(attribute)
}

fn without_double_dash(words: &[Argument]) -> Vec<Argument> {
    let at = words.iter().position(|word| word.known() == Some("--"));
    words.iter().enumerate().filter(|(index, _)| Some(*index) != at).map(|(_, word)| word.clone()).collect()
}
