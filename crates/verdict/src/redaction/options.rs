//! Secrets that are known by the program and option before them.

use super::Span;
use super::values::{self, Syntax};

/// How a short option takes its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// `-pVALUE`; alone it takes none.
    Attached,
    /// `-p VALUE`; something may be attached too.
    Either,
}

/// Short options that hold a password. Source: manual pages of the programs.
const OPTIONS: &[(&[&str], &str, Takes)] = &[
    (
        &["mysql", "mysqldump", "mysqladmin", "mysqlimport", "mysqlshow", "mysqlcheck", "mariadb", "mariadb-dump", "mariadb-admin"],
        "-p",
        Takes::Attached,
    ),
    (&["7z", "7za", "7zz", "rar", "unrar"], "-p", Takes::Attached),
    (&["sshpass", "mongo", "mongosh", "mongodump", "mongorestore", "docker", "podman", "az", "helm", "oc"], "-p", Takes::Either),
    (&["redis-cli", "valkey-cli"], "-a", Takes::Either),
    (&["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldappasswd"], "-w", Takes::Either),
    (&["sqlcmd", "bcp", "zip", "unzip", "isql"], "-P", Takes::Either),
];
/// Sub-commands without which the option means something else (`docker run -p 80:80`).
const NEEDS_WORD: &[(&str, &str)] =
    &[("docker", "login"), ("podman", "login"), ("helm", "login"), ("oc", "login"), ("az", "login")];
/// Options whose value is `user:password`, whatever the program.
const USER_OPTIONS: &[&str] = &["-u", "-U", "--user", "--proxy-user", "--http-user", "--creds", "--src-creds", "--dest-creds"];

/// `mysql -pX`, `sshpass -p X`, `curl -u user:X`, `openssl … pass:X`.
pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let bytes = text.as_bytes();
    let mut program: Option<&(&[&str], &str, Takes)> = None;
    let mut missing_word: Option<&str> = None;
    let mut at = 0;
    while at < bytes.len() {
        let Some(byte) = bytes.get(at).copied() else {
            break;
        };
        if matches!(byte, b';' | b'|' | b'&' | b'\n' | b'(') {
            program = None;
            missing_word = None;
        }
        if is_gap(byte) {
            at += 1;
            continue;
        }
        let end = at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| !is_gap(**byte)).count();
        let word = text.get(at..end).unwrap_or_default();
        if !word.starts_with('-') && !word.starts_with("pass:") && !may_name_program(word) && missing_word != Some(word) {
            at = end;
            continue;
        }
        let base = word.rsplit(['/', '\\']).next().unwrap_or_default().trim_end_matches(".exe");
        if let Some(found) = OPTIONS.iter().find(|(programs, ..)| programs.contains(&base)) {
            program = Some(found);
            missing_word = NEEDS_WORD.iter().find(|(name, _)| *name == base).map(|(_, word)| *word);
        } else if missing_word == Some(word) {
            missing_word = None;
        }
        let applicable = program.filter(|_| missing_word.is_none());
        let found = user_password(bytes, word, at, end)
            .or_else(|| applicable.and_then(|(_, option, takes)| password(bytes, word, at, end, option, *takes)))
            .or_else(|| word.starts_with("pass:").then(|| values::at(bytes, at + 5, Syntax::Word)).flatten());
        at = match found {
            Some(span) => {
                let next = span.end.max(end);
                spans.push(span);
                next
            }
            None => end,
        };
    }
}

/// Whether a word could be, or end with, the name of one of the programs: a look at the first letter of its last component.
fn may_name_program(word: &str) -> bool {
    let component = word.bytes().rposition(|byte| byte == b'/' || byte == b'\\').map_or(0, |at| at + 1);
    let first = word.as_bytes().get(component);
    first.is_some_and(|first| b"m7rusdpahovlzbi".contains(first)) && word.len() - component <= LONGEST_NAME
}

/// Bytes of the longest name of a program, with `.exe`.
const LONGEST_NAME: usize = 17;

const fn is_gap(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b';' | b'|' | b'&' | b'(' | b')' | b'"' | b'\'' | b'`' | b',' | b'[' | b']')
}

/// Where the value behind a word begins: past spaces, and past what separates the words of a JSON array (`"-u", "a:b"`).
fn next_value(bytes: &[u8], end: usize) -> usize {
    let rest = bytes.get(end..).unwrap_or_default();
    match rest {
        [quote @ (b'"' | b'\''), ..] => {
            let gap = rest.iter().take(16).take_while(|byte| is_gap(**byte)).count();
            // The opening quote stays part of the value.
            let opens = gap > 1 && rest.get(gap - 1) == Some(quote);
            end + if opens { gap - 1 } else { gap }
        }
        _ => end + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count(),
    }
}

fn password(bytes: &[u8], word: &str, at: usize, end: usize, option: &str, takes: Takes) -> Option<Span> {
    let attached = word.strip_prefix(option)?;
    let quoted = matches!(bytes.get(end), Some(b'\'' | b'"'));
    let inside_quotes = at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(|byte| matches!(byte, b'\'' | b'"'));
    if !attached.is_empty() || (quoted && !inside_quotes) {
        return values::at(bytes, at + option.len(), Syntax::Word);
    }
    if takes == Takes::Either { values::at(bytes, next_value(bytes, end), Syntax::Word) } else { None }
}

/// The part behind the first colon of `user:password`. Two numbers are ids (`docker run -u 1000:1000`).
fn user_password(bytes: &[u8], word: &str, at: usize, end: usize) -> Option<Span> {
    let value_at = USER_OPTIONS.iter().find_map(|option| {
        let rest = word.strip_prefix(option)?;
        match rest.strip_prefix('=') {
            Some(_) => Some(at + option.len() + 1),
            None if rest.is_empty() => Some(next_value(bytes, end)),
            None if option.len() == 2 => Some(at + option.len()),
            None => None,
        }
    })?;
    let span = values::at(bytes, value_at, Syntax::Word)?;
    let value = bytes.get(span.clone())?;
    let colon = value.iter().position(|byte| *byte == b':')?;
    let (user, password) = (value.get(..colon)?, value.get(colon + 1..)?);
    let numbers = user.iter().chain(password).all(u8::is_ascii_digit);
    let address = password.starts_with(b"//");
    (!password.is_empty() && !numbers && !address).then(|| span.start + colon + 1..span.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_is_dismissed() {
        for program in OPTIONS.iter().flat_map(|(programs, ..)| *programs) {
            assert!(may_name_program(program) && may_name_program(&format!("/usr/bin/{program}.exe")), "{program}");
        }
    }
}
