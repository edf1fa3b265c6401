//! What people want.
//!
//! [`load`] reads the user's and the project's `policy.json` and `rules/rule.json` and makes a [`Snapshot`]: the policy in force
//! for one call, which nothing changes any more. The user's file says what it likes; a project's file and variables may only
//! tighten, and what they wanted weaker is listed.
//!
//! A configuration that is broken never denies by itself and never weakens: each bad field is noted with its line and replaced by
//! the protective default, a file that cannot be understood leaves the built-in rules at level `strict`, and every surface says so.
//!
//! Nothing here knows a rule, looks at a call, or writes a file.
#![forbid(unsafe_code)]

mod document;
mod load;
mod merge;
mod schema;
mod snapshot;
mod time;
mod wrappers;

pub use document::{Diagnostic, Scope};
pub use load::{Places, load};
pub use snapshot::{
    AskUnavailable, Capability, CapabilitySource, CapabilityState, IgnoredDelta, OnFailure, Override, Pack, PackState, Snapshot,
};

#[cfg(test)]
mod tests;
