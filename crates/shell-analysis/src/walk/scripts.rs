//! Script files and standard input as shell text or code.

use sekisho_command_model::{Cause, Origin, Stream, Value};
use sekisho_host::EntryKind;

use crate::directory;
use crate::engine::{Context, Engine};
use crate::state::{State, Written};

/// Longest script read from this machine, in bytes.
const SCRIPT_BYTES: usize = 64 * 1024;
/// Most scripts read from this machine.
const SCRIPTS: usize = 8;

/// What is known of a script.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Script {
    /// Its text; one of these.
    pub(super) texts: Vec<String>,
    /// Where its code comes from, where the text does not say it.
    pub(super) origins: Vec<Origin>,
    /// Its text was read from this machine.
    pub(super) from_disk: bool,
    /// The language its first line names, if that is no shell.
    pub(super) language: Option<&'static str>,
}

impl Script {
    fn of(origin: Origin) -> Self {
        Self { origins: vec![origin], ..Self::default() }
    }
}

impl Engine<'_> {
    /// The script at `path`.
    pub(super) fn script(&mut self, path: &Value, direct: bool, state: &State, context: &Context) -> Script {
        if let Value::Dynamic(partial) = path
            && let Some(stream) = self.processes.get(&partial.prefix).cloned()
        {
            return self.input_script(&stream, state, context);
        }
        let key = self.file_key(path, state);
        if let Some(contents) = key.as_deref().and_then(|key| state.files.get(key)).cloned() {
            let mut script = Script::default();
            for content in contents {
                match content {
                    Written::Text(text) => script.texts.push(text.to_string()),
                    Written::Remote => script.origins.push(Origin::Fetched),
                    Written::Decoded => script.origins.push(Origin::Decoded),
                    Written::Unknown => script.origins.push(Origin::Unknown),
                    Written::Original => script.origins.push(Origin::Local),
                }
            }
            if let [text] = script.texts.as_slice()
                && direct
            {
                script.language = shebang_language(text);
            }
            return script;
        }
        match (path, key) {
            (Value::Known { .. }, Some(key)) => self.disk_script(&key, direct, state, context),
            (Value::Dynamic(partial), _) => Script::of(match &partial.cause {
                Cause::Remote => Origin::Fetched,
                Cause::Variable(_) | Cause::Substitution if partial.suffix.starts_with('/') && partial.suffix.len() > 1 => {
                    Origin::Local
                }
                _ => Origin::Unknown,
            }),
            _ => Script::of(Origin::Local),
        }
    }

    /// A script of this machine: read only below the directory the text runs in, so that a look stays a small one.
    fn disk_script(&mut self, path: &str, direct: bool, state: &State, context: &Context) -> Script {
        let local = Script::of(Origin::Local);
        let host = self.start.host;
        let inside = directory::is_absolute(path) && directory::is_below(path, self.start.cwd);
        let here = *context.scope == sekisho_command_model::Scope::Host && state.cwd.path().is_some();
        if !inside || !here || context.script || self.scripts_read >= SCRIPTS {
            return local;
        }
        if !matches!(host.entry(path), Some(EntryKind::File { size }) if size <= SCRIPT_BYTES as u64) {
            return local;
        }
        self.scripts_read += 1;
        let Ok(text) = host.read(path, SCRIPT_BYTES) else { return local };
        if text.contains('\0') {
            return local;
        }
        let language = if direct { shebang_language(&text) } else { None };
        if direct && language.is_none() && text.starts_with("#!") && !is_shell_line(&text) {
            return local;
        }
        self.step("script-read", path, context);
        Script { texts: vec![text], origins: vec![Origin::Local], from_disk: true, language }
    }

    /// The script that `stream` is.
    pub(super) fn input_script(&mut self, stream: &Stream, state: &State, context: &Context) -> Script {
        match stream {
            Stream::Known(text) => Script { texts: vec![text.clone()], ..Script::default() },
            Stream::Words(values) => {
                let text = crate::flow::join_words(&mut self.markers, values);
                let whole = values.iter().all(
                    |value| matches!(value, Value::Dynamic(partial) if partial.prefix.is_empty() && partial.suffix.is_empty()),
                );
                let remote = values.iter().any(|value| matches!(value, Value::Dynamic(partial) if partial.cause == Cause::Remote));
                let mut script = Script::default();
                if remote {
                    script.origins.push(Origin::Fetched);
                } else if whole {
                    script.origins.push(Origin::Unknown);
                }
                if !whole {
                    script.texts.push(text);
                }
                script
            }
            Stream::FileContent(path) => {
                let script = self.script(&Value::literal(path.as_str()), false, state, context);
                // A file on standard input is not even a named script: text that was not read is text that is not known.
                if script.texts.is_empty() && script.origins == [Origin::Local] { Script::of(Origin::Unknown) } else { script }
            }
            Stream::Remote => Script::of(Origin::Fetched),
            Stream::Decoded => Script::of(Origin::Decoded),
            Stream::Nothing => Script::of(Origin::Interactive),
            Stream::Paths { .. } | Stream::TemporaryPath | Stream::Unknown => Script::of(Origin::Unknown),
        }
    }
}

/// The interpreter that `#!` names: last component, with `env` seen through.
fn interpreter(text: &str) -> Option<&str> {
    let line = text.lines().next()?.strip_prefix("#!")?.trim();
    let mut words = line.split_whitespace();
    let first = words.next()?.rsplit('/').next()?;
    if first != "env" {
        return Some(first);
    }
    words.find(|word| !word.starts_with('-') && !word.contains('=')).map(|word| word.rsplit('/').next().unwrap_or(word))
}

fn is_shell_line(text: &str) -> bool {
    interpreter(text).is_some_and(|name| matches!(name, "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" | "mksh" | "yash"))
}

/// The language of [`sekisho_command_model::inline`] that the first line names.
fn shebang_language(text: &str) -> Option<&'static str> {
    let name = interpreter(text)?;
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match bare {
        "python" | "pypy" => "python",
        "node" | "nodejs" | "deno" | "bun" => "javascript",
        "ruby" => "ruby",
        "perl" => "perl",
        "php" => "php",
        "lua" | "luajit" => "lua",
        "awk" | "gawk" | "mawk" => "awk",
        "pwsh" => "powershell",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_lines_are_read() {
        assert_eq!(shebang_language("#!/usr/bin/env -S python3.11 -u\n"), Some("python"));
        assert_eq!(shebang_language("#!/bin/sh\n"), None);
        assert!(is_shell_line("#! /bin/bash -e\n"));
        assert!(!is_shell_line("echo\n"));
    }
}
