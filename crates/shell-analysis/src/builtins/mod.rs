//! Builtins that change the shell's own state. What else they do, command-model says.

mod control;
mod declare;
mod directory;
mod read;

use sekisho_command_model::{Argument, Value};

use crate::engine::{Context, Engine};
use crate::expansion::variable::unknown;
use crate::flow::{Flow, Status};
use crate::state::{Slot, State};

/// Names that the shell answers to itself.
const BUILTINS: &[&str] = &[
    ".",
    ":",
    "[",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "cd",
    "command",
    "compgen",
    "complete",
    "compopt",
    "continue",
    "declare",
    "dirs",
    "disown",
    "echo",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "getopts",
    "hash",
    "help",
    "history",
    "jobs",
    "kill",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "wait",
    "setopt",
    "unsetopt",
    "autoload",
    "emulate",
    "chdir",
];

/// `program` is a builtin of the shell.
pub(crate) fn is_builtin(program: &str) -> bool {
    BUILTINS.contains(&program)
}

impl Engine<'_> {
    /// What a builtin does to the state.
    pub(crate) fn run_builtin(
        &mut self,
        program: &str,
        arguments: &[Argument],
        mut state: State,
        status: Status,
        context: &Context,
    ) -> Flow {
        self.run_subscripts(program, arguments, &state, context);
        match program {
            "cd" | "chdir" => return self.change_directory(arguments, state, context),
            "pushd" => return self.push_directory(arguments, state, context),
            "popd" => return self.pop_directory(arguments, state, context),
            "dirs" if arguments.iter().any(|argument| argument.known() == Some("-c")) => state.stack = Some(Vec::new()),
            "exit" | "logout" | "return" | "break" | "continue" => return control::leave(program, arguments, state),
            "shift" => control::shift(arguments, &mut state),
            "set" => control::set(arguments, &mut state),
            "export" | "declare" | "typeset" | "local" | "readonly" => self.declare(program, arguments, &mut state),
            "unset" => declare::unset(arguments, &mut state),
            "let" => self.run_let(arguments, &mut state),
            "read" => self.read(arguments, &mut state, context),
            "mapfile" | "readarray" => self.read_array(arguments, &mut state, context),
            "getopts" => {
                if let Some(name) = arguments.get(1).and_then(Argument::known) {
                    let partial = sekisho_command_model::Partial {
                        may_be_empty: false,
                        ..sekisho_command_model::Partial::unknown(sekisho_command_model::Cause::Variable(name.to_owned()))
                    };
                    state.assign(name, Value::Dynamic(partial));
                }
                state.assign("OPTARG", unknown("OPTARG"));
                state.assign("OPTIND", unknown("OPTIND"));
            }
            "printf" => {
                if let [flag, name, ..] = arguments
                    && flag.known() == Some("-v")
                    && let Some(name) = name.known()
                {
                    let name = name.split('[').next().unwrap_or(name).to_owned();
                    let value = self.printf_value(arguments.get(2..).unwrap_or_default(), &state, context);
                    state.assign(&name, value.unwrap_or_else(|| unknown(&name)));
                }
            }
            "alias" => self.declare_aliases(arguments, &mut state, context),
            "unalias" => {
                let aliases = std::rc::Rc::make_mut(&mut state.aliases);
                for argument in arguments {
                    match argument.known() {
                        Some("-a") => aliases.clear(),
                        Some(name) => {
                            aliases.remove(name);
                        }
                        None => {}
                    }
                }
            }
            _ => {}
        }
        Flow::one(state, status)
    }

    /// The commands in subscripts that a builtin evaluates: `unset 'a[$(command)]'`.
    fn run_subscripts(&mut self, program: &str, arguments: &[Argument], state: &State, context: &Context) {
        let named: &[Argument] = match program {
            "let" | "unset" | "read" | "mapfile" | "readarray" | "declare" | "typeset" | "local" | "export" | "readonly"
            | "test" | "[" | "wait" => arguments,
            "printf" if arguments.first().and_then(Argument::known) == Some("-v") => arguments.get(1..2).unwrap_or_default(),
            _ => return,
        };
        for text in named.iter().filter_map(Argument::known) {
            // What stands behind `=` is a value and stays text, but for `let`.
            let place = if program == "let" { text } else { text.split('=').next().unwrap_or(text) };
            if let Some((name, subscript)) = place.split_once('[')
                && !name.is_empty()
                && (program == "let" || name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'))
            {
                self.run_hidden_substitutions(subscript, state, context);
            }
        }
    }

    fn run_let(&mut self, arguments: &[Argument], state: &mut State) {
        for argument in arguments {
            let text = argument.known().unwrap_or("__unknown__").to_owned();
            let outcome = crate::expansion::arithmetic::evaluate(&text, &|name| {
                if name == "__unknown__" { None } else { self.integer(name, state) }
            });
            for (name, value) in outcome.assigned {
                let value = value.map_or_else(|| unknown(&name), |number| crate::expansion::variable::tracked(number.to_string()));
                state.assign(&name, value);
            }
        }
    }

    /// What `printf` would print with these words.
    fn printf_value(&mut self, arguments: &[Argument], state: &State, context: &Context) -> Option<Value> {
        let head = crate::walk::runner::Head { program: "printf".to_owned(), path: None };
        match self.ask(&head, arguments, &context.input, state).output {
            sekisho_command_model::Stream::Known(text) => {
                Some(self.markers.value_of(text, sekisho_command_model::Provenance::Known))
            }
            _ => None,
        }
    }

    fn declare_aliases(&mut self, arguments: &[Argument], state: &mut State, context: &Context) {
        for argument in arguments {
            let text = self.markers.text_of(&argument.value);
            if let Some((name, body)) = text.split_once('=')
                && !name.is_empty()
            {
                let body = Value::literal(body);
                self.define_alias(name, body, state, context);
            }
        }
    }
}

/// A slot with this value.
fn slot(value: Value) -> Slot {
    Slot::Value(value)
}
