//! Paths against a [`crate::Host`]: links followed, within budgets.
