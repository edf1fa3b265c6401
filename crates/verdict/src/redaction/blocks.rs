//! Private key blocks, on many lines or on one.

use super::Span;

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
/// Bytes of a block's first line: the longest kind in use is `OPENSSH PRIVATE KEY`.
const HEADER_BYTES: usize = 64;

/// PEM and PGP blocks that hold a private key, from `-----BEGIN` to the end of their `-----END …-----`, or to the end of the text
/// where that is cut off. Source: RFC 7468 §10 and §11, RFC 4880 §6.2.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(BEGIN)).map(|offset| at + offset) {
        let label = start + BEGIN.len();
        at = label;
        let bytes = text.as_bytes();
        let header = bytes.get(label..bytes.len().min(label + HEADER_BYTES)).unwrap_or_default();
        let Some(length) = header.windows(5).position(|window| window == b"-----") else {
            continue;
        };
        let is_private = header.get(..length).is_some_and(|name| name.windows(11).any(|window| window == b"PRIVATE KEY"));
        if !is_private {
            continue;
        }
        let body = label + length + 5;
        let footer = text.get(body..).and_then(|rest| rest.find(END)).map(|offset| body + offset + END.len());
        let end = footer.map_or(text.len(), |footer| {
            text.get(footer..).and_then(|rest| rest.find("-----")).map_or(text.len(), |offset| footer + offset + 5)
        });
        spans.push(start..end);
        at = end;
    }
}
