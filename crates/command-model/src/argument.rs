//! Words of a command as far as they are known before it runs.

use sekisho_shell_syntax::span::Span;

/// One word given to a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Argument {
    /// What is known of its text.
    pub value: Value,
    /// Some part of it was quoted.
    pub quoted: bool,
    /// Where it stands in the text that was parsed (empty where it was made, not written).
    pub span: Span,
}

impl Argument {
    /// A word whose text is known and was written as such.
    pub fn literal(text: impl Into<String>) -> Self {
        Self { value: Value::Known { text: text.into(), provenance: Provenance::Literal }, quoted: false, span: Span::default() }
    }

    /// A word with this value.
    pub fn with(value: Value, span: Span) -> Self {
        Self { value, quoted: false, span }
    }

    /// The text, if it is one known string.
    pub fn known(&self) -> Option<&str> {
        self.value.known()
    }

    /// It may be read as an option by the program: it is known and begins with `-`, or it is not known and may.
    pub fn may_be_option(&self) -> bool {
        match &self.value {
            Value::Known { text, .. } => text.len() > 1 && text.starts_with('-'),
            Value::Glob { pattern } => pattern.starts_with('-'),
            Value::Dynamic(partial) => partial.may_begin_with_dash(),
        }
    }
}

/// What is known of a word's text.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// One string.
    Known {
        /// The string.
        text: String,
        /// How it is known.
        provenance: Provenance,
    },
    /// An unquoted pattern: whatever exists and matches. Literal metacharacters are escaped with a backslash.
    Glob {
        /// The pattern (`*.o`, `/home/*`, `.env*`).
        pattern: String,
    },
    /// Not known.
    Dynamic(Partial),
}

impl Value {
    /// A string written as such.
    pub fn literal(text: impl Into<String>) -> Self {
        Self::Known { text: text.into(), provenance: Provenance::Literal }
    }

    /// The text, if it is one known string.
    pub fn known(&self) -> Option<&str> {
        match self {
            Self::Known { text, .. } => Some(text),
            _ => None,
        }
    }

    /// How it is known.
    pub fn provenance(&self) -> Provenance {
        match self {
            Self::Known { provenance, .. } => *provenance,
            Self::Glob { .. } => Provenance::Glob,
            Self::Dynamic(_) => Provenance::Dynamic,
        }
    }

    /// Text to show: the string, the pattern, or what is known around a `…`.
    pub fn display(&self) -> String {
        match self {
            Self::Known { text, .. } => text.clone(),
            Self::Glob { pattern } => pattern.clone(),
            Self::Dynamic(partial) => partial.display(),
        }
    }

    /// The value without its first `bytes` bytes, as for a glued option value (`-ofile`); `None` where they are not known.
    pub fn without_prefix(&self, prefix: &str) -> Option<Self> {
        match self {
            Self::Known { text, provenance } => {
                text.strip_prefix(prefix).map(|rest| Self::Known { text: rest.to_owned(), provenance: *provenance })
            }
            Self::Glob { pattern } => pattern.strip_prefix(prefix).map(|rest| Self::Glob { pattern: rest.to_owned() }),
            Self::Dynamic(partial) => partial
                .prefix
                .strip_prefix(prefix)
                .map(|rest| Self::Dynamic(Partial { prefix: rest.to_owned(), ..partial.clone() })),
        }
    }
}

/// How a text is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Provenance {
    /// Written as such, whatever the quoting.
    Literal,
    /// From tracked state: a variable, `$HOME`, a loop word, a resolved substitution.
    Known,
    /// A pattern.
    Glob,
    /// Not known.
    Dynamic,
}

/// What is still known of a word that is not.
#[derive(Debug, Clone, PartialEq)]
pub struct Partial {
    /// Text it begins with.
    pub prefix: String,
    /// Text it ends with.
    pub suffix: String,
    /// Why it is not known.
    pub cause: Cause,
    /// The unknown part may be empty.
    pub may_be_empty: bool,
    /// It is not quoted: it may become several words or none, and be globbed.
    pub may_split: bool,
    /// A `*` or other glob character stands unquoted somewhere in it (`"$X"/*`).
    pub globbed: bool,
    /// What stands in place of the unknown part where that is empty or unset (`${X:-build}`).
    pub otherwise: Option<String>,
}

impl Partial {
    /// Nothing known, for this reason; one word.
    pub fn unknown(cause: Cause) -> Self {
        Self {
            prefix: String::new(),
            suffix: String::new(),
            cause,
            may_be_empty: true,
            may_split: false,
            globbed: false,
            otherwise: None,
        }
    }

    /// It may be read as an option.
    pub fn may_begin_with_dash(&self) -> bool {
        if self.prefix.is_empty() {
            !matches!(self.cause, Cause::PathUnder { .. } | Cause::Temporary)
        } else {
            self.prefix.starts_with('-')
        }
    }

    /// Text to show.
    pub fn display(&self) -> String {
        let middle = match &self.cause {
            Cause::Variable(name) => format!("${{{name}}}"),
            Cause::Substitution => "$(…)".to_owned(),
            Cause::Input => "{}".to_owned(),
            Cause::PathUnder { .. } => "{}".to_owned(),
            Cause::Temporary => "…".to_owned(),
            Cause::Remote => "<fetched>".to_owned(),
            Cause::Scattered | Cause::Unknown => "…".to_owned(),
        };
        format!("{}{middle}{}", self.prefix, self.suffix)
    }
}

/// Why a word is not known.
#[derive(Debug, Clone, PartialEq)]
pub enum Cause {
    /// A variable nothing is known of.
    Variable(String),
    /// The output of a command that is not known.
    Substitution,
    /// A line or word read from standard input (xargs, parallel, `read`).
    Input,
    /// A path found below these places (find, fd, `git ls-files`), chosen by `selection`.
    PathUnder {
        /// Where the search starts.
        roots: Vec<Value>,
        /// What it selects.
        selection: crate::effect::Selection,
    },
    /// A fresh temporary path (`mktemp`): below the system's temporary directory.
    Temporary,
    /// Fetched from the network.
    Remote,
    /// Any number of words: more alternatives than are followed, or words split at separators that the text changed.
    Scattered,
    /// Anything else.
    Unknown,
}
