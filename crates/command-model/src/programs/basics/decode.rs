//! base64 and xxd over text that is known.

use super::{TEXT_BYTES, filters, reads_files};
use crate::argument::Argument;
use crate::description::read::Reading;
use crate::effect::Effect;
use crate::stream::Stream;

/// Source: GNU coreutils 9.5, base64(1); the `-D` of macOS.
pub fn base64(input: &Stream, reading: &Reading<'_>, effects: &[Effect]) -> Stream {
    if !reading.has("decode") {
        return filters::changed(input);
    }
    if reads_files(effects) {
        return Stream::Decoded;
    }
    decoded(input, base64_bytes)
}

/// Source: xxd(1) of Vim 9.1: `-r` turns a dump back, `-p` reads plain digits.
pub fn xxd(input: &Stream, reading: &Reading<'_>, effects: &[Effect]) -> Stream {
    // One-dash words of several letters are options of their own here.
    let has = |names: &[&str]| reading.arguments.iter().filter_map(Argument::known).any(|word| names.contains(&word));
    if !has(&["-r", "-revert", "-rp", "-pr"]) {
        return filters::changed(input);
    }
    if reads_files(effects) || !has(&["-p", "-ps", "-postscript", "-plain", "-rp", "-pr"]) {
        return filters::decoded(input);
    }
    decoded(input, hexadecimal_bytes)
}

fn decoded(input: &Stream, decode: fn(&str) -> Option<Vec<u8>>) -> Stream {
    match input {
        Stream::Known(text) if text.len() <= TEXT_BYTES => {
            decode(text).and_then(|bytes| String::from_utf8(bytes).ok()).map_or(Stream::Decoded, Stream::Known)
        }
        other => filters::decoded(other),
    }
}

/// Both alphabets of RFC 4648; white space is skipped, padding may be missing.
fn base64_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut buffer, mut bits) = (0_u32, 0_u32);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' | b'\n' | b'\r' | b' ' | b'\t' => continue,
            _ => return None,
        };
        buffer = (buffer << 6 | u32::from(digit)) & 0x00ff_ffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

fn hexadecimal_bytes(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 2);
    let mut high = None;
    for character in text.chars().filter(|character| !character.is_whitespace()) {
        let digit = character.to_digit(16)?;
        high = match high {
            None => Some(digit),
            Some(high) => {
                bytes.push((high << 4 | digit) as u8);
                None
            }
        };
    }
    Some(bytes)
}
