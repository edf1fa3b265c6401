//! The local audit log: one line of JSON for each decision, on this machine, readable by its owner alone.
//!
//! `<state>/logs/<working directory>/<YYYY-MM>/<YYYY-MM-DD>-<session>.jsonl`; times are UTC. Text is redacted before it is cut and
//! cut before it is written. A log that cannot be written never changes a decision: [`append`] says what went wrong, and callers
//! go on. Links are never followed below `logs`.
//!
//! ```no_run
//! # use std::{path::Path, time::Duration};
//! # fn example(call: &sekisho_verdict::ToolCall, decision: &sekisho_verdict::Decision) -> std::io::Result<()> {
//! use sekisho_journal::{Filter, Record, append, list};
//!
//! let state = Path::new("/home/dev/.local/state/sekisho");
//! append(state, &Record::from_decision(call, decision, Duration::from_micros(40)))?;
//! for record in list(state, &Filter { limit: 20, ..Filter::default() })? {
//!     println!("{} {} {}", record.ts, record.verdict.word(), record.command.unwrap_or_default());
//! }
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

mod place;
mod read;
mod record;
mod retention;
mod time;
mod write;

pub use read::{Filter, list, show};
pub use record::{Record, SCHEMA};
pub use retention::sweep;
pub use write::{append, append_and_sweep};

#[cfg(test)]
mod tests;
