//! git: which operation a command line is, what it reads and writes, and what it runs.
//!
//! A command is read as git reads it: global options and variables (`global`), aliases (`alias`), then the sub-command,
//! each with its own option table in the file of its group. What settings and variables make git run beside that is found in
//! one place for all of them (`surroundings`). The words an operation is known by are in [`OPERATIONS`].
//!
//! For example `git -C lib push -f origin main` is the operation `push-force` with the subject `main`, an upload to `origin`,
//! both relative to `lib`.
//!
//! Bounded looks at the repository (`repository`) tell paths from branches and find what its configuration runs.

mod alias;
mod branches;
mod command;
mod commands;
mod config;
mod configure;
mod executable;
mod global;
mod history;
mod inspect;
mod maintenance;
mod operands;
mod operations;
mod options;
mod remote;
mod repository;
mod ssh;
mod surroundings;
#[cfg(test)]
mod tests;
mod working_tree;

pub use operations::{OPERATIONS, Operation, OperationKind, find};

use sekisho_shell_syntax::span::Span;

use self::alias::{Alias, EXPANSION_LIMIT};
use self::command::Command;
use self::config::is_false;
use self::global::{Context, Next, known};
use crate::argument::{Argument, Value};
use crate::carried::Carried;
use crate::catalog::{Invocation, Understood};
use crate::effect::EffectKind;
use crate::stream::Stream;

/// The programs this file answers for.
pub const NAMES: &[&str] = &["git"];

/// A sub-command that is described.
pub fn is_command(name: &str) -> bool {
    commands::find(name).is_some()
}

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let mut context = Context::from_variables(invocation);
    let mut words = invocation.arguments.to_vec();
    let mut expanded: Option<String> = None;
    let mut expansions = 0;
    loop {
        let next = context.read(&words, invocation);
        let Next::Subcommand(index) = next else {
            return without_subcommand(invocation, context, next == Next::Printed);
        };
        let Some(word) = words.get(index) else {
            return without_subcommand(invocation, context, false);
        };
        let span = word.span;
        let name = word.known().unwrap_or_default().to_owned();
        let rest = words.get(index + 1..).unwrap_or_default();
        // Git compares exactly; where file names ignore case it finds its commands whatever their case.
        let lower = name.to_ascii_lowercase();
        if let Some(function) = commands::find(&lower) {
            let command = Command::new(invocation, &lower, span, rest, context, described());
            return subcommand(command, function, expanded);
        }
        let Some(found) = alias::find(&name, invocation, &context) else {
            return not_a_command(invocation, &name, span, rest, context);
        };
        expanded.get_or_insert_with(|| name.clone());
        let split = match found.text.known() {
            Some(text) if text.trim_start().starts_with('!') => {
                return shell_alias(invocation, &name, &found, span, rest, context);
            }
            Some(text) if expansions < EXPANSION_LIMIT => alias::split(text, span),
            _ => None,
        };
        let Some(mut longer) = split else {
            let mut command = Command::new(invocation, &lower, span, rest, context, described());
            command.operation_on("alias-config", Some(name.clone()), span);
            surroundings::given(&mut command);
            return command.understood;
        };
        expansions += 1;
        longer.extend_from_slice(rest);
        words = longer;
    }
}

fn described() -> Understood {
    Understood { described: true, output: Stream::Unknown, ..Understood::default() }
}

/// Global options alone: help, a version, a path, or git's usage.
fn without_subcommand(invocation: &Invocation<'_>, context: Context, printed: bool) -> Understood {
    let dynamic = context.dynamic;
    let mut command = Command::new(invocation, "help", Span::default(), &[], context, described());
    surroundings::given(&mut command);
    if let Some(span) = dynamic {
        command.emit(EffectKind::DynamicStructure, span);
    }
    let mut understood = command.understood;
    understood.inert = printed && understood.effects.is_empty();
    if !printed && understood.effects.is_empty() {
        // `git` alone prints how to use it.
        understood.inert = true;
    }
    understood
}

/// A sub-command git has.
fn subcommand(mut command: Command<'_>, function: fn(&mut Command<'_>), expanded: Option<String>) -> Understood {
    if let Some(span) = command.context.dynamic {
        command.emit(EffectKind::DynamicStructure, span);
    }
    if let Some(option) = command.context.unknown.clone() {
        command.emit(EffectKind::Unknown(format!("git {option}")), command.span);
    }
    if command.context.malformed {
        command.operation("alias-config");
    }
    surroundings::given(&mut command);
    let surrounding = command.understood.clone();
    function(&mut command);
    if command.understood.inert {
        // Only the usage is shown; what variables and settings start remains.
        let inert = surrounding.effects.is_empty() && surrounding.carried.is_empty();
        return Understood { inert, ..surrounding };
    }
    surroundings::stored(&mut command);
    if command.context.is_explicit() || command.context.setting("core.worktree").is_some() {
        command.operation("context-explicit");
    }
    let loses = command.understood.effects.iter().any(|effect| {
        matches!(&effect.kind, EffectKind::Vcs(operation) if find(operation.name).is_some_and(|known| known.kind == OperationKind::Loss))
    });
    if loses && let Some(word) = command.arguments.iter().find(|word| word.known().is_none()) {
        command.operation_at("context-unknown-words", word.span);
    }
    if let Some(name) = expanded {
        command.operation_on("context-alias", Some(name), command.span);
    }
    let setting =
        command.context.setting("submodule.recurse").map(|setting| setting.value.known().is_none_or(|text| !is_false(text)));
    let recurses = setting.unwrap_or_else(|| {
        command.repository().and_then(|repository| repository.setting("submodule.recurse")).is_some_and(|text| !is_false(text))
    });
    if recurses {
        command.operation("context-recurse-submodules");
    }
    command.understood
}

/// Neither a command of git nor an alias: a program called `git-NAME`, or nothing.
fn not_a_command(invocation: &Invocation<'_>, name: &str, span: Span, rest: &[Argument], context: Context) -> Understood {
    let (malformed, dynamic) = (context.malformed, context.dynamic);
    let mut command = Command::new(invocation, name, span, rest, context, described());
    if malformed {
        command.operation("alias-config");
    }
    match dynamic {
        // The word that is not known may be the sub-command itself.
        Some(span) => command.emit(EffectKind::DynamicStructure, span),
        None => command.emit(EffectKind::Unknown(format!("git {name}")), span),
    }
    surroundings::given(&mut command);
    command.understood
}

/// An alias that is shell text: git runs it at the top of the work tree with the other words as its arguments.
fn shell_alias(
    invocation: &Invocation<'_>,
    name: &str,
    found: &Alias,
    span: Span,
    rest: &[Argument],
    context: Context,
) -> Understood {
    let mut command = Command::new(invocation, name, span, rest, context, described());
    let text = found.text.known().unwrap_or_default().trim_start();
    let text = text.strip_prefix('!').unwrap_or(text);
    if found.given {
        let span = if found.span == Span::default() { span } else { found.span };
        command.operation_on("alias-config", Some(name.to_owned()), span);
    } else {
        command.configured(format!("alias.{name}"));
    }
    let source = if rest.is_empty() { known(text) } else { known(&format!("{text} \"$@\"")) };
    let positional = std::iter::once(Argument::with(Value::literal(text), span)).chain(rest.iter().cloned()).collect();
    command.carry(Carried::shell(source, positional, span), true);
    surroundings::given(&mut command);
    command.understood
}
