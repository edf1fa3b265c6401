//! Effects and executions as the audit log, `explain` and batch answers show them.

use sekisho_command_model::{Cause, EffectKind, Family, Provenance, Scope, Value, WriteMode};
use sekisho_verdict::{EffectRecord, ExecutionRecord};

use crate::facts::{Fact, Facts};
use crate::target_class::TargetClass;

/// Every effect of the call.
pub fn effects(facts: &Facts<'_>) -> Vec<EffectRecord> {
    facts.facts.iter().map(record).collect()
}

/// Every simple command the call may run.
pub fn executions(facts: &Facts<'_>) -> Vec<ExecutionRecord> {
    facts
        .reading
        .texts
        .iter()
        .flat_map(|text| &text.analysis.executions)
        .filter(|execution| execution.argv.as_ref().is_none_or(|argv| !argv.is_empty()))
        .map(|execution| ExecutionRecord {
            argv: execution.argv.as_ref().map(|argv| argv.iter().map(|argument| argument.known().map(str::to_owned)).collect()),
            counted: execution.argv.iter().flatten().all(|argument| is_one_word(&argument.value)),
            certain: execution.certain,
            scope: scope(&execution.scope).to_owned(),
        })
        .collect()
}

/// The value becomes exactly one word.
fn is_one_word(value: &Value) -> bool {
    match value {
        Value::Known { .. } => true,
        Value::Glob { .. } => false,
        Value::Dynamic(partial) => !partial.may_split && !partial.globbed && !matches!(partial.cause, Cause::Scattered),
    }
}

fn scope(scope: &Scope) -> &'static str {
    match scope {
        Scope::Host => "host",
        Scope::Container { .. } => "container",
        Scope::Remote => "remote",
    }
}

fn record(fact: &Fact<'_>) -> EffectRecord {
    let (kind, details) = kind(&fact.effect.kind);
    let named = match &fact.effect.kind {
        EffectKind::Execute { what, .. } => Some(what.clone()),
        EffectKind::Network { host, .. } => host.as_ref().map(Value::display),
        EffectKind::Vcs(operation) => Some(operation.name.to_owned()),
        EffectKind::Service { service, operation, .. } => Some(format!("{service} {operation}")),
        EffectKind::Process { signal, .. } => Some(signal.clone()),
        EffectKind::System(what) | EffectKind::Disclose(what) | EffectKind::Unknown(what) => Some(what.clone()),
        _ => None,
    };
    let value = fact.value();
    let target = named.or_else(|| fact.target.canonical.clone()).or_else(|| value.map(Value::display));
    EffectRecord {
        kind: kind.to_owned(),
        target: target.filter(|target| !target.is_empty()),
        class: (fact.class != TargetClass::None).then(|| fact.class.word().to_owned()),
        provenance: value.map(|value| provenance(value.provenance()).to_owned()),
        family: (fact.effect.family != Family::General).then(|| family(fact.effect.family).to_owned()),
        details,
    }
}

fn provenance(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::Literal => "literal",
        Provenance::Known => "known",
        Provenance::Glob => "glob",
        Provenance::Dynamic => "dynamic",
    }
}

fn flags(pairs: &[(bool, &str)]) -> Vec<String> {
    pairs.iter().filter(|(on, _)| *on).map(|(_, word)| (*word).to_owned()).collect()
}

fn kind(kind: &EffectKind) -> (&'static str, Vec<String>) {
    match kind {
        EffectKind::Read(_) => ("read", Vec::new()),
        EffectKind::Write(_, mode) => ("write", vec![write_mode(*mode).to_owned()]),
        EffectKind::Delete { recursive, force, .. } => ("delete", flags(&[(*recursive, "recursive"), (*force, "force")])),
        EffectKind::Move { .. } => ("move", Vec::new()),
        EffectKind::Permissions { recursive, .. } => ("permissions", flags(&[(*recursive, "recursive")])),
        EffectKind::Device(_) => ("device", Vec::new()),
        EffectKind::Execute { origin, .. } => ("execute", vec![format!("{origin:?}").to_lowercase()]),
        EffectKind::Network { upload, .. } => ("network", flags(&[(*upload, "upload"), (!*upload, "download")])),
        EffectKind::Privilege => ("privilege", Vec::new()),
        EffectKind::Vcs(_) => ("vcs", Vec::new()),
        EffectKind::Service { .. } => ("service", Vec::new()),
        EffectKind::Process { broad, .. } => ("process", flags(&[(*broad, "broad")])),
        EffectKind::System(_) => ("system", Vec::new()),
        EffectKind::Disclose(_) => ("disclose", Vec::new()),
        EffectKind::Metadata(_) => ("metadata", Vec::new()),
        EffectKind::Use(_) => ("use", Vec::new()),
        EffectKind::Mention(_) => ("mention", Vec::new()),
        EffectKind::Touch(_) => ("touch", Vec::new()),
        EffectKind::DynamicStructure => ("dynamic_structure", Vec::new()),
        EffectKind::Unknown(_) => ("unknown", Vec::new()),
    }
}

fn write_mode(mode: WriteMode) -> &'static str {
    match mode {
        WriteMode::Truncate => "truncate",
        WriteMode::Empty => "empty",
        WriteMode::Append => "append",
        WriteMode::InPlace => "in_place",
        WriteMode::Create => "create",
        WriteMode::Link => "link",
    }
}

fn family(family: Family) -> &'static str {
    match family {
        Family::General => "general",
        Family::Rm => "rm",
        Family::FindDelete | Family::FindExec => "find",
        Family::Xargs => "xargs",
        Family::Parallel => "parallel",
        Family::Sync => "sync",
        Family::Archive => "archive",
        Family::Deleter => "deleter",
        Family::Shred => "shred",
        Family::Dd => "dd",
        Family::Format => "format",
        Family::Interpreter => "interpreter",
        Family::Git => "git",
        Family::Redirection => "redirection",
        Family::FileTool => "file_tool",
        Family::Patch => "patch",
    }
}
