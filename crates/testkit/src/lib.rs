//! For tests: reads the decision cases of `cases/`, checks them, and keeps the lists of known gaps honest.
//!
//! A case that cannot be right yet stands in a list of known gaps with its reason. The list is checked from both sides: a case
//! that fails and is not listed is a failure, and so is a listed one that passes. `UPDATE_GAPS=1` rewrites the lists.
#![forbid(unsafe_code)]

pub mod case;
pub mod gaps;

use std::path::PathBuf;

/// A file of the repository, by its path from the top.
pub fn repository_file(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}
