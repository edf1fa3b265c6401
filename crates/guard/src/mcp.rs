//! Tools of MCP servers, judged by their names where nothing else is known.

use sekisho_verdict::tool_call::Action;
use sekisho_verdict::{Finding, ToolCall};

use crate::context::Context;

/// What the names of MCP tools say. The pack that judges them is not built in yet, so nothing.
pub fn findings(call: &ToolCall, context: &Context<'_>) -> Vec<Finding> {
    let _ = (context, call.actions.iter().any(|action| matches!(action, Action::McpCall { .. })));
    Vec::new()
}
