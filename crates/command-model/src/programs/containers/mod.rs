//! Containers and clusters: docker, podman, nerdctl, compose, kubectl, oc, lxc and their kin.
//!
//! A command inside one is carried with [`Scope::Container`](crate::carried::Scope). Everything else is an
//! [`EffectKind::Service`] whose `service` is `docker` (for docker, podman, nerdctl and compose), `kubectl` (also oc) or `lxc`
//! (also incus), and whose `operation` is one of these words:
//!
//! | service | operations |
//! |---|---|
//! | docker | `read` (list, describe, logs, anything with `--dry-run`), `build`, `run`, `exec`, `pull`, `push`, `login`, `copy`, `create`, `start`, `stop`, `update` |
//! | | `remove-container` (the resource says which; `force` in front of it with `-f`), `remove-all-containers` (the names come from a command), `container-prune` |
//! | | `remove-image`, `image-prune`, `image-prune-all`, `builder-prune`, `network-delete`, `network-prune` |
//! | | `volume-delete` (`volume rm`, `volume prune`, `rm -v`), `system-prune`, `system-prune-volumes` (`-a` and `--volumes`), `system-reset` |
//! | | `compose-up`, `compose-down`, `compose-down-volumes`, `compose-remove`, `compose-config`, `swarm-leave`, `stack-delete` |
//! | | `env-file`, `mount-root`, `privileged`: what `run` and `create` hand to a container |
//! | kubectl | `read`, `get-secret`, `apply`, `create`, `run`, `exec`, `edit`, `patch`, `label`, `copy`, `port-forward`, `rollout`, `delete` (resource `kind/name`), `delete-all`, `drain`, `drain-force`, `cordon`, `scale`, `scale-zero`, `replace`, `replace-force`, `configure` |
//! | lxc | `read`, `delete`, or the sub-command as written |

mod cluster;
mod compose;
mod engine;
mod mounts;
mod run_options;
mod system_containers;

use sekisho_shell_syntax::span::Span;

use crate::argument::Argument;
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Target, WriteMode};
use crate::option_grammar::{Grammar, OptionSpec};
use crate::programs::text_carriers::words::undescribed;

/// The programs this file answers for.
pub const NAMES: &[&str] = &[
    "docker",
    "podman",
    "nerdctl",
    "docker-compose",
    "podman-compose",
    "kubectl",
    "oc",
    "k3s",
    "microk8s.kubectl",
    "lxc",
    "incus",
    "lxc-attach",
    "distrobox",
    "distrobox-enter",
    "toolbox",
];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let mut understood = operations(invocation);
    let copies = |effect: &Effect| matches!(&effect.kind, EffectKind::Service { operation, .. } if operation == "copy");
    if !understood.inert && understood.effects.iter().any(copies) {
        copied_files(invocation.arguments, &mut understood);
    }
    understood
}

/// `cp FROM TO`: the side without a `:` is a file of this machine.
fn copied_files(arguments: &[Argument], understood: &mut Understood) {
    let Some(at) = arguments.iter().position(|word| matches!(word.known(), Some("cp" | "copy" | "rsync"))) else { return };
    let operands: Vec<&Argument> = arguments.iter().skip(at + 1).filter(|word| !word.may_be_option()).collect();
    // Values of options stand before the two.
    let [.., from, to] = operands.as_slice() else { return };
    let here = |word: &Argument| !word.value.display().contains(':') && word.known() != Some("-");
    let mut push = |kind: EffectKind, span: Span| understood.effects.push(Effect::new(kind, Family::General, span));
    if here(from) {
        push(EffectKind::Read(Target::new(from.value.clone())), from.span);
    }
    if here(to) {
        push(EffectKind::Write(Target::new(to.value.clone()), WriteMode::Truncate), to.span);
    }
}

fn operations(invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    match invocation.program {
        "docker" | "podman" | "nerdctl" => engine::understand(arguments),
        "docker-compose" | "podman-compose" => compose::understand(arguments),
        "kubectl" | "microk8s.kubectl" => cluster::understand(arguments, "kubectl"),
        "oc" => cluster::understand(arguments, "oc"),
        "k3s" if arguments.first().and_then(Argument::known) == Some("kubectl") => {
            cluster::understand(arguments.get(1..).unwrap_or_default(), "kubectl")
        }
        "lxc" | "incus" => system_containers::lxc(arguments),
        "lxc-attach" => system_containers::lxc_attach(arguments),
        "distrobox" | "distrobox-enter" => system_containers::distrobox(invocation.program, arguments),
        "toolbox" => system_containers::toolbox(arguments),
        program => undescribed(program),
    }
}

/// Options as these programs read them: no abbreviations, options after operands unless a command follows.
const fn grammar(options: &'static [OptionSpec], permutes: bool) -> Grammar {
    Grammar { options, permutes, abbreviates: false, single_dash_long: false }
}

/// An operation on a service.
fn service(name: &str, operation: &str, resource: Option<String>, span: Span) -> Effect {
    let kind = EffectKind::Service { service: name.to_owned(), operation: operation.to_owned(), resource };
    Effect::new(kind, Family::General, span)
}

/// An unknown word where a sub-command should be.
fn structure(span: Span) -> Effect {
    Effect::new(EffectKind::DynamicStructure, Family::General, span)
}

/// The words as one text, for a resource.
fn listed<'a>(words: impl Iterator<Item = &'a Argument>) -> Option<String> {
    let text = words.map(|word| word.value.display()).collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests;
