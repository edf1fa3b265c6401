//! Copies, moves and links: several sources, one destination.

use sekisho_host::{EntryKind, Host, path};
use sekisho_shell_syntax::span::Span;

use super::remote;
use crate::argument::Value;
use crate::effect::{EffectKind, Target, WriteMode};

/// What is done with the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Copied.
    Copy,
    /// Moved.
    Move,
    /// Linked.
    Link,
}

/// Sources and destination as they are found.
#[derive(Debug, Default)]
pub struct Transfer {
    /// What, and where the word stands.
    pub sources: Vec<(Kind, Value, Span)>,
    /// Where to, and where the word stands.
    pub destination: Option<(Value, Span)>,
    /// The destination is said to be a directory (`cp -t DIR`).
    pub into_directory: bool,
    /// Operands may be on another machine.
    pub remote: bool,
}

impl Transfer {
    /// The effects, with the word each comes from.
    pub fn effects(self, cwd: Option<&str>, host: &dyn Host) -> Vec<(EffectKind, Span)> {
        let mut effects = Vec::new();
        let mut last_written = None;
        let far_destination = self.destination.as_ref().and_then(|(value, span)| {
            let host = if self.remote { remote::host_of_operand(value, host.platform()) } else { None }?;
            Some((host, *span))
        });
        let into_directory = self
            .destination
            .as_ref()
            .is_some_and(|(value, _)| self.into_directory || self.sources.len() > 1 || is_directory(value, cwd, host));
        for (kind, source, span) in &self.sources {
            let far_source = if self.remote { remote::host_of_operand(source, host.platform()) } else { None };
            let content_lost = *kind == Kind::Copy && source.known() == Some("/dev/null");
            let is_far = far_source.is_some();
            if let Some(host) = far_source {
                effects.push((EffectKind::Network { host: Some(host), upload: false }, *span));
            } else {
                match kind {
                    Kind::Copy if content_lost => {}
                    Kind::Copy => effects.push((EffectKind::Read(Target::new(source.clone())), *span)),
                    Kind::Link => effects.push((EffectKind::Mention(Target::new(source.clone())), *span)),
                    Kind::Move => {}
                }
            }
            if far_destination.is_some() {
                continue;
            }
            let Some((destination, destination_span)) = &self.destination else {
                continue;
            };
            // rsync(1): a trailing slash on the source means what is in it, not the directory itself.
            let contents = self.remote && source.display().ends_with('/');
            let named = if into_directory && !contents { below(destination, source, is_far) } else { None };
            let to = Target::new(named.unwrap_or_else(|| destination.clone()));
            let effect = match kind {
                Kind::Move => EffectKind::Move { from: Target::new(source.clone()), to },
                Kind::Link => EffectKind::Write(to, WriteMode::Link),
                Kind::Copy if content_lost => EffectKind::Write(to, WriteMode::Empty),
                Kind::Copy => EffectKind::Write(to, WriteMode::Truncate),
            };
            // One write says it all where several sources end under names that are not known.
            if last_written.as_ref() != Some(&effect) {
                effects.push((effect.clone(), *destination_span));
                last_written = Some(effect);
            }
        }
        if let Some((host, span)) = far_destination {
            effects.push((EffectKind::Network { host: Some(host), upload: true }, span));
        }
        effects
    }
}

/// The destination is a directory: so it is written (`dir/`, `.`, `..`), or so it stands there.
fn is_directory(value: &Value, cwd: Option<&str>, host: &dyn Host) -> bool {
    let Some(text) = value.known() else {
        return false;
    };
    if text.ends_with('/') || matches!(text, "." | "..") || text.ends_with("/.") || text.ends_with("/..") {
        return true;
    }
    let absolute = if path::is_absolute(text) {
        path::normalize(text)
    } else {
        let Some(cwd) = cwd else { return false };
        path::join(cwd, text)
    };
    match host.entry(&absolute) {
        Some(EntryKind::Directory) => true,
        // A link to a directory counts as one for cp(1) and mv(1).
        Some(EntryKind::Link) => host.list(&absolute, 1).is_ok_or_too_large(),
        _ => false,
    }
}

/// A listing that fails for its length alone shows a directory all the same.
trait Listed {
    fn is_ok_or_too_large(&self) -> bool;
}

impl Listed for Result<Vec<String>, sekisho_host::ReadFailure> {
    fn is_ok_or_too_large(&self) -> bool {
        matches!(self, Ok(_) | Err(sekisho_host::ReadFailure::TooLarge))
    }
}

/// The path a source gets inside a directory; `None` where its last component is not known. `far`: a host stands before it.
fn below(destination: &Value, source: &Value, far: bool) -> Option<Value> {
    let Value::Known { text, provenance } = destination else {
        return None;
    };
    let source = source.known()?.trim_end_matches('/');
    let source = if far { source.split_once(':').map_or(source, |(_, path)| path) } else { source };
    let name = source.rsplit('/').next().filter(|name| !matches!(*name, "" | "." | ".."))?;
    Some(Value::Known { text: format!("{}/{name}", text.trim_end_matches('/')), provenance: *provenance })
}
