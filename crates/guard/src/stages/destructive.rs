//! Stage 12: the rules over effects, limits of the analysis, and text without structure.

use sekisho_command_model::Scope;
use sekisho_shell_analysis::{Execution, Limit};
use sekisho_shell_syntax::tree::Status;
use sekisho_verdict::{Evidence, Finding, Stage, Verdict};

use crate::facts::{Fact, Facts, Route};
use crate::raw_text;
use crate::rules::{self, Rule, finding};
use crate::target_class::TargetClass;

/// Where an execution stands, for a finding.
pub fn evidence(execution: &Execution) -> Evidence {
    Evidence {
        segment: execution.segment.clone(),
        start: execution.span.map(|span| span.start),
        end: execution.span.map(|span| span.end),
    }
}

/// What the stage finds, in the order of the executions; catastrophic rules first among those of one effect.
pub fn findings(facts: &Facts<'_>) -> Vec<Finding> {
    let stage = Stage::CommandAnalysis;
    let snapshot = facts.context.snapshot;
    let mut found = Vec::new();
    for text in &facts.reading.texts {
        found.extend(text.analysis.limits.iter().map(|limit| {
            let rule = match limit {
                Limit::Structure => "analysis.structural-limit",
                Limit::Recursion => "analysis.recursion-limit",
                Limit::DerivedWork => "analysis.derived-work-limit",
                Limit::Parallel => "analysis.parallel-limit",
            };
            finding(rule, stage, Some(Evidence { segment: text.source.clone(), ..Evidence::default() }))
        }));
        if text.unreadable {
            let mut unread =
                finding("shell.unverifiable-source", stage, Some(Evidence { segment: text.source.clone(), ..Evidence::default() }));
            "this text is in a language that cannot be read yet".clone_into(&mut unread.reason);
            unread.verdict = if snapshot.fail_closed() { Verdict::Deny } else { Verdict::Ask };
            found.push(unread);
        }
    }
    for text in &facts.reading.texts {
        found.extend(text.analysis.unparsed.iter().filter_map(|unparsed| without_structure(unparsed, snapshot.fail_closed())));
    }
    for fact in &facts.facts {
        found.extend(rules_for(fact, facts));
    }
    if snapshot.fail_closed() {
        found.extend(facts.reading.executions().filter_map(split_string));
    }
    if snapshot.fail_closed() {
        found.extend(super::here_document::unsupported(facts));
    }
    if facts.reading.route == Route::Unknown {
        for finding in &mut found {
            let catastrophic = rules::find(finding.rule.as_str()).is_some_and(|rule| rule.catastrophic);
            if !catastrophic {
                finding.verdict = Verdict::Ask;
            }
        }
    }
    found
}

/// The findings about what is root or home, of whatever rule: they explain a call better than what lies below.
pub fn about_root_or_home(facts: &Facts<'_>) -> Option<Finding> {
    let above = facts.facts.iter().filter(|fact| {
        matches!(fact.class, TargetClass::Root | TargetClass::Home) || crate::analyzers::search_starts_above_home(fact)
    });
    above.flat_map(|fact| rules_for(fact, facts)).find(|finding| finding.verdict == Verdict::Deny)
}

/// At level strict: `env -S`, which makes words out of text.
fn split_string(execution: &Execution) -> Option<Finding> {
    let words = execution.argv.as_ref()?.iter().skip(1).map_while(|argument| argument.known().filter(|word| word.starts_with('-')));
    let splits = execution.program.as_deref() == Some("env")
        && words.into_iter().any(|word| word.starts_with("--split-string") || !word.starts_with("--") && word.contains('S'));
    splits.then(|| {
        let mut found = finding("shell.unverifiable-source", Stage::CommandAnalysis, Some(evidence(execution)));
        found.verdict = Verdict::Deny;
        found
    })
}

fn rules_for(fact: &Fact<'_>, facts: &Facts<'_>) -> Vec<Finding> {
    let snapshot = facts.context.snapshot;
    let mut matched: Vec<(&Rule, Finding)> = rules::all()
        .iter()
        .filter_map(|rule| {
            // The matcher first: it is cheap and mostly says no.
            let outcome = rule.matcher.matches(fact, facts)?;
            let on = snapshot.rule_state(rule.id, rule.catastrophic, rule.needs);
            if !on || is_thrown_away(fact, rule) || crate::worktree::relaxes(rule, fact, facts) {
                return None;
            }
            Some((rule, rule.finding(Stage::CommandAnalysis, outcome, snapshot.fail_closed(), Some(evidence(fact.execution)))))
        })
        .collect();
    if fact.execution.latent {
        // An alias that is only defined runs in a shell that some agents keep alive: what would be beyond repair is asked about.
        matched.retain(|(rule, _)| rule.catastrophic);
        matched.iter_mut().for_each(|(_, finding)| finding.verdict = Verdict::Ask);
    }
    matched.sort_by_key(|(rule, finding)| (finding.verdict != Verdict::Deny, !rule.catastrophic));
    matched.into_iter().map(|(_, finding)| finding).collect()
}

/// In a container that is made for one command and mounts nothing, only what reaches outside it matters.
fn is_thrown_away(fact: &Fact<'_>, rule: &Rule) -> bool {
    let Scope::Container { mounts, disposable: true, unknown_mounts: false } = fact.scope else { return false };
    mounts.is_empty() && !rule.id.starts_with("shell.")
}

fn without_structure(unparsed: &sekisho_shell_analysis::Unparsed, fail_closed: bool) -> Option<Finding> {
    let evidence = Some(Evidence { segment: unparsed.text.clone(), ..Evidence::default() });
    if fail_closed {
        let rule = if unparsed.here_document { "analysis.unsupported-heredoc" } else { "analysis.unparseable" };
        return Some(finding(rule, Stage::CommandAnalysis, evidence));
    }
    if unparsed.status == Status::Complete {
        return None;
    }
    let shape = raw_text::scan(&unparsed.text)?;
    let mut found = finding("raw-text.dangerous-command", Stage::CommandAnalysis, evidence);
    found.reason = format!("this text has an open quote or here-document, and what can be read of it is destructive: {}", shape.0);
    Some(found)
}
