use sekisho_shell_syntax::span::Span;

use super::{check, facts};
use crate::argument::Value;

#[test]
fn awk() {
    check(
        "awk",
        &[
            ("BEGIN { system(\"rm -rf /\") }", "sh rm -rf /"),
            ("BEGIN { cmd=\"rm -rf /\"; system(cmd) }", "execute AwkDynamic an awk program's command; sh rm -rf /"),
            ("{ system(\"rm \" $1) }", "execute AwkDynamic an awk program's command; sh rm ${_unknown_to_us}"),
            ("{ system($0) }", "execute AwkDynamic an awk program's command"),
            ("BEGIN { \"date\" | getline d; print d }", "sh date"),
            ("BEGIN { while ((\"ls\" | getline f) > 0) print f }", "sh ls"),
            ("BEGIN { (\"ls \" \"-l\") | getline }", "sh ls -l"),
            ("{ print | \"sort\" }", "sh sort"),
            ("{ print \"rm -rf /\" | \"sh\" }", "sh sh"),
            ("{ print $1 |& \"cat\" }", "sh cat"),
            ("{ print > \"out\" }", "write out Truncate"),
            ("{ print $1 >> \"out\" \".txt\" }", "write out.txt Append"),
            ("{ print > $1 }", "write … Truncate"),
            ("{ print > \"/dev/stderr\" }", "harmless"),
            ("{ print ($1 > 3) }", "harmless"),
            ("$3 > 10 { print }", "harmless"),
            ("BEGIN { while ((getline line < \".env\") > 0) print line }", "read .env; harmless"),
            ("NR>=3 && NR<=9", "harmless"),
            ("{ print $1 }", "harmless"),
            ("/system\\(\"x\"\\)/ { print }", "harmless"),
            ("{ x++ } /\"rm\"/ { print x }", "harmless"),
            ("# system(\"rm -rf /\")\n{ print }", "harmless"),
            ("{ print \"system(rm)\" }", "harmless"),
            ("BEGIN { for (k in ENVIRON) print k, ENVIRON[k] }", "disclose environment"),
            ("BEGIN { x = \"a\"; x = \"b\"; system(x) }", "execute AwkDynamic an awk program's command"),
            ("BEGIN { system(\"echo $HOME\") }", "execute AwkDynamic an awk program's command; sh echo $HOME"),
            ("BEGIN { print \"x\" > \"unterminated", "write unterminated Truncate"),
        ],
    );
}

#[test]
fn variables_of_the_command_line() {
    let variables = [("c".to_owned(), Value::literal("ls"))];
    let code = crate::inline::awk::read("BEGIN { system(c) }", &variables, Span::default());
    assert_eq!(facts(&code), "execute AwkDynamic an awk program's command; sh ls");
}
