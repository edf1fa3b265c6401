//! Texts and the commands they are predicted to run.
//!
//! One row: the text, and its executions separated by ` ; `. A word that is not known shows what is known around it; a `?`
//! behind an execution says that it may not run.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may stop at the first surprise")]

use sekisho_host::in_memory::World;
use sekisho_shell_analysis::{Analysis, Directory, Limit, Start, analyze};
use sekisho_shell_syntax::posix;

fn world() -> World {
    let mut world = World::linux("/home/u", "/home/u/proj");
    world
        .git_repository("/home/u/proj")
        .directory("src")
        .directory("build")
        .directory("/home/u/other")
        .directory("/etc")
        .link("here", "/etc")
        .file("a.txt", "text\n")
        .file("tools/clean.sh", "#!/bin/sh\nrm -rf build\nrm -rf \"$UNKNOWN\"\n")
        .file("tools/broken.sh", "#!/bin/sh\nrm -rf build\necho 'open\n");
    world
}

fn run(text: &str) -> Analysis {
    let world = world();
    let program = posix::parse(text);
    let wrappers = ["rtk".to_owned()];
    analyze(&program, text, &Start { host: &world, cwd: "/home/u/proj", transparent_wrappers: &wrappers })
}

fn show(analysis: &Analysis) -> String {
    let mut shown = Vec::new();
    for execution in &analysis.executions {
        let words = match &execution.argv {
            Some(words) => words.iter().map(|word| word.value.display()).collect::<Vec<_>>().join(" "),
            None => "…".to_owned(),
        };
        shown.push(format!("{words}{}", if execution.certain { "" } else { " ?" }));
    }
    shown.join(" ; ")
}

fn check(rows: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, wanted) in rows {
        let found = show(&run(text));
        if found != *wanted {
            wrong.push_str(&format!("\n  text   {text}\n  wanted {wanted}\n  found  {found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn substitutions_whose_output_is_known() {
    check(&[
        (r#"rm -rf "$(echo /)""#, "echo / ; rm -rf /"),
        ("rm -rf $PWD", "rm -rf /home/u/proj"),
        (r#"rm -rf "$(pwd)""#, "pwd ; rm -rf /home/u/proj"),
        (r#"rm -rf "$(pwd)/.git""#, "pwd ; rm -rf /home/u/proj/.git"),
        ("rm -rf `echo /`", "echo / ; rm -rf /"),
        (r#"rm -rf "$(dirname /etc/passwd)""#, "dirname /etc/passwd ; rm -rf /etc"),
        (r#"x=$(printf '%s' /); rm -rf "$x""#, "printf %s / ; rm -rf /"),
        (
            r#"rm -rf "$(cat <<'X'
/
X
)""#,
            "cat ; rm -rf /",
        ),
        (r#"rm -rf "$(mktemp -d)""#, "mktemp -d ; rm -rf /tmp/…"),
        ("rm -rf $(tool list)", "tool list ; rm -rf $(…)"),
        ("rm -rf $(echo a b)", "echo a b ; rm -rf a b"),
        (r#"echo / > f; rm -rf "$(cat f)""#, "echo / ; cat f ; rm -rf /"),
        (r#"echo / > f; rm -rf "$(<f)""#, "echo / ;  ; rm -rf /"),
    ]);
}

#[test]
fn globs_and_braces() {
    check(&[
        ("rm -rf *", "rm -rf *"),
        ("rm -rf {.,}*", "rm -rf .* *"),
        (r#"rm -rf "$UNSET/"*"#, "rm -rf ${UNSET}/*"),
        ("rm -rf {a,b{1,2}}/c", "rm -rf a/c b1/c b2/c"),
        ("touch f{1..3}", "touch f1 f2 f3"),
        ("touch f{1..100}", "touch f…"),
        (r#"rm '*' "a b" \*"#, "rm * a b *"),
        ("x='*.o'; rm $x", "rm *.o"),
        ("set -f; rm *.o", "set -f ; rm *.o"),
        ("cd ~ && rm -rf *", "cd /home/u ; rm -rf *"),
        ("x={a,b}; echo $x", "echo {a,b}"),
    ]);
}

#[test]
fn variables() {
    check(&[
        ("x=/; rm -rf $x", "rm -rf /"),
        ("RM=rm; $RM -rf /", "rm -rf /"),
        ("g=git; $g reset --hard", "git reset --hard"),
        ("x=--hard; git reset $x", "git reset --hard"),
        ("x='-rf /'; rm $x", "rm -rf /"),
        (r#"x='-rf /'; rm "$x""#, "rm -rf /"),
        ("CMD='rm -rf /'; $CMD", "rm -rf /"),
        ("IFS=:; c=rm:-rf:/; $c", "rm -rf /"),
        ("x=/ ; x+=etc; rm -rf $x", "rm -rf /etc"),
        ("a=(rm -rf /); \"${a[@]}\"", "rm -rf /"),
        ("a=(x y); a+=(z); rm \"${a[1]}\" ${#a[@]} \"${a[@]:1}\"", "rm y 3 y z"),
        ("declare x=/; export x; rm -rf $x", "declare x=/ ; export x ; rm -rf /"),
        ("unset x; rm -rf ${x:-/}", "unset x ; rm -rf /"),
        ("rm -rf ${X:-/}", "rm -rf ${X} ? ; rm -rf / ?"),
        ("rm -rf \"${X:?}/b\"", "rm -rf ${X}/b"),
        ("x=/a/b.txt; rm ${x%.txt} ${x##*/} ${x%/*} ${x/b/c} ${#x} ${x:0:2}", "rm /a/b b.txt /a /a/c.txt 8 /a"),
        ("x=abc; echo ${x^^} ${x^} ${x:1} ${x: -1}", "echo ABC Abc bc c"),
        ("n=2; echo $((n * 3 + 1)) $((n++)) $n", "echo 7 2 3"),
        ("x=y; y=/; rm -rf ${!x}", "rm -rf /"),
        ("(x=/); rm -rf $x", "rm -rf ${x}"),
        ("x=a | true; rm $x", "true ; rm ${x}"),
        ("if test -f q; then x=/; else x=b; fi; rm -rf $x", "test -f q ; rm -rf / ? ; rm -rf b ?"),
        ("test -f q && x=/; rm -rf $x", "test -f q ; rm -rf ${x} ? ; rm -rf / ?"),
        ("read x <<< /; rm -rf $x", "read x ; rm -rf /"),
        ("echo '/ b' | { read x y; rm -rf $x; }", "echo / b ; read x y ; rm -rf /"),
        ("printf 'a\\n/\\n' | while read -r x; do rm -rf \"$x\"; done", "printf a\\n/\\n ; read -r x ; rm -rf a ? ; rm -rf / ?"),
        ("set -- -rf /; rm \"$@\"", "set -- -rf / ; rm -rf /"),
        ("set -- a b; shift; rm $1 $#", "set -- a b ; shift ; rm b 1"),
        ("x=/ sh -c 'rm -rf $x'", "sh -c rm -rf $x ; rm -rf /"),
        ("x=/; sh -c 'rm -rf $x'", "sh -c rm -rf $x ; rm -rf ${x}"),
        ("export x=/; sh -c 'rm -rf $x'", "export x=/ ; sh -c rm -rf $x ; rm -rf /"),
        ("printf -v x %s /; rm -rf $x", "printf -v x %s / ; rm -rf /"),
        ("mapfile -t a <<< $'x\\ny'; rm \"${a[@]}\"", "mapfile -t a ; rm x y"),
    ]);
}

#[test]
fn loops() {
    check(&[
        (r#"for d in / /etc; do rm -rf "$d"; done"#, "rm -rf / ; rm -rf /etc"),
        ("for f in *.o; do rm \"$f\"; done", "rm *.o ?"),
        ("for i in 1 2; do for j in a b; do echo $i$j; done; done", "echo 1a ; echo 1b ; echo 2a ; echo 2b"),
        (
            "for i in a b c; do [ $i = b ] && break; rm $i; done",
            "[ a = b ] ; break ? ; rm a ? ; [ b = b ] ? ; break ? ; rm b ? ; [ c = b ] ? ; break ? ; rm c ?",
        ),
        ("for ((i=0; i<3; i++)); do echo $i; done", "echo 0 ; echo 1 ; echo 2"),
        ("while true; do rm -rf $x; x=/; done", "true ; rm -rf ${x} ; rm -rf / ?"),
        ("while cd ..; do rm -rf x; done", "cd .. ; rm -rf x ; cd .. ? ; rm -rf x ?"),
        ("until false; do echo a; break; done", "false ; echo a ; break"),
        ("find . -name '*.o' | while read f; do rm \"$f\"; done", "find . -name *.o ; read f ; rm {} ?"),
        ("select x in / b; do rm -rf $x; done", "rm -rf / ? ; rm -rf b ?"),
        ("for x; do rm \"$x\"; done", "rm ${x} ?"),
        ("case $1 in a) rm a;; *) rm b;; esac", "rm a ? ; rm b ?"),
    ]);
}

#[test]
fn functions_and_aliases() {
    check(&[
        (r#"f() { rm -rf "$1"; }; f /"#, "f / ; rm -rf /"),
        ("f() { rm -rf /; }", ""),
        ("f() { local x=/; rm -rf $x; }; x=b; f; rm $x", "f ; local x=/ ; rm -rf / ; rm b"),
        ("f() { x=/; }; f; rm -rf $x", "f ; rm -rf /"),
        ("f() { cd /etc; }; f; rm -rf a", "f ; cd /etc ; rm -rf a"),
        ("f() { return 1; rm -rf /; }; f; ls", "f ; return 1 ; ls"),
        ("g() { rm \"$@\"; }; f() { g -rf \"$1\"; }; f /", "f / ; g -rf / ; rm -rf /"),
        ("alias k='rm -rf /'; k", "alias k=rm -rf / ; rm -rf / ? ; rm -rf / ? ; k"),
        ("alias k='rm -rf'; k /", "alias k=rm -rf ; rm -rf ? ; rm -rf / ? ; k /"),
        ("if x; then f() { rm a; }; else f() { rm b; }; fi; f", "x ; f ; rm a ? ; rm b ?"),
    ]);
}

#[test]
fn carried_texts() {
    check(&[
        ("sh -c 'rm -rf /'", "sh -c rm -rf / ; rm -rf /"),
        ("bash -lc 'cd /etc && rm -rf x'", "bash -lc cd /etc && rm -rf x ; cd /etc ; rm -rf x"),
        (r#"sh -c '"$0" "$@"' rm -rf /"#, r#"sh -c "$0" "$@" rm -rf / ; rm -rf /"#),
        (r#"sh -c 'eval "$1"' _ 'rm -rf /'"#, r#"sh -c eval "$1" _ rm -rf / ; eval rm -rf / ; rm -rf /"#),
        (r#"eval "$(echo rm -rf /)""#, "echo rm -rf / ; eval rm -rf / ; rm -rf /"),
        ("eval rm -rf /", "eval rm -rf / ; rm -rf /"),
        ("eval 'x=/'; rm -rf $x", "eval x=/ ; rm -rf /"),
        ("echo 'rm -rf /' | sh", "echo rm -rf / ; sh ; rm -rf /"),
        ("sh <<< 'rm -rf /'", "sh ; rm -rf /"),
        ("bash <<'X'\nrm -rf /\nX", "bash ; rm -rf /"),
        ("bash <<X\nrm -rf $Y/b\nX", "bash ; rm -rf ${Y}/b"),
        ("cat <<X | bash\nrm -rf /\nX", "cat ; bash ; rm -rf /"),
        ("echo cm0gLXJmIC8K | base64 -d | sh", "echo cm0gLXJmIC8K ; base64 -d ; sh ; rm -rf /"),
        ("sh -c \"rm -rf $X/b\"", "sh -c rm -rf ${X}/b ; rm -rf ${X}/b"),
        ("bash <(echo rm -rf /)", "echo rm -rf / ; bash /dev/fd/63$(…) ; rm -rf /"),
        ("source <(echo x=/); rm -rf $x", "echo x=/ ; source /dev/fd/63$(…) ; rm -rf /"),
        ("trap 'rm -rf /' EXIT", "trap rm -rf / EXIT ; rm -rf /"),
        ("trap \"rm -f $T\" EXIT", "trap rm -f ${T} EXIT ; rm -f ${T}"),
        ("sudo env x=1 nice rm -rf /", "sudo env x=1 nice rm -rf / ; env x=1 nice rm -rf / ; nice rm -rf / ; rm -rf /"),
        ("command rm -rf /", "command rm -rf / ; rm -rf /"),
        ("command cd /etc; rm -rf a", "command cd /etc ; cd /etc ; rm -rf a"),
        ("env -C /etc rm -rf a", "env -C /etc rm -rf a ; rm -rf a"),
        ("rtk git reset --hard", "rtk git reset --hard ; git reset --hard"),
        ("nobody-knows -x git reset --hard", "nobody-knows -x git reset --hard ; git reset --hard ?"),
        ("echo git reset --hard", "echo git reset --hard"),
    ]);
}

#[test]
fn scripts_written_by_the_text() {
    check(&[
        ("echo 'git reset --hard' > x.sh; sh x.sh", "echo git reset --hard ; sh x.sh ; git reset --hard"),
        ("cat > x.sh <<'X'\nrm -rf /\nX\nbash x.sh", "cat ; bash x.sh ; rm -rf /"),
        ("cat > x.sh <<'X'\nrm -rf \"$1\"\nX\nchmod +x x.sh; ./x.sh /", "cat ; chmod +x x.sh ; ./x.sh / ; rm -rf /"),
        ("echo x=/ > e; . ./e; rm -rf $x", "echo x=/ ; . ./e ; rm -rf /"),
        ("echo 'rm a' > s; echo 'rm b' >> s; sh s", "echo rm a ; echo rm b ; sh s ; rm a ; rm b"),
        ("echo 'rm a' > s; cp s t; sh t", "echo rm a ; cp s t ; sh t ; rm a"),
        ("echo 'rm a' > s; mv s t; sh t; sh s", "echo rm a ; mv s t ; sh t ; rm a ; sh s"),
        ("echo 'rm a' | tee s; sh s", "echo rm a ; tee s ; sh s ; rm a"),
        ("f=$(mktemp); echo 'rm -rf /' > $f; bash $f", "mktemp ; echo rm -rf / ; bash /tmp/… ; rm -rf /"),
        ("echo 'rm a' > s; sed -i s/a/b/ s; sh s", "echo rm a ; sed -i s/a/b/ s ; sh s"),
        ("(cd build && echo 'rm a' > s); sh build/s", "cd build ; echo rm a ; sh build/s ; rm a"),
        ("sh tools/clean.sh", "sh tools/clean.sh ; rm -rf build ; rm -rf ${UNKNOWN}"),
        ("sh tools/broken.sh", "sh tools/broken.sh"),
        ("./tools/clean.sh", "./tools/clean.sh ; rm -rf build ; rm -rf ${UNKNOWN}"),
    ]);
}

#[test]
fn control_flow() {
    check(&[
        ("true && rm a", "true ; rm a"),
        ("make && rm a", "make ; rm a ?"),
        ("false && rm a", "false ; rm a ?"),
        ("make || rm a", "make ; rm a ?"),
        ("exit; rm a", "exit"),
        ("cd nowhere || exit 1; rm a", "cd nowhere ; exit 1 ? ; rm a ?"),
        ("if false; then rm a; fi", "false ; rm a ?"),
        ("if make; then rm a; elif make b; then rm c; else rm d; fi", "make ; rm a ? ; make b ? ; rm c ? ; rm d ?"),
        ("rm a & rm b", "rm a ; rm b"),
        ("! rm a; time rm b", "rm a ; rm b"),
        ("[[ -n $(rm a) ]]", "rm a"),
        ("(( $(rm a) ))", "rm a"),
        ("coproc rm a", "rm a"),
        ("$X -rf /", "${X} -rf /"),
        ("$SUDO rm -rf /", "${SUDO} rm -rf / ; rm -rf / ?"),
        ("\"$VENV\"/bin/python x.py", "${VENV}/bin/python x.py"),
        (": > f", ":"),
        ("> f", ""),
        ("{ echo rm; echo a; } | xargs -n2 echo", "echo rm ; echo a ; xargs -n2 echo ; echo rm a"),
    ]);
}

#[test]
fn directories() {
    for (text, wanted) in [
        ("cd build; x", Some("/home/u/proj/build")),
        ("cd missing && x", Some("/home/u/proj/missing")),
        ("mkdir -p a/b && cd a/b && x", Some("/home/u/proj/a/b")),
        ("cd here && x", Some("/etc")),
        ("cd ../other && cd - && x", Some("/home/u/proj")),
        ("cd $UNKNOWN && x", None),
        ("pushd /etc; pushd /home; popd; x", Some("/etc")),
        ("(cd /etc); x", Some("/home/u/proj")),
        ("cd /etc | true; x", Some("/home/u/proj")),
        ("cd; x", Some("/home/u")),
        ("cd /etc; cd /; cd ~-; x", Some("/etc")),
        ("CDPATH=/etc; cd build && x", None),
        ("{ cd /etc; }; x", Some("/etc")),
        ("d=$(mktemp -d); cd \"$d\"; x", Some("/tmp/fresh-temporary")),
    ] {
        let analysis = run(text);
        let last = analysis.executions.last().unwrap();
        assert_eq!(last.cwd.path(), wanted, "{text}");
    }
    let analysis = run("cd missing; x");
    let places: Vec<_> =
        analysis.executions.iter().filter(|one| one.program.as_deref() == Some("x")).map(|one| one.cwd.path()).collect();
    assert_eq!(places, [Some("/home/u/proj"), Some("/home/u/proj/missing")]);
    let analysis = run("mkdir q && cd q && x");
    assert_eq!(analysis.executions.last().unwrap().cwd, Directory::Known { path: "/home/u/proj/q".into(), exists: true });
}

#[test]
fn limits_are_said() {
    let nested = |depth: usize| (0..depth).fold("rm a".to_owned(), |text, _| format!("f{} () {{ {text}; }}; f{0}", text.len()));
    assert!(run(&nested(9)).limits.is_empty());
    assert_eq!(run("f() { f; }; f").limits, [Limit::Recursion]);
    assert_eq!(run("f() { f; f; f; f; f; f; f; f; }; f").limits.first(), Some(&Limit::Recursion));
    let wrapped = format!("{}rm a", "nice ".repeat(30));
    assert_eq!(run(&wrapped).limits, [Limit::DerivedWork]);
    let loops = "for a in {1..60}; do for b in {1..60}; do for c in {1..60}; do echo x y z $a $b $c; done; done; done";
    let _ = run(loops);
    let words = format!("for a in {}; do echo $a $a $a $a; done", "x ".repeat(60));
    assert!(run(&words).limits.is_empty());
    assert_eq!(run("echo 'open").unparsed.len(), 1);
    assert_eq!(run("sh -c 'echo \"open'").unparsed.first().map(|text| text.depth), Some(1));
}

#[test]
fn deep_nesting_neither_crashes_nor_is_lost() {
    let deep = format!("{}rm a{}", "( ".repeat(60), " )".repeat(60));
    let analysis = run(&deep);
    assert_eq!(show(&analysis), "rm a");
    let chain = |length: usize| {
        let scripts: String = (0..length).map(|number| format!("echo 'sh s{}' > s{number}; ", number + 1)).collect();
        format!("{scripts} echo 'rm a' > s{length}; sh s0")
    };
    assert!(show(&run(&chain(8))).ends_with(" ; sh s8 ; rm a"));
    assert_eq!(run(&chain(12)).limits, [Limit::Recursion]);
    let _ = run(&"$(".repeat(10_000));
    let _ = run(&"x;".repeat(10_000));
    // Values that double with every step, in text, in arrays and in parameters.
    assert_eq!(run(&format!("a=x;{}rm $a", "a=$a$a;".repeat(64))).limits, [Limit::DerivedWork]);
    assert_eq!(run(&format!("a=x;{}rm $a", "a+=$a;".repeat(64))).limits, [Limit::DerivedWork]);
    assert_eq!(run(&format!("a=(x);{}rm $a", "a+=(\"${a[@]}\");".repeat(64))).limits, [Limit::DerivedWork]);
    assert_eq!(run(&format!("set -- x;{}rm $1", "set -- \"$@\" \"$@\";".repeat(64))).limits, [Limit::DerivedWork]);
    assert_eq!(run(&format!("set -- {}; rm {}", "x ".repeat(8000), "\"$@\" ".repeat(8000))).limits, [Limit::DerivedWork]);
    assert_eq!(run(&format!("echo x > f;{}", "cat f f > g; cat g g > f;".repeat(64))).executions.len(), 129);
}
