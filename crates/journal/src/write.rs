//! Appends records.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::place;
use crate::record::Record;
use crate::retention;
use crate::time::Day;

/// Bytes of one file; more goes to the next.
const FILE_BYTES: u64 = 64 * 1024 * 1024;
/// Files of one day and session.
const TURNS: u32 = 1_000;

/// Appends a record to the log below `state`, in one write.
///
/// # Errors
/// Whatever creating the directories or writing the file fails with; a link or another kind of entry where a directory or
/// file should be is `InvalidInput`. Callers go on: a log that cannot be written changes no decision.
pub fn append(state: &Path, record: &Record) -> io::Result<()> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    let day = Day::of(record.moment);
    create_private_all(state)?;
    let mut directory = place::logs(state);
    private_directory(&directory)?;
    for name in [record.directory.as_str(), &day.month()] {
        directory.push(name);
        private_directory(&directory)?;
    }
    let session = place::session_name(record.session_id.as_deref());
    for turn in 0..TURNS {
        let path = directory.join(place::file_name(day, &session, turn));
        if let Some(mut file) = open(&path)? {
            return file.write_all(&line);
        }
    }
    Err(io::Error::new(io::ErrorKind::StorageFull, "the log of this day is full"))
}

/// [`append`], and once a day away with what is older than `retention_days`.
///
/// # Errors
/// Those of [`append`]; a sweep that fails is tried again another day.
pub fn append_and_sweep(state: &Path, record: &Record, retention_days: u16) -> io::Result<()> {
    append(state, record)?;
    let _ = retention::sweep(state, retention_days, SystemTime::now());
    Ok(())
}

fn create_private_all(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    restrict(&mut builder);
    builder.create(path)
}

#[cfg(unix)]
fn restrict(builder: &mut DirBuilder) {
    use std::os::unix::fs::DirBuilderExt;
    builder.mode(0o700);
}

#[cfg(not(unix))]
fn restrict(_: &mut DirBuilder) {}

/// Makes sure that a directory is there, and that it is one.
fn private_directory(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(not_ours(path)),
        Err(_) => {
            let mut builder = DirBuilder::new();
            restrict(&mut builder);
            match builder.create(path) {
                // Another process was faster.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && fs::symlink_metadata(path)?.is_dir() => Ok(()),
                result => result,
            }
        }
    }
}

fn not_ours(path: &Path) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, format!("`{}` is not what the log expects there", path.display()))
}

/// The file to append to; `None` where it is full.
fn open(path: &PathBuf) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.append(true);
    match fs::symlink_metadata(path) {
        Ok(before) if before.is_file() => {
            if before.len() >= FILE_BYTES {
                return Ok(None);
            }
            let file = options.open(path)?;
            // Between looking and opening a link may have been put there.
            if same_file(&before, &file.metadata()?) { Ok(Some(file)) } else { Err(not_ours(path)) }
        }
        Ok(_) => Err(not_ours(path)),
        Err(_) => {
            // A new file is never made through a link.
            options.create_new(true);
            restrict_file(&mut options);
            match options.open(path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && fs::symlink_metadata(path)?.is_file() => {
                    OpenOptions::new().append(true).open(path).map(Some)
                }
                result => result.map(Some),
            }
        }
    }
}

#[cfg(unix)]
fn restrict_file(options: &mut OpenOptions) {
    use std::os::unix::fs::OpenOptionsExt;
    options.mode(0o600);
}

#[cfg(not(unix))]
fn restrict_file(_: &mut OpenOptions) {}

#[cfg(unix)]
fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same_file(_: &fs::Metadata, b: &fs::Metadata) -> bool {
    b.is_file()
}
