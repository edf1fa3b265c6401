//! Paths as text: joining, normalising, comparing. Nothing here looks at a disk.
//!
//! A normal path has one spelling: `/` between components, no empty component, no `.`, no `..` behind a name, no `/` at the end
//! unless it is a root. There are three kinds of root: `/`, a drive (`C:/`, its letter upper-case) and a network share
//! (`\\server/share`; the two backslashes stay, because `//server` is an ordinary path on Unix).
//!
//! A backslash separates components only in Windows paths. Which style a text is in follows from what it is joined to, or, with
//! nothing to join to, from its beginning.
//!
//! Comparison ignores case where the platform's file systems usually do, for ASCII letters only: a name that differs from a
//! protected one in the case of another letter, or in its Unicode composition, counts as another name.

use crate::Platform;

/// How the text of a path is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Style {
    /// `/` separates; every other character is part of a name.
    Posix,
    /// `/` and `\` separate; drives and network shares are roots.
    Windows,
}

impl Style {
    /// The style of a platform's paths.
    pub const fn of_platform(platform: Platform) -> Self {
        match platform {
            Platform::Windows => Self::Windows,
            Platform::Linux | Platform::MacOs => Self::Posix,
        }
    }

    /// The style a text seems to be in, from its beginning: a drive (`C:\`, `C:/`) or two backslashes say Windows.
    pub fn of_text(path: &str) -> Self {
        if path.starts_with(r"\\") || drive(path).is_some_and(|(_, rest)| rest.starts_with(['/', '\\'])) {
            Self::Windows
        } else {
            Self::Posix
        }
    }

    const fn separates(self, character: char) -> bool {
        match self {
            Self::Posix => character == '/',
            Self::Windows => character == '/' || character == '\\',
        }
    }
}

/// The letter of `C:…` and what follows the colon.
fn drive(path: &str) -> Option<(char, &str)> {
    let mut characters = path.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    let rest = characters.as_str().strip_prefix(':')?;
    Some((letter.to_ascii_uppercase(), rest))
}

/// Splits a text into its root, in normal spelling and empty for a relative path, and the rest.
fn split_root(style: Style, path: &str) -> (String, &str) {
    match style {
        Style::Posix => match path.strip_prefix('/') {
            Some(rest) => ("/".to_owned(), rest),
            None => (String::new(), path),
        },
        Style::Windows => split_windows_root(path),
    }
}

fn split_windows_root(path: &str) -> (String, &str) {
    let separates = |character| Style::Windows.separates(character);
    if let Some((letter, rest)) = drive(path) {
        // `C:name` is relative to the directory the drive remembers, which nobody tells us: the root of the drive is the wider guess.
        return (format!("{letter}:/"), rest);
    }
    let Some(rest) = path.strip_prefix(separates) else {
        return (String::new(), path);
    };
    let Some(share) = rest.strip_prefix(separates) else {
        return ("/".to_owned(), rest);
    };
    // `\\?\C:\x`, `\\.\C:\x` and `\\?\UNC\server\share` are other spellings of the same places.
    if let Some(inner) = share.strip_prefix(['?', '.']).and_then(|rest| rest.strip_prefix(separates)) {
        if let Some((letter, rest)) = drive(inner) {
            return (format!("{letter}:/"), rest);
        }
        if let Some(rest) = inner.get(..4).filter(|word| word.eq_ignore_ascii_case("UNC\\")).and_then(|_| inner.get(4..)) {
            return split_share(rest);
        }
    }
    split_share(share)
}

fn split_share(path: &str) -> (String, &str) {
    let mut parts = path.splitn(3, |character| Style::Windows.separates(character));
    let server = parts.next().unwrap_or_default();
    let share = parts.next().unwrap_or_default();
    let rest = parts.next().unwrap_or_default();
    if server.is_empty() {
        return ("/".to_owned(), path);
    }
    if share.is_empty() { (format!(r"\\{server}"), rest) } else { (format!(r"\\{server}/{share}"), rest) }
}

/// The length of the root of a path in normal spelling; 0 for a relative path.
fn root_length(path: &str) -> usize {
    if path.starts_with('/') {
        return 1;
    }
    if drive(path).is_some_and(|(_, rest)| rest.starts_with('/')) {
        return 3;
    }
    let Some(share) = path.strip_prefix(r"\\") else {
        return 0;
    };
    let mut slashes = share.match_indices('/').map(|(at, _)| at);
    let _server = slashes.next();
    slashes.next().map_or(path.len(), |at| at + 2)
}

/// Appends `rest` to a normal path, component by component; `..` takes one away but never more than the root leaves.
fn append(path: &mut String, style: Style, rest: &str) {
    let root = root_length(path);
    for component in rest.split(|character| style.separates(character)) {
        match component {
            "" | "." => {}
            ".." => go_up(path, root),
            name => {
                if !path.is_empty() && !path.ends_with('/') {
                    path.push('/');
                }
                path.push_str(name);
            }
        }
    }
}

fn go_up(path: &mut String, root: usize) {
    if path.len() <= root && root > 0 {
        return;
    }
    match path.rfind('/') {
        _ if path.is_empty() => path.push_str(".."),
        _ if path == ".." || path.ends_with("/..") => path.push_str("/.."),
        Some(at) => path.truncate(at.max(root)),
        None => path.clear(),
    }
}

/// The normal spelling of `path`, read in `style`. A relative path stays relative; nothing left is `.`.
pub fn normalize_in(style: Style, path: &str) -> String {
    let (mut normal, rest) = split_root(style, path);
    normal.reserve(rest.len());
    append(&mut normal, style, rest);
    if normal.is_empty() {
        normal.push('.');
    }
    normal
}

/// The normal spelling of `path`, in the style its beginning says.
pub fn normalize(path: &str) -> String {
    normalize_in(Style::of_text(path), path)
}

/// `path` as seen from the directory `base`, in normal spelling.
///
/// `base` says the style: below `C:/work` a backslash separates, `/x` is `C:/x`, and `/d/x` is `D:/x` (as Git Bash and MSYS2 spell
/// drives).
pub fn join(base: &str, path: &str) -> String {
    let style = Style::of_text(base);
    let (root, rest) = split_root(style, path);
    if root.is_empty() {
        let mut normal = normalize_in(style, base);
        if normal == "." {
            normal.clear();
        }
        append(&mut normal, style, rest);
        if normal.is_empty() {
            normal.push('.');
        }
        return normal;
    }
    if style == Style::Windows {
        let base = normalize_in(style, base);
        let base_root = base.get(..root_length(&base)).unwrap_or_default();
        if root == "/" {
            let mut normal = msys_drive(rest).map_or_else(|| base_root.to_owned(), |(letter, _)| format!("{letter}:/"));
            append(&mut normal, style, msys_drive(rest).map_or(rest, |(_, below)| below));
            return normal;
        }
        // `C:name` below a directory of drive C.
        if root == base_root && drive(path).is_some_and(|(_, rest)| !rest.starts_with(['/', '\\'])) {
            let mut normal = base.clone();
            append(&mut normal, style, rest);
            return normal;
        }
    }
    normalize_in(style, path)
}

fn msys_drive(rest: &str) -> Option<(char, &str)> {
    let mut parts = rest.splitn(2, |character| Style::Windows.separates(character));
    let mut name = parts.next().unwrap_or_default().chars();
    let letter = name.next().filter(char::is_ascii_alphabetic)?;
    name.next().is_none().then(|| (letter.to_ascii_uppercase(), parts.next().unwrap_or_default()))
}

/// Whether `path` names a place by itself, in either style.
pub fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || Style::of_text(path) == Style::Windows
}

/// Whether a normal path is a root: `/`, a drive, a network share.
pub fn is_root(path: &str) -> bool {
    !path.is_empty() && root_length(path) == path.len()
}

/// The directory a normal path lies in; `None` for a root and for a single relative name.
pub fn parent(path: &str) -> Option<&str> {
    let root = root_length(path);
    if path.len() <= root {
        return None;
    }
    path.rfind('/').map(|at| at.max(root)).and_then(|end| path.get(..end))
}

/// The last component of a normal path; `None` for a root.
pub fn file_name(path: &str) -> Option<&str> {
    let root = root_length(path);
    if path.len() <= root {
        return None;
    }
    path.rsplit('/').next().filter(|name| !name.is_empty())
}

/// The components of a normal path behind its root.
pub fn components(path: &str) -> impl Iterator<Item = &str> {
    path.get(root_length(path)..).unwrap_or_default().split('/').filter(|component| !component.is_empty())
}

/// What `path` is below `root`: empty when they are the same, `None` when it lies elsewhere. Both normal, case counts.
pub fn relative_to<'a>(path: &'a str, root: &str) -> Option<&'a str> {
    relative_by(path, root, |a, b| a == b)
}

/// [`relative_to`], ignoring case where the platform does.
pub fn relative_to_on<'a>(platform: Platform, path: &'a str, root: &str) -> Option<&'a str> {
    relative_by(path, root, |a, b| same_on(platform, a, b))
}

fn relative_by<'a>(path: &'a str, root: &str, same: impl Fn(&str, &str) -> bool) -> Option<&'a str> {
    let beginning = path.get(..root.len())?;
    if !same(beginning, root) {
        return None;
    }
    let rest = path.get(root.len()..)?;
    if rest.is_empty() || root.ends_with('/') {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

/// Whether `path` is `root` or lies below it. Both normal, case counts.
pub fn is_within(path: &str, root: &str) -> bool {
    relative_to(path, root).is_some()
}

/// [`is_within`], ignoring case where the platform does.
pub fn is_within_on(platform: Platform, path: &str, root: &str) -> bool {
    relative_to_on(platform, path, root).is_some()
}

/// Whether `path` lies above `of`; not when they are the same. Both normal, case counts.
pub fn is_ancestor(path: &str, of: &str) -> bool {
    relative_to(of, path).is_some_and(|rest| !rest.is_empty())
}

/// [`is_ancestor`], ignoring case where the platform does.
pub fn is_ancestor_on(platform: Platform, path: &str, of: &str) -> bool {
    relative_to_on(platform, of, path).is_some_and(|rest| !rest.is_empty())
}

/// Whether two normal paths, or two names, are the same for the platform's usual file systems.
pub fn same_on(platform: Platform, a: &str, b: &str) -> bool {
    if ignores_case(platform) { a.eq_ignore_ascii_case(b) } else { a == b }
}

/// Whether the platform's usual file systems ignore case.
pub const fn ignores_case(platform: Platform) -> bool {
    match platform {
        Platform::Linux => false,
        Platform::MacOs | Platform::Windows => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_spellings() {
        for (text, normal) in [
            ("/", "/"),
            ("//", "/"),
            ("///etc//x/", "/etc/x"),
            ("/.", "/"),
            ("/..", "/"),
            ("/../../etc/./x/..", "/etc"),
            ("/a/..", "/"),
            ("a/../..", ".."),
            ("../../a/..", "../.."),
            ("", "."),
            ("./", "."),
            ("a/./b//", "a/b"),
            (r"/a\b", r"/a\b"),
            (r"C:\Users\dev\", "C:/Users/dev"),
            ("c:/Users/../..", "C:/"),
            (r"C:\", "C:/"),
            (r"C:\..\..\x", "C:/x"),
            (r"\\server\share\a\..\..\b", r"\\server/share/b"),
            (r"\\server\share", r"\\server/share"),
            (r"\\?\C:\x\y", "C:/x/y"),
            (r"\\?\UNC\server\share\x", r"\\server/share/x"),
            (r"\\.\PhysicalDrive0", r"\\./PhysicalDrive0"),
        ] {
            assert_eq!(normalize(text), normal, "{text}");
            assert_eq!(normalize(normal), normal, "{normal} is not stable");
        }
    }

    #[test]
    fn joins() {
        for (base, text, joined) in [
            ("/home/dev", "x", "/home/dev/x"),
            ("/home/dev", "../..", "/"),
            ("/home/dev", "../../..", "/"),
            ("/home/dev", "/etc", "/etc"),
            ("/home/dev", "", "/home/dev"),
            ("/home/dev", ".", "/home/dev"),
            ("/", "x", "/x"),
            ("/home/dev", r"C:\x", r"/home/dev/C:\x"),
            ("src", "../lib", "lib"),
            (".", "..", ".."),
            ("C:/work/app", r"src\main.rs", "C:/work/app/src/main.rs"),
            ("C:/work/app", r"..\..\..", "C:/"),
            ("C:/work/app", r"D:\x", "D:/x"),
            ("C:/work/app", "C:x", "C:/work/app/x"),
            ("C:/work/app", "D:x", "D:/x"),
            ("C:/work/app", "C:", "C:/work/app"),
            ("C:/work/app", "/etc", "C:/etc"),
            ("C:/work/app", r"\Windows", "C:/Windows"),
            ("C:/work/app", "/", "C:/"),
            ("C:/work/app", "/d/x", "D:/x"),
            ("C:/work/app", "/c", "C:/"),
            ("C:/work/app", "//server/share/x", r"\\server/share/x"),
            (r"\\server/share/x", "..", r"\\server/share"),
            (r"\\server/share/x", r"..\..", r"\\server/share"),
        ] {
            assert_eq!(join(base, text), joined, "{base} + {text}");
        }
    }

    #[test]
    fn takes_apart() {
        for (path, above, name) in [
            ("/", None, None),
            ("/etc", Some("/"), Some("etc")),
            ("/etc/x", Some("/etc"), Some("x")),
            ("C:/", None, None),
            ("C:/x", Some("C:/"), Some("x")),
            ("C:/x/y", Some("C:/x"), Some("y")),
            (r"\\server/share", None, None),
            (r"\\server/share/x", Some(r"\\server/share/"), Some("x")),
            ("x", None, Some("x")),
            ("a/b", Some("a"), Some("b")),
        ] {
            assert_eq!(parent(path).map(normalize), above.map(normalize), "{path}");
            assert_eq!(file_name(path), name, "{path}");
        }
        assert!(is_root("/") && is_root("C:/") && is_root(r"\\server/share"));
        assert!(!is_root("/x") && !is_root("x") && !is_root(""));
        assert_eq!(components("/a/b").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(components("C:/a").collect::<Vec<_>>(), ["a"]);
        assert_eq!(components("/").count(), 0);
    }

    #[test]
    fn compares() {
        assert!(is_within("/a/b", "/a") && is_within("/a", "/a") && is_within("/a", "/") && is_within("C:/x", "C:/"));
        assert!(!is_within("/ab", "/a") && !is_within("/a", "/a/b") && !is_within("/A/b", "/a"));
        assert!(is_ancestor("/a", "/a/b") && is_ancestor("/", "/a") && !is_ancestor("/a", "/a") && !is_ancestor("/a/b", "/a"));
        assert!(is_within_on(Platform::Windows, "C:/USERS/dev/x", "C:/Users/Dev"));
        assert!(is_within_on(Platform::MacOs, "/users/DEV", "/Users/dev"));
        assert!(!is_within_on(Platform::Linux, "/home/DEV", "/home/dev"));
        assert_eq!(relative_to("/a/b/c", "/a"), Some("b/c"));
        assert_eq!(relative_to("/a", "/a"), Some(""));
        assert_eq!(relative_to("/a/b", "/"), Some("a/b"));
        assert_eq!(relative_to("/é", "/e"), None);
    }
}
