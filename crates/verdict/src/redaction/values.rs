//! Where a value ends that stands behind a name.

use super::Span;

/// How a value is written down around it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    /// A word of a shell or a parameter of an address.
    Word,
    /// A value of YAML, JSON or a program: a comma or closing bracket ends it too.
    Data,
}

/// The piece to take out of a value that begins at `at`. `None` where nothing is there, or only a reference to a variable.
///
/// Quotes around the whole value stay. A quoted value that is never closed goes to the end of the text.
pub(super) fn at(bytes: &[u8], at: usize, syntax: Syntax) -> Option<Span> {
    let rest = bytes.get(at..)?;
    let span = match rest {
        [b'\\', quote @ (b'"' | b'\''), ..] => at + 2..closing_escaped(bytes, at + 2, *quote),
        [quote @ (b'"' | b'\'' | b'`'), ..] => {
            let end = closing(bytes, at + 1, *quote);
            // `'a'"b"c`: pieces of one shell word.
            if syntax == Syntax::Word { at + 1..after_pieces(bytes, end) } else { at + 1..end }
        }
        [b'$', b'\'', ..] => at + 2..closing(bytes, at + 2, b'\''),
        _ => at..word_end(bytes, at, syntax),
    };
    let value = bytes.get(span.clone())?;
    (!value.is_empty() && !is_reference(value) && !value.starts_with(super::REPLACEMENT.as_bytes())).then_some(span)
}

/// The next `quote` that no backslash precedes, or the end.
fn closing(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match byte {
            // Between single quotes a backslash is itself, but `\'` there still ends nothing that could be cut shorter safely.
            b'\\' if quote != b'\'' => at += 2,
            byte if *byte == quote => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The next `\"` (a quote inside quoted text), a bare quote, or the end.
fn closing_escaped(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        match rest {
            [b'\\', b'\\', ..] => at += 2,
            [b'\\', other, ..] if *other == quote => return at,
            [other, ..] if *other == quote => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Behind the closing quote at `end`: where the word goes on, its end; where it does not, the quote itself.
fn after_pieces(bytes: &[u8], end: usize) -> usize {
    match bytes.get(end + 1) {
        Some(byte) if !ends_word(*byte, Syntax::Word) && !matches!(byte, b',' | b':' | b'}' | b']' | b'\\') => {
            word_end(bytes, end + 1, Syntax::Word)
        }
        _ => end.min(bytes.len()),
    }
}

const fn ends_word(byte: u8, syntax: Syntax) -> bool {
    byte.is_ascii_whitespace()
        || matches!(byte, b';' | b'|' | b'&' | b'<' | b'>' | b')' | b'\0')
        || matches!((syntax, byte), (Syntax::Data, b',' | b'}' | b']'))
}

/// The end of an unquoted value. Quoted pieces and command substitutions inside it belong to it; a quote behind which nothing of the
/// word follows closes something that began before.
fn word_end(bytes: &[u8], from: usize, syntax: Syntax) -> usize {
    let mut at = from;
    while let Some(byte) = bytes.get(at).copied() {
        match byte {
            b'$' if bytes.get(at + 1) == Some(&b'(') => at = parenthesis_end(bytes, at + 2),
            b'\\' if bytes.get(at + 1) == Some(&b'"') && closes_outer(bytes, at + 2) => return at,
            b'\\' => at += 2,
            b'"' | b'\'' | b'`' if closes_outer(bytes, at + 1) => return at,
            b'"' | b'\'' | b'`' => at = closing(bytes, at + 1, byte) + 1,
            _ if ends_word(byte, syntax) => return at,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn closes_outer(bytes: &[u8], next: usize) -> bool {
    bytes.get(next).is_none_or(|byte| ends_word(*byte, Syntax::Data) || matches!(byte, b':' | b'"' | b'\''))
}

/// One past the `)` that closes a substitution. Counting stands in for parsing: too much is better than too little.
fn parenthesis_end(bytes: &[u8], from: usize) -> usize {
    let mut depth: usize = 1;
    for (offset, byte) in bytes.get(from..).unwrap_or_default().iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return from + offset + 1;
        }
    }
    bytes.len()
}

/// `$NAME`, `${NAME}`, `%NAME%`, `$env:NAME` in capitals: says where a secret is, not what it is.
fn is_reference(value: &[u8]) -> bool {
    let name = match value {
        [b'$', b'{', name @ .., b'}'] | [b'$', b'e', b'n', b'v', b':', name @ ..] | [b'%', name @ .., b'%'] | [b'$', name @ ..] => {
            name
        }
        _ => return false,
    };
    !name.is_empty() && name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}
