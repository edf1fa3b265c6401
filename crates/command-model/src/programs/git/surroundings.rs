//! What runs because of settings and variables around a command, whatever its own words say.

use std::collections::{BTreeMap, BTreeSet};

use sekisho_host::path::join;
use sekisho_shell_syntax::span::Span;

use super::command::Command;
use super::config::is_false;
use super::executable::{self, Judgement, Role, VARIABLES};
use super::global::known;
use super::ssh;
use crate::argument::Value;
use crate::effect::{EffectKind, WriteMode};

/// Variables that say which program connects.
const SSH_VARIABLES: &[&str] = &["GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT"];
/// Variables that name other files of settings.
const SETTINGS_FILES: &[&str] = &["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG"];
/// Variables that write a trace to the file they name, if they hold an absolute path.
const TRACES: &[&str] =
    &["GIT_TRACE", "GIT_TRACE_PACKET", "GIT_TRACE_CURL", "GIT_TRACE_SETUP", "GIT_TRACE2", "GIT_TRACE2_EVENT", "GIT_TRACE2_PERF"];

/// Says what settings and variables given with the command make it run.
pub(super) fn given(command: &mut Command<'_>) {
    let network = talks_to_network(command);
    let settings = command.context.settings.clone();
    for setting in settings {
        let Some(role) = executable::role(&setting.key) else {
            continue;
        };
        match role {
            // An alias counts when it is used.
            Role::Alias => {}
            // For this one command there are no hooks; nothing else runs in their place.
            Role::HooksPath if is_nowhere(&setting.value) => {
                command.operation_at("hook-bypass", setting.span);
            }
            Role::Ssh if network => connects(command, "core.sshCommand", &setting.value, setting.span),
            _ => runs(command, role, &setting.key, &setting.value, setting.span),
        }
    }
    let variable = command.invocation.variable;
    for (name, role) in VARIABLES {
        if let Some(value) = variable(name) {
            runs(command, *role, name, &value, command.span);
        }
    }
    if network {
        for name in SSH_VARIABLES {
            if let Some(value) = variable(name) {
                connects(command, name, &value, command.span);
            }
        }
    }
    for name in SETTINGS_FILES {
        if let Some(value) = variable(name).filter(|value| !matches!(value.known(), Some("" | "/dev/null"))) {
            command.operation_on("exec-config-ask", Some((*name).to_owned()), command.span);
            command.consumes(&value, command.span);
        }
    }
    for name in TRACES {
        if let Some(value) = variable(name).filter(|value| value.known().is_some_and(|text| text.starts_with('/'))) {
            command.writes(&value, WriteMode::Append, command.span);
        }
    }
    if let Some(span) = command.context.exec_path.as_ref().map(|(_, span)| *span) {
        command.operation_on("exec-config-ask", Some("exec-path".to_owned()), span);
    }
    let hooks_are_off = variable("HUSKY").is_some_and(|value| value.known().is_some_and(is_false)) || variable("SKIP").is_some();
    if hooks_are_off && executable::uses(Role::HooksPath, command.name) {
        command.operation("hook-bypass");
    }
}

/// A value given with the command is run, or may be.
pub(super) fn runs(command: &mut Command<'_>, role: Role, key: &str, value: &Value, span: Span) {
    let name = match executable::judge(role, value) {
        Judgement::Harmless => {
            if role == Role::Ssh {
                uses_keys(command, value, span);
            }
            return;
        }
        Judgement::Questionable => "exec-config-ask",
        Judgement::Executable => "exec-config",
    };
    command.operation_on(name, Some(key.to_owned()), span);
    if role == Role::HooksPath && is_nowhere(value) {
        command.operation_at("hook-bypass", span);
    }
    if let Some(text) = executable::command_text(role, value) {
        let certain = executable::uses(role, command.name);
        command.carry_shell(text, certain, span);
    }
}

/// A directory of hooks that holds none.
fn is_nowhere(value: &Value) -> bool {
    matches!(value.known(), Some("" | "/dev/null" | "NUL"))
}

/// A program given with the command connects to another machine.
fn connects(command: &mut Command<'_>, key: &str, value: &Value, span: Span) {
    if uses_keys(command, value, span) {
        return;
    }
    command.operation_on("ssh-env", Some(key.to_owned()), span);
    if key != "GIT_SSH_VARIANT" {
        command.carry_shell(value.clone(), true, span);
    }
}

/// Reports the files of a plain `ssh`; says whether it is one.
fn uses_keys(command: &mut Command<'_>, value: &Value, span: Span) -> bool {
    let Some(files) = value.known().and_then(ssh::plain_files) else {
        return false;
    };
    for file in files {
        // A shell reads the command, so `~` is the user's home.
        let in_home = file.known().and_then(|text| text.strip_prefix("~/"));
        let file = in_home.map_or_else(|| file.clone(), |rest| known(&join(command.invocation.host.home(), rest)));
        command.consumes(&file, span);
    }
    true
}

/// Whether the command talks to another machine.
fn talks_to_network(command: &Command<'_>) -> bool {
    let first = command.arguments.iter().filter_map(|word| word.known()).find(|word| !word.starts_with('-'));
    match command.name {
        "remote" => matches!(first, Some("update" | "show" | "prune" | "set-head" | "add")),
        "archive" => has_word(command, &["--remote"]),
        "filter-repo" | "for-each-repo" | "lfs" => true,
        name => executable::is_network(name),
    }
}

/// Words of a command that decide whether it uses a stored setting, looked for once.
struct Uses {
    network: bool,
    external_difference: bool,
    no_external_difference: bool,
    text_conversion: bool,
    no_text_conversion: bool,
    no_verify: bool,
}

/// Says what the repository's own configuration makes the command run.
pub(super) fn stored(command: &mut Command<'_>) {
    let Some(repository) = command.repository() else {
        return;
    };
    // The last value of a key counts.
    let settings: BTreeMap<&str, &str> = repository.settings().collect();
    let given: BTreeSet<&str> = command.context.settings.iter().map(|setting| setting.key.as_str()).collect();
    let uses = Uses {
        network: talks_to_network(command),
        external_difference: has_word(command, &["--ext-diff"]),
        no_external_difference: has_word(command, &["--no-ext-diff"]),
        text_conversion: has_word(command, &["--textconv", "-p", "-u", "--patch", "-S", "-G"]),
        no_text_conversion: has_word(command, &["--no-textconv"]),
        no_verify: has_word(command, &["--no-verify"]),
    };
    let mut found = Vec::new();
    for (key, text) in settings {
        let Some(role) = executable::role(key).filter(|_| !given.contains(key)) else {
            continue;
        };
        let harmless = match role {
            Role::HooksPath => matches!(text, "" | "/dev/null"),
            _ => executable::judge(role, &known(text)) == Judgement::Harmless,
        };
        if !harmless && uses_stored(command, &uses, role, key) {
            found.push(key.to_owned());
        }
    }
    for key in found {
        command.configured(key);
    }
}

/// Whether this command uses a stored setting of this role.
fn uses_stored(command: &Command<'_>, uses: &Uses, role: Role, key: &str) -> bool {
    let name = command.name;
    match role {
        Role::Pager if command.context.no_pager => false,
        Role::Pager if key == "core.pager" => command.context.paginate || executable::uses(role, name),
        Role::Pager => key.strip_prefix("pager.").is_some_and(|wanted| wanted.eq_ignore_ascii_case(name)),
        Role::Difference => !uses.no_external_difference && (name == "diff" || name == "difftool" || uses.external_difference),
        Role::TextConversion => {
            !uses.no_text_conversion && (matches!(name, "diff" | "show" | "blame" | "annotate") || uses.text_conversion)
        }
        Role::HooksPath => executable::uses(role, name) && !uses.no_verify,
        Role::Ssh | Role::Credential | Role::AskPassword | Role::Peer => uses.network,
        _ => executable::uses(role, name),
    }
}

/// One of the arguments before `--` begins with one of these words.
fn has_word(command: &Command<'_>, words: &[&str]) -> bool {
    command
        .arguments
        .iter()
        .filter_map(|argument| argument.known())
        .take_while(|argument| *argument != "--")
        .any(|argument| words.iter().any(|word| argument.starts_with(word)))
}

/// A word that may be an address runs a command by itself (`ext::sh -c …`); gitremote-helpers(7), git-remote-ext(1).
pub(super) fn address(command: &mut Command<'_>, value: &Value, span: Span) {
    if let Some(text) = value.without_prefix("ext::") {
        command.operation_on("exec-config", Some("ext::".to_owned()), span);
        command.carry_shell(text, true, span);
    } else if value.known().is_some_and(|text| text.starts_with("fd::")) {
        command.emit(EffectKind::Unknown("fd::".to_owned()), span);
    }
}
