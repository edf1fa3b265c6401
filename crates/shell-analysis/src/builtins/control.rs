//! `exit`, `return`, `break`, `continue`, `shift`, `set`.

use std::rc::Rc;

use sekisho_command_model::{Argument, Value};

use crate::flow::{Escape, Flow};
use crate::state::{Positional, State};

/// Control leaves.
pub(super) fn leave(program: &str, arguments: &[Argument], state: State) -> Flow {
    let levels = arguments.first().and_then(Argument::known).and_then(|text| text.parse().ok()).unwrap_or(1).max(1);
    let escape = match program {
        "return" => Escape::Return,
        "break" => Escape::Break(levels),
        "continue" => Escape::Continue(levels),
        _ => Escape::Exit,
    };
    Flow::escape(state, escape)
}

/// `shift [n]`
pub(super) fn shift(arguments: &[Argument], state: &mut State) {
    let count = match arguments.first() {
        None => Some(1),
        Some(argument) => argument.known().and_then(|text| text.parse::<usize>().ok()),
    };
    let words = match (&state.positional.words, count) {
        (Some(words), Some(count)) if count <= words.len() => Some(words.iter().skip(count).cloned().collect()),
        (Some(words), Some(_)) => Some(words.clone()),
        _ => None,
    };
    state.positional = Rc::new(Positional { zero: state.positional.zero.clone(), words });
}

/// `set [options] [--] [words]`
pub(super) fn set(arguments: &[Argument], state: &mut State) {
    let mut index = 0;
    let mut replaces = false;
    while let Some(argument) = arguments.get(index) {
        let Some(text) = argument.known() else { break };
        let on = text.starts_with('-');
        let letters = match text {
            "--" => {
                index += 1;
                replaces = true;
                break;
            }
            "-" => {
                index += 1;
                break;
            }
            _ => match text.strip_prefix(['-', '+']) {
                Some(letters) if !letters.is_empty() => letters,
                _ => break,
            },
        };
        index += 1;
        for letter in letters.chars() {
            match letter {
                'e' => state.options.errexit = on,
                'f' => state.options.noglob = on,
                'o' => {
                    match arguments.get(index).and_then(Argument::known) {
                        Some("errexit") => state.options.errexit = on,
                        Some("noglob") => state.options.noglob = on,
                        _ => {}
                    }
                    index += 1;
                }
                _ => {}
            }
        }
    }
    let words = arguments.get(index..).unwrap_or_default();
    if words.is_empty() && !replaces {
        return;
    }
    let exact = words.iter().all(|word| match &word.value {
        Value::Known { .. } => true,
        Value::Glob { .. } => false,
        Value::Dynamic(partial) => !partial.may_split,
    });
    let words = exact.then(|| words.iter().map(|word| word.value.clone()).collect());
    state.positional = Rc::new(Positional { zero: state.positional.zero.clone(), words });
}
