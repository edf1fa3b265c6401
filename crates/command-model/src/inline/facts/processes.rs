//! Calls that run something: a command, code, a module.

use std::rc::Rc;

use super::call::Call;
use super::{FACT_BUDGET, Facts, UNKNOWN_PART, module_path};
use crate::argument::{Argument, Cause, Partial, Value};
use crate::carried::Carried;
use crate::effect::Origin;
use crate::inline::expression::Expression;
use crate::inline::extract::Given;
use crate::inline::meaning::Meaning;

impl Facts {
    pub(super) fn run(&mut self, call: &Call<'_>, skip: usize, named: bool) -> Expression {
        let positional: Vec<&Expression> = call.positional().skip(skip).collect();
        let by_name = call.keyword(&["args", "command", "cmd"]);
        // `"ls".execute()`: the command is what the method is called on.
        let receiver = call.receiver.filter(|receiver| receiver.is_text() || matches!(receiver, Expression::List(_)));
        let Some(first) = positional.first().copied().or(by_name.as_ref()).or(receiver) else {
            self.execute(Origin::Inline, &call.label());
            return Expression::Unknown;
        };
        // `Deno.Command("rm", {args: ["-rf", "/"]})`.
        let listed: Vec<&Expression> =
            by_name.iter().filter(|list| positional.len() == 1 && matches!(list, Expression::List(_))).collect();
        let rest = if listed.is_empty() { positional.get(1..).unwrap_or_default() } else { listed.as_slice() };
        let shell = call.keyword(&["shell"]).is_some_and(|value| !matches!(value.path(), Some("false" | "False" | "nil" | "0")));
        match first {
            Expression::List(words) if shell => {
                if let Some(value) = words.first() {
                    self.shell(value, call);
                }
            }
            Expression::List(words) => self.words(words.to_vec(), call),
            Expression::Path(_) | Expression::Pattern(_) | Expression::Unknown => self.execute(Origin::Inline, &call.label()),
            Expression::Choice(values) if rest.is_empty() => {
                for value in values.iter() {
                    self.shell(value, call);
                }
            }
            Expression::Text(_) | Expression::Choice(_) => {
                let program = first.to_value();
                let is_text = program.known().is_none_or(|text| text.contains(char::is_whitespace));
                match rest.first() {
                    Some(Expression::List(words)) => {
                        let words = words.iter().skip(usize::from(named)).map(Rc::clone);
                        self.words(std::iter::once(program).chain(words).collect(), call);
                    }
                    Some(_) if named || call.language.separate_words => {
                        let others = rest.iter().skip(usize::from(named)).flat_map(|value| value.to_values());
                        self.words(std::iter::once(program).chain(others).collect(), call);
                    }
                    Some(Expression::Path(_) | Expression::Unknown) if !is_text && !call.language.separate_words => {
                        let words = Value::Dynamic(Partial { may_split: true, ..Partial::unknown(Cause::Unknown) });
                        self.words(vec![program, Rc::new(words)], call);
                    }
                    _ => self.shell(&program, call),
                }
            }
        }
        Expression::Unknown
    }

    /// Text for a shell.
    pub(super) fn shell(&mut self, value: &Rc<Value>, call: &Call<'_>) {
        match &**value {
            Value::Known { .. } | Value::Glob { .. } => {
                let source = self.keep(value);
                self.carry(Carried::shell(source, Vec::new(), self.span));
            }
            Value::Dynamic(partial) if partial.cause == Cause::Remote => self.execute(Origin::Fetched, &call.label()),
            Value::Dynamic(partial) => {
                self.execute(Origin::Inline, &call.label());
                // What is known of the text still says which program runs, and on what.
                if partial.prefix.trim_start().contains(char::is_whitespace) {
                    let text = format!("{}{UNKNOWN_PART}{}", partial.prefix, partial.suffix);
                    let source = self.keep(&Value::literal(text));
                    self.carry(Carried::shell(source, Vec::new(), self.span));
                }
            }
        }
    }

    /// The words of a command.
    pub(super) fn words(&mut self, words: Vec<Rc<Value>>, call: &Call<'_>) {
        if words.first().is_none_or(|word| word.known().is_none()) {
            return self.execute(Origin::Inline, &call.label());
        }
        let mut arguments = Vec::new();
        for word in words.iter().take(FACT_BUDGET) {
            let value = self.keep(word);
            arguments.push(Argument { quoted: true, ..Argument::with(value, self.span) });
        }
        self.carry(Carried::command(arguments, self.span));
    }

    pub(super) fn evaluate(&mut self, call: &Call<'_>) -> Expression {
        let values: Vec<&Expression> = call.positional().collect();
        if values.iter().any(|value| value.is_remote()) {
            self.execute(Origin::Fetched, &call.label());
            return Expression::Unknown;
        }
        // `new Function(a, b, body)` has the code last, `exec(code, globals)` first.
        let code = if call.path.ends_with("Function") { values.last() } else { values.first() };
        match code.map(|value| (value, value.known())) {
            Some((_, Some(text))) => self.nested.push(text.to_owned()),
            // A compiled text was seen when it was compiled; a block is read where it stands.
            Some((Expression::Unknown, None)) if call.language.bare_calls => {}
            _ => self.execute(Origin::Inline, &call.label()),
        }
        Expression::Unknown
    }

    pub(super) fn apply(&mut self, call: &Call<'_>) -> Expression {
        let function = call.argument(0);
        // PHP names functions by strings.
        let Some(path) = function.path().or(function.known()) else { return self.passed_on(call) };
        let rest: Vec<Given> = match call.receiver {
            Some(receiver @ (Expression::List(_) | Expression::Text(_))) => vec![Given { keyword: None, value: receiver.clone() }],
            _ => call.given.iter().skip(1).cloned().collect(),
        };
        match call.language.function(path, false) {
            Some(meaning) => {
                let each = Call { language: call.language, path, receiver: None, given: &rest };
                if matches!(meaning, Meaning::Run { .. } | Meaning::Shell)
                    && matches!(rest.first().map(|given| &given.value), Some(Expression::List(_)))
                {
                    self.execute(Origin::Inline, &each.label());
                } else {
                    self.perform(meaning, &each);
                }
            }
            None => self.code.harmless = false,
        }
        Expression::Unknown
    }

    pub(super) fn import_call(&mut self, call: &Call<'_>) -> Expression {
        match call.argument(0).known() {
            Some(path) if path.ends_with(".json") => {
                self.reads(&call.argument(0));
                Expression::Unknown
            }
            Some(module) => {
                let module = module_path(module);
                self.import(call.language, &module);
                Expression::Path(module.into())
            }
            None => {
                self.execute(Origin::Local, &call.label());
                Expression::Unknown
            }
        }
    }
}
