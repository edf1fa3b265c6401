//! Reads and replaces a settings file of somebody else, so that nothing is ever half written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest settings file we edit.
const LIMIT_BYTES: u64 = 4 * 1024 * 1024;

/// A temporary file of ours older than this was left by a run that was ended.
const STALE: Duration = Duration::from_secs(60);

/// Why a file was not read or not written. The file is as it was.
#[derive(Debug)]
pub enum FileFailure {
    /// A link, a directory, a device: only regular files are edited.
    NotRegular(PathBuf),
    /// Larger than any settings file.
    TooLarge(PathBuf),
    /// Not UTF-8.
    NotText(PathBuf),
    /// Another run is editing it.
    Busy(PathBuf),
    /// Somebody changed it between our reading and writing.
    Changed(PathBuf),
    /// The system refused.
    System(PathBuf, io::Error),
}

impl std::fmt::Display for FileFailure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotRegular(path) => {
                write!(formatter, "`{}` is a link or not a regular file; sekisho edits only regular files", path.display())
            }
            Self::TooLarge(path) => write!(formatter, "`{}` is too large to be a settings file", path.display()),
            Self::NotText(path) => write!(formatter, "`{}` is not valid UTF-8", path.display()),
            Self::Busy(path) => {
                write!(formatter, "another program is editing it; if not, delete `{}` and try again", path.display())
            }
            Self::Changed(path) => write!(formatter, "`{}` was changed by another program meanwhile; try again", path.display()),
            Self::System(path, error) => write!(formatter, "`{}`: {error}", path.display()),
        }
    }
}

impl std::error::Error for FileFailure {}

fn system(path: &Path) -> impl Fn(io::Error) -> FileFailure + '_ {
    |error| FileFailure::System(path.to_owned(), error)
}

/// The text of the file; `None` where there is none.
///
/// # Errors
/// [`FileFailure`].
pub fn read(path: &Path) -> Result<Option<String>, FileFailure> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(system(path)(error)),
    };
    if !metadata.is_file() {
        return Err(FileFailure::NotRegular(path.to_owned()));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LIMIT_BYTES + 1).read_to_end(&mut bytes)).map_err(system(path))?;
    if bytes.len() as u64 > LIMIT_BYTES {
        return Err(FileFailure::TooLarge(path.to_owned()));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| FileFailure::NotText(path.to_owned()))
}

/// Puts `text` in place of the file that was read as `before`: a temporary file beside it, made durable, then renamed. Mode
/// bits stay; a new file and its directory are the user's alone.
///
/// # Errors
/// [`FileFailure`].
pub fn replace(path: &Path, before: Option<&str>, text: &str) -> Result<(), FileFailure> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    make_directory(directory).map_err(system(directory))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = directory.join(format!(".{name}.sekisho-new"));
    // The temporary file is the lock as well: only one run can create it.
    let file = create(&temporary)?;
    let written = write_and_rename(file, &temporary, path, before, text);
    if written.is_err() {
        // Its name is free for the next run; that it cannot be removed changes nothing about the failure to report.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_and_rename(mut file: File, temporary: &Path, path: &Path, before: Option<&str>, text: &str) -> Result<(), FileFailure> {
    if read(path)?.as_deref() != before {
        return Err(FileFailure::Changed(path.to_owned()));
    }
    file.write_all(text.as_bytes()).map_err(system(temporary))?;
    if let Ok(metadata) = fs::metadata(path) {
        file.set_permissions(metadata.permissions()).map_err(system(temporary))?;
    }
    file.sync_all().map_err(system(temporary))?;
    drop(file);
    fs::rename(temporary, path).map_err(system(path))?;
    // Makes the rename itself durable where directories can be opened.
    if let Some(directory) = path.parent().and_then(|directory| File::open(directory).ok()) {
        let _ = directory.sync_all();
    }
    Ok(())
}

fn create(temporary: &Path) -> Result<File, FileFailure> {
    let open = || {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(temporary)
    };
    match open() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let age =
                fs::symlink_metadata(temporary).and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
            if age.is_none_or(|age| age < STALE) {
                return Err(FileFailure::Busy(temporary.to_owned()));
            }
            fs::remove_file(temporary).map_err(system(temporary))?;
            open().map_err(system(temporary))
        }
        other => other.map_err(system(temporary)),
    }
}

fn make_directory(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("sekisho-settings-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    #[test]
    fn a_file_is_created_replaced_and_left_when_it_changed() {
        let directory = scratch("replace");
        let path = directory.join("deep/settings.json");
        assert_eq!(read(&path).unwrap(), None);
        replace(&path, None, "one").unwrap();
        assert_eq!(read(&path).unwrap().as_deref(), Some("one"));
        assert!(matches!(replace(&path, Some("other"), "two"), Err(FileFailure::Changed(_))));
        replace(&path, Some("one"), "two").unwrap();
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "a temporary file was left");
        fs::write(path.parent().unwrap().join(".settings.json.sekisho-new"), "").unwrap();
        assert!(matches!(replace(&path, Some("two"), "three"), Err(FileFailure::Busy(_))));
        assert_eq!(read(&path).unwrap().as_deref(), Some("two"));
        fs::remove_dir_all(directory).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused_and_mode_bits_kept() {
        use std::os::unix::fs::PermissionsExt;

        let directory = scratch("links");
        let path = directory.join("settings.json");
        fs::write(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&path, Some("one"), "two").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        let link = directory.join("link.json");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(matches!(read(&link), Err(FileFailure::NotRegular(_))));
        assert!(matches!(replace(&link, None, "three"), Err(FileFailure::NotRegular(_))));
        assert!(matches!(read(&directory), Err(FileFailure::NotRegular(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        fs::remove_dir_all(directory).unwrap();
    }
}
