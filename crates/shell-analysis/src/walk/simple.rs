//! Simple commands as they stand in the text: assignments, words, redirections.

use sekisho_command_model::{Provenance, Value};
use sekisho_shell_syntax::tree::{Assignment, AssignmentValue, Command, PartKind, Quote, SimpleCommand, Word};

use super::fork::Mentioned;
use super::runner::Call;
use crate::engine::{Context, Draft, Engine};
use crate::expansion::chunk::{Chunk, Expanded};
use crate::flow::{Flow, Status};
use crate::state::{Content, Slot, State};

/// Builtins whose operands of the form `name=value` are assignments: their values are not split.
const DECLARATIONS: &[&str] = &["export", "declare", "typeset", "local", "readonly", "alias"];

impl Engine<'_> {
    pub(super) fn run_simple(&mut self, command: &Command, simple: &SimpleCommand, state: State, context: &Context) -> Flow {
        let mut mentioned = Mentioned::in_simple(simple);
        command.redirections.iter().for_each(|redirection| mentioned.redirection(&redirection.target));
        let forks = self.fork(&mentioned, state);
        let (runs, first) = (forks.len(), self.analysis.executions.len());
        if let Ok([one]) = <[State; 1]>::try_from(forks.clone()) {
            return self.run_simple_once(command, simple, one, context);
        }
        let mut result = Flow::default();
        for (index, state) in forks.into_iter().enumerate() {
            let flow = self.run_simple_once(command, simple, state, context);
            result.or(flow, index == 0);
        }
        self.settle(first, runs);
        result.states = self.unfork(std::mem::take(&mut result.states));
        result
    }

    fn run_simple_once(&mut self, command: &Command, simple: &SimpleCommand, mut state: State, context: &Context) -> Flow {
        let mut argv: Vec<Expanded> = Vec::new();
        let declares = simple.words.first().and_then(literal).is_some_and(|name| DECLARATIONS.contains(&name.as_str()));
        for word in &simple.words {
            if declares && let Some(expanded) = self.assignment_word(word, &mut state, context) {
                argv.push(expanded);
            } else {
                argv.extend(self.expand_words(word, &mut state, context));
            }
        }
        let span = command.span;
        let segment = span.text(&context.source).to_owned();
        if argv.is_empty() {
            return self.run_assignments(command, simple, segment, state, context);
        }
        let silent = argv.first().and_then(|head| head.argument.known()).is_some_and(|head| matches!(head, ":" | "true" | "false"));
        let redirected = self.redirect(&command.redirections, silent, &mut state, context);
        let mut prefix = Vec::new();
        for assignment in &simple.assignments {
            let value = match &assignment.value {
                AssignmentValue::Scalar(word) => self.expand_single(word, &mut state, context).argument.value,
                AssignmentValue::Array(_) => continue,
            };
            prefix.push((assignment.name.clone(), value));
        }
        let tail = simple.words.first().filter(|word| is_plain(word)).map(|first| {
            let rest = sekisho_shell_syntax::span::Span::new(
                first.span.end,
                simple.words.last().map_or(first.span.end, |word| word.span.end),
            );
            rest.text(&context.source).to_owned()
        });
        let call = Call { argv, prefix, redirected, segment, span: Some(span), alias_tail: tail, ..Call::default() };
        self.run_call(call, state, context)
    }

    /// Assignments that change the shell itself, and redirections without a command.
    fn run_assignments(
        &mut self,
        command: &Command,
        simple: &SimpleCommand,
        segment: String,
        mut state: State,
        context: &Context,
    ) -> Flow {
        let runs_commands = simple.words.iter().chain(simple.assignments.iter().filter_map(|assignment| match &assignment.value {
            AssignmentValue::Scalar(word) => Some(word),
            AssignmentValue::Array(_) => None,
        }));
        let runs_commands =
            runs_commands.flat_map(|word| &word.parts).any(|part| matches!(part.kind, PartKind::CommandSubstitution(_)));
        for assignment in &simple.assignments {
            self.assign(assignment, &mut state, context);
        }
        let redirected = self.redirect(&command.redirections, true, &mut state, context);
        if !redirected.effects.is_empty() {
            let draft = Draft {
                effects: redirected.effects.clone(),
                described: true,
                segment,
                span: Some(command.span),
                ..Draft::default()
            };
            self.emit(draft, &state, context);
        }
        let output = self.deliver(sekisho_command_model::Stream::Nothing, &redirected, &mut state);
        let status = if runs_commands { Status::Either } else { Status::Success };
        Flow::one(state, status).with_output(output)
    }

    /// `name=value` in all its forms.
    pub(crate) fn assign(&mut self, assignment: &Assignment, state: &mut State, context: &Context) {
        let name = assignment.name.as_str();
        match &assignment.value {
            AssignmentValue::Scalar(word) => {
                let mut value = tracked(self.expand_single(word, state, context).argument.value);
                let subscript = assignment.subscript.as_ref().map(|subscript| self.expand_text(subscript, state, context));
                match subscript {
                    Some(key) => self.assign_element(name, &key, value, assignment.append, state),
                    None => {
                        if assignment.append {
                            value = self.append(name, &value, state);
                        }
                        self.run_trace_prompt(name, &value, state, context);
                        state.assign(name, value);
                    }
                }
            }
            AssignmentValue::Array(elements) => {
                let mut content = match state.variables.get(name).map(|variable| &variable.content) {
                    Some(Content::Array(before)) if assignment.append => before.clone(),
                    _ => Vec::new(),
                };
                let mut next = content.len();
                for element in elements {
                    let key = element.subscript.as_ref().map(|subscript| self.expand_text(subscript, state, context));
                    let values: Vec<Value> = match &key {
                        Some(_) => vec![self.expand_single(&element.value, state, context).argument.value],
                        None => {
                            self.expand_words(&element.value, state, context).into_iter().map(|word| word.argument.value).collect()
                        }
                    };
                    for value in values {
                        content.push((key.clone().unwrap_or_else(|| next.to_string()), value));
                        next += 1;
                    }
                }
                if self.derive(content.len()) {
                    state.assign_content(name, Content::Array(content));
                } else {
                    state.assign(name, crate::expansion::variable::unknown(name));
                }
            }
        }
    }

    fn assign_element(&mut self, name: &str, key: &str, value: Value, append: bool, state: &mut State) {
        let mut elements = match state.variables.get(name).map(|variable| variable.content.clone()) {
            Some(Content::Array(elements)) => elements,
            _ => Vec::new(),
        };
        let key = match crate::expansion::arithmetic::evaluate(key, &|name| self.integer(name, state)).value {
            Some(index)
                if key.parse::<i64>().is_ok()
                    || self.integer(key, state).is_some_and(|own| own == index && state.variables.contains_key(key)) =>
            {
                index.to_string()
            }
            _ => key.to_owned(),
        };
        match elements.iter_mut().find(|(own, _)| *own == key) {
            Some((_, slot)) if append => {
                let before = self.markers.text_of(slot);
                let more = self.markers.text_of(&value);
                *slot = self.markers.value_of(format!("{before}{more}"), Provenance::Known);
            }
            Some((_, slot)) => *slot = value,
            None => elements.push((key, value)),
        }
        state.assign_content(name, Content::Array(elements));
    }

    /// The value of `name` with `more` behind it.
    fn append(&mut self, name: &str, more: &Value, state: &State) -> Value {
        let before = match self.variable(name, state) {
            Slot::Unset => String::new(),
            Slot::Value(value) => self.markers.text_of(&value),
        };
        let more = self.markers.text_of(more);
        if !self.expand_bytes(before.len() + more.len()) {
            return crate::expansion::variable::unknown(name);
        }
        self.markers.value_of(format!("{before}{more}"), Provenance::Known)
    }

    /// `name=value` as a word of `export` and its kin; `None` for any other word.
    fn assignment_word(&mut self, word: &Word, state: &mut State, context: &Context) -> Option<Expanded> {
        let first = word.parts.first()?;
        let PartKind::Literal(text) = &first.kind else { return None };
        let (name, _) = text.split_once('=')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
        (first.quote == Quote::None && is_name).then(|| self.expand_single(word, state, context))
    }
}

/// A value that is now held by a variable.
pub(crate) fn tracked(value: Value) -> Value {
    match value {
        // An assignment does not expand file names: the pattern is text until it is used unquoted.
        Value::Glob { pattern } => Value::Known { text: unescape(&pattern), provenance: Provenance::Known },
        other => other,
    }
}

fn unescape(pattern: &str) -> String {
    let mut text = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next()),
            other => text.push(other),
        }
    }
    text
}

/// The text of a word of literal parts.
pub(crate) fn literal(word: &Word) -> Option<String> {
    let mut text = String::new();
    for part in &word.parts {
        match &part.kind {
            PartKind::Literal(part) => text.push_str(part),
            _ => return None,
        }
    }
    Some(text)
}

/// Nothing in the word is quoted: only such a word can be an alias.
fn is_plain(word: &Word) -> bool {
    word.parts.iter().all(|part| part.quote == Quote::None && matches!(part.kind, PartKind::Literal(_)))
}

/// An argument made of known text.
pub(crate) fn made(argument: sekisho_command_model::Argument) -> Expanded {
    let pieces = match &argument.value {
        Value::Dynamic(partial) => vec![Chunk::Unknown { partial: partial.clone(), quoted: true }],
        _ => Vec::new(),
    };
    Expanded { argument, pieces, generator: false }
}
