//! Reads records, the newest first.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use sekisho_verdict::Verdict;

use crate::place;
use crate::record::Record;
use crate::time::Day;

/// Bytes of one line; a longer one is not ours.
const LINE_BYTES: u64 = 4 * 1024 * 1024;
/// Digits of an id that are enough to ask for it.
const SHORTEST_ID: usize = 4;

/// Which records are wanted. Everything given must fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// One of these verdicts; empty for any.
    pub verdicts: Vec<Verdict>,
    /// This rule, or those whose id begins with it and a `.`.
    pub rule: Option<String>,
    /// This session.
    pub session: Option<String>,
    /// This agent.
    pub agent: Option<String>,
    /// This working directory or below it.
    pub cwd: Option<String>,
    /// At this time or later: the beginning of an RFC 3339 time in UTC (`2030-01-31`, `2030-01-31T12`).
    pub since: Option<String>,
    /// At most so many.
    pub limit: usize,
}

impl Default for Filter {
    fn default() -> Self {
        Self { verdicts: Vec::new(), rule: None, session: None, agent: None, cwd: None, since: None, limit: 100 }
    }
}

impl Filter {
    fn fits(&self, record: &Record) -> bool {
        let below = |whole: &str, root: &str, separator: char| {
            whole.strip_prefix(root).is_some_and(|rest| rest.is_empty() || root.ends_with(separator) || rest.starts_with(separator))
        };
        (self.verdicts.is_empty() || self.verdicts.contains(&record.verdict))
            && self.rule.as_deref().is_none_or(|rule| record.rule.as_deref().is_some_and(|found| below(found, rule, '.')))
            && self.session.as_deref().is_none_or(|session| record.session_id.as_deref() == Some(session))
            && self.agent.as_deref().is_none_or(|agent| record.agent == agent)
            && self.cwd.as_deref().is_none_or(|cwd| record.cwd.as_deref().is_some_and(|found| below(found, cwd, '/')))
            && self.since.as_deref().is_none_or(|since| record.ts.as_str() >= since)
    }

    /// Whether a day may hold anything that fits.
    fn may_hold(&self, day: Day) -> bool {
        let since = self.since.as_deref().and_then(|since| since.get(..10)).and_then(Day::parse);
        since.is_none_or(|since| day >= since)
    }
}

/// The records that fit, the newest first. Lines that cannot be read are passed over.
///
/// # Errors
/// The log is there and cannot be listed. No log is no records.
pub fn list(state: &Path, filter: &Filter) -> io::Result<Vec<Record>> {
    let mut records = Vec::new();
    for (day, files) in files(state)?.into_iter().rev() {
        if records.len() >= filter.limit || !filter.may_hold(day) {
            break;
        }
        let mut of_day = Vec::new();
        for file in files {
            each_record(&file, &mut |record| {
                if filter.fits(&record) {
                    of_day.push(record);
                    // What can no longer be among the newest does not have to be kept.
                    if of_day.len() >= filter.limit.saturating_mul(2).max(1_024) {
                        newest_first(&mut of_day, filter.limit);
                    }
                }
            });
        }
        newest_first(&mut of_day, filter.limit - records.len());
        records.append(&mut of_day);
    }
    Ok(records)
}

fn newest_first(records: &mut Vec<Record>, limit: usize) {
    records.sort_by(|a, b| b.ts.cmp(&a.ts));
    records.truncate(limit);
}

/// The newest record whose id is, or begins with, `id` (at least four digits).
///
/// # Errors
/// Those of [`list`].
pub fn show(state: &Path, id: &str) -> io::Result<Option<Record>> {
    if id.len() < SHORTEST_ID {
        return Ok(None);
    }
    for (_, files) in files(state)?.into_iter().rev() {
        let mut found: Option<Record> = None;
        for file in files {
            each_record(&file, &mut |record| {
                if record.id.starts_with(id) && found.as_ref().is_none_or(|known| known.ts < record.ts) {
                    found = Some(record);
                }
            });
        }
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

/// The files of every day.
fn files(state: &Path) -> io::Result<BTreeMap<Day, Vec<PathBuf>>> {
    let logs = place::logs(state);
    let mut found: BTreeMap<Day, Vec<PathBuf>> = BTreeMap::new();
    let projects = match fs::read_dir(&logs) {
        Ok(_) if !fs::symlink_metadata(&logs)?.is_dir() => return Ok(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
        projects => projects?,
    };
    for project in projects.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        let Ok(months) = fs::read_dir(project.path()) else {
            continue;
        };
        for month in months.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            if !month.file_name().to_str().is_some_and(place::is_month) {
                continue;
            }
            let Ok(entries) = fs::read_dir(month.path()) else {
                continue;
            };
            for file in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())) {
                if let Some(day) = file.file_name().to_str().and_then(place::day_of_file) {
                    found.entry(day).or_default().push(file.path());
                }
            }
        }
    }
    Ok(found)
}

fn each_record(file: &Path, each: &mut dyn FnMut(Record)) {
    let Ok(file) = File::open(file) else { return };
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    loop {
        line.clear();
        match reader.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                if let Ok(record) = serde_json::from_slice(&line) {
                    each(record);
                }
            }
        }
    }
}
