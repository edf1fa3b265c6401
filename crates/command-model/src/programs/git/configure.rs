//! `git config`: reads and writes settings, some of which git runs later.
//!
//! Source: git-config(1) of git 2.47, both its older options and its sub-commands.

use super::command::{Command, option_values};
use super::config::normal_key;
use super::executable::{self, Judgement, Role};
use super::options::{flag, plain, plain_value, value};
use super::surroundings::runs;
use crate::argument::Argument;
use crate::effect::WriteMode;
use crate::option_grammar::OptionSpec;

#[rustfmt::skip]
const OPTIONS: &[OptionSpec] = &[
    flag("get", &["--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool"]),
    flag("list", &["-l", "--list"]),
    flag("add", &["--add", "--append"]),
    flag("replace", &["--replace-all", "--all"]),
    flag("remove", &["--unset", "--unset-all", "--remove-section"]),
    flag("rename", &["--rename-section"]),
    flag("edit", &["-e", "--edit"]),
    value("file", &["-f", "--file"]),
    value("blob", &["--blob"]),
    value("setting", &["--value"]),
    flag("scope", &["--global", "--system", "--local", "--worktree"]),
    plain(&[
        "-z", "--null", "--name-only", "--show-origin", "--show-scope", "--show-names", "--includes", "--fixed-value",
        "--bool", "--int", "--bool-or-int", "--bool-or-str", "--path", "--expiry-date", "--no-type", "--regexp",
    ]),
    plain_value(&["--type", "--default", "--url", "--comment"]),
];

/// `git config`.
pub(super) fn config(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    let mut operands: Vec<&Argument> = parsed.operands(arguments).collect();
    let verb = operands.first().and_then(|word| word.known()).filter(|word| {
        matches!(*word, "list" | "get" | "set" | "unset" | "rename-section" | "remove-section" | "edit" | "get-all" | "get-regexp")
    });
    if verb.is_some() {
        operands.remove(0);
    }
    let reads = match verb {
        Some("list" | "get" | "get-all" | "get-regexp") => true,
        Some(_) => false,
        None => {
            parsed.has("get")
                || parsed.has("list")
                || (operands.len() < 2 && !["add", "replace", "remove", "rename", "edit"].iter().any(|id| parsed.has(id)))
        }
    };
    if reads {
        command.operation("read");
        for (file, span) in option_values(&parsed, "file") {
            command.reads(&file, span);
        }
        return;
    }
    for (file, span) in option_values(&parsed, "file") {
        command.writes(&file, WriteMode::InPlace, span);
    }
    let key = operands.first().copied();
    let text = key.and_then(Argument::known).map(normal_key);
    command.operation_on("config", text.clone(), key.map_or(command.span, |word| word.span));
    let sets = match verb {
        Some("set") => true,
        Some(_) => false,
        None => !parsed.has("remove") && !parsed.has("rename") && !parsed.has("edit"),
    };
    let (Some(key), Some(value)) = (text, operands.get(1)) else {
        return;
    };
    let Some(role) = executable::role(&key).filter(|_| sets) else {
        return;
    };
    if role == Role::Alias && executable::judge(role, &value.value) == Judgement::Harmless {
        return;
    }
    runs(command, role, &key, &value.value, value.span);
}
