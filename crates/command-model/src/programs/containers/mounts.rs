//! Which directories of this machine a container sees.

use crate::argument::{Argument, Cause, Partial, Value};
use crate::option_grammar::Parsed;

/// What `-v` and `--mount` say.
#[derive(Debug, Default)]
pub(super) struct Mounts {
    /// Host path, container path.
    pub pairs: Vec<(Value, Value)>,
    /// There may be more.
    pub unknown: bool,
}

impl Mounts {
    /// Reads the options.
    pub fn of(parsed: &Parsed) -> Self {
        let mut mounts = Self { pairs: Vec::new(), unknown: parsed.has("volumes-from") };
        for value in parsed.values("volume") {
            mounts.volume(value);
        }
        for value in parsed.values("mount") {
            mounts.mount(value);
        }
        mounts
    }

    /// The root of this machine is mounted.
    pub fn has_root(&self) -> bool {
        self.pairs.iter().any(|(host, _)| {
            host.known().is_some_and(|path| path.starts_with('/') && path.split('/').all(|part| matches!(part, "" | "." | "..")))
        })
    }

    /// `HOST:INSIDE[:OPTIONS]`; a name that is no path is a volume of the engine.
    fn volume(&mut self, value: &Value) {
        match value {
            Value::Known { text, .. } => {
                let Some((host, inside)) = split_volume(text) else {
                    return;
                };
                if names_a_path(host) {
                    self.pairs.push((known(value, host), known(value, inside)));
                }
            }
            Value::Glob { .. } => self.unknown = true,
            Value::Dynamic(partial) => self.unknown_volume(partial),
        }
    }

    fn unknown_volume(&mut self, partial: &Partial) {
        if let Some((host_end, rest)) = partial.suffix.split_once(':') {
            let inside = rest.split(':').next().unwrap_or(rest);
            let host = Partial { suffix: host_end.to_owned(), ..partial.clone() };
            self.pairs.push((Value::Dynamic(host), Value::literal(inside)));
        } else if let Some((host, inside)) = partial.prefix.split_once(':') {
            if names_a_path(host) {
                let inside = Partial { prefix: inside.to_owned(), ..partial.clone() };
                self.pairs.push((Value::literal(host), Value::Dynamic(inside)));
            }
        } else {
            self.unknown = true;
        }
    }

    /// `type=bind,source=HOST,target=INSIDE`.
    fn mount(&mut self, value: &Value) {
        let text = match value {
            Value::Known { text, .. } => text,
            Value::Dynamic(partial) => {
                // `type=bind,src=$PWD,dst=/w`: the field that holds the unknown part is known by what stands before it.
                self.unknown_mount(partial);
                return;
            }
            Value::Glob { pattern } => pattern,
        };
        let field = |names: &[&str]| {
            text.split(',').filter_map(|field| field.split_once('=')).find(|(name, _)| names.contains(name)).map(|(_, value)| value)
        };
        // Without a type docker makes a volume and podman too.
        let is_bind = field(&["type"]) == Some("bind");
        if let (true, Some(host), Some(inside)) = (is_bind, field(SOURCES), field(TARGETS)) {
            self.pairs.push((known(value, host), known(value, inside)));
        }
    }

    fn unknown_mount(&mut self, partial: &Partial) {
        let (before, field) = partial.prefix.rsplit_once(',').unwrap_or(("", &partial.prefix));
        let (rest, after) = partial.suffix.split_once(',').map_or((partial.suffix.as_str(), ""), |(rest, after)| (rest, after));
        let Some((name, start)) = field.split_once('=') else {
            self.unknown = true;
            return;
        };
        let fields = || before.split(',').chain(after.split(',')).filter_map(|field| field.split_once('='));
        let other = |names: &[&str]| fields().find(|(name, _)| names.contains(name)).map(|(_, value)| Value::literal(value));
        let unknown = Value::Dynamic(Partial { prefix: start.to_owned(), suffix: rest.to_owned(), ..partial.clone() });
        match (SOURCES.contains(&name), TARGETS.contains(&name)) {
            (true, _) => {
                let inside = other(TARGETS).unwrap_or_else(|| Value::Dynamic(Partial::unknown(Cause::Unknown)));
                self.pairs.push((unknown, inside));
            }
            (_, true) => self.pairs.extend(other(SOURCES).map(|host| (host, unknown))),
            _ => {}
        }
    }
}

const SOURCES: &[&str] = &["source", "src"];
const TARGETS: &[&str] = &["target", "dst", "destination"];

/// Host and container path of a volume. A drive letter's colon does not separate.
fn split_volume(text: &str) -> Option<(&str, &str)> {
    let drive = text.len() > 2
        && text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && matches!(text.get(1..3), Some(":/" | ":\\"));
    let from = if drive { 2 } else { 0 };
    let at = text.get(from..)?.find(':')? + from;
    let inside = text.get(at + 1..)?;
    Some((text.get(..at)?, inside.split(':').next().unwrap_or(inside)))
}

fn names_a_path(host: &str) -> bool {
    host.starts_with(['/', '.', '~', '\\']) || host.get(1..3).is_some_and(|rest| matches!(rest, ":/" | ":\\"))
}

fn known(value: &Value, text: &str) -> Value {
    Value::Known { text: text.to_owned(), provenance: value.provenance() }
}

/// Assignments of `-e NAME=VALUE`.
pub(super) fn environment(parsed: &Parsed) -> Vec<(String, Value)> {
    parsed
        .values("set")
        .filter_map(|value| crate::programs::text_carriers::words::assignment(&Argument::with(value.clone(), Default::default())))
        .collect()
}
