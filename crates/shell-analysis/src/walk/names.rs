//! Names the text itself gives to what lies elsewhere: links, bind mounts, files that were moved. What is done under such a name
//! is done to what it stands for, which the machine cannot say yet: the name does not exist before the text runs.

use std::rc::Rc;

use sekisho_command_model::{Argument, Effect, EffectKind, Scope, Target, Value, WriteMode};

use crate::directory;
use crate::engine::Engine;
use crate::state::{State, Tie};

/// Most names remembered.
const NAMES: usize = 64;
/// Most names followed for one path: links may lead to links.
const STEPS: usize = 8;

impl Engine<'_> {
    /// Remembers what a command that makes names makes.
    pub(crate) fn note_names(&mut self, program: &str, arguments: &[Argument], effects: &[Effect], state: &mut State) {
        for effect in effects {
            // The name itself goes, not what it stands for.
            if let EffectKind::Delete { target, .. } = &effect.kind
                && !state.names.is_empty()
                && target.value.known().is_some_and(|text| !text.ends_with('/'))
                && let Some(key) = self.file_key(&target.value, state)
                && state.names.get(&key).is_some_and(|(_, tie)| *tie != Tie::Mounted)
            {
                Rc::make_mut(&mut state.names).remove(&key);
            }
        }
        let has = |names: &[&str]| {
            arguments.iter().filter_map(Argument::known).any(|word| {
                let cluster = word.starts_with('-') && !word.starts_with("--");
                names.iter().any(|name| match name.strip_prefix('-') {
                    Some(letter) if letter.len() == 1 => cluster && word.contains(letter),
                    _ => word == *name || word.strip_prefix(name).is_some_and(|rest| rest.starts_with('=')),
                })
            })
        };
        let (tie, beside_link) = match program {
            "ln" if has(&["-t", "--target-directory"]) => return,
            "ln" if has(&["-s", "--symbolic"]) => (Tie::Leads, !has(&["-r", "--relative"])),
            "ln" | "mv" => (Tie::Content, false),
            "mount" => {
                let options = arguments.iter().filter_map(Argument::known);
                let bound = has(&["--bind", "-B", "--rbind", "-R", "--move", "-M"])
                    || options.into_iter().any(|word| word.split([',', '=']).any(|part| matches!(part, "bind" | "rbind")));
                if !bound {
                    return;
                }
                (Tie::Mounted, false)
            }
            _ => return,
        };
        let operands: Vec<&Value> = arguments.iter().filter(|word| !word.may_be_option()).map(|word| &word.value).collect();
        let here = Value::literal("./");
        let (sources, to): (&[&Value], &Value) = match (program, operands.as_slice()) {
            ("ln", [from]) => (std::slice::from_ref(from), &here),
            ("mount", [.., from, to]) => (std::slice::from_ref(from), *to),
            (_, [sources @ .., to]) if !sources.is_empty() => (sources, *to),
            _ => return,
        };
        let itself = program == "mount" || has(&["-n", "-T", "--no-dereference", "--no-target-directory"]);
        for from in sources.iter().take(NAMES) {
            let place = if itself { to.clone() } else { self.place_in(from, to, state) };
            let (Some(name), Some(text)) = (self.file_key(&place, state), from.known()) else { continue };
            let base = if beside_link { directory::join(&name, "..") } else { state.cwd.path().unwrap_or_default().to_owned() };
            if base.is_empty() && !directory::is_absolute(text) || !directory::is_absolute(&name) {
                continue;
            }
            let source = directory::join(&base, text);
            if source != name && (state.names.len() < NAMES || state.names.contains_key(&name)) {
                Rc::make_mut(&mut state.names).insert(name, (source, tie));
            }
        }
    }

    /// Puts what a remembered name stands for in the place of the name.
    pub(crate) fn follow_names(&self, effect: &mut Effect, scope: &Scope, state: &State) {
        if state.names.is_empty() || *scope != Scope::Host {
            return;
        }
        let base = match (&effect.directory, state.cwd.path()) {
            (Some(directory), cwd) => directory.known().map(|text| directory::join(cwd.unwrap_or("/"), text)),
            (None, cwd) => cwd.map(str::to_owned),
        };
        let base = base.as_deref();
        // Deleting or moving a name leaves what it stands for alone; whatever is below it is the real thing.
        match &mut effect.kind {
            EffectKind::Read(target) | EffectKind::Touch(target) => led(target, base, true, true, state),
            EffectKind::Write(target, mode) => led(target, base, *mode != WriteMode::Link, false, state),
            EffectKind::Permissions { target, .. } => led(target, base, true, false, state),
            EffectKind::Delete { target, .. } => led(target, base, false, false, state),
            EffectKind::Move { from, to } => {
                led(from, base, false, false, state);
                led(to, base, false, false, state);
            }
            _ => {}
        }
    }
}

fn led(target: &mut Target, base: Option<&str>, last: bool, content: bool, state: &State) {
    let (text, is_pattern) = match &target.value {
        Value::Known { text, .. } => (text.as_str(), false),
        Value::Glob { pattern } => (pattern.as_str(), true),
        Value::Dynamic(_) => return,
    };
    if text.is_empty() || base.is_none() && !directory::is_absolute(text) {
        return;
    }
    let through = last || text.ends_with('/') || text == "." || text.ends_with("/.");
    let mut path = directory::join(base.unwrap_or("/"), text);
    let mut moved = false;
    for _ in 0..STEPS {
        let step = state.names.iter().rev().find_map(|(name, (source, tie))| {
            let rest = path.strip_prefix(name.as_str())?;
            let itself = rest.is_empty() && (through || moved || *tie == Tie::Mounted);
            let applies = (*tie != Tie::Content || content) && (rest.starts_with('/') || itself);
            applies.then(|| directory::join(source, rest.trim_start_matches('/')))
        });
        match step {
            Some(next) if next != path => {
                path = next;
                moved = true;
            }
            _ => break,
        }
    }
    if moved {
        target.value = match &target.value {
            Value::Known { provenance, .. } => Value::Known { text: path, provenance: *provenance },
            _ if is_pattern => Value::Glob { pattern: path },
            _ => return,
        };
    }
}
