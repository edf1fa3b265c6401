//! Directories: joining as text, and following a `cd` through the machine.

use sekisho_host::{EntryKind, Host};

use crate::Directory;

/// Links followed on one path.
const LINKS: u32 = 40;
/// Components looked at on one path.
const COMPONENTS: usize = 256;

/// `path` begins at a root (`/`, `C:/`).
pub(crate) fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || drive(path).is_some()
}

/// The drive of `C:/x`, with its colon.
fn drive(path: &str) -> Option<&str> {
    let mut characters = path.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic)?;
    if characters.next() != Some(':') {
        return None;
    }
    matches!(characters.next(), None | Some('/' | '\\')).then(|| path.get(..letter.len_utf8() + 1)).flatten()
}

/// `path` taken from `base`, with `.` and `..` resolved as text.
pub(crate) fn join(base: &str, path: &str) -> String {
    let whole = if is_absolute(path) { path.to_owned() } else { format!("{base}/{path}") };
    let root = drive(&whole).unwrap_or_default().to_owned();
    let rest = whole.strip_prefix(root.as_str()).unwrap_or(&whole);
    let mut components: Vec<&str> = Vec::new();
    for component in rest.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop();
            }
            other => components.push(other),
        }
    }
    format!("{root}/{}", components.join("/"))
}

/// `path` lies in `directory` or is it, as text.
pub(crate) fn is_below(path: &str, directory: &str) -> bool {
    let directory = directory.trim_end_matches('/');
    path.strip_prefix(directory).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Where `cd path` leads from `base`, component by component and through links. `made` says which directories the text itself
/// has created. A component that does not exist leaves the rest known as text only; one that is no directory gives `None`.
pub(crate) fn enter(host: &dyn Host, base: &str, path: &str, made: &dyn Fn(&str) -> bool) -> Option<Directory> {
    let whole = if is_absolute(path) { path.to_owned() } else { format!("{base}/{path}") };
    let root = drive(&whole).unwrap_or_default().to_owned();
    let mut pending: Vec<String> =
        whole.strip_prefix(root.as_str()).unwrap_or(&whole).split('/').rev().map(str::to_owned).collect();
    if pending.len() > COMPONENTS {
        return Some(Directory::Unknown);
    }
    let mut current = root.clone();
    let mut exists = true;
    let mut links = 0;
    while let Some(component) = pending.pop() {
        match component.as_str() {
            "" | "." => continue,
            ".." => {
                let parent = current.rfind('/').map_or(root.len(), |slash| slash.max(root.len()));
                current.truncate(parent);
                continue;
            }
            _ => {}
        }
        let next = format!("{current}/{component}");
        if !exists {
            current = next;
            continue;
        }
        match host.entry(&next) {
            Some(EntryKind::Directory) => current = next,
            Some(EntryKind::Link) => {
                links += 1;
                let target = host.link_target(&next)?;
                if links > LINKS || target.len() > 4096 {
                    return Some(Directory::Unknown);
                }
                if is_absolute(&target) {
                    current.clone_from(&root);
                }
                let rest = target.strip_prefix(root.as_str()).unwrap_or(&target);
                pending.extend(rest.split('/').rev().map(str::to_owned));
                if pending.len() > COMPONENTS {
                    return Some(Directory::Unknown);
                }
            }
            Some(_) => return None,
            None => {
                exists = made(&next);
                current = next;
                if exists {
                    // Made by the text: what lies below it was made by the text as well, or does not exist.
                    while let Some(component) = pending.pop() {
                        match component.as_str() {
                            "" | "." => {}
                            ".." => {
                                pending.push(component);
                                break;
                            }
                            _ => {
                                current = format!("{current}/{component}");
                                exists &= made(&current);
                            }
                        }
                    }
                }
            }
        }
    }
    if current.len() == root.len() {
        current.push('/');
    }
    Some(Directory::Known { path: current, exists })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_resolves_dots() {
        for (base, path, wanted) in [
            ("/a/b", "../c", "/a/c"),
            ("/a", "/x/./y//z", "/x/y/z"),
            ("/", "..", "/"),
            ("C:/work", "a", "C:/work/a"),
            ("C:/work", "D:/x/../y", "D:/y"),
        ] {
            assert_eq!(join(base, path), wanted);
        }
    }

    #[test]
    fn below_is_by_component() {
        assert!(is_below("/a/b", "/a"));
        assert!(is_below("/a", "/a/"));
        assert!(!is_below("/ab", "/a"));
    }
}
