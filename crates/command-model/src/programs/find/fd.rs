//! fd (10.2): a pattern, paths, and `-x`/`-X` with a command.

use sekisho_shell_syntax::span::Span;

use super::expression::Filter;
use super::{anything, found_path, pattern, replaced};
use crate::argument::{Argument, Value};
use crate::carried::Carried;
use crate::catalog::Understood;
use crate::effect::{Effect, EffectKind, Family, Selection, Target};
use crate::option_grammar::{Grammar, OptionSpec, Parsed, parse};
use crate::programs::text_carriers::words::{
    MADE_BYTES, described, flag, inert, named, named_flag, named_glued, span_of, value, weight,
};
use crate::stream::Stream;

const OPTIONS: &[OptionSpec] = &[
    named_flag("hidden", &["-H", "--hidden"]),
    named_flag("all", &["-u", "--unrestricted"]),
    named_flag("visible", &["--no-hidden"]),
    named_flag("glob", &["-g", "--glob"]),
    named_flag("literal", &["-F", "--fixed-strings"]),
    named_flag("whole-path", &["-p", "--full-path"]),
    named_flag("insensitive", &["-i", "--ignore-case"]),
    named_flag("other-output", &["-l", "--list-details"]),
    named_flag("query", &["-h", "--help", "-V", "--version", "--gen-completions"]),
    named("type", &["-t", "--type"]),
    named("extension", &["-e", "--extension"]),
    named("exclude", &["-E", "--exclude"]),
    named("depth", &["-d", "--max-depth", "--maxdepth", "--exact-depth"]),
    named("age", &["--changed-within", "--changed-before", "--newer", "--older", "--change-newer-than", "--change-older-than"]),
    named("path", &["--search-path"]),
    named("directory", &["-C", "--base-directory"]),
    named("other-output", &["--format"]),
    value(&["--min-depth", "-S", "--size", "-o", "--owner", "-c", "--color", "-j", "--threads", "--batch-size", "--max-results"]),
    value(&["--and", "--ignore-file", "--path-separator", "--max-buffer-time"]),
    named_glued("flag", &["--strip-cwd-prefix", "--hyperlink"]),
    flag(&["-I", "--no-ignore", "--no-ignore-vcs", "--no-ignore-parent", "--no-require-git", "-s", "--case-sensitive", "--regex"]),
    flag(&["-a", "--absolute-path", "-L", "--follow", "-0", "--print0", "--prune", "-1", "-q", "--quiet", "--show-errors"]),
    flag(&["--one-file-system", "--mount", "--xdev", "--ignore", "--relative-path", "--no-follow", "--no-global-ignore-file"]),
];

/// What stands for a found path in a command: all of it, its name, its parent, either without its extension.
const PLACEHOLDERS: &[&str] = &["{}", "{/}", "{//}", "{.}", "{/.}"];

/// Says what the command does.
pub(super) fn understand(arguments: &[Argument]) -> Understood {
    let (own, commands) = commands(arguments);
    let parsed = parse(&Grammar { abbreviates: false, ..Grammar::gnu(OPTIONS) }, &own);
    if parsed.has("query") {
        return inert();
    }
    let mut understood = described();
    let mut roots: Vec<(Value, Span)> = parsed.operands(&own).skip(1).map(|word| (word.value.clone(), word.span)).collect();
    roots.extend(parsed.values("path").map(|path| (path.clone(), Span::default())));
    if roots.is_empty() {
        let base = parsed.value("directory").cloned();
        roots.push((base.unwrap_or_else(|| Value::literal(".")), Span::default()));
    }
    if parsed.uncertain {
        understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, span_of(&own)));
    }
    let selection = selection(&parsed, parsed.operand(&own, 0), &roots);
    for (root, span) in &roots {
        understood.effects.push(Effect::new(EffectKind::Metadata(Target::new(root.clone())), Family::General, *span));
    }
    let values: Vec<_> = roots.into_iter().map(|(root, _)| root).collect();
    let path = found_path(values.clone(), selection.clone());
    let size = weight(&Value::Dynamic(path.clone()));
    let mut made = 0;
    for words in &commands {
        made += size * (words.len() + 1);
        let path = if made > MADE_BYTES { anything() } else { path.clone() };
        let mut child: Vec<_> = words.iter().map(|word| replaced(word, PLACEHOLDERS, &path)).collect();
        if child == *words {
            child.push(Argument { value: Value::Dynamic(path), quoted: true, span: span_of(words) });
        }
        let carried = Carried::command(child, span_of(words));
        understood.carried.push(Carried { certain: false, family: Some(Family::FindExec), ..carried });
    }
    if commands.is_empty() && !parsed.has("other-output") {
        understood.output = Stream::Paths { roots: values, selection };
    }
    understood
}

/// The words that are fd's own, and the commands after `-x` and `-X`, each up to `;` or the end.
fn commands(arguments: &[Argument]) -> (Vec<Argument>, Vec<Vec<Argument>>) {
    let mut own = Vec::new();
    let mut commands = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.known().unwrap_or_default();
        let glued = ["--exec=", "--exec-batch="].iter().find_map(|prefix| text.strip_prefix(prefix));
        let starts = matches!(text, "-x" | "--exec" | "-X" | "--exec-batch");
        // In a cluster (`-Hx`) every letter before the last is a flag.
        let cluster = text.strip_prefix('-').filter(|letters| {
            letters.len() > 1
                && letters.ends_with(['x', 'X'])
                && letters.chars().rev().skip(1).all(|letter| "HIugFspiaL0lu1q".contains(letter))
        });
        if !starts && glued.is_none() && cluster.is_none() {
            own.push(word.clone());
            continue;
        }
        if let Some(letters) = cluster {
            let flags = letters.get(..letters.len() - 1).unwrap_or_default();
            own.push(Argument { value: Value::literal(format!("-{flags}")), ..word.clone() });
        }
        let mut command: Vec<_> = glued.map(|text| Argument { value: Value::literal(text), ..word.clone() }).into_iter().collect();
        command.extend(words.by_ref().take_while(|word| word.known() != Some(";")).cloned());
        if !command.is_empty() {
            commands.push(command);
        }
    }
    (own, commands)
}

fn selection(parsed: &Parsed, pattern: Option<&Argument>, roots: &[(Value, Span)]) -> Selection {
    let whole_path = parsed.has("whole-path");
    let ignores_case = parsed.has("insensitive");
    let known: Vec<_> = roots.iter().filter_map(|(root, _)| root.known()).collect();
    let filter = |pattern: String| Filter::new(pattern, whole_path, ignores_case, &known);
    let mut filters: Vec<_> = parsed
        .values("extension")
        .filter_map(Value::known)
        .map(|extension| filter(format!("*.{}", extension.trim_start_matches('.'))))
        .collect();
    if filters.is_empty() {
        let written = pattern.and_then(|word| match &word.value {
            Value::Known { text, .. } => Some(text.as_str()),
            Value::Glob { pattern } => Some(pattern.as_str()),
            Value::Dynamic(_) => None,
        });
        filters.extend(written.and_then(|text| as_glob(text, parsed)).map(filter));
    }
    let types: Vec<_> = parsed.values("type").filter_map(Value::known).collect();
    let only = |wanted: &[&str]| !types.is_empty() && types.iter().all(|kind| wanted.contains(kind));
    let files_only = only(&["f", "file", "x", "executable"]);
    let max_depth = parsed.value("depth").and_then(Value::known).and_then(|depth| depth.parse().ok());
    let hidden = parsed.last_of(&["hidden", "all", "visible"]).is_some_and(|option| option.id != Some("visible"));
    let excludes_git = parsed.values("exclude").filter_map(Value::known).any(|excluded| {
        let excluded = excluded.trim_start_matches("**/").trim_end_matches('/');
        pattern::matches(excluded, ".git", false)
    });
    let named = !filters.is_empty() && !filters.iter().any(|filter| filter.reaches_git);
    Selection {
        names: filters.into_iter().map(|filter| filter.pattern).collect(),
        empty_only: types.iter().any(|kind| matches!(*kind, "e" | "empty")),
        files_only,
        directories_only: only(&["d", "directory", "dir"]),
        by_age: parsed.has("age"),
        excludes_git,
        cannot_reach_git: named || max_depth == Some(0) || max_depth == Some(1) && files_only,
        max_depth,
        skips_hidden: !hidden,
    }
}

/// The pattern as a glob over the name; `None` where it narrows nothing we can say.
fn as_glob(text: &str, parsed: &Parsed) -> Option<String> {
    if parsed.has("glob") {
        return Some(text.to_owned());
    }
    let plain = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || "_-~ /".contains(letter));
    if parsed.has("literal") || plain(text) {
        return (!text.is_empty()).then(|| format!("*{text}*"));
    }
    let anchored = text.strip_prefix('^').and_then(|text| text.strip_suffix('$'));
    if let Some(name) = anchored {
        let name = name.replace("\\.", ".");
        return name.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter)).then_some(name);
    }
    text.strip_suffix('$').and_then(pattern::literal_end).map(|end| format!("*{end}"))
}
