//! Tables of code and of what is found in it, one language a file.

use sekisho_shell_syntax::span::Span;

use super::{Code, read};
use crate::carried::What;
use crate::effect::EffectKind;

mod awk;
mod bounds;
mod javascript;
mod others;
mod perl;
mod php;
mod python;
mod ruby;
mod sql;

/// The facts of `code` in one line: effects, then what is carried, then `harmless`.
pub(super) fn facts(code: &Code) -> String {
    let mut words: Vec<String> = code
        .effects
        .iter()
        .map(|effect| describe(&effect.kind, effect.directory.as_ref().map(|directory| directory.display())))
        .collect();
    for carried in &code.carried {
        let place = carried.change.directory.as_ref().map_or(String::new(), |directory| format!(" in {}", directory.display()));
        words.push(match &carried.what {
            What::Shell { source, .. } => format!("sh {}{place}", source.display()),
            What::Command(arguments) => {
                let words: Vec<String> = arguments.iter().map(|argument| argument.value.display()).collect();
                format!("run {}{place}", words.join(" "))
            }
            other => format!("{other:?}"),
        });
    }
    if code.harmless {
        words.push("harmless".to_owned());
    }
    words.join("; ")
}

fn describe(kind: &EffectKind, directory: Option<String>) -> String {
    let text = match kind {
        EffectKind::Read(target) => format!("read {}", target.value.display()),
        EffectKind::Write(target, mode) => format!("write {} {mode:?}", target.value.display()),
        EffectKind::Delete { target, recursive, .. } => {
            format!("{} {}", if *recursive { "delete-tree" } else { "delete" }, target.value.display())
        }
        EffectKind::Move { from, to } => format!("move {} {}", from.value.display(), to.value.display()),
        EffectKind::Permissions { target, recursive, change } => {
            format!("mode {change} {}{}", target.value.display(), if *recursive { " all" } else { "" })
        }
        EffectKind::Execute { origin, what } => format!("execute {origin:?} {what}"),
        EffectKind::Network { host, upload } => {
            let host = host.as_ref().map(|host| host.display()).unwrap_or_default();
            format!("{} {host}", if *upload { "upload" } else { "network" })
        }
        EffectKind::Metadata(target) => format!("look {}", target.value.display()),
        EffectKind::Disclose(what) => format!("disclose {what}"),
        EffectKind::Process { signal, broad } => format!("signal {signal}{}", if *broad { " all" } else { "" }),
        EffectKind::Service { operation, resource, .. } => match resource {
            Some(resource) => format!("{operation} {resource}"),
            None => operation.clone(),
        },
        other => format!("{other:?}"),
    };
    match directory {
        Some(directory) => format!("{text} in {directory}"),
        None => text,
    }
}

/// Checks each code against its facts.
pub(super) fn check(language: &str, rows: &[(&str, &str)]) {
    let mut failures = Vec::new();
    for (code, expected) in rows {
        let found = facts(&read(language, code, "/home/u", Span::default()));
        if found != *expected {
            failures.push(format!("{code}\n    expected: {expected}\n    found:    {found}"));
        }
    }
    assert!(failures.is_empty(), "{} of {} rows:\n{}", failures.len(), rows.len(), failures.join("\n"));
}
