//! Claude Code: a subprocess per call, event `PreToolUse`, registered in `settings.json`.

pub mod answer;
pub mod event;
pub mod foreign;
pub mod install;

use crate::registry::Agent;

/// The adapter id.
pub const ID: &str = "claude-code";

/// The entry of the registry.
pub const AGENT: Agent = Agent {
    id: ID,
    title: "Claude Code",
    read: event::read,
    read_call: event::read_call,
    shape: foreign::shape,
    render: answer::render,
    registration: &install::REGISTRATION,
};
