//! Writes decisions to the local audit log. A log that cannot be written never changes a decision.

use std::path::Path;
use std::time::Duration;

use sekisho_journal::{Record, append_and_sweep};
use sekisho_verdict::{Decision, ToolCall, Verdict};

use crate::views::Views;

/// Appends one record per place the log is kept in.
pub fn append(views: &Views, call: &ToolCall, decision: &Decision, took: Duration) {
    if !is_recorded(decision) {
        return;
    }
    let record = Record::from_decision(call, decision, took);
    let state = views.main.places.state.as_str();
    let _ = match views.main.retention_days.get() {
        Some(days) => append_and_sweep(Path::new(state), &record, days),
        None => sekisho_journal::append(Path::new(state), &record),
    };
    // Whoever looks where the environment says finds it too.
    if let Some(other) = views.environment.as_ref().map(|view| view.places.state.as_str()).filter(|other| *other != state) {
        let _ = sekisho_journal::append(Path::new(other), &record);
    }
}

/// `SEKISHO_AUDIT_SCOPE=blocked` leaves out abstentions; an allow is always recorded.
fn is_recorded(decision: &Decision) -> bool {
    decision.verdict != Verdict::Abstain || std::env::var_os("SEKISHO_AUDIT_SCOPE").is_none_or(|scope| scope != "blocked")
}
