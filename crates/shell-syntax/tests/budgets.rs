//! Every budget holds at its limit and not one beyond.

use sekisho_shell_syntax::budget::{NESTING, SOURCE_UTF16_UNITS, WORDS};
use sekisho_shell_syntax::posix;
use sekisho_shell_syntax::tree::{IssueCode, Status};

/// `open` and `close` repeated `depth` times around `inner`.
fn nested(open: &str, inner: &str, close: &str, depth: usize) -> String {
    format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
}

/// Checks that `levels` of the construct are the most that fit, where each counts as `cost`.
#[track_caller]
fn check_nesting(open: &str, inner: &str, close: &str, cost: usize) {
    let most = NESTING / cost;
    let fits = posix::parse(&nested(open, inner, close, most));
    assert_eq!(fits.status, Status::Complete, "{open} at the limit: {:?}", fits.issues);
    let exceeds = posix::parse(&nested(open, inner, close, most + 1));
    assert_eq!(exceeds.status, Status::Limited, "{open} over the limit");
    assert!(exceeds.issues.iter().any(|issue| issue.code == IssueCode::TooDeep), "{open}: {:?}", exceeds.issues);
}

#[test]
fn nesting_is_limited_for_every_construct() {
    // Parentheses without a blank between them would be arithmetic.
    check_nesting("( ", "a", " )", 1);
    check_nesting("{ ", "a;", " }", 1);
    check_nesting("if a; then ", "b;", " fi", 1);
    check_nesting("if ", "a;", " then b; fi;", 1);
    check_nesting("while a; do ", "b;", " done", 1);
    check_nesting("until ", "a;", " do b; done;", 1);
    check_nesting("for x in a; do ", "b;", " done", 1);
    check_nesting("for ((;;)) { ", "b;", " }", 1);
    check_nesting("select x in a; do ", "b;", " done", 1);
    check_nesting("case a in b) ", "c;", " esac", 1);
    check_nesting("f() { ", "a;", " }", 2);
    check_nesting("function f { ", "a;", " }", 2);
    check_nesting("coproc { ", "a;", " }", 2);
    check_nesting("echo $(", "a", ")", 1);
    check_nesting("echo \"$(", "a", ")\"", 1);
    check_nesting("echo <(", "a", ")", 1);
    check_nesting("echo >(", "a", ")", 1);
}

#[test]
fn nested_here_documents_are_limited() {
    let at = |depth: usize| {
        let open: String = (0..depth).map(|level| format!("cat <<E{level}\n$(")).collect();
        let close: String = (0..depth).rev().map(|level| format!("\n)\nE{level}\n")).collect();
        posix::parse(&format!("{open}a{close}"))
    };
    assert_eq!(at(NESTING).status, Status::Complete);
    assert_eq!(at(NESTING + 1).status, Status::Limited);
}

#[test]
fn nesting_inside_words_is_limited() {
    check_word("${a:-", "b", "}");
    check_word("\"${a:-", "b", "}\"");
    check_word("${a#", "b", "}");
    check_word("${a[", "b", "]}");
    check_word("$((", "1", "))");
    check_word("$((1+", "1", "))");
    check_word("$[", "1", "]");
    check_word("{a,", "b", "}");
    check_word("@(a|", "b", ")");
    check_word("!(", "\"b\"", ")");
    check_word("*(", "b", ")");
}

#[track_caller]
fn check_word(open: &str, inner: &str, close: &str) {
    let at = |depth| posix::parse(&format!("echo {}", nested(open, inner, close, depth)));
    let fits = at(NESTING);
    assert_eq!(fits.status, Status::Complete, "{open} at the limit: {:?}", fits.issues);
    assert_eq!(at(NESTING + 1).status, Status::Limited, "{open} over the limit");
}

#[test]
fn conditional_parentheses_are_limited() {
    // The `[[` is one level.
    let at = |depth| posix::parse(&format!("[[ {} ]]", nested("( ", "a", " )", depth)));
    assert_eq!(at(NESTING - 1).status, Status::Complete);
    assert_eq!(at(NESTING).status, Status::Limited);
}

#[test]
fn nested_backticks_count_the_same() {
    // Each level of escaping doubles the backslashes, so that depth is reached with other constructs around few backticks.
    let at = |depth| posix::parse(&nested("( ", "echo `echo \\`a\\``", " )", depth));
    assert_eq!(at(NESTING - 2).status, Status::Complete);
    assert_eq!(at(NESTING - 1).status, Status::Limited);
}

#[test]
fn mixed_nesting_counts_together() {
    let at = |depth| posix::parse(&nested("( echo \"${a:-$( ", "b", " )}\" )", depth));
    assert_eq!(at(NESTING / 3).status, Status::Complete);
    assert_eq!(at(NESTING / 3 + 1).status, Status::Limited);
}

#[test]
fn what_stands_side_by_side_does_not_nest() {
    for unit in ["(a);", "echo $(a) ${b} $((1)) `c`;", "{ a; };", "f() { a; };", "[[ ( a ) ]];", "echo {a,b} @(a|b);", "a[1]=2;"] {
        let program = posix::parse(&unit.repeat(500));
        assert_eq!(program.status, Status::Complete, "{unit}: {:?}", program.issues);
    }
}

#[test]
fn loops_are_not_nesting() {
    for unit in ["! ", "time ", "a | ", "a && ", "a || ", "a; ", "a\n", "a=b ", ">a ", "\\\n"] {
        let program = posix::parse(&format!("{}a", unit.repeat(5_000)));
        assert_eq!(program.status, Status::Complete, "{unit:?}: {:?}", program.issues);
    }
    let chain = format!("if a; then b; {} fi", "elif a; then b; ".repeat(5_000));
    assert_eq!(posix::parse(&chain).status, Status::Complete);
    let chain = format!("[[ {} a ]]", "! a && b || ".repeat(5_000));
    assert_eq!(posix::parse(&chain).status, Status::Complete);
}

#[test]
fn words_are_limited() {
    let fits = posix::parse(&"a ".repeat(WORDS));
    assert_eq!((fits.status, fits.word_count), (Status::Complete, WORDS));
    let exceeds = posix::parse(&"a ".repeat(WORDS + 1));
    assert_eq!(exceeds.status, Status::Limited);
    assert_eq!(exceeds.issues.len(), 1);
    assert_eq!(exceeds.issues[0].code, IssueCode::TooManyWords);
}

#[test]
fn nested_words_count_as_well() {
    for (open, close) in [("echo $(", ")"), ("echo `", "`"), ("cat <(", ")"), ("a=(", ")"), ("for x in ", "\ndo y\ndone")] {
        let outer = posix::parse(&format!("{open}a{close}")).word_count;
        let at = |count| posix::parse(&format!("{open}{}a{close}", "a ".repeat(count)));
        assert_eq!(at(WORDS - outer).status, Status::Complete, "{open}");
        assert_eq!(at(WORDS - outer + 1).status, Status::Limited, "{open}");
    }
}

#[test]
fn commands_before_a_limit_are_kept() {
    let program = posix::parse(&format!("first; second {}", "$(".repeat(NESTING + 1)));
    assert_eq!(program.status, Status::Limited);
    let names: Vec<_> = program.simple_commands().filter_map(|simple| simple.words.first()?.literal()).collect();
    assert_eq!(names, ["first", "second"]);
}

#[test]
fn length_is_limited_in_utf16_units() {
    for (unit, units) in [("a", 1), ("é", 1), ("\u{1F600}", 2)] {
        let fits = unit.repeat(SOURCE_UTF16_UNITS / units);
        assert_eq!(posix::parse(&fits).status, Status::Complete, "{unit}");
        let exceeds = format!("{fits}a");
        let program = posix::parse(&exceeds);
        assert_eq!(program.status, Status::Limited, "{unit}");
        assert_eq!(program.issues[0].code, IssueCode::SourceTooLong);
    }
}

/// The deepest trees are read, walked and dropped on a small stack.
#[test]
fn a_small_stack_suffices() {
    let inputs = [
        nested("( echo \"${a:-$( ", "b", " )}\" )", NESTING / 3),
        nested("f() { ", "a;", " }", NESTING / 2),
        nested("echo ${a[$((", "1", "))]}", NESTING / 2),
        nested("case a in b) ", "c;", " esac", NESTING),
        format!("[[ {} a ]]", "! a && b || ".repeat(5_000)),
    ];
    std::thread::Builder::new()
        .stack_size(1024 * 1024)
        .spawn(move || {
            for input in inputs {
                let program = posix::parse(&input);
                assert!(program.simple_commands().count() < 10_000);
                assert!(!sekisho_shell_syntax::render::tree(&program).is_empty());
            }
        })
        .unwrap()
        .join()
        .unwrap();
}
