//! `sekisho`: the checkpoint every tool call of a coding agent passes before it runs.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use sekisho::commands;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    // The hook answers thousands of times a day: it does not build a command line parser.
    if arguments.next().is_some_and(|first| first == "hook") {
        return commands::hook::run(arguments).into();
    }
    commands::run().into()
}
