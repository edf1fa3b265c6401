//! Decision time and parser throughput over the commands of the cases. `cargo xtask bench` runs it in release.

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use sekisho_guard::{Context, Places, decide};
use sekisho_host::in_memory::World;
use sekisho_policy::Snapshot;
use sekisho_shell_syntax::posix;
use sekisho_verdict::ToolCall;

const ROUNDS: u32 = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "cases".to_owned());
    let mut commands = Vec::new();
    for file in ["agent-stream-labelled.jsonl", "guard.jsonl"] {
        for line in std::fs::read_to_string(format!("{folder}/{file}"))?.lines() {
            let row: serde_json::Value = serde_json::from_str(line)?;
            commands.extend(row.get("command").and_then(serde_json::Value::as_str).map(str::to_owned));
        }
    }
    decisions(&commands);
    parser(&commands);
    Ok(())
}

fn decisions(commands: &[String]) {
    let world = World::linux("/home/dev", "/home/dev/app");
    let snapshot = Snapshot::default();
    let places = Places::below_home("/home/dev");
    let context = Context { host: &world, workspace: "/home/dev/app", cwd: "/home/dev/app", snapshot: &snapshot, places: &places };
    let mut best: Vec<Duration> = commands
        .iter()
        .map(|command| {
            let call = ToolCall::shell(command);
            let time = || {
                let start = Instant::now();
                black_box(decide(black_box(&call), &context));
                start.elapsed()
            };
            (0..ROUNDS).map(|_| time()).min().unwrap_or_default()
        })
        .collect();
    best.sort_unstable();
    let at = |share: f64| best.get(((best.len() as f64 - 1.0) * share) as usize).copied().unwrap_or_default();
    println!(
        "decision: median {:.1} µs, p90 {:.1} µs, p99 {:.1} µs, slowest {:.1} µs ({} commands, best of {ROUNDS})",
        micros(at(0.5)),
        micros(at(0.9)),
        micros(at(0.99)),
        micros(at(1.0)),
        best.len()
    );
}

fn parser(commands: &[String]) {
    let bytes: usize = commands.iter().map(String::len).sum();
    let time = || {
        let start = Instant::now();
        for command in commands {
            black_box(posix::parse(black_box(command)));
        }
        start.elapsed()
    };
    let best = (0..ROUNDS).map(|_| time()).min().unwrap_or_default();
    println!(
        "parser: {:.0} MB/s, {:.2} µs a command ({} bytes on average)",
        bytes as f64 / best.as_secs_f64() / 1e6,
        micros(best) / commands.len() as f64,
        bytes / commands.len().max(1)
    );
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}
