//! `read`, `mapfile`: variables from standard input.

use sekisho_command_model::{Argument, Cause, Partial, Provenance, Stream, Value};

use super::slot;
use crate::engine::{Context, Engine};
use crate::expansion::chunk::fields;
use crate::expansion::split::{Separators, split};
use crate::state::{ALTERNATIVES, Content, Slot, State};

impl Engine<'_> {
    /// `read [options] [names]`. Every line of a known input is a possibility: a loop reads them one by one.
    pub(super) fn read(&mut self, arguments: &[Argument], state: &mut State, context: &Context) {
        let mut names: Vec<String> = Vec::new();
        let mut array = None;
        let mut delimiter = Some('\n');
        let mut other_input = false;
        let mut index = 0;
        while let Some(argument) = arguments.get(index) {
            index += 1;
            let Some(text) = argument.known() else { continue };
            let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty() && *letters != "-") else {
                names.push(text.to_owned());
                continue;
            };
            let mut characters = letters.chars();
            while let Some(letter) = characters.next() {
                if !"adinNptu".contains(letter) {
                    continue;
                }
                let rest = characters.as_str().to_owned();
                let value = if rest.is_empty() {
                    index += 1;
                    arguments.get(index - 1).and_then(Argument::known).unwrap_or_default().to_owned()
                } else {
                    rest
                };
                match letter {
                    'a' => array = Some(value),
                    'd' => delimiter = Some(value.chars().next().unwrap_or('\0')),
                    'n' | 'N' => delimiter = None,
                    'u' => other_input = true,
                    _ => {}
                }
                break;
            }
        }
        if names.is_empty() && array.is_none() {
            names.push("REPLY".to_owned());
        }
        let input = if other_input { Stream::Unknown } else { (*context.input).clone() };
        let lines = delimiter.and_then(|delimiter| self.lines(&input, delimiter));
        if let Some(array) = array {
            let content = match lines.as_deref() {
                Some([line]) => Content::Array(numbered(self.split_line(line, state))),
                _ => Content::Scalar(vec![slot(unknown_input(&input))]),
            };
            state.assign_content(&array, content);
        }
        let Some(lines) = lines.filter(|lines| !lines.is_empty() && lines.len() <= ALTERNATIVES) else {
            let value = if names.len() == 1 { unknown_input(&input) } else { unknown_input(&Stream::Unknown) };
            for name in &names {
                state.assign(name, value.clone());
            }
            return;
        };
        let separators = self.separators(state);
        let mut possible: Vec<Vec<Slot>> = vec![Vec::new(); names.len()];
        for line in &lines {
            let values = self.assign_fields(line, names.len(), &separators, state);
            for (slots, value) in possible.iter_mut().zip(values) {
                let value = slot(value);
                if !slots.contains(&value) {
                    slots.push(value);
                }
            }
        }
        for (name, slots) in names.iter().zip(possible) {
            state.assign_content(name, Content::Scalar(slots));
        }
    }

    /// The fields of a line for `count` variables; the last takes what is left.
    fn assign_fields(&mut self, line: &str, count: usize, separators: &Separators, state: &State) -> Vec<Value> {
        let Some(characters) = &separators.0 else { return vec![unknown_input(&Stream::Unknown); count] };
        let is_space = |c: char| c.is_whitespace() && characters.contains(c);
        if count == 1 {
            return vec![self.markers.value_of(line.trim_matches(is_space).to_owned(), Provenance::Known)];
        }
        let mut values = Vec::new();
        let mut rest = line.trim_start_matches(is_space);
        for position in 0..count {
            if position + 1 == count {
                values.push(self.markers.value_of(rest.trim_end_matches(is_space).to_owned(), Provenance::Known));
                break;
            }
            let (field, after) = match rest.find(|c: char| characters.contains(c)) {
                Some(at) => {
                    let field = rest.get(..at).unwrap_or_default();
                    let mut after = rest.get(at..).unwrap_or_default().trim_start_matches(is_space);
                    if let Some(next) = after.chars().next().filter(|next| characters.contains(*next)) {
                        after = after.get(next.len_utf8()..).unwrap_or_default().trim_start_matches(is_space);
                    }
                    (field, after)
                }
                None => (rest, ""),
            };
            values.push(self.markers.value_of(field.to_owned(), Provenance::Known));
            rest = after;
        }
        let _ = state;
        values
    }

    fn split_line(&mut self, line: &str, state: &State) -> Vec<Value> {
        let mut chunks = Vec::new();
        split(line, &self.separators(state), true, &mut chunks);
        fields(chunks, sekisho_shell_syntax::span::Span::default(), true)
            .into_iter()
            .map(|word| self.markers.decode_value(word.argument.value))
            .collect()
    }

    /// `mapfile [-t] [-d C] NAME`
    pub(super) fn read_array(&mut self, arguments: &[Argument], state: &mut State, context: &Context) {
        let mut name = "MAPFILE".to_owned();
        let mut delimiter = '\n';
        let mut index = 0;
        while let Some(argument) = arguments.get(index) {
            index += 1;
            match argument.known() {
                Some("-d") => {
                    delimiter = arguments.get(index).and_then(Argument::known).and_then(|text| text.chars().next()).unwrap_or('\0');
                    index += 1;
                }
                Some("-n" | "-O" | "-s" | "-u" | "-C" | "-c") => index += 1,
                Some(text) if !text.starts_with('-') => text.clone_into(&mut name),
                _ => {}
            }
        }
        let content = match self.lines(&context.input.clone(), delimiter) {
            Some(lines) if lines.len() <= 1024 => {
                Content::Array(numbered(lines.into_iter().map(|line| self.markers.value_of(line, Provenance::Known)).collect()))
            }
            _ => Content::Scalar(vec![slot(unknown_input(&context.input))]),
        };
        state.assign_content(&name, content);
    }

    /// The lines of a known stream.
    fn lines(&mut self, input: &Stream, delimiter: char) -> Option<Vec<String>> {
        let text = match input {
            Stream::Known(text) => text.clone(),
            Stream::Words(values) => crate::flow::join_words(&mut self.markers, values),
            _ => return None,
        };
        let trimmed = text.strip_suffix(delimiter).unwrap_or(&text);
        Some(trimmed.split(delimiter).map(str::to_owned).collect())
    }
}

fn numbered(values: Vec<Value>) -> Vec<(String, Value)> {
    values.into_iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect()
}

/// A line of an input that is not known.
fn unknown_input(input: &Stream) -> Value {
    let cause = match input {
        Stream::Paths { roots, selection } => Cause::PathUnder { roots: roots.clone(), selection: selection.clone() },
        Stream::Remote => Cause::Remote,
        Stream::TemporaryPath => {
            return Value::Dynamic(Partial {
                prefix: "/tmp/".to_owned(),
                may_be_empty: false,
                ..Partial::unknown(Cause::Temporary)
            });
        }
        _ => Cause::Input,
    };
    Value::Dynamic(Partial::unknown(cause))
}
