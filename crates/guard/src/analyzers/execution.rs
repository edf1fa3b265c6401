//! What runs: inline code, code from an input, text that is not known.

use sekisho_command_model::{EffectKind, Origin};

use super::outcome;
use crate::facts::{Fact, Facts};
use crate::matcher::Outcome;

/// `interpreter.one-liner-paranoid`
pub fn inline_code(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Execute { origin: Origin::Inline | Origin::Followed, what } => outcome(what.starts_with("inline:")),
        _ => None,
    }
}

/// `xargs.shell-dynamic`
pub fn xargs_shell(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    input_code(fact, "xargs", None)
}

/// `parallel.shell-dynamic`
pub fn parallel_shell(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    input_code(fact, "parallel", Some(false))
}

/// `parallel.command-stream-dynamic`
pub fn parallel_stream(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    input_code(fact, "parallel", Some(true))
}

fn input_code(fact: &Fact<'_>, program: &str, stream: Option<bool>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Execute { origin: Origin::Input, what } if fact.program() == Some(program) => {
            outcome(stream.is_none_or(|stream| stream == (what == "command-stream")))
        }
        _ => None,
    }
}

/// `shell.dynamic-structure`
pub fn dynamic_structure(fact: &Fact<'_>, _: &Facts<'_>) -> Option<Outcome> {
    outcome(fact.effect.kind == EffectKind::DynamicStructure)
}

/// Commands whose output is made to be evaluated: beginnings of the command as written.
const GENERATORS: &[&str] = &[
    "ssh-agent",
    "minikube docker-env",
    "brew shellenv",
    "/opt/homebrew/bin/brew shellenv",
    "direnv hook",
    "direnv export",
    "starship init",
    "dircolors",
    "register-python-argcomplete",
    "opam env",
    "fnm env",
    "rbenv init",
    "pyenv init",
    "nodenv init",
    "conda shell.",
    "zoxide init",
    "mise activate",
    "mise env",
    "thefuck --alias",
    "atuin init",
];

/// `shell.unverifiable-source`
pub fn unverifiable_source(fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
    match &fact.effect.kind {
        EffectKind::Execute { origin: Origin::Unknown, what } => {
            let fail_closed = facts.context.snapshot.fail_closed();
            // A script named by a value that is not known is as unknown as any script at level standard.
            let passes = !fail_closed && (what.starts_with("script:") || is_known_generator(&fact.execution.segment));
            outcome(!passes)
        }
        EffectKind::Execute { origin: Origin::Decoded, .. } => Some(Outcome::Deny),
        EffectKind::Execute { origin: Origin::Generator, .. } => {
            let known = !facts.context.snapshot.fail_closed() && is_known_generator(&fact.execution.segment);
            outcome(!known)
        }
        _ => None,
    }
}

fn is_known_generator(segment: &str) -> bool {
    let inner =
        ["$(", "<(", "`"].iter().find_map(|opening| segment.split_once(opening)).map_or("", |(_, inner)| inner).trim_start();
    let completion = inner.split_whitespace().any(|word| matches!(word.trim_end_matches(')'), "completion" | "completions"));
    completion || GENERATORS.iter().any(|beginning| inner.starts_with(beginning))
}
