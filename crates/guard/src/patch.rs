//! The files a patch changes, read from its headers. Lines inside a hunk are content, never headers.

use sekisho_verdict::bounds::DIFF_HEADER_SPLITS;

/// What a patch does to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Creates or changes it.
    Write,
    /// Removes it.
    Delete,
}

/// One file of a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchTarget {
    /// Its path, relative to where the patch is applied.
    pub path: String,
    /// What happens to it.
    pub operation: Operation,
}

/// A header could be split in more ways than are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooAmbiguous;

/// The files of a patch in the `apply_patch` or the unified format, in order.
///
/// # Errors
/// [`TooAmbiguous`] where a `diff --git` header has more than 64 possible splits.
pub fn targets(text: &str) -> Result<Vec<PatchTarget>, TooAmbiguous> {
    let mut found = Vec::new();
    let mut lines = text.lines().peekable();
    // Lines of the current hunk still to come: old and new.
    let mut hunk = (0usize, 0usize);
    let mut in_envelope = false;
    while let Some(line) = lines.next() {
        if hunk.0 > 0 || hunk.1 > 0 {
            consume(line, &mut hunk);
            continue;
        }
        if let Some(header) = line.strip_prefix("*** ") {
            in_envelope = !matches!(header.trim_end(), "Begin Patch" | "End Patch");
            envelope(header, &mut found);
        } else if in_envelope {
            // Content of the `apply_patch` form: everything up to the next `*** `.
        } else if let Some(header) = line.strip_prefix("diff --git ") {
            found.extend(git_header(header)?.into_iter().map(written));
        } else if let Some(old) = line.strip_prefix("--- ") {
            if let Some(new) = lines.peek().and_then(|next| next.strip_prefix("+++ ")) {
                let (old, new) = (file_name(old), file_name(new));
                let deleted = new.as_deref() == Some("/dev/null");
                for path in [old, new].into_iter().flatten().filter(|path| path != "/dev/null") {
                    let operation = if deleted { Operation::Delete } else { Operation::Write };
                    found.push(PatchTarget { path: strip(&path), operation });
                }
                lines.next();
            }
        } else if let Some(counts) = line.strip_prefix("@@ ") {
            hunk = hunk_counts(counts);
        } else {
            for prefix in ["rename from ", "rename to ", "copy from ", "copy to "] {
                if let Some(path) = line.strip_prefix(prefix) {
                    found.push(written(unquote(path.trim_end())));
                }
            }
        }
    }
    Ok(found)
}

fn written(path: String) -> PatchTarget {
    PatchTarget { path, operation: Operation::Write }
}

fn envelope(header: &str, found: &mut Vec<PatchTarget>) {
    for (prefix, operation) in [
        ("Add File: ", Operation::Write),
        ("Update File: ", Operation::Write),
        ("Delete File: ", Operation::Delete),
        ("Move to: ", Operation::Write),
    ] {
        if let Some(path) = header.strip_prefix(prefix) {
            found.push(PatchTarget { path: path.trim().to_owned(), operation });
        }
    }
}

fn consume(line: &str, hunk: &mut (usize, usize)) {
    match line.bytes().next() {
        Some(b'+') => hunk.1 = hunk.1.saturating_sub(1),
        Some(b'-') => hunk.0 = hunk.0.saturating_sub(1),
        Some(b'\\') => {}
        _ => {
            hunk.0 = hunk.0.saturating_sub(1);
            hunk.1 = hunk.1.saturating_sub(1);
        }
    }
}

/// `-start,count +start,count @@`: the counts, 1 where none is written.
fn hunk_counts(text: &str) -> (usize, usize) {
    let mut fields = text.split(' ');
    let mut count = |sign: char| {
        let field = fields.next().and_then(|field| field.strip_prefix(sign)).unwrap_or("0,0");
        field.split_once(',').map_or(1, |(_, count)| count.parse().unwrap_or(0))
    };
    (count('-'), count('+'))
}

/// A `---`/`+++` field: without the tab and time stamp that some tools write after the name.
fn file_name(field: &str) -> Option<String> {
    let name = field.split('\t').next().unwrap_or(field).trim_end();
    (!name.is_empty()).then(|| unquote(name))
}

fn strip(path: &str) -> String {
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path).to_owned()
}

/// Both names of a `diff --git` header. Unquoted names with spaces are split where both halves agree after their prefixes; where
/// no split agrees, every split counts.
fn git_header(header: &str) -> Result<Vec<String>, TooAmbiguous> {
    let header = header.trim_end();
    if header.starts_with('"') {
        let (first, rest) = quoted_field(header);
        return Ok(vec![strip(&first), strip(&unquote(rest.trim_start()))]);
    }
    if let Some((first, rest)) = header.split_once(" \"") {
        return Ok(vec![strip(first), strip(&unquote(&format!("\"{rest}")))]);
    }
    let splits: Vec<_> = header.match_indices(' ').take(DIFF_HEADER_SPLITS + 1).collect();
    if splits.len() > DIFF_HEADER_SPLITS {
        return Err(TooAmbiguous);
    }
    let halves = |at: usize| (header.get(..at).unwrap_or_default(), header.get(at + 1..).unwrap_or_default());
    let agreeing = splits.iter().map(|(at, _)| halves(*at)).find(|(old, new)| strip(old) == strip(new));
    let mut names = Vec::new();
    match agreeing {
        Some((old, new)) => names.extend([strip(old), strip(new)]),
        None => {
            for (at, _) in splits {
                let (old, new) = halves(at);
                names.extend([strip(old), strip(new)]);
            }
        }
    }
    names.dedup();
    Ok(names)
}

fn quoted_field(text: &str) -> (String, &str) {
    let mut escaped = false;
    for (index, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => {
                let end = index + 1;
                return (unquote(text.get(..end).unwrap_or(text)), text.get(end..).unwrap_or_default());
            }
            _ => {}
        }
    }
    (unquote(text), "")
}

/// Decodes a C-quoted name (`"a\303\244b"`); any other text is itself.
fn unquote(text: &str) -> String {
    let Some(inner) = text.strip_prefix('"').map(|rest| rest.strip_suffix('"').unwrap_or(rest)) else { return text.to_owned() };
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b'a') => bytes.push(7),
            Some(b'b') => bytes.push(8),
            Some(b'f') => bytes.push(12),
            Some(b'v') => bytes.push(11),
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    match rest.peek() {
                        Some(next @ b'0'..=b'7') => {
                            value = value * 8 + u32::from(next - b'0');
                            rest.next();
                        }
                        _ => break,
                    }
                }
                bytes.push(value as u8);
            }
            Some(other) => bytes.push(other),
            None => bytes.push(b'\\'),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Operation, TooAmbiguous, targets};

    fn names(patch: &str) -> Vec<(String, Operation)> {
        targets(patch).unwrap().into_iter().map(|target| (target.path, target.operation)).collect()
    }

    #[test]
    fn headers_give_targets_and_content_does_not() {
        use Operation::{Delete, Write};
        let envelope = "*** Begin Patch\n*** Add File: a.md\n+*** Delete File: .git/config\n*** Delete File: b\n*** End Patch\n";
        assert_eq!(names(envelope), [("a.md".into(), Write), ("b".into(), Delete)]);
        let unified = "--- a/x\n+++ b/x\n@@ -1,1 +1,2 @@\n-old\n+--- a/y\n++++ b/y\n--- a/z\t2026-01-01\n+++ /dev/null\n";
        assert_eq!(names(unified), [("x".into(), Write), ("x".into(), Write), ("z".into(), Delete)]);
        assert_eq!(names("diff --git \"a/\\303\\244\" \"b/\\303\\244\"\n"), [("ä".into(), Write), ("ä".into(), Write)]);
        assert_eq!(names("rename from p\nrename to q\n"), [("p".into(), Write), ("q".into(), Write)]);
    }

    #[test]
    fn an_ambiguous_header_is_bounded() {
        assert_eq!(targets(&format!("diff --git {}", "x ".repeat(65))).err(), None, "the trailing space does not count");
        assert_eq!(targets(&format!("diff --git {}y", "x ".repeat(65))), Err(TooAmbiguous));
    }
}
