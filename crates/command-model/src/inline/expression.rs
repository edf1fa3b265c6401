//! What is known of an expression of inline code.

use std::rc::Rc;

use crate::argument::{Cause, Partial, Provenance, Value};
use crate::effect::Selection;

/// An expression as far as it is known. Copies are cheap: values are shared.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expression {
    /// A string.
    Text(Rc<Value>),
    /// A list of strings.
    List(Rc<[Rc<Value>]>),
    /// One of these strings: the variable of a loop over a list.
    Choice(Rc<[Rc<Value>]>),
    /// A name or a dotted path of names nothing was assigned to: a module, a function, a variable that is not known.
    Path(Rc<str>),
    /// Names taken out of an object: `{execSync, rmSync: remove}`, as member and local name.
    Pattern(Rc<[(Rc<str>, Rc<str>)]>),
    /// Anything else.
    Unknown,
}

/// The longest string that is put together; longer ones are not known.
const LONGEST: usize = 64 * 1024;

impl Expression {
    /// A string written as such.
    pub fn literal(text: &str) -> Self {
        Self::value(Value::literal(text))
    }

    /// A string that comes from the user's surroundings.
    pub fn surrounding(text: &str) -> Self {
        Self::value(Value::Known { text: text.to_owned(), provenance: Provenance::Known })
    }

    /// A string of this value.
    pub fn value(value: Value) -> Self {
        Self::Text(Rc::new(value))
    }

    /// A string not known for this reason.
    pub fn dynamic(cause: Cause) -> Self {
        Self::value(Value::Dynamic(Partial::unknown(cause)))
    }

    /// The string, if it is one and known.
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Text(value) => value.known(),
            _ => None,
        }
    }

    /// The dotted path, if it is one.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Path(path) => Some(path),
            _ => None,
        }
    }

    /// It was fetched from the network.
    pub fn is_remote(&self) -> bool {
        matches!(self, Self::Text(value) if matches!(&**value, Value::Dynamic(partial) if partial.cause == Cause::Remote))
    }

    /// It as one string.
    pub fn to_value(&self) -> Rc<Value> {
        match self {
            Self::Text(value) => Rc::clone(value),
            Self::Choice(values) if values.len() == 1 => values.first().map_or_else(unknown, Rc::clone),
            Self::Path(path) => Rc::new(Value::Dynamic(Partial::unknown(Cause::Variable(path.to_string())))),
            Self::List(_) | Self::Choice(_) | Self::Pattern(_) | Self::Unknown => unknown(),
        }
    }

    /// Every string it may be or holds.
    pub fn to_values(&self) -> Vec<Rc<Value>> {
        match self {
            Self::List(values) | Self::Choice(values) if !values.is_empty() => values.to_vec(),
            other => vec![other.to_value()],
        }
    }

    /// It is a string or a list of them, known or not, and no name.
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Text(_) | Self::Choice(_))
    }
}

/// A value nothing is known of.
fn unknown() -> Rc<Value> {
    Rc::new(Value::Dynamic(Partial::unknown(Cause::Unknown)))
}

/// `left` with `right` behind it, in place where nobody else holds `left`: a long sum is then read in linear time.
pub(super) fn append(mut left: Expression, right: &Expression) -> Expression {
    if let (Expression::Text(first), Expression::Text(second)) = (&mut left, right)
        && let Some(first) = Rc::get_mut(first)
    {
        match (first, &**second) {
            (Value::Known { text, provenance }, Value::Known { text: more, provenance: other })
                if text.len() + more.len() <= LONGEST =>
            {
                text.push_str(more);
                if *other == Provenance::Known {
                    *provenance = Provenance::Known;
                }
                return left;
            }
            (Value::Dynamic(partial), Value::Known { text, .. })
                if partial.prefix.len() + partial.suffix.len() + text.len() <= LONGEST =>
            {
                partial.suffix.push_str(text);
                return left;
            }
            _ => {}
        }
    }
    concatenate(&left, right)
}

/// `left` and `right` one after the other.
fn concatenate(left: &Expression, right: &Expression) -> Expression {
    match (left, right) {
        (Expression::List(first), Expression::List(second)) if first.len() + second.len() <= 1024 => {
            Expression::List(first.iter().chain(second.iter()).map(Rc::clone).collect())
        }
        (Expression::Choice(values), Expression::Text(_)) if values.len() <= 64 => {
            Expression::Choice(values.iter().map(|value| Rc::new(joined(value, &right.to_value()))).collect())
        }
        (Expression::Text(_), Expression::Choice(values)) if values.len() <= 64 => {
            Expression::Choice(values.iter().map(|value| Rc::new(joined(&left.to_value(), value))).collect())
        }
        _ => Expression::value(joined(&left.to_value(), &right.to_value())),
    }
}

/// What a value begins with, ends with, and why the middle is not known.
fn pieces(value: &Value) -> (&str, &str, Option<Cause>) {
    match value {
        Value::Known { text, .. } => (text, "", None),
        Value::Glob { pattern } => (pattern, "", None),
        Value::Dynamic(partial) => (&partial.prefix, &partial.suffix, Some(partial.cause.clone())),
    }
}

fn joined(left: &Value, right: &Value) -> Value {
    let (left_prefix, left_suffix, left_cause) = pieces(left);
    let (right_prefix, right_suffix, right_cause) = pieces(right);
    if left_prefix.len() + left_suffix.len() + right_prefix.len() + right_suffix.len() > LONGEST {
        return Value::Dynamic(Partial::unknown(left_cause.or(right_cause).unwrap_or(Cause::Unknown)));
    }
    let known = if left.provenance() == Provenance::Known || right.provenance() == Provenance::Known {
        Provenance::Known
    } else {
        Provenance::Literal
    };
    let (prefix, suffix, cause) = match (left_cause, right_cause) {
        (None, None) => {
            let text = format!("{left_prefix}{right_prefix}");
            return if matches!(left, Value::Glob { .. }) || matches!(right, Value::Glob { .. }) {
                Value::Glob { pattern: text }
            } else {
                Value::Known { text, provenance: known }
            };
        }
        (None, Some(cause)) => (format!("{left_prefix}{right_prefix}"), right_suffix.to_owned(), cause),
        (Some(cause), None) => (left_prefix.to_owned(), format!("{left_suffix}{right_prefix}"), cause),
        (Some(cause), Some(_)) => (left_prefix.to_owned(), right_suffix.to_owned(), cause),
    };
    Value::Dynamic(Partial { prefix, suffix, ..Partial::unknown(cause) })
}

/// `left` and `right` as path components: an absolute `right` stands alone.
pub(super) fn join_path(left: &Expression, right: &Expression) -> Expression {
    let first = left.to_value();
    let second = right.to_value();
    let (second_prefix, _, second_cause) = pieces(&second);
    if second_prefix.starts_with('/') {
        return right.clone();
    }
    let (first_prefix, first_suffix, first_cause) = pieces(&first);
    let end = if first_cause.is_some() { first_suffix } else { first_prefix };
    if (end.is_empty() && first_cause.is_none()) || (second_prefix.is_empty() && second_cause.is_none()) {
        return if end.is_empty() { right.clone() } else { left.clone() };
    }
    let slash = if end.ends_with('/') { "" } else { "/" };
    concatenate(&concatenate(left, &Expression::literal(slash)), right)
}

/// A leading `~` as the home directory.
pub(super) fn expand_user(expression: &Expression, home: &str) -> Expression {
    let value = expression.to_value();
    match &*value {
        Value::Known { text, .. } => match text.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => Expression::surrounding(&format!("{home}{rest}")),
            Some(_) => Expression::Unknown,
            None => Expression::Text(value),
        },
        Value::Dynamic(partial) => match partial.prefix.strip_prefix('~') {
            Some(rest) if rest.starts_with('/') => {
                Expression::value(Value::Dynamic(Partial { prefix: format!("{home}{rest}"), ..partial.clone() }))
            }
            _ => Expression::Text(value),
        },
        Value::Glob { .. } => Expression::Text(value),
    }
}

/// The words of a string, at white space.
pub(super) fn split(expression: &Expression, separator: Option<&str>) -> Expression {
    let Some(text) = expression.known() else { return Expression::Unknown };
    let words: Vec<&str> = match separator {
        Some(separator) if !separator.is_empty() => text.split(separator).collect(),
        _ => text.split_whitespace().collect(),
    };
    Expression::List(words.into_iter().map(|word| Rc::new(Value::literal(word))).collect())
}

/// The words of a string as a shell would see them, quotes removed (`shlex.split`).
pub(super) fn split_words(expression: &Expression) -> Expression {
    let Some(text) = expression.known() else { return Expression::Unknown };
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, space) if space.is_whitespace() => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    Expression::List(words.into_iter().map(|word| Rc::new(Value::literal(word))).collect())
}

/// The strings of `list` with `separator` between them.
pub(super) fn join_texts(list: &[Rc<Value>], separator: &str) -> Expression {
    let mut text = String::new();
    for (index, value) in list.iter().enumerate() {
        let Some(known) = value.known() else {
            return Expression::value(Value::Dynamic(Partial {
                prefix: if index == 0 { text } else { text + separator },
                ..Partial::unknown(Cause::Unknown)
            }));
        };
        if text.len() + known.len() > LONGEST {
            return Expression::Unknown;
        }
        if index > 0 {
            text.push_str(separator);
        }
        text.push_str(known);
    }
    Expression::literal(&text)
}

/// Whatever matches `pattern`.
pub(super) fn matches(pattern: &Expression) -> Expression {
    let value = pattern.to_value();
    match &*value {
        Value::Known { text, .. } => Expression::List(Rc::new([Rc::new(Value::Glob { pattern: text.clone() })])),
        _ => Expression::List(Rc::new([value])),
    }
}

/// Whatever lies below `root` and has a name like `pattern`, at any depth.
pub(super) fn below(root: &Expression, pattern: Option<&str>) -> Expression {
    let names = pattern.filter(|name| !matches!(*name, "*" | "**" | "**/*")).map(str::to_owned).into_iter().collect();
    let selection = Selection { names, ..Selection::default() };
    let cause = Cause::PathUnder { roots: vec![(*root.to_value()).clone()], selection };
    Expression::List(Rc::new([Rc::new(Value::Dynamic(Partial::unknown(cause)))]))
}
