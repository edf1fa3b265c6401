//! `sekisho install AGENT…`: puts our registration into an agent's settings.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anstream::{stderr, stdout};
use sekisho_agents::install::{Change, InstallFailure, Scope, plan_install};
use sekisho_agents::registry::{self, Agent};
use sekisho_guard::Places;
use sekisho_host::Host;
use serde_json::json;

use super::check::usage;
use crate::exit::Exit;
use crate::real_host::RealHost;
use crate::terminal::{BOLD, DIM, GREEN, RED, RESET};
use crate::views::{Fixed, Views};

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  sekisho install claude-code              for every project of yours\n  sekisho install claude-code --project .  for one project\n  sekisho install claude-code --dry-run    show the change, make none"
)]
pub struct Arguments {
    #[command(flatten)]
    pub(super) target: TargetArguments,
}

/// What `install` and `uninstall` share.
#[derive(Debug, clap::Args)]
pub struct TargetArguments {
    /// The agents [default: those that are in use here]
    #[arg(value_name = "AGENT")]
    agents: Vec<String>,
    /// Change the settings of this project instead of the user's
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    project: Option<PathBuf>,
    /// Show the change, make none
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Standard output cannot be written.
pub fn run(arguments: &Arguments, fixed: &Fixed) -> io::Result<Exit> {
    let program = match program() {
        Ok(program) => program,
        Err(reason) => return usage(&reason),
    };
    let more = fixed_arguments(fixed);
    let exit =
        each(&arguments.target, fixed, "installed", |agent, file| plan_install(file, &agent.registration.entry(&program, &more)))?;
    if exit == Exit::Done && !arguments.target.json && !arguments.target.dry_run {
        let mut output = stdout().lock();
        writeln!(output, "\nNew sessions ask sekisho before each tool call; restart those that are running.")?;
        writeln!(output, "Check that it works:  {BOLD}sekisho doctor{RESET}")?;
    }
    Ok(exit)
}

/// Plans and makes one change per agent.
pub(super) fn each(
    target: &TargetArguments,
    fixed: &Fixed,
    done: &str,
    plan: impl Fn(&Agent, &Path) -> Result<Change, InstallFailure>,
) -> io::Result<Exit> {
    let views = Views::new(fixed);
    let home = PathBuf::from(settings_home(fixed, &views));
    let agents = match chosen(&target.agents, &home) {
        Ok(agents) => agents,
        Err(reason) => return usage(&reason),
    };
    let mut exit = Exit::Done;
    let mut rows = Vec::new();
    for agent in agents {
        let file = match target.project.as_deref() {
            Some(project) => agent.registration.file(Scope::Project(project)),
            None => user_file(agent, &home),
        };
        let result =
            plan(agent, &file).and_then(|change| if target.dry_run { Ok(change) } else { change.apply().map(|()| change) });
        let (status, error) = match &result {
            Ok(change) if change.is_empty() => ("unchanged", None),
            Ok(_) if target.dry_run => ("would_change", None),
            Ok(_) => (done, None),
            Err(failure) => {
                exit = Exit::Failed;
                ("failed", Some(failure.to_string()))
            }
        };
        if target.json {
            rows.push(json!({"agent": agent.id, "file": file.to_string_lossy(), "status": status, "error": error}));
            continue;
        }
        match &result {
            Ok(change) => show(agent, &file, status, change, target.dry_run)?,
            Err(failure) => writeln!(stderr().lock(), "{RED}{}{RESET}: {failure}", agent.title)?,
        }
    }
    if target.json {
        writeln!(io::stdout().lock(), "{}", json!(rows))?;
    }
    Ok(exit)
}

fn show(agent: &Agent, file: &Path, status: &str, change: &Change, dry_run: bool) -> io::Result<()> {
    let mut output = stdout().lock();
    let status = status.replace('_', " ");
    writeln!(output, "{BOLD}{}{RESET}: {status}  {DIM}{}{RESET}", agent.title, file.display())?;
    if dry_run {
        for (sign, line) in change.lines() {
            let colour = if sign == '+' { GREEN } else { RED };
            writeln!(output, "  {colour}{sign} {line}{RESET}")?;
        }
    }
    Ok(())
}

/// The named agents, or those that are in use.
fn chosen(names: &[String], home: &Path) -> Result<Vec<&'static Agent>, String> {
    let all = || registry::AGENTS.iter();
    if names.is_empty() {
        let used: Vec<&Agent> = all().filter(|agent| home.join(agent.registration.sign_of_use).is_dir()).collect();
        let known = all().map(|agent| agent.id).collect::<Vec<_>>().join(", ");
        return if used.is_empty() { Err(format!("no agent was found here; name one: {known}")) } else { Ok(used) };
    }
    names.iter().map(|name| registry::find(name).ok_or_else(|| format!("there is no agent `{name}`"))).collect()
}

/// The user's settings file of an agent.
pub(super) fn user_file(agent: &Agent, home: &Path) -> PathBuf {
    let directory =
        agent.registration.directory_variable.and_then(std::env::var_os).map(PathBuf::from).filter(|path| path.is_absolute());
    agent.registration.file(Scope::User { home, directory: directory.as_deref() })
}

/// The home directory whose agent settings a person means: their shell's.
pub(super) fn settings_home(fixed: &Fixed, views: &Views) -> String {
    match (&fixed.home, &views.environment) {
        (None, Some(view)) => view.host.home().to_owned(),
        _ => views.main.host.home().to_owned(),
    }
}

/// The absolute path of this program, without following links: a link in a `bin` directory survives an upgrade.
fn program() -> Result<String, String> {
    let invoked = std::env::args_os().next().map(PathBuf::from).filter(|path| path.components().count() > 1);
    let invoked = invoked.and_then(|path| std::path::absolute(path).ok()).filter(|path| path.is_file());
    let program =
        invoked.or_else(|| on_path("sekisho")).map_or_else(std::env::current_exe, Ok).map_err(|error| error.to_string())?;
    let name = program.file_stem().unwrap_or_default();
    if name != "sekisho" {
        return Err(format!("the program must be named `sekisho` to be registered, not `{}`", name.to_string_lossy()));
    }
    let text = program.to_str().ok_or("the path of this program is not valid UTF-8")?;
    // Claude Code on Windows may hand the path to Git Bash, which eats backslashes.
    Ok(if cfg!(windows) { text.replace('\\', "/") } else { text.to_owned() })
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let this = std::env::current_exe().ok()?.canonicalize().ok()?;
    // Only a program that is this one: another of the same name is not what the person ran.
    std::env::split_paths(&path)
        .map(|directory| directory.join(name))
        .find(|file| file.canonicalize().is_ok_and(|file| file == this))
}

/// What the registration must say because the machine alone does not: the directories the person's shell uses.
fn fixed_arguments(fixed: &Fixed) -> Vec<String> {
    let views = Views::new(fixed);
    let view = if fixed == &Fixed::default() { views.environment.as_ref().unwrap_or(&views.main) } else { &views.main };
    let real = RealHost::new(None);
    let mut arguments = Vec::new();
    let mut fix = |name: &str, value: &str, default: &str| {
        if value != default {
            arguments.extend([name.to_owned(), value.to_owned()]);
        }
    };
    fix("--home", view.host.home(), real.home());
    let default = Places::below_home(view.host.home());
    fix("--settings-dir", &view.places.settings, &default.settings);
    fix("--state-dir", &view.places.state, &default.state);
    arguments
}
