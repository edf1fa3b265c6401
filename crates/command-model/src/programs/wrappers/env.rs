//! env(1), GNU coreutils 9.5, with `-S` read the way env reads it.

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Cause, Partial, Provenance, Value};
use crate::carried::{Carried, Change};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin};
use crate::option_grammar::{Found, Grammar, OptionSpec, parse};
use crate::programs::text_carriers::words::{
    asks_for_help, assignment, described, flag, glued, inert, named, named_flag, span_of, value,
};

const OPTIONS: &[OptionSpec] = &[
    named_flag("clear", &["-i", "--ignore-environment"]),
    named("unset", &["-u", "--unset"]),
    named("directory", &["-C", "--chdir"]),
    named("split", &["-S", "--split-string"]),
    value(&["-P", "-a", "--argv0"]),
    flag(&["-0", "--null", "-v", "--debug", "--list-signal-handling"]),
    glued(&["--block-signal", "--default-signal", "--ignore-signal"]),
];

/// A string may hold another `-S`; more than this many is nothing anybody writes.
const SPLITS: usize = 8;

/// Says what the command does.
pub(super) fn understand(invocation: &Invocation<'_>) -> Understood {
    let mut understood = described();
    let mut arguments = invocation.arguments.to_vec();
    let grammar = Grammar::leading(OPTIONS);
    let mut parsed = parse(&grammar, &arguments);
    for _ in 0..SPLITS {
        let Some(found) = parsed.options.iter().find(|option| option.id == Some("split")).cloned() else {
            break;
        };
        match splice(&found, &arguments, invocation) {
            Some(spliced) => {
                arguments = spliced;
                parsed = parse(&grammar, &arguments);
            }
            None => {
                let kind = match &found.value {
                    Some(Value::Known { .. }) | None => EffectKind::Unknown("env -S".to_owned()),
                    Some(_) => EffectKind::Execute { origin: Origin::Unknown, what: "env -S".to_owned() },
                };
                understood.effects.push(Effect::new(kind, Family::General, found.span));
                return understood;
            }
        }
    }
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut change = Change {
        clear_environment: parsed.has("clear"),
        unset: parsed.values("unset").filter_map(|name| name.known().map(str::to_owned)).collect(),
        directory: parsed.value("directory").cloned(),
        ..Change::default()
    };
    let mut position = 0;
    if parsed.operand(&arguments, 0).is_some_and(|word| word.known() == Some("-")) {
        change.clear_environment = true;
        position = 1;
    }
    while let Some((name, value)) = parsed.operand(&arguments, position).and_then(assignment) {
        change.environment.push((name, value));
        position += 1;
    }
    let words = parsed.from_operand(&arguments, position);
    for option in parsed.unknown() {
        understood.effects.push(Effect::new(EffectKind::Unknown(format!("env {}", option.written)), Family::General, option.span));
    }
    if words.is_empty() {
        if !change.clear_environment {
            let span = span_of(invocation.arguments);
            understood.effects.push(Effect::new(EffectKind::Disclose("environment".to_owned()), Family::General, span));
        }
        return understood;
    }
    // `env $X cmd`: the unknown word may be assignments, options or nothing.
    if let Some(Argument { value: Value::Dynamic(partial), span, .. }) = words.first()
        && partial.may_split
        && partial.prefix.is_empty()
        && words.len() > 1
    {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, *span));
        let rest = words.get(1..).unwrap_or_default();
        let carried = Carried::command(rest.to_vec(), span_of(rest));
        understood.carried.push(Carried { change: change.clone(), certain: false, ..carried });
    }
    understood.carried.insert(0, Carried { change, ..Carried::command(words.to_vec(), span_of(words)) });
    understood
}

/// The arguments with a `-S` string replaced by its words; `None` where they cannot be known or env refuses the string.
fn splice(found: &Found, arguments: &[Argument], invocation: &Invocation<'_>) -> Option<Vec<Argument>> {
    let text = found.value.as_ref()?.known()?;
    let words = split(text, found.span, invocation.variable)?;
    let written = arguments.get(found.index)?;
    // In a cluster (`-vS…`) the letters before the S stay options.
    let mut spliced = arguments.get(..found.index)?.to_vec();
    let known = written.known()?;
    let mut next = found.index + 1;
    if known.starts_with("--") {
        if !known.contains('=') {
            next += 1;
        }
    } else {
        let before = known.split_once('S')?.0;
        if before.len() > 1 {
            spliced.push(Argument { value: Value::literal(before), ..written.clone() });
        }
        if known.len() == before.len() + 1 {
            next += 1;
        }
    }
    spliced.extend(words);
    spliced.extend_from_slice(arguments.get(next..).unwrap_or_default());
    Some(spliced)
}

/// Splits a `-S` string: blanks separate, quotes group, backslash escapes, `#` at a word's start ends, `${NAME}` expands.
/// `None` where env gives an error.
pub(super) fn split(text: &str, span: Span, variable: &dyn Fn(&str) -> Option<Value>) -> Option<Vec<Argument>> {
    let mut words = Words { done: Vec::new(), current: None, span };
    let mut letters = text.chars().peekable();
    let mut quote = None;
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (None, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r') => words.end(),
            (None, '#') if words.current.is_none() => break,
            (None, '\'' | '"') => {
                quote = Some(letter);
                words.push("");
            }
            (Some(open), mark) if open == mark => quote = None,
            (Some('\''), '\\') => match letters.next_if(|next| matches!(next, '\\' | '\'')) {
                Some(escaped) => words.push(escaped.encode_utf8(&mut [0; 4])),
                None => words.push("\\"),
            },
            (_, '\\') => match letters.next()? {
                'c' if quote.is_none() => break,
                '_' if quote.is_none() => words.end(),
                '_' => words.push(" "),
                'f' => words.push("\u{c}"),
                'n' => words.push("\n"),
                'r' => words.push("\r"),
                't' => words.push("\t"),
                'v' => words.push("\u{b}"),
                escaped @ ('#' | '$' | '"' | '\'' | '\\') => words.push(escaped.encode_utf8(&mut [0; 4])),
                _ => return None,
            },
            (None | Some('"'), '$') => {
                letters.next_if_eq(&'{')?;
                let mut name = String::new();
                loop {
                    match letters.next()? {
                        '}' => break,
                        part if part.is_ascii_alphanumeric() || part == '_' => name.push(part),
                        _ => return None,
                    }
                }
                words.expand(&name, variable);
            }
            (_, other) => words.push(other.encode_utf8(&mut [0; 4])),
        }
    }
    if quote.is_some() {
        return None;
    }
    words.end();
    Some(words.done)
}

struct Words {
    done: Vec<Argument>,
    current: Option<Value>,
    span: Span,
}

impl Words {
    fn push(&mut self, text: &str) {
        match self.current.get_or_insert_with(|| Value::literal("")) {
            Value::Known { text: known, .. } => known.push_str(text),
            Value::Dynamic(partial) => partial.suffix.push_str(text),
            Value::Glob { pattern } => pattern.push_str(text),
        }
    }

    fn expand(&mut self, name: &str, variable: &dyn Fn(&str) -> Option<Value>) {
        self.push("");
        let known = variable(name).and_then(|value| value.known().map(str::to_owned));
        match (&mut self.current, known) {
            (Some(Value::Known { text, provenance }), Some(value)) => {
                text.push_str(&value);
                *provenance = Provenance::Known;
            }
            (Some(Value::Known { text, .. }), None) => {
                let prefix = std::mem::take(text);
                self.current = Some(Value::Dynamic(Partial { prefix, ..Partial::unknown(Cause::Variable(name.to_owned())) }));
            }
            (Some(Value::Dynamic(partial)), value) => match value {
                Some(value) => partial.suffix.push_str(&value),
                None => {
                    partial.suffix.clear();
                    partial.cause = Cause::Unknown;
                }
            },
            _ => {}
        }
    }

    fn end(&mut self) {
        if let Some(value) = self.current.take() {
            self.done.push(Argument { value, quoted: true, span: self.span });
        }
    }
}
