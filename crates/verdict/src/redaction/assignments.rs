//! Secrets that are known by the name before them: assignments, data, headers, options.

use super::values::{self, Syntax};
use super::{Span, names};

/// A run of name characters and where it stands.
struct Name<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    /// `-` characters before it.
    dashes: usize,
}

/// `NAME=value`, `"name": "value"`, `name = value`, `--name value`, `Header: value`, `Bearer value`, `login x password y`.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes.get(at).is_some_and(|byte| is_name_byte(*byte)) {
            at += 1;
            continue;
        }
        let end = at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_name_byte(**byte)).count();
        let name = name(text, at, end);
        at = match name.and_then(|name| value_of(bytes, &name)) {
            Some(span) => {
                let next = span.end.max(end);
                spans.push(span);
                next
            }
            None => end,
        };
    }
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

fn name(text: &str, start: usize, end: usize) -> Option<Name<'_>> {
    let run = text.get(start..end)?;
    // The letter of an escape (`\n`, `\t`) is not part of the name behind it.
    let escaped = start.checked_sub(1).and_then(|before| text.as_bytes().get(before)) == Some(&b'\\');
    let run = if escaped { run.get(1..)? } else { run };
    let bare = run.trim_start_matches('-');
    (!bare.is_empty()).then(|| Name { text: bare, start: end - bare.len(), end, dashes: run.len() - bare.len() })
}

fn value_of(bytes: &[u8], name: &Name<'_>) -> Option<Span> {
    let (separator, after) = separator(bytes, name.end)?;
    match separator {
        Separator::Equals { spaced: false } if name.dashes == 0 && names::is_assigned(name.text) => {
            values::at(bytes, after, Syntax::Word)
        }
        Separator::Equals { spaced: false } if name.dashes > 0 && names::is_named(name.text) => {
            values::at(bytes, after, Syntax::Word)
        }
        Separator::Colon if names::is_header(name.text) => header_value(bytes, name, after),
        Separator::Equals { .. } | Separator::Colon if names::is_named(name.text) => data_value(bytes, name, after),
        Separator::Space if name.text.eq_ignore_ascii_case("bearer") => bearer(bytes, after),
        Separator::Space if name.dashes > 0 && names::is_named(name.text) => option_value(bytes, after),
        Separator::Space if is_keyword(bytes, name) => values::at(bytes, after, Syntax::Word),
        _ => None,
    }
}

enum Separator {
    Equals { spaced: bool },
    Colon,
    Space,
}

/// What stands between a name and its value, and where the value begins. Closing quotes and brackets of the name are passed over:
/// `"token": x`, `environ["TOKEN"] = x`.
fn separator(bytes: &[u8], end: usize) -> Option<(Separator, usize)> {
    let closers = bytes.get(end..)?.iter().take(4).take_while(|byte| matches!(byte, b'"' | b'\'' | b']' | b'\\' | b'`')).count();
    let closed = end + closers;
    let spaces = spaces(bytes, closed);
    let at = closed + spaces;
    match bytes.get(at..)? {
        [b'=', b'=', ..] | [b':', b':', ..] | [b':', b'/', b'/', ..] => None,
        [b'=', b'>', ..] | [b':', b'=', ..] => Some((Separator::Colon, at + 2 + self::spaces(bytes, at + 2))),
        [b'=', ..] => {
            let after = self::spaces(bytes, at + 1);
            let spaced = spaces > 0 || closers > 0 || after > 0;
            Some((Separator::Equals { spaced }, at + 1 + after))
        }
        // The separator of an address inside an address.
        [b'%', b'3', b'd' | b'D', ..] => Some((Separator::Equals { spaced: false }, at + 3)),
        [b':', ..] => Some((Separator::Colon, at + 1 + self::spaces(bytes, at + 1))),
        [] => None,
        _ if spaces > 0 && closers == 0 => Some((Separator::Space, at)),
        _ => None,
    }
}

/// Spaces and tabs; a backslash before a space is part of them (`Authorization:\ Bearer`).
fn spaces(bytes: &[u8], from: usize) -> usize {
    let mut count = 0;
    while let Some(rest) = bytes.get(from + count..) {
        match rest {
            [b' ' | b'\t', ..] => count += 1,
            [b'\\', b' ', ..] => count += 2,
            _ => break,
        }
    }
    count
}

fn data_value(bytes: &[u8], name: &Name<'_>, at: usize) -> Option<Span> {
    let span = values::at(bytes, at, Syntax::Data)?;
    let value = bytes.get(span.clone())?;
    let counts = names::may_count(name.text) && value.len() < 10 && value.iter().all(u8::is_ascii_digit);
    let says_nothing = [b"true".as_slice(), b"false", b"null", b"none", b"None", b"nil"].contains(&value);
    if counts || says_nothing {
        return None;
    }
    // `token: Bearer abc`
    let scheme = [b"bearer".as_slice(), b"basic", b"token"].iter().any(|scheme| value.eq_ignore_ascii_case(scheme));
    let next = span.end + spaces(bytes, span.end);
    match values::at(bytes, next, Syntax::Data) {
        Some(rest) if scheme && next > span.end => Some(span.start..rest.end),
        _ => Some(span),
    }
}

/// The rest of a header: to the quote its name stands behind, else to any quote or the end of the line.
fn header_value(bytes: &[u8], name: &Name<'_>, at: usize) -> Option<Span> {
    if matches!(bytes.get(at..)?, [b'"' | b'\'', ..] | [b'\\', b'"', ..]) {
        return values::at(bytes, at, Syntax::Data);
    }
    let opened =
        name.start.checked_sub(1).and_then(|before| bytes.get(before)).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let rest = bytes.get(at..)?;
    let length = rest.iter().take_while(|byte| match opened {
        Some(quote) => **byte != quote,
        None => !matches!(byte, b'"' | b'\'' | b'\n' | b'\r'),
    });
    let length = length.count();
    let value = rest.get(..length)?;
    // The backslash of `\"`.
    let length = if value.last() == Some(&b'\\') { length - 1 } else { length };
    (length > 0 && !value.starts_with(super::REPLACEMENT.as_bytes())).then(|| at..at + length)
}

/// Source: RFC 6750 §2.1: letters, digits and `-._~+/=`.
fn bearer(bytes: &[u8], at: usize) -> Option<Span> {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(byte);
    let rest = bytes.get(at..)?;
    let value = rest.get(..rest.iter().take_while(|byte| is_token(byte)).count())?;
    // "bearer authentication" is prose.
    let random =
        value.len() >= 20 || value.len() >= 6 && value.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    random.then(|| at..at + value.len())
}

fn option_value(bytes: &[u8], at: usize) -> Option<Span> {
    match bytes.get(at) {
        Some(b'-') | None => None,
        Some(_) => values::at(bytes, at, Syntax::Word),
    }
}

/// `login x password y` of `.netrc`, `WITH PASSWORD 'x'` and `IDENTIFIED BY 'x'` of SQL.
fn is_keyword(bytes: &[u8], name: &Name<'_>) -> bool {
    let by = name.text.eq_ignore_ascii_case("by");
    if !by && !name.text.eq_ignore_ascii_case("password") {
        return false;
    }
    let next = bytes.get(name.end + spaces(bytes, name.end));
    let quoted = matches!(next, Some(b'\'' | b'"'));
    let before = bytes.get(..name.start).unwrap_or_default().trim_ascii_end();
    if by {
        return quoted && ends_with_word(before, b"identified");
    }
    // `login <user> password`: the word before the user.
    let user = before.iter().rev().take(64).take_while(|byte| !byte.is_ascii_whitespace()).count();
    let earlier = before.get(..before.len() - user).unwrap_or_default().trim_ascii_end();
    quoted || ends_with_word(earlier, b"login")
}

fn ends_with_word(bytes: &[u8], word: &[u8]) -> bool {
    let end = bytes.len().checked_sub(word.len()).and_then(|at| bytes.get(at..));
    end.is_some_and(|end| end.eq_ignore_ascii_case(word))
}
