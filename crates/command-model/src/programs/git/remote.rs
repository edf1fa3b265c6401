//! Sub-commands that talk to other repositories.
//!
//! Source: git-push(1), git-fetch(1), git-pull(1), git-clone(1), git-remote(1), git-ls-remote(1) of git 2.47; gitremote-helpers(7).

use sekisho_shell_syntax::span::Span;

use super::branches::branch_name;
use super::command::{Command, is_on, option_values};
use super::config::{is_true, key_parts};
use super::executable;
use super::global::known;
use super::history::bypass;
use super::options::{flag, optional, plain, plain_optional, plain_value, value};
use super::surroundings::{address, runs};
use crate::argument::{Argument, Value};
use crate::effect::WriteMode;
use crate::option_grammar::{OptionSpec, Parsed};

#[rustfmt::skip]
const PUSH: &[OptionSpec] = &[
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    optional("lease", &["--force-with-lease"]),
    flag("no-lease", &["--no-force-with-lease"]),
    flag("delete", &["-d", "--delete"]),
    flag("no-delete", &["--no-delete"]),
    flag("mirror", &["--mirror"]),
    flag("no-mirror", &["--no-mirror"]),
    flag("prune", &["--prune"]),
    flag("no-prune", &["--no-prune"]),
    flag("dry-run", &["-n", "--dry-run"]),
    flag("no-dry-run", &["--no-dry-run"]),
    flag("all", &["--all", "--branches"]),
    flag("tags", &["--tags"]),
    flag("no-verify", &["--no-verify"]),
    flag("verify", &["--verify"]),
    value("repo", &["--repo"]),
    value("exec", &["--receive-pack", "--exec"]),
    plain(&[
        "-v", "-q", "-u", "-4", "-6", "--verbose", "--quiet", "--porcelain", "--force-if-includes", "--thin",
        "--set-upstream", "--progress", "--follow-tags", "--atomic", "--ipv4", "--ipv6",
    ]),
    plain_value(&["-o", "--recurse-submodules", "--push-option"]),
    plain_optional(&["--signed"]),
];

/// Branches that are usually shared.
const DEFAULT_BRANCHES: &[&str] = &["main", "master", "trunk", "develop"];

/// `git push`: changes another repository.
pub(super) fn push(command: &mut Command<'_>) {
    let Some(parsed) = command.parse_guarded(PUSH) else {
        return;
    };
    let arguments = command.arguments;
    peer_program(command, &parsed, "exec");
    let operands: Vec<&Argument> = parsed.operands(arguments).collect();
    let remote = operands.first().copied();
    let destination = remote.map(|word| word.value.clone()).or_else(|| parsed.value("repo").cloned());
    if let Some(word) = remote {
        address(command, &word.value, word.span);
    }
    let host = destination.as_ref().map(|value| remote_address(command, value));
    command.network(host, true, remote.map_or(command.span, |word| word.span));
    bypass(command, &parsed);
    if is_on(&parsed, "dry-run", "no-dry-run") {
        command.operation("push-dry-run");
        return;
    }
    let force_option = parsed.last_of(&["force"]).filter(|_| is_on(&parsed, "force", "no-force")).map(|option| option.span);
    let forced_ref = operands.iter().find(|word| is_forced(word)).map(|word| word.span);
    let configured = configured_push(command);
    if let Some(span) = force_option.or(forced_ref) {
        let branches = pushed_branches(command, &parsed, &operands);
        command.operation_on("push-force", branches.into_iter().flatten().next(), span);
    }
    let delete_option = parsed.last_of(&["delete"]).filter(|_| is_on(&parsed, "delete", "no-delete")).map(|option| option.span);
    let deleted_ref = operands.iter().find(|word| is_deletion(word));
    if delete_option.is_some() || deleted_ref.is_some() {
        let named = deleted_ref.or_else(|| operands.get(1));
        let subject = named.and_then(|word| branch_name(&word.value)).map(|name| name.trim_start_matches(['+', ':']).to_owned());
        command.operation_on("push-delete", subject, delete_option.or(deleted_ref.map(|word| word.span)).unwrap_or(command.span));
    }
    let mirror_option = parsed
        .last_of(&["mirror"])
        .filter(|_| is_on(&parsed, "mirror", "no-mirror"))
        .or_else(|| parsed.last_of(&["prune"]).filter(|_| is_on(&parsed, "prune", "no-prune")))
        .map(|option| option.span);
    // A refspec that the command's own configuration forces applies to every ref it matches, as a mirror does.
    if let Some(span) = mirror_option.or(configured.mirror).or(configured.force) {
        command.operation_at("push-mirror", span);
    }
    if force_option.is_none() && forced_ref.is_none() && is_on(&parsed, "lease", "no-lease") {
        let span = parsed.last_of(&["lease"]).map_or(command.span, |option| option.span);
        let remote_name = destination.as_ref().and_then(Value::known).unwrap_or("origin").to_owned();
        for branch in pushed_branches(command, &parsed, &operands) {
            let is_default = branch.as_deref().is_none_or(|branch| is_default_branch(command, &remote_name, branch));
            command.operation_on("push-force-with-lease", branch.clone(), span);
            if is_default {
                command.operation_on("push-force-default-branch", branch, span);
            }
        }
    }
    command.operation("push");
}

/// `+ref` and `src:+dst`.
fn is_forced(word: &Argument) -> bool {
    let text = beginning(word);
    text.starts_with('+') || (!text.contains("://") && text.contains(":+"))
}

/// `:ref` and `+:ref`, but not `:` alone, which means the branches both sides have.
fn is_deletion(word: &Argument) -> bool {
    let text = beginning(word);
    let text = text.strip_prefix('+').unwrap_or(text);
    text.starts_with(':') && (text.len() > 1 || word.known().is_none())
}

/// The text a word begins with, as far as it is known.
fn beginning(word: &Argument) -> &str {
    match &word.value {
        Value::Known { text, .. } => text,
        Value::Glob { pattern } => pattern,
        Value::Dynamic(partial) => &partial.prefix,
    }
}

/// What settings given with the command make a push do.
struct ConfiguredPush {
    force: Option<Span>,
    mirror: Option<Span>,
}

fn configured_push(command: &Command<'_>) -> ConfiguredPush {
    let mut configured = ConfiguredPush { force: None, mirror: None };
    for setting in &command.context.settings {
        let (section, subsection, name) = key_parts(&setting.key);
        if section != "remote" || subsection.is_none() {
            continue;
        }
        let text = setting.value.known();
        match name {
            "push" if text.is_none_or(|text| text.starts_with('+')) => configured.force = Some(setting.span),
            "mirror" if text.is_none_or(is_true) => configured.mirror = Some(setting.span),
            _ => {}
        }
    }
    configured
}

/// The branches a push changes at the other end; `None` for those that are not known.
fn pushed_branches(command: &Command<'_>, parsed: &Parsed, operands: &[&Argument]) -> Vec<Option<String>> {
    let head = || command.repository().and_then(|repository| repository.head_branch().map(str::to_owned));
    if parsed.has("all") || parsed.has("mirror") {
        return vec![None];
    }
    let refspecs = operands.get(1..).unwrap_or_default();
    if refspecs.is_empty() {
        // `--tags` alone adds tags to what is pushed anyway.
        return vec![head()];
    }
    refspecs
        .iter()
        .map(|word| {
            let text = word.known()?.trim_start_matches('+');
            let destination = text.rsplit_once(':').map_or(text, |(_, destination)| destination).trim_start_matches('+');
            match destination {
                "HEAD" | "@" => head(),
                "" => None,
                name => Some(name.strip_prefix("refs/heads/").unwrap_or(name).to_owned()),
            }
        })
        .collect()
}

fn is_default_branch(command: &Command<'_>, remote: &str, branch: &str) -> bool {
    DEFAULT_BRANCHES.contains(&branch)
        || command.repository().and_then(|repository| repository.remote_default(remote)).as_deref() == Some(branch)
}

/// The address behind a remote's name, where the repository's configuration has it.
fn remote_address(command: &Command<'_>, remote: &Value) -> Value {
    let Some(name) = remote.known() else {
        return remote.clone();
    };
    let stored = command.repository().and_then(|repository| repository.setting(&format!("remote.{name}.url")));
    stored.map_or_else(|| remote.clone(), known)
}

/// A program for the other end, run through a shell here when the address is a local path.
pub(super) fn peer_program(command: &mut Command<'_>, parsed: &Parsed, id: &'static str) {
    for (program, span) in option_values(parsed, id) {
        runs(command, executable::Role::Peer, id, &program, span);
    }
}

#[rustfmt::skip]
const FETCH: &[OptionSpec] = &[
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    flag("dry-run", &["--dry-run"]),
    value("exec", &["--upload-pack"]),
    optional("recurse-submodules", &["--recurse-submodules"]),
    plain(&[
        "-v", "-q", "-a", "-m", "-t", "-n", "-p", "-P", "-k", "-u", "-4", "-6", "--verbose", "--quiet", "--all",
        "--set-upstream", "--append", "--atomic", "--multiple", "--tags", "--prefetch", "--prune", "--prune-tags",
        "--porcelain", "--write-fetch-head", "--keep", "--update-head-ok", "--progress", "--unshallow", "--refetch",
        "--update-shallow", "--ipv4", "--ipv6", "--negotiate-only", "--auto-maintenance", "--auto-gc",
        "--show-forced-updates", "--write-commit-graph", "--stdin",
    ]),
    plain_value(&[
        "-j", "-o", "--jobs", "--depth", "--shallow-since", "--shallow-exclude", "--deepen", "--submodule-prefix",
        "--recurse-submodules-default", "--refmap", "--server-option", "--negotiation-tip", "--filter",
    ]),
];

#[rustfmt::skip]
const PULL: &[OptionSpec] = &[
    flag("force", &["-f", "--force"]),
    flag("no-force", &["--no-force"]),
    flag("dry-run", &["--dry-run"]),
    value("exec", &["--upload-pack"]),
    flag("no-verify", &["--no-verify"]),
    flag("verify", &["--verify"]),
    optional("recurse-submodules", &["--recurse-submodules"]),
    plain(&[
        "-v", "-q", "-n", "-a", "-t", "-p", "-k", "-4", "-6", "--verbose", "--quiet", "--progress", "--stat",
        "--summary", "--squash", "--commit", "--edit", "--ff", "--ff-only", "--verify-signatures", "--autostash",
        "--allow-unrelated-histories", "--all", "--append", "--tags", "--prune", "--keep", "--unshallow",
        "--update-shallow", "--ipv4", "--ipv6", "--show-forced-updates", "--set-upstream", "--compact-summary",
    ]),
    plain_value(&[
        "-s", "-X", "-o", "--cleanup", "--strategy", "--strategy-option", "--depth", "--shallow-since",
        "--shallow-exclude", "--deepen", "--refmap", "--server-option", "--negotiation-tip",
    ]),
    plain_optional(&["-r", "-S", "-j", "--rebase", "--log", "--signoff", "--gpg-sign", "--jobs"]),
];

/// `git fetch`: brings refs and objects here.
pub(super) fn fetch(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(FETCH) else {
        return;
    };
    fetched(command, &parsed);
    command.operation("fetch");
}

/// `git pull`: fetches, then merges or rebases.
pub(super) fn pull(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(PULL) else {
        return;
    };
    fetched(command, &parsed);
    bypass(command, &parsed);
    command.operation("fetch");
    command.operation("merge");
}

fn fetched(command: &mut Command<'_>, parsed: &Parsed) {
    let arguments = command.arguments;
    peer_program(command, parsed, "exec");
    let remote = parsed.operand(arguments, 0);
    if let Some(word) = remote {
        address(command, &word.value, word.span);
    }
    let host = remote.map(|word| remote_address(command, &word.value));
    command.network(host, false, remote.map_or(command.span, |word| word.span));
    if parsed.has("dry-run") {
        return;
    }
    if is_on(parsed, "force", "no-force") {
        let span = parsed.last_of(&["force"]).map_or(command.span, |option| option.span);
        command.operation_at("fetch-force", span);
        return;
    }
    let forced = parsed.operands(arguments).skip(1).find(|word| {
        let text = beginning(word);
        let destination = text.rsplit_once(':').map_or("", |(_, destination)| destination);
        text.starts_with('+') && !destination.is_empty() && !destination.starts_with("refs/remotes/")
    });
    if let Some(word) = forced {
        let destination = word.known().and_then(|text| text.rsplit_once(':')).map(|(_, destination)| destination.to_owned());
        command.operation_on("fetch-force", destination, word.span);
    }
}

#[rustfmt::skip]
const CLONE: &[OptionSpec] = &[
    value("config", &["-c", "--config"]),
    value("exec", &["-u", "--upload-pack"]),
    value("template", &["--template"]),
    value("git-dir", &["--separate-git-dir"]),
    value("reference", &["--reference", "--reference-if-able"]),
    optional("recurse-submodules", &["--recurse-submodules", "--recursive"]),
    plain(&[
        "-v", "-q", "-n", "-l", "-s", "-4", "-6", "--verbose", "--quiet", "--progress", "--reject-shallow",
        "--no-checkout", "--bare", "--naked", "--mirror", "--local", "--no-hardlinks", "--shared", "--dissociate",
        "--single-branch", "--no-single-branch", "--no-tags", "--shallow-submodules", "--ipv4", "--ipv6",
        "--also-filter-submodules", "--remote-submodules", "--sparse", "--checkout", "--hardlinks", "--tags",
    ]),
    plain_value(&[
        "-j", "-o", "-b", "--jobs", "--origin", "--branch", "--depth", "--shallow-since", "--shallow-exclude",
        "--ref-format", "--server-option", "--filter", "--bundle-uri", "--revision",
    ]),
];

/// `git clone`.
pub(super) fn clone(command: &mut Command<'_>) {
    let Some(parsed) = command.parse(CLONE) else {
        return;
    };
    let arguments = command.arguments;
    for (setting, span) in option_values(&parsed, "config") {
        let (key, text) = match &setting {
            Value::Known { text, .. } => {
                text.split_once('=').map_or((text.as_str(), known("true")), |(key, value)| (key, known(value)))
            }
            other => ("", other.clone()),
        };
        let key = super::config::normal_key(key);
        if let Some(role) = executable::role(&key) {
            runs(command, role, &key, &text, span);
        }
    }
    for (directory, span) in option_values(&parsed, "template") {
        runs(command, executable::Role::Template, "template", &directory, span);
    }
    for (directory, span) in option_values(&parsed, "git-dir") {
        command.writes(&directory, WriteMode::Create, span);
    }
    peer_program(command, &parsed, "exec");
    command.operation("clone");
    let Some(source) = parsed.operand(arguments, 0) else {
        return;
    };
    address(command, &source.value, source.span);
    command.network(Some(source.value.clone()), false, source.span);
    let directory = match parsed.operand(arguments, 1) {
        Some(word) => Some((word.value.clone(), word.span)),
        None => source.known().and_then(directory_of).map(|name| (known(&name), source.span)),
    };
    if let Some((directory, span)) = directory {
        command.writes(&directory, WriteMode::Create, span);
    }
}

/// The directory a clone makes of its source's last part.
fn directory_of(source: &str) -> Option<String> {
    let trimmed = source.trim_end_matches('/');
    let trimmed = trimmed.strip_suffix("/.git").unwrap_or(trimmed);
    let name = trimmed.rsplit(['/', ':']).next()?;
    let name = name.strip_suffix(".git").or_else(|| name.strip_suffix(".bundle")).unwrap_or(name);
    (!name.is_empty()).then(|| name.to_owned())
}

/// `git ls-remote`: asks another repository for its refs.
pub(super) fn ls_remote(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        value("exec", &["--upload-pack", "--exec"]),
        plain(&[
            "-q", "-h", "-t", "-b", "--quiet", "--tags", "--branches", "--heads", "--refs", "--get-url",
            "--exit-code", "--symref",
        ]),
        plain_value(&["-o", "--sort", "--server-option"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    peer_program(command, &parsed, "exec");
    let remote = parsed.operand(command.arguments, 0);
    if let Some(word) = remote {
        address(command, &word.value, word.span);
    }
    let host = remote.map(|word| remote_address(command, &word.value));
    command.network(host, false, remote.map_or(command.span, |word| word.span));
    command.operation("read");
}

/// `git remote`: the list of other repositories.
pub(super) fn remote(command: &mut Command<'_>) {
    #[rustfmt::skip]
    const OPTIONS: &[OptionSpec] = &[
        flag("fetch", &["-f"]),
        flag("no-query", &["-n"]),
        plain(&[
            "-v", "-a", "-d", "-p", "--verbose", "--auto", "--delete", "--push", "--add", "--all", "--tags",
            "--no-tags", "--prune", "--dry-run", "--progress",
        ]),
        plain_value(&["-t", "-m"]),
        plain_optional(&["--mirror"]),
    ];
    let Some(parsed) = command.parse(OPTIONS) else {
        return;
    };
    let arguments = command.arguments;
    let verb = parsed.operand(arguments, 0).and_then(Argument::known).unwrap_or_default().to_ascii_lowercase();
    let name = parsed.operand(arguments, 1).map(|word| word.value.clone());
    let host = name.as_ref().map(|name| remote_address(command, name));
    match verb.as_str() {
        "" | "get-url" => command.operation("read"),
        "show" => {
            command.operation("read");
            if name.is_some() && !parsed.has("no-query") {
                command.network(host, false, command.span);
            }
        }
        "update" | "prune" => {
            command.operation("fetch");
            command.network(host, false, command.span);
        }
        _ => command.operation("remote-change"),
    }
    if matches!(verb.as_str(), "add" | "set-url")
        && let Some(word) = parsed.operand(arguments, 2)
    {
        address(command, &word.value, word.span);
        if parsed.has("fetch") && verb == "add" {
            command.network(Some(word.value.clone()), false, word.span);
        }
    }
}

/// `git send-email`: sends patches by mail.
pub(super) fn send_email(command: &mut Command<'_>) {
    command.operation("other");
    command.network(None, true, command.span);
    for word in command.arguments {
        match word.known() {
            Some(text) if text.starts_with("--smtp-server=") || text.starts_with("--sendmail-cmd=") => {
                let program = text.split_once('=').map_or("", |(_, program)| program);
                runs(command, executable::Role::Other, "sendemail.sendmailcmd", &known(program), word.span);
            }
            Some(text) if text.starts_with('-') => {}
            _ => command.reads(&word.value, word.span),
        }
    }
}
