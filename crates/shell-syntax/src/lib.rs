//! Shell text to a syntax tree.
//!
//! This crate only reads: it never expands, never runs and never touches the outside world. [`posix::parse`] turns bash or
//! POSIX shell text into a [`tree::Program`]: real nodes for every compound command, words as parts with their quoting kept,
//! here-documents attached to their redirections, and a byte [`span::Span`] on everything.
//!
//! Text is hostile. The budgets of [`budget`] are counters, so neither the stack nor memory can be exhausted by input; what
//! exceeds one gives [`tree::Status::Limited`].
#![forbid(unsafe_code)]

pub mod budget;
pub mod posix;
pub mod render;
pub mod span;
pub mod tree;
pub mod walk;
