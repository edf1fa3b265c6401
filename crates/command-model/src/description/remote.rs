//! Operands that name another machine.

use sekisho_host::Platform;

use crate::argument::{Partial, Provenance, Value};

/// The host of `host:path`, `user@host:path` or `scheme://host/path`; `None` where the operand is a local path.
///
/// A colon after the first `/` belongs to a name, as rsync(1) and scp(1) have it; on Windows one letter before it is a drive.
pub fn host_of_operand(value: &Value, platform: Platform) -> Option<Value> {
    let text = beginning(value)?;
    if text.contains("://") {
        return Some(host_of_address(value));
    }
    let (host, _) = text.split_once(':')?;
    let drive = platform == Platform::Windows && host.len() == 1;
    (!host.is_empty() && !drive && !host.contains('/')).then(|| Value::literal(host.rsplit('@').next().unwrap_or(host)))
}

/// The host of an address such as `https://user@example.com:8080/path`, or the value itself where it cannot be said.
pub fn host_of_address(value: &Value) -> Value {
    let Some(text) = beginning(value) else {
        return value.clone();
    };
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']);
    // Without an end the rest of a word that is not known may still belong to the host.
    if end.is_none() && value.known().is_none() {
        return value.clone();
    }
    let authority = end.and_then(|end| rest.get(..end)).unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or(host),
    };
    Value::Known { text: host.to_owned(), provenance: Provenance::Literal }
}

/// The file name a download of this address gets.
pub fn name_of_address(value: &Value) -> Option<Value> {
    let text = value.known()?;
    let path = text.split_once("://").map_or(text, |(_, rest)| rest);
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let (_, name) = path.rsplit_once('/')?;
    Some(Value::literal(if name.is_empty() { "index.html" } else { name }))
}

fn beginning(value: &Value) -> Option<&str> {
    match value {
        Value::Known { text, .. } => Some(text),
        Value::Glob { pattern } => Some(pattern),
        Value::Dynamic(Partial { prefix, .. }) => Some(prefix.as_str()).filter(|prefix| !prefix.is_empty()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts() {
        for (operand, host) in [
            ("host:path", Some("host")),
            ("dev@host:/srv/x", Some("host")),
            ("rsync://example.com/module", Some("example.com")),
            ("./a:b", None),
            ("/a:b", None),
            ("c:/x", Some("c")),
            ("file", None),
        ] {
            assert_eq!(host_of_operand(&Value::literal(operand), Platform::Linux), host.map(Value::literal), "{operand}");
        }
        assert_eq!(host_of_operand(&Value::literal("C:/x"), Platform::Windows), None);
        for (address, host) in [
            ("https://user:word@example.com:8080/x?y", "example.com"),
            ("example.com/x", "example.com"),
            ("http://[::1]:80/", "::1"),
        ] {
            assert_eq!(host_of_address(&Value::literal(address)), Value::literal(host), "{address}");
        }
        assert_eq!(name_of_address(&Value::literal("https://x.example/a/b.tgz?z=1")), Some(Value::literal("b.tgz")));
    }
}
