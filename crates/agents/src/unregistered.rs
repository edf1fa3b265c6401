//! Tool names of agents that have no folder here yet. Only `check --batch` reads this table, for rows that name such an agent;
//! no hook does, and a folder's own table takes its place.

use sekisho_verdict::Json;
use sekisho_verdict::tool_call::{Family, ShellDialect};

use crate::Reading;
use crate::tool_table::{Role, Tool, optional, read, read_unknown, required, shell, tool};

const TOOLS: [Tool; 12] = [
    shell("Bash", ShellDialect::Posix, &[required("command", Role::Command)]),
    shell("PowerShell", ShellDialect::PowerShell, &[required("command", Role::Command)]),
    shell("Shell", ShellDialect::Auto, &[required("command", Role::Command), optional("working_directory", Role::Directory)]),
    shell("run_shell_command", ShellDialect::Auto, &[required("command", Role::Command), optional("dir_path", Role::Directory)]),
    shell("run_in_terminal", ShellDialect::Auto, &[required("command", Role::Command)]),
    shell("terminal", ShellDialect::Posix, &[required("command", Role::Command), optional("workdir", Role::Directory)]),
    shell("execute_bash", ShellDialect::Posix, &[required("command", Role::Command)]),
    shell("execute_command", ShellDialect::Auto, &[required("command", Role::Command)]),
    tool("Read", Family::FileRead, &[required("file_path", Role::Path)]),
    tool("Write", Family::FileWrite, &[required("file_path", Role::Path)]),
    tool("Edit", Family::FileEdit, &[required("file_path", Role::Path)]),
    tool("Delete", Family::FileDelete, &[required("path", Role::Path)]),
];

/// Reads a call of an agent without a folder.
pub fn read_call(name: &str, input: &Json) -> Reading {
    read(&TOOLS, name, input).unwrap_or_else(|| read_unknown(name, input))
}
