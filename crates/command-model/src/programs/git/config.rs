//! Git's configuration outside of files: keys, values, and the variables that carry it.
//!
//! Source: git-config(1), "Syntax", "Environment"; git(1), `GIT_CONFIG_COUNT`.

/// One setting: a key in normal spelling and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Section and variable in lower case, the sub-section as written: `remote.Origin.url`.
    pub(super) key: String,
    /// The value; a key without one is `true`.
    pub(super) value: String,
}

/// The key in normal spelling: section and variable name ignore case, a sub-section does not.
pub(super) fn normal_key(key: &str) -> String {
    let (section, rest) = key.split_once('.').unwrap_or((key, ""));
    let (subsection, name) = rest.rsplit_once('.').map_or((None, rest), |(subsection, name)| (Some(subsection), name));
    let mut normal = section.to_ascii_lowercase();
    for part in subsection.into_iter().map(str::to_owned).chain(std::iter::once(name.to_ascii_lowercase())) {
        if !part.is_empty() {
            normal.push('.');
            normal.push_str(&part);
        }
    }
    normal
}

/// The parts of a key in normal spelling.
pub(super) fn key_parts(key: &str) -> (&str, Option<&str>, &str) {
    let (section, rest) = key.split_once('.').unwrap_or((key, ""));
    match rest.rsplit_once('.') {
        Some((subsection, name)) => (section, Some(subsection), name),
        None => (section, None, rest),
    }
}

/// Whether a value means no: what git-config(1) calls a false boolean.
pub(super) fn is_false(value: &str) -> bool {
    value.is_empty() || ["false", "no", "off", "0"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether a value means yes.
pub(super) fn is_true(value: &str) -> bool {
    ["true", "yes", "on", "1"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Reads `GIT_CONFIG_PARAMETERS`: words in single quotes, `'key=value'` or `'key'='value'`. `None` where it is malformed.
///
/// Source: git's own `-c` writes this variable for the commands it starts.
pub(super) fn parse_parameters(text: &str) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (first, after) = unquote(rest)?;
        let (key, value, after) = match after.strip_prefix('=') {
            Some(after) if after.starts_with('\'') => {
                let (value, after) = unquote(after)?;
                (first, value, after)
            }
            Some(after) => (first, "true".to_owned(), after),
            None => match first.split_once('=') {
                Some((key, value)) => (key.to_owned(), value.to_owned(), after),
                None => (first, "true".to_owned(), after),
            },
        };
        if !key.contains('.') || !(after.is_empty() || after.starts_with([' ', '\t', '\n'])) {
            return None;
        }
        entries.push(Entry { key: normal_key(&key), value });
        rest = after.trim_start();
    }
    Some(entries)
}

/// Takes one single-quoted word (`'it'\''s'`) off the beginning.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('\'')?;
    let mut word = String::new();
    loop {
        let (inside, after) = rest.split_once('\'')?;
        word.push_str(inside);
        match after.strip_prefix("\\'").or_else(|| after.strip_prefix("\\!")) {
            // A quote or an exclamation mark stands outside of the quotes, behind a backslash.
            Some(more) => {
                word.push(if after.starts_with("\\'") { '\'' } else { '!' });
                rest = more.strip_prefix('\'')?;
            }
            None => return Some((word, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{normal_key, parse_parameters};

    #[test]
    fn keys_and_parameters() {
        assert_eq!(normal_key("Core.PAGER"), "core.pager");
        assert_eq!(normal_key("Diff.Pdf.TextConv"), "diff.Pdf.textconv");
        let read = parse_parameters("'alias.x=!rm -rf /' 'core.pager'='less'").unwrap();
        assert_eq!(read[0].value, "!rm -rf /");
        assert_eq!(read[1].key, "core.pager");
        assert_eq!(parse_parameters("alias.x=!ls"), None);
        assert_eq!(parse_parameters("'alias.x=!ls"), None);
    }
}
