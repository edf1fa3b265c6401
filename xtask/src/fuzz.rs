//! Runs the fuzz targets on the stable toolchain: the coverage pass of LLVM without a sanitizer.

use std::fs;
use std::path::Path;

use crate::process;

const TARGETS: &[&str] = &["parse_posix", "decide_command", "hook_input"];

const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Runs every target for `seconds`, all at once: each has one core's worth of time on average.
///
/// # Errors
/// A target does not build, or finds something.
pub fn run(seconds: u32) -> Result<(), String> {
    let root = process::root();
    let host = host_triple()?;
    process::run_with(
        "cargo",
        &["build", "--quiet", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", &host, "--bins"],
        &[("RUSTFLAGS", FLAGS)],
    )?;
    for target in TARGETS {
        let corpus = root.join("target/fuzz-corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        seed(&root, target, &corpus)?;
        let program = root.join("fuzz/target").join(&host).join("release").join(target);
        let artifacts = format!("-artifact_prefix={}/", root.join("target").display());
        process::run(
            &program.display().to_string(),
            &[
                &corpus.display().to_string(),
                &format!("-max_total_time={seconds}"),
                "-timeout=10",
                "-rss_limit_mb=2048",
                "-max_len=4096",
                "-print_final_stats=0",
                "-verbosity=0",
                &artifacts,
            ],
        )?;
    }
    Ok(())
}

/// Starts each target from the commands and payloads of the cases.
fn seed(root: &Path, target: &str, corpus: &Path) -> Result<(), String> {
    let cases = root.join("cases/guard.jsonl");
    let text = fs::read_to_string(&cases).map_err(|error| format!("{}: {error}", cases.display()))?;
    for (index, line) in text.lines().enumerate() {
        let Ok(row) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let Some(command) = row.get("command").and_then(serde_json::Value::as_str) else { continue };
        let seed = if target == "hook_input" {
            serde_json::json!({"hook_event_name": "PreToolUse", "cwd": "/home/dev/app", "tool_name": "Bash",
                "tool_input": {"command": command}})
            .to_string()
        } else {
            command.to_owned()
        };
        fs::write(corpus.join(format!("case-{index}")), seed).map_err(|error| format!("{}: {error}", corpus.display()))?;
    }
    Ok(())
}

fn host_triple() -> Result<String, String> {
    let version = process::output("rustc", &["-vV"])?;
    version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or_else(|| "rustc does not say which host it runs on".to_owned())
}
