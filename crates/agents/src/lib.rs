//! The agents Sekisho stands in front of: one folder each, with the same file names in all of them.
//!
//! - `event.rs` reads what the agent sends and says what the call is ([`Event`]);
//! - `answer.rs` says a decision in the agent's own protocol ([`Rendered`]);
//! - `install.rs` knows which file of the agent holds our registration.
//!
//! Reading and answering are pure functions: no file, no clock, no decision. [`registry::AGENTS`] is the one list.
#![forbid(unsafe_code)]

pub mod claude_code;
pub mod delivery;
pub mod hook_settings;
pub mod install;
pub mod mining;
pub mod payload;
pub mod registry;
pub mod settings_file;
pub mod tool_table;
pub mod unregistered;

use sekisho_verdict::tool_call::{Action, Completeness, Family};
use sekisho_verdict::{Decision, Json, ToolCall};

/// What an agent sent.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A tool call that waits for an answer.
    Call(Box<ToolCall>),
    /// Another event that runs the same command: nothing to say.
    Ignored,
    /// Nothing that could be read as a call.
    Malformed {
        /// A sentence about what is wrong. Repeats nothing of the input.
        reason: String,
        /// A bound of [`sekisho_verdict::bounds`] was exceeded, rather than a rule of the format broken.
        limit: bool,
    },
}

/// What an agent is told.
#[derive(Debug, Clone, Copy)]
pub enum Answer<'a> {
    /// No opinion: the agent's own permission flow goes on.
    NoOpinion,
    /// A verdict, with the message for the agent or its user.
    Decided {
        /// The decision.
        decision: &'a Decision,
        /// The message, several lines.
        message: &'a str,
    },
}

/// Exactly what the hook process prints, and its exit code.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rendered {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// Exit code.
    pub exit: u8,
}

/// The variables of the hook process, by name.
pub type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// One tool call's name and arguments, understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// What kind of tool it is.
    pub family: Family,
    /// What the call asks for.
    pub actions: Vec<Action>,
    /// How much of the arguments was understood.
    pub completeness: Completeness,
    /// The directory the arguments say the call runs in.
    pub directory: Option<String>,
}

impl Reading {
    /// A known tool whose arguments are wrong.
    pub fn malformed(family: Family, reason: String) -> Self {
        Self { family, actions: Vec::new(), completeness: Completeness::Malformed(reason), directory: None }
    }
}

/// A call of which nothing is known but the agent: stands in records for an event that could not be read.
pub fn unreadable_call(agent: &str) -> ToolCall {
    ToolCall {
        agent: agent.to_owned(),
        shape: None,
        event: String::new(),
        session: None,
        call: None,
        transcript: None,
        mode: None,
        can_prompt: false,
        subagent: false,
        session_cwd: None,
        cwd: None,
        tool: String::new(),
        family: Family::Other,
        input: Json::Object(Vec::new()),
        actions: Vec::new(),
        completeness: Completeness::Opaque,
    }
}

/// A message of several lines as one line: blocks are separated by ` · `, other control characters become spaces.
///
/// Agents show the reason in places of their own, some in one line of a terminal.
pub fn one_line(message: &str) -> String {
    let mut line = String::with_capacity(message.len());
    for block in message.lines().map(str::trim).filter(|block| !block.is_empty()) {
        if !line.is_empty() {
            line.push_str(" · ");
        }
        line.extend(block.chars().map(|character| if character.is_control() { ' ' } else { character }));
    }
    let limit = sekisho_verdict::bounds::REASON_CHARACTERS;
    match line.char_indices().nth(limit) {
        None => line,
        Some(_) => line.chars().take(limit.saturating_sub(1)).chain(std::iter::once('…')).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn messages_become_one_line_without_control_characters() {
        for (message, line) in [
            ("", ""),
            ("one", "one"),
            ("BLOCKED by sekisho\n\nReason: a.\r\nRule: b\n", "BLOCKED by sekisho · Reason: a. · Rule: b"),
            ("tab\tand \u{1b}[31mred\u{7}", "tab and  [31mred "),
        ] {
            assert_eq!(one_line(message), line);
        }
        assert_eq!(one_line(&"é".repeat(2_000)).chars().count(), 2_000);
        let cut = one_line(&"é".repeat(2_001));
        assert_eq!(cut.chars().count(), 2_000);
        assert!(cut.ends_with('…'));
    }
}
