//! Runs other programs and says what failed.

use std::process::{Command, Stdio};

/// Runs a program with inherited output.
///
/// # Errors
/// It could not be started, or did not end with success.
pub fn run(program: &str, arguments: &[&str]) -> Result<(), String> {
    run_with(program, arguments, &[])
}

/// The same with variables added to its environment.
///
/// # Errors
/// As [`run`].
pub fn run_with(program: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    println!("$ {program} {}", arguments.join(" "));
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|error| format!("`{program}` could not be started: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{program} {}` failed ({status})", arguments.join(" "))) }
}

/// A program's output as text.
///
/// # Errors
/// It could not be started, did not end with success, or wrote something other than text.
pub fn output(program: &str, arguments: &[&str]) -> Result<String, String> {
    let result = Command::new(program)
        .args(arguments)
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("`{program}` could not be started: {error}"))?;
    if !result.status.success() {
        return Err(format!("`{program} {}` failed ({})", arguments.join(" "), result.status));
    }
    String::from_utf8(result.stdout).map_err(|_| format!("`{program}` wrote something that is not text"))
}

/// The program starts and ends with success.
pub fn succeeds(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The root of the workspace.
pub fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(std::path::Path::to_path_buf).unwrap_or_default()
}
