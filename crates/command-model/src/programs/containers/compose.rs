//! `docker compose` (2.30), `docker-compose`, `podman-compose`.

use super::engine::{carry, env_files, inside};
use super::mounts::Mounts;
use super::{grammar, listed, service, structure};
use crate::argument::Argument;
use crate::carried::Scope;
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family, Target};
use crate::option_grammar::{OptionSpec, parse};
use crate::programs::text_carriers::words::{asks_for_help, described, flag, inert, named, named_flag, span_of, value};

const GLOBAL: &[OptionSpec] = &[
    named_flag("query", &["-v", "--version"]),
    named_flag("dry-run", &["--dry-run"]),
    named("use", &["--env-file"]),
    value(&[
        "-f",
        "--file",
        "-p",
        "--project-name",
        "--profile",
        "--project-directory",
        "--parallel",
        "--progress",
        "--ansi",
        "-H",
        "--host",
    ]),
    value(&["-c", "--context", "--podman-path", "--podman-args", "--in-pod", "--log-level"]),
    flag(&["--compatibility", "--all-resources", "--verbose", "--no-ansi", "--tls", "--tlsverify"]),
];

const RUN: &[OptionSpec] = &[
    named("volume", &["-v", "--volume"]),
    named("env-file", &["--env-file", "--env-from-file"]),
    named("directory", &["-w", "--workdir"]),
    named("entrypoint", &["--entrypoint"]),
    named("set", &["-e", "--env"]),
    named_flag("disposable", &["--rm"]),
    flag(&["-d", "--detach", "-T", "--no-TTY", "--no-tty", "-i", "--interactive", "--build", "--no-deps", "-P", "--service-ports"]),
    flag(&["--use-aliases", "--remove-orphans", "-q", "--quiet", "--quiet-pull", "--quiet-build", "-t", "--tty", "--privileged"]),
    value(&["-l", "--label", "--name", "-p", "--publish", "-u", "--user", "--cap-add", "--cap-drop", "--pull", "--index"]),
];

const OTHER: &[OptionSpec] = &[
    named_flag("volumes", &["-v", "--volumes"]),
    named_flag("renew", &["-V", "--renew-anon-volumes"]),
    named_flag("dry-run", &["--dry-run"]),
    value(&[
        "--rmi",
        "-t",
        "--timeout",
        "--scale",
        "--tail",
        "-n",
        "--since",
        "--until",
        "--format",
        "--filter",
        "--pull",
        "--exit-code-from",
    ]),
    value(&[
        "-o",
        "--output",
        "-s",
        "--signal",
        "--attach",
        "--no-attach",
        "--wait-timeout",
        "--build-arg",
        "--progress",
        "--ssh",
        "--hash",
    ]),
];

/// Sub-commands and their operations.
const OPERATIONS: &[(&[&str], &str)] = &[
    (&["config", "convert"], "compose-config"),
    (&["ps", "ls", "logs", "images", "top", "port", "events", "version", "stats", "volumes", "wait", "attach", "help"], "read"),
    (&["up", "watch", "create", "start", "restart", "unpause", "scale"], "compose-up"),
    (&["build"], "build"),
    (&["pull"], "pull"),
    (&["push", "publish"], "push"),
    (&["cp"], "copy"),
    (&["stop", "pause", "kill"], "stop"),
    (&["rm"], "compose-remove"),
];

/// Says what the command does.
pub(super) fn understand(arguments: &[Argument]) -> Understood {
    let parsed = parse(&grammar(GLOBAL, false), arguments);
    if asks_for_help(&parsed) || parsed.has("query") {
        return inert();
    }
    let mut understood = described();
    for option in parsed.options.iter().filter(|option| option.id == Some("use")) {
        if let Some(value) = &option.value {
            understood.effects.push(Effect::new(EffectKind::Use(Target::new(value.clone())), Family::General, option.span));
        }
    }
    let words = parsed.from_operand(arguments, 0);
    let Some((first, rest)) = words.split_first() else {
        return inert();
    };
    let Some(name) = first.known() else {
        understood.effects.push(structure(first.span));
        return understood;
    };
    let dry = parsed.has("dry-run");
    match name {
        "run" | "exec" => run(name, rest, &mut understood),
        _ => operation(name, rest, dry, &mut understood),
    }
    if dry {
        understood.carried.clear();
    }
    understood
}

fn run(name: &str, arguments: &[Argument], understood: &mut Understood) {
    let parsed = parse(&grammar(RUN, false), arguments);
    if asks_for_help(&parsed) {
        understood.inert = true;
        return;
    }
    let target = parsed.operand(arguments, 0).map(|word| word.value.display());
    understood.effects.push(service("docker", name, target, span_of(arguments)));
    env_files(&parsed, understood);
    let mounts = Mounts::of(&parsed);
    if mounts.has_root() {
        understood.effects.push(service("docker", "mount-root", None, span_of(arguments)));
    }
    // What the compose file mounts is not read.
    let scope = Scope::Container { mounts: mounts.pairs, disposable: parsed.has("disposable"), unknown_mounts: true };
    carry(&parsed, arguments, inside(&parsed, scope), understood);
}

fn operation(name: &str, arguments: &[Argument], dry: bool, understood: &mut Understood) {
    let parsed = parse(&grammar(OTHER, true), arguments);
    if asks_for_help(&parsed) {
        understood.inert = true;
        return;
    }
    let operation = match name {
        _ if dry || parsed.has("dry-run") => "read",
        "down" if parsed.has("volumes") => "compose-down-volumes",
        "down" => "compose-down",
        "rm" if parsed.has("volumes") => "compose-down-volumes",
        _ => OPERATIONS.iter().find(|(names, _)| names.contains(&name)).map_or("", |(_, operation)| *operation),
    };
    let span = span_of(arguments);
    if operation.is_empty() {
        let kind = EffectKind::Unknown(format!("docker compose {name}"));
        understood.effects.push(Effect::new(kind, Family::General, span));
    } else {
        understood.effects.push(service("docker", operation, listed(parsed.operands(arguments)), span));
    }
}
