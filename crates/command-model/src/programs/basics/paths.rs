//! dirname, basename, realpath, readlink, mktemp.

use sekisho_host::{EntryKind, Host, path};

use super::{line, single};
use crate::argument::{Argument, Value};
use crate::catalog::Invocation;
use crate::description::read::Reading;
use crate::stream::Stream;

/// Links followed for one path.
const LINKS: usize = 40;

/// The system's temporary directories.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"];

/// Source: POSIX.1-2017 dirname(1); several operands as GNU coreutils 9.5 has it.
pub fn dirname(reading: &Reading<'_>) -> Stream {
    let mut text = String::new();
    for word in reading.parsed.operands(reading.arguments) {
        let Some(known) = word.known() else {
            return Stream::Unknown;
        };
        let trimmed = known.trim_end_matches('/');
        let parent = match trimmed.rsplit_once('/') {
            _ if trimmed.is_empty() && !known.is_empty() => "/",
            Some((parent, _)) if parent.trim_end_matches('/').is_empty() => "/",
            Some((parent, _)) => parent.trim_end_matches('/'),
            None => ".",
        };
        text.push_str(parent);
        text.push('\n');
    }
    Stream::Known(text)
}

/// Source: GNU coreutils 9.5, basename(1).
pub fn basename(reading: &Reading<'_>) -> Stream {
    let words: Option<Vec<&str>> = reading.parsed.operands(reading.arguments).map(Argument::known).collect();
    let Some(words) = words else {
        return Stream::Unknown;
    };
    let suffix = reading.parsed.value("suffix");
    let many = reading.has("multiple") || suffix.is_some();
    let suffix = match suffix {
        Some(value) => value.known(),
        None if many => Some(""),
        None => words.get(1).copied().or(Some("")),
    };
    let Some(suffix) = suffix else {
        return Stream::Unknown;
    };
    let mut text = String::new();
    for word in words.iter().take(if many { words.len() } else { 1 }) {
        let trimmed = word.trim_end_matches('/');
        let name = if trimmed.is_empty() { "/" } else { trimmed.rsplit('/').next().unwrap_or(trimmed) };
        let name = name.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(name);
        text.push_str(name);
        text.push('\n');
    }
    Stream::Known(text)
}

/// Source: GNU coreutils 9.5, realpath(1) and readlink(1). `resolve`: every link on the way, not the text of the last.
pub fn realpath(invocation: &Invocation<'_>, reading: &Reading<'_>, resolve: bool) -> Stream {
    let Some(word) = single(reading).and_then(Argument::known) else {
        return Stream::Unknown;
    };
    if reading.has("relative") {
        return Stream::Unknown;
    }
    let Some(cwd) = invocation.cwd else {
        return Stream::Unknown;
    };
    let resolved = if resolve {
        resolved(path::join(cwd, word), invocation.host)
    } else {
        invocation.host.link_target(&path::join(cwd, word))
    };
    resolved.map_or(Stream::Unknown, |text| line(&text))
}

/// `start` (normal) with every link followed.
fn resolved(start: String, host: &dyn Host) -> Option<String> {
    let mut current = start;
    for _ in 0..LINKS {
        let components: Vec<String> = path::components(&current).map(str::to_owned).collect();
        let mut prefix = String::new();
        let mut next = None;
        for (index, component) in components.iter().enumerate() {
            let parent = if prefix.is_empty() { "/".to_owned() } else { prefix.clone() };
            prefix.push('/');
            prefix.push_str(component);
            if host.entry(&prefix) == Some(EntryKind::Link) {
                let target = path::join(&parent, &host.link_target(&prefix)?);
                let rest = components.get(index + 1..).unwrap_or_default().join("/");
                next = Some(path::join(&target, &rest));
                break;
            }
        }
        match next {
            Some(path) => current = path,
            None => return Some(current),
        }
    }
    None
}

/// Source: GNU coreutils 9.5, mktemp(1): without a template, or with `-t`, the path lies in `$TMPDIR` or `/tmp`.
pub fn mktemp(invocation: &Invocation<'_>, reading: &Reading<'_>) -> Stream {
    let directory_known = match (invocation.variable)("TMPDIR") {
        None => true,
        Some(value) => is_temporary(&value),
    };
    let directory = reading.options().find(|found| matches!(found.id, Some("tmpdir" | "tmpdir-short")));
    let template = reading.parsed.operand(reading.arguments, 0);
    let temporary = match (directory.map(|found| found.value.as_ref()), template) {
        (Some(Some(value)), _) => is_temporary(value),
        (Some(None), _) | (None, None) => directory_known,
        (None, Some(_)) if reading.has("template") => directory_known,
        (None, Some(word)) => is_temporary(&word.value),
    };
    // A template with `/..` in it may lead out again.
    let leads_out = template.is_some_and(|word| word.known().is_none_or(|text| text.contains("..")));
    if temporary && !leads_out { Stream::TemporaryPath } else { Stream::Unknown }
}

fn is_temporary(value: &Value) -> bool {
    let text = match value {
        Value::Known { text, .. } => text,
        Value::Glob { .. } => return false,
        Value::Dynamic(partial) => {
            return matches!(partial.cause, crate::argument::Cause::Temporary) && partial.prefix.is_empty();
        }
    };
    let normal = path::normalize(text);
    TEMPORARY.iter().any(|root| path::is_within(&normal, root))
}
