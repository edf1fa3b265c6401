//! Settings and variables whose value git runs, and which of their values are known to be harmless.
//!
//! Source: git-config(1) 2.47 for each key; git(1) "ENVIRONMENT VARIABLES" for the variables.

use super::config::{is_false, is_true, key_parts};
use super::ssh;
use crate::argument::Value;

/// What git does with an executable setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Shows output (`core.pager`, `pager.log`).
    Pager,
    /// Edits messages.
    Editor,
    /// Edits the list of a rebase.
    SequenceEditor,
    /// Says which files changed.
    FileMonitor,
    /// The directory of hooks.
    HooksPath,
    /// Connects to other machines.
    Ssh,
    /// Shows differences (`diff.external`, `diff.x.command`, `interactive.diffFilter`).
    Difference,
    /// Turns files into text.
    TextConversion,
    /// Merges files.
    MergeDriver,
    /// Changes files on their way in and out.
    Filter,
    /// Signs and verifies.
    Signature,
    /// Gives credentials.
    Credential,
    /// Asks for a password.
    AskPassword,
    /// An alias.
    Alias,
    /// Allows addresses that run commands.
    Protocol,
    /// The program at the other end of a connection.
    Peer,
    /// Another file of settings.
    Include,
    /// A directory of files for new repositories, hooks among them.
    Template,
    /// What `submodule update` does.
    SubmoduleUpdate,
    /// Anything else that is run.
    Other,
}

/// What a value means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Judgement {
    /// Runs nothing, or a program known for it.
    Harmless,
    /// Runs something people usually mean.
    Questionable,
    /// Runs whatever it says.
    Executable,
}

/// Keys without a sub-section that git runs. Section and name in lower case.
const KEYS: &[(&str, Role)] = &[
    ("core.pager", Role::Pager),
    ("core.editor", Role::Editor),
    ("sequence.editor", Role::SequenceEditor),
    ("core.fsmonitor", Role::FileMonitor),
    ("core.hookspath", Role::HooksPath),
    ("core.sshcommand", Role::Ssh),
    ("core.gitproxy", Role::Other),
    ("core.askpass", Role::AskPassword),
    ("core.alternaterefscommand", Role::Other),
    ("diff.external", Role::Difference),
    ("interactive.difffilter", Role::Difference),
    ("gpg.program", Role::Signature),
    ("credential.helper", Role::Credential),
    ("protocol.allow", Role::Protocol),
    ("uploadpack.packobjectshook", Role::Other),
    ("include.path", Role::Include),
    ("init.templatedir", Role::Template),
    ("sendemail.smtpserver", Role::Other),
    ("sendemail.sendmailcmd", Role::Other),
    ("sendemail.tocmd", Role::Other),
    ("sendemail.cccmd", Role::Other),
    ("imap.tunnel", Role::Other),
];

/// Keys with a sub-section that git runs: section, name, role.
const SUBSECTION_KEYS: &[(&str, &str, Role)] = &[
    ("diff", "textconv", Role::TextConversion),
    ("diff", "command", Role::Difference),
    ("merge", "driver", Role::MergeDriver),
    ("mergetool", "cmd", Role::Other),
    ("mergetool", "path", Role::Other),
    ("difftool", "cmd", Role::Other),
    ("difftool", "path", Role::Other),
    ("filter", "clean", Role::Filter),
    ("filter", "smudge", Role::Filter),
    ("filter", "process", Role::Filter),
    ("gpg", "program", Role::Signature),
    ("gpg", "defaultkeycommand", Role::Signature),
    ("credential", "helper", Role::Credential),
    ("protocol", "allow", Role::Protocol),
    ("remote", "uploadpack", Role::Peer),
    ("remote", "receivepack", Role::Peer),
    ("remote", "vcs", Role::Peer),
    ("includeif", "path", Role::Include),
    ("submodule", "update", Role::SubmoduleUpdate),
    ("trailer", "command", Role::Other),
    ("trailer", "cmd", Role::Other),
    ("tar", "command", Role::Other),
    ("browser", "cmd", Role::Other),
    ("man", "cmd", Role::Other),
    ("sendemail", "smtpserver", Role::Other),
    ("sendemail", "sendmailcmd", Role::Other),
    ("sendemail", "tocmd", Role::Other),
    ("sendemail", "cccmd", Role::Other),
];

/// What git does with the value of this key (in normal spelling), if it runs it.
pub(super) fn role(key: &str) -> Option<Role> {
    if let Some((_, role)) = KEYS.iter().find(|(known, _)| *known == key) {
        return Some(*role);
    }
    let (section, subsection, name) = key_parts(key);
    match section {
        "alias" => return Some(Role::Alias),
        "pager" => return Some(Role::Pager),
        _ => {}
    }
    subsection?;
    let (_, _, role) = SUBSECTION_KEYS.iter().find(|(known, suffix, _)| *known == section && *suffix == name)?;
    // Only some protocols run commands by themselves.
    (*role != Role::Protocol || subsection == Some("ext")).then_some(*role)
}

/// Variables git runs, and what for. Those of ssh count for network commands only and are not here.
pub(super) const VARIABLES: &[(&str, Role)] = &[
    ("GIT_PAGER", Role::Pager),
    ("PAGER", Role::Pager),
    ("GIT_EDITOR", Role::Editor),
    ("EDITOR", Role::Editor),
    ("VISUAL", Role::Editor),
    ("GIT_SEQUENCE_EDITOR", Role::SequenceEditor),
    ("GIT_EXTERNAL_DIFF", Role::Difference),
    ("GIT_ASKPASS", Role::AskPassword),
    ("SSH_ASKPASS", Role::AskPassword),
    ("GIT_PROXY_COMMAND", Role::Other),
    ("GIT_TEMPLATE_DIR", Role::Template),
];

/// Programs that show text and nothing else.
#[rustfmt::skip]
const VIEWERS: &[&str] = &[
    "cat", "less", "more", "most", "delta", "bat", "batcat", "diff-so-fancy", "difft", "true", ":", "head", "tail",
];
/// Programs people edit messages with.
#[rustfmt::skip]
const EDITORS: &[&str] = &[
    "vim", "nvim", "vi", "nano", "emacs", "emacsclient", "code", "codium", "cursor", "zed", "subl", "mate", "hx",
    "helix", "micro", "kate", "gedit", "notepad", "pico", "ed", "true", ":", "cat", "/bin/true", "/usr/bin/true",
];
/// Options of editors that only say how to open the file.
#[rustfmt::skip]
const EDITOR_OPTIONS: &[&str] = &[
    "--wait", "-w", "-n", "--new-window", "--nofork", "-f", "--block", "-nw", "-t", "-r", "--reuse-window",
];
/// Options of viewers that are not letters only.
#[rustfmt::skip]
const VIEWER_OPTIONS: &[&str] = &[
    "--tabs", "--dark", "--light", "--side-by-side", "--line-numbers", "--plain", "--paging",
];
/// Helpers that come with git, its packages or its forges.
#[rustfmt::skip]
const CREDENTIAL_HELPERS: &[&str] = &[
    "", "cache", "store", "osxkeychain", "manager", "manager-core", "libsecret", "wincred", "gnome-keyring",
    "!gh auth git-credential", "!/usr/bin/gh auth git-credential", "!/opt/homebrew/bin/gh auth git-credential",
    "!glab auth git-credential",
];
/// Signing programs.
#[rustfmt::skip]
const SIGNERS: &[&str] = &[
    "gpg", "gpg2", "gpgsm", "ssh-keygen", "/usr/bin/gpg", "/usr/bin/gpg2", "/usr/local/bin/gpg",
    "/opt/homebrew/bin/gpg",
];
/// Filters of Git LFS, as its installer writes them.
#[rustfmt::skip]
const LFS_FILTERS: &[&str] = &[
    "git-lfs clean -- %f", "git-lfs smudge -- %f", "git-lfs smudge --skip -- %f", "git-lfs filter-process",
    "git-lfs filter-process --skip",
];

/// Whether running git with this value runs something that has to be looked at.
pub(super) fn judge(role: Role, value: &Value) -> Judgement {
    let Some(text) = value.known().map(str::trim) else {
        return Judgement::Executable;
    };
    match role {
        Role::HooksPath => return hooks_path(text),
        Role::Include | Role::Template => return Judgement::Questionable,
        // Aliases that call git run under their own name when they are used.
        Role::Alias => return harmless_if(!text.starts_with('!')),
        Role::SubmoduleUpdate => return harmless_if(!text.starts_with('!')),
        Role::Protocol => {
            return harmless_if(!matches!(text.to_ascii_lowercase().as_str(), "always" | "user"));
        }
        Role::Ssh => return harmless_if(ssh::is_plain(text)),
        Role::SequenceEditor if renames_steps(text) => return Judgement::Harmless,
        Role::SequenceEditor if starts_with_program(text, "sed") => return Judgement::Questionable,
        _ => {}
    }
    let harmless = text.is_empty()
        || match role {
            Role::Pager => is_true(text) || is_false(text) || is_viewer(text),
            Role::FileMonitor => is_true(text) || is_false(text),
            Role::Editor | Role::SequenceEditor => is_editor(text),
            Role::Difference | Role::TextConversion => is_viewer(text),
            Role::MergeDriver => matches!(text, "true" | "cat" | ":"),
            Role::Filter => matches!(text, "cat" | "true") || LFS_FILTERS.contains(&text),
            Role::Signature => SIGNERS.contains(&text),
            Role::Credential => is_credential_helper(text),
            Role::AskPassword => matches!(text, "true" | "echo" | "/bin/true" | "/bin/echo" | "/usr/bin/true" | "/usr/bin/echo"),
            Role::Peer => matches!(text, "git-upload-pack" | "git-receive-pack" | "git upload-pack" | "git receive-pack"),
            _ => false,
        };
    harmless_if(harmless)
}

fn harmless_if(harmless: bool) -> Judgement {
    if harmless { Judgement::Harmless } else { Judgement::Executable }
}

/// Hooks kept in the work tree are run by people who know of them; none at all, or others, defeat those that are installed.
fn hooks_path(text: &str) -> Judgement {
    let text = text.trim_end_matches('/');
    let names = [".husky", ".husky/_", ".githooks", ".git-hooks", "git-hooks", "githooks", ".git/hooks"];
    if names.iter().any(|name| text.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))) {
        Judgement::Questionable
    } else {
        Judgement::Executable
    }
}

/// Letters that make the shell do more than run one program with words.
fn has_shell_syntax(text: &str) -> bool {
    text.contains(|letter: char| ";&|<>$`(){}\n\\'\"*?[]#~!%".contains(letter))
}

fn starts_with_program(text: &str, program: &str) -> bool {
    text.split_whitespace().next().is_some_and(|word| word == program || word.rsplit('/').next() == Some(program))
}

/// `sed -i 's/^pick/squash/'`: what happens to a commit of the list changes, and no step that runs a command can come of it.
fn renames_steps(text: &str) -> bool {
    const STEPS: &[&str] = &["pick", "p", "squash", "s", "fixup", "f", "reword", "r", "edit", "e", "drop", "d"];
    let step = |command: &str| {
        let command = command.trim().trim_start_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, ',' | '$'));
        let mut parts = command.strip_prefix("s/").unwrap_or_default().split('/');
        let (Some(from), Some(to), Some(flags), None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
            return false;
        };
        let is_word = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == ' ');
        let to_step = to.split(' ').next().is_some_and(|first| STEPS.contains(&first)) && is_word(to);
        is_word(from.trim_start_matches('^')) && to_step && matches!(flags, "" | "g")
    };
    let Some(rest) = text.strip_prefix("sed -i ").map(|rest| rest.trim_start_matches("-e ").trim()) else { return false };
    let quoted = |quote: char| rest.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    let script = quoted('\'').or_else(|| quoted('"')).unwrap_or(rest);
    script.split(';').all(step)
}

fn is_viewer(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(program) = words.next() else {
        return true;
    };
    !has_shell_syntax(text)
        && VIEWERS.contains(&program)
        && words.all(|word| {
            // `less -o` logs to a file and `less +cmd` runs commands; letters for how text looks are all that is known here.
            VIEWER_OPTIONS
                .iter()
                .any(|option| word == *option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
                || word
                    .strip_prefix('-')
                    .is_some_and(|letters| letters.chars().all(|letter| "FRXSrinpNeEKMx0123456789".contains(letter)))
        })
}

fn is_editor(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let Some(program) = words.next() else {
        return true;
    };
    !has_shell_syntax(text) && EDITORS.contains(&program) && words.all(|word| EDITOR_OPTIONS.contains(&word))
}

fn is_credential_helper(text: &str) -> bool {
    if CREDENTIAL_HELPERS.contains(&text) {
        return true;
    }
    let mut words = text.split_whitespace();
    let first = words.next().unwrap_or_default();
    matches!(first, "cache" | "store")
        && !has_shell_syntax(text)
        && words.all(|word| word.starts_with("--timeout=") || word.starts_with("--file="))
}

/// The text of a value a shell or `exec` would get; `None` where it is no command.
pub(super) fn command_text(role: Role, value: &Value) -> Option<Value> {
    match role {
        Role::HooksPath | Role::Include | Role::Template | Role::Protocol => None,
        Role::Alias | Role::Credential | Role::SubmoduleUpdate => {
            // Without the mark it is a git command or the name of a helper (`git credential-name`), or a path.
            let stripped = value.without_prefix("!");
            if role == Role::Credential && stripped.is_none() && value.known().is_some_and(|text| text.starts_with('/')) {
                return Some(value.clone());
            }
            stripped
        }
        _ => Some(value.clone()),
    }
}

/// Sub-commands that show their output through the pager.
#[rustfmt::skip]
const PAGING: &[&str] = &[
    "log", "diff", "show", "blame", "annotate", "grep", "branch", "tag", "config", "reflog", "shortlog", "stash",
    "range-diff", "whatchanged", "help", "format-patch",
];
/// Sub-commands that compare the work tree with the index.
#[rustfmt::skip]
const INDEX_READING: &[&str] = &[
    "status", "diff", "add", "stage", "commit", "checkout", "switch", "restore", "reset", "stash", "rm", "mv",
    "clean", "ls-files", "update-index", "merge", "rebase", "pull", "cherry-pick", "revert", "am", "apply",
    "describe", "diff-files", "diff-index", "grep", "read-tree", "checkout-index",
];
/// Sub-commands that open an editor.
#[rustfmt::skip]
const EDITING: &[&str] = &[
    "commit", "merge", "rebase", "revert", "cherry-pick", "tag", "notes", "branch", "config", "add", "am", "pull",
    "bisect",
];
/// Sub-commands that write or compare files of the work tree, through filters.
#[rustfmt::skip]
const FILTERING: &[&str] = &[
    "add", "stage", "checkout", "switch", "restore", "reset", "stash", "merge", "rebase", "pull", "cherry-pick",
    "revert", "am", "apply", "archive", "diff", "status", "commit", "clone", "checkout-index", "read-tree",
    "cat-file", "hash-object", "worktree", "submodule",
];
/// Sub-commands that run hooks.
#[rustfmt::skip]
const HOOKED: &[&str] = &[
    "commit", "merge", "push", "rebase", "am", "checkout", "switch", "pull", "cherry-pick", "revert", "worktree",
    "clone", "gc", "send-email", "update-ref", "fetch",
];
/// Sub-commands that show differences.
#[rustfmt::skip]
const COMPARING: &[&str] = &[
    "diff", "show", "log", "blame", "annotate", "stash", "whatchanged", "grep", "format-patch", "diff-files",
    "diff-index", "diff-tree", "cat-file", "range-diff", "difftool",
];
/// Sub-commands that merge files.
const MERGING: &[&str] = &["merge", "rebase", "pull", "cherry-pick", "revert", "am", "checkout", "stash", "switch"];

/// Whether the sub-command uses a setting of this role.
pub(super) fn uses(role: Role, subcommand: &str) -> bool {
    match role {
        Role::Pager => PAGING.contains(&subcommand),
        Role::Editor => EDITING.contains(&subcommand),
        Role::SequenceEditor => subcommand == "rebase",
        Role::FileMonitor => INDEX_READING.contains(&subcommand),
        Role::HooksPath => HOOKED.contains(&subcommand),
        Role::Difference | Role::TextConversion => COMPARING.contains(&subcommand),
        Role::MergeDriver => MERGING.contains(&subcommand),
        Role::Filter => FILTERING.contains(&subcommand),
        Role::Signature => matches!(subcommand, "verify-commit" | "verify-tag"),
        Role::Ssh | Role::Credential | Role::AskPassword | Role::Peer | Role::Protocol => is_network(subcommand),
        Role::SubmoduleUpdate => subcommand == "submodule",
        Role::Include | Role::Alias | Role::Template | Role::Other => false,
    }
}

/// Sub-commands that talk to other machines whatever their words say.
pub(super) fn is_network(subcommand: &str) -> bool {
    matches!(
        subcommand,
        "clone" | "fetch" | "pull" | "push" | "ls-remote" | "submodule" | "fetch-pack" | "send-pack" | "send-email"
    )
}
