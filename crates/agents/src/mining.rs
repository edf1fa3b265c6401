//! What can be said about a tool nobody described: strings under well-known keys. They may raise a verdict, never lower it.

use sekisho_verdict::Json;
use sekisho_verdict::tool_call::Action;

/// Keys whose strings name a path, in normal spelling (lower case, `_` for `-`).
const PATH_KEYS: [&str; 16] = [
    "absolutepath",
    "directory_path",
    "directorypath",
    "file",
    "file_path",
    "filepath",
    "include",
    "notebook_path",
    "path",
    "search_directory",
    "searchdirectory",
    "searchpath",
    "target_file",
    "targetfile",
    "source_path",
    "destination_path",
];

/// Keys whose strings are run by something.
const COMMAND_KEYS: [&str; 5] = ["cmd", "code", "command", "script", "shell_command"];

/// Keys whose strings may be a patch.
const PATCH_KEYS: [&str; 5] = ["command", "diff", "input", "patch", "patchtext"];

/// The strings of `input` under well-known keys.
pub fn unknown_action(input: &Json) -> Action {
    Action::Unknown { paths: strings_under(input, &PATH_KEYS), commands: strings_under(input, &COMMAND_KEYS) }
}

/// The patches in `input`: the input itself when it is a string, or the strings under well-known keys.
pub fn patches(input: &Json) -> Vec<Action> {
    let texts = match input {
        Json::String(text) => vec![text.clone()],
        _ => strings_under(input, &PATCH_KEYS),
    };
    texts.into_iter().map(|text| Action::Patch { text }).collect()
}

/// Whether a tool of this name applies patches, whoever's tool it is.
pub fn names_a_patch_tool(name: &str) -> bool {
    let normal: String = name
        .chars()
        .filter(|character| !matches!(character, '-' | '_') && !character.is_whitespace())
        .flat_map(char::to_lowercase)
        .collect();
    normal == "applypatch" || normal == "patch"
}

/// The strings directly under one of `keys`, or in an array under it, anywhere in `input`; in the order they stand there.
fn strings_under(input: &Json, keys: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    // (value, it stands under one of the keys); a stack instead of recursion.
    let mut pending = vec![(input, false)];
    while let Some((value, wanted)) = pending.pop() {
        match value {
            Json::String(text) if wanted && !text.is_empty() => found.push(text.clone()),
            Json::Array(items) => pending.extend(items.iter().rev().map(|item| (item, wanted))),
            Json::Object(entries) => {
                pending.extend(entries.iter().rev().map(|(key, value)| {
                    let normal = key.to_lowercase().replace('-', "_");
                    (value, keys.contains(&normal.as_str()))
                }));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn strings_are_found_under_their_keys_at_any_depth() {
        let input = json(
            r#"{"File-Path": "/a", "note": "/b", "options": {"path": ["/c", {"x": "/d"}], "COMMAND": "ls"}, "cmd": "pwd", "path": "", "code": 3}"#,
        );
        assert_eq!(
            unknown_action(&input),
            Action::Unknown { paths: vec!["/a".to_owned(), "/c".to_owned()], commands: vec!["ls".to_owned(), "pwd".to_owned()] }
        );
    }

    #[test]
    fn patches_are_found() {
        for (input, count) in [
            (r#""*** Begin Patch""#, 1),
            (r#"{"input": "x"}"#, 1),
            (r#"{"a": {"patch": "x", "diff": "y"}}"#, 2),
            (r#"{"text": "x"}"#, 0),
        ] {
            assert_eq!(patches(&json(input)).len(), count, "{input}");
        }
        assert!(names_a_patch_tool("apply_patch") && names_a_patch_tool("ApplyPatch") && names_a_patch_tool("Patch"));
        assert!(!names_a_patch_tool("dispatch"));
    }
}
