//! `sekisho check`: one decision for a person, or one per line of JSON for a program.

use std::io::{self, BufRead, Write};

use anstream::stdout;
use sekisho_agents::registry;
use sekisho_agents::unreadable_call;
use sekisho_host::path;
use sekisho_verdict::redaction::{for_terminal, redact};
use sekisho_verdict::{Decision, Json, ToolCall, Verdict};
use serde_json::Value;

use crate::exit::Exit;
use crate::terminal::{BOLD, CYAN, DIM, RESET, colour, wrap};
use crate::views::{Fixed, Views};
use crate::{batch, commands, output};

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  sekisho check -- git reset --hard\n  sekisho check --tool Read --input '{\"file_path\": \"/home/me/.ssh/id_rsa\"}'\n  sekisho check --batch < calls.jsonl\n\nExit codes: 0 may run or no opinion, 3 a person is asked, 2 denied, 64 wrong usage"
)]
pub struct Arguments {
    #[command(flatten)]
    call: CallArguments,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    /// Read calls as JSON lines from standard input and print one answer per line
    #[arg(long, conflicts_with_all = ["tool", "input", "cwd", "command"])]
    batch: bool,
    /// Where batch calls take place: a world made of each row's `fixture`, or this machine
    #[arg(long, value_enum, default_value_t = HostKind::Memory, requires = "batch")]
    host: HostKind,
}

/// A call as a person describes it.
#[derive(Debug, clap::Args)]
pub struct CallArguments {
    /// The agent whose tool names are meant
    #[arg(long, default_value = "claude-code", value_name = "AGENT")]
    agent: String,
    /// The tool, as the agent calls it
    #[arg(long, default_value = "Bash", value_name = "TOOL")]
    tool: String,
    /// The tool's arguments as a JSON object, instead of a command
    #[arg(long, value_name = "JSON", conflicts_with = "command")]
    input: Option<String>,
    /// The directory the agent's session runs in [default: this one]
    #[arg(long, value_name = "DIR")]
    cwd: Option<String>,
    /// The command
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Where a batch takes place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum HostKind {
    /// A world made of data; this machine is never touched
    Memory,
    /// This machine
    Real,
}

/// Runs the command.
///
/// # Errors
/// Standard input or output cannot be used.
pub fn run(arguments: &Arguments, fixed: &Fixed) -> io::Result<Exit> {
    if arguments.batch {
        return run_batch(arguments.host, fixed);
    }
    let call = match arguments.call.call() {
        Ok(call) => call,
        Err(reason) => return usage(&reason),
    };
    let decision = Views::new(fixed).judge(&call);
    if arguments.json {
        writeln!(io::stdout().lock(), "{}", Value::Object(output::decision(Some(Value::Null), &decision, true)))?;
    } else {
        show(&call, &decision)?;
    }
    Ok(Exit::of(decision.verdict))
}

/// Says what is wrong with the command line.
///
/// # Errors
/// Standard error cannot be written.
pub fn usage(reason: &str) -> io::Result<Exit> {
    writeln!(io::stderr(), "sekisho: {reason}\n\nFor more information, try '--help'.")?;
    Ok(Exit::Usage)
}

impl CallArguments {
    /// The call.
    ///
    /// # Errors
    /// A sentence about what is missing or wrong.
    pub fn call(&self) -> Result<ToolCall, String> {
        let agent = registry::find(&self.agent).ok_or_else(|| format!("there is no agent `{}`", self.agent))?;
        let input = match &self.input {
            Some(text) => serde_json::from_str::<Json>(text).map_err(|error| format!("`--input` is not a JSON object: {error}"))?,
            None if self.command.is_empty() => return Err("give a command behind `--`, or `--tool` and `--input`".to_owned()),
            None => Json::Object(vec![("command".to_owned(), Json::String(commands::command_text(&self.command)))]),
        };
        let here = std::env::current_dir().ok().and_then(|directory| directory.to_str().map(str::to_owned)).unwrap_or_default();
        let cwd = self.cwd.as_deref().map_or(here.clone(), |directory| path::join(&here, directory));
        let reading = (agent.read_call)(&self.tool, &input);
        Ok(ToolCall {
            can_prompt: true,
            session_cwd: Some(cwd.clone()),
            cwd: Some(reading.directory.map_or(cwd.clone(), |directory| path::join(&cwd, &directory))),
            tool: self.tool.clone(),
            family: reading.family,
            actions: reading.actions,
            completeness: reading.completeness,
            input,
            ..unreadable_call(agent.id)
        })
    }
}

/// Prints a decision for a person.
///
/// # Errors
/// Standard output cannot be written.
pub fn show(call: &ToolCall, decision: &Decision) -> io::Result<()> {
    let mut output = stdout().lock();
    let clean = |text: &str| for_terminal(&redact(text));
    let colour = colour(decision.verdict);
    let (word, meaning) = match decision.verdict {
        Verdict::Deny => ("DENY", "the call must not run"),
        Verdict::Ask => ("ASK", "a person decides"),
        Verdict::Allow => ("ALLOW", "the call may run without a prompt"),
        Verdict::Abstain => ("NO OPINION", "the agent's own permission rules decide"),
    };
    writeln!(output, "{colour}{BOLD}{word}{RESET}  {DIM}{meaning}{RESET}")?;
    let mut field = |name: &str, text: &str, style: &str| -> io::Result<()> {
        for (at, line) in wrap(text, 96).iter().enumerate() {
            writeln!(output, "  {DIM}{:<8}{RESET}{style}{line}{RESET}", if at == 0 { name } else { "" })?;
        }
        Ok(())
    };
    match call.command() {
        Some(command) => field("command", &clean(command), "")?,
        None => field("tool", &clean(&call.tool), "")?,
    }
    if let Some(evidence) = decision.evidence.as_ref().filter(|evidence| Some(evidence.segment.as_str()) != call.command()) {
        field("part", &clean(&evidence.segment), "")?;
    }
    if !decision.reason.is_empty() {
        field("reason", &clean(&decision.reason), "")?;
    }
    if let Some(alternative) = &decision.alternative {
        field("instead", &clean(alternative), "")?;
    }
    if let Some(rule) = &decision.rule {
        field("rule", &format!("{rule}"), CYAN)?;
    }
    if let Some(warning) = &decision.config_warning {
        field("config", &clean(warning), crate::terminal::YELLOW)?;
    }
    field("stage", decision.stage.word(), DIM)
}

/// One answer per line, in order. Nothing is kept from one line to the next.
fn run_batch(host: HostKind, fixed: &Fixed) -> io::Result<Exit> {
    let real = (host == HostKind::Real).then(|| Views::new(fixed));
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let answer = batch::answer(&line, real.as_ref());
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        // Whoever drives us line by line waits for this one.
        output.flush()?;
    }
    Ok(Exit::Done)
}
