//! The one list of agents.

use sekisho_verdict::Json;

use crate::install::Registration;
use crate::{Answer, Environment, Event, Reading, Rendered, claude_code};

/// One agent, as functions.
#[derive(Debug)]
pub struct Agent {
    /// The adapter id, as in `sekisho hook <id>`.
    pub id: &'static str,
    /// Its name, for people.
    pub title: &'static str,
    /// Reads what the agent sends.
    pub read: fn(&[u8], Environment<'_>) -> Event,
    /// Reads one call's tool name and arguments.
    pub read_call: fn(&str, &Json) -> Reading,
    /// The wire format to answer in, where another agent runs this one's registration.
    pub shape: fn(Environment<'_>) -> Option<&'static str>,
    /// Says an answer in the agent's protocol, or in that of the shape.
    pub render: fn(Answer<'_>, Option<&str>) -> Rendered,
    /// Where and how the agent is told to call us.
    pub registration: &'static Registration,
}

/// Every agent with a folder.
pub static AGENTS: [Agent; 1] = [claude_code::AGENT];

/// The agent of that id.
pub fn find(id: &str) -> Option<&'static Agent> {
    AGENTS.iter().find(|agent| agent.id == id)
}
