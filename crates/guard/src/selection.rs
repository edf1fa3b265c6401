//! What a search can select: facts about find expressions turned into answers rules need.

use sekisho_command_model::effect::Selection;

/// File names that a build or an editor makes again: deleting them inside a workspace loses nothing.
const ARTEFACTS: &[&str] = &[
    "*.pyc",
    "*.pyo",
    "__pycache__",
    "node_modules",
    "*.o",
    "*.obj",
    "*.class",
    "*.log",
    "*.tmp",
    "*.bak",
    "*.orig",
    "*.rej",
    "*~",
    ".DS_Store",
    "Thumbs.db",
    "dist",
    "build",
    "target",
    "coverage",
    ".cache",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".next",
    ".turbo",
    ".parcel-cache",
    "*.egg-info",
    ".venv",
    ".tox",
    ".nox",
    ".eggs",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".nyc_output",
    ".nuxt",
    ".svelte-kit",
    ".vite",
    ".angular",
    ".sass-cache",
    ".gradle",
    ".dart_tool",
    ".terraform",
    "htmlcov",
    "DerivedData",
    "*.tsbuildinfo",
    "*.js.map",
    "*.css.map",
    "*.gcda",
    "*.gcno",
    "*.profraw",
    "*.swp",
];

/// Artefacts whose names are so much their own that a name holding one is an artefact too.
const DISTINCTIVE: &[&str] =
    &["__pycache__", "node_modules", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".parcel-cache", ".tsbuildinfo", ".egg-info"];

/// Names below `.git` that a pattern must not be able to match for a search to be sure to leave Git's files alone.
const GIT_NAMES: &[&str] = &[
    ".git",
    "HEAD",
    "config",
    "hooks",
    "objects",
    "refs",
    "index",
    "logs",
    "packed-refs",
    "info",
    "worktrees",
    "modules",
    "branches",
    "pre-commit",
    "pre-push",
    "commit-msg",
    "post-checkout",
    "heads",
    "tags",
    "pack",
    "ORIG_HEAD",
    "FETCH_HEAD",
    "description",
];

/// Every name the search can select is an artefact, or it only selects what is empty.
pub fn is_artefact_filtered(selection: &Selection) -> bool {
    selection.empty_only || (!selection.names.is_empty() && selection.names.iter().all(|name| is_artefact(name)))
}

/// The pattern as written names artefacts only.
pub fn is_artefact(pattern: &str) -> bool {
    let last = pattern.trim_end_matches("/*").rsplit('/').next().unwrap_or(pattern);
    ARTEFACTS.contains(&last) || DISTINCTIVE.contains(&last.trim_matches('*'))
}

/// The search can select something below a `.git` directory it meets.
pub fn can_select_git(selection: &Selection) -> bool {
    if selection.excludes_git || selection.cannot_reach_git || selection.empty_only || selection.skips_hidden {
        return false;
    }
    selection.names.is_empty()
        || selection.names.iter().any(|pattern| {
            let last = pattern.rsplit('/').next().unwrap_or(pattern);
            pattern.contains(".git/") || GIT_NAMES.iter().any(|name| glob_matches(last, name))
        })
}

/// Splits an absolute pattern at its first component with a glob character: the directory, and the rest.
pub fn split_glob(pattern: &str) -> (String, &str) {
    let mut offset = 0;
    for component in pattern.split_inclusive('/') {
        if has_glob(component) {
            break;
        }
        offset += component.len();
    }
    let directory = pattern.get(..offset).unwrap_or_default();
    let rest = pattern.get(offset..).unwrap_or_default();
    let directory = if directory.len() > 1 { directory.trim_end_matches('/') } else { directory };
    (unescape(if directory.is_empty() { "/" } else { directory }), rest)
}

fn has_glob(text: &str) -> bool {
    let mut escaped = false;
    for character in text.chars() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '*' | '?' | '[' => return true,
            _ => {}
        }
    }
    false
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next().unwrap_or('\\') } else { character });
    }
    plain
}

/// The pattern, component by component, matches the whole absolute path.
pub fn glob_matches_path(pattern: &str, candidate: &str) -> bool {
    let mut patterns = pattern.split('/').filter(|part| !part.is_empty());
    let mut components = candidate.split('/').filter(|part| !part.is_empty());
    loop {
        match (patterns.next(), components.next()) {
            (None, None) => return true,
            (Some(pattern), Some(component)) if glob_matches(pattern, component) => {}
            _ => return false,
        }
    }
}

/// `name` (one path component) matches the shell pattern, where a leading dot must be matched by a dot.
///
/// Linear in the product of the lengths at worst, without recursion. An extended glob matches anything.
pub fn glob_matches(pattern: &str, name: &str) -> bool {
    if name.starts_with('.') && !pattern.starts_with('.') && !pattern.starts_with("\\.") && !pattern.starts_with("[.") {
        return false;
    }
    if ["@(", "+(", "*(", "?(", "!("].iter().any(|opening| pattern.contains(opening)) {
        return true;
    }
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut position) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while let Some(&character) = name.get(position) {
        let step = match pattern.get(at) {
            Some('*') => {
                retry = Some((at + 1, position));
                at += 1;
                continue;
            }
            Some('?') => Some(at + 1),
            Some('[') => bracket(&pattern, at, character),
            Some('\\') => pattern.get(at + 1).filter(|literal| **literal == character).map(|_| at + 2),
            Some(literal) if *literal == character => Some(at + 1),
            _ => None,
        };
        match (step, retry) {
            (Some(next), _) => {
                at = next;
                position += 1;
            }
            (None, Some((after_star, from))) => {
                at = after_star;
                position = from + 1;
                retry = Some((after_star, from + 1));
            }
            (None, None) => return false,
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(|character| *character == '*'))
}

/// Matches one `[…]` at `at`; gives the index after it. An unclosed bracket is a literal.
fn bracket(pattern: &[char], at: usize, character: char) -> Option<usize> {
    let negated = matches!(pattern.get(at + 1), Some('!' | '^'));
    let start = at + 1 + usize::from(negated);
    let length = pattern.get(start + 1..)?.iter().position(|item| *item == ']');
    let Some(length) = length else { return (character == '[').then_some(at + 1) };
    let end = start + 1 + length;
    let set = pattern.get(start..end)?;
    let mut matched = false;
    let mut index = 0;
    while let Some(&low) = set.get(index) {
        match (set.get(index + 1), set.get(index + 2)) {
            (Some('-'), Some(&high)) => {
                matched |= (low..=high).contains(&character);
                index += 3;
            }
            _ => {
                matched |= low == character;
                index += 1;
            }
        }
    }
    (matched != negated).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::{glob_matches, glob_matches_path, split_glob};

    #[test]
    fn globs_match_as_a_shell_matches() {
        for (pattern, name, expected) in [
            ("*", "a", true),
            ("*", ".a", false),
            (".*", ".git", true),
            (".[!.]*", ".git", true),
            (".e??", ".env", true),
            ("*.py", "a.py", true),
            ("*.py", "a.pyc", false),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("a*b*c", "aXbYc", true),
            ("\\*", "*", true),
            ("\\*", "x", false),
        ] {
            assert_eq!(glob_matches(pattern, name), expected, "{pattern} {name}");
        }
        assert!(glob_matches_path("/h*/u", "/home/u"));
        assert!(!glob_matches_path("/h*", "/home/u"));
    }

    #[test]
    fn the_directory_of_a_pattern_is_what_stands_before_its_first_glob() {
        assert_eq!(split_glob("/home/u/*.o"), ("/home/u".to_owned(), "*.o"));
        assert_eq!(split_glob("/*"), ("/".to_owned(), "*"));
        assert_eq!(split_glob("/a/b*/c"), ("/a".to_owned(), "b*/c"));
    }
}
