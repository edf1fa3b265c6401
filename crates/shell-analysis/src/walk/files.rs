//! Files the text itself writes, so that running them later is no riddle.

use std::rc::Rc;

use sekisho_command_model::{Argument, Cause, EffectKind, Stream, Value, WriteMode};

use crate::Limit;
use crate::directory;
use crate::engine::Engine;
use crate::state::{State, Written};

/// Programs that turn sources into a program: what they write with `-o` is run next as a matter of course.
const COMPILERS: &[&str] = &[
    "gcc", "g++", "cc", "c++", "clang", "clang++", "gfortran", "rustc", "go", "tinygo", "zig", "nim", "ghc", "swiftc", "ocamlc",
    "ocamlopt", "gdc", "dmd", "ldc2", "fpc", "javac", "kotlinc", "scalac", "ld", "tsc", "esbuild", "swc",
];

/// Most files remembered.
const FILES: usize = 64;
/// Longest content remembered.
const CONTENT: usize = 131_072;

impl Engine<'_> {
    /// The name a file is remembered by: its absolute path as text; for one below a variable or a fresh temporary path, the
    /// word as written.
    pub(crate) fn file_key(&self, path: &Value, state: &State) -> Option<String> {
        match path {
            Value::Known { text, .. } if text.is_empty() => None,
            Value::Known { text, .. } => Some(match state.cwd.path() {
                Some(cwd) => directory::join(cwd, text),
                None if directory::is_absolute(text) => directory::join("/", text),
                None => format!("./{}", text.trim_start_matches("./")),
            }),
            Value::Dynamic(partial) => matches!(partial.cause, Cause::Variable(_) | Cause::Temporary).then(|| partial.display()),
            Value::Glob { .. } => None,
        }
    }

    /// A file got new content that is not known.
    pub(crate) fn note_write(&mut self, path: &Value, state: &mut State) {
        self.remember(path, Written::Unknown, false, state);
    }

    /// A command's output went to a file.
    pub(crate) fn record_output(&mut self, path: &Value, append: bool, output: &Stream, state: &mut State) {
        let content = match output {
            Stream::Nothing => Written::Text("".into()),
            Stream::Known(text) => Written::Text(text.as_str().into()),
            Stream::Words(values) => {
                let mut text = crate::flow::join_words(&mut self.markers, values);
                text.push('\n');
                Written::Text(text.into())
            }
            Stream::Remote => Written::Remote,
            Stream::Decoded => Written::Decoded,
            Stream::FileContent(source) => match state.files.get(source).map(Vec::as_slice) {
                Some([content]) => content.clone(),
                _ => Written::Unknown,
            },
            Stream::Paths { .. } | Stream::TemporaryPath | Stream::Unknown => Written::Unknown,
        };
        self.remember(path, content, append, state);
    }

    fn remember(&mut self, path: &Value, content: Written, append: bool, state: &mut State) {
        let Some(key) = self.file_key(path, state) else { return };
        if key.starts_with("/dev/") {
            return;
        }
        let content = match content {
            Written::Text(text) if text.len() > CONTENT => Written::Unknown,
            other => other,
        };
        let before = state.files.get(&key).map(Vec::as_slice);
        let contents = match (append, before) {
            (false, Some(before)) if !matches!(path, Value::Known { .. }) => {
                // Two fresh temporary files may share this name.
                let mut contents: Vec<Written> = before.to_vec();
                if !contents.contains(&content) {
                    contents.push(content);
                }
                contents
            }
            (false, _) => vec![content],
            (true, Some(before)) => before.iter().map(|before| appended(before, &content)).collect(),
            (true, None) => {
                let exists = self.start.host.entry(&key).is_some();
                // Appending to a file of unknown content still runs what is appended.
                if exists { vec![appended(&Written::Unknown, &content), content] } else { vec![content] }
            }
        };
        if contents.iter().any(|content| matches!(content, Written::Text(text) if text.len() > CONTENT)) {
            self.limit(Limit::DerivedWork);
            return;
        }
        let files = Rc::make_mut(&mut state.files);
        if files.len() >= FILES && !files.contains_key(&key) {
            // Empty and unknown files are forgotten first: nothing is lost with them.
            let spare = files
                .iter()
                .find(|(_, contents)| !contents.iter().any(|content| matches!(content, Written::Text(text) if !text.is_empty())));
            match spare.map(|(key, _)| key.clone()) {
                Some(spare) => {
                    files.remove(&spare);
                }
                None => {
                    self.limit(Limit::DerivedWork);
                    return;
                }
            }
        }
        files.insert(key, contents);
    }

    /// What a command's effects and operands mean for files and directories that are remembered.
    pub(crate) fn follow_files(
        &mut self,
        program: &str,
        arguments: &[Argument],
        effects: &[sekisho_command_model::Effect],
        input: &Stream,
        state: &mut State,
    ) {
        self.note_names(program, arguments, effects, state);
        let fetched = effects.iter().any(|effect| matches!(effect.kind, EffectKind::Network { upload: false, .. }));
        let operands: Vec<&Value> = arguments
            .iter()
            .filter(|argument| !argument.may_be_option() || argument.known().is_none())
            .map(|argument| &argument.value)
            .collect();
        match program {
            "mkdir" => {
                for operand in operands {
                    let (Some(path), Some(cwd)) = (operand.known(), state.cwd.path().map(str::to_owned)) else { continue };
                    let mut path = directory::join(&cwd, path);
                    let made = Rc::make_mut(&mut state.made);
                    while path.len() > 1 && made.len() < 1024 && made.insert(path.clone()) {
                        path = directory::join(&path, "..");
                    }
                }
                return;
            }
            "cp" | "mv" | "install" | "ln" | "rsync" | "scp" => {
                if let [from, to] = operands.as_slice() {
                    if matches!(program, "cp" | "rsync") && self.is_directory(from, state) {
                        self.make_directory(to, state);
                    }
                    let content = self.file_key(from, state).and_then(|key| state.files.get(&key).cloned());
                    let to = self.place_in(from, to, state);
                    match content.as_deref() {
                        Some([content]) => self.remember(&to, content.clone(), false, state),
                        _ => self.forget(&to, state),
                    }
                    if program == "mv" {
                        self.forget(from, state);
                    }
                    return;
                }
            }
            "tee" => {
                let append = arguments.iter().any(|argument| matches!(argument.known(), Some("-a" | "--append")));
                for operand in operands {
                    self.record_output(operand, append, input, state);
                }
                return;
            }
            // They change no content.
            "touch" | "chmod" | "chown" | "chgrp" => return,
            _ => {}
        }
        if makes_directory(program, effects) {
            for effect in effects {
                if let EffectKind::Write(target, _) = &effect.kind {
                    self.make_directory(effect.directory.as_ref().unwrap_or(&target.value), state);
                }
            }
        }
        for effect in effects {
            match &effect.kind {
                EffectKind::Write(target, WriteMode::Create) if !fetched && program != "sort" => {
                    // An existing file stays as it is.
                    let _ = target;
                }
                EffectKind::Write(target, _) => {
                    let content = match program {
                        _ if fetched => Written::Remote,
                        // What a compiler makes is a program of this machine, as little read as any other.
                        _ if COMPILERS.contains(&program) && !preprocesses(arguments) => Written::Original,
                        _ => Written::Unknown,
                    };
                    self.remember(&target.value, content, false, state);
                }
                // It may do anything with its operand; what was written stays a possibility.
                EffectKind::Touch(target) => {
                    let known = self.file_key(&target.value, state).filter(|key| state.files.contains_key(key));
                    if let Some(contents) = known.and_then(|key| Rc::make_mut(&mut state.files).get_mut(&key))
                        && !contents.contains(&Written::Unknown)
                    {
                        contents.push(Written::Unknown);
                    }
                }
                EffectKind::Delete { target, .. } => self.forget(&target.value, state),
                EffectKind::Move { from, to } => {
                    self.forget(&from.value, state);
                    self.forget(&to.value, state);
                }
                _ => {}
            }
        }
    }

    /// The text makes this directory, unless something is there already.
    fn make_directory(&self, path: &Value, state: &mut State) {
        let (Some(path), Some(cwd)) = (path.known(), state.cwd.path()) else { return };
        let path = directory::join(cwd, path);
        if self.start.host.entry(&path).is_none() && state.made.len() < 1024 {
            Rc::make_mut(&mut state.made).insert(path);
        }
    }

    fn is_directory(&self, path: &Value, state: &State) -> bool {
        let (Some(path), Some(cwd)) = (path.known(), state.cwd.path()) else { return false };
        let path = directory::join(cwd, path);
        state.made.contains(&path) || matches!(self.start.host.entry(&path), Some(sekisho_host::EntryKind::Directory))
    }

    fn forget(&mut self, path: &Value, state: &mut State) {
        if let Some(key) = self.file_key(path, state)
            && state.files.contains_key(&key)
        {
            Rc::make_mut(&mut state.files).remove(&key);
        }
    }

    /// `to`, or the file in it that gets `from`'s name, where `to` is a directory.
    pub(super) fn place_in(&self, from: &Value, to: &Value, state: &State) -> Value {
        let (Some(from), Some(key), Some(text)) = (from.known(), self.file_key(to, state), to.known()) else { return to.clone() };
        let is_directory = text.ends_with('/')
            || state.made.contains(&key)
            || matches!(self.start.host.entry(&key), Some(sekisho_host::EntryKind::Directory));
        if !is_directory {
            return to.clone();
        }
        let name = from.rsplit('/').next().unwrap_or(from);
        Value::literal(format!("{}/{name}", text.trim_end_matches('/')))
    }
}

/// `-E`: what comes out is text, and may be a script.
fn preprocesses(arguments: &[Argument]) -> bool {
    arguments.iter().any(|argument| match argument.known() {
        Some(text) => matches!(text, "-E" | "-M" | "-MM"),
        None => argument.may_be_option(),
    })
}

/// What these write is a new directory.
fn makes_directory(program: &str, effects: &[sekisho_command_model::Effect]) -> bool {
    match program {
        "git" => effects.iter().any(|effect| {
            matches!(&effect.kind, EffectKind::Vcs(operation) if matches!(operation.name, "clone" | "init" | "worktree-add"))
        }),
        "cargo" | "unzip" => true,
        _ => false,
    }
}

/// One content after another.
fn appended(before: &Written, after: &Written) -> Written {
    match (before, after) {
        (Written::Text(before), Written::Text(after)) => Written::Text(format!("{before}{after}").into()),
        (Written::Remote, _) | (_, Written::Remote) => Written::Remote,
        (Written::Decoded, _) | (_, Written::Decoded) => Written::Decoded,
        _ => Written::Unknown,
    }
}
