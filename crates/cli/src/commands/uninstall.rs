//! `sekisho uninstall AGENT…`: takes our registration out of an agent's settings, and nothing else.

use std::io;

use sekisho_agents::install::plan_uninstall;

use super::install::{TargetArguments, each};
use crate::exit::Exit;
use crate::views::Fixed;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    target: TargetArguments,
}

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(arguments: &Arguments, fixed: &Fixed) -> io::Result<Exit> {
    each(&arguments.target, fixed, "removed", |agent, file| plan_uninstall(file, agent.id))
}
