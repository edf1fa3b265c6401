//! The POSIX/bash parser.
//!
//! One pass of recursive descent over bytes, without a separate token stream: in shell grammar the meaning of a byte depends on
//! the construct around it, so each construct reads its own text. It follows bash 5.2 with its default options for `bash -c`.
//!
//! The parser never expands anything and never gives up: after an error it records an [`Issue`], keeps what
//! it has and goes on reading commands, because a command that a shell would see must not become invisible here.
//!
//! ```
//! use sekisho_shell_syntax::{posix, tree::Status};
//!
//! let program = posix::parse("git status && rm -rf \"$dir\"");
//! assert_eq!(program.status, Status::Complete);
//! assert_eq!(program.simple_commands().count(), 2);
//! ```
//!
//! Source: bash(1) 5.2, SHELL GRAMMAR; POSIX.1-2017 XCU 2.

mod ansi;
mod arithmetic;
mod assignment;
mod brace;
mod compound;
mod conditional;
mod cursor;
mod expansion;
mod heredoc;
mod list;
mod parameter;
mod parts;
mod pattern;
mod quoted;
mod redirection;
mod reserved;
mod simple;
mod word;

use crate::budget;
use crate::span::Span;
use crate::tree::{Dialect, Issue, IssueCode, List, Program, Status};

/// Reads `source` as POSIX shell or bash. Never fails: [`Program::status`] says how much was understood.
pub fn parse(source: &str) -> Program {
    if exceeds_length(source) {
        let span = Span::new(0, 0);
        return Program {
            dialect: Dialect::Posix,
            status: Status::Limited,
            issues: vec![Issue { code: IssueCode::SourceTooLong, span }],
            body: List::default(),
            word_count: 0,
        };
    }
    let mut parser = cursor::Parser::new(source);
    let body = parser.program();
    parser.finish(body)
}

/// The limit counts UTF-16 units; a text of few enough bytes cannot exceed it, so that counting is rare.
fn exceeds_length(source: &str) -> bool {
    source.len() > budget::SOURCE_UTF16_UNITS && source.encode_utf16().count() > budget::SOURCE_UTF16_UNITS
}
