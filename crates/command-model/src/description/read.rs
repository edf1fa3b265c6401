//! From words to the level of a description they choose.

use super::{Level, Program};
use crate::argument::Argument;
use crate::option_grammar::{self, Found, Grammar, Parsed};

/// Most words looked at to find a sub-command.
const PHRASE_WORDS: usize = 6;

/// A command sorted by its description.
#[derive(Debug)]
pub struct Reading<'a> {
    /// The level its words chose.
    pub level: &'static Level,
    /// Options that stand before the sub-command.
    pub outer: Vec<Found>,
    /// The words after the sub-command.
    pub arguments: &'a [Argument],
    /// Those words, sorted.
    pub parsed: Parsed,
    /// The words of the sub-command itself.
    pub phrase: &'a [Argument],
    /// Ids of the options that are on; what a later one took back is not.
    pub active: Vec<&'static str>,
    /// A word stands where a sub-command should, and it is none that is described.
    pub unknown_word: Option<&'a Argument>,
    /// A word that is not known stands before or at the sub-command.
    pub dynamic_word: Option<&'a Argument>,
}

impl Reading<'_> {
    /// The option is there, before or after the sub-command, and nothing later takes it back.
    pub fn has(&self, id: &str) -> bool {
        self.active.contains(&id)
    }

    /// Every option in order.
    pub fn options(&self) -> impl Iterator<Item = &Found> {
        self.outer.iter().chain(&self.parsed.options)
    }
}

/// Sorts `arguments` by the description of their program. `posix`: options after operands are operands.
pub fn read<'a>(program: &'static Program, arguments: &'a [Argument], posix: bool) -> Reading<'a> {
    let start = if program.subcommands.is_empty() { Start::default() } else { subcommand(program, arguments) };
    let level = start.level.unwrap_or(&program.root);
    let rest = arguments.get(start.consumed..).unwrap_or_default();
    let grammar = Grammar { permutes: level.grammar.permutes && !posix, ..level.grammar };
    let parsed = option_grammar::parse(&grammar, rest);
    // A program that does something whatever its words are takes them as operands.
    let takes_words = !program.root.operands.is_empty() || program.root.effects.iter().any(|role| role.when.is_empty());
    let unknown_word = if start.level.is_none() && !takes_words { parsed.operand(rest, 0) } else { None };
    let active = active(level, start.outer.iter().chain(&parsed.options));
    Reading {
        level,
        active,
        outer: start.outer,
        arguments: rest,
        parsed,
        phrase: start.phrase,
        unknown_word: unknown_word.filter(|_| !program.subcommands.is_empty()),
        dynamic_word: start.dynamic,
    }
}

/// The distinct ids that are on after all options were read: no more than the level has, however many words there are.
fn active<'f>(level: &Level, options: impl Iterator<Item = &'f Found>) -> Vec<&'static str> {
    let mut active: Vec<&'static str> = Vec::new();
    for id in options.filter_map(|found| found.id) {
        active.retain(|known| !level.cancels.iter().any(|(earlier, later)| earlier == known && *later == id));
        if !active.contains(&id) {
            active.push(id);
        }
    }
    active
}

#[derive(Default)]
struct Start<'a> {
    level: Option<&'static Level>,
    outer: Vec<Found>,
    consumed: usize,
    phrase: &'a [Argument],
    dynamic: Option<&'a Argument>,
}

/// Finds the sub-command: the phrase that spells out the most words wins, then the one described first.
fn subcommand<'a>(program: &'static Program, arguments: &'a [Argument]) -> Start<'a> {
    let grammar = Grammar { permutes: false, ..program.root.grammar };
    let mut words: Vec<(String, usize)> = Vec::new();
    let mut outer = Vec::new();
    // How many of `outer` stand before each word.
    let mut outer_before = Vec::new();
    let mut dynamic = None;
    let mut offset = 0;
    while words.len() < PHRASE_WORDS {
        let rest = arguments.get(offset..).unwrap_or_default();
        let parsed = option_grammar::parse(&grammar, rest);
        let Some(position) = parsed.operands.first().copied() else {
            break;
        };
        // Behind the first word an option of the sub-command itself ends the phrase: its value may be the next word.
        if !words.is_empty() && (parsed.unknown().next().is_some() || parsed.double_dash.is_some()) {
            break;
        }
        let at = offset + position;
        let Some(argument) = arguments.get(at) else {
            break;
        };
        outer.extend(parsed.options.into_iter().map(|found| Found { index: found.index + offset, ..found }));
        let Some(text) = argument.known() else {
            dynamic = Some(argument);
            break;
        };
        words.push((if program.ignore_case { text.to_ascii_lowercase() } else { text.to_owned() }, at));
        outer_before.push(outer.len());
        offset = at + 1;
    }
    let mut best: Option<(usize, usize, &'static Level)> = None;
    for level in program.subcommands {
        for phrase in level.phrases {
            if let Some((exact, length)) = matches(phrase, &words)
                && best.is_none_or(|(most, _, _)| exact > most)
            {
                best = Some((exact, length, level));
            }
        }
    }
    let Some((_, length, level)) = best else {
        return Start { dynamic, ..Start::default() };
    };
    let first = words.first().map_or(0, |(_, at)| *at);
    let consumed = length.checked_sub(1).and_then(|last| words.get(last)).map_or(0, |(_, at)| at + 1);
    outer.truncate(length.checked_sub(1).and_then(|last| outer_before.get(last)).copied().unwrap_or_default());
    // A word that is not known behind a whole phrase may still lengthen it (`gh repo "$x"` beside `gh repo delete`).
    let may_lengthen = words.len() == length && could_be_longer(program, &words, length);
    Start {
        level: Some(level),
        outer,
        consumed,
        phrase: arguments.get(first..consumed).unwrap_or_default(),
        dynamic: dynamic.filter(|_| may_lengthen),
    }
}

fn could_be_longer(program: &Program, words: &[(String, usize)], length: usize) -> bool {
    program
        .subcommands
        .iter()
        .flat_map(|level| level.phrases)
        .any(|phrase| phrase.len() > length && phrase.iter().zip(words).all(|(pattern, (word, _))| word_matches(pattern, word)))
}

/// How many words the phrase spells out, and how many of `words` it covers; `None` where it does not fit.
fn matches(phrase: &[&str], words: &[(String, usize)]) -> Option<(usize, usize)> {
    let fits = |patterns: &[&str], from: usize| {
        let rest = words.get(from..).unwrap_or_default();
        rest.len() >= patterns.len() && patterns.iter().zip(rest).all(|(pattern, (word, _))| word_matches(pattern, word))
    };
    let exact = |patterns: &[&str]| 2 * patterns.len() - patterns.iter().filter(|pattern| pattern.ends_with('*')).count();
    match phrase.split_first() {
        Some((&"**", rest)) => {
            let from = (0..words.len()).find(|from| fits(rest, *from))?;
            Some((exact(rest), from + rest.len()))
        }
        _ => fits(phrase, 0).then(|| (exact(phrase), phrase.len())),
    }
}

fn word_matches(pattern: &str, word: &str) -> bool {
    pattern.strip_suffix('*').map_or_else(|| pattern == word, |beginning| word.starts_with(beginning))
}
