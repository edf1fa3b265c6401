//! What is known of a command's input or output.

use crate::argument::Value;
use crate::effect::Selection;

/// The bytes on a pipe, as far as they are known before the commands run.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Stream {
    /// Nothing flows (the terminal, `/dev/null`).
    #[default]
    Nothing,
    /// Exactly this text, final newline included.
    Known(String),
    /// Words or lines that are values (`echo "$x" y`): joined by spaces, ended by a newline.
    Words(Vec<Value>),
    /// Paths below these roots, one a line or NUL-separated.
    Paths {
        /// Where the search starts.
        roots: Vec<Value>,
        /// What it selects.
        selection: Selection,
    },
    /// One fresh temporary path.
    TemporaryPath,
    /// Fetched from the network.
    Remote,
    /// Decoded from something unknown.
    Decoded,
    /// The content of this file.
    FileContent(String),
    /// Something not known.
    Unknown,
}
