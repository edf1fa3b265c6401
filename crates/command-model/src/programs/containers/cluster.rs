//! kubectl (1.31) and oc (4.17).

use super::{grammar, listed, service, structure};
use crate::argument::{Argument, Value};
use crate::carried::{Carried, Change, Scope};
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family, Target};
use crate::option_grammar::{OptionSpec, Parsed, parse};
use crate::programs::text_carriers::words::{
    asks_for_help, described, flag, inert, named, named_flag, named_glued, span_of, value,
};

/// Options of every sub-command; those that only some have do no harm to the others.
const OPTIONS: &[OptionSpec] = &[
    named("use", &["--kubeconfig", "--client-certificate", "--client-key", "--certificate-authority"]),
    named("file", &["-f", "--filename", "-k", "--kustomize"]),
    named("output", &["-o", "--output"]),
    named("replicas", &["--replicas"]),
    named_glued("dry-run", &["--dry-run"]),
    named_glued("all", &["--all"]),
    named_flag("everywhere", &["-A", "--all-namespaces"]),
    named_flag("force", &["--force"]),
    named_flag("raw", &["--raw"]),
    named_flag("disposable", &["--rm"]),
    named_flag("command", &["--command"]),
    named("selector", &["-l", "--selector", "--field-selector"]),
    value(&[
        "-n",
        "--namespace",
        "--context",
        "--cluster",
        "--user",
        "--token",
        "-s",
        "--server",
        "--as",
        "--as-group",
        "--as-uid",
    ]),
    value(&[
        "--request-timeout",
        "-v",
        "--v",
        "--cache-dir",
        "--tls-server-name",
        "-c",
        "--container",
        "--grace-period",
        "--timeout",
    ]),
    value(&[
        "--image",
        "--overrides",
        "--overrides-type",
        "--restart",
        "--env",
        "--labels",
        "--port",
        "--expose",
        "-p",
        "--patch",
        "--type",
    ]),
    value(&[
        "--tail",
        "--since",
        "--since-time",
        "--sort-by",
        "--template",
        "-L",
        "--label-columns",
        "--for",
        "--limits",
        "--requests",
    ]),
    value(&[
        "--pod-running-timeout",
        "--field-manager",
        "--chunk-size",
        "--cascade-mode",
        "--prune-allowlist",
        "--address",
        "--subresource",
    ]),
    value(&[
        "--from-literal",
        "--from-file",
        "--from-env-file",
        "--to-revision",
        "--revision",
        "--pod-selector",
        "--profile",
        "--target",
    ]),
    value(&["--max-log-requests", "--image-pull-policy", "--copy-to", "--set-image", "--serviceaccount", "--current-replicas"]),
    named_glued("flag", &["--cascade", "--wait", "--validate"]),
    flag(&["-i", "--stdin", "-t", "--tty", "-q", "--quiet", "-R", "--recursive", "-w", "--watch", "--now", "--ignore-not-found"]),
    flag(&["--ignore-daemonsets", "--delete-emptydir-data", "--disable-eviction", "--show-labels", "--no-headers", "--attach"]),
    flag(&[
        "--server-side",
        "--force-conflicts",
        "--overwrite",
        "--prune",
        "--save-config",
        "--record",
        "--insecure-skip-tls-verify",
    ]),
    flag(&[
        "--previous",
        "--timestamps",
        "--prefix",
        "--all-containers",
        "--follow",
        "--minify",
        "--flatten",
        "--watch-only",
        "--interactive",
    ]),
];

/// Sub-commands and their operations.
const OPERATIONS: &[(&[&str], &str)] = &[
    (
        &[
            "describe",
            "logs",
            "top",
            "explain",
            "api-resources",
            "api-versions",
            "cluster-info",
            "version",
            "diff",
            "wait",
            "events",
        ],
        "read",
    ),
    (&["auth", "completion", "kustomize", "options", "plugin", "whoami", "status", "projects", "help"], "read"),
    (&["apply"], "apply"),
    (&["create", "expose", "autoscale", "new-app", "new-project", "import-image"], "create"),
    (&["edit"], "edit"),
    (&["patch", "set"], "patch"),
    (&["label", "annotate", "taint"], "label"),
    (&["cp", "rsync"], "copy"),
    (&["port-forward", "proxy"], "port-forward"),
    (&["attach"], "exec"),
    (&["rollout", "rollback"], "rollout"),
    (&["cordon", "uncordon"], "cordon"),
    (&["config", "project", "login", "logout"], "configure"),
    (&["certificate", "adm", "policy"], "patch"),
];

/// Short names of kinds.
const KINDS: &[(&[&str], &str)] = &[
    (&["ns", "namespace", "namespaces", "project", "projects"], "namespace"),
    (&["pv", "persistentvolume", "persistentvolumes"], "persistentvolume"),
    (&["pvc", "persistentvolumeclaim", "persistentvolumeclaims"], "persistentvolumeclaim"),
    (&["crd", "crds", "customresourcedefinition", "customresourcedefinitions"], "customresourcedefinition"),
    (&["po", "pod", "pods"], "pod"),
    (&["deploy", "deployment", "deployments"], "deployment"),
    (&["svc", "service", "services"], "service"),
    (&["sts", "statefulset", "statefulsets"], "statefulset"),
    (&["ds", "daemonset", "daemonsets"], "daemonset"),
    (&["rs", "replicaset", "replicasets"], "replicaset"),
    (&["cm", "configmap", "configmaps"], "configmap"),
    (&["secret", "secrets"], "secret"),
    (&["no", "node", "nodes"], "node"),
    (&["job", "jobs"], "job"),
    (&["cj", "cronjob", "cronjobs"], "cronjob"),
    (&["ing", "ingress", "ingresses"], "ingress"),
    (&["sc", "storageclass", "storageclasses"], "storageclass"),
];

/// Says what the command does.
pub(super) fn understand(arguments: &[Argument], program: &str) -> Understood {
    // The command of `exec`, `run` and `debug` stands behind `--`.
    let mark = arguments.iter().position(|word| word.known() == Some("--"));
    let (own, child) = match mark {
        Some(mark) => (arguments.get(..mark).unwrap_or_default(), arguments.get(mark + 1..).unwrap_or_default()),
        None => (arguments, &[][..]),
    };
    let parsed = parse(&grammar(OPTIONS, true), own);
    if asks_for_help(&parsed) {
        return inert();
    }
    let mut understood = described();
    for option in parsed.options.iter().filter(|option| option.id == Some("use")) {
        if let Some(value) = &option.value {
            understood.effects.push(Effect::new(EffectKind::Use(Target::new(value.clone())), Family::General, option.span));
        }
    }
    let operands: Vec<_> = parsed.operands(own).cloned().collect();
    let Some((first, rest)) = operands.split_first() else {
        return inert();
    };
    let Some(name) = first.known() else {
        understood.effects.push(structure(first.span));
        return understood;
    };
    let span = span_of(arguments);
    match name {
        "exec" | "rsh" | "debug" | "run" => {
            run(name, rest, child, &parsed, program, &mut understood);
            return understood;
        }
        _ => {}
    }
    let (operation, resource) = operation(name, rest, &parsed);
    understood.effects.push(match operation {
        Some(operation) => service("kubectl", operation, resource, span),
        None => Effect::new(EffectKind::Unknown(format!("{program} {name}")), Family::General, span),
    });
    understood
}

/// `--dry-run`, `--dry-run=client`; `--dry-run=none` is none.
fn is_dry(parsed: &Parsed) -> bool {
    parsed
        .last_of(&["dry-run"])
        .is_some_and(|option| !matches!(option.value.as_ref().and_then(Value::known), Some("none" | "false")))
}

fn run(name: &str, operands: &[Argument], child: &[Argument], parsed: &Parsed, program: &str, understood: &mut Understood) {
    let resource = listed(operands.iter().take(1));
    let span = span_of(operands);
    if is_dry(parsed) {
        understood.effects.push(service("kubectl", "read", resource, span));
        return;
    }
    let operation = if matches!(name, "exec" | "rsh") { "exec" } else { "run" };
    understood.effects.push(service("kubectl", operation, resource, span));
    // Without `--` the words after the pod are the command (an old form of `exec`, the only one of `oc rsh`).
    let words = if !child.is_empty() {
        child
    } else if operation == "exec" {
        operands.get(1..).unwrap_or_default()
    } else {
        &[]
    };
    // Without `--command` the words of `run` are arguments of the image's own program, unless they look like a command.
    if words.is_empty() || words.first().and_then(Argument::known).is_some_and(|text| text.starts_with('-')) {
        return;
    }
    let _ = program;
    // `run` makes a pod of its own; a pod that is there has volumes nobody named here.
    let fresh = name == "run";
    let scope = Scope::Container { mounts: Vec::new(), disposable: fresh && parsed.has("disposable"), unknown_mounts: !fresh };
    let change = Change { scope: Some(scope), unknown_directory: true, home_unknown: true, ..Change::default() };
    understood.carried.push(Carried { change, ..Carried::command(words.to_vec(), span_of(words)) });
}

/// The operation and what it is done to.
fn operation(name: &str, operands: &[Argument], parsed: &Parsed) -> (Option<&'static str>, Option<String>) {
    let resource = resource(operands, parsed);
    let first = operands.first().and_then(Argument::known).unwrap_or_default();
    let operation = match name {
        _ if is_dry(parsed) => "read",
        "get" if kind(first.split(['/', '.']).next().unwrap_or(first)) == "secret" || lists_secrets(first) => {
            if parsed.has("output") { "get-secret" } else { "read" }
        }
        "get" => "read",
        "extract" => "get-secret",
        "delete"
            if parsed.last_of(&["all"]).is_some_and(|option| option.value.as_ref().and_then(Value::known) != Some("false")) =>
        {
            "delete-all"
        }
        "delete" => "delete",
        "drain" if parsed.has("force") => "drain-force",
        "drain" => "drain",
        "replace" if parsed.has("force") => "replace-force",
        "replace" => "replace",
        "scale" if parsed.value("replicas").and_then(Value::known) == Some("0") => "scale-zero",
        "scale" => "scale",
        "config" if first == "view" && parsed.has("raw") => "get-secret",
        "config" if matches!(first, "view" | "current-context" | "get-contexts" | "get-clusters" | "get-users") => "read",
        "rollout" if matches!(first, "status" | "history") => "read",
        "auth" if first == "reconcile" => "apply",
        _ => match OPERATIONS.iter().find(|(names, _)| names.contains(&name)) {
            Some((_, operation)) => operation,
            None => return (None, resource),
        },
    };
    (Some(operation), resource)
}

fn lists_secrets(kinds: &str) -> bool {
    kinds.split(',').any(|part| kind(part) == "secret")
}

/// The kind a short name stands for.
fn kind(name: &str) -> &str {
    KINDS.iter().find(|(names, _)| names.contains(&name)).map_or(name, |(_, kind)| *kind)
}

/// `pod web`, `pod/web`, `-f FILE`, `pods -l app=x` as `kind/name` words.
fn resource(operands: &[Argument], parsed: &Parsed) -> Option<String> {
    if let Some(file) = parsed.value("file") {
        return Some(format!("file/{}", file.display()));
    }
    let (first, rest) = operands.split_first()?;
    let text = first.value.display();
    let mut words: Vec<String> = Vec::new();
    if text.contains('/') {
        words.extend(operands.iter().map(|word| {
            let text = word.value.display();
            text.split_once('/').map_or(text.clone(), |(name, rest)| format!("{}/{rest}", kind(name)))
        }));
    } else {
        let kinds = text.split(',').map(kind).collect::<Vec<_>>().join(",");
        if rest.is_empty() {
            words.push(match parsed.value("selector") {
                Some(selector) => format!("{kinds}/{}", selector.display()),
                None => kinds,
            });
        } else {
            words.extend(rest.iter().map(|word| format!("{kinds}/{}", word.value.display())));
        }
    }
    if parsed.has("everywhere") {
        words.push("--all-namespaces".to_owned());
    }
    Some(words.join(" "))
}
