//! Languages that are given as inline code less often: R, Julia, Elixir, AppleScript, and the Java family (Groovy, Scala, jshell).
//!
//! Sources: the R reference (base), the Julia 1.11 manual (Filesystem, Running External Programs), the Elixir 1.18 documentation (`System`,
//! `File`), the AppleScript Language Guide (`do shell script`), the Java SE 21 and Groovy 4 documentation.

use crate::effect::WriteMode;
use crate::inline::lexer::{Escapes, Interpolation, Lexer, Syntax, Template};
use crate::inline::meaning::{Constant, Function, Imports, Language, Meaning, Recursion, Which};

use Meaning::{Display, Evaluate, Harmless, JoinPath};

const RUN: Meaning = Meaning::Run { skip: 0, named: false };
const DELETE: Meaning = Meaning::Delete(Which::Argument(0), Recursion::Never);
const DELETE_ASKED: Meaning = Meaning::Delete(Which::Argument(0), Recursion::Asked);
const DELETE_TREE: Meaning = Meaning::Delete(Which::Argument(0), Recursion::Always);
const READ: Meaning = Meaning::Read(Which::Argument(0));
const TRUNCATE: Meaning = Meaning::Write(Which::Argument(0), WriteMode::Truncate);
const CREATE: Meaning = Meaning::Write(Which::Argument(0), WriteMode::Create);

/// R.
pub(in crate::inline) static R: Language = Language {
    number: 6,
    syntax: Syntax {
        line_comments: &["#"],
        block_comments: &[],
        sigils: &[],
        name_suffixes: &[],
        regular_expressions: false,
        literal: plain,
    },
    members: &[".", "::"],
    concatenation: &[],
    assignment: &["<-", "="],
    pairs: &[],
    keywords: &["if", "else", "while", "repeat", "break", "next", "return", "in"],
    modifiers: &[],
    definitions: &["function"],
    functions: &[
        ("system", RUN),
        ("system2", RUN),
        ("shell", RUN),
        ("eval", Evaluate),
        ("unlink", DELETE_ASKED),
        ("file.remove", DELETE),
        ("fs.dir_delete", DELETE_TREE),
        ("fs.file_delete", DELETE),
        ("file.rename", Meaning::Move),
        ("file.copy", Meaning::Copy),
        ("readLines", READ),
        ("read.csv", READ),
        ("readRDS", READ),
        ("source", Meaning::Import),
        ("writeLines", Meaning::Write(Which::Argument(1), WriteMode::Truncate)),
        ("write.csv", Meaning::Write(Which::Argument(1), WriteMode::Truncate)),
        ("saveRDS", Meaning::Write(Which::Argument(1), WriteMode::Truncate)),
        ("dir.create", CREATE),
        ("list.files", Meaning::Names(Which::Argument(0))),
        ("file.exists", Meaning::Metadata(Which::Argument(0))),
        ("file.path", JoinPath),
        ("path.expand", Meaning::ExpandUser),
        ("Sys.getenv", Meaning::EnvironmentVariable),
        ("Sys.glob", Meaning::Glob),
        ("setwd", Meaning::ChangeDirectory),
        ("tempdir", Meaning::TemporaryRoot),
        ("tempfile", Meaning::Temporary),
        ("download.file", Meaning::Fetch),
        ("print", Display),
        ("cat", Display),
        ("message", Display),
        ("c", Meaning::Keys),
        ("paste", Harmless),
        ("paste0", Harmless),
        ("length", Harmless),
        ("sum", Harmless),
        ("mean", Harmless),
        ("sqrt", Harmless),
        ("R.version.string", Harmless),
        ("sessionInfo", Harmless),
        ("quit", Harmless),
        ("q", Harmless),
    ],
    ..BASE
};

/// Julia.
pub(in crate::inline) static JULIA: Language = Language {
    number: 7,
    syntax: Syntax {
        line_comments: &["#"],
        block_comments: &[("#=", "=#")],
        sigils: &[],
        name_suffixes: b"!",
        regular_expressions: false,
        literal: with_commands,
    },
    concatenation: &["*"],
    keywords: &[
        "if", "elseif", "else", "while", "end", "return", "begin", "try", "catch", "finally", "in", "do", "break", "continue",
    ],
    modifiers: &["const", "local", "global"],
    definitions: &["function", "struct", "macro"],
    functions: &[
        ("`", RUN),
        ("run", Harmless),
        ("read", READ),
        ("eval", Evaluate),
        ("include", Meaning::Import),
        ("include_string", Evaluate),
        ("rm", DELETE_ASKED),
        ("mv", Meaning::Move),
        ("cp", Meaning::Copy),
        ("open", Meaning::Open(Which::Argument(0), 1)),
        ("write", TRUNCATE),
        ("touch", CREATE),
        ("mkpath", CREATE),
        ("mkdir", CREATE),
        ("readlines", READ),
        ("readdir", Meaning::Names(Which::Argument(0))),
        ("isfile", Meaning::Metadata(Which::Argument(0))),
        ("isdir", Meaning::Metadata(Which::Argument(0))),
        ("homedir", Meaning::Home),
        ("expanduser", Meaning::ExpandUser),
        ("joinpath", JoinPath),
        ("mktempdir", Meaning::Temporary),
        ("tempdir", Meaning::TemporaryRoot),
        ("cd", Meaning::ChangeDirectory),
        ("download", Meaning::Fetch),
        ("println", Display),
        ("print", Display),
        ("show", Display),
        ("sqrt", Harmless),
        ("sum", Harmless),
        ("length", Harmless),
        ("exit", Harmless),
    ],
    constants: &[("ENV", Constant::Environment)],
    ..BASE
};

/// Elixir.
pub(in crate::inline) static ELIXIR: Language = Language {
    number: 8,
    syntax: Syntax {
        line_comments: &["#"],
        block_comments: &[],
        sigils: &[],
        name_suffixes: b"?!",
        regular_expressions: false,
        literal: with_hash_braces,
    },
    concatenation: &["<>"],
    pairs: &[":", "=>"],
    keywords: &["if", "else", "unless", "do", "end", "case", "cond", "fn", "when", "and", "or", "not", "in", "rescue", "after"],
    definitions: &["def", "defp", "defmodule"],
    bare_calls: true,
    functions: &[
        ("System.cmd", RUN),
        ("System.shell", RUN),
        (".os.cmd", RUN),
        ("Code.eval_string", Evaluate),
        ("Code.eval_file", Meaning::Import),
        ("File.rm", DELETE),
        ("File.rm!", DELETE),
        ("File.rmdir", DELETE),
        ("File.rmdir!", DELETE),
        ("File.rm_rf", DELETE_TREE),
        ("File.rm_rf!", DELETE_TREE),
        ("File.rename", Meaning::Move),
        ("File.rename!", Meaning::Move),
        ("File.cp", Meaning::Copy),
        ("File.cp!", Meaning::Copy),
        ("File.cp_r", Meaning::Copy),
        ("File.cp_r!", Meaning::Copy),
        ("File.read", READ),
        ("File.read!", READ),
        ("File.stream!", READ),
        ("File.write", TRUNCATE),
        ("File.write!", TRUNCATE),
        ("File.touch", CREATE),
        ("File.mkdir_p", CREATE),
        ("File.mkdir_p!", CREATE),
        ("File.ls", Meaning::Names(Which::Argument(0))),
        ("File.exists?", Meaning::Metadata(Which::Argument(0))),
        ("File.cd!", Meaning::ChangeDirectory),
        ("System.user_home", Meaning::Home),
        ("System.user_home!", Meaning::Home),
        ("System.tmp_dir!", Meaning::TemporaryRoot),
        ("System.get_env", Meaning::EnvironmentVariable),
        ("Path.join", JoinPath),
        ("Path.expand", Meaning::ExpandUser),
        ("Path.wildcard", Meaning::Glob),
        ("IO.puts", Display),
        ("IO.inspect", Display),
        ("IO.write", Display),
        ("System.version", Harmless),
        ("Enum.sum", Harmless),
        ("Enum.count", Harmless),
        ("String.length", Harmless),
        ("String.upcase", Harmless),
        ("length", Harmless),
    ],
    ..BASE
};

/// AppleScript.
pub(in crate::inline) static APPLESCRIPT: Language = Language {
    number: 9,
    syntax: Syntax {
        line_comments: &["--", "#"],
        block_comments: &[("(*", "*)")],
        sigils: &[],
        name_suffixes: &[],
        regular_expressions: false,
        literal: plain,
    },
    concatenation: &["&"],
    keywords: &[
        "if", "then", "else", "end", "repeat", "return", "tell", "to", "with", "without", "as", "of", "try", "error", "and", "or",
        "not",
    ],
    modifiers: &["do", "shell", "the", "administrator", "privileges"],
    definitions: &["on"],
    bare_calls: true,
    // `do shell script "…"`: the first two words are passed over.
    functions: &[
        ("script", RUN),
        ("display", Harmless),
        ("dialog", Display),
        ("notification", Display),
        ("alert", Display),
        ("log", Display),
        ("say", Display),
        ("application", Meaning::Keys),
        ("delete", DELETE_TREE),
    ],
    ..BASE
};

/// Groovy, Scala and Java.
pub(in crate::inline) static GROOVY: Language = Language {
    number: 10,
    syntax: Syntax {
        line_comments: &["//", "#!"],
        block_comments: &[("/*", "*/")],
        sigils: &[],
        name_suffixes: &[],
        regular_expressions: false,
        literal: with_dollar_braces,
    },
    concatenation: &["+"],
    pairs: &[":"],
    keywords: &[
        "if", "else", "while", "do", "switch", "case", "default", "break", "continue", "return", "throw", "try", "catch",
        "finally", "in",
    ],
    modifiers: &["new", "final", "val", "var", "def", "static", "public", "private"],
    definitions: &["class", "object"],
    bare_calls: true,
    functions: &[
        (".execute", Meaning::Run { skip: 0, named: false }),
        ("Runtime.getRuntime.exec", RUN),
        (".exec", RUN),
        ("ProcessBuilder", RUN),
        ("Process", RUN),
        ("sys.process.Process", RUN),
        ("File", JoinPath),
        ("java.io.File", JoinPath),
        ("Path.of", JoinPath),
        ("Paths.get", JoinPath),
        (".deleteDir", Meaning::Delete(Which::Receiver, Recursion::Always)),
        (".delete", Meaning::Delete(Which::Receiver, Recursion::Never)),
        (".deleteRecursively", Meaning::Delete(Which::Receiver, Recursion::Always)),
        ("FileUtils.deleteDirectory", DELETE_TREE),
        ("Files.delete", DELETE),
        ("Files.deleteIfExists", DELETE),
        ("Files.move", Meaning::Move),
        ("Files.copy", Meaning::Copy),
        ("Files.readString", READ),
        ("Files.readAllLines", READ),
        ("Files.writeString", TRUNCATE),
        ("Files.write", TRUNCATE),
        ("Eval.me", Evaluate),
        ("evaluate", Evaluate),
        ("System.getenv", Meaning::EnvironmentVariable),
        ("println", Display),
        ("print", Display),
        ("System.out.println", Display),
        ("Math.sqrt", Harmless),
        ("System.exit", Harmless),
        ("System.currentTimeMillis", Harmless),
    ],
    ..BASE
};

/// What most of them have in common.
const BASE: Language = Language {
    number: usize::MAX,
    syntax: Syntax {
        line_comments: &["#"],
        block_comments: &[],
        sigils: &[],
        name_suffixes: &[],
        regular_expressions: false,
        literal: plain,
    },
    members: &["."],
    concatenation: &["+"],
    assignment: &["="],
    pairs: &[],
    keywords: &[],
    modifiers: &[],
    definitions: &[],
    bare_calls: false,
    blocks_are_arguments: false,
    adjacent_strings: false,
    string_calls: false,
    slash_joins_paths: false,
    percent_formats: false,
    separate_words: false,
    imports: Imports::None,
    modules: &[],
    functions: NOTHING,
    constants: &[],
};

const NOTHING: &[Function] = &[];

/// Strings between single or double quotes.
fn plain(lexer: &mut Lexer<'_>) -> bool {
    quoted(lexer, Interpolation::None)
}

/// Strings with `#{…}`.
fn with_hash_braces(lexer: &mut Lexer<'_>) -> bool {
    quoted(lexer, Interpolation::HashBraces)
}

/// Strings with `${…}` and `$name`.
fn with_dollar_braces(lexer: &mut Lexer<'_>) -> bool {
    quoted(lexer, Interpolation::DollarBraces)
}

/// Strings, and commands between backticks.
fn with_commands(lexer: &mut Lexer<'_>) -> bool {
    if lexer.byte(0) == Some(b'`') {
        lexer.advance(1);
        lexer.string(Template::new('`', Escapes::Full, Interpolation::Sigils).runs());
        return true;
    }
    quoted(lexer, Interpolation::None)
}

fn quoted(lexer: &mut Lexer<'_>, interpolation: Interpolation) -> bool {
    let Some(quote @ (b'\'' | b'"')) = lexer.byte(0) else { return false };
    let triple = lexer.byte(1) == Some(quote) && lexer.byte(2) == Some(quote);
    let interpolation = if quote == b'"' { interpolation } else { Interpolation::None };
    let mut template = Template::new(char::from(quote), Escapes::Full, interpolation);
    if triple {
        template.count = 3;
    }
    lexer.advance(template.count);
    lexer.string(template);
    true
}
