//! Programs that a table cannot express, one file (or folder) each.
//!
//! Each file holds `NAMES`, the programs it answers for, and `understand`.

use crate::catalog::{Invocation, Understood};

pub mod awk;
pub mod basics;
pub mod containers;
pub mod evaluation;
pub mod find;
pub mod git;
pub mod interpreters;
pub mod makefile;
pub mod parallel;
pub mod sed;
pub mod shells;
pub mod supplied;
pub mod text_carriers;
pub mod wrappers;
pub mod xargs;

/// An analyzer: the programs it answers for and its function.
pub type Analyzer = (&'static [&'static str], fn(&Invocation<'_>) -> Understood);

/// Every analyzer. A program stands in at most one.
pub const ANALYZERS: &[Analyzer] = &[
    (awk::NAMES, awk::understand),
    (basics::NAMES, basics::understand),
    (containers::NAMES, containers::understand),
    (evaluation::NAMES, evaluation::understand),
    (find::NAMES, find::understand),
    (git::NAMES, git::understand),
    (interpreters::NAMES, interpreters::understand),
    (parallel::NAMES, parallel::understand),
    (sed::NAMES, sed::understand),
    (shells::NAMES, shells::understand),
    (text_carriers::NAMES, text_carriers::understand),
    (wrappers::NAMES, wrappers::understand),
    (xargs::NAMES, xargs::understand),
];
