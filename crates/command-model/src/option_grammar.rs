//! How a program reads its options: clusters, glued values, abbreviations, `--`, options after operands.
//!
//! One grammar serves every program. `POSIX.1-2017 XBD 12.2` gives the short options, `getopt_long(3)` the long ones.

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};

/// Whether an option takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueArity {
    /// Never.
    None,
    /// Always: glued (`-ofile`, `--output=file`) or the next word.
    Required,
    /// Only glued (`-i.bak`, `--color=auto`).
    Optional,
}

/// One option and all its spellings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionSpec {
    /// The word code and data know it by.
    pub id: &'static str,
    /// Every spelling, dashes included (`-o`, `--output`, `-chdir`).
    pub names: &'static [&'static str],
    /// Whether it takes a value.
    pub value: ValueArity,
}

/// The options of a program or sub-command and how they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grammar {
    /// The options.
    pub options: &'static [OptionSpec],
    /// Options are recognised after operands too (GNU); otherwise the first operand ends them (POSIX, wrappers).
    pub permutes: bool,
    /// Long options may be shortened to an unambiguous prefix (`getopt_long`).
    pub abbreviates: bool,
    /// Options of several letters begin with one dash (`-chdir=x`, `-name`); no clusters then.
    pub single_dash_long: bool,
}

impl Grammar {
    /// GNU style: permuted, abbreviated, clustered.
    pub const fn gnu(options: &'static [OptionSpec]) -> Self {
        Self { options, permutes: true, abbreviates: true, single_dash_long: false }
    }

    /// The first operand ends the options, as wrappers and POSIX utilities have it; long options may be abbreviated.
    pub const fn leading(options: &'static [OptionSpec]) -> Self {
        Self { options, permutes: false, abbreviates: true, single_dash_long: false }
    }
}

/// One option found.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The option's id; `None` where the grammar does not have it.
    pub id: Option<&'static str>,
    /// As written, without its value (`--output`, `-o`).
    pub written: String,
    /// Its value, if one stands there.
    pub value: Option<Value>,
    /// Index of the word that holds the option.
    pub index: usize,
    /// Where it stands, or where its value stands if that is a word of its own.
    pub span: Span,
}

/// The words of a command sorted into options and operands.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Parsed {
    /// In order.
    pub options: Vec<Found>,
    /// Indices of the operands, in order.
    pub operands: Vec<usize>,
    /// Index of the first `--` that ends options, if there is one.
    pub double_dash: Option<usize>,
    /// A word that is not known may be an option or become several words.
    pub uncertain: bool,
}

impl Parsed {
    /// The option is there.
    pub fn has(&self, id: &str) -> bool {
        self.options.iter().any(|option| option.id == Some(id))
    }

    /// The last value given to the option.
    pub fn value(&self, id: &str) -> Option<&Value> {
        self.options.iter().rev().find(|option| option.id == Some(id)).and_then(|option| option.value.as_ref())
    }

    /// Every value given to the option, in order.
    pub fn values<'a>(&'a self, id: &'a str) -> impl Iterator<Item = &'a Value> + 'a {
        self.options.iter().filter(move |option| option.id == Some(id)).filter_map(|option| option.value.as_ref())
    }

    /// The last of these options that was given, by id.
    pub fn last_of(&self, ids: &[&str]) -> Option<&Found> {
        self.options.iter().rev().find(|option| option.id.is_some_and(|id| ids.contains(&id)))
    }

    /// Options the grammar does not have.
    pub fn unknown(&self) -> impl Iterator<Item = &Found> {
        self.options.iter().filter(|option| option.id.is_none())
    }

    /// The operands themselves.
    pub fn operands<'a>(&'a self, arguments: &'a [Argument]) -> impl Iterator<Item = &'a Argument> + 'a {
        self.operands.iter().filter_map(|index| arguments.get(*index))
    }

    /// Operand number `position`.
    pub fn operand<'a>(&self, arguments: &'a [Argument], position: usize) -> Option<&'a Argument> {
        self.operands.get(position).and_then(|index| arguments.get(*index))
    }

    /// The words from operand number `position` to the end, options among them included.
    pub fn from_operand<'a>(&self, arguments: &'a [Argument], position: usize) -> &'a [Argument] {
        self.operands.get(position).and_then(|index| arguments.get(*index..)).unwrap_or_default()
    }
}

/// Sorts `arguments` (the words after the program) into options and operands.
pub fn parse(grammar: &Grammar, arguments: &[Argument]) -> Parsed {
    let mut parsed = Parsed::default();
    let mut index = 0;
    let mut options_end = false;
    while let Some(argument) = arguments.get(index) {
        let at = index;
        index += 1;
        if options_end {
            parsed.operands.push(at);
            continue;
        }
        let Some(written) = beginning(argument) else {
            // A word that is not known: an operand as far as we can say, and maybe more than that.
            parsed.uncertain |= argument.may_be_option();
            parsed.operands.push(at);
            options_end = !grammar.permutes;
            continue;
        };
        if written == "--" && argument.known().is_some() {
            parsed.double_dash = Some(at);
            options_end = true;
        } else if !written.starts_with('-') || written == "-" {
            parsed.operands.push(at);
            options_end = !grammar.permutes;
        } else {
            let takes_next = if written.starts_with("--") || grammar.single_dash_long || is_whole_word(grammar, written) {
                long(grammar, argument, written, at, &mut parsed)
            } else {
                cluster(grammar, argument, written, at, &mut parsed)
            };
            if takes_next && let Some(value) = arguments.get(index) {
                if let Some(found) = parsed.options.last_mut() {
                    found.value = Some(value.value.clone());
                    found.span = value.span;
                }
                index += 1;
            }
        }
    }
    parsed
}

/// The text a word begins with, as far as it is known and not a pattern.
fn beginning(argument: &Argument) -> Option<&str> {
    match &argument.value {
        Value::Known { text, .. } => Some(text),
        Value::Glob { pattern } => Some(pattern),
        Value::Dynamic(partial) if partial.prefix.is_empty() => None,
        Value::Dynamic(partial) => Some(&partial.prefix),
    }
}

/// The word is an option of several letters behind one dash in a grammar that otherwise has clusters (`wget -nv`, `zip -TT`).
fn is_whole_word(grammar: &Grammar, written: &str) -> bool {
    written.len() > 2 && grammar.options.iter().any(|spec| spec.names.contains(&written))
}

/// Reads a word that is one long option. Says whether the next word is its value.
fn long(grammar: &Grammar, argument: &Argument, written: &str, index: usize, parsed: &mut Parsed) -> bool {
    let name = written.split_once('=').map_or(written, |(name, _)| name);
    let spec = long_option(grammar, name);
    let glued = written.len() > name.len();
    let value = if glued { argument.value.without_prefix(&format!("{name}=")) } else { None };
    let takes_next = !glued && argument.known().is_some() && spec.is_some_and(|spec| spec.value == ValueArity::Required);
    parsed.uncertain |= argument.known().is_none() && !glued;
    parsed.options.push(Found { id: spec.map(|spec| spec.id), written: name.to_owned(), value, index, span: argument.span });
    takes_next
}

/// The long option called `name`, exactly or by an unambiguous prefix of at least one letter after the dashes.
pub fn long_option(grammar: &Grammar, name: &str) -> Option<&'static OptionSpec> {
    let exact = grammar.options.iter().find(|spec| spec.names.contains(&name));
    if exact.is_some() || !grammar.abbreviates || !name.starts_with("--") || name.len() < 3 {
        return exact;
    }
    let mut candidates =
        grammar.options.iter().filter(|spec| spec.names.iter().any(|full| full.starts_with("--") && full.starts_with(name)));
    let first = candidates.next()?;
    // Spellings of one option do not make a prefix ambiguous; two options do.
    candidates.all(|other| other.id == first.id).then_some(first)
}

/// Reads a word that is a cluster of one-letter options. Says whether the next word is the value of its last one.
fn cluster(grammar: &Grammar, argument: &Argument, written: &str, index: usize, parsed: &mut Parsed) -> bool {
    let known = argument.known().is_some();
    let mut consumed = String::from("-");
    let mut letters = written.chars().skip(1).peekable();
    while let Some(letter) = letters.next() {
        consumed.push(letter);
        let name = format!("-{letter}");
        let spec = grammar.options.iter().find(|spec| spec.names.contains(&name.as_str()));
        let arity = spec.map_or(ValueArity::None, |spec| spec.value);
        let more = letters.peek().is_some() || !known;
        let value = if arity != ValueArity::None && more { argument.value.without_prefix(&consumed) } else { None };
        let ends = value.is_some();
        parsed.options.push(Found { id: spec.map(|spec| spec.id), written: name, value, index, span: argument.span });
        if ends {
            return false;
        }
        if arity == ValueArity::Required && letters.peek().is_none() {
            return true;
        }
    }
    parsed.uncertain |= !known;
    false
}

#[cfg(test)]
mod tests {
    use super::{Grammar, OptionSpec, Parsed, ValueArity, parse};
    use crate::argument::Argument;

    const OPTIONS: &[OptionSpec] = &[
        OptionSpec { id: "recursive", names: &["-r", "-R", "--recursive"], value: ValueArity::None },
        OptionSpec { id: "force", names: &["-f", "--force"], value: ValueArity::None },
        OptionSpec { id: "output", names: &["-o", "--output"], value: ValueArity::Required },
        OptionSpec { id: "in-place", names: &["-i", "--in-place"], value: ValueArity::Optional },
        OptionSpec { id: "no-verbose", names: &["-nv"], value: ValueArity::None },
        OptionSpec { id: "one-file-system", names: &["--one-file-system"], value: ValueArity::None },
    ];

    /// Options found with their values, and where the operands are.
    type Read = (Vec<(Option<&'static str>, Option<String>)>, Vec<usize>);

    fn read(words: &[&str]) -> Read {
        let arguments: Vec<_> = words.iter().map(|word| Argument::literal(*word)).collect();
        let Parsed { options, operands, .. } = parse(&Grammar::gnu(OPTIONS), &arguments);
        (options.into_iter().map(|found| (found.id, found.value.map(|value| value.display()))).collect(), operands)
    }

    #[test]
    fn clusters_glued_values_and_abbreviations() {
        assert_eq!(read(&["-rf", "x"]), (vec![(Some("recursive"), None), (Some("force"), None)], vec![1]));
        assert_eq!(read(&["-ofile", "-fo", "a", "b"]).0.last(), Some(&(Some("output"), Some("a".into()))));
        assert_eq!(read(&["--output=f", "--output", "g"]).0.len(), 2);
        assert_eq!(read(&["--rec", "--fo"]).0, vec![(Some("recursive"), None), (Some("force"), None)]);
        assert_eq!(read(&["--o=x"]).0, vec![(None, Some("x".into()))], "an ambiguous prefix is nobody's option");
        assert_eq!(read(&["-nv", "x"]), (vec![(Some("no-verbose"), None)], vec![1]), "a whole word before a cluster");
        assert_eq!(read(&["-i.bak", "-i", "x"]).0, vec![(Some("in-place"), Some(".bak".into())), (Some("in-place"), None)]);
    }

    #[test]
    fn double_dash_ends_options_and_a_dash_alone_is_an_operand() {
        assert_eq!(read(&["-r", "--", "-f", "-"]).1, vec![2, 3]);
        assert_eq!(read(&["-", "-f"]), (vec![(Some("force"), None)], vec![0]));
    }
}
