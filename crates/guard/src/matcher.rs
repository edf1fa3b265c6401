//! When a rule matches: a closed set of conditions over one effect of one execution.

use sekisho_command_model::{EffectKind, Family, Origin, WriteMode};

use crate::facts::{Fact, Facts};
use crate::target_class::TargetClass;

/// When a rule matches. Empty lists match anything.
#[derive(Debug)]
pub enum Matcher {
    /// Never by itself: a stage of the pipeline gives the rule. The words say which.
    Stage(&'static [&'static str]),
    /// A version-control operation by name.
    Vcs(&'static [&'static str]),
    /// A delete.
    Delete {
        /// By these families.
        families: &'static [Family],
        /// Of these targets.
        classes: &'static [TargetClass],
        /// Recursive or not.
        recursive: Option<bool>,
        /// With force or not.
        force: Option<bool>,
    },
    /// A write.
    Write {
        /// By these families.
        families: &'static [Family],
        /// To these targets.
        classes: &'static [TargetClass],
        /// In these ways.
        modes: &'static [WriteMode],
    },
    /// A change of permissions, owner or attributes.
    Permissions {
        /// Of these targets.
        classes: &'static [TargetClass],
        /// Recursive or not.
        recursive: Option<bool>,
    },
    /// Code from these origins runs.
    Execute(&'static [Origin]),
    /// An operation on a service.
    Service {
        /// These services.
        services: &'static [&'static str],
        /// These operations.
        operations: &'static [&'static str],
    },
    /// A change to the system.
    System(&'static [&'static str]),
    /// A signal.
    Process {
        /// To many processes.
        broad: Option<bool>,
    },
    /// Secrets are printed.
    Disclose(&'static [&'static str]),
    /// A small function decides.
    Code(fn(&Fact<'_>, &Facts<'_>) -> Option<Outcome>),
}

/// How a rule matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// With the verdict its file names.
    AsWritten,
    /// Milder than its file names: it asks (or says what its file names for `fail_closed`).
    Ask,
    /// Stricter than its file names: it denies.
    Deny,
}

fn any<T: PartialEq>(list: &[T], item: &T) -> bool {
    list.is_empty() || list.contains(item)
}

fn agrees(wanted: Option<bool>, is: bool) -> bool {
    wanted.is_none_or(|wanted| wanted == is)
}

impl Matcher {
    /// Whether and how the rule matches this effect.
    pub fn matches(&self, fact: &Fact<'_>, facts: &Facts<'_>) -> Option<Outcome> {
        if let Self::Code(decide) = self { decide(fact, facts) } else { self.holds(fact).then_some(Outcome::AsWritten) }
    }

    fn holds(&self, fact: &Fact<'_>) -> bool {
        let family = fact.effect.family;
        match (self, &fact.effect.kind) {
            (Self::Vcs(names), EffectKind::Vcs(operation)) => names.contains(&operation.name),
            (Self::Delete { families, classes, recursive, force }, EffectKind::Delete { recursive: deep, force: forced, .. }) => {
                any(families, &family) && any(classes, &fact.class) && agrees(*recursive, *deep) && agrees(*force, *forced)
            }
            (Self::Write { families, classes, modes }, EffectKind::Write(_, mode)) => {
                any(families, &family) && any(classes, &fact.class) && any(modes, mode)
            }
            (Self::Permissions { classes, recursive }, EffectKind::Permissions { recursive: deep, .. }) => {
                any(classes, &fact.class) && agrees(*recursive, *deep)
            }
            (Self::Execute(origins), EffectKind::Execute { origin, .. }) => origins.contains(origin),
            (Self::Service { services, operations }, EffectKind::Service { service, operation, .. }) => {
                any(services, &service.as_str()) && any(operations, &operation.as_str())
            }
            (Self::System(operations), EffectKind::System(operation)) => operations.contains(&operation.as_str()),
            (Self::Process { broad }, EffectKind::Process { broad: is, .. }) => agrees(*broad, *is),
            (Self::Disclose(subjects), EffectKind::Disclose(subject)) => any(subjects, &subject.as_str()),
            _ => false,
        }
    }
}
