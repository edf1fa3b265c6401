//! Words as text: joined to one value, or to shell source in which unknown parts are positional parameters.

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Cause, Partial, Provenance, Value};
use crate::carried::{Carried, ShellStart, What};
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family};
use crate::option_grammar::{OptionSpec, Parsed, ValueArity};
use crate::stream::Stream;

/// An option without a value that changes nothing we follow.
pub(crate) const fn flag(names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id: "flag", names, value: ValueArity::None }
}

/// An option with a value that changes nothing we follow.
pub(crate) const fn value(names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id: "value", names, value: ValueArity::Required }
}

/// An option with a glued value or none that changes nothing we follow.
pub(crate) const fn glued(names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id: "value", names, value: ValueArity::Optional }
}

/// A flag known as `id`.
pub(crate) const fn named_flag(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::None }
}

/// An option with a value known as `id`.
pub(crate) const fn named(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::Required }
}

/// An option with a glued value or none, known as `id`.
pub(crate) const fn named_glued(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::Optional }
}

/// A described command with nothing to say yet.
pub(crate) fn described() -> Understood {
    Understood { described: true, output: Stream::Unknown, ..Understood::default() }
}

/// A described command that does nothing we judge.
pub(crate) fn inert() -> Understood {
    Understood { inert: true, ..described() }
}

/// A form of a known program that nobody described: it may do anything.
pub(crate) fn undescribed(program: &str) -> Understood {
    let unknown = Effect::new(EffectKind::Unknown(program.to_owned()), Family::General, Span::default());
    Understood { effects: vec![unknown], output: Stream::Unknown, unknown_runner: true, ..Understood::default() }
}

/// `--help` or `--version` stands among the options.
pub(crate) fn asks_for_help(parsed: &Parsed) -> bool {
    parsed.options.iter().any(|option| matches!(option.written.as_str(), "--help" | "--version"))
}

/// The span from the first word to the last.
pub(crate) fn span_of(words: &[Argument]) -> Span {
    let first = words.first().map_or_else(Span::default, |word| word.span);
    words.last().map_or(first, |word| first.to(word.span))
}

/// A word made from known text, standing where `span` says.
pub(crate) fn word(text: impl Into<String>, span: Span) -> Argument {
    Argument { span, ..Argument::literal(text) }
}

/// The last component of a program's path, without the extensions of Windows programs.
pub(crate) fn program_name(text: &str) -> &str {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let stem = name.rsplit_once('.').filter(|(stem, extension)| {
        !stem.is_empty() && ["exe", "com", "bat", "cmd"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    });
    stem.map_or(name, |(stem, _)| stem)
}

/// `NAME=VALUE`, with a name a shell would accept.
pub(crate) fn assignment(argument: &Argument) -> Option<(String, Value)> {
    let text = match &argument.value {
        Value::Known { text, .. } => text,
        Value::Glob { pattern } => pattern,
        Value::Dynamic(partial) => &partial.prefix,
    };
    let (name, _) = text.split_once('=')?;
    let mut letters = name.chars();
    let first = letters.next()?;
    let is_name =
        (first.is_ascii_alphabetic() || first == '_') && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    let value = argument.value.without_prefix(&format!("{name}="))?;
    is_name.then(|| (name.to_owned(), value))
}

/// How many bytes an analyzer may make of one command line. Programs have smaller limits of their own (`ARG_MAX`).
pub(crate) const MADE_BYTES: usize = 1 << 20;

/// Roughly how many bytes a copy of the value takes.
pub(crate) fn weight(value: &Value) -> usize {
    match value {
        Value::Known { text, .. } => text.len(),
        Value::Glob { pattern } => pattern.len(),
        Value::Dynamic(partial) => {
            let found = match &partial.cause {
                Cause::PathUnder { roots, selection } => {
                    // A root is not itself made of roots, so one level is enough.
                    let roots: usize = roots.iter().map(|root| root.known().map_or(0, str::len) + size_of::<Value>()).sum();
                    let names: usize = selection.names.iter().map(|name| name.len() + size_of::<String>()).sum();
                    roots + names
                }
                _ => 0,
            };
            partial.prefix.len() + partial.suffix.len() + found
        }
    }
}

/// The words as one value with `separator` between them, as programs that join their operands do.
pub(crate) fn join(words: &[Argument], separator: &str) -> Value {
    let mut before = String::new();
    let mut after = String::new();
    let mut unknown: Option<Partial> = None;
    let mut literal = true;
    for (index, argument) in words.iter().enumerate() {
        let side = if unknown.is_some() { &mut after } else { &mut before };
        if index > 0 {
            side.push_str(separator);
        }
        match &argument.value {
            Value::Known { text, provenance } => {
                literal &= *provenance == Provenance::Literal;
                side.push_str(text);
            }
            Value::Glob { pattern } => side.push_str(pattern),
            Value::Dynamic(partial) => {
                if let Some(first) = &mut unknown {
                    // Text between two unknown parts is lost, so the cause must not promise that only one thing is unknown.
                    if first.cause != Cause::Remote {
                        first.cause = if partial.cause == Cause::Remote { Cause::Remote } else { Cause::Unknown };
                    }
                    after.clone_from(&partial.suffix);
                } else {
                    before.push_str(&partial.prefix);
                    after.clone_from(&partial.suffix);
                    unknown = Some(partial.clone());
                }
            }
        }
    }
    match unknown {
        Some(partial) => Value::Dynamic(Partial { prefix: before, suffix: after, ..partial }),
        None => Value::Known { text: before, provenance: if literal { Provenance::Literal } else { Provenance::Known } },
    }
}

/// Shell source made of `words` joined by spaces, run by a new shell.
///
/// Unknown parts in operand position become positional parameters (`"rm -f $X"` is `rm -f ${1}` with `$1` bound to the unknown
/// word), so that the rest is still read as code. Where the first command word itself is unknown, or more than one part of a
/// word is, the whole text is unknown.
pub(crate) fn carry_text(words: &[Argument], shell: &str, start: ShellStart) -> Carried {
    let span = span_of(words);
    let (source, positional) = parametrized(words, shell).unwrap_or_else(|| (join(words, " "), Vec::new()));
    Carried { what: What::Shell { source, positional, start }, ..Carried::shell(Value::literal(""), Vec::new(), span) }
}

/// The source and its parameters, `$0` first; `None` where the text cannot be read as code with unknown operands.
pub(crate) fn parametrized(words: &[Argument], shell: &str) -> Option<(Value, Vec<Argument>)> {
    let mut text = String::new();
    let mut quoting = Quoting::default();
    let mut positional = Vec::new();
    let mut literal = true;
    for (index, argument) in words.iter().enumerate() {
        if index > 0 {
            quoting.push(&mut text, " ");
        }
        match &argument.value {
            Value::Known { text: known, provenance } => {
                literal &= *provenance == Provenance::Literal;
                quoting.push(&mut text, known);
            }
            Value::Glob { pattern } => quoting.push(&mut text, pattern),
            Value::Dynamic(partial) => {
                if matches!(partial.cause, Cause::Unknown | Cause::Remote) {
                    return None;
                }
                quoting.push(&mut text, &partial.prefix);
                if positional.is_empty() {
                    let head = text.trim_start();
                    if !head.contains(char::is_whitespace) {
                        return None;
                    }
                    positional.push(Argument::literal(shell));
                }
                text.push_str(&quoting.parameter(positional.len()));
                let bare = Partial { prefix: String::new(), suffix: String::new(), ..partial.clone() };
                positional.push(Argument { value: Value::Dynamic(bare), ..argument.clone() });
                quoting.push(&mut text, &partial.suffix);
            }
        }
    }
    let provenance = if literal && positional.is_empty() { Provenance::Literal } else { Provenance::Known };
    Some((Value::Known { text, provenance }, positional))
}

/// Where a text stands with its quotes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Quoting {
    quote: Option<char>,
    escaped: bool,
}

impl Quoting {
    fn push(&mut self, text: &mut String, more: &str) {
        for letter in more.chars() {
            text.push(letter);
            if self.escaped {
                self.escaped = false;
                continue;
            }
            match (self.quote, letter) {
                (Some('\''), '\'') | (Some('"'), '"') => self.quote = None,
                (Some('\''), _) => {}
                (_, '\\') => self.escaped = true,
                (None, '\'' | '"') => self.quote = Some(letter),
                _ => {}
            }
        }
    }

    /// Text that stands for parameter `number` here.
    fn parameter(self, number: usize) -> String {
        if self.quote == Some('\'') { format!("'\"${{{number}}}\"'") } else { format!("${{{number}}}") }
    }
}

/// `text` as one word of shell source.
pub(crate) fn quote(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./:,+@%=".contains(letter);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::{carry_text, join, program_name, quote};
    use crate::carried::ShellStart;
    use crate::programs::text_carriers::testing::{carried_text, split};

    #[test]
    fn unknown_operands_become_parameters() {
        let cases = [
            ("rm -f a", "sh{rm -f a}"),
            ("'rm -f '$X", "sh{rm -f ${1}}(sh ${X})"),
            ("\"rm -f '$X'\"", "sh{rm -f ''\"${1}\"''}(sh ${X})"),
            ("\"rm -f $X; rm -rf /\"", "sh{rm -f ${1}; rm -rf /}(sh ${X})"),
            ("rm $X $Y", "sh{rm ${1} ${2}}(sh ${X} ${Y})"),
            ("$X a", "sh{${X} a}"),
        ];
        for (line, expected) in cases {
            assert_eq!(carried_text(&carry_text(&split(line), "sh", ShellStart::Child)), expected, "{line}");
        }
    }

    #[test]
    fn joined_words_and_names() {
        assert_eq!(join(&split("a 'b c'"), " ").known(), Some("a b c"));
        assert_eq!(join(&split("a $X b $Y c"), " ").display(), "a … c");
        assert_eq!(program_name("/bin/rm.EXE"), "rm");
        assert_eq!(quote("it's"), r"'it'\''s'");
    }
}
