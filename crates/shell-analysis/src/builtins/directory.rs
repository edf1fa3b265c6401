//! `cd`, `pushd`, `popd`.

use std::rc::Rc;

use sekisho_command_model::{Argument, Cause, Scope, Value};

use crate::Directory;
use crate::directory::{self, enter};
use crate::engine::{Context, Engine};
use crate::flow::{Flow, Status};
use crate::state::{Slot, State};

/// Stands for the name `mktemp` chooses.
const FRESH: &str = "fresh-temporary";

/// Stands for a name that a pattern matches.
const MATCHED: &str = "matched-entry";

impl Engine<'_> {
    /// `cd [-L|-P|-e|-@] [DIR]`
    pub(super) fn change_directory(&mut self, arguments: &[Argument], state: State, context: &Context) -> Flow {
        let mut operands: &[Argument] = arguments;
        while let [first, rest @ ..] = operands {
            match first.known() {
                Some("--") => {
                    operands = rest;
                    break;
                }
                Some(text) if text.len() > 1 && text.starts_with('-') && text.chars().skip(1).all(|c| "LPe@".contains(c)) => {
                    operands = rest
                }
                _ => break,
            }
        }
        match operands {
            [] => {
                let home = self.home(&state);
                self.go(&home, state, context)
            }
            [one] if one.known() == Some("-") => {
                let target = state.old_cwd.clone().unwrap_or(Directory::Unknown);
                let status = if target == Directory::Unknown { Status::Either } else { Status::Success };
                self.gone(target, status, state, context)
            }
            // Empty: bash stays where it is.
            [one] if one.known() == Some("") => Flow::one(state, Status::Success),
            [one] => self.go(&one.value.clone(), state, context),
            [one, ..] if one.known().is_none() => self.gone(Directory::Unknown, Status::Either, state, context),
            _ => Flow::one(state, Status::Failure),
        }
    }

    fn go(&mut self, target: &Value, state: State, context: &Context) -> Flow {
        if let Value::Dynamic(partial) = target
            && partial.cause == Cause::Temporary
            && directory::is_absolute(&partial.prefix)
        {
            // A directory made just now: it has no name yet, but it is known where it lies.
            let path = directory::join("/", &format!("{}{FRESH}{}", partial.prefix, partial.suffix));
            let exists = partial.suffix.trim_end_matches('/').is_empty();
            return self.gone(
                Directory::Known { path, exists },
                if exists { Status::Success } else { Status::Either },
                state,
                context,
            );
        }
        if let Value::Glob { pattern } = target
            && let Some(base) = state.cwd.path()
            && *context.scope == Scope::Host
            && let Some(path) = matched(pattern)
        {
            // Whatever it matches lies as deep below what is written as the pattern says.
            let target = Directory::Known { path: directory::join(base, &path), exists: true };
            return self.gone(target, Status::Either, state, context);
        }
        let Some(path) = target.known() else { return self.gone(Directory::Unknown, Status::Either, state, context) };
        let relative = !directory::is_absolute(path);
        if relative
            && !path.starts_with("./")
            && !path.starts_with("../")
            && !matches!(path, "." | "..")
            && self.has_search_path(&state)
        {
            return self.gone(Directory::Unknown, Status::Either, state, context);
        }
        let base = match state.cwd.path() {
            Some(base) => base.to_owned(),
            None if relative => return self.gone(Directory::Unknown, Status::Either, state, context),
            None => "/".to_owned(),
        };
        if *context.scope != Scope::Host {
            let target = Directory::Known { path: directory::join(&base, path), exists: false };
            return self.gone(target, Status::Either, state, context);
        }
        let made = state.made.clone();
        match enter(self.start.host, &base, path, &|path| made.contains(path)) {
            Some(target @ Directory::Known { exists: true, .. }) => self.gone(target, Status::Success, state, context),
            Some(target) => self.gone(target, Status::Either, state, context),
            None => Flow::one(state, Status::Failure),
        }
    }

    /// The state in `target`; where the change may fail, also the one left where it was.
    fn gone(&mut self, target: Directory, status: Status, state: State, context: &Context) -> Flow {
        self.step("cwd-change", target.path().unwrap_or("unknown"), context);
        let mut flow = Flow::default();
        if status == Status::Either && target != state.cwd {
            flow.states.push((state.clone(), Status::Failure));
        }
        flow.states.push((moved(state, target), Status::Success));
        flow
    }

    fn has_search_path(&self, state: &State) -> bool {
        match state.variables.get("CDPATH") {
            Some(_) => {
                !matches!(self.variable("CDPATH", state), Slot::Unset | Slot::Value(Value::Known { .. })) || {
                    matches!(self.variable("CDPATH", state), Slot::Value(Value::Known { text, .. }) if !text.is_empty())
                }
            }
            None => self.start.host.environment("CDPATH").is_some_and(|path| !path.is_empty()),
        }
    }

    /// `pushd [-n] [DIR | +N | -N]`
    pub(super) fn push_directory(&mut self, arguments: &[Argument], mut state: State, context: &Context) -> Flow {
        let operands: Vec<&Argument> = arguments.iter().filter(|argument| argument.known() != Some("--")).collect();
        match operands.as_slice() {
            [] => {
                // Swaps the two on top.
                let top = state.stack.as_mut().and_then(Vec::pop);
                let Some(top) = top else {
                    return self.gone(Directory::Unknown, Status::Either, State { stack: None, ..state }, context);
                };
                let before = state.cwd.clone();
                if let Some(stack) = &mut state.stack {
                    stack.push(before);
                }
                self.gone(top, Status::Success, state, context)
            }
            [one] if one.known().is_none_or(|text| !text.starts_with(['-', '+'])) => {
                let before = state.cwd.clone();
                let mut flow = self.go(&one.value.clone(), state, context);
                for (state, status) in &mut flow.states {
                    if *status == Status::Success
                        && let Some(stack) = &mut state.stack
                    {
                        stack.push(before.clone());
                    }
                }
                flow
            }
            _ => self.gone(Directory::Unknown, Status::Either, State { stack: None, ..state }, context),
        }
    }

    /// `popd`
    pub(super) fn pop_directory(&mut self, arguments: &[Argument], mut state: State, context: &Context) -> Flow {
        if !arguments.is_empty() {
            return self.gone(Directory::Unknown, Status::Either, State { stack: None, ..state }, context);
        }
        match &mut state.stack {
            Some(stack) => match stack.pop() {
                Some(target) => self.gone(target, Status::Success, state, context),
                None => Flow::one(state, Status::Failure),
            },
            None => self.gone(Directory::Unknown, Status::Either, state, context),
        }
    }
}

/// The pattern with a name in place of each component that is no plain text; `None` where what it matches may lie elsewhere: a
/// component that matches hidden entries, climbs, or stands for any number of them.
fn matched(pattern: &str) -> Option<String> {
    let is_pattern = |component: &str| component.contains(['*', '?', '[', '(', '\\']);
    let named = pattern.split('/').map(|component| match component {
        ".." => None,
        _ if !is_pattern(component) => Some(component),
        _ if component.starts_with('.') || component.contains("**") || component.contains(['[', '(', '\\']) => None,
        _ => Some(MATCHED),
    });
    let named: Option<Vec<&str>> = named.collect();
    named.map(|components| components.join("/"))
}

/// `state` in another directory.
fn moved(mut state: State, target: Directory) -> State {
    state.old_cwd = Some(std::mem::replace(&mut state.cwd, target));
    if state.variables.contains_key("PWD") || state.variables.contains_key("OLDPWD") {
        let variables = Rc::make_mut(&mut state.variables);
        variables.remove("PWD");
        variables.remove("OLDPWD");
    }
    state
}
