//! Measurements, as ratios in one run: this kind of machine is noisy.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::process;

const RUNS: u32 = 400;

/// Measures the hook process against a static hello-world that reads its input, decisions, and the parser.
///
/// # Errors
/// Something does not build or run.
pub fn run() -> Result<(), String> {
    let root = process::root();
    let work = root.join("target/bench");
    fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let (target, kind) = static_target()?;
    let hello = build_hello(&work, &target)?;
    let hook = build_hook(&root, &target)?;
    let payload = payload(&work)?;
    let settings = work.join("settings").display().to_string();
    let state = work.join("state").display().to_string();
    let hook_words = vec!["hook", "claude-code", "--settings-dir", &settings, "--state-dir", &state];
    let programs: [(&str, &Path, Vec<&str>); 3] = [
        ("static hello-world", &hello, vec![]),
        ("/bin/true", Path::new("/bin/true"), vec![]),
        ("sekisho hook", &hook, hook_words),
    ];
    // Interleaved, so that noise meets all alike; the fastest tenth of each is what the program itself takes.
    let mut times = vec![Vec::new(); programs.len()];
    for _ in 0..RUNS {
        for ((_, program, words), times) in programs.iter().zip(&mut times) {
            times.push(time(program, words, &payload)?);
        }
    }
    let typical: Vec<Duration> = times.iter_mut().map(|times| fastest_tenth(times)).collect();
    let base = typical.first().copied().unwrap_or_default().as_secs_f64();
    println!("hook process on `git status`, {kind}, {RUNS} runs, wall time of the fastest tenth:");
    for ((name, ..), typical) in programs.iter().zip(&typical) {
        println!("  {name}: {:.0} µs, {:.2} x", typical.as_secs_f64() * 1e6, typical.as_secs_f64() / base);
    }
    process::run("cargo", &["run", "--quiet", "--release", "--package", "sekisho-benches", "--", "cases"])
}

/// musl where its standard library is installed, else the host with a static C library.
fn static_target() -> Result<(String, &'static str), String> {
    let sysroot = process::output("rustc", &["--print", "sysroot"])?;
    let musl = "x86_64-unknown-linux-musl";
    if Path::new(sysroot.trim()).join("lib/rustlib").join(musl).exists() {
        return Ok((musl.to_owned(), "static musl"));
    }
    let version = process::output("rustc", &["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
    Ok((host.to_owned(), "static glibc (the musl target is not installed)"))
}

const STATIC_FLAGS: &str = "-C target-feature=+crt-static -C relocation-model=static -C target-cpu=x86-64-v2";

fn build_hello(work: &Path, target: &str) -> Result<std::path::PathBuf, String> {
    let source = work.join("hello.rs");
    let text = "fn main() { let mut text = String::new(); let _ = std::io::Read::read_to_string(&mut std::io::stdin(), &mut text); \
                println!(\"{}\", text.len()); }";
    fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
    let output = work.join("hello");
    let (source, output_text) = (source.display().to_string(), output.display().to_string());
    let mut words = vec!["-O", "--target", target, "-o", &output_text, &source];
    words.extend(STATIC_FLAGS.split(' '));
    process::run("rustc", &words)?;
    Ok(output)
}

fn build_hook(root: &Path, target: &str) -> Result<std::path::PathBuf, String> {
    process::run_with(
        "cargo",
        &[
            "build",
            "--quiet",
            "--release",
            "--package",
            "sekisho",
            "--no-default-features",
            "--target",
            target,
            "--target-dir",
            "target/bench-build",
        ],
        &[("RUSTFLAGS", STATIC_FLAGS)],
    )?;
    Ok(root.join("target/bench-build").join(target).join("release/sekisho"))
}

fn payload(work: &Path) -> Result<Vec<u8>, String> {
    let project = work.join("project");
    fs::create_dir_all(project.join(".git/refs/heads")).map_err(|error| error.to_string())?;
    fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n").map_err(|error| error.to_string())?;
    let call = serde_json::json!({
        "session_id": "bench", "cwd": project.display().to_string(), "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": {"command": "git status"}, "tool_use_id": "toolu_bench"
    });
    Ok(call.to_string().into_bytes())
}

fn time(program: &Path, words: &[&str], input: &[u8]) -> Result<Duration, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", program.display());
    let start = Instant::now();
    let mut child = Command::new(program).args(words).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input closes the pipe; that is no failure here.
        let _ = stdin.write_all(input);
    }
    child.wait().map_err(failed)?;
    Ok(start.elapsed())
}

fn fastest_tenth(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    let count = (times.len() / 10).max(1);
    times.iter().take(count).sum::<Duration>() / u32::try_from(count).unwrap_or(1)
}
