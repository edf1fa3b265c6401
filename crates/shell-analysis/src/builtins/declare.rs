//! `export`, `declare`, `typeset`, `local`, `readonly`, `unset`.

use std::rc::Rc;

use sekisho_command_model::{Argument, Value};

use crate::engine::Engine;
use crate::expansion::variable::unknown;
use crate::state::{Content, Slot, State};

/// Options of one declaration.
#[derive(Debug, Default, Clone, Copy)]
struct Flags {
    export: bool,
    array: bool,
    functions: bool,
    reference: bool,
    transforms: bool,
}

impl Engine<'_> {
    /// Declares each operand.
    pub(super) fn declare(&mut self, program: &str, arguments: &[Argument], state: &mut State) {
        let mut flags = Flags { export: program == "export", ..Flags::default() };
        let in_function = !state.shadowed.is_empty();
        let mut local = in_function && matches!(program, "local" | "declare" | "typeset");
        for argument in arguments {
            let text = self.markers.text_of(&argument.value);
            let letters = text.strip_prefix(['-', '+']).filter(|letters| !letters.is_empty() && !letters.contains('='));
            if let Some(letters) = letters {
                for letter in letters.chars() {
                    match letter {
                        'x' => flags.export = true,
                        'a' | 'A' => flags.array = true,
                        'f' | 'F' | 'p' => flags.functions = true,
                        'n' if program != "export" => flags.reference = true,
                        'i' | 'l' | 'u' => flags.transforms = true,
                        'g' => local = false,
                        _ => {}
                    }
                }
                continue;
            }
            if flags.functions {
                continue;
            }
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (text.as_str(), None),
            };
            let (name, append) = match name.strip_suffix('+') {
                Some(name) => (name, true),
                None => (name, false),
            };
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                continue;
            }
            if local {
                state.shadow(name);
            }
            match value {
                Some(_) if flags.reference || flags.transforms => state.assign(name, unknown(name)),
                // `declare -a x=(…)` as one word: its elements are not told apart.
                Some(value) if value.starts_with('(') && flags.array => state.assign(name, unknown(name)),
                Some(value) => {
                    let before = if append {
                        match self.variable(name, state) {
                            Slot::Value(before) => self.markers.text_of(&before),
                            Slot::Unset => String::new(),
                        }
                    } else {
                        String::new()
                    };
                    let value = self.markers.value_of(format!("{before}{value}"), sekisho_command_model::Provenance::Known);
                    state.assign(name, value);
                }
                None if flags.array => state.assign_content(name, Content::Array(Vec::new())),
                None if local => state.assign_slot(name, Slot::Unset),
                None if flags.export && !state.variables.contains_key(name) => {
                    if let slot @ Slot::Value(Value::Known { .. }) = self.inherited(name, state) {
                        state.assign_slot(name, slot);
                    }
                }
                None => {}
            }
            if flags.export {
                state.export(name);
            }
        }
    }
}

/// `unset [-f] [-v] names`
pub(super) fn unset(arguments: &[Argument], state: &mut State) {
    let mut functions = false;
    let mut variables = true;
    for argument in arguments {
        match argument.known() {
            Some("-f") => (functions, variables) = (true, false),
            Some("-v") => (functions, variables) = (false, true),
            Some(name) => {
                if let Some((name, key)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
                    let content = match state.variables.get(name).map(|variable| &variable.content) {
                        Some(Content::Array(elements)) => Some(elements.iter().filter(|(own, _)| own != key).cloned().collect()),
                        _ => None,
                    };
                    if let Some(elements) = content {
                        state.assign_content(name, Content::Array(elements));
                    }
                    continue;
                }
                let known = state.variables.contains_key(name);
                if variables && (known || !state.functions.contains_key(name)) {
                    state.assign_slot(name, Slot::Unset);
                } else if functions || !known {
                    Rc::make_mut(&mut state.functions).remove(name);
                }
            }
            None => {}
        }
    }
}
