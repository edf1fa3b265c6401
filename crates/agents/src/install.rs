//! Puts our registration into an agent's settings, takes it out, and looks at it. The same for every agent; what differs is data.

use std::path::{Path, PathBuf};

use crate::hook_settings::{self, EditFailure, Entry, Found};
use crate::settings_file::{self, FileFailure};

/// How an agent is told to call us.
#[derive(Debug)]
pub struct Registration {
    /// The adapter id.
    pub agent: &'static str,
    /// The event we are called for.
    pub event: &'static str,
    /// The user's settings file, below the home directory.
    pub user_file: &'static str,
    /// The variable that names another directory for the user's settings file.
    pub directory_variable: Option<&'static str>,
    /// Settings files of a project, below its top; the first is the one we write.
    pub project_files: &'static [&'static str],
    /// A directory below the home directory that is there when the agent is in use.
    pub sign_of_use: &'static str,
    /// A top-level key that switches all hooks off.
    pub off_switch: Option<&'static str>,
    /// Seconds the agent waits for us.
    pub timeout: u32,
    /// An event in the agent's form that runs this shell text in this directory, in this session.
    pub event_of: fn(&Sample<'_>) -> String,
    /// What our output says to the agent: `deny`, `ask`, `allow`, or nothing.
    pub said: fn(&str, Option<i32>) -> Option<Said>,
}

/// A call to try a registration with.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The session's id.
    pub session: &'a str,
    /// The working directory.
    pub cwd: &'a str,
    /// The agent's name of the tool.
    pub tool: &'a str,
    /// The tool's arguments.
    pub input: &'a serde_json::Value,
}

/// What an agent reads from our output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// `deny`, `ask` or `allow`.
    pub word: String,
    /// The reason.
    pub reason: String,
}

/// Whose settings are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope<'a> {
    /// The user's, below this home directory or in the directory the agent's own variable names.
    User {
        /// The home directory.
        home: &'a Path,
        /// What [`Registration::directory_variable`] holds.
        directory: Option<&'a Path>,
    },
    /// One project's, below its top.
    Project(&'a Path),
}

impl Registration {
    /// The file our entry stands in.
    pub fn file(&self, scope: Scope<'_>) -> PathBuf {
        match scope {
            Scope::User { home, directory: None } => home.join(self.user_file),
            Scope::User { home, directory: Some(directory) } => {
                Path::new(self.user_file).file_name().map_or_else(|| home.join(self.user_file), |name| directory.join(name))
            }
            Scope::Project(top) => top.join(self.project_files.first().copied().unwrap_or(self.user_file)),
        }
    }

    /// The entry that should stand there.
    pub fn entry(&self, program: &str, more_arguments: &[String]) -> Entry {
        Entry {
            agent: self.agent.to_owned(),
            event: self.event.to_owned(),
            program: program.to_owned(),
            more_arguments: more_arguments.to_vec(),
            timeout: self.timeout,
        }
    }
}

/// A change of one file, worked out and not yet made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub file: PathBuf,
    /// Its text now; `None` where it does not exist.
    pub before: Option<String>,
    /// Its text afterwards.
    pub after: String,
}

impl Change {
    /// Nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.before.as_deref().unwrap_or_default() == self.after
    }

    /// Makes the change.
    ///
    /// # Errors
    /// [`InstallFailure::File`].
    pub fn apply(&self) -> Result<(), InstallFailure> {
        if self.is_empty() { Ok(()) } else { Ok(settings_file::replace(&self.file, self.before.as_deref(), &self.after)?) }
    }

    /// The lines that go and come, each with the lines that stay left out.
    pub fn lines(&self) -> Vec<(char, String)> {
        let before: Vec<&str> = self.before.as_deref().unwrap_or_default().lines().collect();
        let after: Vec<&str> = self.after.lines().collect();
        let same_start = before.iter().zip(&after).take_while(|(old, new)| old == new).count();
        let same_end = before
            .iter()
            .skip(same_start)
            .rev()
            .zip(after.iter().skip(same_start).rev())
            .take_while(|(old, new)| old == new)
            .count();
        let middle = |lines: &[&str], sign: char| -> Vec<(char, String)> {
            let count = lines.len().saturating_sub(same_start + same_end);
            lines.iter().skip(same_start).take(count).map(|line| (sign, (*line).to_owned())).collect()
        };
        let mut lines = middle(&before, '-');
        lines.extend(middle(&after, '+'));
        lines
    }
}

/// Why an agent's settings were left as they are.
#[derive(Debug)]
pub enum InstallFailure {
    /// The file.
    File(FileFailure),
    /// Its content.
    Content(PathBuf, EditFailure),
}

impl std::fmt::Display for InstallFailure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File(failure) => failure.fmt(formatter),
            Self::Content(path, failure) => write!(formatter, "`{}` was left as it is: {failure}", path.display()),
        }
    }
}

impl std::error::Error for InstallFailure {}

impl From<FileFailure> for InstallFailure {
    fn from(failure: FileFailure) -> Self {
        Self::File(failure)
    }
}

/// What installing would change.
///
/// # Errors
/// [`InstallFailure`].
pub fn plan_install(file: &Path, entry: &Entry) -> Result<Change, InstallFailure> {
    plan(file, |text| hook_settings::with_entry(text, entry))
}

/// What uninstalling would change.
///
/// # Errors
/// [`InstallFailure`].
pub fn plan_uninstall(file: &Path, agent: &str) -> Result<Change, InstallFailure> {
    plan(file, |text| hook_settings::without_entry(text, agent))
}

fn plan(file: &Path, edit: impl Fn(&str) -> Result<String, EditFailure>) -> Result<Change, InstallFailure> {
    let before = settings_file::read(file)?;
    let after = edit(before.as_deref().unwrap_or_default()).map_err(|failure| InstallFailure::Content(file.to_owned(), failure))?;
    Ok(Change { file: file.to_owned(), before, after })
}

/// What stands in a settings file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inspection {
    /// The file exists.
    pub exists: bool,
    /// Our entries.
    pub entries: Vec<Found>,
    /// All hooks are switched off.
    pub switched_off: bool,
}

/// Looks at a settings file.
///
/// # Errors
/// [`InstallFailure`].
pub fn inspect(registration: &Registration, file: &Path) -> Result<Inspection, InstallFailure> {
    let Some(text) = settings_file::read(file)? else { return Ok(Inspection::default()) };
    let content = |failure| InstallFailure::Content(file.to_owned(), failure);
    let switched_off = match registration.off_switch {
        Some(key) => hook_settings::is_switched_on(&text, key).map_err(content)?,
        None => false,
    };
    Ok(Inspection { exists: true, entries: hook_settings::entries(&text, registration.agent).map_err(content)?, switched_off })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_lines() {
        let change = Change { file: PathBuf::new(), before: Some("a\nb\nc\n".to_owned()), after: "a\nx\ny\nc\n".to_owned() };
        let lines: Vec<String> = change.lines().iter().map(|(sign, line)| format!("{sign}{line}")).collect();
        assert_eq!(lines, ["-b", "+x", "+y"]);
        let new = Change { file: PathBuf::new(), before: None, after: "a\n".to_owned() };
        assert_eq!(new.lines(), [('+', "a".to_owned())]);
        assert!(!new.is_empty());
    }
}
