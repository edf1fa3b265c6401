//! A decision → what Claude Code reads.
//!
//! Exit code 0 always: with exit code 2 Claude Code ignores standard output, with any other the tool runs.
//! Source: Claude Code documentation, "Hooks reference", PreToolUse decision control.

use sekisho_verdict::Verdict;

use super::foreign;
use crate::{Answer, Rendered, one_line};

/// What to print, and the exit code.
pub fn render(answer: Answer<'_>, shape: Option<&str>) -> Rendered {
    if shape == Some(foreign::DEVIN) {
        return foreign::render_devin(answer);
    }
    let Answer::Decided { decision, message } = answer else { return Rendered::default() };
    let word = match decision.verdict {
        Verdict::Abstain => return Rendered::default(),
        Verdict::Deny => "deny",
        Verdict::Ask => "ask",
        Verdict::Allow => "allow",
    };
    let document = serde_json::json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": word,
            "permissionDecisionReason": one_line(message),
        }
    });
    Rendered { stdout: format!("{document}\n"), stderr: String::new(), exit: 0 }
}

#[cfg(test)]
mod tests {
    use sekisho_verdict::{Decision, Stage};

    use super::*;

    fn rendered(verdict: Verdict, message: &str) -> Rendered {
        render(Answer::Decided { decision: &Decision { verdict, ..Decision::abstain(Stage::Policy) }, message }, None)
    }

    #[test]
    fn exact_bytes() {
        assert_eq!(render(Answer::NoOpinion, None), Rendered::default());
        assert_eq!(rendered(Verdict::Abstain, "x"), Rendered::default());
        for (verdict, word) in [(Verdict::Deny, "deny"), (Verdict::Ask, "ask"), (Verdict::Allow, "allow")] {
            assert_eq!(
                rendered(verdict, "a \"b\"\nc").stdout,
                format!(
                    "{{\"hookSpecificOutput\":{{\"hookEventName\":\"PreToolUse\",\"permissionDecision\":\"{word}\",\"permissionDecisionReason\":\"a \\\"b\\\" · c\"}}}}\n"
                )
            );
        }
    }
}
