//! The commands, one file each, and the command line that leads to them.

pub mod check;
pub mod doctor;
pub mod explain;
pub mod hook;
pub mod install;
pub mod log;
pub mod parse;
pub mod uninstall;
pub mod up;
pub mod version;

use clap::{Parser, Subcommand};

use crate::exit::Exit;
use crate::views::Fixed;

/// The checkpoint every tool call of a coding agent passes before it runs.
#[derive(Debug, Parser)]
#[command(
    name = "sekisho",
    version,
    after_help = "Start with:\n  sekisho up                       see what it does, without changing anything\n  sekisho install claude-code      put it in front of Claude Code\n  sekisho check -- 'rm -rf ~/'     ask about one command",
    propagate_version = true
)]
struct Line {
    #[command(flatten)]
    fixed: Fixed,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play a recorded agent session through the real hook and print each decision
    Up,
    /// Answer one tool call on standard input, in an agent's own protocol
    ///
    /// Agents run this; `sekisho install` registers it.
    Hook {
        /// The agent that calls
        agent: String,
    },
    /// Decide about one command, or about a stream of calls
    Check(check::Arguments),
    /// Show how a decision comes about: words, effects, stages, verdict
    Explain(explain::Arguments),
    /// Show how a shell text is read
    Parse(parse::Arguments),
    /// Put sekisho in front of an agent
    Install(install::Arguments),
    /// Take sekisho out of an agent's settings
    Uninstall(uninstall::Arguments),
    /// Check that agents really ask sekisho
    Doctor(doctor::Arguments),
    /// Look at what was decided
    Log(log::Arguments),
    /// Print the version
    Version(version::Arguments),
}

/// Reads the command line and runs the command.
pub fn run() -> Exit {
    let line = match Line::try_parse() {
        Ok(line) => line,
        Err(error) => {
            let is_help = !error.use_stderr();
            // Nothing can be done about a message that cannot be printed.
            let _ = error.print();
            return if is_help { Exit::Done } else { Exit::Usage };
        }
    };
    let fixed = &line.fixed;
    Exit::of_output(match line.command {
        Command::Up => up::run(),
        // `main` takes hook calls before this; what comes here has options in front of `hook`.
        Command::Hook { .. } => {
            let _ = std::io::Write::write_all(
                &mut std::io::stderr(),
                b"sekisho: write the options behind the agent: sekisho hook AGENT --home DIR\n",
            );
            return Exit::Agent(2);
        }
        Command::Check(arguments) => check::run(&arguments, fixed),
        Command::Explain(arguments) => explain::run(&arguments, fixed),
        Command::Parse(arguments) => parse::run(&arguments),
        Command::Install(arguments) => install::run(&arguments, fixed),
        Command::Uninstall(arguments) => uninstall::run(&arguments, fixed),
        Command::Doctor(arguments) => doctor::run(&arguments, fixed),
        Command::Log(arguments) => log::run(&arguments, fixed),
        Command::Version(arguments) => version::run(&arguments),
    })
}

/// The shell text a person typed behind `--`: one argument as it stands, several joined and quoted as a shell needs it.
pub fn command_text(words: &[String]) -> String {
    match words {
        [text] => text.clone(),
        _ => words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
    }
}

fn quoted(word: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "_-./=:,@%+~".contains(character);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Line::command().debug_assert();
    }

    #[test]
    fn words_are_joined_as_a_shell_needs_it() {
        for (words, text) in [
            (&["rm -rf \"$HOME\""][..], "rm -rf \"$HOME\""),
            (&["rm", "-rf", "a b"], "rm -rf 'a b'"),
            (&["echo", "it's", ""], "echo 'it'\\''s' ''"),
        ] {
            let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(command_text(&words), text);
        }
    }
}
