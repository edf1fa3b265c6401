//! The commands predicted for a text are the commands bash runs.
//!
//! Each text is a fixed program of this file. It runs in an empty directory with a `PATH` that holds recorders for the programs
//! it names: they write down their words and do nothing. Skipped where there is no bash.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use sekisho_command_model::Value;
use sekisho_host::in_memory::World;
use sekisho_shell_analysis::{Start, analyze};
use sekisho_shell_syntax::posix;

/// Programs that only record.
const RECORDED: &[&str] = &["rm", "git", "tool", "mv", "make"];
/// Programs that really run, because the shell needs what they do.
const REAL: &[(&str, &[&str])] =
    &[("cat", &["/bin/cat", "/usr/bin/cat"]), ("env", &["/usr/bin/env"]), ("base64", &["/usr/bin/base64", "/bin/base64"])];

const TEXTS: &[&str] = &[
    "rm a",
    "x=/; rm -rf $x",
    "x='a b'; rm $x \"$x\" '$x'",
    "RM=rm; $RM -rf /",
    "CMD='rm -rf a'; $CMD",
    "for d in / /etc; do rm -rf \"$d\"; done",
    "f() { rm -rf \"$1\" $#; }; f / b",
    "f() { local x=1; tool $x; }; x=2; f; tool $x",
    "f() { x=1; return; tool no; }; f; tool $x",
    "eval 'rm -rf' /",
    "eval \"$(echo rm -rf /)\"",
    "rm -rf \"$(echo /)\" $(echo a b)",
    "bash -c 'rm -rf \"$1\"' _ /",
    "bash -c '\"$0\" \"$@\"' rm -rf /",
    "echo 'rm -rf /' | bash",
    "bash <<'X'\nrm -rf a\nX",
    "bash <<X\nrm -rf $((1+2))\nX",
    "cat <<'X' | bash\nrm 'a b'\nX",
    "bash <<< 'rm x'",
    "echo 'git reset --hard' > x.sh; bash x.sh",
    "echo cm0gLXJmIC8K | base64 -d | bash",
    "rm {a,b}{1,2} {1..3} {a..c} {01..03}",
    "rm a{b,{c,d}e}f {,x}y",
    "a=(x 'y z'); rm \"${a[@]}\" ${a[1]} \"${a[*]}\" ${#a[@]}",
    "a=(x y); a+=(z); rm \"${a[@]:1}\" ${a[-1]} ${!a[@]}",
    "set -- a 'b c'; rm \"$@\" $* \"$*\" $#; shift; rm $1",
    "x=/a/b.tar.gz; rm ${x%.*} ${x%%.*} ${x#*/} ${x##*/} ${x/a/Q} ${x//a/Q} ${x: -2} ${x:1:2} ${#x}",
    "x=abc; rm ${x^} ${x^^} ${x/#a/z} ${x/%c/z}",
    "unset x; rm ${x:-d} ${x-d} ${x:=e} $x ${x:+f} \"${y+g}\"",
    "x=; rm \"${x:-d}\" \"${x-d}\" \"$x\" $x end",
    "IFS=:; x=a:b::c; rm $x",
    "IFS=,; set -- a b; rm \"$*\"",
    "n=3; rm $((n*2)) $((n++)) $n $((n>3?1:0)) $((2**3)) $((0x10))",
    "for ((i=0;i<3;i++)); do rm $i; done",
    "for i in 1 2 3; do [ $i = 2 ] && continue; rm $i; done",
    "while read -r l; do rm \"$l\"; done <<< $'a\\nb c'",
    "read a b <<< 'x y z'; rm \"$a\" \"$b\"",
    "x=1; (x=2; rm $x); rm $x",
    "x=1 tool $x; tool ${x-unset}",
    "true && rm a || rm b",
    "false && rm a || rm b",
    "false || { rm a; rm b; }",
    "if true; then rm a; else rm b; fi",
    "case abc in a*) rm a;; *) rm b;; esac",
    "until true; do rm a; done; rm b",
    "rm $'a\\tb' $'\\x41' \"a\\\"b\" a\\ b",
    "x=y; y=z; rm ${!x}",
    "printf -v x '%s-%s' a b; rm $x",
    "rm ~ ~/x",
    "command rm a; builtin eval rm b; env x=1 rm c",
    "! rm a; { rm b; }; ( rm c )",
    "trap 'rm t' EXIT; rm a",
    "mapfile -t a <<< $'x\\ny'; rm \"${a[@]}\"",
    "declare -A m=([k]=v); rm \"${m[k]}\"",
    "x=a; x+=b; rm $x",
    "set -f; rm *.zzz",
    "rm '*' \"?\" \\[a\\]",
    "f() { g \"$@\"; }; g() { rm \"$2\"; }; f a b",
    "x='$(rm no)'; rm \"$x\"",
    "eval \"x=1\"; rm $x",
    ". ./lib 2>/dev/null; echo 'x=5' > lib; . ./lib; rm $x",
    "source <(echo x=7); rm $x",
    "rm \"$(cat <<'X'\nq\nX\n)\"",
    "rm `echo a` \"`echo \\\"b\\\"`\"",
    "git commit -m \"$(printf 'a\\nb')\"",
    "make; rm a; mv b c",
    "rm a 2>&1 >/dev/null | tool; rm b &\nwait",
    "x=(a b c); for i in \"${x[@]}\"; do rm \"$i\"; done",
    "for f in a.txt b.txt; do mv \"$f\" \"${f%.txt}.md\"; done",
];

struct Bench {
    root: PathBuf,
}

impl Bench {
    fn new() -> Self {
        let root = std::env::temp_dir().join(format!("sekisho-agree-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("bin")).unwrap();
        let recorder = format!(
            // One write a call: stages of a pipeline record at the same time.
            "#!/bin/bash\nline=\"${{0##*/}}\"; for word in \"$@\"; do line+=$'\\037'$word; done; printf '%s\\036' \"$line\" >> '{}'\n",
            root.join("log").display()
        );
        for name in RECORDED {
            let path = root.join("bin").join(name);
            fs::write(&path, &recorder).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        for (name, places) in REAL {
            if let Some(place) = places.iter().find(|place| Path::new(place).exists()) {
                symlink(place, root.join("bin").join(name)).unwrap();
            }
        }
        symlink("/bin/bash", root.join("bin/bash")).unwrap();
        Self { root }
    }

    /// The commands bash ran.
    fn ran(&self, text: &str) -> Vec<Vec<String>> {
        let work = self.root.join("work");
        let _ = fs::remove_dir_all(&work);
        fs::create_dir_all(&work).unwrap();
        let log = self.root.join("log");
        fs::write(&log, "").unwrap();
        let status = Command::new("/bin/bash")
            .arg("-c")
            .arg(text)
            .env_clear()
            .env("PATH", self.root.join("bin"))
            .env("HOME", "/home/u")
            .current_dir(&work)
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .status();
        status.unwrap();
        let recorded = fs::read_to_string(&log).unwrap();
        recorded
            .split('\u{1e}')
            .filter(|line| !line.is_empty())
            .map(|line| line.split('\u{1f}').map(str::to_owned).collect())
            .collect()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// A predicted word.
#[derive(Debug)]
enum Word {
    /// This text.
    Text(String),
    /// One word.
    One,
    /// Any number of words.
    Any,
}

fn word_of(value: &Value) -> Word {
    match value {
        Value::Known { text, .. } => Word::Text(text.clone()),
        Value::Dynamic(partial) if !partial.may_split => Word::One,
        _ => Word::Any,
    }
}

fn matches(words: &[Word], ran: &[String]) -> bool {
    match (words.split_first(), ran.split_first()) {
        (None, None) => true,
        (Some((Word::Any, rest)), _) => (0..=ran.len()).any(|count| matches(rest, &ran[count..])),
        (Some((Word::One, words)), Some((_, ran))) => matches(words, ran),
        (Some((Word::Text(word), words)), Some((first, ran))) => word == first && matches(words, ran),
        _ => false,
    }
}

/// The recorded programs the analysis says run, and whether for certain.
fn predicted(text: &str, cwd: &str) -> Vec<(Vec<Word>, bool)> {
    let world = World::linux("/home/u", cwd);
    let program = posix::parse(text);
    let analysis = analyze(&program, text, &Start { host: &world, cwd, transparent_wrappers: &[] });
    analysis
        .executions
        .into_iter()
        .filter(|execution| execution.program.as_deref().is_some_and(|program| RECORDED.contains(&program)))
        .map(|execution| {
            let words = execution.argv.unwrap_or_default();
            (words.iter().map(|word| word_of(&word.value)).collect(), execution.certain)
        })
        .collect()
}

#[test]
fn predictions_hold() {
    if !Path::new("/bin/bash").exists() {
        return;
    }
    let bench = Bench::new();
    let cwd = bench.root.join("work").to_string_lossy().into_owned();
    let mut wrong = String::new();
    for text in TEXTS {
        let ran = bench.ran(text);
        let predicted = predicted(text, &cwd);
        for one in &ran {
            if !predicted.iter().any(|(words, _)| matches(words, one)) {
                wrong.push_str(&format!("\n  {text}\n    bash ran       {one:?}\n    predicted only {predicted:?}"));
            }
        }
        for (words, certain) in &predicted {
            if *certain && !ran.iter().any(|one| matches(words, one)) {
                wrong.push_str(&format!("\n  {text}\n    predicted     {words:?}\n    bash only ran {ran:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
