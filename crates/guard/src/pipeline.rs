//! The ordered stages, and how their findings become one decision.
//!
//! Only a deny ends the evaluation; an ask is kept and evaluation goes on. After a deny by a protection (stages 6 and 7) the
//! destructive rules still run, so that the decision can name what else matched. A failure inside a stage is a deny that names it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use sekisho_verdict::tool_call::{Action, Completeness};
use sekisho_verdict::{Basis, ConfigState, Decision, ErrorCode, Evidence, Finding, Level, RuleId, Stage, ToolCall, Verdict};

use crate::context::Context;
use crate::facts::{Facts, Reading, Route};
use crate::rules::finding;
use crate::stages::{budgets, destructive, git_metadata, policy_file, sensitive_path};
use crate::{mcp, records};

/// Judges one call. Never panics; never allows.
pub fn decide(call: &ToolCall, context: &Context<'_>) -> Decision {
    run(call, context).unwrap_or_else(|failure| failure.into_decision(call))
}

/// A failure inside a stage.
struct Failure {
    stage: Stage,
    code: ErrorCode,
}

impl Failure {
    fn into_decision(self, call: &ToolCall) -> Decision {
        let evidence = match self.code {
            ErrorCode::ToolInputLimit => None,
            _ => call.command().map(|command| Evidence { segment: command.to_owned(), ..Evidence::default() }),
        };
        let too_complex = matches!(self.code, ErrorCode::PathCanonicalizationLimit | ErrorCode::StructuralShellSyntaxLimit);
        let rule = if too_complex { "analysis.derived-work-limit" } else { "analysis.failed-closed" };
        let mut decision = Decision::from_finding(finding(rule, self.stage, evidence));
        decision.error = Some(self.code);
        decision.basis = Basis::Failure;
        decision
    }
}

/// Runs one stage; whatever goes wrong in it is that stage's failure.
fn guarded<T>(stage: Stage, work: impl FnOnce() -> Result<T, ErrorCode>) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(code)) => Err(Failure { stage, code }),
        Err(_) => Err(Failure { stage, code: ErrorCode::UnexpectedError }),
    }
}

fn run(call: &ToolCall, context: &Context<'_>) -> Result<Decision, Failure> {
    if let Some(found) = guarded(Stage::PolicyProtection, || Ok(budgets::input(call)))? {
        let mut decision = Decision::from_finding(found);
        decision.error = Some(budgets::INPUT_ERROR);
        return Ok(decision);
    }
    if let Completeness::Malformed(what) = &call.completeness {
        return Ok(malformed(Stage::CommandValidation, what));
    }
    let reading = guarded(Stage::PolicyProtection, || Ok(Reading::of(call, context)))?;
    if reading.patch_limit {
        return Err(Failure { stage: Stage::PolicyProtection, code: ErrorCode::ToolInputLimit });
    }
    if let Some(found) = guarded(Stage::CommandAnalysis, || Ok(budgets::structure(&reading)))? {
        return Ok(Decision::from_finding(found));
    }
    let facts =
        guarded(Stage::PolicyProtection, || Facts::of(call, context, &reading).map_err(|_| ErrorCode::PathCanonicalizationLimit))?;
    let mut collected = Collected::default();
    let protections =
        guarded(Stage::PolicyProtection, || Ok([policy_file::findings(&facts), git_metadata::findings(&facts)].concat()))?;
    let (above, direct): (Vec<_>, Vec<_>) = protections.into_iter().partition(|(_, ancestor)| *ancestor);
    let protected = direct.iter().chain(&above).any(|(found, _)| found.verdict == Verdict::Deny);
    let (above, direct) = (strip(above), strip(direct));
    if protected {
        // What the destructive rules say is still worth naming; a directory above our files is better explained by them.
        let (better, others) =
            guarded(Stage::CommandAnalysis, || Ok((destructive::about_root_or_home(&facts), destructive::findings(&facts))))?;
        collected.protection(direct, above, better, others);
        return Ok(collected.decide(&facts, false));
    }
    collected.extend(direct);
    collected.extend(above);
    collected.extend(guarded(Stage::SecretProtection, || Ok(sensitive_path::findings(&facts)))?);
    if collected.denied() {
        return Ok(collected.decide(&facts, true));
    }
    if reading.route == Route::Command {
        if let Some(problem) = blank(call) {
            return Ok(problem);
        }
    } else {
        collected.extend(guarded(Stage::NonCommand, || Ok(mcp::findings(call, context)))?);
    }
    collected.extend(guarded(Stage::CommandAnalysis, || Ok(destructive::findings(&facts)))?);
    Ok(collected.decide(&facts, true))
}

fn strip(findings: Vec<(Finding, bool)>) -> Vec<Finding> {
    findings.into_iter().map(|(found, _)| found).collect()
}

/// A call that cannot be read as what it claims to be.
pub fn malformed(stage: Stage, what: &str) -> Decision {
    let mut decision = Decision::from_finding(finding("tool-call.malformed", stage, None));
    if !what.is_empty() {
        decision.reason = format!("this tool call cannot be read: {what}");
    }
    decision
}

/// Stage 11: a command tool without a command.
fn blank(call: &ToolCall) -> Option<Decision> {
    let blank = call.actions.iter().any(|action| matches!(action, Action::Shell { text, .. } if text.trim().is_empty()));
    let nul = call.actions.iter().any(|action| matches!(action, Action::Shell { text, .. } if text.contains('\0')));
    if nul {
        return Some(malformed(Stage::CommandValidation, "the command holds a NUL byte"));
    }
    blank.then(|| malformed(Stage::CommandValidation, "the command is empty"))
}

/// Findings, strictest first as they come.
#[derive(Default)]
struct Collected {
    findings: Vec<Finding>,
}

impl Collected {
    fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
    }

    fn denied(&self) -> bool {
        self.findings.iter().any(|found| found.verdict == Verdict::Deny)
    }

    /// A protection denied. Its stage stands; where only a directory above our files goes, a finding about root or home comes first.
    fn protection(&mut self, direct: Vec<Finding>, above: Vec<Finding>, better: Option<Finding>, others: Vec<Finding>) {
        if direct.iter().all(|found| found.verdict != Verdict::Deny) {
            self.findings.extend(better.map(|found| Finding { stage: Stage::PolicyProtection, ..found }));
        }
        self.findings.extend(direct);
        self.findings.extend(above);
        self.findings.extend(others);
    }

    fn decide(self, facts: &Facts<'_>, configurable: bool) -> Decision {
        let snapshot = facts.context.snapshot;
        let strictest = self.findings.iter().fold(Verdict::Abstain, |verdict, found| verdict.stricter_part(found.verdict));
        let chosen = self.findings.iter().find(|found| found.verdict == strictest && strictest != Verdict::Abstain);
        let mut decision = match chosen {
            Some(found) => Decision::from_finding(found.clone()),
            None if facts.reading.route == Route::Command => Decision::abstain(Stage::CommandAnalysis),
            None => Decision::abstain(Stage::NonCommand),
        };
        if matches!(decision.rule.as_ref().map(RuleId::as_str), Some("policy.file-mutation" | "git.metadata-mutation")) {
            decision.basis = Basis::ProtectedPath;
        }
        for found in &self.findings {
            let named = Some(&found.rule) == decision.rule.as_ref() || decision.also_matched.contains(&found.rule);
            if !named {
                decision.also_matched.push(found.rule.clone());
            }
        }
        if configurable && decision.stage != Stage::PolicyProtection {
            decision.level = Some(level(snapshot));
            decision.config = snapshot.state();
            decision.config_warning = snapshot.warning();
        }
        decision.effects = records::effects(facts);
        decision.executions = records::executions(facts);
        decision
    }
}

fn level(snapshot: &sekisho_policy::Snapshot) -> Level {
    snapshot.level()
}

/// A decision for a payload that could not be read at all.
pub fn unreadable(reason: &str) -> Decision {
    Decision { config: ConfigState::Ready, ..malformed(Stage::Adapter, reason) }
}
