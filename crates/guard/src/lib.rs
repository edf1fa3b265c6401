//! The decision about one tool call.
//!
//! [`decide`] runs the twelve ordered stages of [`pipeline`] over the call's facts: what its text would run, which effects that
//! has, which class each target belongs to. Rules are data (`rules/<area>/<name>.toml`, compiled into [`rules::RULES`]); the
//! few conditions a closed [`matcher::Matcher`] cannot say are small functions in [`analyzers`].
//!
//! The guard never grants: its best answer is [`Verdict::Abstain`](sekisho_verdict::Verdict::Abstain). It makes no network
//! request, writes nothing, and a failure inside it is a deny that names its stage.
#![forbid(unsafe_code)]

pub mod analyzers;
pub mod context;
pub mod facts;
pub mod git_metadata;
pub mod matcher;
pub mod mcp;
pub mod message;
pub mod patch;
pub mod pipeline;
pub mod protected;
pub mod raw_text;
pub mod records;
pub mod rules;
pub mod selection;
pub mod sensitive;
pub mod stages;
pub mod target_class;
pub mod worktree;

pub use context::{Context, Places};
pub use pipeline::decide;

/// Tables compiled from the data beside this crate.
mod tables {
    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}
