//! PHP: program execution, file system, environment and stream functions.
//!
//! Source: the PHP manual (8.4).

use crate::effect::WriteMode;
use crate::inline::lexer::{Escapes, Interpolation, Lexer, Syntax, Template, leading_name};
use crate::inline::meaning::{Constant, Function, Imports, Language, Meaning, Recursion, Which};

use Meaning::{Display, Evaluate, Harmless, Same};

/// PHP.
pub(in crate::inline) static PHP: Language = Language {
    number: 4,
    syntax: Syntax {
        line_comments: &["//", "# ", "#!", "#\t"],
        block_comments: &[("/*", "*/")],
        sigils: b"$",
        name_suffixes: &[],
        regular_expressions: false,
        literal,
    },
    members: &["->", "::"],
    concatenation: &["."],
    assignment: &["="],
    pairs: &["=>", ":"],
    keywords: &[
        "if",
        "elseif",
        "else",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "break",
        "continue",
        "return",
        "throw",
        "try",
        "catch",
        "finally",
        "as",
        "and",
        "or",
        "xor",
        "instanceof",
        "endif",
        "endforeach",
        "endwhile",
        "use",
    ],
    modifiers: &["new", "global", "static", "public", "private", "protected", "const", "yield"],
    definitions: &["function", "class", "fn"],
    bare_calls: true,
    blocks_are_arguments: false,
    adjacent_strings: false,
    string_calls: false,
    slash_joins_paths: false,
    percent_formats: false,
    separate_words: false,
    imports: Imports::None,
    modules: &[],
    functions: FUNCTIONS,
    constants: &[("$_ENV", Constant::Environment), ("$_SERVER", Constant::Environment)],
};

const RUN: Meaning = Meaning::Run { skip: 0, named: false };
const DELETE: Meaning = Meaning::Delete(Which::Argument(0), Recursion::Never);
const READ: Meaning = Meaning::Read(Which::Argument(0));
const LOOK: Meaning = Meaning::Metadata(Which::Argument(0));

const FUNCTIONS: &[Function] = &[
    // Processes.
    ("`", RUN),
    ("system", RUN),
    ("exec", RUN),
    ("shell_exec", RUN),
    ("passthru", RUN),
    ("popen", RUN),
    ("proc_open", RUN),
    ("pcntl_exec", Meaning::Run { skip: 0, named: false }),
    // Code.
    ("eval", Evaluate),
    ("assert", Evaluate),
    ("create_function", Evaluate),
    ("include", Meaning::Import),
    ("include_once", Meaning::Import),
    ("require", Meaning::Import),
    ("require_once", Meaning::Import),
    // Deletes.
    ("unlink", DELETE),
    ("rmdir", DELETE),
    // Moves, copies, links, permissions.
    ("rename", Meaning::Move),
    ("copy", Meaning::Copy),
    ("symlink", Meaning::Link(Which::Argument(1))),
    ("link", Meaning::Link(Which::Argument(1))),
    ("chmod", Meaning::Permissions { target: Which::Argument(0), mode: 1, recursive: false }),
    ("chown", Meaning::Permissions { target: Which::Argument(0), mode: 1, recursive: false }),
    // Files.
    ("fopen", Meaning::Open(Which::Argument(0), 1)),
    ("file_put_contents", Meaning::Write(Which::Argument(0), WriteMode::Truncate)),
    ("touch", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("mkdir", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("file_get_contents", READ),
    ("file", READ),
    ("readfile", READ),
    ("highlight_file", READ),
    ("show_source", READ),
    ("parse_ini_file", READ),
    ("scandir", Meaning::Names(Which::Argument(0))),
    ("file_exists", LOOK),
    ("is_file", LOOK),
    ("is_dir", LOOK),
    ("filesize", LOOK),
    ("stat", LOOK),
    // Paths and the environment.
    ("glob", Meaning::Glob),
    ("getenv", Meaning::EnvironmentVariable),
    ("chdir", Meaning::ChangeDirectory),
    ("realpath", Same),
    ("trim", Same),
    ("rtrim", Same),
    ("escapeshellarg", Same),
    ("escapeshellcmd", Same),
    ("sys_get_temp_dir", Meaning::TemporaryRoot),
    ("tempnam", Meaning::Temporary),
    ("array_map", Meaning::Apply),
    ("call_user_func", Meaning::Apply),
    ("implode", Meaning::JoinTexts),
    ("join", Meaning::JoinTexts),
    // The network.
    ("curl_init", Meaning::Fetch),
    ("curl_exec", Harmless),
    ("fsockopen", Meaning::Connect),
    ("stream_socket_client", Meaning::Connect),
    ("mail", Meaning::Upload),
    // Signals.
    ("posix_kill", Meaning::Signal),
    // Output.
    ("echo", Display),
    ("print", Display),
    ("printf", Display),
    ("print_r", Display),
    ("var_dump", Display),
    ("var_export", Display),
    ("error_log", Display),
    // What computes.
    ("phpversion", Harmless),
    ("json_encode", Harmless),
    ("json_decode", Harmless),
    ("strlen", Harmless),
    ("str_replace", Harmless),
    ("str_repeat", Harmless),
    ("str_contains", Harmless),
    ("str_starts_with", Harmless),
    ("strpos", Harmless),
    ("substr", Harmless),
    ("strtolower", Harmless),
    ("strtoupper", Harmless),
    ("ucfirst", Harmless),
    ("sprintf", Harmless),
    ("number_format", Harmless),
    ("explode", Harmless),
    ("preg_match", Harmless),
    ("preg_match_all", Harmless),
    ("preg_replace", Harmless),
    ("preg_split", Harmless),
    ("count", Harmless),
    ("array_keys", Harmless),
    ("array_values", Harmless),
    ("array_merge", Harmless),
    ("array_filter", Harmless),
    ("array_sum", Harmless),
    ("array_unique", Harmless),
    ("in_array", Harmless),
    ("isset", Harmless),
    ("empty", Harmless),
    ("is_null", Harmless),
    ("is_array", Harmless),
    ("sort", Harmless),
    ("range", Harmless),
    ("max", Harmless),
    ("min", Harmless),
    ("round", Harmless),
    ("floor", Harmless),
    ("ceil", Harmless),
    ("sqrt", Harmless),
    ("rand", Harmless),
    ("random_int", Harmless),
    ("intval", Harmless),
    ("date", Harmless),
    ("time", Harmless),
    ("microtime", Harmless),
    ("strtotime", Harmless),
    ("md5", Harmless),
    ("sha1", Harmless),
    ("hash", Harmless),
    ("base64_encode", Harmless),
    ("base64_decode", Harmless),
    ("urlencode", Harmless),
    ("basename", Harmless),
    ("dirname", Harmless),
    ("getcwd", Meaning::WorkingDirectory),
    ("ini_get", Harmless),
    ("extension_loaded", Harmless),
    ("function_exists", Harmless),
    ("array", Harmless),
    ("fclose", Harmless),
    ("die", Harmless),
    ("exit", Harmless),
];

/// Strings, backticks, here-documents, the tags around code.
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
        Some(b'<') => return here_document(lexer) || tag(lexer),
        Some(b'?') if lexer.rest().starts_with("?>") => lexer.advance(2),
        _ => return false,
    }
    true
}

fn tag(lexer: &mut Lexer<'_>) -> bool {
    let length = match lexer.rest() {
        rest if rest.starts_with("<?php") => 5,
        rest if rest.starts_with("<?=") => 3,
        rest if rest.starts_with("<?") => 2,
        _ => return false,
    };
    lexer.advance(length);
    true
}

/// `<<<TEXT`, `<<<"TEXT"`, `<<<'TEXT'`.
fn here_document(lexer: &mut Lexer<'_>) -> bool {
    let Some(rest) = lexer.rest().strip_prefix("<<<") else { return false };
    let quote = rest.chars().next().filter(|character| matches!(character, '\'' | '"'));
    let name = leading_name(rest.get(usize::from(quote.is_some())..).unwrap_or_default());
    if name.is_empty() {
        return false;
    }
    lexer.advance(3 + name.len() + 2 * usize::from(quote.is_some()));
    lexer.here_document(name, true, if quote == Some('\'') { "" } else { "$" });
    true
}
