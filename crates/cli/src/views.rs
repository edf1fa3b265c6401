//! The real machine, as the hook and the commands for people see it.
//!
//! Home and settings come from the password database or from what was fixed at install. A repository can set variables for an
//! agent's hooks, so where `HOME`, `SEKISHO_HOME` or `XDG_CONFIG_HOME` say otherwise, the call is judged a second time as they
//! say and the stricter answer counts: a variable can tighten, never loosen.

use std::cell::Cell;

use sekisho_agents::delivery::deliver;
use sekisho_guard::Places;
use sekisho_host::{Host, path};
use sekisho_policy::Snapshot;
use sekisho_verdict::{Decision, ToolCall};

use crate::engine;
use crate::real_host::RealHost;

/// What was fixed at install, or by the person at the terminal.
#[derive(Debug, Clone, PartialEq, Eq, Default, clap::Args)]
pub struct Fixed {
    /// The home directory, instead of the one in the password database
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true)]
    pub home: Option<String>,
    /// The directory of the user's settings
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true)]
    pub settings_dir: Option<String>,
    /// The directory of the audit log
    #[arg(long, value_name = "DIR", global = true, hide_short_help = true)]
    pub state_dir: Option<String>,
}

/// One way to see the machine.
pub struct View {
    /// The machine.
    pub host: RealHost,
    /// Our own files.
    pub places: Places,
    /// How many days of the audit log are kept, once a policy was read.
    pub retention_days: Cell<Option<u16>>,
}

/// The machine as it is, and, where the environment says otherwise, as the environment says.
pub struct Views {
    /// As it is.
    pub main: View,
    /// As the environment says, where that differs.
    pub environment: Option<View>,
}

impl Views {
    /// Looks at the environment and the password database.
    pub fn new(fixed: &Fixed) -> Self {
        let host = RealHost::new(fixed.home.as_deref());
        let binary = std::env::current_exe().ok().and_then(|program| program.to_str().map(path::normalize));
        let defaults = Places::below_home(host.home());
        let given = |directory: &Option<String>, default: String| directory.as_deref().map_or(default, path::normalize);
        let places = Places {
            settings: given(&fixed.settings_dir, defaults.settings),
            state: given(&fixed.state_dir, defaults.state),
            binary,
        };
        let environment = environment_view(&host, &places, fixed);
        Self { main: View { host, places, retention_days: Cell::new(None) }, environment }
    }

    /// Every view, the main one first.
    pub fn all(&self) -> impl Iterator<Item = &View> {
        std::iter::once(&self.main).chain(&self.environment)
    }

    /// Decides about a call and makes the decision deliverable.
    pub fn judge(&self, call: &ToolCall) -> Decision {
        deliver(self.judge_undelivered(call), call)
    }

    /// Decides about a call; an ask stays one even where nobody can answer.
    pub fn judge_undelivered(&self, call: &ToolCall) -> Decision {
        let main = self.main.judge(call);
        match &self.environment {
            Some(environment) if main.verdict != sekisho_verdict::Verdict::Deny => engine::stricter(main, environment.judge(call)),
            _ => main,
        }
    }
}

impl View {
    /// The policy in force for a session in that directory.
    pub fn snapshot(&self, session: Option<&str>) -> Snapshot {
        let directory = session.and_then(|session| engine::usable_directory(&self.host, None, session));
        let project = directory.map(|directory| engine::project_directory(&self.host, &directory));
        engine::load_snapshot(&self.host, &self.places.settings, project.as_deref())
    }

    fn judge(&self, call: &ToolCall) -> Decision {
        let snapshot = self.snapshot(call.session_cwd.as_deref());
        self.retention_days.set(Some(snapshot.retention_days()));
        engine::judge(call, &self.host, &self.places, &snapshot)
    }
}

/// An absolute path in a variable.
fn directory_in(host: &RealHost, name: &str) -> Option<String> {
    host.environment(name).filter(|value| path::is_absolute(value)).map(|value| path::normalize(&value))
}

fn environment_view(host: &RealHost, places: &Places, fixed: &Fixed) -> Option<View> {
    let home_variable = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let home = directory_in(host, home_variable).unwrap_or_else(|| host.home().to_owned());
    let below_home = Places::below_home(&home);
    let of = |own: &str, shared: &str, directory: &Option<String>, default: String, main: &str| {
        let named = directory_in(host, own).or_else(|| directory_in(host, shared).map(|shared| path::join(&shared, "sekisho")));
        // What was fixed at install is not doubted because a variable is absent.
        named.unwrap_or_else(|| if directory.is_some() || fixed.home.is_some() { main.to_owned() } else { default })
    };
    let settings = of("SEKISHO_HOME", "XDG_CONFIG_HOME", &fixed.settings_dir, below_home.settings, &places.settings);
    let state = of("SEKISHO_STATE_HOME", "XDG_STATE_HOME", &fixed.state_dir, below_home.state, &places.state);
    if home == host.home() && settings == places.settings && state == places.state {
        return None;
    }
    let places = Places { settings, state, binary: places.binary.clone() };
    Some(View { host: RealHost::new(Some(&home)), places, retention_days: Cell::new(None) })
}
