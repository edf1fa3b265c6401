//! Tokens of inline code, the same for every language.

use std::rc::Rc;

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token {
    /// What it is.
    pub kind: Kind,
    /// White space stands before it.
    pub spaced: bool,
}

/// The kinds of token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// An identifier, sigil included (`$x`, `@list`); `` ` `` where a language's backticks run a command.
    Name(Rc<str>),
    /// A number as written.
    Number(Rc<str>),
    /// A string whose text is known.
    Text(Rc<str>),
    /// A literal whose value is nothing to us: a regular expression, a here-document with expressions in it.
    Opaque,
    /// A string with expressions in it begins. Its parts follow, separated by [`Kind::Join`].
    TemplateOpen,
    /// It ends.
    TemplateClose,
    /// Between the parts of a template.
    Join,
    /// `(`, `[` or `{`.
    Open(u8),
    /// `)`, `]` or `}`.
    Close(u8),
    /// `,`.
    Comma,
    /// `;`.
    Semicolon,
    /// The end of a line.
    Line,
    /// Anything else.
    Operator(&'static str),
}
