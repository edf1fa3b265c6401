//! Lua: `os`, `io`, LuaFileSystem.
//!
//! Source: the Lua 5.4 reference manual, §6.

use crate::effect::WriteMode;
use crate::inline::lexer::{Escapes, Interpolation, Lexer, Syntax, Template};
use crate::inline::meaning::{Function, Imports, Language, Meaning, Recursion, Which};
use crate::inline::token::Kind;

use Meaning::{Display, Evaluate, Harmless};

/// Lua 5 and LuaJIT.
pub(in crate::inline) static LUA: Language = Language {
    number: 5,
    syntax: Syntax {
        line_comments: &["--", "#!"],
        block_comments: &[("--[[", "]]"), ("--[=[", "]=]"), ("--[==[", "]==]")],
        sigils: &[],
        name_suffixes: &[],
        regular_expressions: false,
        literal,
    },
    members: &[".", ":"],
    concatenation: &[".."],
    assignment: &["="],
    pairs: &[],
    keywords: &[
        "if", "then", "elseif", "else", "end", "while", "do", "repeat", "until", "return", "and", "or", "not", "in", "break",
        "goto",
    ],
    modifiers: &["local"],
    definitions: &["function"],
    bare_calls: false,
    blocks_are_arguments: false,
    adjacent_strings: false,
    string_calls: true,
    slash_joins_paths: false,
    percent_formats: false,
    separate_words: false,
    imports: Imports::None,
    modules: &["bit", "bit32", "coroutine", "ffi", "io", "jit", "lfs", "math", "os", "string", "table", "utf8"],
    functions: FUNCTIONS,
    constants: &[],
};

const RUN: Meaning = Meaning::Run { skip: 0, named: false };
const DELETE: Meaning = Meaning::Delete(Which::Argument(0), Recursion::Never);

const FUNCTIONS: &[Function] = &[
    ("os.execute", RUN),
    ("io.popen", RUN),
    ("load", Evaluate),
    ("loadstring", Evaluate),
    ("dofile", Meaning::Import),
    ("loadfile", Meaning::Import),
    ("require", Meaning::Import),
    ("os.remove", DELETE),
    ("lfs.rmdir", DELETE),
    ("os.rename", Meaning::Move),
    ("io.open", Meaning::Open(Which::Argument(0), 1)),
    ("io.lines", Meaning::Read(Which::Argument(0))),
    ("io.input", Meaning::Read(Which::Argument(0))),
    ("io.output", Meaning::Write(Which::Argument(0), WriteMode::Truncate)),
    ("lfs.mkdir", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("lfs.dir", Meaning::Names(Which::Argument(0))),
    ("lfs.attributes", Meaning::Metadata(Which::Argument(0))),
    ("lfs.chdir", Meaning::ChangeDirectory),
    ("os.getenv", Meaning::EnvironmentVariable),
    ("os.tmpname", Meaning::Temporary),
    ("print", Display),
    ("io.write", Display),
    ("io.stderr.write", Display),
    ("assert", Harmless),
    ("error", Harmless),
    ("ipairs", Harmless),
    ("pairs", Harmless),
    ("next", Harmless),
    ("pcall", Harmless),
    ("select", Harmless),
    ("setmetatable", Harmless),
    ("tonumber", Harmless),
    ("tostring", Harmless),
    ("type", Harmless),
    ("unpack", Harmless),
    ("io.read", Harmless),
    ("os.clock", Harmless),
    ("os.date", Harmless),
    ("os.time", Harmless),
    ("os.exit", Harmless),
    ("math.abs", Harmless),
    ("math.ceil", Harmless),
    ("math.floor", Harmless),
    ("math.max", Harmless),
    ("math.min", Harmless),
    ("math.random", Harmless),
    ("math.sqrt", Harmless),
    ("string.format", Harmless),
    ("string.gsub", Harmless),
    ("string.len", Harmless),
    ("string.lower", Harmless),
    ("string.match", Harmless),
    ("string.rep", Harmless),
    ("string.sub", Harmless),
    ("string.upper", Harmless),
    ("table.concat", Harmless),
    ("table.insert", Harmless),
    ("table.remove", Harmless),
    ("table.sort", Harmless),
    ("table.unpack", Harmless),
    (".close", Harmless),
    (".format", Harmless),
    (".lines", Harmless),
    (".read", Harmless),
];

/// Strings and long brackets.
fn literal(lexer: &mut Lexer<'_>) -> bool {
    match lexer.byte(0) {
        Some(quote @ (b'\'' | b'"')) => {
            lexer.advance(1);
            lexer.string(Template::new(char::from(quote), Escapes::Full, Interpolation::None).of_one_line());
            true
        }
        Some(b'[') => long_bracket(lexer),
        _ => false,
    }
}

/// `[[…]]`, `[==[…]==]`.
fn long_bracket(lexer: &mut Lexer<'_>) -> bool {
    let rest = lexer.rest().get(1..).unwrap_or_default();
    let level = rest.bytes().take(16).take_while(|byte| *byte == b'=').count();
    let Some(body) = rest.get(level..).and_then(|rest| rest.strip_prefix('[')) else { return false };
    let close = format!("]{}]", "=".repeat(level));
    let end = body.find(&close);
    let text = body.get(..end.unwrap_or(body.len())).unwrap_or_default();
    lexer.advance(2 + level + end.map_or(body.len(), |end| end + close.len()));
    lexer.push(Kind::Text(text.strip_prefix('\n').unwrap_or(text).into()));
    true
}
