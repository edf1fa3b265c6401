//! Limits of parsing. Compile-time, the same everywhere, reached by counting and never by running out of stack.

/// Longest source text, in UTF-16 code units (so that the limit agrees with hosts written in JavaScript).
pub const SOURCE_UTF16_UNITS: usize = 131_072;
/// Most words in one program, nested programs included.
pub const WORDS: usize = 16_384;
/// Deepest nesting of groups, compound commands, substitutions, functions, `${…}` and `$((…))`.
pub const NESTING: usize = 64;
