//! Limits on what an agent may send us. Exactly at a limit passes; one more fails closed.

/// Bytes of standard input a hook process reads.
pub const STDIN_BYTES: usize = 8 * 1024 * 1024;
/// Nesting of objects and arrays; the root object is depth 1, scalars do not count.
pub const DEPTH: usize = 64;
/// JSON values visited, scalars included.
pub const VALUES: usize = 10_000;
/// Keys of objects and indices of arrays.
pub const KEYS: usize = 10_000;
/// Bytes of one string.
pub const STRING_BYTES: usize = 1024 * 1024;
/// Bytes of all strings together.
pub const TOTAL_STRING_BYTES: usize = 4 * 1024 * 1024;
/// Ways to split an ambiguous `diff --git a b` header that are tried.
pub const DIFF_HEADER_SPLITS: usize = 64;
/// Characters of a reason that an agent is shown.
pub const REASON_CHARACTERS: usize = 2_000;
