//! Names that say a secret stands beside them.

/// Words anywhere in the name of an assignment (`NAME=value`).
const ASSIGNED: &[&str] = &["token", "secret", "password", "passwd", "pass", "pwd", "key", "credential"];

/// Words anywhere in a name of data (`"name": value`, `name = value`) or an option (`--name value`), separators left out. Narrower:
/// `key: value` and `pass: 3` are ordinary text.
const NAMED: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "credential",
    "apikey",
    "accesskey",
    "privatekey",
    "authkey",
    "accountkey",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "sessionkey",
    "sharedkey",
    "servicekey",
    "deploykey",
    "storagekey",
    "subscriptionkey",
    "consumerkey",
    "licensekey",
    "keypass",
    "storepass",
];
/// Whole names of data and options.
const NAMED_WHOLE: &[&str] = &["pass", "pwd", "cookie", "connectionstring", "dsn"];
/// Ends of such names that make them speak of something else (`--password-file`, `token_type`, `max_tokens` with a number).
const ABOUT: &[&str] = &[
    "file", "path", "stdin", "name", "type", "count", "limit", "dir", "env", "url", "uri", "store", "manager", "expiry", "ttl",
    "policy", "prompt", "less",
];

/// Words of names whose address holds a password.
const DATABASES: &[&str] =
    &["database", "db", "postgres", "pg", "mysql", "maria", "mongo", "redis", "amqp", "rabbit", "sql", "broker", "cache", "jdbc"];

/// Headers whose whole value is secret.
const HEADERS: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "x-api-key",
    "api-key",
    "apikey",
    "x-auth-token",
    "x-access-token",
    "private-token",
    "job-token",
    "x-goog-api-key",
    "x-vault-token",
    "x-amz-security-token",
    "x-csrf-token",
    "ocp-apim-subscription-key",
];

/// Parameters of signed addresses. Source: AWS Signature Version 4, Google Cloud Storage V4, Azure SAS.
const SIGNATURES: &[&str] =
    &["x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature", "sig", "signature"];

fn without_separators(name: &str) -> String {
    name.chars().filter(|character| !matches!(character, '_' | '-' | '.')).map(|character| character.to_ascii_lowercase()).collect()
}

/// The name of a shell assignment or address parameter holds a secret.
pub(super) fn is_assigned(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ASSIGNED.iter().any(|word| lower.contains(word)) || is_signature(&lower) || is_database(&lower)
}

fn is_signature(lower: &str) -> bool {
    SIGNATURES.contains(&lower)
}

/// `*_DSN`, `CONNECTION_STRING`, and `*_URL` or `*_URI` of a database.
fn is_database(lower: &str) -> bool {
    if lower.ends_with("dsn") || without_separators(lower).contains("connectionstring") {
        return true;
    }
    let address = lower.strip_suffix("url").or_else(|| lower.strip_suffix("uri"));
    address.is_some_and(|rest| DATABASES.iter().any(|word| rest.contains(word)))
}

/// The name of a value of data, or of an option, holds a secret.
pub(super) fn is_named(name: &str) -> bool {
    let plain = without_separators(name);
    NAMED_WHOLE.contains(&plain.as_str())
        || plain.ends_with("pass") && name.to_ascii_lowercase().ends_with("_pass")
        || NAMED.iter().any(|word| plain.contains(word)) && !ABOUT.iter().any(|end| plain.ends_with(end))
}

/// The name may count tokens rather than hold one.
pub(super) fn may_count(name: &str) -> bool {
    without_separators(name).contains("token")
}

/// A header whose value is secret.
pub(super) fn is_header(name: &str) -> bool {
    HEADERS.iter().any(|header| name.eq_ignore_ascii_case(header))
}
