//! How the process ends.

use std::io;
use std::process::ExitCode;

use sekisho_verdict::Verdict;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// It could not be done; why was said on standard error.
    Failed,
    /// `check` and `explain --exit-code`: the call is denied.
    Denied,
    /// `check` and `explain --exit-code`: a person is asked.
    Asked,
    /// The command line could not be understood.
    Usage,
    /// What the agent's protocol wants.
    Agent(u8),
}

impl Exit {
    /// What `check` says about a verdict.
    pub const fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Deny => Self::Denied,
            Verdict::Ask => Self::Asked,
            Verdict::Allow | Verdict::Abstain => Self::Done,
        }
    }

    /// The number the process ends with.
    pub const fn number(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Denied => 2,
            Self::Asked => 3,
            Self::Usage => 64,
            Self::Agent(number) => number,
        }
    }

    /// The end of a command that may have lost its reader: `sekisho log | head` is done, not failed.
    pub fn of_output(result: io::Result<Self>) -> Self {
        match result {
            Ok(exit) => exit,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Self::Done,
            Err(error) => {
                // Standard error may be gone as well; the exit code still says it.
                let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("sekisho: {error}\n"));
                Self::Failed
            }
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.number())
    }
}
