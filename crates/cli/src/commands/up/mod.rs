//! `sekisho up`: plays a recorded agent session through the real hook and prints each decision.
//!
//! Every call goes through a process of its own, as an agent would start it, in a home directory made for the purpose. Nothing
//! of the session is run and nothing of yours is touched.

mod scratch;

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anstream::stdout;
use sekisho_agents::claude_code;
use sekisho_agents::install::{Said, Sample};
use sekisho_agents::registry::Agent;
use sekisho_verdict::redaction::for_terminal;
use serde::Deserialize;
use serde_json::Value;

use crate::exit::Exit;
use crate::terminal::{BOLD, CYAN, DIM, GREEN, RED, RESET, YELLOW, shorten, wrap};
use scratch::Scratch;

/// The recorded session: one call a line.
const SESSION: &str = include_str!("session.jsonl");

const AGENT: Agent = claude_code::AGENT;

/// One call of the session.
#[derive(Debug, Deserialize)]
struct Step {
    /// What the agent has in mind.
    say: String,
    /// The tool.
    tool: String,
    /// Its arguments; `{home}` and `{project}` stand for the directories made for the session.
    input: Value,
}

/// Runs the command.
///
/// # Errors
/// A directory for the session cannot be made, or standard output cannot be written.
pub fn run() -> io::Result<Exit> {
    let scratch = Scratch::new()?;
    let mut output = stdout().lock();
    writeln!(output, "{BOLD}An agent at work, with sekisho in front of it{RESET}")?;
    writeln!(output, "{DIM}A recorded Claude Code session. Each call goes through the real hook; nothing of it is run.{RESET}\n")?;
    let mut tally = Tally::default();
    for (number, line) in SESSION.lines().enumerate() {
        let step: Step = serde_json::from_str(line)?;
        let (said, took) = ask(&step, &scratch)?;
        tally.count(said.as_ref(), took);
        show(&mut output, number + 1, &step, said.as_ref(), &scratch)?;
    }
    closing(&mut output, &tally)?;
    Ok(Exit::Done)
}

/// What came out of the session.
#[derive(Debug, Default)]
struct Tally {
    calls: usize,
    denied: usize,
    asked: usize,
    slowest: Duration,
    all: Duration,
}

impl Tally {
    fn count(&mut self, said: Option<&Said>, took: Duration) {
        self.calls += 1;
        match said.map(|said| said.word.as_str()) {
            Some("deny") => self.denied += 1,
            Some("ask") => self.asked += 1,
            _ => {}
        }
        self.slowest = self.slowest.max(took);
        self.all += took;
    }
}

/// Runs the hook for one call, as the agent would.
fn ask(step: &Step, scratch: &Scratch) -> io::Result<(Option<Said>, Duration)> {
    let input = filled(&step.input, scratch);
    let project = scratch.project();
    let event = (AGENT.registration.event_of)(&Sample { session: "sekisho-up", cwd: &project, tool: &step.tool, input: &input });
    let home = scratch.home();
    let start = Instant::now();
    let mut child = Command::new(std::env::current_exe()?)
        .args(["hook", AGENT.id, "--home", &home])
        .current_dir(&project)
        .env("HOME", &home)
        .env("USERPROFILE", &home)
        .env_remove("SEKISHO_HOME")
        .env_remove("SEKISHO_STATE_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_STATE_HOME")
        .env_remove("CLAUDE_PROJECT_DIR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        pipe.write_all(event.as_bytes())?;
    }
    let answer = child.wait_with_output()?;
    let took = start.elapsed();
    Ok(((AGENT.registration.said)(&String::from_utf8_lossy(&answer.stdout), answer.status.code()), took))
}

/// `{home}` and `{project}` in the arguments replaced.
fn filled(input: &Value, scratch: &Scratch) -> Value {
    let Some(entries) = input.as_object() else { return input.clone() };
    let fill = |text: &str| text.replace("{home}", &scratch.home()).replace("{project}", &scratch.project());
    entries
        .iter()
        .map(|(key, value)| (key.clone(), value.as_str().map_or_else(|| value.clone(), |text| fill(text).into())))
        .collect()
}

fn show(output: &mut impl Write, number: usize, step: &Step, said: Option<&Said>, scratch: &Scratch) -> io::Result<()> {
    let (colour, word) = match said.map(|said| said.word.as_str()) {
        Some("deny") => (RED, "DENY"),
        Some("ask") => (YELLOW, "ASK"),
        Some(_) => (GREEN, "ALLOW"),
        None => (GREEN, "pass"),
    };
    writeln!(output, "{DIM}{number:>2}  {}{RESET}", step.say)?;
    writeln!(output, "    {colour}{BOLD}{word:<5}{RESET} {}", for_terminal(&shorten(&call_text(step), 88)))?;
    if let Some(said) = said {
        let (reason, rule) = told(&said.reason);
        let reason = reason.replace(&scratch.project(), "…/shop").replace(&scratch.home(), "~");
        for line in wrap(&reason, 84) {
            writeln!(output, "          {}", for_terminal(&line))?;
        }
        if let Some(rule) = rule {
            writeln!(output, "          {CYAN}{}{RESET}", for_terminal(&rule))?;
        }
    }
    writeln!(output)
}

/// The call in one line: a command as it is, other tools with their main argument.
fn call_text(step: &Step) -> String {
    let text = |key: &str| step.input.get(key).and_then(Value::as_str);
    if let Some(command) = text("command") {
        return format!("$ {command}");
    }
    let argument = ["file_path", "pattern", "sql"].iter().find_map(|key| text(key)).unwrap_or_default();
    let argument = argument.replace("{project}/", "").replace("{home}", "~");
    format!("{} {argument}", step.tool)
}

/// The reason and the rule in a message for an agent, whose blocks name themselves.
fn told(message: &str) -> (String, Option<String>) {
    let mut reason = None;
    let mut instead = None;
    let mut rule = None;
    for block in message.split(" · ") {
        match block.split_once(": ") {
            Some(("Reason", text)) => reason = Some(text.to_owned()),
            Some(("Instead", text)) => instead = Some(text.to_owned()),
            Some(("Rule", text)) => rule = Some(text.to_owned()),
            _ => {}
        }
    }
    let reason = reason.unwrap_or_else(|| message.to_owned());
    (instead.map_or(reason.clone(), |instead| format!("{reason}\nInstead: {instead}")), rule)
}

fn closing(output: &mut impl Write, tally: &Tally) -> io::Result<()> {
    let passed = tally.calls - tally.denied - tally.asked;
    let calls = u32::try_from(tally.calls).unwrap_or(u32::MAX).max(1);
    writeln!(
        output,
        "{BOLD}{} calls{RESET}: {GREEN}{passed} passed{RESET} to the agent's own rules, {YELLOW}{} asked{RESET}, {RED}{} denied{RESET} with a reason the agent can act on.",
        tally.calls, tally.asked, tally.denied
    )?;
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    writeln!(
        output,
        "{DIM}One process per call: {:.1} ms on average, {:.1} ms at most, no network, no daemon.{RESET}\n",
        milliseconds(tally.all / calls),
        milliseconds(tally.slowest)
    )?;
    writeln!(output, "Put it in front of your agent:   {BOLD}sekisho install claude-code{RESET}")?;
    writeln!(output, "Ask about a command of your own: {BOLD}sekisho check -- 'rm -rf ~/old'{RESET}")?;
    writeln!(output, "See how a decision comes about:  {BOLD}sekisho explain -- 'git push -f'{RESET}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_session_can_be_read() {
        let steps: Vec<Step> = SESSION.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(steps.len() >= 14);
        assert!(steps.iter().all(|step| !step.say.is_empty() && step.input.is_object()));
    }

    #[test]
    fn the_reason_is_taken_out_of_a_message() {
        let (reason, rule) =
            told("BLOCKED by sekisho · Reason: it is gone · Instead: git stash · Rule: git.reset-hard · Command: x");
        assert_eq!((reason.as_str(), rule.as_deref()), ("it is gone\nInstead: git stash", Some("git.reset-hard")));
        assert_eq!(told("plain"), ("plain".to_owned(), None));
    }
}
