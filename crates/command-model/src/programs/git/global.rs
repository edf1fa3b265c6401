//! The words before the sub-command, and the variables that say the same things.
//!
//! Source: git(1) 2.47, "OPTIONS" and "ENVIRONMENT VARIABLES". Git compares these options whole: nothing is abbreviated.

use sekisho_host::path;
use sekisho_shell_syntax::span::Span;

use super::config::{self, Entry};
use crate::argument::{Argument, Cause, Partial, Provenance, Value};
use crate::catalog::Invocation;

/// The greatest `GIT_CONFIG_COUNT` that is followed.
const COUNT_LIMIT: usize = 1024;

/// A setting given with the command, not stored.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    /// In normal spelling.
    pub(super) key: String,
    /// Its value.
    pub(super) value: Value,
    /// Where it stands; empty for one from a variable.
    pub(super) span: Span,
}

/// What applies to the whole command.
#[derive(Debug, Default)]
pub(super) struct Context {
    /// What `-C` adds up to.
    pub(super) directory: Option<Value>,
    /// `--git-dir` or `GIT_DIR`.
    pub(super) git_dir: Option<Value>,
    /// `--work-tree` or `GIT_WORK_TREE`.
    pub(super) work_tree: Option<Value>,
    /// The repository or its index is named otherwise (`--namespace`, `GIT_COMMON_DIR`, `GIT_INDEX_FILE`).
    pub(super) other_context: bool,
    /// `-c`, `--config-env` and the variables that carry configuration, later ones winning.
    pub(super) settings: Vec<Setting>,
    /// `--paginate`.
    pub(super) paginate: bool,
    /// `--no-pager`.
    pub(super) no_pager: bool,
    /// Configuration in variables cannot be read as git would.
    pub(super) malformed: bool,
    /// Sub-commands come from here (`--exec-path=`, `GIT_EXEC_PATH`).
    pub(super) exec_path: Option<(Value, Span)>,
    /// A word that is not known stands before the sub-command.
    pub(super) dynamic: Option<Span>,
    /// A global option git does not have.
    pub(super) unknown: Option<String>,
}

/// What the words lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The sub-command stands at this index.
    Subcommand(usize),
    /// Help, a version or a path is printed.
    Printed,
    /// There is no sub-command.
    Nothing,
}

/// Global options with a value of their own or after `=`, and what they mean.
const WITH_VALUE: &[(&str, Meaning)] = &[
    ("--git-dir", Meaning::GitDir),
    ("--work-tree", Meaning::WorkTree),
    ("--namespace", Meaning::OtherContext),
    ("--super-prefix", Meaning::Nothing),
    ("--config-env", Meaning::ConfigEnv),
    ("--attr-source", Meaning::Nothing),
    ("--shallow-file", Meaning::Nothing),
];

/// Global options without a value.
const FLAGS: &[&str] = &[
    "--bare",
    "--no-replace-objects",
    "--no-lazy-fetch",
    "--no-optional-locks",
    "--no-advice",
    "--literal-pathspecs",
    "--glob-pathspecs",
    "--noglob-pathspecs",
    "--icase-pathspecs",
];

/// Options after which git prints something and ends.
const PRINTED: &[&str] = &["--help", "-h", "--version", "-v", "--html-path", "--man-path", "--info-path", "--exec-path"];

#[derive(Debug, Clone, Copy)]
enum Meaning {
    GitDir,
    WorkTree,
    OtherContext,
    ConfigEnv,
    Nothing,
}

impl Context {
    /// What the variables of the command say.
    pub(super) fn from_variables(invocation: &Invocation<'_>) -> Self {
        let variable = invocation.variable;
        let mut context = Self { git_dir: variable("GIT_DIR"), work_tree: variable("GIT_WORK_TREE"), ..Self::default() };
        context.other_context = ["GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE"].iter().any(|name| variable(name).is_some());
        context.exec_path = variable("GIT_EXEC_PATH").map(|value| (value, Span::default()));
        context.read_counted(variable);
        match variable("GIT_CONFIG_PARAMETERS") {
            None => {}
            Some(value) => match value.known().and_then(config::parse_parameters) {
                Some(entries) => context.settings.extend(entries.into_iter().map(from_entry)),
                None => context.malformed = true,
            },
        }
        context
    }

    /// `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_0`, `GIT_CONFIG_VALUE_0` …
    fn read_counted(&mut self, variable: &dyn Fn(&str) -> Option<Value>) {
        let Some(count) = variable("GIT_CONFIG_COUNT") else {
            return;
        };
        let count = match count.known() {
            Some("") => 0,
            Some(text) => match text.trim().parse::<usize>() {
                Ok(count) if count <= COUNT_LIMIT => count,
                _ => {
                    self.malformed = true;
                    return;
                }
            },
            None => {
                self.malformed = true;
                return;
            }
        };
        for number in 0..count {
            let key = variable(&format!("GIT_CONFIG_KEY_{number}"));
            let Some(key) = key.as_ref().and_then(Value::known).filter(|key| key.contains('.')) else {
                // Where the key is inherited from outside the text, git may still find it.
                self.malformed = true;
                continue;
            };
            let value = variable(&format!("GIT_CONFIG_VALUE_{number}")).unwrap_or_else(unknown);
            self.settings.push(Setting { key: config::normal_key(key), value, span: Span::default() });
        }
    }

    /// Reads the words before the sub-command.
    pub(super) fn read(&mut self, words: &[Argument], invocation: &Invocation<'_>) -> Next {
        let mut index = 0;
        while let Some(word) = words.get(index) {
            let next = words.get(index + 1);
            let Some(text) = word.known() else {
                if let Value::Dynamic(partial) = &word.value
                    && self.read_partial(word, partial, invocation)
                {
                    index += 1;
                    continue;
                }
                // It may be an option, the sub-command, several words or none: what follows is still looked at.
                self.dynamic.get_or_insert(word.span);
                index += 1;
                continue;
            };
            if !text.starts_with('-') || text == "-" {
                return Next::Subcommand(index);
            }
            index += 1;
            match text {
                "-C" | "-c" => {
                    index += 1;
                    let Some(value) = next else {
                        return Next::Nothing;
                    };
                    if text == "-C" {
                        self.change_directory(&value.value);
                    } else {
                        self.set(value);
                    }
                }
                "-p" | "--paginate" => self.paginate = true,
                "-P" | "--no-pager" => self.no_pager = true,
                _ if PRINTED.contains(&text) || text.starts_with("--list-cmds=") => {
                    return Next::Printed;
                }
                _ if FLAGS.contains(&text) => {}
                _ => {
                    if let Some(value) = text.strip_prefix("--exec-path=") {
                        self.exec_path = Some((known(value), word.span));
                    } else if let Some((_, meaning)) = WITH_VALUE.iter().find(|(name, _)| *name == text) {
                        index += 1;
                        let Some(value) = next else {
                            return Next::Nothing;
                        };
                        self.apply(*meaning, value.value.clone(), value.span, invocation);
                    } else if let Some((meaning, value)) = glued(text) {
                        self.apply(meaning, known(value), word.span, invocation);
                    } else {
                        // Git refuses what it does not know.
                        self.unknown.get_or_insert_with(|| text.to_owned());
                    }
                }
            }
        }
        Next::Nothing
    }

    /// A word known in its beginning only: an option with a value that is not known.
    fn read_partial(&mut self, word: &Argument, partial: &Partial, invocation: &Invocation<'_>) -> bool {
        let Some((name, _)) = partial.prefix.split_once('=') else {
            return false;
        };
        let value = word.value.without_prefix(&format!("{name}=")).unwrap_or_else(unknown);
        if name == "--exec-path" {
            self.exec_path = Some((value, word.span));
            return true;
        }
        let Some((_, meaning)) = WITH_VALUE.iter().find(|(known, _)| *known == name) else {
            return false;
        };
        self.apply(*meaning, value, word.span, invocation);
        true
    }

    fn apply(&mut self, meaning: Meaning, value: Value, span: Span, invocation: &Invocation<'_>) {
        match meaning {
            Meaning::GitDir => self.git_dir = Some(value),
            Meaning::WorkTree => self.work_tree = Some(value),
            Meaning::OtherContext => self.other_context = true,
            Meaning::Nothing => {}
            Meaning::ConfigEnv => {
                let Some((key, name)) = value.known().and_then(|text| text.rsplit_once('=')) else {
                    self.malformed = true;
                    return;
                };
                let value = (invocation.variable)(name)
                    .or_else(|| invocation.host.environment(name).map(|text| known(&text)))
                    .unwrap_or_else(unknown);
                self.settings.push(Setting { key: config::normal_key(key), value, span });
            }
        }
    }

    /// `-c key=value`; a key alone is true.
    fn set(&mut self, word: &Argument) {
        let span = word.span;
        let setting = match &word.value {
            Value::Known { text, .. } => {
                let (key, value) = text.split_once('=').unwrap_or((text, "true"));
                Some(Setting { key: config::normal_key(key), value: known(value), span })
            }
            other => {
                let written = match other {
                    Value::Dynamic(partial) => partial.prefix.as_str(),
                    Value::Glob { pattern } => pattern.as_str(),
                    Value::Known { text, .. } => text.as_str(),
                };
                written.split_once('=').map(|(key, _)| Setting {
                    key: config::normal_key(key),
                    value: other.without_prefix(&format!("{key}=")).unwrap_or_else(unknown),
                    span,
                })
            }
        };
        match setting {
            Some(setting) => self.settings.push(setting),
            None => {
                self.dynamic.get_or_insert(span);
            }
        }
    }

    fn change_directory(&mut self, value: &Value) {
        let joined = match (&self.directory, value.known()) {
            (_, Some("")) => return,
            (Some(before), Some(text)) if !path::is_absolute(text) => match before.known() {
                Some(before) => known(&path::join(before, text)),
                None => unknown(),
            },
            // A first relative path, or one that stands for itself.
            (None, _) | (_, Some(_)) => value.clone(),
            (Some(_), None) => unknown(),
        };
        self.directory = Some(joined);
    }

    /// The last value of a key.
    pub(super) fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.iter().rev().find(|setting| setting.key == key)
    }

    /// The directory lookups start from, where it is known.
    pub(super) fn base(&self, cwd: Option<&str>) -> Option<String> {
        match &self.directory {
            None => cwd.map(str::to_owned),
            Some(directory) => {
                let directory = directory.known()?;
                if path::is_absolute(directory) {
                    Some(path::normalize(directory))
                } else {
                    cwd.map(|cwd| path::join(cwd, directory))
                }
            }
        }
    }

    /// The directory effects are relative to, where it is not the command's own.
    pub(super) fn effect_directory(&self) -> Option<Value> {
        match (&self.work_tree, &self.directory) {
            (None, directory) => directory.clone(),
            (Some(tree), None) => Some(tree.clone()),
            (Some(tree), Some(directory)) => match (tree.known(), directory.known()) {
                (Some(tree), _) if path::is_absolute(tree) => Some(known(tree)),
                (Some(tree), Some(directory)) => Some(known(&path::join(directory, tree))),
                _ => Some(unknown()),
            },
        }
    }

    /// Git was told where the repository, its index or its work tree is.
    pub(super) fn is_explicit(&self) -> bool {
        self.git_dir.is_some() || self.work_tree.is_some() || self.other_context
    }
}

/// `--name=value` of the options with a value.
fn glued(text: &str) -> Option<(Meaning, &str)> {
    let (name, value) = text.split_once('=')?;
    WITH_VALUE.iter().find(|(known, _)| *known == name).map(|(_, meaning)| (*meaning, value))
}

fn from_entry(entry: Entry) -> Setting {
    Setting { key: entry.key, value: known(&entry.value), span: Span::default() }
}

/// A text taken out of a longer word.
pub(super) fn known(text: &str) -> Value {
    Value::Known { text: text.to_owned(), provenance: Provenance::Literal }
}

/// A text nothing is known of.
pub(super) fn unknown() -> Value {
    Value::Dynamic(Partial::unknown(Cause::Unknown))
}
