//! Passwords and tokens inside addresses.

use super::Span;

/// How far behind `://` an `@` is looked for.
const AUTHORITY_BYTES: usize = 1024;
/// Schemes whose user stands alone because the key is elsewhere: `ssh://git@host`. Source: git-clone(1), "GIT URLS".
const WITHOUT_PASSWORD: &[&str] = &["ssh", "sftp", "scp", "rsync", "git", "svn+ssh", "git+ssh"];

/// `scheme://user:pass@host` loses the password, `scheme://token@host` the token.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut at = 0;
    while let Some(colon) = text.get(at..).and_then(|rest| rest.find("://")).map(|offset| at + offset) {
        let start = colon + 3;
        at = start;
        if let Some(span) = secret(text.as_bytes(), colon, start) {
            at = span.end;
            spans.push(span);
        }
    }
}

fn secret(bytes: &[u8], colon: usize, start: usize) -> Option<Span> {
    let rest = bytes.get(start..bytes.len().min(start + AUTHORITY_BYTES))?;
    let word = rest.iter().take_while(|byte| !byte.is_ascii_whitespace() && !b"\"'`<>|\\".contains(byte)).count();
    let word = rest.get(..word)?;
    let authority = word.get(..word.iter().position(|byte| b"/?#".contains(byte)).unwrap_or(word.len()))?;
    let at_sign = match authority.iter().rposition(|byte| *byte == b'@') {
        Some(at_sign) => at_sign,
        // A password with a `/` or `#` that nobody encoded: `user:pa/ss@host`, but not `host:8080/x@y`.
        None => {
            let separator = authority.iter().position(|byte| *byte == b':')?;
            let port = authority.get(separator + 1..)?;
            if port.iter().all(u8::is_ascii_digit) {
                return None;
            }
            word.iter().rposition(|byte| *byte == b'@')?
        }
    };
    let user = word.get(..at_sign)?;
    match user.iter().position(|byte| *byte == b':') {
        Some(separator) => (separator + 1 < at_sign).then(|| start + separator + 1..start + at_sign),
        None => {
            let scheme =
                bytes.get(..colon)?.iter().rev().take(10).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'+').count();
            let scheme = bytes.get(colon - scheme..colon)?;
            let alone = user == b"git" || WITHOUT_PASSWORD.iter().any(|known| scheme.eq_ignore_ascii_case(known.as_bytes()));
            (!alone && !user.is_empty()).then(|| start..start + at_sign)
        }
    }
}
