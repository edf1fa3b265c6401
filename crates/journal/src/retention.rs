//! Away with old records.

use std::fs::{self, DirEntry, OpenOptions};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::place;
use crate::time::Day;

/// The file whose time says when was swept last.
const MARKER: &str = ".last-prune";

/// Deletes the files whose whole day is older than `retention_days`, and the directories that become empty; the month of `now`
/// stays. At most once a day (UTC); the number of deleted files is returned. Links are not followed and names that are not ours
/// are left alone.
///
/// # Errors
/// The log cannot be listed or the marker cannot be written. Entries that cannot be deleted are left.
pub fn sweep(state: &Path, retention_days: u16, now: SystemTime) -> io::Result<usize> {
    let logs = place::logs(state);
    let today = Day::of(now);
    if !fs::symlink_metadata(&logs).is_ok_and(|metadata| metadata.is_dir()) || !is_due(&logs, today)? {
        return Ok(0);
    }
    let oldest_kept = Day(today.0 - i64::from(retention_days));
    let mut deleted = 0;
    for project in directories(&logs)? {
        for month in directories(&project.path()).unwrap_or_default() {
            let name = month.file_name();
            let Some(name) = name.to_str().filter(|name| place::is_month(name)) else {
                continue;
            };
            for file in fs::read_dir(month.path())?.flatten() {
                let day = file.file_name().to_str().and_then(place::day_of_file);
                let is_file = file.file_type().is_ok_and(|kind| kind.is_file());
                if is_file && day.is_some_and(|day| day < oldest_kept) && fs::remove_file(file.path()).is_ok() {
                    deleted += 1;
                }
            }
            if name != today.month() {
                // Fails, as it should, while anything is left in it.
                let _ = fs::remove_dir(month.path());
            }
        }
        let _ = fs::remove_dir(project.path());
    }
    Ok(deleted)
}

/// Whether nobody swept today yet; if so, marks that it is being done.
fn is_due(logs: &Path, today: Day) -> io::Result<bool> {
    let marker = logs.join(MARKER);
    match fs::symlink_metadata(&marker) {
        Ok(metadata) if !metadata.is_file() => return Ok(false),
        Ok(metadata) if metadata.modified().is_ok_and(|time| Day::of(time) >= today) => {
            return Ok(false);
        }
        Ok(_) => {
            // The marker is never opened: replacing it is enough, and goes through no link.
            fs::remove_file(&marker)?;
        }
        Err(_) => {}
    }
    match OpenOptions::new().write(true).create_new(true).open(&marker) {
        Ok(_) => Ok(true),
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

fn directories(path: &Path) -> io::Result<Vec<DirEntry>> {
    Ok(fs::read_dir(path)?.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).collect())
}
