//! Tables of tools: which arguments a tool has, and what they mean. An agent's folder holds one such table.

use sekisho_verdict::Json;
use sekisho_verdict::tool_call::{Action, Completeness, Family, ShellDialect};

use crate::{Reading, mining};

/// One tool of an agent. Names are compared exactly.
#[derive(Debug, Clone, Copy)]
pub struct Tool {
    /// The agent's own name.
    pub name: &'static str,
    /// What kind of tool it is.
    pub family: Family,
    /// The language of its shell text, for shell tools.
    pub dialect: ShellDialect,
    /// Its arguments.
    pub arguments: &'static [Argument],
}

/// One argument of a tool.
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    name: &'static str,
    kind: Kind,
    role: Role,
    required: bool,
}

/// The JSON type of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Text,
    /// An array.
    List,
    /// Anything: nothing is decided from it.
    Any,
}

/// What an argument means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Shell text or code.
    Command,
    /// The path the tool works on; a search tool's root.
    Path,
    /// What is searched.
    Pattern,
    /// Which files are searched.
    Glob,
    /// An address.
    Url,
    /// A patch.
    Patch,
    /// The directory the call runs in.
    Directory,
    /// Nothing the verdict depends on.
    Other,
}

/// A tool that is not a shell.
pub const fn tool(name: &'static str, family: Family, arguments: &'static [Argument]) -> Tool {
    Tool { name, family, dialect: ShellDialect::Posix, arguments }
}

/// A shell tool.
pub const fn shell(name: &'static str, dialect: ShellDialect, arguments: &'static [Argument]) -> Tool {
    Tool { name, family: Family::Shell, dialect, arguments }
}

/// A string that must be there.
pub const fn required(name: &'static str, role: Role) -> Argument {
    Argument { name, kind: Kind::Text, role, required: true }
}

/// An array that must be there.
pub const fn required_list(name: &'static str) -> Argument {
    Argument { name, kind: Kind::List, role: Role::Other, required: true }
}

/// A string that may be there.
pub const fn optional(name: &'static str, role: Role) -> Argument {
    Argument { name, kind: Kind::Text, role, required: false }
}

/// An argument we have been told about and do not use.
pub const fn known(name: &'static str) -> Argument {
    Argument { name, kind: Kind::Any, role: Role::Other, required: false }
}

/// Reads a call of a tool in `table`; `None` when the table does not know it.
pub fn read(table: &[Tool], name: &str, input: &Json) -> Option<Reading> {
    table.iter().find(|tool| tool.name == name).map(|tool| tool.read(input))
}

/// Reads a call of a tool no table knows.
pub fn read_unknown(name: &str, input: &Json) -> Reading {
    let mut reading = Reading { family: Family::Other, actions: Vec::new(), completeness: Completeness::Opaque, directory: None };
    if let Some((server, tool)) = mcp_name(name) {
        reading.family = Family::Mcp;
        reading.actions.push(Action::McpCall { server: server.to_owned(), tool: tool.to_owned() });
    } else if mining::names_a_patch_tool(name) {
        reading.family = Family::Patch;
        reading.actions = mining::patches(input);
        return reading;
    }
    reading.actions.push(mining::unknown_action(input));
    reading
}

/// The server and the tool in `mcp__<server>__<tool>`.
fn mcp_name(name: &str) -> Option<(&str, &str)> {
    name.strip_prefix("mcp__")?.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
}

impl Tool {
    fn read(&self, input: &Json) -> Reading {
        let malformed = |what: String| Reading::malformed(self.family, what);
        let Json::Object(entries) = input else { return malformed(format!("the arguments of `{}` are not an object", self.name)) };
        for argument in self.arguments {
            if let Some(what) = argument.wrong(input) {
                return malformed(format!("`{}` {what}", self.name));
            }
        }
        let unread: Vec<String> = entries
            .iter()
            .filter(|(key, _)| !self.arguments.iter().any(|argument| argument.name == key))
            .map(|(key, _)| key.clone())
            .collect();
        if let Some(text) = self.text(input, Role::Command)
            && text.contains('\0')
        {
            return malformed(format!("the command of `{}` contains a NUL byte", self.name));
        }
        Reading {
            family: self.family,
            actions: self.actions(input),
            completeness: if unread.is_empty() { Completeness::Complete } else { Completeness::Partial(unread) },
            directory: self.text(input, Role::Directory),
        }
    }

    /// The first argument of that role that is given.
    fn text(&self, input: &Json, role: Role) -> Option<String> {
        self.arguments
            .iter()
            .filter(|argument| argument.role == role)
            .find_map(|argument| input.string(argument.name))
            .map(str::to_owned)
    }

    fn actions(&self, input: &Json) -> Vec<Action> {
        let text = |role| self.text(input, role);
        let path = || text(Role::Path).unwrap_or_default();
        let action = match self.family {
            Family::Shell => Action::Shell { text: text(Role::Command).unwrap_or_default(), dialect: self.dialect },
            Family::ProcessInput => Action::TypeInto { text: text(Role::Command).unwrap_or_default() },
            Family::FileRead => Action::ReadFile { path: path() },
            Family::FileWrite => Action::WriteFile { path: path() },
            Family::FileEdit => Action::EditFile { path: path() },
            Family::FileDelete => Action::DeleteFile { path: path() },
            Family::Patch => Action::Patch { text: text(Role::Patch).unwrap_or_default() },
            Family::Search => Action::Search {
                // A tool that can be told which files to look in searches their content.
                content: self.arguments.iter().any(|argument| argument.role == Role::Glob),
                root: text(Role::Path),
                pattern: text(Role::Pattern).unwrap_or_default(),
                glob: text(Role::Glob),
            },
            Family::List => Action::ListDirectory { path: text(Role::Path).unwrap_or_else(|| ".".to_owned()) },
            Family::NetFetch | Family::NetSearch => Action::Fetch { url: text(Role::Url) },
            Family::Subagent => Action::Spawn,
            Family::AskUser => return Vec::new(),
            Family::Code | Family::FileMove | Family::Mcp | Family::Browser | Family::Other => mining::unknown_action(input),
        };
        vec![action]
    }
}

impl Argument {
    /// What is wrong with this argument of `input`, if anything.
    fn wrong(&self, input: &Json) -> Option<String> {
        let fits = match (input.get(self.name), self.kind) {
            (None | Some(Json::Null), _) if self.required => return Some(format!("needs `{}`", self.name)),
            (None | Some(Json::Null), _) | (_, Kind::Any) => true,
            (Some(value), Kind::Text) => value.as_str().is_some(),
            (Some(value), Kind::List) => matches!(value, Json::Array(_)),
        };
        let kind = if self.kind == Kind::List { "an array" } else { "a string" };
        (!fits).then(|| format!("needs `{}` to be {kind}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: [Tool; 3] = [
        shell("Bash", ShellDialect::Posix, &[required("command", Role::Command), known("timeout")]),
        tool("Edits", Family::FileEdit, &[required("file_path", Role::Path), required_list("edits")]),
        tool(
            "Grep",
            Family::Search,
            &[required("pattern", Role::Pattern), optional("path", Role::Path), optional("glob", Role::Glob)],
        ),
    ];

    fn reading(name: &str, input: &str) -> Reading {
        let input = serde_json::from_str(input).unwrap();
        read(&TABLE, name, &input).unwrap_or_else(|| read_unknown(name, &input))
    }

    #[test]
    fn known_tools() {
        let bash = reading("Bash", r#"{"command": "ls", "timeout": 3}"#);
        assert_eq!(bash.completeness, Completeness::Complete);
        assert_eq!(bash.actions, [Action::Shell { text: "ls".to_owned(), dialect: ShellDialect::Posix }]);
        let grep = reading("Grep", r#"{"pattern": "x", "path": null, "glob": "*.rs", "new": 1}"#);
        assert_eq!(grep.completeness, Completeness::Partial(vec!["new".to_owned()]));
        assert_eq!(
            grep.actions,
            [Action::Search { content: true, root: None, pattern: "x".to_owned(), glob: Some("*.rs".to_owned()) }]
        );
    }

    #[test]
    fn wrong_arguments_are_malformed_and_named() {
        for (name, input, says) in [
            ("Bash", "{}", "`Bash` needs `command`"),
            ("Bash", r#"{"command": null}"#, "`Bash` needs `command`"),
            ("Bash", r#"{"command": ["ls"]}"#, "`Bash` needs `command` to be a string"),
            ("Bash", r#"{"command": "ls\u0000"}"#, "NUL"),
            ("Bash", r#""ls""#, "not an object"),
            ("Edits", r#"{"file_path": "a", "edits": "b"}"#, "`edits` to be an array"),
            ("Grep", r#"{"pattern": "x", "path": 3}"#, "`path` to be a string"),
        ] {
            let Completeness::Malformed(reason) = reading(name, input).completeness else { panic!("{name} {input} was read") };
            assert!(reason.contains(says), "{reason}");
        }
    }

    #[test]
    fn unknown_tools_are_opaque_never_malformed() {
        for (name, input, family, actions) in [
            ("bash", r#"{"command": 3}"#, Family::Other, 1),
            ("mcp__box__run", "null", Family::Mcp, 2),
            ("mcp__box__run__now", "{}", Family::Mcp, 2),
            ("mcp__box", "{}", Family::Other, 1),
            ("mcp____run", "{}", Family::Other, 1),
            ("apply_patch", r#"{"input": "*** Begin Patch"}"#, Family::Patch, 1),
        ] {
            let reading = reading(name, input);
            assert_eq!(reading.completeness, Completeness::Opaque, "{name}");
            assert_eq!((reading.family, reading.actions.len()), (family, actions), "{name}");
        }
        let Some(Action::McpCall { server, tool }) = reading("mcp__box__run__now", "{}").actions.into_iter().next() else {
            panic!("no MCP call")
        };
        assert_eq!((server.as_str(), tool.as_str()), ("box", "run__now"));
    }
}
