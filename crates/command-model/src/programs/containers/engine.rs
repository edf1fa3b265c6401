//! docker, podman, nerdctl.

use super::mounts::{Mounts, environment};
use super::run_options::{EXEC, RUN};
use super::{compose, grammar, listed, service, structure};
use crate::argument::{Argument, Cause, Value};
use crate::carried::{Carried, Change, Scope};
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family, Target};
use crate::option_grammar::{OptionSpec, Parsed, parse};
use crate::programs::text_carriers::words::{asks_for_help, described, flag, inert, named, named_flag, span_of, value, word};

const GLOBAL: &[OptionSpec] = &[
    named("use", &["--config", "--tlscacert", "--tlscert", "--tlskey", "--identity"]),
    named_flag("query", &["-v", "--version"]),
    flag(&["-D", "--debug", "--tls", "--tlsverify", "-r", "--remote", "--debug-full", "--syslog"]),
    value(&[
        "-c",
        "--context",
        "-H",
        "--host",
        "-l",
        "--log-level",
        "-a",
        "--address",
        "-n",
        "--namespace",
        "--connection",
        "--url",
    ]),
    value(&["--root", "--runroot", "--storage-driver", "--storage-opt", "--cgroup-manager", "--network-config-dir", "--runtime"]),
    value(&[
        "--snapshotter",
        "--data-root",
        "--cni-path",
        "--cni-netconfpath",
        "--module",
        "--tmpdir",
        "--conmon",
        "--events-backend",
    ]),
];

/// Options of the other sub-commands that change what they lose.
const OTHER: &[OptionSpec] = &[
    named_flag("force", &["-f", "--force"]),
    named_flag("all", &["-a", "--all"]),
    named_flag("volumes", &["-v", "--volumes"]),
    named_flag("dry-run", &["--dry-run"]),
    value(&["--filter", "--format", "-n", "--tail", "--last", "--since", "--until", "-t", "--time", "-s", "--signal", "--timeout"]),
    value(&["-u", "--username", "-p", "--password", "--name", "--driver", "-d", "--label", "-o", "--output", "--cidfile"]),
];

/// Sub-commands that have sub-commands of their own; the second word decides.
const GROUPS: &[&str] = &[
    "container",
    "image",
    "volume",
    "network",
    "system",
    "builder",
    "buildx",
    "context",
    "swarm",
    "stack",
    "service",
    "node",
    "secret",
    "config",
    "plugin",
    "manifest",
    "trust",
    "pod",
    "machine",
    "checkpoint",
    "namespace",
];

/// What a sub-command does where its options do not matter: the group (empty: any or none), the sub-commands, the operation.
const OPERATIONS: &[(&str, &[&str], &str)] = &[
    (
        "",
        &["ps", "ls", "list", "images", "logs", "inspect", "info", "version", "stats", "top", "port", "diff", "history", "search"],
        "read",
    ),
    ("", &["events", "wait", "df", "show", "du", "exists", "tree", "healthcheck", "mount", "attach", "connection"], "read"),
    ("", &["build", "bake", "commit", "import", "load", "tag", "save", "export", "manifest"], "build"),
    ("", &["pull"], "pull"),
    ("", &["push"], "push"),
    ("", &["login", "logout"], "login"),
    ("", &["cp", "copy"], "copy"),
    ("volume", &["rm", "remove", "prune"], "volume-delete"),
    ("network", &["rm", "remove"], "network-delete"),
    ("network", &["prune"], "network-prune"),
    ("builder", &["prune"], "builder-prune"),
    ("buildx", &["prune", "rm"], "builder-prune"),
    ("container", &["prune"], "container-prune"),
    ("image", &["rm", "remove"], "remove-image"),
    ("system", &["reset"], "system-reset"),
    ("machine", &["rm", "reset"], "system-reset"),
    ("stack", &["rm", "remove", "down"], "stack-delete"),
    ("service", &["rm", "remove"], "stack-delete"),
    ("pod", &["rm", "prune"], "remove-container"),
    ("swarm", &["leave"], "swarm-leave"),
    ("context", &["use"], "update"),
    ("", &["rmi"], "remove-image"),
    ("", &["create", "init", "join", "connect", "disconnect", "add", "set", "deploy", "scale"], "create"),
    ("", &["start", "restart", "unpause"], "start"),
    ("", &["stop", "pause", "kill"], "stop"),
    ("", &["update", "rename"], "update"),
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
    let mut words = parsed.from_operand(arguments, 0);
    let Some(first) = words.first() else {
        return inert();
    };
    let Some(mut name) = first.known() else {
        understood.effects.push(structure(first.span));
        return understood;
    };
    let mut group = "";
    if name == "compose" {
        let mut inner = compose::understand(words.get(1..).unwrap_or_default());
        inner.effects.splice(0..0, understood.effects);
        return inner;
    }
    if GROUPS.contains(&name) {
        let Some(second) = words.get(1) else {
            return inert();
        };
        let Some(second_name) = second.known() else {
            understood.effects.push(structure(second.span));
            return understood;
        };
        (group, name) = (name, second_name);
        words = words.get(1..).unwrap_or_default();
    }
    let rest = words.get(1..).unwrap_or_default();
    match name {
        "--help" | "help" => return inert(),
        "run" | "create" if matches!(group, "" | "container") => run(name, rest, &mut understood),
        "exec" => exec(rest, &mut understood),
        _ => operation(group, name, rest, &mut understood),
    }
    understood
}

/// A word of `--privileged=false`.
fn is_on(parsed: &Parsed, id: &str) -> bool {
    parsed.last_of(&[id]).is_some_and(|option| option.value.as_ref().and_then(Value::known) != Some("false"))
}

/// `run [OPTION…] IMAGE [COMMAND …]`.
fn run(name: &str, arguments: &[Argument], understood: &mut Understood) {
    let parsed = parse(&grammar(RUN, false), arguments);
    if asks_for_help(&parsed) {
        understood.inert = true;
        return;
    }
    let span = span_of(arguments);
    let mounts = Mounts::of(&parsed);
    let image = parsed.operand(arguments, 0);
    understood.effects.push(service("docker", name, image.map(|image| image.value.display()), span));
    env_files(&parsed, understood);
    if mounts.has_root() {
        understood.effects.push(service("docker", "mount-root", None, span));
    }
    if is_on(&parsed, "privileged") {
        understood.effects.push(service("docker", "privileged", None, span));
    }
    // The program's own files may be a directory of this machine.
    let mut pairs = mounts.pairs;
    if parsed.has("rootfs") {
        pairs.extend(image.map(|root| (root.value.clone(), Value::literal("/"))));
    }
    let scope = Scope::Container { mounts: pairs, disposable: is_on(&parsed, "disposable"), unknown_mounts: mounts.unknown };
    let change = inside(&parsed, scope);
    carry(&parsed, arguments, change, understood);
}

/// The command after the image or service.
pub(super) fn carry(parsed: &Parsed, arguments: &[Argument], change: Change, understood: &mut Understood) {
    let mut words = parsed.from_operand(arguments, 1).to_vec();
    match parsed.value("entrypoint") {
        Some(program) if program.known() != Some("") => {
            words.insert(0, Argument::with(program.clone(), span_of(arguments)));
        }
        _ => {}
    }
    for option in parsed.unknown().filter(|option| option.value.is_none()) {
        let kind = EffectKind::Unknown(format!("docker {}", option.written));
        understood.effects.push(Effect::new(kind, Family::General, option.span));
    }
    if let Some(first) = parsed.operand(arguments, 0)
        && first.known().is_none()
        && first.may_be_option()
    {
        understood.effects.push(structure(first.span));
    }
    // Words that begin with a dash are options of the image's own program.
    let Some(first) = words.first() else { return };
    if first.known().is_some_and(|text| text.starts_with('-')) {
        return;
    }
    let span = span_of(&words);
    // An option that is not described may have taken the image as its value: then the image is the command's first word.
    let shifted = parsed.unknown().any(|option| option.value.is_none()).then(|| words.get(1..).unwrap_or_default().to_vec());
    understood.carried.push(Carried { change: change.clone(), ..Carried::command(words, span) });
    if let Some(words) = shifted.filter(|words| !words.is_empty()) {
        understood.carried.push(Carried { change, certain: false, ..Carried::command(words, span) });
    }
}

/// Surroundings inside a container.
pub(super) fn inside(parsed: &Parsed, scope: Scope) -> Change {
    let directory = parsed.value("directory").cloned();
    Change {
        unknown_directory: directory.is_none(),
        directory,
        environment: environment(parsed),
        scope: Some(scope),
        home_unknown: true,
        ..Change::default()
    }
}

/// `--env-file F`: its content goes to a container.
pub(super) fn env_files(parsed: &Parsed, understood: &mut Understood) {
    for option in parsed.options.iter().filter(|option| option.id == Some("env-file")) {
        let Some(value) = &option.value else { continue };
        understood.effects.push(service("docker", "env-file", Some(value.display()), option.span));
        understood.effects.push(Effect::new(EffectKind::Use(Target::new(value.clone())), Family::General, option.span));
    }
}

/// `exec [OPTION…] CONTAINER COMMAND …`.
fn exec(arguments: &[Argument], understood: &mut Understood) {
    let parsed = parse(&grammar(EXEC, false), arguments);
    if asks_for_help(&parsed) {
        understood.inert = true;
        return;
    }
    let container = parsed.operand(arguments, 0).map(|word| word.value.display());
    understood.effects.push(service("docker", "exec", container, span_of(arguments)));
    env_files(&parsed, understood);
    let scope = Scope::Container { mounts: Vec::new(), disposable: false, unknown_mounts: true };
    carry(&parsed, arguments, inside(&parsed, scope), understood);
}

/// Any other sub-command.
fn operation(group: &str, name: &str, arguments: &[Argument], understood: &mut Understood) {
    let parsed = parse(&grammar(OTHER, true), arguments);
    if asks_for_help(&parsed) {
        understood.inert = true;
        return;
    }
    let mut resource = listed(parsed.operands(arguments));
    let operation = match (group, name) {
        _ if parsed.has("dry-run") => "read",
        ("" | "container", "rm" | "remove") => {
            let from_command = parsed.operands(arguments).any(|word| match &word.value {
                Value::Dynamic(partial) => {
                    partial.prefix.is_empty() && partial.may_split && partial.cause == Cause::Substitution
                        || matches!(partial.cause, Cause::Input | Cause::PathUnder { .. })
                }
                _ => false,
            });
            if parsed.has("volumes") {
                understood.effects.push(service("docker", "volume-delete", resource.clone(), span_of(arguments)));
            }
            if parsed.has("force") {
                resource = resource.map(|resource| format!("force {resource}"));
            }
            if from_command || parsed.has("all") { "remove-all-containers" } else { "remove-container" }
        }
        ("image", "prune") if parsed.has("all") => "image-prune-all",
        ("image", "prune") => "image-prune",
        ("system", "prune") if parsed.has("volumes") => "system-prune-volumes",
        ("system", "prune") => "system-prune",
        _ => OPERATIONS
            .iter()
            .find(|(wanted, names, _)| (wanted.is_empty() || *wanted == group) && names.contains(&name))
            .map_or("", |(.., operation)| *operation),
    };
    let span = span_of(arguments);
    if operation.is_empty() {
        let text = listed([word(group, span), word(name, span)].iter().filter(|word| word.known() != Some("")));
        understood.effects.push(Effect::new(
            EffectKind::Unknown(format!("docker {}", text.unwrap_or_default())),
            Family::General,
            span,
        ));
    } else {
        understood.effects.push(service("docker", operation, resource, span));
    }
}
