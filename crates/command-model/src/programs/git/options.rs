//! Shorthand for the option tables of the sub-commands.
//!
//! Options that change nothing a rule could care about share the ids of [`PLAIN`], so that an abbreviation which could mean
//! two of them is still known to be harmless.

use crate::option_grammar::{OptionSpec, ValueArity};

/// The id of options without a value that lose, write and run nothing.
pub(super) const PLAIN: &str = "plain";
/// The same for options with a value.
pub(super) const PLAIN_VALUE: &str = "plain-value";
/// The same for options whose value may be left out.
pub(super) const PLAIN_OPTIONAL: &str = "plain-optional";

/// An option without a value.
pub(super) const fn flag(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::None }
}

/// An option with a value.
pub(super) const fn value(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::Required }
}

/// An option whose value may be left out.
pub(super) const fn optional(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::Optional }
}

/// Harmless options without a value.
pub(super) const fn plain(names: &'static [&'static str]) -> OptionSpec {
    flag(PLAIN, names)
}

/// Harmless options with a value.
pub(super) const fn plain_value(names: &'static [&'static str]) -> OptionSpec {
    value(PLAIN_VALUE, names)
}

/// Harmless options whose value may be left out.
pub(super) const fn plain_optional(names: &'static [&'static str]) -> OptionSpec {
    optional(PLAIN_OPTIONAL, names)
}
