//! One call of one tool by one agent, in the same words whatever the agent.

use serde::{Deserialize, Serialize};

use crate::json::Json;

/// One tool call, as an agent's adapter understood it. Paths are text here; nothing has looked at a file yet.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The adapter id (`claude-code`).
    pub agent: String,
    /// The wire format where it is not the agent's own.
    pub shape: Option<String>,
    /// The event as the agent named it.
    pub event: String,
    /// The agent's session.
    pub session: Option<String>,
    /// The agent's id of this call.
    pub call: Option<String>,
    /// The agent's transcript file.
    pub transcript: Option<String>,
    /// The permission mode as the agent spelled it.
    pub mode: Option<String>,
    /// A person can answer an ask now.
    pub can_prompt: bool,
    /// The call comes from a subagent.
    pub subagent: bool,
    /// Where policy is looked up: the session's directory.
    pub session_cwd: Option<String>,
    /// Where the call runs.
    pub cwd: Option<String>,
    /// The agent's own name of the tool.
    pub tool: String,
    /// What kind of tool it is.
    pub family: Family,
    /// The tool's arguments, bounded.
    pub input: Json,
    /// What the call asks for, one entry per part. Every part must be allowed for the call to be.
    pub actions: Vec<Action>,
    /// How much of the arguments was understood.
    pub completeness: Completeness,
}

impl ToolCall {
    /// A call of Claude Code's shell tool about which nothing else is known: for measurements and tests.
    pub fn shell(command: &str) -> Self {
        Self {
            agent: "claude-code".to_owned(),
            shape: None,
            event: "PreToolUse".to_owned(),
            session: None,
            call: None,
            transcript: None,
            mode: None,
            can_prompt: true,
            subagent: false,
            session_cwd: None,
            cwd: None,
            tool: "Bash".to_owned(),
            family: Family::Shell,
            input: Json::Object(vec![("command".to_owned(), Json::String(command.to_owned()))]),
            actions: vec![Action::Shell { text: command.to_owned(), dialect: ShellDialect::Posix }],
            completeness: Completeness::Complete,
        }
    }

    /// The first shell text of the call.
    pub fn command(&self) -> Option<&str> {
        self.actions.iter().find_map(|action| match action {
            Action::Shell { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }
}

/// How much of a call's arguments was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completeness {
    /// Everything.
    Complete,
    /// A known tool with keys nobody has told us about.
    Partial(Vec<String>),
    /// A tool this adapter does not know.
    Opaque,
    /// A known tool with a required argument missing or of the wrong type: a sentence that says which.
    Malformed(String),
}

/// What kind of tool a call is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Runs shell text.
    Shell,
    /// Types into a running process.
    ProcessInput,
    /// Runs code of a language.
    Code,
    /// Reads a file.
    FileRead,
    /// Creates or replaces a file.
    FileWrite,
    /// Changes a file.
    FileEdit,
    /// Deletes a file.
    FileDelete,
    /// Moves a file.
    FileMove,
    /// Applies a patch.
    Patch,
    /// Searches content or names.
    Search,
    /// Lists a directory.
    List,
    /// Fetches an address.
    NetFetch,
    /// Searches the web.
    NetSearch,
    /// A tool of an MCP server.
    Mcp,
    /// Starts another agent.
    Subagent,
    /// Drives a browser.
    Browser,
    /// Asks the user, or keeps a list for the agent itself.
    AskUser,
    /// Anything else.
    Other,
}

/// The language of shell text, as the tool's name declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ShellDialect {
    /// POSIX shell or bash.
    Posix,
    /// PowerShell.
    PowerShell,
    /// The tool does not say.
    Auto,
}

/// One thing a call asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Run shell text.
    Shell {
        /// The text.
        text: String,
        /// Its language.
        dialect: ShellDialect,
    },
    /// Type text into a running process.
    TypeInto {
        /// The text.
        text: String,
    },
    /// Read a file.
    ReadFile {
        /// Its path.
        path: String,
    },
    /// Create or replace a file.
    WriteFile {
        /// Its path.
        path: String,
    },
    /// Change a file.
    EditFile {
        /// Its path.
        path: String,
    },
    /// Delete a file.
    DeleteFile {
        /// Its path.
        path: String,
    },
    /// Move a file.
    MoveFile {
        /// From where.
        from: String,
        /// To where.
        to: String,
    },
    /// Apply a patch.
    Patch {
        /// The patch.
        text: String,
    },
    /// Search names or content.
    Search {
        /// In file contents rather than names.
        content: bool,
        /// Where.
        root: Option<String>,
        /// What.
        pattern: String,
        /// Which files.
        glob: Option<String>,
    },
    /// List a directory.
    ListDirectory {
        /// Its path.
        path: String,
    },
    /// Fetch an address.
    Fetch {
        /// The address.
        url: Option<String>,
    },
    /// Call a tool of an MCP server.
    McpCall {
        /// The server.
        server: String,
        /// The tool.
        tool: String,
    },
    /// Run code.
    RunCode {
        /// `python`, `javascript`, …
        language: String,
        /// The code.
        text: String,
    },
    /// Start another agent.
    Spawn,
    /// A tool nobody described. Strings under well-known keys; they may raise the verdict, never lower it.
    Unknown {
        /// Values under path-like keys.
        paths: Vec<String>,
        /// Values under command-like keys.
        commands: Vec<String>,
    },
}
