//! Sekisho's own files: settings, state, each agent's registration of our hook, the program. One list for the whole product.

use sekisho_command_model::{EffectKind, Scope};
use sekisho_host::{Host, path};

use crate::context::Context;
use crate::facts::Fact;
use crate::selection::{glob_matches, glob_matches_path};

/// Where one agent keeps the registration of our hook; see `protected.toml` for the form of the patterns.
#[derive(Debug)]
pub struct AgentFiles {
    /// The adapter id.
    pub id: &'static str,
    /// Relative to the home directory.
    pub user: &'static [&'static str],
    /// Relative to the work-tree root.
    pub project: &'static [&'static str],
    /// Absolute.
    pub system: &'static [&'static str],
}

/// The protected files of one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protected {
    /// The settings directory: also an ancestor's removal is refused, whether or not it exists.
    settings: String,
    /// Directories and files, with links as written and followed. A directory ends in `/`.
    patterns: Vec<String>,
}

/// How an effect touches a protected file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// The file itself, or something in a protected directory.
    Itself,
    /// A directory above it goes, with everything in it.
    Ancestor,
}

impl Protected {
    /// The list for one call. `work_tree`: the root of the project.
    pub fn new(context: &Context<'_>, work_tree: &str) -> Self {
        let places = context.places;
        let home = path::normalize(context.host.home());
        let mut patterns = Vec::new();
        // Written out, not joined: joining would take off the slash that marks a directory.
        for base in [places.settings.clone(), format!("{work_tree}/.sekisho"), format!("{}/.sekisho", context.workspace)] {
            patterns.extend(["policy.json", "hooks.json", "hooks/", "rules/"].map(|name| format!("{base}/{name}")));
        }
        patterns.push(format!("{}/", places.state));
        patterns.extend(places.binary.clone());
        for agent in crate::tables::AGENT_FILES {
            patterns.extend(agent.user.iter().map(|pattern| format!("{home}/{pattern}")));
            for root in [work_tree, context.workspace] {
                patterns.extend(agent.project.iter().map(|pattern| format!("{root}/{pattern}")));
            }
            patterns.extend(agent.system.iter().map(|pattern| (*pattern).to_owned()));
        }
        Self { settings: places.settings.clone(), patterns }
    }

    fn is_protected(&self, candidate: &str) -> bool {
        candidate == self.settings
            || self.patterns.iter().any(|pattern| match pattern.strip_suffix('/') {
                Some(directory) => path::is_within(candidate, directory),
                None => candidate == pattern,
            })
            || is_project_file(candidate)
    }

    fn has_below(&self, host: &dyn Host, candidate: &str) -> bool {
        path::is_within(&self.settings, candidate)
            || self.patterns.iter().any(|pattern| {
                let pattern = pattern.trim_end_matches('/');
                path::is_within(pattern, candidate) && host.entry(pattern).is_some()
            })
    }

    fn selected_by(&self, host: &dyn Host, pattern: &str, whole_tree: bool) -> bool {
        let mut at = Some(format!("{}/policy.json", self.settings));
        while let Some(candidate) = at {
            if !path::is_root(&candidate) && glob_matches_path(pattern, &candidate) {
                return whole_tree || candidate.ends_with("/policy.json");
            }
            at = path::parent(&candidate).map(str::to_owned);
        }
        self.patterns
            .iter()
            .map(|protected| protected.trim_end_matches('/'))
            .any(|protected| glob_matches_path(pattern, protected) && host.entry(protected).is_some())
    }

    /// A search looks for a protected file by its own name. Patterns that many files match are left to what the search does.
    fn named_by(&self, host: &dyn Host, search: &crate::facts::Search) -> bool {
        let settings = format!("{}/policy.json", self.settings);
        let existing = self.patterns.iter().filter(|pattern| !pattern.ends_with('/') && host.entry(pattern).is_some());
        existing.chain(std::iter::once(&settings)).any(|file| {
            let below = search.roots.iter().any(|root| root.canonical.as_deref().is_some_and(|root| path::is_within(file, root)));
            let name = path::file_name(file).unwrap_or_default();
            below && search.selection.names.iter().any(|wanted| wanted.rsplit('/').next() == Some(name))
        })
    }

    /// How `fact` touches a protected file in a way that is refused.
    pub fn touched_by(&self, host: &dyn Host, fact: &Fact<'_>) -> Option<Touch> {
        if matches!(fact.scope, Scope::Remote) {
            return None;
        }
        let (targets, whole_tree): (&[Option<&crate::target_class::Classified>], bool) = match &fact.effect.kind {
            EffectKind::Write(..) => (&[Some(&fact.target)], false),
            EffectKind::Touch(_) => (&[Some(&fact.target)], false),
            EffectKind::Delete { recursive, .. } => (&[Some(&fact.target)], *recursive),
            EffectKind::Permissions { recursive, .. } => (&[Some(&fact.target)], *recursive),
            EffectKind::Move { .. } => (&[Some(&fact.target), fact.second.as_ref()], true),
            _ => return None,
        };
        // A search that is narrowed by name leaves the directory above our files alone.
        let narrowed = fact.search.as_ref().is_some_and(|search| !search.selection.names.is_empty() || search.selection.empty_only);
        let whole_tree = whole_tree && !narrowed;
        if narrowed && fact.search.as_ref().is_some_and(|search| self.named_by(host, search)) {
            return Some(Touch::Itself);
        }
        let source_of_move = matches!(fact.effect.kind, EffectKind::Move { .. });
        for (index, target) in targets.iter().enumerate() {
            let Some(target) = target else { continue };
            // The destination of a move replaces a file; it does not take a tree away.
            let whole_tree = whole_tree && (!source_of_move || index == 0);
            for place in [target.canonical.as_deref(), target.lexical.as_deref()].into_iter().flatten() {
                if target.is_pattern {
                    if self.selected_by(host, place, whole_tree) {
                        return Some(if whole_tree { Touch::Ancestor } else { Touch::Itself });
                    }
                } else if self.is_protected(place) {
                    return Some(Touch::Itself);
                } else if whole_tree && self.has_below(host, place) {
                    return Some(Touch::Ancestor);
                }
            }
        }
        None
    }
}

/// A project's own policy or hooks, in whatever project.
fn is_project_file(candidate: &str) -> bool {
    let mut components = candidate.rsplit('/');
    let name = components.next().unwrap_or_default();
    let directory = components.next().unwrap_or_default();
    directory == ".sekisho" && matches!(name, "policy.json" | "hooks.json")
        || candidate.contains("/.sekisho/hooks/")
        || candidate.contains("/.sekisho/rules/")
        || glob_matches("settings*.json", name) && directory == ".claude"
}
