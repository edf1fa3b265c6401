//! No input makes the parser panic, run away or point outside of the text.

use sekisho_shell_syntax::posix;
use sekisho_shell_syntax::tree::Status;
use sekisho_shell_syntax::walk;

mod support;

/// Marsaglia's xorshift64: the same inputs on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap_or_default()
    }
}

/// Pieces that mean something, and some that do not.
const PIECES: &[&str] = &[
    "a",
    " ",
    ";",
    "\n",
    "&",
    "&&",
    "|",
    "||",
    "(",
    ")",
    "{ ",
    "}",
    "{",
    "if ",
    "then ",
    "fi",
    "do ",
    "done",
    "while ",
    "for x in ",
    "case x in ",
    "esac",
    ";;",
    "[[ ",
    " ]]",
    "((",
    "))",
    "$(",
    "$((",
    "${",
    "`",
    "\"",
    "'",
    "\\",
    "\\\n",
    "$x",
    "=",
    "a=(",
    "<",
    ">",
    "2>",
    ">&",
    "<(",
    "<<<",
    "<<A\n",
    "<<-'A'\n",
    "A\n",
    "\tA\n",
    "!",
    "time ",
    "function f ",
    "f()",
    "#",
    "*",
    "?",
    "[",
    "]",
    "@(",
    "~",
    ",",
    "..",
    "{a,b}",
    "coproc ",
    "=~",
    ":-",
    "%",
    "/",
    "$'",
    "$\"",
    "é",
    "\u{1F600}",
    "\r",
    "\0",
    "\t",
    "\\x",
    "a[",
    "${a[",
    ">&-",
    "declare a=(",
    "#",
    "\u{e9}",
];

fn check(input: &str) {
    let program = posix::parse(input);
    let shown: String = input.chars().take(120).collect();
    assert_eq!(walk::misplaced_span(&program, input), None, "{shown:?}");
    assert_eq!(program.status == Status::Complete, program.issues.is_empty(), "{shown:?}");
}

#[test]
fn random_pieces_are_read_in_bounds() {
    let mut random = Random(0x5EED_0001);
    for _ in 0..10_000 {
        let length = 1 + random.below(14);
        let input: String = (0..length).map(|_| PIECES[random.below(PIECES.len())]).collect();
        check(&input);
    }
}

#[test]
fn mutated_programs_are_read_in_bounds() {
    let programs = support::lines("valid.txt");
    let mut random = Random(0x5EED_0002);
    for _ in 0..10_000 {
        let mut input: Vec<char> = programs[random.below(programs.len())].chars().collect();
        for _ in 0..=random.below(3) {
            let at = random.below(input.len() + 1);
            match random.below(3) {
                0 if !input.is_empty() => {
                    input.remove(at.min(input.len() - 1));
                }
                1 => {
                    let piece = PIECES[random.below(PIECES.len())];
                    input.splice(at..at, piece.chars());
                }
                _ => input.truncate(at),
            }
        }
        let input: String = input.into_iter().collect();
        check(&input);
    }
}

/// What fuzzing found, made small.
#[test]
fn found_inputs_stay_in_bounds() {
    for input in [
        "] a=(#\u{1d2}",
        "declare a=(#\u{e9}",
        "declare a=(x #\u{e9}",
        "a=(#\u{e9}",
        "$(()case\nin x)s<<\u{5}",
        "$(()case\nin x)s<<E\n",
    ] {
        check(input);
    }
}

/// Every prefix of every known program: text that is still being written.
#[test]
fn prefixes_are_read_in_bounds() {
    for program in support::lines("valid.txt") {
        for (end, _) in program.char_indices() {
            check(program.get(..end).unwrap());
        }
    }
}

/// Units whose repetition a parser with hidden quadratic or exponential work would not finish.
const HOSTILE: &[&str] = &[
    "$((",
    "$(($(($((",
    "((((",
    "{",
    "{{{{",
    "${",
    "${x:-",
    "$(",
    "`",
    "\\`",
    "\"",
    "'",
    "<(",
    "[",
    "a[",
    "[[ (",
    "<<A ",
    "<<A\n",
    "<<-A <<B\n",
    "a=~:",
    "~:",
    "{a,",
    "{a}",
    "[[:a",
    "\\\n",
    "$\\\n",
    "@(",
    "!(",
    "! ",
    "time ",
    "|",
    "&&",
    "a&&",
    "a|",
    "a;",
    "a\n",
    "case a in ",
    "case a in (",
    "if a;then ",
    "if ",
    "while ",
    "for x in a;do ",
    "f(){ ",
    "function f ",
    "coproc ",
    "[[ a&&",
    "[[ !",
    "$(<<A\n",
    "$(cat <<A\n",
    "`<<A\n",
    "$((`",
    "$((a)",
    "$((a)b)",
    "((a) b)",
    "((a)\n",
    "'$(",
    "${x//",
    "${x:",
    "${#",
    "${!",
    "$'",
    "$\"",
    "#",
    "a=(",
    "a=([",
    "x[",
    "\"${x:-'",
    "$(('",
    "$[",
    "${x['",
    "\"$(",
    "\\",
    "1<",
    "{x}>",
    "{x",
    "&>",
    "\u{1F600}",
    "$(case a in b) ",
    "${x#[[[[",
    "a]",
    "{a..",
    "...",
    "..{",
    "((a;",
    "for ((",
    "[[ a =~ (",
    "?(*(",
    "$((${x:-)}",
    "$((`\\`",
    "$((a)#)",
    "<((a)#)",
    "$((a)<<A)\n",
];

#[test]
fn the_longest_hostile_inputs_finish() {
    for unit in HOSTILE {
        let count = sekisho_shell_syntax::budget::SOURCE_UTF16_UNITS / unit.encode_utf16().count();
        check(&unit.repeat(count));
    }
}

/// Nested `$((` that turn out to be substitutions: each trial reading contains all the inner ones.
#[test]
fn nested_trial_readings_are_remembered() {
    for depth in [1, 8, 16, 31] {
        for open in ["$((", "$((\"\" ", "$((`a` "] {
            let filler = "a ".repeat(20_000);
            check(&format!("{}{filler}{}", open.repeat(depth), ") )".repeat(depth)));
        }
    }
}

/// Trial readings around backticks, which are texts of their own and so remember nothing of each other.
#[test]
fn trial_readings_do_not_descend_into_backticks() {
    let mut text = "a".to_owned();
    for _ in 0..9 {
        let escaped = text.replace('\\', "\\\\").replace('`', "\\`").replace('$', "\\$");
        text = format!("$((\"\" $((\"\" `{escaped}` ) ) ) )");
        if text.len() > 60_000 {
            break;
        }
    }
    check(&text);
}
