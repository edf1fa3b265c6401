//! One state for each value of the variables a command mentions.
//!
//! A variable with several possible values makes several possible commands. They are told apart only for the command that
//! mentions it, and joined again behind it.

use std::collections::BTreeSet;
use std::rc::Rc;

use sekisho_command_model::{Partial, Value};
use sekisho_shell_syntax::tree::{
    AssignmentValue, CommandKind, List, Parameter, ParameterOperation, PartKind, RedirectionTarget, SimpleCommand, Word,
};

use crate::engine::Engine;
use crate::expansion::variable::unknown;
use crate::state::{ALTERNATIVES, Content, Slot, State};

/// Variables a command mentions.
#[derive(Debug, Default)]
pub(crate) struct Mentioned {
    /// By name.
    names: BTreeSet<String>,
    /// Those whose absence gives another word in their place, and whether an empty value counts as absent.
    defaults: BTreeSet<(String, bool)>,
}

impl Mentioned {
    /// Variables in `words`.
    pub(crate) fn in_words<'a>(words: impl IntoIterator<Item = &'a Word>) -> Self {
        let mut mentioned = Self::default();
        for word in words {
            mentioned.word(word);
        }
        mentioned
    }

    /// Variables in a simple command.
    pub(crate) fn in_simple(simple: &SimpleCommand) -> Self {
        let mut mentioned = Self::default();
        mentioned.simple(simple);
        mentioned
    }

    /// Adds the variables in `word`.
    pub(crate) fn word(&mut self, word: &Word) {
        for part in &word.parts {
            match &part.kind {
                PartKind::Parameter(expansion) => {
                    if let Parameter::Variable(name) = &expansion.parameter {
                        self.names.insert(name.clone());
                        if let ParameterOperation::Default { colon, .. }
                        | ParameterOperation::Assign { colon, .. }
                        | ParameterOperation::Alternative { colon, .. } = &expansion.operation
                            && expansion.subscript.is_none()
                        {
                            self.defaults.insert((name.clone(), *colon));
                        }
                    }
                    match &expansion.operation {
                        ParameterOperation::Default { word, .. }
                        | ParameterOperation::Assign { word, .. }
                        | ParameterOperation::Require { word, .. }
                        | ParameterOperation::Alternative { word, .. } => self.word(word),
                        ParameterOperation::RemovePrefix { pattern, .. }
                        | ParameterOperation::RemoveSuffix { pattern, .. }
                        | ParameterOperation::Case { pattern, .. } => self.word(pattern),
                        ParameterOperation::Replace { pattern, replacement, .. } => {
                            self.word(pattern);
                            self.word(replacement);
                        }
                        ParameterOperation::Substring { offset, length } => {
                            self.arithmetic(offset);
                            if let Some(length) = length {
                                self.arithmetic(length);
                            }
                        }
                        _ => {}
                    }
                    if let Some(subscript) = &expansion.subscript {
                        self.arithmetic(subscript);
                    }
                }
                PartKind::Arithmetic(expression) => self.arithmetic(expression),
                PartKind::CommandSubstitution(substitution) | PartKind::ProcessSubstitution(_, substitution) => {
                    self.list(&substitution.body);
                }
                PartKind::BraceAlternatives(words) => words.iter().for_each(|word| self.word(word)),
                PartKind::Tilde(user) if user.is_empty() => {
                    self.names.insert("HOME".to_owned());
                }
                PartKind::Literal(_) | PartKind::Glob(_) | PartKind::BraceSequence(_) | PartKind::Tilde(_) => {}
            }
        }
    }

    /// Adds the variables of an arithmetic expression, where a bare name is one.
    pub(crate) fn arithmetic(&mut self, expression: &Word) {
        self.word(expression);
        for part in &expression.parts {
            if let PartKind::Literal(text) = &part.kind {
                let names = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
                self.names.extend(
                    names.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).map(str::to_owned),
                );
            }
        }
    }

    /// Adds the variables of a redirection's target.
    pub(crate) fn redirection(&mut self, target: &RedirectionTarget) {
        match target {
            RedirectionTarget::Word(word) => self.word(word),
            RedirectionTarget::HereDocument(document) => self.word(&document.body),
            RedirectionTarget::Missing => {}
        }
    }

    fn simple(&mut self, simple: &SimpleCommand) {
        simple.words.iter().for_each(|word| self.word(word));
        for assignment in &simple.assignments {
            match &assignment.value {
                AssignmentValue::Scalar(word) => self.word(word),
                AssignmentValue::Array(elements) => elements.iter().for_each(|element| self.word(&element.value)),
            }
            if assignment.append {
                self.names.insert(assignment.name.clone());
            }
        }
    }

    /// The simple commands directly in a substitution, so that it has one output for each value.
    fn list(&mut self, list: &List) {
        for item in &list.items {
            for pipeline in std::iter::once(&item.and_or.first).chain(item.and_or.rest.iter().map(|(_, pipeline)| pipeline)) {
                for stage in &pipeline.stages {
                    if let CommandKind::Simple(simple) = &stage.command.kind {
                        self.simple(simple);
                    }
                    stage.command.redirections.iter().for_each(|redirection| self.redirection(&redirection.target));
                }
            }
        }
    }
}

impl Engine<'_> {
    /// `state` once for each combination of values of the variables `mentioned`.
    pub(crate) fn fork(&mut self, mentioned: &Mentioned, state: State) -> Vec<State> {
        let mut states = vec![state];
        for name in &mentioned.names {
            let Some(base) = states.first() else { break };
            let slots = self.possibilities(name, mentioned, base);
            if slots.len() < 2 {
                continue;
            }
            if slots.len().saturating_mul(states.len()) > ALTERNATIVES {
                for state in &mut states {
                    state.assign(name, unknown(name));
                }
                continue;
            }
            let assigned = base.variables.contains_key(name);
            let mut next = Vec::with_capacity(states.len() * slots.len());
            for state in &states {
                for slot in &slots {
                    let mut fork = state.clone();
                    fork.assign_slot(name, slot.clone());
                    if !assigned && matches!(slot, Slot::Value(_)) {
                        // Stays a variable of the environment.
                        fork.export(name);
                    }
                    next.push(fork);
                }
            }
            states = next;
        }
        if states.len() > 1 {
            self.derive(states.len());
        }
        states
    }

    /// The values `name` may have, where there are several.
    fn possibilities(&self, name: &str, mentioned: &Mentioned, state: &State) -> Vec<Slot> {
        let mut slots = match state.variables.get(name).map(|variable| &variable.content) {
            Some(Content::Scalar(slots)) => slots.clone(),
            Some(Content::Array(_)) => return Vec::new(),
            None => vec![self.inherited(name, state)],
        };
        let default = mentioned.defaults.iter().find(|(own, _)| own == name);
        if let Some((_, colon)) = default {
            let maybe_missing = slots.iter().any(
                |slot| matches!(slot, Slot::Value(Value::Dynamic(partial)) if partial.may_be_empty && partial.prefix.is_empty()),
            );
            if maybe_missing {
                for slot in &mut slots {
                    if let Slot::Value(Value::Dynamic(partial)) = slot {
                        *slot = Slot::Value(Value::Dynamic(Partial { may_be_empty: !colon, ..partial.clone() }));
                    }
                }
                if !slots.contains(&Slot::Unset) {
                    slots.push(Slot::Unset);
                }
            }
        }
        slots
    }

    /// Joins the states a fork came to, so far as they still agree on the rest.
    pub(crate) fn unfork(&mut self, states: Vec<(State, crate::flow::Status)>) -> Vec<(State, crate::flow::Status)> {
        let mut result: Vec<(State, crate::flow::Status)> = Vec::new();
        for status in [crate::flow::Status::Success, crate::flow::Status::Failure, crate::flow::Status::Either] {
            let group: Vec<(State, crate::flow::Status)> = states.iter().filter(|(_, own)| *own == status).cloned().collect();
            if !group.is_empty() {
                result.extend(self.join(group).into_iter().map(|state| (state, status)));
            }
        }
        result
    }

    /// The positional parameters as a value of their own, for functions.
    pub(crate) fn bind(state: &mut State, zero: Option<Value>, words: Option<Vec<Value>>) -> Rc<crate::state::Positional> {
        let zero = zero.or_else(|| state.positional.zero.clone());
        std::mem::replace(&mut state.positional, Rc::new(crate::state::Positional { zero, words }))
    }
}
