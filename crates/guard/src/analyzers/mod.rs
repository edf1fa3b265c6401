//! Conditions of rules that the closed matchers cannot say. Each is named in a rule file as `code = "name"`.

mod changes;
mod deletes;
mod execution;
mod searches;
mod services;

pub use changes::*;
pub use deletes::*;
pub use execution::*;
pub use searches::*;
pub use services::*;

use sekisho_command_model::{EffectKind, Family};

use crate::facts::Fact;
use crate::matcher::Outcome;

fn delete(fact: &Fact<'_>) -> Option<(bool, bool)> {
    match fact.effect.kind {
        EffectKind::Delete { recursive, force, .. } => Some((recursive, force)),
        _ => None,
    }
}

fn outcome(holds: bool) -> Option<Outcome> {
    holds.then_some(Outcome::AsWritten)
}

fn is_plain_delete(fact: &Fact<'_>) -> bool {
    matches!(
        fact.effect.family,
        Family::Rm | Family::General | Family::FindDelete | Family::FindExec | Family::Xargs | Family::Parallel
    )
}
