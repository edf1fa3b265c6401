//! `sekisho log`: what was decided.

use std::io::{self, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anstream::stdout;
use sekisho_host::path;
use sekisho_journal::{Filter, Record};
use sekisho_verdict::Verdict;
use sekisho_verdict::redaction::for_terminal;
use serde_json::json;

use super::check::usage;
use crate::exit::Exit;
use crate::terminal::{BOLD, CYAN, DIM, RESET, colour, shorten, wrap};
use crate::views::{Fixed, Views};

/// The arguments.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  sekisho log                       the last denials\n  sekisho log --all --limit 100     everything\n  sekisho log --rule git            what the rules of one area stopped\n  sekisho log show 3f2a             one record, whole"
)]
pub struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    list: ListArguments,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// List records, the newest first
    List(ListArguments),
    /// Show one record, whole
    Show {
        /// Its id, or the first digits of it
        id: String,
        /// Print the record as JSON
        #[arg(long)]
        json: bool,
    },
}

/// Which records, and how.
#[derive(Debug, clap::Args)]
struct ListArguments {
    /// Every verdict, not only denials
    #[arg(long)]
    all: bool,
    /// Records with this verdict; may be given several times
    #[arg(long, value_enum, value_name = "VERDICT", conflicts_with = "all")]
    verdict: Vec<Word>,
    /// At most so many
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Of the last days (a number), or since a date (2030-01-31)
    #[arg(long, default_value = "30", value_name = "DAYS|DATE")]
    since: String,
    /// This rule, or the rules of an area (`git`)
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// This agent
    #[arg(long, value_name = "AGENT")]
    agent: Option<String>,
    /// This session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// This directory and those below it
    #[arg(long, value_name = "DIR")]
    project: Option<String>,
    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Word {
    Deny,
    Ask,
    Allow,
    Abstain,
}

/// Runs the command.
///
/// # Errors
/// The log cannot be read, or standard output cannot be written.
pub fn run(arguments: &Arguments, fixed: &Fixed) -> io::Result<Exit> {
    let states = states(fixed);
    match &arguments.action {
        Some(Action::Show { id, json }) => show(&states, id, *json),
        Some(Action::List(list)) => run_list(&states, list),
        None => run_list(&states, &arguments.list),
    }
}

/// The directories records are kept in: the fixed one, and the one the environment names.
fn states(fixed: &Fixed) -> Vec<String> {
    let mut states: Vec<String> = Views::new(fixed).all().map(|view| view.places.state.clone()).collect();
    states.dedup();
    states
}

fn run_list(states: &[String], arguments: &ListArguments) -> io::Result<Exit> {
    let Some(since) = since(&arguments.since) else { return usage("`--since` needs a number of days or a date like 2030-01-31") };
    let records = records(states, &arguments.filter(since))?;
    if arguments.json {
        writeln!(io::stdout().lock(), "{}", json!(records))?;
        return Ok(Exit::Done);
    }
    let mut output = stdout().lock();
    for record in &records {
        write_line(&mut output, record)?;
    }
    if records.is_empty() {
        let what = if arguments.all { "Nothing" } else { "Nothing that was denied" };
        writeln!(output, "{what} in the log for these filters.")?;
    }
    if !arguments.all && arguments.verdict.is_empty() {
        writeln!(output, "{DIM}Denials only; --all shows every decision.{RESET}")?;
    }
    Ok(Exit::Done)
}

impl ListArguments {
    fn filter(&self, since: String) -> Filter {
        let verdicts = match (self.all, self.verdict.as_slice()) {
            (true, _) => Vec::new(),
            (false, []) => vec![Verdict::Deny],
            (false, words) => words.iter().map(|word| word.verdict()).collect(),
        };
        let here = std::env::current_dir().ok().and_then(|directory| directory.to_str().map(str::to_owned)).unwrap_or_default();
        Filter {
            verdicts,
            rule: self.rule.clone(),
            session: self.session.clone(),
            agent: self.agent.clone(),
            cwd: self.project.as_deref().map(|project| path::join(&here, project)),
            since: Some(since),
            limit: self.limit,
        }
    }
}

impl Word {
    const fn verdict(self) -> Verdict {
        match self {
            Self::Deny => Verdict::Deny,
            Self::Ask => Verdict::Ask,
            Self::Allow => Verdict::Allow,
            Self::Abstain => Verdict::Abstain,
        }
    }
}

/// The records of every directory, each once, the newest first.
fn records(states: &[String], filter: &Filter) -> io::Result<Vec<Record>> {
    let mut records: Vec<Record> = Vec::new();
    for state in states {
        for record in sekisho_journal::list(Path::new(state), filter)? {
            if !records.iter().any(|known| known.id == record.id) {
                records.push(record);
            }
        }
    }
    records.sort_by(|a, b| b.ts.cmp(&a.ts));
    records.truncate(filter.limit);
    Ok(records)
}

fn write_line(output: &mut impl Write, record: &Record) -> io::Result<()> {
    let time = record.ts.get(..16).unwrap_or(&record.ts).replace('T', " ");
    let id = record.id.get(..8).unwrap_or(&record.id);
    let colour = colour(record.verdict);
    let call = record.command.as_deref().unwrap_or(&record.tool);
    writeln!(
        output,
        "{DIM}{time}  {id}{RESET}  {colour}{:<7}{RESET}  {CYAN}{:<34}{RESET}  {}",
        record.verdict.word(),
        record.rule.as_deref().unwrap_or("-"),
        for_terminal(&shorten(call, 72))
    )
}

fn show(states: &[String], id: &str, json: bool) -> io::Result<Exit> {
    let mut found = None;
    for state in states {
        found = found.or(sekisho_journal::show(Path::new(state), id)?);
    }
    let Some(record) = found else {
        writeln!(io::stderr(), "sekisho: there is no record `{}`", for_terminal(id))?;
        return Ok(Exit::Failed);
    };
    if json {
        writeln!(io::stdout().lock(), "{}", json!(record))?;
        return Ok(Exit::Done);
    }
    let mut output = stdout().lock();
    let colour = colour(record.verdict);
    writeln!(output, "{colour}{BOLD}{}{RESET}  {DIM}{}{RESET}", record.verdict.word().to_uppercase(), record.ts)?;
    let milliseconds = format!("{}.{:03} ms", record.duration_us / 1000, record.duration_us % 1000);
    let effects: Vec<String> = record
        .effects
        .iter()
        .map(|effect| format!("{} {}", effect.kind, effect.target.as_deref().unwrap_or_default()).trim_end().to_owned())
        .collect();
    for (name, value) in [
        ("id", Some(record.id.as_str())),
        ("agent", Some(record.agent.as_str())),
        ("session", record.session_id.as_deref()),
        ("tool", Some(record.tool.as_str())),
        ("command", record.command.as_deref()),
        ("part", record.segment.as_deref()),
        ("cwd", record.cwd.as_deref()),
        ("rule", record.rule.as_deref()),
        ("also", Some(record.also_matched.join(", ").as_str())),
        ("reason", Some(record.reason.as_str())),
        ("stage", Some(record.stage.as_str())),
        ("source", Some(record.source.as_str())),
        ("level", record.level.as_deref()),
        ("effects", Some(effects.join("\n").as_str())),
        ("took", Some(milliseconds.as_str())),
    ] {
        let Some(value) = value.filter(|value| !value.is_empty()) else { continue };
        for (at, line) in wrap(value, 96).iter().enumerate() {
            writeln!(output, "  {DIM}{:<8}{RESET}{}", if at == 0 { name } else { "" }, for_terminal(line))?;
        }
    }
    Ok(Exit::Done)
}

/// A number of days, or a date, as the beginning of a time in UTC.
fn since(text: &str) -> Option<String> {
    if let Ok(days) = text.parse::<u64>() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() / SECONDS_OF_A_DAY;
        return Some(date(now.saturating_sub(days)));
    }
    let mut parts = text.splitn(3, '-');
    let mut number =
        |digits: usize| parts.next().is_some_and(|part| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit()));
    let is_date = number(4) && number(2) && text.get(8..10).is_some_and(|day| day.bytes().all(|byte| byte.is_ascii_digit()));
    is_date.then(|| text.to_owned())
}

const SECONDS_OF_A_DAY: u64 = 86_400;

/// The date of a day counted from 1970-01-01 in the Gregorian calendar.
///
/// Years are counted from March, so that the leap day is the last of its year; 400 years have 146,097 days.
fn date(day: u64) -> String {
    let day = day + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day_of_month = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (day, text) in [
            (0, "1970-01-01"),
            (58, "1970-02-28"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (19_723, "2024-01-01"),
            (19_782, "2024-02-29"),
        ] {
            assert_eq!(date(day), text);
        }
        assert_eq!(since("2030-01-31").as_deref(), Some("2030-01-31"));
        assert!(since("30").is_some());
        for text in ["", "x", "2030", "2030-1-1", "-3", "yesterday"] {
            assert!(since(text).is_none() || text == "2030", "{text}");
        }
    }
}
