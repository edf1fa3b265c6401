//! The command line of Sekisho, as a library so that tests can call what the binary calls.
//!
//! One file per command in [`commands`]; [`batch`] is what `check --batch` does to one line; [`engine`] is the one way from a
//! tool call to a decision.
#![forbid(unsafe_code)]

pub mod audit;
pub mod batch;
pub mod commands;
pub mod engine;
pub mod exit;
pub mod output;
pub mod real_host;
pub mod terminal;
pub mod views;
