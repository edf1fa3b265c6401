//! Decodes `$'…'`.
//!
//! Source: bash(1) 5.2, QUOTING; `lib/sh/strtrans.c` for the corner cases.

/// What `$'…'` stands for.
pub(super) struct Decoded {
    /// The text the program will see.
    pub(super) text: String,
    /// An escape named a code point that does not exist.
    pub(super) invalid: bool,
}

/// Decodes the text between `$'` and its closing `'`.
pub(super) fn decode(raw: &str) -> Decoded {
    let mut bytes: Vec<u8> = Vec::with_capacity(raw.len());
    let mut invalid = false;
    let mut rest = raw.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let Some(escape) = rest.next() else {
            bytes.push(b'\\');
            break;
        };
        match escape {
            b'a' => bytes.push(0x07),
            b'b' => bytes.push(0x08),
            b'e' | b'E' => bytes.push(0x1B),
            b'f' => bytes.push(0x0C),
            b'n' => bytes.push(b'\n'),
            b'r' => bytes.push(b'\r'),
            b't' => bytes.push(b'\t'),
            b'v' => bytes.push(0x0B),
            b'\\' | b'\'' | b'"' | b'?' => bytes.push(escape),
            b'0'..=b'7' => {
                let value = digits(&mut rest, u32::from(escape - b'0'), 8, 2);
                // bash keeps the low eight bits.
                bytes.push(value.to_le_bytes()[0]);
            }
            b'x' => {
                let braced = rest.peek() == Some(&b'{');
                if braced {
                    rest.next();
                }
                match rest.peek().and_then(|byte| char::from(*byte).to_digit(16)) {
                    None => {
                        bytes.extend_from_slice(if braced { b"\\x{" } else { b"\\x" });
                    }
                    Some(_) => {
                        let value = digits(&mut rest, 0, 16, if braced { usize::MAX } else { 2 });
                        if braced && rest.peek() == Some(&b'}') {
                            rest.next();
                        }
                        bytes.push(value.to_le_bytes()[0]);
                    }
                }
            }
            b'u' | b'U' => match rest.peek().and_then(|byte| char::from(*byte).to_digit(16)) {
                None => bytes.extend_from_slice(&[b'\\', escape]),
                Some(_) => {
                    let value = digits(&mut rest, 0, 16, if escape == b'u' { 4 } else { 8 });
                    match char::from_u32(value) {
                        Some(character) => {
                            let mut buffer = [0; 4];
                            bytes.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
                        }
                        None => invalid = true,
                    }
                }
            },
            b'c' => match rest.next() {
                None => bytes.extend_from_slice(b"\\c"),
                Some(mut control) => {
                    // `\c\\` is one control character.
                    if control == b'\\' && rest.peek() == Some(&b'\\') {
                        rest.next();
                    }
                    control = if control == b'?' { 0x7F } else { control.to_ascii_uppercase() & 0x1F };
                    bytes.push(control);
                }
            },
            other => bytes.extend_from_slice(&[b'\\', other]),
        }
    }
    // The shell's own string ends at the first null byte.
    if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        bytes.truncate(end);
    }
    match String::from_utf8(bytes) {
        Ok(text) => Decoded { text, invalid },
        // Bytes that are no UTF-8 have no place in the tree: the text is approximate and says so.
        Err(error) => Decoded { text: String::from_utf8_lossy(error.as_bytes()).into_owned(), invalid: true },
    }
}

/// Up to `most` further digits of `radix` onto `value`.
fn digits(rest: &mut std::iter::Peekable<std::str::Bytes<'_>>, mut value: u32, radix: u32, most: usize) -> u32 {
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|byte| char::from(*byte).to_digit(radix)) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        rest.next();
    }
    value
}
