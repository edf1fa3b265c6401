//! find and fd.

mod expression;
mod fd;
mod metadata;
mod pattern;

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Cause, Partial, Value};
use crate::carried::{Carried, Change};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Selection, Target, WriteMode};
use crate::programs::text_carriers::words::{MADE_BYTES, described, inert, weight};
use crate::stream::Stream;
use expression::{Action, Expression};

/// The programs this file answers for.
pub const NAMES: &[&str] = &["find", "gfind", "fd", "fdfind"];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    if matches!(invocation.program, "fd" | "fdfind") { fd::understand(invocation.arguments) } else { find(invocation.arguments) }
}

/// `find [-H] [-L] [-P] [-D OPTIONS] [-OLEVEL] [START…] [EXPRESSION]` (findutils 4.10, BSD find).
fn find(arguments: &[Argument]) -> Understood {
    let begins = beginning_of_starts(arguments);
    let rest = arguments.get(begins.first..).unwrap_or_default();
    let count = rest.iter().position(begins_expression).unwrap_or(rest.len());
    let (starts, tests) = rest.split_at_checked(count).unwrap_or((rest, &[]));
    let known: Vec<_> = starts.iter().filter_map(Argument::known).collect();
    let read = expression::read(tests, &known);
    if read.help {
        return inert();
    }
    let mut understood = described();
    for word in starts.iter().filter(|word| word.known().is_none() && word.may_be_option()) {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, word.span));
    }
    if let Some(span) = read.unknown {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, span));
    }
    let roots = roots(starts, begins.explicit, &read, &mut understood);
    for (root, span) in &roots {
        understood.effects.push(Effect::new(EffectKind::Metadata(Target::new(root.clone())), Family::General, *span));
    }
    understood.output = output(&roots, &read);
    let values: Vec<_> = roots.iter().map(|(root, _)| root.clone()).collect();
    let mut made = 0;
    for action in &read.actions {
        let selection = read.selection(&action.reach, action.act != Action::Delete);
        let path = found_path(values.clone(), selection.clone());
        let size = weight(&Value::Dynamic(path.clone()));
        match &action.act {
            Action::Print => {}
            Action::Delete => {
                made += size + roots.len() * size_of::<Effect>();
                if made > MADE_BYTES {
                    // So many roots and filters that they cannot all be said: once more, without the filters, and no more.
                    delete(&roots, &Selection::default(), action.span, &mut understood);
                    break;
                }
                delete(&roots, &selection, action.span, &mut understood);
            }
            Action::Write(file) => {
                let kind = EffectKind::Write(Target::new(file.clone()), WriteMode::Truncate);
                understood.effects.push(Effect::new(kind, Family::General, action.span));
            }
            Action::Run { words, in_its_directory } => {
                made += size * words.len();
                let path = if made > MADE_BYTES { anything() } else { path };
                let words = words.iter().map(|word| replaced(word, &["{}"], &path)).collect();
                let change = Change { unknown_directory: *in_its_directory, ..Change::default() };
                let carried = Carried::command(words, action.span);
                understood.carried.push(Carried { change, certain: false, family: Some(Family::FindExec), ..carried });
            }
        }
    }
    understood
}

struct Starts {
    /// Where they begin.
    first: usize,
    /// Roots given by an option (BSD `-f PATH`).
    explicit: Vec<usize>,
}

/// Skips the options before the starting points.
fn beginning_of_starts(arguments: &[Argument]) -> Starts {
    let mut starts = Starts { first: 0, explicit: Vec::new() };
    while let Some(text) = arguments.get(starts.first).and_then(Argument::known) {
        match text {
            "-D" => starts.first += 2,
            "-f" => {
                starts.explicit.push(starts.first + 1);
                starts.first += 2;
            }
            "--" => {
                starts.first += 1;
                break;
            }
            _ if is_leading_option(text) => starts.first += 1,
            _ => break,
        }
    }
    starts.explicit = starts.explicit.iter().copied().filter(|index| *index < arguments.len()).collect();
    starts
}

fn is_leading_option(text: &str) -> bool {
    let Some(letters) = text.strip_prefix('-') else {
        return false;
    };
    letters.strip_prefix('O').is_some_and(|level| level.bytes().all(|byte| byte.is_ascii_digit()))
        || !letters.is_empty() && letters.chars().all(|letter| "HLPEXdsx".contains(letter)) && letters != "d"
}

/// The first word that is no starting point.
fn begins_expression(word: &Argument) -> bool {
    let text = match &word.value {
        Value::Known { text, .. } => text,
        Value::Glob { pattern } => pattern,
        Value::Dynamic(partial) => &partial.prefix,
    };
    text.len() > 1 && text.starts_with('-') || matches!(text.as_str(), "(" | ")" | "!" | ",")
}

/// Where the search starts: the words given, those of a file, or the working directory.
fn roots(starts: &[Argument], explicit: Vec<usize>, read: &Expression, understood: &mut Understood) -> Vec<(Value, Span)> {
    // `-f PATH` is rare enough that its roots are only known to be some.
    let mut roots: Vec<_> = starts.iter().map(|word| (word.value.clone(), word.span)).collect();
    roots.extend(explicit.iter().map(|_| (Value::Dynamic(Partial::unknown(Cause::Unknown)), Span::default())));
    if let Some((file, span)) = &read.starts_from {
        if file.known() != Some("-") {
            understood.effects.push(Effect::new(EffectKind::Read(Target::new(file.clone())), Family::General, *span));
        }
        roots.push((Value::Dynamic(Partial::unknown(Cause::Input)), *span));
    }
    if roots.is_empty() {
        roots.push((Value::literal("."), Span::default()));
    }
    roots
}

/// What flows from find: the paths its last print selects, or nothing known where it prints anything else.
fn output(roots: &[(Value, Span)], read: &Expression) -> Stream {
    let Some(reach) = &read.printed else {
        return Stream::Unknown;
    };
    Stream::Paths { roots: roots.iter().map(|(root, _)| root.clone()).collect(), selection: read.selection(reach, true) }
}

fn delete(roots: &[(Value, Span)], selection: &Selection, span: Span, understood: &mut Understood) {
    for (root, _) in roots {
        let target = Target::selected(root.clone(), selection.clone());
        let kind = EffectKind::Delete { target, recursive: true, force: true };
        understood.effects.push(Effect::new(kind, Family::FindDelete, span));
    }
}

/// A path below `roots`.
fn found_path(roots: Vec<Value>, selection: Selection) -> Partial {
    Partial { may_be_empty: false, ..Partial::unknown(Cause::PathUnder { roots, selection }) }
}

/// A word of which nothing is known, where saying more would take too much room.
fn anything() -> Partial {
    Partial { may_be_empty: false, ..Partial::unknown(Cause::Unknown) }
}

/// The word with a placeholder replaced by a found path. Where it holds more than one, what stands between them would be lost,
/// so nothing is promised of it.
fn replaced(word: &Argument, placeholders: &[&str], path: &Partial) -> Argument {
    let Some(text) = word.known() else {
        return word.clone();
    };
    let Some((at, placeholder)) =
        placeholders.iter().filter_map(|placeholder| Some((text.find(placeholder)?, *placeholder))).min_by_key(|(at, _)| *at)
    else {
        return word.clone();
    };
    let prefix = text.get(..at).unwrap_or_default();
    let rest = text.get(at + placeholder.len()..).unwrap_or_default();
    let last = placeholders.iter().filter_map(|placeholder| Some((rest.rfind(placeholder)?, placeholder.len()))).max();
    let value = match last {
        None => Partial { prefix: prefix.to_owned(), suffix: rest.to_owned(), ..path.clone() },
        Some((at, length)) => {
            Partial { prefix: prefix.to_owned(), suffix: rest.get(at + length..).unwrap_or_default().to_owned(), ..anything() }
        }
    };
    Argument { value: Value::Dynamic(value), quoted: true, span: word.span }
}

#[cfg(test)]
mod tests;
