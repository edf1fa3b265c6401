//! Reserved words and the classes of bytes.
//!
//! A reserved word counts only where a command may begin, unquoted and as a whole token (POSIX XCU 2.4). bash removes joined lines
//! before it compares, so `wh\<newline>ile` is one as well.

use super::cursor::Parser;

/// Reserved words of bash 5.2 (`parse.y`, `word_token_alist`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserved {
    If,
    Then,
    Elif,
    Else,
    Fi,
    Case,
    Esac,
    For,
    Select,
    While,
    Until,
    Do,
    Done,
    In,
    Function,
    Time,
    Coproc,
    OpenBrace,
    CloseBrace,
    Bang,
    OpenConditional,
    CloseConditional,
}

impl Reserved {
    /// Whether it begins a compound command, which a function body must be.
    pub(super) fn begins_compound(self) -> bool {
        matches!(
            self,
            Self::If | Self::Case | Self::For | Self::Select | Self::While | Self::Until | Self::OpenBrace | Self::OpenConditional
        )
    }

    /// Whether it can only continue or end a construct.
    pub(super) fn is_closing(self) -> bool {
        matches!(
            self,
            Self::Then
                | Self::Elif
                | Self::Else
                | Self::Fi
                | Self::Esac
                | Self::Do
                | Self::Done
                | Self::In
                | Self::CloseBrace
                | Self::CloseConditional
        )
    }
}

/// Longest reserved word.
const LONGEST: usize = 8;

impl Parser<'_> {
    /// The reserved word at the cursor and the offset after it.
    pub(super) fn reserved(&self) -> Option<(Reserved, usize)> {
        let mut offset = self.joined(self.position);
        if !matches!(
            self.byte(offset)?,
            b'i' | b't' | b'e' | b'f' | b'c' | b's' | b'w' | b'u' | b'd' | b'{' | b'}' | b'!' | b'[' | b']'
        ) {
            return None;
        }
        let mut letters = [0_u8; LONGEST];
        let mut length = 0;
        loop {
            match self.byte(offset) {
                Some(byte @ (b'a'..=b'z' | b'{' | b'}' | b'!' | b'[' | b']')) => {
                    *letters.get_mut(length)? = byte;
                    length += 1;
                    offset += 1;
                }
                Some(b'\\') => {
                    let next = self.joined(offset);
                    if next == offset {
                        return None;
                    }
                    offset = next;
                }
                Some(byte) if !is_meta(byte) => return None,
                _ => break,
            }
        }
        let word = match letters.get(..length)? {
            b"if" => Reserved::If,
            b"then" => Reserved::Then,
            b"elif" => Reserved::Elif,
            b"else" => Reserved::Else,
            b"fi" => Reserved::Fi,
            b"case" => Reserved::Case,
            b"esac" => Reserved::Esac,
            b"for" => Reserved::For,
            b"select" => Reserved::Select,
            b"while" => Reserved::While,
            b"until" => Reserved::Until,
            b"do" => Reserved::Do,
            b"done" => Reserved::Done,
            b"in" => Reserved::In,
            b"function" => Reserved::Function,
            b"time" => Reserved::Time,
            b"coproc" => Reserved::Coproc,
            b"{" => Reserved::OpenBrace,
            b"}" => Reserved::CloseBrace,
            b"!" => Reserved::Bang,
            b"[[" => Reserved::OpenConditional,
            b"]]" => Reserved::CloseConditional,
            _ => return None,
        };
        Some((word, offset))
    }

    /// Takes the reserved word `wanted` if it comes next.
    pub(super) fn take_reserved(&mut self, wanted: Reserved) -> bool {
        match self.reserved() {
            Some((found, after)) if found == wanted => {
                self.position = after;
                true
            }
            _ => false,
        }
    }
}

/// Whether `byte` ends a word when unquoted (bash(1), DEFINITIONS, metacharacter).
#[inline]
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

/// Whether `byte` can begin a variable name.
#[inline]
pub(super) fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// Whether `byte` can continue a variable name.
#[inline]
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
