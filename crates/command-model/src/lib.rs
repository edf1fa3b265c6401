//! What programs do with their words.
//!
//! [`understand`] takes one simple command (its words already expanded as far as they can be known) and says what it would
//! do: its [`effect::Effect`]s, what it runs in turn ([`carried::Carried`]), and what is known of its output
//! ([`stream::Stream`]). Most programs are data in `programs/*.toml`, compiled into tables at build time; the few that a table
//! cannot express have a small analyzer in [`mod@programs`].
//!
//! This crate knows no rule and no verdict, follows no shell state and touches nothing but what it is given.
#![forbid(unsafe_code)]

pub mod argument;
pub mod carried;
pub mod catalog;
pub mod description;
pub mod effect;
pub mod inline;
pub mod option_grammar;
pub mod programs;
pub mod stream;

pub use argument::{Argument, Cause, Partial, Provenance, Value};
pub use carried::{Carried, Change, Scope, ShellStart};
pub use catalog::{Invocation, Understood, understand};
pub use effect::{Effect, EffectKind, Family, Origin, Target, VcsOperation, WriteMode};
pub use option_grammar::{Grammar, OptionSpec, Parsed, ValueArity};
pub use stream::Stream;
