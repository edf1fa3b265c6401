//! Perl: the built-in functions, File::Path, File::Copy, LWP.
//!
//! Sources: perlfunc(1), perlop(1) of Perl 5.40, File::Path(3), File::Copy(3).

use crate::effect::WriteMode;
use crate::inline::lexer::{Escapes, Interpolation, Lexer, Syntax, Template, leading_name, partner};
use crate::inline::meaning::{Constant, Function, Imports, Language, Meaning, Recursion, Which};
use crate::inline::token::Kind;

use Meaning::{Display, Evaluate, Fetch, Harmless, Same};

/// Perl 5.
pub(in crate::inline) static PERL: Language = Language {
    number: 3,
    syntax: Syntax {
        line_comments: &["#"],
        block_comments: &[("\n=pod", "\n=cut"), ("\n=head", "\n=cut"), ("\n=begin", "\n=cut")],
        sigils: b"$@",
        name_suffixes: &[],
        regular_expressions: true,
        literal,
    },
    members: &["->", "::"],
    concatenation: &["."],
    assignment: &["="],
    pairs: &["=>", ":"],
    keywords: &[
        "if", "elsif", "else", "unless", "while", "until", "return", "and", "or", "not", "xor", "last", "next", "redo", "x", "eq",
        "ne", "lt", "gt", "le", "ge", "cmp", "BEGIN", "END",
    ],
    modifiers: &["my", "our", "local", "do", "state", "print_to"],
    definitions: &["sub", "package"],
    bare_calls: true,
    blocks_are_arguments: false,
    adjacent_strings: false,
    string_calls: false,
    slash_joins_paths: false,
    percent_formats: false,
    separate_words: true,
    imports: Imports::Use,
    modules: &[
        "strict",
        "warnings",
        "utf8",
        "feature",
        "vars",
        "constant",
        "integer",
        "bytes",
        "lib",
        "open",
        "parent",
        "base",
        "Carp",
        "Cwd",
        "Data.Dumper",
        "Digest",
        "Encode",
        "English",
        "Fcntl",
        "File",
        "FindBin",
        "Getopt",
        "IO",
        "JSON.PP",
        "JSON",
        "List",
        "MIME",
        "POSIX",
        "Scalar",
        "Storable",
        "Text",
        "Time",
        "Tie",
        "Unicode",
        "v5",
        "v5.10",
        "v5.36",
    ],
    functions: FUNCTIONS,
    constants: &[("$ENV", Constant::Environment), ("%ENV", Constant::Environment)],
};

const RUN: Meaning = Meaning::Run { skip: 0, named: false };
const DELETE: Meaning = Meaning::Delete(Which::All, Recursion::Never);
const DELETE_TREE: Meaning = Meaning::Delete(Which::All, Recursion::Always);
const MODE: Meaning = Meaning::Permissions { target: Which::All, mode: 0, recursive: false };
const LOOK: Meaning = Meaning::Metadata(Which::Argument(0));

const FUNCTIONS: &[Function] = &[
    // Processes.
    ("`", RUN),
    ("system", RUN),
    ("exec", RUN),
    ("CORE.system", RUN),
    ("CORE.exec", RUN),
    ("POSIX.system", RUN),
    ("open2", Meaning::Run { skip: 2, named: false }),
    ("open3", Meaning::Run { skip: 3, named: false }),
    ("*.capturex", RUN),
    ("fork", Harmless),
    // Code.
    ("eval", Evaluate),
    ("require", Meaning::Keys),
    // Deletes.
    ("unlink", DELETE),
    ("rmdir", DELETE),
    ("CORE.unlink", DELETE),
    ("*.rmtree", DELETE_TREE),
    ("*.remove_tree", DELETE_TREE),
    // Moves, copies, links, permissions.
    ("rename", Meaning::Move),
    ("move", Meaning::Move),
    ("mv", Meaning::Move),
    ("File.Copy.move", Meaning::Move),
    ("copy", Meaning::Copy),
    ("cp", Meaning::Copy),
    ("File.Copy.copy", Meaning::Copy),
    ("symlink", Meaning::Link(Which::Argument(1))),
    ("link", Meaning::Link(Which::Argument(1))),
    ("chmod", MODE),
    ("chown", Meaning::Permissions { target: Which::All, mode: 1, recursive: false }),
    // Files.
    ("open", Meaning::PerlOpen),
    ("sysopen", Meaning::Write(Which::Argument(1), WriteMode::InPlace)),
    ("truncate", Meaning::Write(Which::Argument(0), WriteMode::Truncate)),
    ("mkdir", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("*.make_path", Meaning::Write(Which::All, WriteMode::Create)),
    ("*.mkpath", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("*.read_file", Meaning::Read(Which::Argument(0))),
    ("*.write_file", Meaning::Write(Which::Argument(0), WriteMode::Truncate)),
    ("opendir", Meaning::Names(Which::Argument(1))),
    ("stat", LOOK),
    ("lstat", LOOK),
    ("-", LOOK),
    // Paths and the environment.
    ("glob", Meaning::Glob),
    ("File.Spec.catfile", Meaning::JoinPath),
    ("File.HomeDir.my_home", Meaning::Home),
    ("chdir", Meaning::ChangeDirectory),
    ("tempdir", Meaning::Temporary),
    ("abs_path", Same),
    ("cwd", Meaning::WorkingDirectory),
    ("getcwd", Meaning::WorkingDirectory),
    // The network.
    ("LWP.Simple.get", Fetch),
    ("get", Fetch),
    ("*.getstore", Fetch),
    ("HTTP.Tiny.new.get", Fetch),
    // Signals.
    ("kill", Meaning::Signal),
    // Output.
    ("print", Display),
    ("printf", Display),
    ("say", Display),
    ("warn", Display),
    ("die", Display),
    // What computes.
    ("Dumper", Harmless),
    ("abs", Harmless),
    ("chomp", Harmless),
    ("chop", Harmless),
    ("chr", Harmless),
    ("close", Harmless),
    ("closedir", Harmless),
    ("binmode", Harmless),
    ("defined", Harmless),
    ("delete", Harmless),
    ("each", Harmless),
    ("exists", Harmless),
    ("exit", Harmless),
    ("grep", Harmless),
    ("hex", Harmless),
    ("index", Harmless),
    ("int", Harmless),
    ("join", Harmless),
    ("keys", Harmless),
    ("lc", Harmless),
    ("length", Harmless),
    ("localtime", Harmless),
    ("gmtime", Harmless),
    ("map", Harmless),
    ("oct", Harmless),
    ("ord", Harmless),
    ("pack", Harmless),
    ("pop", Harmless),
    ("push", Harmless),
    ("rand", Harmless),
    ("readdir", Harmless),
    ("ref", Harmless),
    ("reverse", Harmless),
    ("scalar", Harmless),
    ("shift", Harmless),
    ("sleep", Harmless),
    ("sort", Harmless),
    ("splice", Harmless),
    ("split", Harmless),
    ("sprintf", Harmless),
    ("sqrt", Harmless),
    ("substr", Harmless),
    ("sum", Harmless),
    ("max", Harmless),
    ("min", Harmless),
    ("time", Harmless),
    ("uc", Harmless),
    ("ucfirst", Harmless),
    ("undef", Harmless),
    ("uniq", Harmless),
    ("unpack", Harmless),
    ("unshift", Harmless),
    ("values", Harmless),
    ("wantarray", Harmless),
];

/// Strings, quote-like operators, variables with a sigil of their own, here-documents, `<*.c>`.
fn literal(lexer: &mut Lexer<'_>) -> bool {
    match lexer.byte(0) {
        Some(b'\'') => {
            lexer.advance(1);
            lexer.string(Template::new('\'', Escapes::Quote, Interpolation::None));
        }
        Some(b'"') => {
            lexer.advance(1);
            lexer.string(Template::new('"', Escapes::Full, Interpolation::Sigils));
        }
        Some(b'`') => {
            lexer.advance(1);
            lexer.string(Template::new('`', Escapes::Full, Interpolation::Sigils).runs());
        }
        Some(b'<') => return here_document(lexer) || angle(lexer),
        Some(b'$')
            if matches!(lexer.byte(1), Some(b'#' | b'$' | b'!' | b'@' | b'/' | b'\\' | b',' | b';' | b'&' | b'0'..=b'9')) =>
        {
            // `$#list` and `$$` are numbers; `$!`, `$@`, `$0` are texts that say nothing.
            lexer.advance(2);
            lexer.push(Kind::Opaque);
        }
        Some(b'%') if !lexer.after_value() || lexer.spaced() => {
            let name = leading_name(lexer.rest().get(1..).unwrap_or_default());
            if name.is_empty() {
                return false;
            }
            lexer.advance(1 + name.len());
            lexer.push(Kind::Name(format!("%{name}").into()));
        }
        Some(b'q' | b'm' | b's' | b't' | b'y') => return quote_like(lexer),
        Some(b'-')
            if !lexer.after_value()
                && lexer.byte(1).is_some_and(|byte| byte.is_ascii_alphabetic())
                && lexer.byte(2).is_some_and(|byte| matches!(byte, b' ' | b'$' | b'"' | b'\'')) =>
        {
            // `-e $file`: a look at the file.
            lexer.advance(2);
            lexer.push(Kind::Name("-".into()));
        }
        _ => return false,
    }
    true
}

/// `q qq qw qx m qr s tr y` and their delimiters.
fn quote_like(lexer: &mut Lexer<'_>) -> bool {
    let rest = lexer.rest();
    let name = leading_name(rest);
    if !matches!(name, "q" | "qq" | "qw" | "qx" | "m" | "qr" | "s" | "tr" | "y") {
        return false;
    }
    // A member, a hash key or a variable is not an operator.
    if matches!(lexer.last(), Some(Kind::Operator("->" | "::" | "$" | "@"))) {
        return false;
    }
    let after = rest.get(name.len()..).unwrap_or_default();
    let blank = after.len() - after.trim_start_matches([' ', '\t']).len();
    let after = after.get(blank..).unwrap_or_default();
    let Some(open) = after.chars().next().filter(|open| open.is_ascii_punctuation()) else { return false };
    let is_key = open == '}' && matches!(lexer.last(), Some(Kind::Open(b'{')));
    if is_key || matches!(open, ',' | ';' | ')' | '=') || (open == '#' && blank > 0) {
        return false;
    }
    lexer.advance(name.len() + blank + open.len_utf8());
    match name {
        "q" => lexer.string(Template::delimited(open, Escapes::Quote, Interpolation::None)),
        "qq" => lexer.string(Template::delimited(open, Escapes::Full, Interpolation::Sigils)),
        "qx" => {
            let interpolation = if open == '\'' { Interpolation::None } else { Interpolation::Sigils };
            lexer.string(Template::delimited(open, Escapes::Full, interpolation).runs());
        }
        "qw" => {
            let text = lexer.raw(open);
            lexer.push(Kind::Open(b'['));
            for word in text.split_whitespace() {
                lexer.push(Kind::Text(word.into()));
                lexer.push(Kind::Comma);
            }
            lexer.push(Kind::Close(b']'));
        }
        "m" | "qr" => {
            lexer.raw(open);
            flags(lexer);
            lexer.push(Kind::Opaque);
        }
        _ => substitution(lexer, open, name == "s"),
    }
    true
}

/// `s/a/b/e`, `tr/a/b/`: with `e` the replacement is code.
fn substitution(lexer: &mut Lexer<'_>, open: char, may_run: bool) {
    lexer.raw(open);
    let replacement = if partner(open) == open {
        lexer.raw(open)
    } else {
        let blank = lexer.rest().len() - lexer.rest().trim_start().len();
        lexer.advance(blank);
        let second = lexer.character().unwrap_or_default();
        lexer.advance(second.len_utf8());
        lexer.raw(second)
    };
    let flags = flags(lexer);
    if may_run && flags.contains('e') {
        lexer.nested.push(replacement);
    }
    lexer.push(Kind::Opaque);
}

fn flags<'a>(lexer: &mut Lexer<'a>) -> &'a str {
    let flags = leading_name(lexer.rest());
    lexer.advance(flags.len());
    flags
}

/// `<<"TEXT"`, `<<'TEXT'`, `<<TEXT`, `<<~TEXT`.
fn here_document(lexer: &mut Lexer<'_>) -> bool {
    let Some(rest) = lexer.rest().strip_prefix("<<") else { return false };
    let indented = rest.starts_with('~');
    let rest = rest.get(usize::from(indented)..).unwrap_or_default();
    let quote = rest.chars().next().filter(|character| matches!(character, '\'' | '"'));
    let name = leading_name(rest.get(usize::from(quote.is_some())..).unwrap_or_default());
    if name.is_empty() || (quote.is_none() && !name.starts_with(|letter: char| letter.is_ascii_uppercase())) {
        return false;
    }
    lexer.advance(2 + usize::from(indented) + name.len() + 2 * usize::from(quote.is_some()));
    lexer.here_document(name, indented, if quote == Some('\'') { "" } else { "$@" });
    true
}

/// `<*.c>` is a pattern, `<STDIN>` and `<$file>` are lines.
fn angle(lexer: &mut Lexer<'_>) -> bool {
    if lexer.after_value() && !lexer.spaced() {
        return false;
    }
    let rest = lexer.rest().get(1..).unwrap_or_default();
    // A pattern is short: what is longer is a comparison.
    let Some(end) = rest.bytes().take(256).position(|byte| matches!(byte, b'>' | b'\n' | b';')) else { return false };
    let Some(body) = rest.get(..end).filter(|_| rest.as_bytes().get(end) == Some(&b'>')) else { return false };
    if body.contains(' ') || body.starts_with('=') {
        return false;
    }
    lexer.advance(end + 2);
    if body.is_empty()
        || body.starts_with('$') && !body.contains(['*', '?', '/'])
        || body.bytes().all(|byte| byte.is_ascii_uppercase())
    {
        lexer.push(Kind::Opaque);
    } else {
        lexer.push(Kind::Name("glob".into()));
        lexer.push(Kind::Open(b'('));
        lexer.push(if body.contains('$') { Kind::Opaque } else { Kind::Text(body.into()) });
        lexer.push(Kind::Close(b')'));
    }
    true
}
