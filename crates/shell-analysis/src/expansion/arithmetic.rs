//! `$((…))` and `((…))` over values that are known.
//!
//! Integers of 64 bits that wrap, as bash has them (Bash Reference Manual 5.2, 6.5 Shell Arithmetic). Anything not known makes
//! the whole expression unknown.

use std::collections::BTreeMap;

/// Deepest nesting of parentheses, unary and ternary operators.
const DEPTH: u32 = 64;
/// Longest expression.
const LENGTH: usize = 4096;

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Number(i64),
    Name(String),
    Operator(&'static str),
}

/// Longest first, so that `<<=` is not read as `<<`.
const OPERATORS: &[&str] = &[
    "<<=", ">>=", "**", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
    "+", "-", "*", "/", "%", "<", ">", "=", "!", "~", "&", "|", "^", "?", ":", "(", ")", ",",
];

/// What an expression comes to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Outcome {
    /// Its value, where known.
    pub(crate) value: Option<i64>,
    /// Variables it assigns; `None`: assigned something that is not known.
    pub(crate) assigned: Vec<(String, Option<i64>)>,
}

/// Evaluates `expression`; `lookup` gives a variable's value, `Some(0)` for one that is unset.
pub(crate) fn evaluate(expression: &str, lookup: &dyn Fn(&str) -> Option<i64>) -> Outcome {
    let Some(tokens) = tokenize(expression) else { return Outcome::default() };
    if tokens.is_empty() {
        return Outcome { value: Some(0), assigned: Vec::new() };
    }
    let mut evaluator = Evaluator { tokens: &tokens, position: 0, lookup, overlay: BTreeMap::new(), depth: 0 };
    let value = evaluator.comma(true).filter(|_| evaluator.position == tokens.len());
    let assigned = match value {
        Some(_) => evaluator.overlay.into_iter().map(|(name, value)| (name, Some(value))).collect(),
        None => assigned_names(&tokens).into_iter().map(|name| (name, None)).collect(),
    };
    Outcome { value, assigned }
}

/// Names that stand beside an assignment operator.
fn assigned_names(tokens: &[Token]) -> Vec<String> {
    let is_assignment = |token: Option<&Token>| matches!(token, Some(Token::Operator(text)) if matches!(*text, "++" | "--" | "=") || (text.len() > 1 && text.ends_with('=') && !matches!(*text, "<=" | ">=" | "==" | "!=")));
    let is_step = |token: Option<&Token>| matches!(token, Some(Token::Operator("++" | "--")));
    let mut names = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if let Token::Name(name) = token {
            let before = index.checked_sub(1).and_then(|before| tokens.get(before));
            if is_assignment(tokens.get(index + 1)) || is_step(before) {
                names.push(name.clone());
            }
        }
    }
    names
}

fn tokenize(expression: &str) -> Option<Vec<Token>> {
    if expression.len() > LENGTH {
        return None;
    }
    let mut tokens = Vec::new();
    let mut rest = expression.trim_start();
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() || first.is_ascii_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '#' | '@'))).unwrap_or(rest.len());
            let (word, after) = rest.split_at_checked(length)?;
            tokens.push(if first.is_ascii_digit() { Token::Number(number(word)?) } else { Token::Name(word.to_owned()) });
            rest = after;
        } else if first == '\'' || first == '"' {
            rest = rest.get(1..)?;
        } else {
            let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator))?;
            tokens.push(Token::Operator(operator));
            rest = rest.get(operator.len()..)?;
        }
        rest = rest.trim_start();
    }
    Some(tokens)
}

/// A constant: decimal, `0x` hexadecimal, leading-zero octal or `base#digits`.
pub(crate) fn number(text: &str) -> Option<i64> {
    if let Some((base, digits)) = text.split_once('#') {
        let base: u32 = base.parse().ok().filter(|base| (2..=36).contains(base))?;
        return i64::from_str_radix(digits, base).ok();
    }
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return i64::from_str_radix(digits, 16).ok();
    }
    if text.len() > 1 && text.starts_with('0') {
        return i64::from_str_radix(text, 8).ok();
    }
    text.parse().ok()
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    position: usize,
    lookup: &'a dyn Fn(&str) -> Option<i64>,
    overlay: BTreeMap<String, i64>,
    depth: u32,
}

impl Evaluator<'_> {
    fn peek(&self) -> Option<&'static str> {
        match self.tokens.get(self.position) {
            Some(Token::Operator(text)) => Some(text),
            _ => None,
        }
    }

    fn accept(&mut self, operator: &str) -> bool {
        let found = self.peek() == Some(operator);
        if found {
            self.position += 1;
        }
        found
    }

    fn read(&self, name: &str) -> Option<i64> {
        self.overlay.get(name).copied().or_else(|| (self.lookup)(name))
    }

    fn write(&mut self, name: &str, value: i64, live: bool) {
        if live {
            self.overlay.insert(name.to_owned(), value);
        }
    }

    fn comma(&mut self, live: bool) -> Option<i64> {
        let mut value = self.assignment(live)?;
        while self.accept(",") {
            value = self.assignment(live)?;
        }
        Some(value)
    }

    fn assignment(&mut self, live: bool) -> Option<i64> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let value = self.assignment_inner(live);
        self.depth -= 1;
        value
    }

    fn assignment_inner(&mut self, live: bool) -> Option<i64> {
        if let (Some(Token::Name(name)), Some(Token::Operator(operator))) =
            (self.tokens.get(self.position), self.tokens.get(self.position + 1))
        {
            let binary = match *operator {
                "=" => Some(""),
                "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => operator.strip_suffix('='),
                _ => None,
            };
            if let Some(binary) = binary {
                let name = name.clone();
                self.position += 2;
                let right = self.assignment(live)?;
                let value = if binary.is_empty() { right } else { apply(binary, self.read(&name)?, right, live)? };
                self.write(&name, value, live);
                return Some(value);
            }
        }
        let condition = self.binary(0, live)?;
        if self.accept("?") {
            let yes = self.assignment(live && condition != 0)?;
            if !self.accept(":") {
                return None;
            }
            let no = self.assignment(live && condition == 0)?;
            return Some(if condition != 0 { yes } else { no });
        }
        Some(condition)
    }

    fn binary(&mut self, minimum: u8, live: bool) -> Option<i64> {
        let mut left = self.unary(live)?;
        while let Some(operator) = self.peek() {
            let Some(level) = precedence(operator).filter(|level| *level >= minimum) else { break };
            self.position += 1;
            let right_live = live
                && match operator {
                    "&&" => left != 0,
                    "||" => left == 0,
                    _ => true,
                };
            // `**` binds to the right, everything else to the left.
            let right = self.binary(if operator == "**" { level } else { level + 1 }, right_live)?;
            left = apply(operator, left, right, right_live)?;
        }
        Some(left)
    }

    fn unary(&mut self, live: bool) -> Option<i64> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let value = self.unary_inner(live);
        self.depth -= 1;
        value
    }

    fn unary_inner(&mut self, live: bool) -> Option<i64> {
        match self.tokens.get(self.position)?.clone() {
            Token::Number(value) => {
                self.position += 1;
                Some(value)
            }
            Token::Name(name) => {
                self.position += 1;
                let value = self.read(&name)?;
                if self.accept("++") {
                    self.write(&name, value.wrapping_add(1), live);
                } else if self.accept("--") {
                    self.write(&name, value.wrapping_sub(1), live);
                }
                Some(value)
            }
            Token::Operator(operator) => {
                self.position += 1;
                match operator {
                    "(" => {
                        let value = self.comma(live)?;
                        self.accept(")").then_some(value)
                    }
                    "+" => self.unary(live),
                    "-" => self.unary(live).map(i64::wrapping_neg),
                    "!" => self.unary(live).map(|value| i64::from(value == 0)),
                    "~" => self.unary(live).map(|value| !value),
                    "++" | "--" => {
                        let Some(Token::Name(name)) = self.tokens.get(self.position).cloned() else { return None };
                        self.position += 1;
                        let change = if operator == "++" { 1 } else { -1 };
                        let value = self.read(&name)?.wrapping_add(change);
                        self.write(&name, value, live);
                        Some(value)
                    }
                    _ => None,
                }
            }
        }
    }
}

/// Binding strength, weakest first.
fn precedence(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 0,
        "&&" => 1,
        "|" => 2,
        "^" => 3,
        "&" => 4,
        "==" | "!=" => 5,
        "<" | ">" | "<=" | ">=" => 6,
        "<<" | ">>" => 7,
        "+" | "-" => 8,
        "*" | "/" | "%" => 9,
        "**" => 10,
        _ => return None,
    })
}

fn apply(operator: &str, left: i64, right: i64, live: bool) -> Option<i64> {
    let truth = |value: bool| Some(i64::from(value));
    match operator {
        "+" => Some(left.wrapping_add(right)),
        "-" => Some(left.wrapping_sub(right)),
        "*" => Some(left.wrapping_mul(right)),
        "/" if right == 0 && !live => Some(0),
        "%" if right == 0 && !live => Some(0),
        "/" => (right != 0).then(|| left.wrapping_div(right)),
        "%" => (right != 0).then(|| left.wrapping_rem(right)),
        "**" => u32::try_from(right).ok().map(|right| left.wrapping_pow(right)),
        "<<" => Some(left.wrapping_shl(right as u32)),
        ">>" => Some(left.wrapping_shr(right as u32)),
        "<" => truth(left < right),
        ">" => truth(left > right),
        "<=" => truth(left <= right),
        ">=" => truth(left >= right),
        "==" => truth(left == right),
        "!=" => truth(left != right),
        "&" => Some(left & right),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        "&&" => truth(left != 0 && right != 0),
        "||" => truth(left != 0 || right != 0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(expression: &str) -> Option<i64> {
        evaluate(expression, &|name| match name {
            "x" => Some(7),
            "unset" => Some(0),
            _ => None,
        })
        .value
    }

    #[test]
    fn expressions_are_evaluated() {
        for (expression, wanted) in [
            ("1+2*3", Some(7)),
            ("(1+2)*3", Some(9)),
            ("2**3**2", Some(512)),
            ("x > 5 ? 10 : 20", Some(10)),
            ("0x10 + 010 + 2#101", Some(29)),
            ("-x", Some(-7)),
            ("!unset", Some(1)),
            ("1/0", None),
            ("0 && 1/0", Some(0)),
            ("unknown + 1", None),
            ("1 2", None),
            ("", Some(0)),
            ("x++ + 1", Some(8)),
            ("10 - 3 - 2", Some(5)),
        ] {
            assert_eq!(value(expression), wanted, "{expression}");
        }
    }

    #[test]
    fn assignments_are_reported() {
        assert_eq!(evaluate("x = 3, x += 4", &|_| Some(0)).assigned, vec![("x".to_owned(), Some(7))]);
        assert_eq!(evaluate("i++ + 1", &|_| None).assigned, vec![("i".to_owned(), None)]);
        assert_eq!(evaluate("0 && (y = 1)", &|_| Some(0)).assigned, Vec::new());
    }

    #[test]
    fn deep_nesting_is_unknown_not_a_crash() {
        assert_eq!(value(&"(".repeat(2000)), None);
        assert_eq!(value(&format!("{}1", "-".repeat(1999))), None);
    }
}
