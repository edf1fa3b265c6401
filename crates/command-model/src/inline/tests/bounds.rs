use sekisho_shell_syntax::span::Span;

use super::super::read;

const LANGUAGES: &[&str] =
    &["python", "javascript", "ruby", "perl", "php", "lua", "r", "julia", "elixir", "applescript", "groovy", "awk", "sql"];

/// Reads it in every language. Work that is not linear would take minutes here.
fn finishes(code: &str) {
    for language in LANGUAGES {
        read(language, code, "/home/u", Span::default());
    }
}

#[test]
fn a_literal_of_a_mebibyte() {
    finishes(&format!("print('{}')", "a".repeat(1 << 20)));
    finishes(&format!("x = \"{}", "a".repeat(1 << 20)));
}

#[test]
fn deep_nesting_without_recursion() {
    for bracket in ["(", "[", "{", "f(", "[[", "{[("] {
        finishes(&bracket.repeat(10_000));
    }
    finishes(&format!("{}1{}", "f(".repeat(10_000), ")".repeat(10_000)));
    finishes(&format!("{}x{}", "[".repeat(10_000), "]".repeat(10_000)));
    finishes(&"`${".repeat(10_000));
    finishes(&"f'{".repeat(10_000));
    finishes(&"\"#{".repeat(10_000));
    finishes(&"eval(\"".repeat(10_000));
}

#[test]
fn repetition_is_linear() {
    for piece in [
        "a.b",
        "a+",
        "'a'+",
        "\"a\" ",
        "x='a';",
        "f(x);",
        "/a",
        "=/[",
        "<<A ",
        "<<~A\n",
        "%w(",
        "[==[",
        "$a",
        "s{",
        "q(",
        "a ",
        "/*",
        "$a$",
        "\\",
        "\n",
        "'",
        "\"",
        "`",
        "é",
        "rm(x,",
        "print>",
        "x|getline ",
        "E'",
        "DELETE ",
        "(DELETE ",
        "WITH ",
        "for x in ",
        "import a,",
        "#{",
        "<a",
    ] {
        finishes(&piece.repeat(65_536 / piece.len()));
    }
}

#[test]
fn shared_values_do_not_multiply() {
    finishes(&format!("p = '{}'\n{}", "a".repeat(4096), "rm(p);system(p);os.remove(p)\n".repeat(4000)));
    finishes(&format!("a='aaaaaaaa'\n{}", "a=a+a\n".repeat(5000)));
    let doubling: String = (0..5000).map(|number| format!("x{}=x{number}+x{number}\n", number + 1)).collect();
    finishes(&format!("x0='aaaaaaaa'\n{doubling}"));
    let doubling: String = (0..3000).map(|number| format!("x{}=[x{number}]+[x{number}]\n", number + 1)).collect();
    finishes(&doubling);
}

#[test]
fn any_text_is_survived() {
    // A small generator of nonsense from the pieces of all languages.
    const PIECES: &[&str] = &[
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "'",
        "\"",
        "`",
        "\n",
        " ",
        ",",
        ";",
        ".",
        ":",
        "::",
        "->",
        "=>",
        "=",
        "+",
        "/",
        "%",
        "%w[",
        "qx{",
        "s/",
        "<<~X",
        "$x",
        "@y",
        "#{",
        "${",
        "f'",
        "r\"",
        "\\",
        "system",
        "os.system",
        "for",
        "in",
        "def",
        "import",
        "from",
        "do |x|",
        "unlink",
        "é",
        "1",
        "x",
        "/*",
        "*/",
        "--",
        "#",
        "[[",
        "]]",
        "$$",
        "print",
        ">",
        "|",
        "getline",
        "DELETE FROM",
        "WHERE",
    ];
    let mut state = 0x2545_f491_u32;
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..40 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            text.push_str(PIECES[state as usize % PIECES.len()]);
        }
        for language in LANGUAGES {
            read(language, &text, "/home/u", Span::default());
        }
    }
}
