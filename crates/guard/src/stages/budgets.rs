//! Stages 1, 3 and 4: input, recursion and structure budgets.

use sekisho_shell_syntax::tree::Status;
use sekisho_verdict::{ErrorCode, Evidence, Finding, Json, Stage, ToolCall, bounds};

use crate::facts::{Reading, Route};
use crate::rules::finding;

/// Stage 1: the arguments of the call exceed a bound. Nothing of the input is echoed.
pub fn input(call: &ToolCall) -> Option<Finding> {
    let mut open = vec![(&call.input, 1usize)];
    let (mut values, mut keys, mut bytes) = (0usize, 0usize, 0usize);
    while let Some((value, depth)) = open.pop() {
        values += 1;
        match value {
            Json::String(text) => {
                bytes += text.len();
                if text.len() > bounds::STRING_BYTES {
                    return Some(too_large());
                }
            }
            Json::Array(items) => {
                keys += items.len();
                open.extend(items.iter().map(|item| (item, depth + 1)));
            }
            Json::Object(entries) => {
                keys += entries.len();
                open.extend(entries.iter().map(|(_, item)| (item, depth + 1)));
            }
            _ => {}
        }
        let nested = matches!(value, Json::Array(_) | Json::Object(_));
        if values > bounds::VALUES
            || keys > bounds::KEYS
            || bytes > bounds::TOTAL_STRING_BYTES
            || nested && depth > bounds::DEPTH
            || open.len() > bounds::VALUES
        {
            return Some(too_large());
        }
    }
    None
}

/// The finding for input beyond a bound.
pub fn too_large() -> Finding {
    let mut found = finding("analysis.failed-closed", Stage::PolicyProtection, None);
    "the arguments of this tool call are too large to be judged".clone_into(&mut found.reason);
    found
}

/// The error code of stage 1.
pub const INPUT_ERROR: ErrorCode = ErrorCode::ToolInputLimit;

/// Stages 3 and 4: a shell text exceeds a budget of the parser.
pub fn structure(reading: &Reading) -> Option<Finding> {
    let limited = reading.texts.iter().find(|text| {
        text.program.as_ref().is_some_and(|program| program.status == Status::Limited) && !text.source.trim().is_empty()
    })?;
    Some(if reading.route == Route::Command {
        let evidence = Evidence { segment: limited.source.clone(), start: None, end: None };
        finding("analysis.recursion-limit", Stage::CommandAnalysis, Some(evidence))
    } else {
        finding("analysis.structural-limit", Stage::CommandValidation, None)
    })
}
