//! Programs that pass on what they read, changed or in part.

use sekisho_host::{EntryKind, path};

use super::{reads_files, single};
use crate::argument::{Argument, Value};
use crate::catalog::Invocation;
use crate::description::read::Reading;
use crate::effect::{Effect, EffectKind, Selection};
use crate::stream::Stream;

/// A changed form of `input`: what came from the network or a decoder still does, nothing else is known.
pub fn changed(input: &Stream) -> Stream {
    match input {
        Stream::Remote => Stream::Remote,
        Stream::Decoded => Stream::Decoded,
        _ => Stream::Unknown,
    }
}

/// Some lines of `input` in some order.
pub fn some_lines(input: &Stream) -> Stream {
    match input {
        Stream::Paths { .. } | Stream::TemporaryPath | Stream::Words(_) => input.clone(),
        other => changed(other),
    }
}

/// Decoded from `input` by something that is not modelled.
pub fn decoded(input: &Stream) -> Stream {
    match input {
        Stream::Remote => Stream::Remote,
        _ => Stream::Decoded,
    }
}

/// Source: POSIX.1-2017 cat(1).
pub fn cat(invocation: &Invocation<'_>, reading: &Reading<'_>) -> Stream {
    let input = invocation.input;
    let is_input = |word: &Argument| matches!(word.known(), Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0"));
    let plain = reading.parsed.options.iter().all(|found| found.written == "-u");
    if reading.parsed.operands.is_empty() {
        return if plain { input.clone() } else { changed(input) };
    }
    let reads_input = reading.parsed.operands(reading.arguments).any(is_input);
    match single(reading) {
        Some(_) if reads_input && plain => input.clone(),
        Some(word) if plain && !reads_input => word.known().map_or(Stream::Unknown, |path| Stream::FileContent(path.to_owned())),
        _ if reads_input => changed(input),
        _ => Stream::Unknown,
    }
}

/// Source: GNU coreutils 9.5, head(1).
pub fn head(input: &Stream, reading: &Reading<'_>, effects: &[Effect]) -> Stream {
    if reads_files(effects) {
        return Stream::Unknown;
    }
    let Stream::Known(text) = input else {
        return some_lines(input);
    };
    let count = match reading.parsed.options.first() {
        None => Some(10),
        Some(found) if found.id == Some("lines") => {
            found.value.as_ref().and_then(Value::known).and_then(|value| value.parse().ok())
        }
        // `-12`: the obsolete spelling, a word of its own.
        Some(found) => reading
            .arguments
            .get(found.index)
            .and_then(Argument::known)
            .and_then(|word| word.strip_prefix('-'))
            .and_then(|digits| digits.parse::<usize>().ok()),
    };
    match count {
        Some(count) => Stream::Known(text.split_inclusive('\n').take(count).collect()),
        None => Stream::Unknown,
    }
}

/// The names of files below what is searched: `grep -l`, `rg --files`. `skips_hidden`: hidden ones are not searched.
pub fn matching_files(effects: &[Effect], skips_hidden: bool) -> Stream {
    let mut roots = Vec::new();
    let mut names = Vec::new();
    for effect in effects {
        match &effect.kind {
            // A pattern among the values read is a filter (`--include`), not a place.
            EffectKind::Read(target) if target.value.display().starts_with("*.") => names.push(target.value.display()),
            EffectKind::Read(target) | EffectKind::Metadata(target) => roots.push(target.value.clone()),
            _ => {}
        }
    }
    Stream::Paths { roots, selection: Selection { names, files_only: true, skips_hidden, ..Selection::default() } }
}

/// The names in the working directory: `ls` without operands and without a long format.
///
/// Source: GNU coreutils 9.5, ls(1).
pub fn listing(reading: &Reading<'_>) -> Stream {
    let mut skips_hidden = true;
    for found in &reading.parsed.options {
        match found.written.as_str() {
            "-1" | "-t" | "-r" | "-S" | "-X" | "-U" | "-v" | "-d" => {}
            "-a" | "-A" | "--all" | "--almost-all" => skips_hidden = false,
            _ => return Stream::Unknown,
        }
    }
    let selection = Selection { max_depth: Some(1), skips_hidden, ..Selection::default() };
    Stream::Paths { roots: vec![Value::literal(".")], selection }
}

/// What `ls` with operands prints: with `-d` the operands themselves; for directories the names in them, which mean something only
/// in the working directory.
///
/// Source: GNU coreutils 9.5, ls(1).
pub fn named_listing(invocation: &Invocation<'_>, reading: &Reading<'_>) -> Stream {
    let listed = listing(reading);
    if listed == Stream::Unknown {
        return listed;
    }
    let operands: Vec<&Argument> = reading.parsed.operands(reading.arguments).collect();
    if reading.parsed.options.iter().any(|found| found.written == "-d") {
        let named = operands.iter().all(|word| !matches!(word.value, Value::Dynamic(_)));
        return if named { Stream::Words(operands.iter().map(|word| word.value.clone()).collect()) } else { Stream::Unknown };
    }
    if operands.iter().any(|word| matches!(word.value, Value::Dynamic(_))) {
        return Stream::Unknown;
    }
    let directory = |word: &Argument| {
        let place = path::join(invocation.cwd?, word.known()?);
        (invocation.host.entry(&place)? == EntryKind::Directory).then_some(())
    };
    match operands.as_slice() {
        [one] if directory(one).is_some() => listed,
        several => match listed {
            // Files come as they were written, the entries of directories by their names.
            Stream::Paths { mut roots, selection } => {
                roots.extend(several.iter().map(|word| word.value.clone()));
                Stream::Paths { roots, selection }
            }
            other => other,
        },
    }
}

/// Source: util-linux 2.40, rev(1).
pub fn rev(input: &Stream) -> Stream {
    let Stream::Known(text) = input else {
        return changed(input);
    };
    Stream::Known(
        text.split_inclusive('\n')
            .map(|line| {
                let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
                body.chars().rev().collect::<String>() + end
            })
            .collect(),
    )
}

/// Source: GNU coreutils 9.5, tr(1): plain sets and ranges, `-d`; classes and repeats are not modelled.
pub fn tr(input: &Stream, reading: &Reading<'_>) -> Stream {
    let Stream::Known(text) = input else {
        return changed(input);
    };
    let sets: Option<Vec<Vec<char>>> = reading.parsed.operands(reading.arguments).map(|word| word.known().and_then(set)).collect();
    let deletes = reading.has("delete");
    let plain = reading.parsed.options.iter().all(|found| found.id == Some("delete"));
    match sets.as_deref() {
        Some([gone]) if deletes && plain => Stream::Known(text.chars().filter(|character| !gone.contains(character)).collect()),
        Some([from, to]) if !deletes && plain && !to.is_empty() => Stream::Known(
            text.chars()
                .map(|character| match from.iter().rposition(|known| *known == character) {
                    Some(at) => to.get(at).or(to.last()).copied().unwrap_or(character),
                    None => character,
                })
                .collect(),
        ),
        _ => Stream::Unknown,
    }
}

fn set(text: &str) -> Option<Vec<char>> {
    if text.contains("[:") || text.contains("[=") || text.contains('*') {
        return None;
    }
    let mut characters = Vec::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let character = match character {
            '\\' => match rest.next()? {
                'n' => '\n',
                't' => '\t',
                '\\' => '\\',
                _ => return None,
            },
            other => other,
        };
        let mut ahead = rest.clone();
        if ahead.next() == Some('-')
            && let Some(end) = ahead.next()
        {
            if !character.is_ascii() || !end.is_ascii() || end < character {
                return None;
            }
            characters.extend(character..=end);
            rest = ahead;
        } else {
            characters.push(character);
        }
    }
    Some(characters)
}
