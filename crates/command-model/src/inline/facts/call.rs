//! One call and its arguments.

use std::rc::Rc;

use crate::argument::{Cause, Value};
use crate::inline::expression::{Expression, join_path};
use crate::inline::extract::Given;
use crate::inline::meaning::{Language, Which};

/// One call.
pub(super) struct Call<'a> {
    pub language: &'a Language,
    pub path: &'a str,
    pub receiver: Option<&'a Expression>,
    pub given: &'a [Given],
}

impl Call<'_> {
    /// Words for people: what is called.
    pub(super) fn label(&self) -> String {
        match self.path {
            "`" => "a command in backticks".to_owned(),
            path => format!("{path}(…)"),
        }
    }

    pub(super) fn positional(&self) -> impl Iterator<Item = &Expression> {
        self.given.iter().filter(|given| given.keyword.is_none()).map(|given| &given.value)
    }

    pub(super) fn keyword(&self, names: &[&str]) -> Option<Expression> {
        self.given
            .iter()
            .find(|given| given.keyword.as_deref().is_some_and(|name| names.contains(&name)))
            .map(|given| given.value.clone())
    }

    pub(super) fn argument(&self, number: usize) -> Expression {
        let named: &[&str] = match number {
            0 => &["path", "src", "source", "name", "file", "filename", "top", "url", "from"],
            1 => &["dst", "destination", "mode", "target", "to"],
            _ => &[],
        };
        self.positional().nth(number).cloned().or_else(|| self.keyword(named)).unwrap_or(Expression::Unknown)
    }

    pub(super) fn receiver_value(&self) -> Expression {
        match self.receiver {
            Some(receiver) => receiver.clone(),
            // `path.unlink()` where nothing is known of `path`.
            None => match self.path.rsplit_once('.') {
                Some((before, _)) => Expression::dynamic(Cause::Variable(before.to_owned())),
                None => Expression::Unknown,
            },
        }
    }

    /// What the method is called on where that is a value, the first argument elsewhere.
    pub(super) fn subject(&self) -> Expression {
        self.receiver.cloned().unwrap_or_else(|| self.argument(0))
    }

    pub(super) fn one(&self, which: Which) -> Expression {
        match which {
            Which::Argument(number) => self.argument(number),
            Which::All => self.argument(0),
            Which::Receiver => self.receiver_value(),
            Which::Either => self.subject(),
        }
    }

    pub(super) fn values(&self, which: Which) -> Vec<Rc<Value>> {
        match which {
            Which::All if self.positional().next().is_some() => self.positional().flat_map(Expression::to_values).collect(),
            which => self.one(which).to_values(),
        }
    }

    /// The option is given and true, or options are given that are not known.
    pub(super) fn asks(&self, option: &str) -> bool {
        match self.keyword(&[option]) {
            Some(value) => !matches!(value.path(), Some("false" | "False" | "FALSE" | "0" | "nil")),
            None => self.positional().skip(1).any(|value| matches!(value, Expression::Path(name) if !is_callback(name))),
        }
    }

    pub(super) fn address(&self) -> Expression {
        self.positional()
            .find(|value| {
                matches!(&*value.to_value(), Value::Known { text, .. } if text.contains("://"))
                    || matches!(&*value.to_value(), Value::Dynamic(partial) if partial.prefix.contains("://"))
            })
            .cloned()
            .unwrap_or_else(|| self.argument(0))
    }

    pub(super) fn join(&self) -> Expression {
        let mut parts = self.receiver.into_iter().chain(self.positional());
        let Some(first) = parts.next() else { return Expression::Unknown };
        let mut joined = first.clone();
        for part in parts {
            joined = match part {
                // `File.join(list)` and the like.
                Expression::List(values) if values.len() <= 64 => {
                    values.iter().fold(joined, |joined, value| join_path(&joined, &Expression::Text(Rc::clone(value))))
                }
                part => join_path(&joined, part),
            };
        }
        joined
    }
}

/// Names that callbacks have, which stand where options may.
fn is_callback(name: &str) -> bool {
    matches!(name, "callback" | "cb" | "done" | "next" | "resolve" | "reject") || name.starts_with("console.")
}
