//! `sekisho doctor`: do the agents really ask us?
//!
//! A registration can look right and do nothing: a program that moved, a switch that turns all hooks off, a shell that eats the
//! path. So besides looking, the exact registered command is run with a call that must be refused.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anstream::stdout;
use sekisho_agents::hook_settings::Found;
use sekisho_agents::install::{Sample, inspect};
use sekisho_agents::registry::{self, Agent};
use sekisho_host::Host;
use sekisho_verdict::ConfigState;
use serde::Serialize;
use serde_json::json;

use super::install::{settings_home, user_file};
use crate::exit::Exit;
use crate::terminal::{BOLD, DIM, GREEN, RED, RESET, YELLOW, wrap};
use crate::views::{Fixed, Views};

/// How long the probe may take.
const PATIENCE: Duration = Duration::from_secs(8);

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(after_help = "Ends with 1 when something is wrong that leaves calls unjudged.")]
pub struct Arguments {
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Severity {
    Info,
    Warning,
    Error,
}

/// One thing a person should know.
#[derive(Debug, Clone, Serialize)]
struct Finding {
    check_id: &'static str,
    severity: Severity,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix_hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    integration: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

/// What was found out about one agent.
#[derive(Debug, Clone, Serialize)]
struct Hook {
    agent: &'static str,
    title: &'static str,
    detected: bool,
    configured: bool,
    config_path: String,
    /// The entry names directories of its own, so the environment is not what counts.
    #[serde(skip)]
    fixed: bool,
    probe: Probe,
}

/// How the registered command answered the call that must be refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Probe {
    Refused,
    NotRefused,
    NotRun,
}

/// Collects findings.
#[derive(Default)]
struct Report {
    findings: Vec<Finding>,
}

impl Report {
    fn add(&mut self, check_id: &'static str, severity: Severity, title: String) -> &mut Finding {
        self.findings.push(Finding { check_id, severity, title, fix_hint: None, integration: None, path: None });
        let last = self.findings.len() - 1;
        // INVARIANT: one was pushed just now.
        #[expect(clippy::indexing_slicing, reason = "one was pushed just now")]
        &mut self.findings[last]
    }
}

impl Finding {
    fn of(&mut self, agent: &Agent, path: &Path) -> &mut Self {
        self.integration = Some(agent.id);
        self.path = Some(path.to_string_lossy().into_owned());
        self
    }

    fn fix(&mut self, hint: impl Into<String>) {
        self.fix_hint = Some(hint.into());
    }
}

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(arguments: &Arguments, fixed: &Fixed) -> io::Result<Exit> {
    let views = Views::new(fixed);
    let home = PathBuf::from(settings_home(fixed, &views));
    let here = std::env::current_dir().unwrap_or_default();
    let mut report = Report::default();
    let hooks: Vec<Hook> = registry::AGENTS.iter().map(|agent| examine(agent, &home, &here, &mut report)).collect();
    if !hooks.iter().any(|hook| hook.configured) {
        report.add("no-agent-asks", Severity::Error, "no agent asks sekisho".to_owned()).fix("sekisho install claude-code");
    }
    let fixed_at_install = hooks.iter().any(|hook| hook.fixed);
    settings(&views, &here, fixed_at_install, &mut report);
    if arguments.json {
        let version = env!("CARGO_PKG_VERSION");
        let system = json!({"os": std::env::consts::OS, "architecture": std::env::consts::ARCH});
        let places = json!({"settings": views.main.places.settings, "state": views.main.places.state});
        let document = json!({"version": version, "system": system, "places": places, "hooks": hooks, "findings": report.findings});
        writeln!(io::stdout().lock(), "{document}")?;
    } else {
        tell(&hooks, &report.findings)?;
    }
    let failed = report.findings.iter().any(|finding| finding.severity == Severity::Error);
    Ok(if failed { Exit::Failed } else { Exit::Done })
}

fn examine(agent: &Agent, home: &Path, here: &Path, report: &mut Report) -> Hook {
    let registration = agent.registration;
    let user = user_file(agent, home);
    let mut files = vec![(user.clone(), true)];
    files.extend(registration.project_files.iter().map(|file| (here.join(file), false)).filter(|(file, _)| *file != user));
    let mut found: Option<(PathBuf, Found)> = None;
    let mut any = false;
    for (file, is_users) in files {
        match inspect(registration, &file) {
            Ok(inspection) => {
                if inspection.switched_off {
                    let key = registration.off_switch.unwrap_or_default();
                    let finding = report.add(
                        "hooks-switched-off",
                        Severity::Error,
                        format!("`{key}` switches all hooks of {} off", agent.title),
                    );
                    finding.of(agent, &file).fix(format!("take `{key}` out of the file"));
                }
                let entries = inspection.entries.into_iter().filter(|entry| entry.event == registration.event);
                for entry in entries {
                    any = true;
                    entry_findings(agent, &file, &entry, report);
                    found = found.or_else(|| Some((file.clone(), entry)));
                }
            }
            Err(failure) => {
                let severity = if is_users { Severity::Error } else { Severity::Warning };
                report.add("settings-unreadable", severity, failure.to_string()).of(agent, &file);
            }
        }
    }
    let detected = any || home.join(registration.sign_of_use).is_dir();
    if detected && !any {
        let finding = report.add("not-registered", Severity::Error, format!("{} is in use and does not ask sekisho", agent.title));
        finding.of(agent, &user).fix(format!("sekisho install {}", agent.id));
    }
    let probe = match &found {
        Some((file, entry)) => probe(agent, file, entry, report),
        None => Probe::NotRun,
    };
    Hook {
        agent: agent.id,
        title: agent.title,
        detected,
        configured: any,
        fixed: found.as_ref().is_some_and(|(_, entry)| entry.arguments.as_ref().is_some_and(|arguments| arguments.len() > 2)),
        config_path: found.map_or(user, |(file, _)| file).to_string_lossy().into_owned(),
        probe,
    }
}

/// What is wrong with an entry as it is written.
fn entry_findings(agent: &Agent, file: &Path, entry: &Found, report: &mut Report) {
    let again = format!("sekisho install {}", agent.id);
    if !entry.matches_everything() {
        let matcher = entry.matcher.as_deref().unwrap_or_default();
        report
            .add("narrow-matcher", Severity::Warning, format!("sekisho is asked only about tools that match `{matcher}`"))
            .of(agent, file)
            .fix(again.clone());
    }
    if entry.asynchronous {
        report
            .add("not-waited-for", Severity::Error, format!("{} does not wait for the answer", agent.title))
            .of(agent, file)
            .fix(again.clone());
    }
    let program = PathBuf::from(entry.command_line().first().cloned().unwrap_or_default());
    if entry.arguments.is_some() && program.is_absolute() && !program.is_file() {
        report
            .add("program-missing", Severity::Error, format!("the registered program `{}` does not exist", program.display()))
            .of(agent, file)
            .fix(again);
    }
}

/// Runs the registered command with a call that must be refused.
fn probe(agent: &Agent, file: &Path, entry: &Found, report: &mut Report) -> Probe {
    let cwd = std::env::temp_dir();
    let input = json!({"command": "git reset --hard"});
    let sample = Sample { session: "sekisho-doctor", cwd: &cwd.to_string_lossy(), tool: "Bash", input: &input };
    let event = (agent.registration.event_of)(&sample);
    let answer = run_registered(entry, &event);
    let said = answer.as_ref().ok().and_then(|(output, exit)| (agent.registration.said)(output, *exit));
    if said.is_some_and(|said| said.word == "deny") {
        return Probe::Refused;
    }
    let what = match answer {
        Ok((_, exit)) => {
            format!("it answered something else (exit code {})", exit.map_or("none".to_owned(), |exit| exit.to_string()))
        }
        Err(error) => error.to_string(),
    };
    let finding =
        report.add("probe-failed", Severity::Error, format!("the registered command does not refuse `git reset --hard`: {what}"));
    finding
        .of(agent, file)
        .fix(format!("sekisho install {}; if the rule is switched off in your policy, this is expected", agent.id));
    Probe::NotRefused
}

/// Runs the command as the agent would: without a shell where the arguments stand apart, else through one.
fn run_registered(entry: &Found, event: &str) -> io::Result<(String, Option<i32>)> {
    let mut command = match &entry.arguments {
        Some(arguments) => {
            let mut command = Command::new(&entry.command);
            command.args(arguments);
            command
        }
        None if cfg!(windows) => {
            let mut command = Command::new("cmd");
            command.args(["/C", &entry.command]);
            command
        }
        None => {
            let mut command = Command::new("/bin/sh");
            command.args(["-c", &entry.command]);
            command
        }
    };
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // A command that does not read its input is judged by what it prints.
        let _ = input.write_all(event.as_bytes());
    }
    wait(child)
}

fn wait(mut child: Child) -> io::Result<(String, Option<i32>)> {
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Err(io::Error::new(io::ErrorKind::TimedOut, "it does not answer"));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut output = String::new();
    if let Some(mut stream) = child.stdout.take() {
        stream.read_to_string(&mut output)?;
    }
    Ok((output, status.code()))
}

fn settings(views: &Views, here: &Path, fixed_at_install: bool, report: &mut Report) {
    let snapshot = views.main.snapshot(here.to_str());
    if snapshot.state() == ConfigState::Degraded {
        let warning = snapshot.warning().unwrap_or_else(|| "the policy could not be read as written".to_owned());
        report.add("policy-degraded", Severity::Warning, warning).path = Some(views.main.places.settings.clone());
    }
    for rule in snapshot.unknown_overrides(|id| sekisho_guard::rules::find(id).is_some() || id.starts_with("custom.")) {
        report.add("unknown-rule", Severity::Warning, format!("the policy switches the rule `{rule}`, which does not exist"));
    }
    if let Some(view) = views.environment.as_ref().filter(|_| !fixed_at_install) {
        let title = format!(
            "the environment names another home, settings or state directory (home `{}`, settings `{}`); it is used only where it is stricter",
            view.host.home(),
            view.places.settings
        );
        report.add("environment-differs", Severity::Info, title).fix("run `sekisho install` in this shell to make it count");
    }
}

fn tell(hooks: &[Hook], findings: &[Finding]) -> io::Result<()> {
    let mut output = stdout().lock();
    for hook in hooks {
        let (mark, state) = match (hook.configured, hook.probe, hook.detected) {
            (true, Probe::Refused, _) => (format!("{GREEN}✓{RESET}"), "asks sekisho; a test call was refused"),
            (true, _, _) => (format!("{RED}✗{RESET}"), "is registered, but a test call was not refused"),
            (false, _, true) => (format!("{RED}✗{RESET}"), "does not ask sekisho"),
            (false, _, false) => (format!("{DIM}-{RESET}"), "not found here"),
        };
        writeln!(output, "{mark} {BOLD}{}{RESET}  {state}", hook.title)?;
        writeln!(output, "  {DIM}{}{RESET}", hook.config_path)?;
    }
    for finding in findings {
        let (colour, word) = match finding.severity {
            Severity::Info => (DIM, "note"),
            Severity::Warning => (YELLOW, "warning"),
            Severity::Error => (RED, "error"),
        };
        writeln!(output)?;
        for (at, line) in wrap(&finding.title, 90).iter().enumerate() {
            writeln!(output, "{colour}{:<8}{RESET}{line}", if at == 0 { word } else { "" })?;
        }
        if let Some(path) = &finding.path {
            writeln!(output, "        {DIM}{path}{RESET}")?;
        }
        if let Some(hint) = &finding.fix_hint {
            writeln!(output, "        {BOLD}→ {hint}{RESET}")?;
        }
    }
    if findings.is_empty() {
        writeln!(output, "\nEverything is in order.")?;
    }
    Ok(())
}
