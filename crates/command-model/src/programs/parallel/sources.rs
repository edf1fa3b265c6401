//! Where parallel's values come from: `:::` lists, `::::` and `-a` files, the input; and how several sources combine.

use crate::argument::{Argument, Cause, Partial, Value};
use crate::option_grammar::Parsed;
use crate::programs::text_carriers::words::join;
use crate::stream::Stream;

/// One source of values.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// Words of the command line; `linked`: each goes with one of the source before it.
    List { values: Vec<Value>, linked: bool },
    /// The lines of a file.
    File(Argument),
    /// The lines of the input.
    Input,
}

/// The values of each command.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Jobs {
    /// One list of values, one for each source, for each command.
    Known(Vec<Vec<Value>>),
    /// Any number of commands, each with a value like this.
    Open(Value),
    /// More commands than are followed.
    TooMany,
}

/// The command's words, and the sources behind them.
pub(super) fn split<'a>(words: &'a [Argument], parsed: &Parsed) -> (&'a [Argument], Vec<Source>) {
    let list = parsed.value("separator").and_then(Value::known).unwrap_or(":::");
    let file = parsed.value("file-separator").and_then(Value::known).unwrap_or("::::");
    let mark = |word: &Argument| -> Option<(bool, bool)> {
        let text = word.known()?;
        let (text, linked) = text.strip_suffix('+').map_or((text, false), |text| (text, true));
        if text == list {
            Some((false, linked))
        } else if text == file {
            Some((true, linked))
        } else {
            None
        }
    };
    let end = words.iter().position(|word| mark(word).is_some()).unwrap_or(words.len());
    let (command, rest) = words.split_at_checked(end).unwrap_or((words, &[]));
    let mut sources: Vec<Source> = parsed
        .values("file")
        .map(|file| Source::File(Argument::with(file.clone(), Default::default())))
        .map(input_if_dash)
        .collect();
    let mut files = false;
    for word in rest {
        match mark(word) {
            Some((of_files, linked)) => {
                files = of_files;
                if !files {
                    sources.push(Source::List { values: Vec::new(), linked: linked || parsed.has("link") && !sources.is_empty() });
                }
            }
            None if files => sources.push(input_if_dash(Source::File(word.clone()))),
            None => {
                if let Some(Source::List { values, .. }) = sources.last_mut() {
                    values.push(word.value.clone());
                }
            }
        }
    }
    (command, sources)
}

fn input_if_dash(source: Source) -> Source {
    match &source {
        Source::File(file) if file.known() == Some("-") => Source::Input,
        _ => source,
    }
}

/// The commands the sources make, at most `most`.
pub(super) fn jobs(sources: &[Source], input: &Stream, parsed: &Parsed, most: usize) -> Jobs {
    let mut lists: Vec<(Vec<Value>, bool)> = Vec::new();
    let mut open = None;
    if sources.is_empty() {
        match lines(input, parsed) {
            Ok(values) => lists.push((values, false)),
            Err(value) => open = Some(*value),
        }
    }
    for source in sources {
        match source {
            Source::List { values, linked } => lists.push((values.clone(), *linked)),
            Source::Input => match lines(input, parsed) {
                Ok(values) => lists.push((values, false)),
                Err(value) => open = Some(*value),
            },
            Source::File(_) => open = Some(Value::Dynamic(Partial::unknown(Cause::Input))),
        }
    }
    if let Some(value) = open {
        // One source is open: the values of the others are not told apart from it.
        return if lists.is_empty() { Jobs::Open(value) } else { Jobs::Open(Value::Dynamic(Partial::unknown(Cause::Input))) };
    }
    let jobs = match combine(&lists, most) {
        Some(jobs) => jobs,
        None => return Jobs::TooMany,
    };
    batches(jobs, parsed)
}

/// Every combination of the sources, the last one fastest; linked sources go along with the one before them.
fn combine(lists: &[(Vec<Value>, bool)], most: usize) -> Option<Vec<Vec<Value>>> {
    let mut groups: Vec<Vec<Vec<Value>>> = Vec::new();
    for (values, linked) in lists {
        match groups.last_mut() {
            Some(group) if *linked => {
                // The shorter list starts again from its beginning.
                let length = group.len().max(values.len());
                if length > most {
                    return None;
                }
                let rows = std::mem::take(group);
                if rows.is_empty() || values.is_empty() {
                    return Some(Vec::new());
                }
                *group = rows
                    .iter()
                    .cycle()
                    .zip(values.iter().cycle())
                    .take(length)
                    .map(|(row, value)| row.iter().cloned().chain([value.clone()]).collect())
                    .collect();
            }
            _ => groups.push(values.iter().map(|value| vec![value.clone()]).collect()),
        }
    }
    let mut jobs = vec![Vec::new()];
    for group in &groups {
        if jobs.len().saturating_mul(group.len()) > most {
            return None;
        }
        jobs = jobs
            .iter()
            .flat_map(|job: &Vec<Value>| group.iter().map(move |row| job.iter().chain(row).cloned().collect::<Vec<_>>()))
            .collect();
    }
    Some(jobs)
}

/// Several values for one command (`-N 2`, `-X`).
fn batches(jobs: Vec<Vec<Value>>, parsed: &Parsed) -> Jobs {
    if parsed.has("columns") {
        // Lines are cut into columns; which value has what is not followed.
        return Jobs::Open(Value::Dynamic(Partial::unknown(Cause::Input)));
    }
    let count = if parsed.has("all-at-once") {
        jobs.len().max(1)
    } else {
        parsed.value("count").and_then(Value::known).and_then(|count| count.parse().ok()).filter(|count| *count > 0).unwrap_or(1)
    };
    Jobs::Known(jobs.chunks(count).map(<[Vec<Value>]>::concat).collect())
}

/// The lines of the input, or what each of them is like.
fn lines(input: &Stream, parsed: &Parsed) -> Result<Vec<Value>, Box<Value>> {
    let delimiter = match parsed.last_of(&["null", "delimiter"]) {
        Some(option) if option.id == Some("null") => '\0',
        Some(option) => match option.value.as_ref().and_then(Value::known).map(|text| (text, text.chars().count())) {
            Some(("\\n", _)) => '\n',
            Some(("\\t", _)) => '\t',
            Some(("\\0", _)) => '\0',
            Some((text, 1)) => text.chars().next().unwrap_or('\n'),
            _ => return Err(Box::new(Value::Dynamic(Partial::unknown(Cause::Input)))),
        },
        None => '\n',
    };
    match input {
        Stream::Known(text) => {
            let text = text.strip_suffix(delimiter).unwrap_or(text);
            Ok(if text.is_empty() { Vec::new() } else { text.split(delimiter).map(Value::literal).collect() })
        }
        // What a pattern matched, each on a line of its own.
        Stream::Words(values) if values.iter().any(|value| matches!(value, Value::Glob { .. })) => Ok(values.clone()),
        Stream::Words(values) => {
            let words: Vec<_> = values.iter().map(|value| Argument::with(value.clone(), Default::default())).collect();
            Ok(vec![join(&words, " ")])
        }
        Stream::Paths { roots, selection } => {
            let cause = Cause::PathUnder { roots: roots.clone(), selection: selection.clone() };
            Err(Box::new(Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(cause) })))
        }
        Stream::TemporaryPath => Ok(vec![Value::Dynamic(Partial { may_be_empty: false, ..Partial::unknown(Cause::Temporary) })]),
        Stream::Remote => Err(Box::new(Value::Dynamic(Partial::unknown(Cause::Remote)))),
        _ => Err(Box::new(Value::Dynamic(Partial::unknown(Cause::Input)))),
    }
}
