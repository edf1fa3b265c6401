//! Every bound on input and work, from both sides: exactly at a bound a call is judged for what it does, one over it is refused
//! for its size.
//!
//! At a bound the innermost command is one with a rule of its own wherever the form allows it, so that a test which passes shows
//! that the whole text was followed. Nothing here measures time; what is bounded returns, and what is not would not.

mod support;

use std::fmt::Write as _;

use sekisho_verdict::tool_call::{Action, Family};
use sekisho_verdict::{Decision, ErrorCode, Json, Stage, ToolCall, Verdict, bounds};
use support::{call, judge, judge_command, shell};

/// A command with a rule of its own, and that rule.
const PAYLOAD: &str = "git reset --hard";
const PAYLOAD_RULE: &str = "git.reset-hard";

fn rule(decision: &Decision) -> &str {
    decision.rule.as_ref().map_or("none", |rule| rule.as_str())
}

fn shown(decision: &Decision) -> String {
    format!("{}/{} at {}, error {:?}", decision.verdict.word(), rule(decision), decision.stage.word(), decision.error)
}

/// Differences from what was expected, all of them in one message.
#[derive(Default)]
struct Table {
    wrong: Vec<String>,
}

impl Table {
    /// `command` is judged, and nothing is said against it.
    fn passes(&mut self, what: &str, command: &str) {
        let decision = judge_command(command);
        if decision.verdict != Verdict::Abstain {
            self.wrong.push(format!("{what}: wants no objection, got {}", shown(&decision)));
        }
    }

    /// `command` is followed down to a command that has this rule.
    fn is_denied_by(&mut self, what: &str, command: &str, expected: &str) {
        let decision = judge_command(command);
        if decision.verdict != Verdict::Deny || rule(&decision) != expected || decision.error.is_some() {
            self.wrong.push(format!("{what}: wants deny/{expected}, got {}", shown(&decision)));
        }
    }

    /// `command` is followed down to [`PAYLOAD`].
    fn reaches_the_payload(&mut self, what: &str, command: &str) {
        self.is_denied_by(what, command, PAYLOAD_RULE);
    }

    /// The parser stops: stage 3, with the whole command as evidence.
    fn is_beyond_the_parser(&mut self, what: &str, command: &str) {
        let decision = judge_command(command);
        let whole = decision.evidence.as_ref().is_some_and(|evidence| evidence.segment == command);
        if decision.verdict != Verdict::Deny
            || rule(&decision) != "analysis.recursion-limit"
            || decision.stage != Stage::CommandAnalysis
            || decision.level.is_some()
            || !whole
        {
            self.wrong.push(format!("{what}: wants deny/analysis.recursion-limit by the parser, got {}", shown(&decision)));
        }
    }

    fn check(self) {
        assert!(self.wrong.is_empty(), "{} wrong:\n{}", self.wrong.len(), self.wrong.join("\n"));
    }
}

fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn source_length_counts_utf16_units() {
    const UNITS: usize = 131_072;
    let mut table = Table::default();
    for (unit_name, character) in [("one byte", "a"), ("two bytes", "é"), ("three bytes", "日"), ("a surrogate pair", "😀")] {
        let units = character.encode_utf16().count();
        let of_length = |length: usize| {
            let rest = length - "echo ".len();
            format!("echo {}{}", character.repeat(rest / units), "a".repeat(rest % units))
        };
        assert_eq!(of_length(UNITS).encode_utf16().count(), UNITS);
        table.passes(&format!("{UNITS} units of {unit_name}"), &of_length(UNITS));
        table.is_beyond_the_parser(&format!("{} units of {unit_name}", UNITS + 1), &of_length(UNITS + 1));
    }
    let comment = |length: usize| format!("{PAYLOAD} #{}", "x".repeat(length - PAYLOAD.len() - 2));
    table.reaches_the_payload("a comment up to the bound", &comment(UNITS));
    table.is_beyond_the_parser("a comment over the bound", &comment(UNITS + 1));
    table.check();
}

#[test]
fn words_count_wherever_they_stand() {
    const WORDS: usize = 16_384;
    let mut table = Table::default();
    let flat = |words: usize| format!("echo{}", " a".repeat(words - 1));
    table.passes("words of one command", &flat(WORDS));
    table.is_beyond_the_parser("words of one command, one over", &flat(WORDS + 1));
    // `echo`, the word around the substitution, and those inside.
    let inside = |words: usize| format!("echo \"$(printf %s{})\"", " a".repeat(words - 4));
    table.passes("words of a substitution", &inside(WORDS));
    table.is_beyond_the_parser("words of a substitution, one over", &inside(WORDS + 1));
    let lines =
        |words: usize| format!("{}{PAYLOAD}", "echo a\n".repeat((words - 3) / 2)) + if words.is_multiple_of(2) { " x" } else { "" };
    table.reaches_the_payload("words of many commands", &lines(WORDS));
    table.is_beyond_the_parser("words of many commands, one over", &lines(WORDS + 1));
    table.check();
}

#[test]
fn nesting_of_the_grammar() {
    const DEPTH: usize = 64;
    let mut table = Table::default();
    for (what, open, inner, close) in [
        ("$( )", "echo $(", PAYLOAD, ")"),
        ("\"$( )\"", "echo \"$(", PAYLOAD, ")\""),
        ("( )", "( ", PAYLOAD, " )"),
        ("{ }", "{ ", PAYLOAD, "; }"),
        ("if", "if true; then ", PAYLOAD, "; fi"),
        ("if condition", "if ", PAYLOAD, "; then :; fi"),
        ("while", "while true; do ", PAYLOAD, "; done"),
        ("until", "until false; do ", PAYLOAD, "; done"),
        ("for", "for x in 1; do ", PAYLOAD, "; done"),
        ("case", "case x in x) ", PAYLOAD, ";; esac"),
        ("<( )", "cat <(", PAYLOAD, ")"),
    ] {
        // `{ a; }; }` and its like: a terminator after a terminator.
        let text = |depth: usize| nested(open, inner, close, depth).replace("; ; ", "; ");
        table.reaches_the_payload(&format!("{what} at {DEPTH}"), &text(DEPTH));
        table.is_beyond_the_parser(&format!("{what} at {}", DEPTH + 1), &text(DEPTH + 1));
    }
    for (what, open, inner, close) in [("${ }", "${x:-", "a", "}"), ("$(( ))", "$((1+", "1", "))")] {
        let text = |depth: usize| format!("echo {}", nested(open, inner, close, depth));
        table.passes(&format!("{what} at {DEPTH}"), &text(DEPTH));
        table.is_beyond_the_parser(&format!("{what} at {}", DEPTH + 1), &text(DEPTH + 1));
    }
    // Each backtick level doubles the backslashes, so that form reaches no bound but that of length.
    table.check();
}

/// `bash -c` inside `bash -c`: each level escapes the one inside.
fn shells(levels: usize) -> String {
    (0..levels).fold(PAYLOAD.to_owned(), |inner, _| {
        let mut escaped = String::from("bash -c ");
        for character in inner.chars() {
            if character == ' ' || character == '\\' {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        escaped
    })
}

#[test]
fn ten_levels_of_carried_text() {
    let mut table = Table::default();
    for levels in [1, 9, 10] {
        table.reaches_the_payload(&format!("bash -c, {levels} levels"), &shells(levels));
        table.reaches_the_payload(&format!("eval, {levels} levels"), &format!("{}{PAYLOAD}", "eval ".repeat(levels)));
        table.reaches_the_payload(&format!("functions, {levels} levels"), &functions(levels, 1));
    }
    for (what, text) in [
        ("bash -c, 11 levels", shells(11)),
        ("eval, 11 levels", format!("{}{PAYLOAD}", "eval ".repeat(11))),
        ("functions, 11 levels", functions(11, 1)),
    ] {
        table.is_denied_by(what, &text, "analysis.recursion-limit");
    }
    table.check();
}

/// Functions that each call the next one `times` times; the last runs [`PAYLOAD`].
fn functions(levels: usize, times: usize) -> String {
    let mut text = String::new();
    for level in 1..levels {
        let _ = writeln!(text, "f{level}() {{ {}}}", format!("f{}; ", level + 1).repeat(times));
    }
    let _ = write!(text, "f{levels}() {{ {PAYLOAD}; }}\nf1");
    text
}

#[test]
fn functions_that_never_end() {
    let mut table = Table::default();
    for text in ["f() { f; }; f", "f() { g; }; g() { f; }; f", "f() { echo x; f \"$@\"; }; f a"] {
        table.is_denied_by(text, text, "analysis.recursion-limit");
    }
    // Ten calls at each of ten levels: the work would be ten thousand millions of commands.
    for (what, text) in [("fan-out", functions(10, 10)), ("fan-out with arguments", functions(10, 10).replace("; ", " a b c; "))] {
        let decision = judge_command(&text);
        let limited = ["analysis.derived-work-limit", "analysis.recursion-limit", PAYLOAD_RULE].contains(&rule(&decision));
        if decision.verdict != Verdict::Deny || !limited || decision.error.is_some() {
            table.wrong.push(format!("{what}: wants deny for its work or its command, got {}", shown(&decision)));
        }
    }
    table.is_denied_by("fan-out of harmless commands", &functions(10, 10).replace(PAYLOAD, "true"), "analysis.derived-work-limit");
    table.passes("a small fan-out of harmless commands", &functions(5, 3).replace(PAYLOAD, "true"));
    table.check();
}

/// A choice between directories, one state each; the last is to stay.
fn choice(states: usize) -> String {
    let mut text = String::from("case $X in ");
    for number in 1..states {
        let _ = write!(text, "{number}) cd d{number};; ");
    }
    format!("{text}*) true;; esac; ")
}

#[test]
fn states_of_control_flow() {
    let mut table = Table::default();
    table.passes("64 states", &format!("{}echo here", choice(64)));
    table.reaches_the_payload("64 states and a command", &format!("{}{PAYLOAD}", choice(64)));
    table.is_denied_by("65 states", &format!("{}echo here", choice(65)), "analysis.derived-work-limit");
    table.check();
}

#[test]
fn brace_alternatives_of_a_delete_target() {
    let mut table = Table::default();
    table.passes("64 alternatives", "rm -rf build/{1..64}");
    table.passes("8 times 8 alternatives", "rm -rf build/{1..8}{1..8}");
    for text in [
        "rm -rf build/{1..65}",
        "rm -rf build/{1..8}{1..9}",
        "rm -rf build/{1..1000000000}",
        "rm -rf {,x}{,x}{,x}{,x}{,x}{,x}{,x}build",
    ] {
        let decision = judge_command(text);
        if decision.verdict == Verdict::Abstain || decision.error.is_some() {
            table.wrong.push(format!("{text}: wants an objection, got {}", shown(&decision)));
        }
    }
    table.check();
}

#[test]
fn children_of_parallel() {
    let mut table = Table::default();
    let children = |count: usize| format!("parallel echo :::{}", " a".repeat(count));
    table.passes("1,024 children", &children(1_024));
    table.is_denied_by("1,025 children", &children(1_025), "analysis.parallel-limit");
    let product = |second: usize| format!("parallel echo ::: {{1..32}} :::{}", " a".repeat(second));
    table.passes("32 times 32 children", &product(32));
    table.is_denied_by("32 times 33 children", &product(33), "analysis.parallel-limit");
    table.is_denied_by(
        "1,024 children, the last one matters",
        &format!("{} /", children(1_023).replace("echo", "rm -rf")),
        "rm.recursive-force-root-or-home",
    );
    table.check();
}

#[test]
fn settings_of_git_in_variables() {
    let settings = |count: usize| {
        let mut text = format!("GIT_CONFIG_COUNT={count} ");
        for number in 0..count {
            let _ = write!(text, "GIT_CONFIG_KEY_{number}=user.name GIT_CONFIG_VALUE_{number}=x ");
        }
        format!("{text}git status")
    };
    let mut table = Table::default();
    table.passes("1,024 settings", &settings(1_024));
    table.is_denied_by("1,025 settings", &settings(1_025), "git.alias-config");
    table.check();
}

#[test]
fn steps_of_git_aliases() {
    let aliases = |steps: usize, last: &str| {
        let mut text = String::from("git");
        for step in 1..steps {
            let _ = write!(text, " -c alias.a{step}=a{}", step + 1);
        }
        format!("{text} -c alias.a{steps}='{last}' a1")
    };
    let mut table = Table::default();
    table.passes("5 steps", &aliases(5, "status"));
    table.reaches_the_payload("5 steps to a command", &aliases(5, "reset --hard"));
    table.is_denied_by("6 steps", &aliases(6, "status"), "git.alias-config");
    table.is_denied_by("a circle", "git -c alias.a=b -c alias.b=a a", "git.alias-config");
    table.check();
}

#[test]
fn wrappers_of_one_command() {
    let mut table = Table::default();
    for wrapper in ["sudo ", "env ", "nice ", "command ", "sudo -u root ", "timeout 5 "] {
        let chain = |count: usize| format!("{}{PAYLOAD}", wrapper.repeat(count));
        table.reaches_the_payload(&format!("20 times `{wrapper}`"), &chain(20));
        table.is_denied_by(&format!("21 times `{wrapper}`"), &chain(21), "analysis.derived-work-limit");
    }
    table.passes("20 times `sudo ` and nothing bad", &format!("{}ls", "sudo ".repeat(20)));
    table.check();
}

#[test]
fn a_long_literal_in_a_program_on_standard_input() {
    let program = |literal: usize| format!("python3 - <<'EOF'\nx = '{}'\nprint(len(x))\nEOF\n", "a".repeat(literal));
    let around = program(0).len();
    let mut table = Table::default();
    table.passes("a literal up to the bound of the source", &program(131_072 - around));
    table.is_beyond_the_parser("a literal one over the bound of the source", &program(131_073 - around));
    // A whole mebibyte is the longest string a call may hold; the literal fills it.
    table.is_beyond_the_parser("a literal of 1 MiB", &program(bounds::STRING_BYTES - around));
    let apostrophes = |count: usize| format!("python3 - <<'EOF'\nx = '{}'\nEOF\n", "\\'".repeat(count));
    table.passes("a literal of escaped apostrophes", &apostrophes(50_000));
    table.check();
}

/// What costs most when it stands a hundred thousand bytes long: openers, quotes, half words, and commands that make work.
#[rustfmt::skip]
const HOSTILE: &[&str] = &[
    "(", "{ ", "{", "$(", "${", "$((", "((", "[[ ", "`", "\"", "'", "\\", "<<", "<<a\n", "<(", "case ", "case x in ", "case x in x) ", "if ",
    "if x; then ", "while ", "for x in ", "f() ", "f() {", "! ", "time ", "coproc ", "&& ", "| ", ";", "&", "\n", ")", "}", "]] ", "fi ", "$'", "$\"",
    "\"$(", "\"${x:-", "x=(", "x[", "{a,b}", "{a,", "{1..9}", "@(", "*", "~", "#", "$", "$x", "${x}", "> ", ">&", "<<<", "a=b ", "\\\n", "\r\n", "\u{feff}",
    "😀", "echo ", "eval ", "eval 'x' ", "bash -c ", "xargs ", "env -S ", "sudo ", "find . -exec ", "git -c a.b=c ", "cd x; ", "x=$x$x; ",
    "x=\"$x $x\"; ", "alias a=b; ", "trap 'x' 0; ", "exec ", "x() { x; }; ", "set -- \"$@\" \"$@\"; ", "x+=($x); ", "read x; ", "a|b;", "(a;", "{a;};",
    "$(a)", "`a`", "echo $(echo ", "if a; then b; fi; ", "for i in 1 2; do ", "while x; do y; done; ", "case $x in a) cd a;; b) cd b;; esac; ",
    "rm ", "rm -r ", "git ", "git reset ", "git -c ", "fi rm ", "fi git reset ", "mkfs.x ", "dd ", "find ",
];

#[test]
fn hostile_repetition_ends_without_a_failure_of_ours() {
    let mut wrong = Vec::new();
    for token in HOSTILE {
        let text = token.repeat(100_000 / token.len());
        for text in [text.clone(), format!("{PAYLOAD}; {text}")] {
            let decision = judge_command(&text);
            // A limit reached while paths are resolved is an answer too; a failure of ours is not.
            if decision.error == Some(ErrorCode::UnexpectedError) || decision.verdict == Verdict::Allow {
                wrong.push(format!("{:?}: {}", text.chars().take(40).collect::<String>(), shown(&decision)));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The arguments are refused for their size, and nothing of them is repeated.
fn assert_too_large(what: &str, call: &ToolCall) {
    let decision = judge(call);
    assert_eq!(decision.verdict, Verdict::Deny, "{what}");
    assert_eq!(decision.stage, Stage::PolicyProtection, "{what}");
    assert_eq!(decision.error, Some(ErrorCode::ToolInputLimit), "{what}");
    assert_eq!(decision.intent, Some(sekisho_verdict::Intent::StopAndExplain), "{what}");
    assert_eq!((&decision.evidence, decision.level), (&None, None), "{what}");
    assert!(decision.effects.is_empty() && decision.executions.is_empty(), "{what}");
    assert!(!decision.reason.contains("hunter2"), "{what}: {}", decision.reason);
}

fn assert_small_enough(what: &str, call: &ToolCall) {
    assert_eq!(judge(call).error, None, "{what}");
}

#[test]
fn arguments_of_a_tool_call() {
    let object = |key: &str, value: Json| call(Json::Object(vec![(key.to_owned(), value)]));
    let string = |length: usize| Json::String("x".repeat(length));

    // The root object is depth 1; scalars do not count.
    let arrays = |depth: usize| object("hunter2", (1..depth).fold(Json::Null, |inner, _| Json::Array(vec![inner])));
    assert_small_enough("depth 64", &arrays(64));
    assert_too_large("depth 65", &arrays(65));
    let objects = |depth: usize| call((0..depth).fold(Json::Null, |inner, _| Json::Object(vec![("k".to_owned(), inner)])));
    assert_small_enough("objects, depth 64", &objects(64));
    assert_too_large("objects, depth 65", &objects(65));

    // The root and the array are values too, and one key of the root goes before the indices.
    let values = |count: usize| object("hunter2", Json::Array(vec![Json::Bool(true); count - 2]));
    assert_small_enough("10,000 values", &values(10_000));
    assert_too_large("10,001 values", &values(10_001));
    let keys = |count: usize| call(Json::Object((0..count).map(|key| (format!("k{key}"), Json::Null)).collect()));
    // Every key comes with a value and the root is one more, so keys alone never reach their bound first.
    assert_small_enough("9,999 keys", &keys(9_999));
    assert_too_large("10,000 keys", &keys(10_000));

    assert_small_enough("1 MiB in one string", &object("k", string(bounds::STRING_BYTES)));
    assert_too_large("1 MiB and a byte in one string", &object("hunter2", string(bounds::STRING_BYTES + 1)));
    let wide = |bytes: usize| Json::String(format!("{}{}", "é".repeat(bytes / 2), "x".repeat(bytes % 2)));
    assert_small_enough("1 MiB of two-byte characters", &object("k", wide(bounds::STRING_BYTES)));
    assert_too_large("1 MiB of two-byte characters and a byte", &object("hunter2", wide(bounds::STRING_BYTES + 1)));

    let four = |more: Option<Json>| {
        let items = std::iter::repeat_n(string(bounds::STRING_BYTES), 4).chain(more).collect();
        object("hunter2", Json::Array(items))
    };
    assert_small_enough("4 MiB of strings", &four(None));
    assert_too_large("4 MiB of strings and a byte", &four(Some(string(1))));

    // The command of a shell tool obeys the same bound, before it is parsed.
    assert_too_large("a command of 1 MiB and a byte", &shell(&format!("echo {}", "x".repeat(bounds::STRING_BYTES - 4))));
}

#[test]
fn splits_of_a_diff_header() {
    let patch = |spaces: usize| {
        let text = format!("diff --git {}b\n", "a ".repeat(spaces));
        let input = Json::Object(vec![("patch".to_owned(), Json::String(text.clone()))]);
        ToolCall { tool: "apply_patch".into(), family: Family::Patch, actions: vec![Action::Patch { text }], ..call(input) }
    };
    assert_small_enough("64 places to split", &patch(64));
    assert_too_large("65 places to split", &patch(65));
    // A file that is protected is found among the splits.
    let text = "diff --git a/.git/hooks/pre-commit b/.git/hooks/pre-commit\n".to_owned();
    let found = judge(&ToolCall { family: Family::Patch, actions: vec![Action::Patch { text }], ..call(Json::Null) });
    assert_eq!((found.verdict, rule(&found)), (Verdict::Deny, "git.metadata-mutation"));
}
