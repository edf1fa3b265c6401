//! Stage 9: paths that hold secrets.

use sekisho_command_model::{EffectKind, Family, Scope, Value};
use sekisho_host::path;
use sekisho_verdict::{Finding, RuleId, Stage, Verdict};

use crate::facts::{Fact, Facts};
use crate::rules::finding;
use crate::sensitive::{Hit, Looker};
use crate::target_class::{Classified, TargetClass};

use super::destructive::evidence;

/// What an effect does with the content of its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Contact {
    /// Shows or sends it.
    Shows,
    /// Replaces or takes it away.
    Replaces,
    /// Only looks at names and sizes.
    Looks,
}

/// What the stage finds.
pub fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    let looker =
        Looker { host: facts.context.host, snapshot: facts.context.snapshot, home: &facts.home, workspace: &facts.workspace };
    let mut found: Vec<_> = facts.facts.iter().filter_map(|fact| one(fact, facts, &looker)).collect();
    found.sort_by_key(|finding| finding.verdict != Verdict::Deny);
    found
}

fn one(fact: &Fact<'_>, facts: &Facts<'_>, looker: &Looker<'_>) -> Option<Finding> {
    if !matches!(fact.scope, Scope::Host) && fact.class == TargetClass::Elsewhere {
        return None;
    }
    if let EffectKind::Service { operation, resource: Some(resource), .. } = &fact.effect.kind
        && operation == "env-file"
    {
        let place = path::join(fact.execution.cwd.path().unwrap_or(facts.context.cwd), resource);
        let hit = looker.look(&[&place])?;
        return Some(report(fact, Hit { ask: true, ..hit }, resource));
    }
    let contact = contact(fact)?;
    let (hit, shown) = hit(fact, looker)?;
    let denied_by_policy = hit.entry.is_some();
    match contact {
        Contact::Looks if !denied_by_policy && !facts.context.snapshot.fail_closed() => None,
        Contact::Replaces if !denied_by_policy && !replaces_store(&hit, &fact.target, looker) => None,
        _ => Some(report(fact, hit, &shown)),
    }
}

fn contact(fact: &Fact<'_>) -> Option<Contact> {
    match &fact.effect.kind {
        EffectKind::Read(_) | EffectKind::Touch(_) => Some(Contact::Shows),
        EffectKind::Write(..) => Some(if fact.effect.family == Family::Archive { return None } else { Contact::Replaces }),
        EffectKind::Move { .. } => Some(Contact::Replaces),
        EffectKind::Metadata(_) => Some(Contact::Looks),
        _ => None,
    }
}

/// A store of keys or credentials that exists, or the list of keys that may log in.
fn replaces_store(hit: &Hit, target: &Classified, looker: &Looker<'_>) -> bool {
    let places: Vec<&str> = target.canonical.as_deref().into_iter().chain(target.lexical.as_deref()).collect();
    let logins = places.iter().any(|place| place.ends_with("/authorized_keys"));
    logins || hit.store && looker.exists(&places)
}

fn hit(fact: &Fact<'_>, looker: &Looker<'_>) -> Option<(Hit, String)> {
    if let Some(search) = &fact.search {
        // A search in a place for secrets finds secrets, whatever their names.
        let place =
            search.roots.iter().find_map(|root| Some((looker.look(&[root.canonical.as_deref()?])?, root.canonical.clone()?)));
        if let Some((hit, place)) = place
            && !search.selection.names.iter().any(|name| name.ends_with(".pub"))
        {
            return Some((hit, place));
        }
        // The names a search selects, wherever below its roots they may lie.
        return search.selection.names.iter().find_map(|name| {
            let name = name.rsplit('/').next().unwrap_or(name);
            let root = search.roots.first().and_then(|root| root.canonical.as_deref()).unwrap_or("/");
            looker.look_for_name(root, name).map(|hit| (hit, name.to_owned()))
        });
    }
    let of = |target: &Classified| {
        let lexical = target.lexical.as_deref();
        let canonical = target.canonical.as_deref();
        if target.is_pattern {
            return looker.look_at_pattern(canonical.or(lexical)?);
        }
        let places: Vec<&str> = lexical.into_iter().chain(canonical).filter(|place| path::is_absolute(place)).collect();
        looker.look(&places).filter(|_| !places.is_empty())
    };
    let remote_name = |value: &Value| value.known().is_some_and(|text| text.contains("://") && !text.starts_with("file:"));
    if fact.value().is_some_and(remote_name) {
        return None;
    }
    // Words of a program that nobody described are text as soon as they hold blanks, unless a file is called so.
    let is_text = matches!(fact.effect.kind, EffectKind::Touch(_))
        && fact.value().and_then(Value::known).is_some_and(|text| text.contains(char::is_whitespace))
        && !looker.exists(&fact.target.canonical.as_deref().into_iter().collect::<Vec<_>>());
    if is_text {
        return None;
    }
    let first = of(&fact.target).or_else(|| unknown_directory(fact, looker));
    let hit = first.or_else(|| fact.second.as_ref().and_then(of))?;
    Some((hit, fact.value().map(Value::display).unwrap_or_default()))
}

/// A relative name where the directory is not known, or a value known only at its end, is judged by its name.
fn unknown_directory(fact: &Fact<'_>, looker: &Looker<'_>) -> Option<Hit> {
    match fact.value()? {
        Value::Known { text, .. } if !path::is_absolute(text) && fact.execution.cwd.path().is_none() => {
            looker.look(&[&path::join(looker.workspace, text)])
        }
        Value::Dynamic(partial) if partial.suffix.contains('/') => {
            let name = partial.suffix.rsplit('/').next().unwrap_or_default();
            (!name.is_empty()).then(|| looker.look(&[&path::join("/", name)])).flatten()
        }
        _ => None,
    }
}

fn report(fact: &Fact<'_>, hit: Hit, shown: &str) -> Finding {
    let mut found = finding("secret.path", Stage::SecretProtection, Some(evidence(fact.execution)));
    found.reason = match &hit.entry {
        Some(entry) => format!("your policy's deny path `{entry}` covers `{shown}`"),
        None => format!("`{shown}` holds {}; what is read goes to the model and into logs", hit.what),
    };
    if hit.ask {
        found.verdict = Verdict::Ask;
        found.only_a_person = true;
    }
    found.rule = match hit.entry {
        Some(_) => RuleId::new("secret.deny-path"),
        None => hit.rule,
    };
    found
}
