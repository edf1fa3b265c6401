//! `$name`, `${…}` and what they do with values that are known.

use sekisho_command_model::{Cause, Partial, Value};
use sekisho_shell_syntax::tree::{Parameter, ParameterExpansion, ParameterOperation, ReplacePlace, Word};

use super::chunk::Chunk;
use super::pattern::Pattern;
use super::variable::{tracked, unknown};
use super::{Mode, arithmetic};
use crate::engine::{Context, Engine};
use crate::state::{Content, Slot, State};

/// Longest value made by an operation.
const LENGTH: usize = 65_536;

/// What a parameter stands for.
#[derive(Debug, Clone, PartialEq)]
enum Found {
    /// Not set.
    Unset,
    /// One value.
    One(Value),
    /// `$@`, `$*`, `${a[@]}`: several words.
    Many(Vec<Value>),
}

impl Engine<'_> {
    pub(super) fn expand_parameter(
        &mut self,
        expansion: &ParameterExpansion,
        quoted: bool,
        mode: Mode,
        state: &mut State,
        context: &Context,
        chunks: &mut Vec<Chunk>,
    ) {
        let star = is_star(expansion);
        let found = self.look_up(expansion, state, context);
        // A word that takes the parameter's place is expanded as it stands, its own quotes and words kept.
        if let Some(word) = replacement_word(expansion, &found) {
            if let (ParameterOperation::Assign { .. }, Parameter::Variable(name)) = (&expansion.operation, &expansion.parameter) {
                let value = self.expand_single(word, state, context).argument.value;
                state.assign(name, value.clone());
                self.push_value(&value, quoted, mode, state, chunks);
                return;
            }
            let mut inner = self.expand_chunks(word, mode, state, context);
            if quoted {
                for chunk in &mut inner {
                    match chunk {
                        Chunk::Text { quoted, .. } | Chunk::Unknown { quoted, .. } => *quoted = true,
                        Chunk::Glob(text) => *chunk = Chunk::written(std::mem::take(text), true),
                        Chunk::Break => *chunk = Chunk::written(" ", true),
                    }
                }
            }
            chunks.extend(inner);
            return;
        }
        let found = match found {
            Found::One(Value::Dynamic(partial)) => {
                let value = Value::Dynamic(self.with_default(partial, &expansion.operation, state, context));
                if let (ParameterOperation::Assign { .. }, Parameter::Variable(name), None) =
                    (&expansion.operation, &expansion.parameter, &expansion.subscript)
                {
                    state.assign(name, value.clone());
                }
                Found::One(value)
            }
            other => other,
        };
        if matches!(found, Found::One(Value::Glob { .. })) {
            self.visit_operation(&expansion.operation, state, context);
        }
        match self.operate(expansion, found, state, context) {
            Found::Unset => {
                if quoted {
                    chunks.push(Chunk::tracked("", true));
                }
            }
            Found::One(value) => self.push_value(&value, quoted, mode, state, chunks),
            Found::Many(values) if quoted && star => {
                let separators = self.separators(state).0.unwrap_or_default();
                let joint: String = separators.chars().take(1).collect();
                chunks.push(Chunk::tracked("", true));
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        chunks.push(Chunk::tracked(joint.as_str(), true));
                    }
                    self.push_value(value, true, mode, state, chunks);
                    if !self.has_budget() {
                        break;
                    }
                }
            }
            Found::Many(values) => {
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        chunks.push(Chunk::Break);
                    }
                    self.push_value(value, quoted, mode, state, chunks);
                    if !self.has_budget() {
                        break;
                    }
                }
            }
        }
    }

    /// An unknown value, with what `:-` or `:=` puts in its place; the commands inside the operation are looked at.
    fn with_default(&mut self, partial: Partial, operation: &ParameterOperation, state: &mut State, context: &Context) -> Partial {
        match operation {
            ParameterOperation::Default { colon: true, word } | ParameterOperation::Assign { colon: true, word }
                if matches!(partial.cause, Cause::Variable(_)) =>
            {
                let default = self.expand_single(word, state, &context.uncertain()).argument.value;
                let otherwise = default.known().filter(|text| !text.contains(char::is_whitespace)).map(str::to_owned);
                Partial { otherwise, ..partial }
            }
            _ => {
                self.visit_operation(operation, state, context);
                partial
            }
        }
    }

    /// Looks at the commands inside an operation whose result is not known.
    fn visit_operation(&mut self, operation: &ParameterOperation, state: &mut State, context: &Context) {
        let words: Vec<&Word> = match operation {
            ParameterOperation::Default { word, .. }
            | ParameterOperation::Assign { word, .. }
            | ParameterOperation::Require { word, .. }
            | ParameterOperation::Alternative { word, .. } => vec![word],
            ParameterOperation::RemovePrefix { pattern, .. }
            | ParameterOperation::RemoveSuffix { pattern, .. }
            | ParameterOperation::Case { pattern, .. } => vec![pattern],
            ParameterOperation::Replace { pattern, replacement, .. } => vec![pattern, replacement],
            ParameterOperation::Substring { offset, length } => std::iter::once(offset).chain(length).collect(),
            _ => Vec::new(),
        };
        let context = context.uncertain();
        for word in words {
            self.expand_chunks(word, Mode::Single, state, &context);
        }
    }

    /// What the parameter stands for, before the operation.
    fn look_up(&mut self, expansion: &ParameterExpansion, state: &mut State, context: &Context) -> Found {
        let slot = |slot: Slot| match slot {
            Slot::Unset => Found::Unset,
            Slot::Value(value) => Found::One(value),
        };
        let number = |text: Option<usize>, name: &str| match text {
            Some(count) => Found::One(tracked(count.to_string())),
            None => {
                Found::One(Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(Cause::Variable(name.to_owned())) }))
            }
        };
        let found = match &expansion.parameter {
            Parameter::Variable(name) if expansion.indirect && is_plain(&expansion.operation) => {
                let target = match self.variable(name, state) {
                    Slot::Value(Value::Known { text, .. }) => text,
                    _ => return Found::One(unknown(name)),
                };
                match target.parse::<usize>() {
                    Ok(index) => positional(index, state),
                    Err(_) => slot(self.variable(&target, state)),
                }
            }
            Parameter::Variable(name) => match &expansion.subscript {
                Some(subscript) => self.element(name, subscript, state, context),
                None => slot(self.variable(name, state)),
            },
            Parameter::Positional(0) => match &state.positional.zero {
                Some(value) => Found::One(value.clone()),
                None => {
                    Found::One(Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(Cause::Variable("0".into())) }))
                }
            },
            Parameter::Positional(index) => positional(*index as usize, state),
            Parameter::Special('@' | '*') => match &state.positional.words {
                Some(words) => Found::Many(words.clone()),
                None => Found::One(Value::Dynamic(Partial { may_split: true, ..Partial::unknown(Cause::Variable("@".into())) })),
            },
            Parameter::Special('#') => number(state.positional.words.as_ref().map(Vec::len), "#"),
            Parameter::Special(other) => number(None, &other.to_string()),
        };
        match found {
            Found::One(value) => Found::One(value),
            other => other,
        }
    }

    /// `${name[subscript]}`
    fn element(&mut self, name: &str, subscript: &Word, state: &mut State, context: &Context) -> Found {
        let key = self.expand_chunks(subscript, Mode::Single, state, context);
        let key = self.text_of_chunks(&key);
        let content = state.variables.get(name).map(|variable| variable.content.clone());
        match (key.as_str(), content) {
            ("@" | "*", Some(Content::Array(elements))) => Found::Many(elements.into_iter().map(|(_, value)| value).collect()),
            ("@" | "*", Some(Content::Scalar(_))) => match self.variable(name, state) {
                Slot::Unset => Found::Many(Vec::new()),
                Slot::Value(value) => Found::Many(vec![value]),
            },
            (_, Some(Content::Array(elements))) => {
                let found = |key: &str| elements.iter().find(|(own, _)| own == key).map(|(_, value)| Found::One(value.clone()));
                if let Some(found) = found(&key) {
                    return found;
                }
                let index = arithmetic::evaluate(&key, &|name| self.integer(name, state)).value;
                match index {
                    Some(index) if index < 0 => {
                        let back = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
                        match elements.len().checked_sub(back).and_then(|at| elements.get(at)) {
                            Some((_, value)) => Found::One(value.clone()),
                            None => Found::Unset,
                        }
                    }
                    Some(index) => found(&index.to_string()).unwrap_or(Found::Unset),
                    None => Found::One(unknown(name)),
                }
            }
            (_, Some(Content::Scalar(_))) if key == "0" => match self.variable(name, state) {
                Slot::Unset => Found::Unset,
                Slot::Value(value) => Found::One(value),
            },
            _ => Found::One(unknown(name)),
        }
    }

    fn operate(&mut self, expansion: &ParameterExpansion, found: Found, state: &mut State, context: &Context) -> Found {
        match &expansion.operation {
            ParameterOperation::Value | ParameterOperation::Default { .. } | ParameterOperation::Assign { .. } => {
                return settle(found);
            }
            ParameterOperation::Require { .. } => {
                // The shell stops where the value is missing, so from here on it is not.
                let found = match found {
                    Found::One(Value::Dynamic(partial)) => {
                        let value = Value::Dynamic(Partial { may_be_empty: false, ..partial });
                        if let Parameter::Variable(name) = &expansion.parameter {
                            state.assign(name, value.clone());
                        }
                        Found::One(value)
                    }
                    other => other,
                };
                return settle(found);
            }
            ParameterOperation::Alternative { .. } => {
                return match found {
                    Found::One(Value::Dynamic(_)) => Found::One(Value::Dynamic(Partial::unknown(Cause::Unknown))),
                    _ => Found::Unset,
                };
            }
            ParameterOperation::Length => {
                return match found {
                    Found::Unset => Found::One(tracked("0")),
                    Found::One(Value::Known { text, .. }) => Found::One(tracked(text.chars().count().to_string())),
                    Found::Many(values) => Found::One(tracked(values.len().to_string())),
                    Found::One(_) => {
                        Found::One(Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(Cause::Unknown) }))
                    }
                };
            }
            ParameterOperation::NamesWithPrefix | ParameterOperation::Unknown(_) => {
                return Found::One(Value::Dynamic(Partial::unknown(Cause::Unknown)));
            }
            ParameterOperation::Keys => {
                let Parameter::Variable(name) = &expansion.parameter else { return Found::Unset };
                return match state.variables.get(name).map(|variable| &variable.content) {
                    Some(Content::Array(elements)) => Found::Many(elements.iter().map(|(key, _)| tracked(key.as_str())).collect()),
                    _ => Found::One(Value::Dynamic(Partial::unknown(Cause::Unknown))),
                };
            }
            _ => {}
        }
        if let (ParameterOperation::Substring { offset, length }, Found::Many(values)) = (&expansion.operation, &found) {
            let shift = usize::from(matches!(expansion.parameter, Parameter::Special(_)));
            return self.slice(values, shift, offset, length.as_ref(), state, context);
        }
        match found {
            Found::Unset => Found::Unset,
            Found::One(value) => Found::One(self.operate_on(expansion, value, state, context)),
            Found::Many(values) => {
                Found::Many(values.into_iter().map(|value| self.operate_on(expansion, value, state, context)).collect())
            }
        }
    }

    /// `${@:2}`, `${a[@]:1:2}`
    fn slice(
        &mut self,
        values: &[Value],
        shift: usize,
        offset: &Word,
        length: Option<&Word>,
        state: &mut State,
        context: &Context,
    ) -> Found {
        let unknown = Found::One(Value::Dynamic(Partial { may_split: true, ..Partial::unknown(Cause::Unknown) }));
        let Some(start) = self.evaluate_arithmetic(offset, state, context).and_then(|start| usize::try_from(start).ok()) else {
            return unknown;
        };
        let count = match length {
            Some(length) => match self.evaluate_arithmetic(length, state, context).and_then(|count| usize::try_from(count).ok()) {
                Some(count) => count,
                None => return unknown,
            },
            None => usize::MAX,
        };
        if start < shift {
            return unknown;
        }
        Found::Many(values.iter().skip(start - shift).take(count).cloned().collect())
    }

    fn operate_on(&mut self, expansion: &ParameterExpansion, value: Value, state: &mut State, context: &Context) -> Value {
        let text = match value {
            Value::Known { text, .. } if text.len() <= LENGTH => text,
            Value::Known { .. } => return Value::Dynamic(Partial::unknown(Cause::Unknown)),
            Value::Glob { pattern } => {
                let known = literal_prefix(&pattern);
                return less_known(&expansion.operation, Partial { prefix: known, ..Partial::unknown(Cause::Unknown) });
            }
            Value::Dynamic(partial) => return less_known(&expansion.operation, partial),
        };
        match self.operate_on_text(&expansion.operation, &text, state, context) {
            Some(text) => tracked(text),
            None => Value::Dynamic(Partial::unknown(Cause::Unknown)),
        }
    }

    fn operate_on_text(
        &mut self,
        operation: &ParameterOperation,
        text: &str,
        state: &mut State,
        context: &Context,
    ) -> Option<String> {
        match operation {
            ParameterOperation::RemovePrefix { longest, pattern } => {
                Pattern::parse(&self.expand_pattern(pattern, state, context)?)?.remove_prefix(text, *longest)
            }
            ParameterOperation::RemoveSuffix { longest, pattern } => {
                Pattern::parse(&self.expand_pattern(pattern, state, context)?)?.remove_suffix(text, *longest)
            }
            ParameterOperation::Replace { place, pattern, replacement } => {
                let pattern = Pattern::parse(&self.expand_pattern(pattern, state, context)?)?;
                let replacement = self.expand_single(replacement, state, context).argument.known()?.to_owned();
                match place {
                    ReplacePlace::First => pattern.replace(text, &replacement, false),
                    ReplacePlace::All => pattern.replace(text, &replacement, true),
                    ReplacePlace::Prefix => pattern.replace_at_edge(text, &replacement, false),
                    ReplacePlace::Suffix => pattern.replace_at_edge(text, &replacement, true),
                }
                .filter(|text| text.len() <= LENGTH)
            }
            ParameterOperation::Substring { offset, length } => {
                let total = text.chars().count();
                let bound = |number: i64| -> usize {
                    if number >= 0 {
                        usize::try_from(number).unwrap_or(usize::MAX)
                    } else {
                        total.saturating_sub(usize::try_from(number.unsigned_abs()).unwrap_or(usize::MAX))
                    }
                };
                let start = bound(self.evaluate_arithmetic(offset, state, context)?);
                let count = match length {
                    Some(length) => match self.evaluate_arithmetic(length, state, context)? {
                        end if end < 0 => bound(end).saturating_sub(start),
                        count => bound(count),
                    },
                    None => usize::MAX,
                };
                Some(text.chars().skip(start).take(count).collect())
            }
            ParameterOperation::Case { operator, pattern } => {
                let all = pattern.parts.is_empty();
                if !all {
                    return None;
                }
                let first = |change: fn(char) -> String| {
                    let mut characters = text.chars();
                    let head = characters.next().map(change).unwrap_or_default();
                    Some(format!("{head}{}", characters.as_str()))
                };
                match operator.as_str() {
                    "^^" => Some(text.to_uppercase()),
                    ",," => Some(text.to_lowercase()),
                    "^" => first(|c| c.to_uppercase().collect()),
                    "," => first(|c| c.to_lowercase().collect()),
                    _ => None,
                }
            }
            ParameterOperation::Transform('U') => Some(text.to_uppercase()),
            ParameterOperation::Transform('L') => Some(text.to_lowercase()),
            // `@P` expands the value as a prompt, with the commands in it.
            ParameterOperation::Transform('P') => {
                self.run_hidden_substitutions(text, state, context);
                None
            }
            // `@Q` quotes: the same text where nothing needs quotes, and always one word.
            ParameterOperation::Transform('Q') => Some(format!("'{}'", text.replace('\'', "'\\''"))),
            _ => None,
        }
    }

    /// `$((…))`: its value, and its assignments made.
    pub(crate) fn evaluate_arithmetic(&mut self, expression: &Word, state: &mut State, context: &Context) -> Option<i64> {
        let chunks = self.expand_chunks(expression, Mode::Single, state, context);
        let known = !chunks.iter().any(|chunk| matches!(chunk, Chunk::Unknown { .. }));
        let mut text = String::new();
        for chunk in chunks {
            match chunk {
                Chunk::Text { text: part, .. } | Chunk::Glob(part) => text.push_str(&part),
                // Stands for an operand whose value nobody knows.
                Chunk::Unknown { .. } => text.push_str(" __unknown__ "),
                Chunk::Break => text.push(' '),
            }
        }
        self.run_evaluated_values(&text, state, context);
        let outcome = arithmetic::evaluate(&text, &|name| if name == "__unknown__" { None } else { self.integer(name, state) });
        for (name, value) in outcome.assigned {
            let value = match value {
                Some(number) => tracked(number.to_string()),
                None => Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(Cause::Variable(name.clone())) }),
            };
            state.assign(&name, value);
        }
        outcome.value.filter(|_| known)
    }

    /// Arithmetic evaluates what a variable holds, subscripts and the commands in them included.
    pub(crate) fn run_evaluated_values(&mut self, expression: &str, state: &State, context: &Context) {
        for name in expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| !name.is_empty()).take(64) {
            if state.variables.contains_key(name)
                && let Slot::Value(Value::Known { text, .. }) = self.variable(name, state)
            {
                self.run_hidden_substitutions(&text, state, context);
            }
        }
    }
}

fn is_star(expansion: &ParameterExpansion) -> bool {
    if expansion.parameter == Parameter::Special('*') {
        return true;
    }
    let part = expansion.subscript.as_ref().and_then(|word| word.parts.first());
    part.is_some_and(|part| match &part.kind {
        sekisho_shell_syntax::tree::PartKind::Literal(text) | sekisho_shell_syntax::tree::PartKind::Glob(text) => text == "*",
        _ => false,
    })
}

fn is_plain(operation: &ParameterOperation) -> bool {
    !matches!(operation, ParameterOperation::NamesWithPrefix | ParameterOperation::Keys)
}

fn positional(index: usize, state: &State) -> Found {
    match &state.positional.words {
        Some(words) => match index.checked_sub(1).and_then(|index| words.get(index)) {
            Some(value) => Found::One(value.clone()),
            None => Found::Unset,
        },
        None => Found::One(Value::Dynamic(Partial::unknown(Cause::Variable(index.to_string())))),
    }
}

/// Nothing there is nothing, whatever the form.
fn settle(found: Found) -> Found {
    match found {
        Found::Many(values) if values.is_empty() => Found::Many(values),
        other => other,
    }
}

/// The word that stands in for the parameter, where it is known to.
fn replacement_word<'a>(expansion: &'a ParameterExpansion, found: &Found) -> Option<&'a Word> {
    let missing = |colon: bool| match found {
        Found::Unset => true,
        Found::One(Value::Known { text, .. }) => colon && text.is_empty(),
        Found::Many(values) => values.is_empty(),
        Found::One(_) => false,
    };
    match &expansion.operation {
        ParameterOperation::Default { colon, word } | ParameterOperation::Assign { colon, word } => missing(*colon).then_some(word),
        ParameterOperation::Alternative { colon, word } => {
            let set = match found {
                Found::One(Value::Dynamic(partial)) => !partial.may_be_empty,
                _ => !missing(*colon),
            };
            set.then_some(word)
        }
        _ => None,
    }
}

/// What is still known of an unknown value after an operation.
fn less_known(operation: &ParameterOperation, partial: Partial) -> Value {
    let cause = match partial.cause {
        Cause::PathUnder { .. } | Cause::Temporary => Cause::Unknown,
        cause => cause,
    };
    let (prefix, suffix) = match operation {
        // A cut at one end leaves the other as it was, unless the whole value goes.
        ParameterOperation::RemovePrefix { longest: false, .. } => (String::new(), partial.suffix),
        _ => (String::new(), String::new()),
    };
    Value::Dynamic(Partial { prefix, suffix, cause, may_be_empty: true, may_split: false, globbed: false, otherwise: None })
}

fn literal_prefix(pattern: &str) -> String {
    pattern.chars().take_while(|c| !matches!(c, '*' | '?' | '[' | '\\')).collect()
}
