//! `sekisho parse`: how a shell text is read.

mod tree_json;

use std::io::{self, Write};

use sekisho_shell_syntax::tree::{Dialect, Program};
use sekisho_shell_syntax::{posix, render};
use serde_json::Value;

use super::check::usage;
use crate::commands::command_text;
use crate::exit::Exit;

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  sekisho parse -- 'cd src && rm -rf \"$dir\"'\n  sekisho parse --json -- 'git status | head' | jq '.commands[].argv'"
)]
pub struct Arguments {
    /// Print JSON: the tree, and the simple commands with their words where these are static
    #[arg(long)]
    json: bool,
    /// The language of the text
    #[arg(long, value_enum, default_value_t = Language::Auto)]
    dialect: Language,
    /// The text
    #[arg(last = true, required = true, value_name = "TEXT")]
    text: Vec<String>,
}

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Language {
    /// POSIX shell and bash
    Posix,
    /// PowerShell
    #[value(name = "powershell")]
    PowerShell,
    /// The Windows command interpreter
    Cmd,
    /// POSIX shell, unless the text says otherwise
    Auto,
}

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(arguments: &Arguments) -> io::Result<Exit> {
    let text = command_text(&arguments.text);
    if matches!(arguments.dialect, Language::PowerShell | Language::Cmd) {
        return usage("only POSIX shell and bash can be parsed so far");
    }
    let program = posix::parse(&text);
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(output, "{}", tree_json::program(&program, &text))?;
    } else {
        writeln!(output, "{}", outline(&program, &text))?;
    }
    Ok(Exit::Done)
}

/// The tree for a person: one line for the whole, then one per simple command.
fn outline(program: &Program, text: &str) -> String {
    let mut lines = vec![render::tree(program)];
    let json = tree_json::program(program, text);
    let commands = json.get("commands").and_then(Value::as_array).cloned().unwrap_or_default();
    if !commands.is_empty() {
        lines.push(String::new());
    }
    for (at, command) in commands.iter().enumerate() {
        let words: Vec<String> = command
            .get("words")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .map(|word| match word.get("value").and_then(Value::as_str) {
                Some(value) => format!("{value:?}"),
                None => format!("‹{}›", word.get("text").and_then(Value::as_str).unwrap_or_default()),
            })
            .collect();
        lines.push(format!("{:>3}  {}", at + 1, words.join(" ")));
    }
    if !commands.is_empty() {
        lines.push("\n‹…›: the value is not known before the command runs".to_owned());
    }
    lines.join("\n")
}

/// The name of a dialect.
const fn dialect(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Posix => "posix",
        Dialect::PowerShell => "powershell",
    }
}
