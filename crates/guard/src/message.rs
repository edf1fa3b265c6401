//! What a person or an agent is told about a decision.

use sekisho_verdict::bounds::REASON_CHARACTERS;
use sekisho_verdict::redaction::{for_terminal, redact};
use sekisho_verdict::{ConfigState, Decision, Intent, Stage, ToolCall, Verdict};

const COMMAND_CHARACTERS: usize = 200;

/// The whole message: headline, reason, rule, what it is about, what to do. Redacted, and at most 2,000 characters.
pub fn for_agent(decision: &Decision, call: &ToolCall) -> String {
    let mut blocks = vec![headline(decision.verdict).to_owned()];
    let mut facts = vec![format!("Reason: {}", clean(&decision.reason))];
    if let Some(alternative) = &decision.alternative {
        facts.push(format!("Instead: {}", clean(alternative)));
    }
    if let Some(rule) = &decision.rule {
        facts.push(format!("Rule: {rule}"));
    }
    if decision.stage != Stage::CommandAnalysis && !call.tool.is_empty() {
        facts.push(format!("Tool: {}", shorten(&clean(&call.tool), COMMAND_CHARACTERS)));
    }
    let too_large = decision.error == Some(sekisho_verdict::ErrorCode::ToolInputLimit);
    if let Some(command) = call.command().filter(|_| !too_large) {
        let command = clean(command);
        let segment = decision.evidence.as_ref().map(|evidence| clean(&evidence.segment)).filter(|segment| !segment.is_empty());
        facts.push(format!("Command: {}", shorten(&command, COMMAND_CHARACTERS)));
        if let Some(segment) = segment.filter(|segment| *segment != command) {
            facts.push(format!("Segment: {}", shorten(&segment, COMMAND_CHARACTERS)));
        }
    }
    blocks.push(facts.join("\n"));
    if decision.config == ConfigState::Degraded
        && let Some(warning) = &decision.config_warning
        && !matches!(decision.stage, Stage::PolicyProtection | Stage::CommandValidation | Stage::ConfigLoad)
    {
        blocks.push(format!("Config warning: {}", clean(warning)));
    }
    if let Some(intent) = decision.intent {
        blocks.push(footer(intent).to_owned());
    }
    shorten(&blocks.join("\n\n"), REASON_CHARACTERS)
}

const fn headline(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Deny => "BLOCKED by sekisho",
        Verdict::Ask => "sekisho needs your approval",
        Verdict::Allow => "Allowed by sekisho",
        Verdict::Abstain => "No opinion",
    }
}

const fn footer(intent: Intent) -> &'static str {
    match intent {
        Intent::HardStop => {
            "Stop this line of action: do not try other tools, flags or paths for it. Tell the user, and go on with other work."
        }
        Intent::UseAlternative => "Do not repeat this form. Go on with the safer form named above.",
        Intent::ScopeDown => "Try again with a narrower target, written out. If the wide one is really needed, ask the user.",
        Intent::ManualOnly => "Ask the user. If it is needed, the user runs it personally.",
        Intent::StopAndExplain => "Do not try variants of it. Simplify the command, or report to the user what stopped you.",
    }
}

/// Redacted, on one line, without control characters.
fn clean(text: &str) -> String {
    let line = for_terminal(&redact(text));
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn shorten(text: &str, characters: usize) -> String {
    if text.chars().count() <= characters {
        return text.to_owned();
    }
    let kept: String = text.chars().take(characters.saturating_sub(1)).collect();
    format!("{kept}…")
}
