//! Variables of inline code: what is assigned to them once, and what loops give them.

use std::rc::Rc;

use super::{Extractor, Shape, Target, dotted};
use crate::argument::Cause;
use crate::inline::expression::Expression;
use crate::inline::token::{Kind, Token};

impl Extractor<'_> {
    pub(super) fn bind_target(&mut self, target: Target, value: Expression, several: bool) {
        let value = if several { Expression::Unknown } else { value };
        match target {
            Target::Name(name) => {
                let again = self.assignments.get(&name).is_some_and(|count| *count > 1);
                let value = match value {
                    // Which of several values it has depends on the way there.
                    value if again && value.path().is_none() => Expression::dynamic(Cause::Variable(name.to_string())),
                    Expression::Unknown => Expression::dynamic(Cause::Variable(name.to_string())),
                    // A variable that is not known has no better name than this one.
                    Expression::Path(path) if path == name => return,
                    value => value,
                };
                self.variables.insert(name, value);
            }
            Target::Names(names) => {
                let module = value.path().map(str::to_owned);
                for (member, local) in names.iter() {
                    let value = match &module {
                        Some(module) => Expression::Path(dotted(module, member)),
                        None => Expression::dynamic(Cause::Variable(local.to_string())),
                    };
                    // Members keep their own name where the object is not known: a sink is known by it.
                    if module.is_some() {
                        self.variables.insert(Rc::clone(local), value);
                    }
                }
            }
            Target::Elsewhere => {}
        }
    }

    pub(super) fn bind(&mut self, name: &Rc<str>, value: Expression) {
        self.variables.insert(Rc::clone(name), value);
    }

    pub(super) fn bind_loop(&mut self, names: &[Rc<str>], value: Option<&Expression>) {
        let environment = value.is_some_and(|value| self.facts.is_environment(self.language, value));
        for name in names {
            let each = match value {
                Some(value) if environment => value.clone(),
                Some(Expression::List(values) | Expression::Choice(values)) if names.len() == 1 => {
                    Expression::Choice(Rc::clone(values))
                }
                _ => Expression::dynamic(Cause::Variable(name.to_string())),
            };
            self.bind(name, each);
        }
    }

    /// Reads `for x in`, `for (const x of`, `foreach my $x (` up to the expression that is looped over.
    pub(super) fn loop_head(&mut self, rest: &[Token]) -> usize {
        self.begin_statement();
        let mut names = Vec::new();
        let mut opened = false;
        for (index, token) in rest.iter().take(16).enumerate() {
            match &token.kind {
                Kind::Name(name) if matches!(&**name, "in" | "of") => {
                    if opened {
                        self.enter(Shape::Group);
                    }
                    self.state().loop_names = names;
                    return index + 1;
                }
                Kind::Name(name) if self.language.modifiers.contains(&&**name) => {}
                Kind::Name(name) => names.push(Rc::clone(name)),
                Kind::Open(b'(') if index == 0 => opened = true,
                Kind::Open(b'(') if self.language.bare_calls && !opened && !names.is_empty() => {
                    self.enter(Shape::Group);
                    self.state().loop_names = names;
                    return index + 1;
                }
                Kind::Open(b'(' | b'[') | Kind::Close(b')' | b']') | Kind::Comma => {}
                _ => break,
            }
        }
        0
    }

    /// `foreach ($list as $key => $value)`: what stands before `as` is looped over.
    pub(super) fn loop_tail(&mut self, rest: &[Token]) {
        let name = |index: usize| match rest.get(index).map(|token| &token.kind) {
            Some(Kind::Name(name)) if name.starts_with('$') => Some(Rc::clone(name)),
            _ => None,
        };
        let Some(first) = name(0).filter(|_| matches!(self.shape(), Shape::Group)) else { return };
        let value = self.take_expression();
        self.bind_loop(&[name(2).unwrap_or(first)], value.as_ref());
    }
}
