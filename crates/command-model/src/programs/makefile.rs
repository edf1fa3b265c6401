//! What a makefile runs: recipes and `$(shell …)` as shell text.
//!
//! Source: GNU make 4.4 manual, "Writing Recipes in Rules", "The Function shell".

/// Most bytes read of a makefile.
const BYTES: usize = 64 * 1024;
/// Most commands taken from one.
const COMMANDS: usize = 64;

/// Programs that read makefiles, and the names they look for in the directory, first hit first.
pub const PROGRAMS: &[&str] = &["make", "gmake", "bmake"];
/// Names of makefiles.
pub const FILES: &[&str] = &["GNUmakefile", "makefile", "Makefile", "BSDmakefile"];

/// The commands in the makefile `text` as one shell text, its variables as the shell's. Which of them run depends on the target,
/// so each is only possible.
pub fn shell_text(text: &str) -> String {
    let text = text.get(..BYTES).unwrap_or(text).replace("\\\n", " ");
    let mut assignments = Vec::new();
    let mut commands = Vec::new();
    for line in text.lines() {
        if commands.len() + assignments.len() >= COMMANDS {
            break;
        }
        commands.extend(shell_functions(line));
        if let Some(recipe) = line.strip_prefix('\t') {
            commands.push(recipe.trim_start_matches(['@', '-', '+', ' ', '\t']).to_owned());
        } else if let Some((name, value)) = assignment(line) {
            assignments.push(format!("{name}=\"{}\"", value.replace(['"', '`'], "")));
        } else if let Some((_, recipe)) = line.split_once(':').and_then(|(target, rest)| Some((target, rest.split_once(';')?.1))) {
            commands.push(recipe.trim_start().trim_start_matches(['@', '-', '+']).to_owned());
        }
    }
    assignments.extend(commands);
    assignments.iter().map(|line| variables(line)).collect::<Vec<_>>().join("\n")
}

/// `NAME = value`, `NAME := value`, `NAME ?= value`.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '!', '+', ' ']).trim_start_matches("export ").trim();
    let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_name && !value.contains("$(shell")).then(|| (name, value.trim()))
}

/// The texts of `$(shell …)` on a line.
fn shell_functions(line: &str) -> Vec<String> {
    let starts = line.match_indices("$(shell ").map(|(at, mark)| at + mark.len());
    starts
        .filter_map(|start| {
            let rest = line.get(start..)?;
            let mut depth = 1_usize;
            let end = rest.char_indices().find_map(|(at, letter)| {
                match letter {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                (depth == 0).then_some(at)
            });
            rest.get(..end.unwrap_or(rest.len())).map(str::to_owned)
        })
        .collect()
}

/// `$(NAME)` as the shell writes it, and `$$` as `$`.
fn variables(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('$') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let after = after.strip_prefix('$').unwrap_or(after);
        if let Some(more) = after.strip_prefix('$') {
            out.push('$');
            rest = more;
            continue;
        }
        let named = after.strip_prefix('(').and_then(|inner| inner.split_once(')'));
        match named.filter(|(name, _)| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')) {
            Some((name, more)) => {
                out.push_str("${");
                out.push_str(name);
                out.push('}');
                rest = more;
            }
            None => {
                out.push('$');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::shell_text;

    #[test]
    fn recipes_become_shell_text() {
        for (makefile, text) in [
            ("all:\n\trm -rf $(OUT)\n", "rm -rf ${OUT}"),
            ("OUT = build\nclean:\n\t@rm -rf $(OUT)\n", "OUT=\"build\"\nrm -rf ${OUT}"),
            ("all: a ; -rm x\n", "rm x"),
            ("X := $(shell rm -rf $(HOME))\n", "rm -rf ${HOME}"),
            ("all:\n\techo $$x\n", "echo $x"),
            ("# all:\n", ""),
        ] {
            assert_eq!(shell_text(makefile), text, "{makefile}");
        }
    }
}
