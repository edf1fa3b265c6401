//! The layers around the guard that a row describes: hook scripts, auto mode, an administrator's ceiling.
//!
//! Stricter always wins, and only an abstention of everything before becomes an allow.

use sekisho_verdict::tool_call::{Action, Family};
use sekisho_verdict::{Basis, Decision, Source, Stage, ToolCall, Verdict};
use serde_json::Value;

use super::row::Row;

/// The decision with the layers of the row around it.
pub fn apply(row: &Row, call: &ToolCall, decision: Decision) -> Decision {
    let decision = hooks(row, decision);
    let decision = if row.auto { auto(call, decision) } else { decision };
    ceiling(row, call, decision)
}

/// One opinion of a layer. The decision stays where it is as strict or stricter.
fn layer(decision: Decision, verdict: Verdict, stage: Stage, source: Source, basis: Basis, reason: &str) -> Decision {
    if decision.verdict.stricter_layer(verdict) == decision.verdict {
        return decision;
    }
    Decision {
        verdict,
        rule: None,
        stage,
        source,
        basis,
        reason: reason.to_owned(),
        intent: None,
        alternative: None,
        only_a_person: false,
        ..decision
    }
}

fn hooks(row: &Row, decision: Decision) -> Decision {
    row.hooks.iter().fold(decision, |decision, opinion| {
        let (verdict, basis, reason) = match opinion.as_str() {
            "deny" => (Verdict::Deny, Basis::HookDeny, "a hook script refused this call"),
            "ask" => (Verdict::Ask, Basis::HookAsk, "a hook script wants a person to decide"),
            // An allow without consent is no more than no opinion.
            "allow" if row.auto => (Verdict::Allow, Basis::HookAllow, "a hook script allowed this call"),
            _ => return decision,
        };
        layer(decision, verdict, Stage::HookScript, Source::Hook, basis, reason)
    })
}

/// What auto mode makes of an abstention: allow where every effect is known and harmless, else a person is asked.
fn auto(call: &ToolCall, decision: Decision) -> Decision {
    if decision.verdict != Verdict::Abstain {
        return decision;
    }
    if is_harmless(call, &decision) {
        let reason = "everything this call does is known and harmless";
        return layer(decision, Verdict::Allow, Stage::Policy, Source::ShippedDefault, Basis::PolicyAllow, reason);
    }
    layer(decision, Verdict::Ask, Stage::Policy, Source::Default, Basis::Prompt, "nothing covers this call, so a person decides")
}

fn is_harmless(call: &ToolCall, decision: &Decision) -> bool {
    let understood = !call.actions.is_empty() || call.family == Family::AskUser;
    let known = call.actions.iter().all(|action| {
        !matches!(
            action,
            Action::Unknown { .. } | Action::McpCall { .. } | Action::Spawn | Action::RunCode { .. } | Action::Fetch { .. }
        )
    });
    let place = |class: &Option<String>| {
        class.as_deref().is_none_or(|class| {
            matches!(
                class,
                "workspace"
                    | "workspace_entries"
                    | "inside_workspace"
                    | "temporary"
                    | "temporary_root"
                    | "system"
                    | "pseudo_device"
                    | "none"
            )
        })
    };
    // A text that was followed to no command at all is not understood.
    let followed = call.family != Family::Shell || !decision.executions.is_empty();
    understood
        && known
        && followed
        && decision.effects.iter().all(|effect| match effect.kind.as_str() {
            "read" | "metadata" => place(&effect.class),
            "mention" => true,
            "write" => effect.class.as_deref() == Some("pseudo_device"),
            _ => false,
        })
}

fn ceiling(row: &Row, call: &ToolCall, decision: Decision) -> Decision {
    let Some(ceiling) = &row.ceiling else { return decision };
    registry_names(call, &decision).into_iter().fold(decision, |decision, name| {
        let rule = ceiling.get(name.as_str()).or_else(|| ceiling.get("*"));
        let word = rule.and_then(|rule| rule.as_str().or_else(|| rule.get("decision").and_then(Value::as_str)));
        let (verdict, basis, reason) = match word {
            Some("deny") => (Verdict::Deny, Basis::GovernanceDeny, format!("an administrator does not allow `{name}`")),
            Some("ask") => (Verdict::Ask, Basis::Prompt, format!("an administrator wants a person to decide about `{name}`")),
            _ => return decision,
        };
        layer(decision, verdict, Stage::Governance, Source::Governance, basis, &reason)
    })
}

/// The names an administrator knows the call by.
fn registry_names(call: &ToolCall, decision: &Decision) -> Vec<String> {
    let runs_git = decision.executions.iter().any(|execution| {
        let head = execution.argv.as_ref().and_then(|argv| argv.first()).and_then(|word| word.as_deref());
        head.and_then(|head| head.rsplit('/').next()) == Some("git")
    });
    let mcp = call.actions.iter().find_map(|action| match action {
        Action::McpCall { server, tool } => Some(format!("mcp__{server}__{tool}")),
        _ => None,
    });
    let name = match call.family {
        Family::Shell => "run_command",
        Family::ProcessInput => "send_process_input",
        Family::Code => "run_code",
        Family::FileRead => "read_file",
        Family::FileWrite => "create_file_with_contents",
        Family::FileEdit | Family::Patch => "edit_file",
        Family::FileDelete => "delete_file",
        Family::FileMove => "move_file",
        Family::List => "list_dir",
        Family::Search => {
            let content = call.actions.iter().any(|action| matches!(action, Action::Search { content: true, .. }));
            if content { "grep" } else { "find_files" }
        }
        Family::NetFetch => "fetch_url",
        Family::NetSearch => "search_web",
        Family::Subagent => "start_agent",
        Family::AskUser => return Vec::new(),
        Family::Mcp => return mcp.into_iter().collect(),
        Family::Browser | Family::Other => "agent_tool",
    };
    let mut names = vec![name.to_owned()];
    if call.family == Family::Shell && runs_git {
        names.push("run_git_command".to_owned());
    }
    names
}
