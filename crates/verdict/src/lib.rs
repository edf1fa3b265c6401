//! The words every Sekisho crate shares.
//!
//! A [`ToolCall`] is one call of one tool by one agent, after the agent's adapter has read it. A [`Decision`] is the answer,
//! with everything that `explain` prints, the audit log stores and an agent is told. Between them stand [`Verdict`]s, which
//! combine in exactly two ways: [`Verdict::stricter_layer`] and [`Verdict::stricter_part`].
//!
//! Nothing here reads a file, the clock or the environment.
#![forbid(unsafe_code)]

pub mod bounds;
pub mod decision;
pub mod json;
pub mod redaction;
pub mod tool_call;
pub mod verdict;

pub use decision::{
    Basis, ConfigState, Decision, EffectRecord, ErrorCode, Evidence, ExecutionRecord, Finding, Intent, Level, RuleId, Source, Stage,
};
pub use json::Json;
pub use tool_call::ToolCall;
pub use verdict::Verdict;
