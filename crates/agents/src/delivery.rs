//! What becomes of an ask that nobody can answer.

use sekisho_verdict::{Basis, Decision, Intent, Stage, ToolCall, Verdict};

/// The decision as it can be delivered: an ask becomes a deny, its rule kept, where nobody can answer it.
#[must_use]
pub fn deliver(decision: Decision, call: &ToolCall) -> Decision {
    if decision.verdict != Verdict::Ask || call.can_prompt {
        return decision;
    }
    let why = match call.mode.as_deref() {
        Some(mode @ ("bypassPermissions" | "dontAsk")) => format!("nobody is asked in permission mode `{mode}`"),
        _ => "nobody can answer in this session".to_owned(),
    };
    let reason = if decision.reason.is_empty() { "this call".to_owned() } else { format!("{}; it", decision.reason) };
    let reason = format!("{reason} needs a person's approval, and {why}");
    Decision {
        verdict: Verdict::Deny,
        stage: Stage::AskDelivery,
        basis: Basis::NoApprover,
        reason,
        intent: Some(decision.intent.unwrap_or(Intent::ManualOnly)),
        ..decision
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unreadable_call;

    #[test]
    fn only_an_ask_without_anyone_to_answer_changes() {
        let mut call = unreadable_call("claude-code");
        for verdict in Verdict::ALL {
            for can_prompt in [true, false] {
                call.can_prompt = can_prompt;
                let decision = Decision { verdict, ..Decision::abstain(Stage::Policy) };
                let delivered = deliver(decision.clone(), &call);
                if verdict == Verdict::Ask && !can_prompt {
                    assert_eq!(
                        (delivered.verdict, delivered.stage, delivered.basis),
                        (Verdict::Deny, Stage::AskDelivery, Basis::NoApprover)
                    );
                } else {
                    assert_eq!(delivered, decision);
                }
            }
        }
    }
}
