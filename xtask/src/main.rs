//! Development commands: `cargo xtask test | arrows | fuzz | end-to-end | docs | bench`.
//!
//! `test` is what the README gives and what continuous integration runs. It installs what it needs and leaves nothing running.

mod arrows;
mod bench;
mod docs;
mod end_to_end;
mod fuzz;
mod process;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask <command>

  test          everything: format, lints, arrows, tests, fuzzing (two minutes a target), the real client
  test --quick  the same without fuzzing and without the real client
  arrows        check that crates depend on each other in one direction
  fuzz [S]      run every fuzz target for S seconds (120)
  end-to-end    run the real Claude Code client against a local mock model
  docs          write docs/rules.md from the rule files
  bench         measure the hook process, decisions and the parser, as ratios";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => test(false),
        ["test", "--quick"] => test(true),
        ["arrows"] => arrows::check(),
        ["fuzz"] => fuzz::run(120, None),
        ["fuzz", seconds] => seconds
            .parse()
            .map_err(|_| format!("`{seconds}` is not a number of seconds"))
            .and_then(|seconds| fuzz::run(seconds, None)),
        ["end-to-end"] => end_to_end::run(),
        ["bench"] => bench::run(),
        ["docs"] => docs::write(),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(64);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Everything that must hold, cheapest first.
fn test(quick: bool) -> Result<(), String> {
    let cargo = |arguments: &[&str]| process::run("cargo", arguments);
    cargo(&["fmt", "--all", "--", "--check"])?;
    arrows::check()?;
    docs::check()?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    cargo(&["test", "--workspace", "--quiet"])?;
    if process::succeeds("cargo", &["deny", "--version"]) {
        cargo(&["deny", "--offline", "check", "licenses", "bans", "sources"])?;
    } else {
        println!("skipped: cargo deny is not installed, so licences and sources were not checked");
    }
    if quick {
        return Ok(());
    }
    end_to_end::run()?;
    // A change must not fail for what chance found elsewhere; longer runs with other seeds are made by hand.
    fuzz::run(120, Some(1))
}
