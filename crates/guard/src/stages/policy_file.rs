//! Stage 6: Sekisho's own files, and its own commands that loosen.

use sekisho_command_model::{Argument, EffectKind};
use sekisho_shell_analysis::Execution;
use sekisho_shell_syntax::tree::{AssignmentValue, SimpleCommand};
use sekisho_verdict::{Finding, Stage, Verdict};

use crate::facts::{Facts, Text};
use crate::protected::Touch;
use crate::rules::finding;

use super::destructive::evidence;

/// Sekisho's commands that loosen the policy or answer for a person: words of its program description.
const LOOSENING: &[&str] = &[
    "policy-apply",
    "policy-trust",
    "auto-on",
    "auto-allow",
    "approve",
    "import",
    "rule-remove",
    "rule-accept",
    "login",
    "governance-apply",
];
/// Its commands that switch the gate off or open a way to: a person may say yes.
const DISABLING: &[&str] = &["uninstall", "gui"];
const AGENT_OPERATIONS: &[&str] = &["agent-start-without-hooks", "agent-plugin-remove"];

/// What the stage finds. The flag says that a directory *above* a protected file goes, in which case a rule about the directory
/// itself explains more.
pub fn findings(facts: &Facts<'_>) -> Vec<(Finding, bool)> {
    let mut found = Vec::new();
    for fact in &facts.facts {
        if let Some(touch) = facts.protected.as_ref().and_then(|files| files.touched_by(facts.context.host, fact)) {
            let mut finding = finding("policy.file-mutation", Stage::PolicyProtection, Some(evidence(fact.execution)));
            if fact.execution.latent {
                finding.verdict = Verdict::Ask;
            }
            found.push((finding, touch == Touch::Ancestor));
        }
        let rule = match &fact.effect.kind {
            EffectKind::Service { service, operation, .. } if service == "sekisho" => {
                if LOOSENING.contains(&operation.as_str()) {
                    Some("policy.apply")
                } else {
                    DISABLING.contains(&operation.as_str()).then_some("policy.disable")
                }
            }
            EffectKind::System(operation) => AGENT_OPERATIONS.contains(&operation.as_str()).then_some("policy.disable"),
            _ => None,
        };
        if let Some(rule) = rule {
            found.push((finding(rule, Stage::PolicyProtection, Some(evidence(fact.execution))), false));
        }
    }
    let mut programs = facts.reading.texts.iter().flat_map(Text::programs);
    let carried_in_words = facts.reading.executions().any(passes_settings);
    if carried_in_words || programs.any(|(program, _)| program.simple_commands().any(moves_settings)) {
        found.push((finding("policy.disable", Stage::PolicyProtection, None), false));
    }
    found.sort_by_key(|(finding, _)| finding.verdict != Verdict::Deny);
    found
}

/// `env SEKISHO_…=value command`, and the same through the other programs that set variables.
fn passes_settings(execution: &Execution) -> bool {
    let sets = matches!(execution.program.as_deref(), Some("env" | "sudo" | "doas" | "export" | "declare" | "typeset"));
    let mut words = execution.argv.iter().flatten().filter_map(Argument::known);
    sets && words.any(|word| word.starts_with("SEKISHO_"))
}

/// `SEKISHO_…=value command`, or `export SEKISHO_…`.
fn moves_settings(command: &SimpleCommand) -> bool {
    let ours = |name: &str| name.starts_with("SEKISHO_");
    let prefix = !command.words.is_empty()
        && command
            .assignments
            .iter()
            .any(|assignment| ours(&assignment.name) && matches!(assignment.value, AssignmentValue::Scalar(_)));
    let mut words = command.words.iter().map(|word| word.literal().unwrap_or_default());
    let exports =
        words.next().is_some_and(|head| matches!(head.as_ref(), "export" | "declare" | "typeset")) && words.any(|word| ours(&word));
    prefix || exports
}
