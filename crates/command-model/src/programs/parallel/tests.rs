//! Command lines and the commands they make.

use crate::argument::Value;
use crate::effect::Selection;
use crate::programs::text_carriers::testing::{check, show, show_input};
use crate::stream::Stream;

#[test]
fn lists() {
    check(&[
        ("parallel rm -rf ::: / b", "sh{rm -rf /} <Parallel>; sh{rm -rf b} <Parallel>"),
        ("parallel -j4 rm {} ::: 'a b'", "sh{rm 'a b'} <Parallel>"),
        ("parallel 'rm {.}.o {/} {//} {/.} {#}' ::: d/a.c", "sh{rm d/a.o a.c d a 1} <Parallel>"),
        ("parallel mv {1} {2} ::: a b ::: c", "sh{mv a c} <Parallel>; sh{mv b c} <Parallel>"),
        ("parallel mv {2} {1} ::: a b :::+ c d", "sh{mv c a} <Parallel>; sh{mv d b} <Parallel>"),
        ("parallel --link mv ::: a b ::: c d", "sh{mv a c} <Parallel>; sh{mv b d} <Parallel>"),
        ("parallel -N2 mv ::: a b c d", "sh{mv a b} <Parallel>; sh{mv c d} <Parallel>"),
        ("parallel -X rm ::: a b", "sh{rm a b} <Parallel>"),
        ("parallel -I@ rm @ ::: a", "sh{rm a} <Parallel>"),
        ("parallel -q rm 'a b' ::: c", "sh{rm 'a b' c} <Parallel>"),
        ("parallel ::: 'rm -rf /' ls", "sh{rm -rf /} <Parallel>; sh{ls} <Parallel>"),
        ("parallel rm ::: $X", "sh{rm \"${1}\"}(sh ${X}) <Parallel>"),
        ("parallel -S h rm ::: a", "network h <Parallel>; sh{rm a} dir? home? @remote <Parallel>"),
        ("parallel -S : --wd /d rm ::: a", "sh{rm a} dir=/d <Parallel>"),
        ("parallel --dry-run rm ::: a", "inert"),
        ("parallel --version", "inert"),
        ("sem -j2 rm a", "sh{rm a} <Parallel>"),
        ("parallel 'rm {= s/a/b/ =}' ::: a", "execute:Input template <Parallel>; sh{rm {= s/a/b/ =} ${1}}(sh {}) <Parallel>"),
        ("parallel --plus 'rm {..}' ::: a", "execute:Input template <Parallel>; sh{rm {..} ${1}}(sh {}) <Parallel>"),
    ]);
}

#[test]
fn input() {
    let known = Stream::Known("a\nb c\n".to_owned());
    assert_eq!(show_input("parallel rm", &known), "sh{rm a} <Parallel>; sh{rm 'b c'} <Parallel>");
    assert_eq!(show_input("parallel", &known), "sh{a} <Parallel>; sh{b c} <Parallel>");
    let paths = Stream::Paths { roots: vec![Value::literal("build")], selection: Selection::default() };
    assert_eq!(show_input("parallel rm -rf {}", &paths), "sh{rm -rf \"${1}\"}(sh <build[]>)? <Parallel>");
    for (line, expected) in [
        ("parallel", "execute:Input command-stream <Parallel>"),
        ("parallel rm -rf", "sh{rm -rf \"${1}\"}(sh {})? <Parallel>"),
        ("parallel -a list rm", "read list <Parallel>; sh{rm \"${1}\"}(sh {})? <Parallel>"),
        ("parallel rm :::: list", "read list <Parallel>; sh{rm \"${1}\"}(sh {})? <Parallel>"),
        ("parallel --pipe wc -l", "sh{wc -l}? <Parallel>"),
        ("parallel --colsep , rm {2}", "sh{rm \"${1}\"}(sh {})? <Parallel>"),
    ] {
        assert_eq!(show_input(line, &Stream::Unknown), expected, "{line}");
    }
    for line in ["parallel {}", "parallel sh -c {}", "parallel bash -c", "parallel python -c {}", "parallel eval"] {
        assert!(show_input(line, &Stream::Unknown).starts_with("execute:Input parallel"), "{line}");
    }
}

#[test]
fn limits() {
    let line = |count: usize| format!("parallel rm ::: {}", "a ".repeat(count));
    assert_eq!(show(&line(1024)).matches("sh{").count(), 1024);
    assert_eq!(show(&line(1025)), "unknown parallel-limit <Parallel>");
    let product = format!("parallel rm ::: {0} ::: {0}", "a ".repeat(33));
    assert_eq!(show(&product), "unknown parallel-limit <Parallel>");
    let wide = format!("parallel rm {} ::: {}", "{} ".repeat(100), "a ".repeat(200));
    assert!(show(&wide).contains("unknown parallel-limit"));
}
