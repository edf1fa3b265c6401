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

/// The lines of `input` that a pattern selects: of paths, those with such a name.
pub fn matching_lines(input: &Stream, reading: &Reading<'_>) -> Stream {
    let Stream::Paths { roots, selection } = input else { return some_lines(input) };
    let plain = reading.parsed.options.iter().all(|found| matches!(found.written.as_str(), "-E" | "-i" | "-F" | "-P" | "-w"));
    match single(reading).and_then(Argument::known).and_then(as_names) {
        Some(names) if plain && selection.names.is_empty() => {
            Stream::Paths { roots: roots.clone(), selection: Selection { names, ..selection.clone() } }
        }
        _ => input.clone(),
    }
}

/// The names that a regular expression of the simplest kind selects: `\.bak$`, `\.(orig|rej)$`, `foo`.
fn as_names(pattern: &str) -> Option<Vec<String>> {
    let is_word = |text: &str| text.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-.".contains(letter));
    let (body, end) = pattern.strip_suffix('$').map_or((pattern, "*"), |body| (body, ""));
    let body = body.strip_prefix('^').unwrap_or(body).replace("\\.", ".");
    let (before, alternatives) = match body.split_once('(') {
        Some((before, rest)) => (before, rest.strip_suffix(')')?),
        None => ("", body.as_str()),
    };
    let names: Vec<String> = alternatives.split('|').map(|one| format!("{before}{one}")).collect();
    names.iter().all(|name| name.len() >= 3 && is_word(name)).then(|| names.iter().map(|name| format!("*{name}{end}")).collect())
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

/// What `ls` with operands prints: with `-d`, and for files, the operands themselves; for one directory the names in it, which mean
/// something only in the working directory. A pattern with an extension is taken to match files.
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
    let entry = |word: &Argument| invocation.host.entry(&path::join(invocation.cwd?, word.known()?));
    if let [one] = operands.as_slice()
        && entry(one) == Some(EntryKind::Directory)
    {
        return listed;
    }
    // Files come as they were written.
    let file = |word: &&Argument| match &word.value {
        Value::Glob { pattern } => {
            pattern.rsplit('/').next().and_then(|name| name.rsplit_once('.')).is_some_and(|(stem, extension)| {
                !stem.is_empty() && !extension.is_empty() && extension.chars().all(|letter| letter.is_ascii_alphanumeric())
            })
        }
        _ => matches!(entry(word), Some(EntryKind::File { .. })),
    };
    if operands.iter().all(file) {
        Stream::Words(operands.iter().map(|word| word.value.clone()).collect())
    } else {
        Stream::Unknown
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
