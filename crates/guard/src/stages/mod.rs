//! The stages of the guard, one file each. Their order is in [`crate::pipeline`].

pub mod budgets;
pub mod destructive;
pub mod git_metadata;
pub mod here_document;
pub mod policy_file;
pub mod sensitive_path;
