//! Runs the fuzz targets on the stable toolchain: the coverage pass of LLVM without a sanitizer.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::process;

const TARGETS: &[&str] = &["parse_posix", "decide_command", "hook_input"];

const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

/// Runs every target for `seconds`, all at once. With a seed, the same build meets the same inputs in the same order.
///
/// # Errors
/// A target does not build, or finds something.
pub fn run(seconds: u32, seed: Option<u32>) -> Result<(), String> {
    let root = process::root();
    let host = host_triple()?;
    process::run_with(
        "cargo",
        &["build", "--quiet", "--release", "--manifest-path", "fuzz/Cargo.toml", "--target", &host, "--bins"],
        &[("RUSTFLAGS", FLAGS)],
    )?;
    let mut running = Vec::new();
    for target in TARGETS {
        let corpus = root.join("target/fuzz-corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        fill(&root, target, &corpus)?;
        running.push((target, start(&root, &host, target, &corpus, seconds, seed)?));
    }
    println!("fuzzing {} for {seconds} s", TARGETS.join(", "));
    let mut failed = Vec::new();
    for (target, mut child) in running {
        let status = child.wait().map_err(|error| format!("{target}: {error}"))?;
        if !status.success() {
            let log = fs::read(log_file(&root, target)).unwrap_or_default();
            let log = String::from_utf8_lossy(&log);
            let tail: Vec<_> = log.lines().rev().take(60).collect();
            eprintln!("--- {target}\n{}", tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
            failed.push(*target);
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("fuzzing found something in {}", failed.join(", "))) }
}

/// Starts a target; what it says goes to a file, and is shown only if it finds something.
fn start(root: &Path, host: &str, target: &str, corpus: &Path, seconds: u32, seed: Option<u32>) -> Result<Child, String> {
    let program = root.join("fuzz/target").join(host).join("release").join(target);
    let log = fs::File::create(log_file(root, target)).map_err(|error| error.to_string())?;
    Command::new(&program)
        .arg(corpus)
        .arg(format!("-max_total_time={seconds}"))
        .args(seed.map(|seed| format!("-seed={seed}")))
        .args(["-timeout=60", "-rss_limit_mb=2048", "-max_len=4096"])
        .arg(format!("-artifact_prefix={}/", root.join("target").display()))
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))
}

fn log_file(root: &Path, target: &str) -> std::path::PathBuf {
    root.join("target").join(format!("fuzz-{target}.log"))
}

/// Starts each target from the commands and payloads of the cases.
fn fill(root: &Path, target: &str, corpus: &Path) -> Result<(), String> {
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
