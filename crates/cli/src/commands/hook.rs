//! `sekisho hook AGENT`: answers one tool call on standard input in that agent's own protocol.
//!
//! Most agents let a tool run when their hook crashes, hangs or prints something unexpected. So the refusal is prepared before
//! anything is read; a panic prints it, a small thread prints it after two seconds, and only one answer is ever printed. The
//! audit record is appended before the answer.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use sekisho_agents::registry::{self, Agent};
use sekisho_agents::{Answer, Event, Rendered, payload, unreadable_call};
use sekisho_guard::message;
use sekisho_verdict::{Decision, ToolCall, Verdict, bounds};

use crate::exit::Exit;
use crate::views::{Fixed, Views};
use crate::{audit, engine};

/// Our own deadline. Agents wait ten seconds or more, so we always answer first.
const DEADLINE: Duration = Duration::from_secs(2);

/// What a wrong command line ends with: most agents refuse the call, none lets it pass because of it.
const REFUSED: u8 = 2;

/// Runs the command.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Exit {
    match parse(arguments) {
        Ok((agent, fixed)) => answer(agent, &fixed),
        Err(reason) => {
            // The exit code says it as well.
            let _ = writeln!(io::stderr(), "sekisho hook: {reason}");
            Exit::Agent(REFUSED)
        }
    }
}

/// `AGENT [--home DIR] [--settings-dir DIR] [--state-dir DIR]`
fn parse(arguments: impl Iterator<Item = OsString>) -> Result<(&'static Agent, Fixed), String> {
    let mut arguments = arguments.map(|argument| argument.into_string().map_err(|_| "an argument is not valid UTF-8".to_owned()));
    let mut agent = None;
    let mut fixed = Fixed::default();
    while let Some(argument) = arguments.next().transpose()? {
        let (name, glued) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value.to_owned())),
            _ => (argument.as_str(), None),
        };
        let place = match name {
            "--home" => &mut fixed.home,
            "--settings-dir" => &mut fixed.settings_dir,
            "--state-dir" => &mut fixed.state_dir,
            option if option.starts_with('-') => return Err(format!("there is no option `{option}`")),
            _ if agent.is_some() => return Err("exactly one agent must be named".to_owned()),
            id => {
                agent = Some(registry::find(id).ok_or_else(|| format!("there is no agent `{id}`; known: {}", known_agents()))?);
                continue;
            }
        };
        let value = match glued {
            Some(value) => value,
            None => arguments.next().transpose()?.ok_or_else(|| format!("`{name}` needs a directory"))?,
        };
        if !sekisho_host::path::is_absolute(&value) {
            return Err(format!("`{name}` needs an absolute path"));
        }
        *place = Some(value);
    }
    agent.map(|agent| (agent, fixed)).ok_or_else(|| format!("name the agent that calls; known: {}", known_agents()))
}

fn known_agents() -> String {
    registry::AGENTS.iter().map(|agent| agent.id).collect::<Vec<_>>().join(", ")
}

/// A decision in the agent's words.
fn render(agent: &Agent, decision: &Decision, call: &ToolCall) -> Rendered {
    let shape = (agent.shape)(&variable);
    if decision.verdict == Verdict::Abstain {
        return (agent.render)(Answer::NoOpinion, shape);
    }
    (agent.render)(Answer::Decided { decision, message: &message::for_agent(decision, call) }, shape)
}

fn refusal(agent: &Agent, reason: &str) -> Rendered {
    render(agent, &engine::failure(reason), &unreadable_call(agent.id))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn answer(agent: &'static Agent, fixed: &Fixed) -> Exit {
    // A panic must not reach standard error: some agents read it as the answer.
    panic::set_hook(Box::new(|_| {}));
    let answered = Arc::new(AtomicBool::new(false));
    watch(refusal(agent, engine::TOO_SLOW), Arc::clone(&answered));
    let broke = refusal(agent, engine::BROKE);
    let rendered = panic::catch_unwind(AssertUnwindSafe(|| judge(agent, fixed))).unwrap_or(broke);
    if answered.swap(true, Ordering::SeqCst) {
        // The other thread answers and ends the process; a second answer would make the first unreadable.
        loop {
            thread::park();
        }
    }
    Exit::Agent(print(&rendered))
}

/// Starts the clock. If no thread can be had, the counted budgets of the analysis are all there is.
fn watch(refusal: Rendered, answered: Arc<AtomicBool>) {
    let body = move || {
        thread::sleep(DEADLINE);
        if !answered.swap(true, Ordering::SeqCst) {
            process::exit(i32::from(print(&refusal)));
        }
    };
    // The handle is dropped: the thread ends with the process.
    let _ = thread::Builder::new().name("deadline".to_owned()).stack_size(64 * 1024).spawn(body);
}

fn judge(agent: &Agent, fixed: &Fixed) -> Rendered {
    let start = Instant::now();
    let event = match read_input() {
        Ok(bytes) => (agent.read)(&bytes, &variable),
        Err(_) => payload::malformed("standard input could not be read"),
    };
    let (call, decision, views) = match event {
        Event::Ignored => return (agent.render)(Answer::NoOpinion, (agent.shape)(&variable)),
        Event::Malformed { reason, limit } => {
            let views = Views::new(fixed);
            let decision = engine::as_failure_is_wanted(engine::unreadable(&reason, limit), &views.main.snapshot(None));
            (unreadable_call(agent.id), decision, views)
        }
        Event::Call(mut call) => {
            place(&mut call);
            let views = Views::new(fixed);
            let decision = views.judge(&call);
            (*call, decision, views)
        }
    };
    audit::append(&views, &call, &decision, start.elapsed());
    render(agent, &decision, &call)
}

/// Where an agent does not say where it works, it works where it started us.
fn place(call: &mut ToolCall) {
    if call.session_cwd.is_none() {
        call.session_cwd = std::env::current_dir().ok().and_then(|directory| directory.to_str().map(str::to_owned));
    }
    if call.cwd.is_none() {
        call.cwd.clone_from(&call.session_cwd);
    }
}

/// Standard input to its end, but never more than one byte over the bound.
fn read_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(4096);
    io::stdin().lock().take(bounds::STDIN_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Prints the answer. Where standard output is gone, standard error and exit code 2 are the last resort.
fn print(rendered: &Rendered) -> u8 {
    let mut output = io::stdout().lock();
    let printed = output.write_all(rendered.stdout.as_bytes()).and_then(|()| output.flush());
    let said = io::stderr().write_all(rendered.stderr.as_bytes());
    if printed.is_ok() && said.is_ok() {
        return rendered.exit;
    }
    let _ = writeln!(io::stderr(), "sekisho: the answer could not be written, so the call is refused");
    REFUSED
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<(&'static str, Fixed), String> {
        parse(line.split_whitespace().map(OsString::from)).map(|(agent, fixed)| (agent.id, fixed))
    }

    #[test]
    fn command_lines() {
        assert_eq!(parsed("claude-code"), Ok(("claude-code", Fixed::default())));
        let fixed = Fixed { settings_dir: Some("/s".to_owned()), state_dir: Some("/t".to_owned()), home: None };
        assert_eq!(parsed("claude-code --settings-dir /s --state-dir=/t"), Ok(("claude-code", fixed)));
        for line in ["", "claude", "claude-code codex", "--x claude-code", "claude-code --home", "claude-code --home relative"] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }

    #[test]
    fn the_prepared_refusals_are_refusals() {
        for agent in &registry::AGENTS {
            for reason in [engine::TOO_SLOW, engine::BROKE] {
                let rendered = refusal(agent, reason);
                assert!(rendered.stdout.contains("deny") || rendered.exit == REFUSED, "{}", agent.id);
            }
        }
    }
}
