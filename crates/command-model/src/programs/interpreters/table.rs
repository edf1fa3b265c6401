//! How each interpreter reads its own words.
//!
//! Sources: the manual pages and `--help` of Python 3.13, Node.js 22, Ruby 3.4, Perl 5.40 (perlrun), PHP 8.4, Lua 5.4, R 4.4, Julia 1.11,
//! Deno 2, Bun 1, Elixir 1.18, Groovy 4, Scala 3, Raku 2024, Tcl 8.6, Expect 5.45, OpenJDK 21 (jshell), osascript(1).

use crate::option_grammar::{Grammar, OptionSpec, ValueArity};

/// One interpreter under all its names.
pub(super) struct Interpreter {
    /// The programs.
    pub names: &'static [&'static str],
    /// The word [`crate::inline`] knows its language by; without one its code is not read.
    pub language: &'static str,
    /// Its options. Ids: see [`option`].
    pub grammar: Grammar,
    /// Several texts of code are one program; otherwise the last one counts.
    pub joins_code: bool,
    /// Code or a module ends the options.
    pub code_ends_options: bool,
    /// How a module given by an option is brought in: what stands before and after its name.
    pub preload: Option<(&'static str, &'static str)>,
}

/// Ids of options that mean something here.
pub(super) mod option {
    /// The value is code.
    pub const CODE: &str = "code";
    /// The value is a module that is run.
    pub const MODULE: &str = "module";
    /// A module is brought in before the code.
    pub const PRELOAD: &str = "preload";
    /// The value is a script.
    pub const SCRIPT: &str = "script";
    /// Nothing runs.
    pub const INERT: &str = "inert";
    /// The code runs for each line of the operands.
    pub const LINES: &str = "lines";
    /// The operands are changed in place.
    pub const IN_PLACE: &str = "in-place";
    /// The program only reads the script.
    pub const CHECK: &str = "check";
    /// The script is read from standard input.
    pub const STANDARD_INPUT: &str = "standard-input";
    /// It listens for connections.
    pub const SERVER: &str = "server";
    /// A file with variables for the program.
    pub const ENVIRONMENT: &str = "environment";
    /// Commands are typed into it afterwards.
    pub const INTERACTIVE: &str = "interactive";
    /// Anything else.
    pub const OTHER: &str = "other";
}

use option::{
    CHECK, CODE, ENVIRONMENT, IN_PLACE, INERT, INTERACTIVE, LINES, MODULE, OTHER, PRELOAD, SCRIPT, SERVER, STANDARD_INPUT,
};

const fn flag(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::None }
}

const fn valued(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::Required }
}

const fn glued(id: &'static str, names: &'static [&'static str]) -> OptionSpec {
    OptionSpec { id, names, value: ValueArity::Optional }
}

/// The first operand ends the options; long names are written out.
const fn leading(options: &'static [OptionSpec]) -> Grammar {
    Grammar { options, permutes: false, abbreviates: false, single_dash_long: false }
}

/// Options of several letters with one dash, no clusters.
const fn words(options: &'static [OptionSpec]) -> Grammar {
    Grammar { options, permutes: false, abbreviates: false, single_dash_long: true }
}

/// Every interpreter.
pub(super) const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        names: &[
            "python",
            "python2",
            "python2.7",
            "python3",
            "python3.6",
            "python3.7",
            "python3.8",
            "python3.9",
            "python3.10",
            "python3.11",
            "python3.12",
            "python3.13",
            "python3.14",
            "python3.15",
            "pypy",
            "pypy3",
            "py",
            "ipython",
            "ipython3",
        ],
        language: "python",
        grammar: leading(&[
            valued(CODE, &["-c"]),
            valued(MODULE, &["-m"]),
            flag(INERT, &["-V", "--version", "-h", "--help", "-?", "--help-all", "--help-env", "--help-xoptions"]),
            valued(OTHER, &["-W", "-X", "-Q", "--check-hash-based-pycs"]),
            flag(INTERACTIVE, &["-i"]),
            flag(OTHER, &["-b", "-B", "-d", "-E", "-I", "-O", "-P", "-q", "-R", "-s", "-S", "-t", "-u", "-v", "-x", "-2", "-3"]),
        ]),
        joins_code: false,
        code_ends_options: true,
        preload: None,
    },
    Interpreter {
        names: &["node", "nodejs"],
        language: "javascript",
        grammar: words(NODE),
        joins_code: false,
        code_ends_options: false,
        preload: Some(("require(\"", "\");")),
    },
    Interpreter {
        names: &["ts-node", "tsx"],
        language: "javascript",
        grammar: words(NODE),
        joins_code: false,
        code_ends_options: false,
        preload: Some(("require(\"", "\");")),
    },
    Interpreter {
        names: &["bun"],
        language: "javascript",
        grammar: words(&[
            valued(CODE, &["-e", "--eval", "-p", "--print"]),
            valued(PRELOAD, &["-r", "--preload", "--require", "--import"]),
            flag(INERT, &["-v", "--version", "--revision", "-h", "--help"]),
            valued(ENVIRONMENT, &["--env-file"]),
            valued(OTHER, &["--cwd", "-c", "--config", "--port", "--tsconfig-override", "-d", "--define", "-l", "--loader"]),
            flag(OTHER, &["--watch", "--hot", "--smol", "-b", "--bun", "-i", "--silent", "--no-install", "--prefer-offline"]),
        ]),
        joins_code: false,
        code_ends_options: false,
        preload: Some(("require(\"", "\");")),
    },
    Interpreter {
        names: &["deno"],
        language: "javascript",
        grammar: leading(&[
            flag(INERT, &["-V", "--version", "-h", "--help"]),
            valued(OTHER, &["-L", "--log-level"]),
            flag(OTHER, &["-q", "--quiet", "--unstable"]),
        ]),
        joins_code: false,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["ruby"],
        language: "ruby",
        grammar: leading(&[
            valued(CODE, &["-e"]),
            glued(IN_PLACE, &["-i"]),
            flag(LINES, &["-n", "-p"]),
            flag(CHECK, &["-c"]),
            valued(PRELOAD, &["-r"]),
            flag(INERT, &["--version", "--help", "-h", "--copyright"]),
            valued(
                OTHER,
                &[
                    "-I",
                    "-C",
                    "-E",
                    "--encoding",
                    "--external-encoding",
                    "--internal-encoding",
                    "--enable",
                    "--disable",
                    "--backtrace-limit",
                    "--dump",
                ],
            ),
            glued(OTHER, &["-F", "-K", "-W", "-x"]),
            flag(OTHER, DIGITS),
            flag(OTHER, &["-T", "-a", "-d", "-l", "-s", "-S", "-U", "-v", "-w", "-y", "--yjit", "--jit", "--verbose", "--debug"]),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: Some(("require '", "'")),
    },
    Interpreter {
        names: &["perl"],
        language: "perl",
        grammar: leading(&[
            valued(CODE, &["-e", "-E"]),
            glued(IN_PLACE, &["-i"]),
            flag(LINES, &["-n", "-p"]),
            flag(CHECK, &["-c"]),
            valued(PRELOAD, &["-M", "-m"]),
            flag(INERT, &["-v", "--version", "-h", "--help", "-?"]),
            glued(INERT, &["-V"]),
            valued(OTHER, &["-I"]),
            glued(OTHER, &["-d", "-D", "-F", "-x"]),
            // `-0777`, `-l0` and `-C7` take digits only, so that letters may follow.
            flag(OTHER, DIGITS),
            flag(OTHER, &["-C", "-l", "-a", "-f", "-g", "-s", "-S", "-t", "-T", "-u", "-U", "-w", "-W", "-X"]),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: Some(("use ", ";")),
    },
    Interpreter {
        names: &["php"],
        language: "php",
        grammar: leading(&[
            valued(CODE, &["-r", "--run", "-B", "--process-begin", "-R", "--process-code", "-E", "--process-end"]),
            valued(SCRIPT, &["-f", "--file", "-F", "--process-file"]),
            flag(CHECK, &["-l", "--syntax-check"]),
            flag(INERT, &["-v", "--version", "-h", "--help", "-i", "--info", "-m", "--modules", "--ini", "-?"]),
            valued(INERT, &["--rf", "--rfunction", "--rc", "--rclass", "--re", "--rextension", "--rz", "--ri"]),
            valued(SERVER, &["-S", "--server"]),
            flag(INTERACTIVE, &["-a", "--interactive"]),
            valued(OTHER, &["-c", "--php-ini", "-d", "--define", "-t", "--docroot", "-z", "--zend-extension"]),
            flag(OTHER, &["-n", "--no-php-ini", "-q", "--no-header", "-C", "--no-chdir", "-e", "--profile-info", "-H", "-s", "-w"]),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["lua", "lua5.1", "lua5.2", "lua5.3", "lua5.4", "luajit", "texlua"],
        language: "lua",
        grammar: leading(&[
            valued(CODE, &["-e"]),
            valued(PRELOAD, &["-l"]),
            flag(INTERACTIVE, &["-i"]),
            flag(INERT, &["--version", "--help"]),
            glued(OTHER, &["-j", "-O", "-b"]),
            flag(OTHER, &["-v", "-E", "-W"]),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: Some(("require '", "'")),
    },
    Interpreter {
        names: &["Rscript", "R"],
        language: "r",
        grammar: words(&[
            valued(CODE, &["-e"]),
            valued(SCRIPT, &["-f", "--file"]),
            flag(INERT, &["--version", "--help", "-h"]),
            flag(INTERACTIVE, &["--interactive"]),
            valued(OTHER, &["--default-packages", "--encoding", "-g", "--gui"]),
            flag(
                OTHER,
                &[
                    "--vanilla",
                    "--no-save",
                    "--no-restore",
                    "--save",
                    "--slave",
                    "-s",
                    "--no-echo",
                    "-q",
                    "--quiet",
                    "--silent",
                    "--verbose",
                    "--no-environ",
                    "--no-site-file",
                    "--no-init-file",
                ],
            ),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["osascript"],
        language: "applescript",
        grammar: leading(&[valued(CODE, &["-e"]), valued(OTHER, &["-l", "-s"]), flag(INTERACTIVE, &["-i"])]),
        joins_code: true,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["julia"],
        language: "julia",
        grammar: leading(&[
            valued(CODE, &["-e", "--eval", "-E", "--print"]),
            valued(PRELOAD, &["-L", "--load"]),
            flag(INERT, &["-v", "--version", "-h", "--help", "--help-hidden"]),
            flag(INTERACTIVE, &["-i"]),
            valued(
                OTHER,
                &["-J", "--sysimage", "-H", "--home", "-C", "--cpu-target", "-t", "--threads", "-p", "--procs", "--machine-file"],
            ),
            glued(OTHER, &["-O", "-g", "--project", "--startup-file", "--color", "--optimize", "--compile"]),
            flag(OTHER, &["-q", "--quiet"]),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: Some(("include(\"", "\")")),
    },
    Interpreter {
        names: &["elixir", "iex"],
        language: "elixir",
        grammar: leading(&[
            valued(CODE, &["-e", "--eval", "--rpc-eval"]),
            valued(SCRIPT, &["-r", "-pr"]),
            flag(INERT, &["-v", "--version", "-h", "--help", "--short-version"]),
            valued(OTHER, &["-S", "--app", "--erl", "--cookie", "--name", "--sname", "-pa", "-pz"]),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["groovy"],
        language: "groovy",
        grammar: leading(&[
            valued(CODE, &["-e"]),
            glued(IN_PLACE, &["-i"]),
            flag(LINES, &["-n", "-p"]),
            flag(INERT, &["-v", "--version", "-h", "--help"]),
            valued(OTHER, &["-cp", "-classpath", "--classpath", "-D", "--define", "-c", "--encoding"]),
        ]),
        joins_code: false,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["scala", "scala-cli"],
        language: "groovy",
        grammar: words(&[
            valued(CODE, &["-e", "--execute-script-snippet", "--script-snippet"]),
            flag(INERT, &["-version", "--version", "-help", "--help", "-h"]),
            valued(OTHER, &["-cp", "-classpath", "--classpath", "-S", "--scala-version"]),
        ]),
        joins_code: false,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["jshell"],
        language: "groovy",
        grammar: words(&[
            flag(INERT, &["--version", "--help", "-h", "--full-version", "-X", "--help-extra"]),
            valued(OTHER, &["--class-path", "--feedback", "--module-path", "--startup", "--add-modules"]),
            flag(OTHER, &["-q", "-s", "-v", "--execution", "--enable-preview"]),
        ]),
        joins_code: false,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["raku", "perl6"],
        language: "perl",
        grammar: leading(&[
            valued(CODE, &["-e"]),
            flag(LINES, &["-n", "-p"]),
            flag(CHECK, &["-c"]),
            valued(PRELOAD, &["-M"]),
            flag(INERT, &["-v", "--version", "-V", "-h", "--help", "-?"]),
            valued(OTHER, &["-I"]),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: Some(("use ", ";")),
    },
    Interpreter {
        names: &["tclsh", "wish"],
        language: "tcl",
        grammar: leading(&[valued(OTHER, &["-encoding"])]),
        joins_code: false,
        code_ends_options: false,
        preload: None,
    },
    Interpreter {
        names: &["expect"],
        language: "tcl",
        grammar: leading(&[
            valued(CODE, &["-c"]),
            valued(SCRIPT, &["-f", "-b"]),
            flag(INERT, &["-v"]),
            flag(INTERACTIVE, &["-i"]),
            valued(OTHER, &["-D"]),
            flag(OTHER, &["-d", "-n", "-N"]),
        ]),
        joins_code: true,
        code_ends_options: false,
        preload: None,
    },
];

const DIGITS: &[&str] = &["-0", "-1", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9"];

const NODE: &[OptionSpec] = &[
    valued(CODE, &["-e", "--eval", "-p", "-pe", "--print"]),
    valued(PRELOAD, &["-r", "--require", "--import", "--loader", "--experimental-loader"]),
    flag(CHECK, &["-c", "--check"]),
    flag(INERT, &["-v", "--version", "-h", "--help", "--v8-options", "--completion-bash"]),
    flag(INTERACTIVE, &["-i", "--interactive"]),
    glued(ENVIRONMENT, &["--env-file", "--env-file-if-exists"]),
    glued(
        OTHER,
        &[
            "--input-type",
            "--max-old-space-size",
            "--stack-size",
            "--stack-trace-limit",
            "--unhandled-rejections",
            "--inspect",
            "--inspect-brk",
            "--inspect-port",
            "--watch-path",
            "--test-reporter",
            "--test-name-pattern",
            "--test-concurrency",
            "--title",
            "--icu-data-dir",
            "--redirect-warnings",
            "--trace-events-enabled",
            "--import-map",
            "--tsconfig",
            "--experimental-default-type",
        ],
    ),
    valued(OTHER, &["-C", "--conditions", "-P", "--project", "-O", "--compiler-options"]),
    flag(
        OTHER,
        &[
            "--watch",
            "--test",
            "--test-only",
            "--no-warnings",
            "--no-deprecation",
            "--trace-warnings",
            "--trace-deprecation",
            "--expose-gc",
            "--experimental-strip-types",
            "--experimental-vm-modules",
            "--experimental-modules",
            "--experimental-test-coverage",
            "--enable-source-maps",
            "--preserve-symlinks",
            "--harmony",
            "--pending-deprecation",
            "--throw-deprecation",
            "--use-system-ca",
            "--experimental-transform-types",
            "--experimental-sqlite",
            "--esm",
            "-T",
            "--transpile-only",
            "--files",
            "--abort-on-uncaught-exception",
            "--prof",
            "--cpu-prof",
            "--heap-prof",
            "--no-experimental-fetch",
            "--permission",
        ],
    ),
    flag(STANDARD_INPUT, &["-"]),
];

/// Modules of Python that are another program: `python -m pip install x` is `pip install x`.
pub(super) const MODULE_PROGRAMS: &[(&str, &str)] = &[
    ("pip", "pip"),
    ("pytest", "pytest"),
    ("py.test", "pytest"),
    ("mypy", "mypy"),
    ("ruff", "ruff"),
    ("twine", "twine"),
    ("uvicorn", "uvicorn"),
    ("yt_dlp", "yt-dlp"),
];

/// Modules of Python that compute, show or check what they are given; the first operand is read, the second written.
pub(super) const READING_MODULES: &[&str] =
    &["json.tool", "tokenize", "ast", "dis", "calendar", "this", "platform", "sysconfig", "base64", "inspect", "pyclbr"];

/// Programs that `deno` is by its first operand: the number of the operand that is a script or code is the next one.
pub(super) const DENO_SCRIPTS: &[&str] = &["run", "serve", "test", "bench", "r"];
/// Sub-commands of `deno` that read and report.
pub(super) const DENO_READING: &[&str] = &["check", "doc", "info", "lint", "types", "help", "outdated", "coverage"];
/// Sub-commands of `deno` that run or install what a file names.
pub(super) const DENO_RUNNING: &[&str] = &[
    "task",
    "install",
    "i",
    "uninstall",
    "upgrade",
    "compile",
    "add",
    "remove",
    "publish",
    "jupyter",
    "cache",
    "init",
    "vendor",
    "bundle",
    "x",
    "clean",
    "approve-scripts",
];
/// Options of `deno`'s sub-commands whose value is the next word.
pub(super) const DENO_VALUES: &[OptionSpec] = &[
    valued(
        OTHER,
        &[
            "-c",
            "--config",
            "--import-map",
            "--cert",
            "--location",
            "--ext",
            "--lock",
            "-L",
            "--log-level",
            "--port",
            "--host",
            "--filter",
            "-o",
            "--output",
        ],
    ),
    valued(ENVIRONMENT, &["--env-file"]),
    valued(PRELOAD, &["--preload", "--require"]),
];
/// Sub-commands of `bun` that are no script.
pub(super) const BUN_COMMANDS: &[&str] = &[
    "run", "x", "install", "i", "add", "remove", "rm", "update", "outdated", "link", "unlink", "pm", "build", "init", "create",
    "c", "upgrade", "test", "repl", "exec", "publish", "patch", "audit", "why", "info",
];
