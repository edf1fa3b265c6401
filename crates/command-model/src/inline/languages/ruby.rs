//! Ruby: Kernel, File, Dir, FileUtils, Pathname, Open3, Net::HTTP.
//!
//! Sources: the documentation of Ruby 3.4 (core and standard library).

use crate::effect::WriteMode;
use crate::inline::lexer::{Escapes, Interpolation, Lexer, Syntax, Template, leading_name};
use crate::inline::meaning::{Constant, Function, Imports, Language, Meaning, Recursion, Which};
use crate::inline::token::Kind;

use Meaning::{Display, Evaluate, Fetch, Harmless, Home, JoinPath, Same};

/// Ruby.
pub(in crate::inline) static RUBY: Language = Language {
    number: 2,
    syntax: Syntax {
        line_comments: &["#"],
        block_comments: &[("\n=begin", "\n=end")],
        sigils: b"$@",
        name_suffixes: b"?!",
        regular_expressions: true,
        literal,
    },
    members: &[".", "&.", "::"],
    concatenation: &["+"],
    assignment: &["="],
    pairs: &["=>", ":"],
    keywords: &[
        "if", "elsif", "else", "unless", "case", "when", "while", "until", "do", "end", "begin", "rescue", "ensure", "return",
        "then", "and", "or", "not", "in", "break", "next", "redo", "retry", "yield", "alias", "undef", "BEGIN", "END",
    ],
    modifiers: &[],
    definitions: &["def", "class", "module"],
    bare_calls: true,
    blocks_are_arguments: true,
    adjacent_strings: true,
    string_calls: false,
    slash_joins_paths: false,
    percent_formats: true,
    separate_words: true,
    imports: Imports::None,
    modules: &[
        "English",
        "abbrev",
        "base64",
        "benchmark",
        "bigdecimal",
        "cgi",
        "csv",
        "date",
        "delegate",
        "digest",
        "erb",
        "etc",
        "fileutils",
        "find",
        "forwardable",
        "io.console",
        "json",
        "logger",
        "matrix",
        "net.http",
        "observer",
        "open-uri",
        "open3",
        "openssl",
        "optparse",
        "ostruct",
        "pathname",
        "pp",
        "prime",
        "psych",
        "rbconfig",
        "securerandom",
        "set",
        "shellwords",
        "socket",
        "stringio",
        "strscan",
        "tempfile",
        "time",
        "timeout",
        "tmpdir",
        "tsort",
        "uri",
        "yaml",
        "zlib",
    ],
    functions: FUNCTIONS,
    constants: &[("ENV", Constant::Environment), ("Dir.home", Constant::Home), ("Dir.tmpdir", Constant::TemporaryRoot)],
};

const RUN: Meaning = Meaning::Run { skip: 0, named: false };
const DELETE: Meaning = Meaning::Delete(Which::All, Recursion::Never);
const DELETE_TREE: Meaning = Meaning::Delete(Which::Argument(0), Recursion::Always);
const DELETE_LISTED: Meaning = Meaning::Delete(Which::Argument(0), Recursion::Never);
const MODE: Meaning = Meaning::Permissions { target: Which::All, mode: 0, recursive: false };

const FUNCTIONS: &[Function] = &[
    // Processes.
    ("`", RUN),
    ("system", RUN),
    ("exec", RUN),
    ("spawn", RUN),
    ("fork", Harmless),
    ("Kernel.system", RUN),
    ("Kernel.exec", RUN),
    ("Kernel.spawn", RUN),
    ("Kernel.`", RUN),
    ("Process.spawn", RUN),
    ("Process.exec", RUN),
    ("IO.popen", RUN),
    ("*.popen", RUN),
    ("*.popen2", RUN),
    ("*.popen2e", RUN),
    ("*.popen3", RUN),
    ("*.capture2", RUN),
    ("*.capture2e", RUN),
    ("*.capture3", RUN),
    ("Open3.pipeline", RUN),
    ("PTY.spawn", RUN),
    ("sh", RUN),
    // Code.
    ("eval", Evaluate),
    ("Kernel.eval", Evaluate),
    ("*.instance_eval", Evaluate),
    ("*.class_eval", Evaluate),
    ("*.module_eval", Evaluate),
    ("require", Meaning::Import),
    ("require_relative", Meaning::Import),
    ("load", Meaning::Import),
    // Deletes.
    ("*.rm_rf", DELETE_TREE),
    ("*.rm_r", DELETE_TREE),
    ("*.rmtree", Meaning::Delete(Which::Either, Recursion::Always)),
    ("*.remove_dir", DELETE_TREE),
    ("*.remove_entry", DELETE_TREE),
    ("*.remove_entry_secure", DELETE_TREE),
    ("*.remove_file", DELETE_LISTED),
    ("FileUtils.rm", DELETE_LISTED),
    ("FileUtils.rm_f", DELETE_LISTED),
    ("FileUtils.remove", DELETE_LISTED),
    ("FileUtils.safe_unlink", DELETE_LISTED),
    ("FileUtils.rmdir", DELETE_LISTED),
    ("rm", DELETE_LISTED),
    ("rm_f", DELETE_LISTED),
    ("File.delete", DELETE),
    ("File.unlink", DELETE),
    ("Dir.rmdir", DELETE),
    ("Dir.delete", DELETE),
    ("Dir.unlink", DELETE),
    (".unlink", Meaning::Delete(Which::Receiver, Recursion::Never)),
    // Moves, copies, links, permissions.
    ("File.rename", Meaning::Move),
    ("*.mv", Meaning::Move),
    ("FileUtils.move", Meaning::Move),
    ("*.cp", Meaning::Copy),
    ("*.cp_r", Meaning::Copy),
    ("FileUtils.copy", Meaning::Copy),
    ("FileUtils.install", Meaning::Copy),
    ("File.symlink", Meaning::Link(Which::Argument(1))),
    ("*.ln_s", Meaning::Link(Which::Argument(1))),
    ("*.ln_sf", Meaning::Link(Which::Argument(1))),
    ("File.link", Meaning::Link(Which::Argument(1))),
    ("File.chmod", MODE),
    ("File.chown", MODE),
    ("FileUtils.chmod", Meaning::Permissions { target: Which::Argument(1), mode: 0, recursive: false }),
    ("*.chmod_R", Meaning::Permissions { target: Which::Argument(1), mode: 0, recursive: true }),
    ("*.chown_R", Meaning::Permissions { target: Which::Argument(2), mode: 0, recursive: true }),
    // Writes and reads.
    ("open", Meaning::Open(Which::Argument(0), 1)),
    ("File.open", Meaning::Open(Which::Argument(0), 1)),
    ("File.new", Meaning::Open(Which::Argument(0), 1)),
    ("Kernel.open", Meaning::Open(Which::Argument(0), 1)),
    ("File.write", Meaning::Write(Which::Argument(0), WriteMode::Truncate)),
    ("File.binwrite", Meaning::Write(Which::Argument(0), WriteMode::Truncate)),
    ("IO.write", Meaning::Write(Which::Argument(0), WriteMode::Truncate)),
    ("File.truncate", Meaning::Write(Which::Argument(0), WriteMode::Truncate)),
    ("FileUtils.touch", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("FileUtils.mkdir", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("*.mkdir_p", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("Dir.mkdir", Meaning::Write(Which::Argument(0), WriteMode::Create)),
    ("File.read", Meaning::Read(Which::Argument(0))),
    ("File.binread", Meaning::Read(Which::Argument(0))),
    ("File.readlines", Meaning::Read(Which::Argument(0))),
    ("File.foreach", Meaning::Read(Which::Argument(0))),
    ("IO.read", Meaning::Read(Which::Argument(0))),
    ("IO.readlines", Meaning::Read(Which::Argument(0))),
    ("YAML.load_file", Meaning::Read(Which::Argument(0))),
    ("CSV.read", Meaning::Read(Which::Argument(0))),
    // Names and sizes.
    ("Dir.entries", Meaning::Names(Which::Argument(0))),
    ("Dir.children", Meaning::Names(Which::Argument(0))),
    ("Dir.exist?", Meaning::Metadata(Which::Argument(0))),
    ("File.exist?", Meaning::Metadata(Which::Argument(0))),
    ("File.file?", Meaning::Metadata(Which::Argument(0))),
    ("File.directory?", Meaning::Metadata(Which::Argument(0))),
    ("File.size", Meaning::Metadata(Which::Argument(0))),
    ("File.stat", Meaning::Metadata(Which::Argument(0))),
    // Paths and the environment.
    ("Dir.home", Home),
    ("File.join", JoinPath),
    ("Pathname.new", Same),
    ("Pathname", Same),
    ("File.expand_path", Meaning::ExpandUser),
    ("File.absolute_path", Same),
    ("File.realpath", Same),
    ("String", Same),
    (".to_s", Same),
    (".to_str", Same),
    (".to_path", Same),
    (".strip", Same),
    (".chomp", Same),
    (".freeze", Same),
    (".dup", Same),
    (".shellescape", Same),
    ("Shellwords.escape", Same),
    ("ENV.fetch", Meaning::EnvironmentVariable),
    ("ENV.to_h", Meaning::EnvironmentVariable),
    ("ENV.to_a", Meaning::EnvironmentVariable),
    ("ENV.inspect", Meaning::EnvironmentVariable),
    ("ENV.keys", Meaning::Keys),
    ("Dir.chdir", Meaning::ChangeDirectory),
    ("FileUtils.cd", Meaning::ChangeDirectory),
    ("Shellwords.split", Meaning::SplitWords),
    (".split", Meaning::Split),
    (".join", Meaning::JoinTexts),
    ("Dir.glob", Meaning::Glob),
    ("Dir[]", Meaning::Glob),
    ("Dir.mktmpdir", Meaning::Temporary),
    ("Dir.tmpdir", Meaning::TemporaryRoot),
    ("Tempfile.new", Meaning::Temporary),
    ("Tempfile.create", Meaning::Temporary),
    // The network.
    ("URI.open", Fetch),
    ("*.URI.parse", Same),
    ("URI", Same),
    ("Net.HTTP.get", Fetch),
    ("Net.HTTP.get_response", Fetch),
    ("Net.HTTP.post", Meaning::Upload),
    ("Net.HTTP.post_form", Meaning::Upload),
    ("Net.HTTP.start", Meaning::Connect),
    ("Net.HTTP.new", Meaning::Connect),
    ("TCPSocket.new", Meaning::Connect),
    ("TCPSocket.open", Meaning::Connect),
    ("HTTParty.get", Fetch),
    ("HTTParty.post", Meaning::Upload),
    ("Faraday.get", Fetch),
    // Signals.
    ("Process.kill", Meaning::Signal),
    // Output.
    ("puts", Display),
    ("print", Display),
    ("p", Display),
    ("pp", Display),
    ("printf", Display),
    ("warn", Display),
    ("$stdout.puts", Display),
    ("$stderr.puts", Display),
    ("STDOUT.puts", Display),
    ("STDERR.puts", Display),
    // What computes.
    ("JSON.parse", Harmless),
    ("JSON.generate", Harmless),
    ("JSON.pretty_generate", Harmless),
    ("YAML.load", Harmless),
    ("YAML.safe_load", Harmless),
    ("YAML.dump", Harmless),
    ("Base64.encode64", Harmless),
    ("Base64.decode64", Harmless),
    ("Base64.strict_encode64", Harmless),
    ("Date.today", Harmless),
    ("Time.now", Harmless),
    ("Time.at", Harmless),
    ("Digest.SHA256.hexdigest", Harmless),
    ("Digest.MD5.hexdigest", Harmless),
    ("SecureRandom.hex", Harmless),
    ("SecureRandom.uuid", Harmless),
    ("File.basename", Harmless),
    ("File.dirname", Harmless),
    ("File.extname", Harmless),
    ("Dir.pwd", Meaning::WorkingDirectory),
    ("Integer", Harmless),
    ("Float", Harmless),
    ("Array", Harmless),
    ("Math.sqrt", Harmless),
    ("rand", Harmless),
    ("sleep", Harmless),
    ("format", Harmless),
    ("sprintf", Harmless),
    ("exit", Harmless),
    ("loop", Harmless),
    ("lambda", Harmless),
    ("proc", Harmless),
    ("gets", Harmless),
    ("STDIN.read", Harmless),
    ("$stdin.read", Harmless),
    ("raise", Harmless),
    ("RUBY_VERSION", Harmless),
    (".all?", Harmless),
    (".any?", Harmless),
    (".capitalize", Harmless),
    (".chars", Harmless),
    (".close", Harmless),
    (".collect", Harmless),
    (".count", Harmless),
    (".downcase", Harmless),
    (".each", Harmless),
    (".each_line", Harmless),
    (".each_with_index", Harmless),
    (".empty?", Harmless),
    (".end_with?", Harmless),
    (".fetch", Harmless),
    (".filter_map", Harmless),
    (".first", Harmless),
    (".gsub", Harmless),
    (".include?", Harmless),
    (".index", Harmless),
    (".inject", Harmless),
    (".inspect", Harmless),
    (".is_a?", Harmless),
    (".key?", Harmless),
    (".keys", Harmless),
    (".last", Harmless),
    (".length", Harmless),
    (".lines", Harmless),
    (".map", Harmless),
    (".match", Harmless),
    (".match?", Harmless),
    (".max", Harmless),
    (".min", Harmless),
    (".nil?", Harmless),
    (".read", Harmless),
    (".reduce", Harmless),
    (".reject", Harmless),
    (".reverse", Harmless),
    (".round", Harmless),
    (".scan", Harmless),
    (".select", Harmless),
    (".size", Harmless),
    (".sort", Harmless),
    (".sort_by", Harmless),
    (".start_with?", Harmless),
    (".strftime", Harmless),
    (".sub", Harmless),
    (".sum", Harmless),
    (".tally", Harmless),
    (".times", Harmless),
    (".to_a", Harmless),
    (".to_f", Harmless),
    (".to_h", Harmless),
    (".to_i", Harmless),
    (".to_json", Harmless),
    (".to_sym", Harmless),
    (".uniq", Harmless),
    (".upcase", Harmless),
    (".values", Harmless),
    (".zip", Harmless),
];

/// Strings, `%` literals, symbols, here-documents, backticks.
fn literal(lexer: &mut Lexer<'_>) -> bool {
    match lexer.byte(0) {
        Some(b'\'') => {
            lexer.advance(1);
            lexer.string(Template::new('\'', Escapes::Quote, Interpolation::None));
        }
        Some(b'"') => {
            lexer.advance(1);
            lexer.string(Template::new('"', Escapes::Full, Interpolation::HashBraces));
        }
        Some(b'`') => {
            lexer.advance(1);
            lexer.string(Template::new('`', Escapes::Full, Interpolation::HashBraces).runs());
        }
        Some(b'%') => return percent(lexer),
        Some(b'<') => return here_document(lexer),
        Some(b':') => return symbol(lexer),
        _ => return false,
    }
    true
}

/// `%q(…)`, `%w[…]`, `%x{…}`, `%(…)`.
fn percent(lexer: &mut Lexer<'_>) -> bool {
    let (letter, delimiter_at) = match lexer.byte(1) {
        Some(letter @ (b'q' | b'Q' | b'w' | b'W' | b'i' | b'I' | b'x' | b'r' | b's')) => (letter, 2),
        _ => (b'Q', 1),
    };
    let Some(open) = lexer.byte(delimiter_at).filter(u8::is_ascii_punctuation) else { return false };
    if lexer.after_value() && !(lexer.spaced() && matches!(open, b'(' | b'[' | b'{' | b'<' | b'|')) {
        return false;
    }
    let open = char::from(open);
    lexer.advance(delimiter_at + 1);
    match letter {
        b'w' | b'W' | b'i' | b'I' => {
            let text = lexer.raw(open);
            lexer.push(Kind::Open(b'['));
            for word in text.split_whitespace() {
                lexer.push(Kind::Text(word.into()));
                lexer.push(Kind::Comma);
            }
            lexer.push(Kind::Close(b']'));
        }
        b'r' => {
            lexer.raw(open);
            lexer.push(Kind::Opaque);
        }
        b'q' | b's' => lexer.string(Template::delimited(open, Escapes::Quote, Interpolation::None)),
        b'x' => lexer.string(Template::delimited(open, Escapes::Full, Interpolation::HashBraces).runs()),
        _ => lexer.string(Template::delimited(open, Escapes::Full, Interpolation::HashBraces)),
    }
    true
}

/// `<<~TEXT`, `<<-TEXT`, `<<TEXT`, quoted or not.
fn here_document(lexer: &mut Lexer<'_>) -> bool {
    let Some(rest) = lexer.rest().strip_prefix("<<") else { return false };
    let mark = rest.as_bytes().first().copied().filter(|byte| matches!(byte, b'~' | b'-'));
    if mark.is_none() && lexer.after_value() && !lexer.spaced() {
        return false;
    }
    let rest = rest.get(usize::from(mark.is_some())..).unwrap_or_default();
    let quote = rest.chars().next().filter(|character| matches!(character, '\'' | '"'));
    let name = leading_name(rest.get(usize::from(quote.is_some())..).unwrap_or_default());
    if name.is_empty() || (mark.is_none() && quote.is_none() && !name.starts_with(|letter: char| letter.is_ascii_uppercase())) {
        return false;
    }
    lexer.advance(2 + usize::from(mark.is_some()) + name.len() + 2 * usize::from(quote.is_some()));
    lexer.here_document(name, mark.is_some(), if quote == Some('\'') { "" } else { "#" });
    true
}

/// `:name`, which is a string to us.
fn symbol(lexer: &mut Lexer<'_>) -> bool {
    if lexer.byte(1) == Some(b':') || (lexer.after_value() && !lexer.spaced()) {
        return false;
    }
    let name = leading_name(lexer.rest().get(1..).unwrap_or_default());
    if name.is_empty() {
        return false;
    }
    lexer.advance(1 + name.len());
    lexer.push(Kind::Text(name.into()));
    true
}
