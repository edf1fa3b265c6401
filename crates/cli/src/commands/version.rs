//! `sekisho version`

use std::io::{self, Write};

use crate::exit::Exit;

/// The arguments.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(arguments: &Arguments) -> io::Result<Exit> {
    let version = env!("CARGO_PKG_VERSION");
    let mut output = io::stdout().lock();
    if arguments.json {
        writeln!(
            output,
            "{}",
            serde_json::json!({"name": "sekisho", "version": version, "os": std::env::consts::OS, "architecture": std::env::consts::ARCH})
        )?;
    } else {
        writeln!(output, "sekisho {version}")?;
    }
    Ok(Exit::Done)
}
