//! The wrappers whose child is among their operands: how their options read, where the child begins, what changes for it.
//!
//! The id of an option says what it means to the wrapper:
//!
//! | id | meaning |
//! |---|---|
//! | `flag`, `value` | nothing we follow |
//! | `query` | no child runs |
//! | `directory` | the child runs in its value |
//! | `unknown-directory`, `login` | the child runs in a directory that is not known; `login` also reads another home |
//! | `home` | the child's home is another one |
//! | `shell` | the remaining words are a shell string |
//! | `text` | its value is shell text, run instead of operands |
//! | `root` | the child sees its value as `/` |
//! | `set-one`, `unset`, `clear` | environment of the child |
//! | `write`, `use` | a file written, consumed |
//! | `edit` | its operands are files to be edited |
//! | `forget` | alone: no child runs |
//! | `keep-directory` | the directory stays where the program would change it |
//! | `remote` | the child runs on another machine |
//! | `machine` | the child runs in a container |
//!
//! Sources: sudo(8), doas(1), exec and command in bash(1), coreutils, util-linux, strace(1), perf(1), valgrind(1) and the
//! manuals of each program, as of 2025.

use crate::option_grammar::OptionSpec;
use crate::programs::text_carriers::words::{flag, glued, named, named_flag, named_glued, value};

/// One wrapper.
pub(super) struct Wrapper {
    /// Its names.
    pub names: &'static [&'static str],
    /// Sub-commands that run a child; empty where the program always does.
    pub subcommands: &'static [&'static str],
    /// Its options (after the sub-command, where it has one).
    pub options: &'static [OptionSpec],
    /// Where the child begins.
    pub child: Child,
    /// It runs the child with more rights.
    pub privileged: bool,
}

/// Where the child's words begin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Child {
    /// After the options.
    Options,
    /// After the options and this many operands.
    Operands(usize),
    /// After a `--`, or else after the options.
    DoubleDash,
    /// After the options and `NAME=VALUE` words.
    Assignments,
    /// After the options and a first operand, which is the directory the child sees as `/`.
    Root,
}

const fn plain(names: &'static [&'static str], options: &'static [OptionSpec]) -> Wrapper {
    Wrapper { names, subcommands: &[], options, child: Child::Options, privileged: false }
}

const fn after(operands: usize, names: &'static [&'static str], options: &'static [OptionSpec]) -> Wrapper {
    Wrapper { names, subcommands: &[], options, child: Child::Operands(operands), privileged: false }
}

const fn below(names: &'static [&'static str], subcommands: &'static [&'static str], options: &'static [OptionSpec]) -> Wrapper {
    Wrapper { names, subcommands, options, child: Child::Options, privileged: false }
}

pub(super) const SUDO: &[OptionSpec] = &[
    named_flag("query", &["-K", "--remove-timestamp", "-l", "--list", "-V", "-v", "--validate"]),
    named_flag("edit", &["-e", "--edit"]),
    named_flag("forget", &["-k", "--reset-timestamp"]),
    named_flag("login", &["-i", "--login"]),
    named_flag("shell", &["-s", "--shell"]),
    named_flag("home", &["-H", "--set-home"]),
    named("directory", &["-D", "--chdir"]),
    named("root", &["-R", "--chroot"]),
    flag(&["-A", "--askpass", "-B", "--bell", "-b", "--background", "-N", "--no-update", "-n", "--non-interactive"]),
    flag(&["-P", "--preserve-groups", "-S", "--stdin", "-E"]),
    glued(&["--preserve-env"]),
    value(&["-C", "--close-from", "-g", "--group", "-h", "--host", "-p", "--prompt", "-r", "--role", "-t", "--type"]),
    value(&["-T", "--command-timeout", "-U", "--other-user", "-u", "--user", "-a", "--auth-type", "-c", "--login-class"]),
];

const STRACE: &[OptionSpec] = &[
    named("write", &["-o", "--output"]),
    named("set-one", &["-E", "--env"]),
    flag(&[
        "-c", "-C", "-d", "-D", "-f", "-F", "-i", "-k", "-n", "-N", "-q", "-r", "-t", "-T", "-v", "-V", "-w", "-x", "-y", "-z",
        "-Z", "-A", "-L",
    ]),
    value(&[
        "-a",
        "-b",
        "-e",
        "-I",
        "-O",
        "-p",
        "-P",
        "-s",
        "-S",
        "-u",
        "-U",
        "-X",
        "-l",
        "-x",
        "--attach",
        "--trace",
        "--string-limit",
    ]),
];

const BARE: &[OptionSpec] = &[];

/// Every plain wrapper.
pub(super) const WRAPPERS: &[Wrapper] = &[
    Wrapper { names: &["sudo"], subcommands: &[], options: SUDO, child: Child::Assignments, privileged: true },
    Wrapper {
        names: &["doas"],
        subcommands: &[],
        options: &[
            named_flag("query", &["-L"]),
            named_flag("shell", &["-s"]),
            named("query", &["-C"]),
            flag(&["-n"]),
            value(&["-u", "-a"]),
        ],
        child: Child::Options,
        privileged: true,
    },
    Wrapper {
        names: &["pkexec"],
        subcommands: &[],
        options: &[flag(&["--disable-internal-agent"]), named_flag("keep-directory", &["--keep-cwd"]), value(&["-u", "--user"])],
        child: Child::Options,
        privileged: true,
    },
    Wrapper { names: &["gosu", "su-exec"], subcommands: &[], options: BARE, child: Child::Operands(1), privileged: true },
    plain(&["command"], &[named_flag("query", &["-v", "-V"]), flag(&["-p"])]),
    plain(&["builtin"], BARE),
    plain(&["exec"], &[named_flag("clear", &["-c"]), flag(&["-l"]), value(&["-a"])]),
    plain(&["nohup"], BARE),
    plain(&["nice"], &[value(&["-n", "--adjustment"]), flag(&["-0", "-1", "-2", "-3", "-4", "-5", "-6", "-7", "-8", "-9"])]),
    plain(
        &["ionice"],
        &[
            value(&["-c", "--class", "-n", "--classdata"]),
            named("query", &["-p", "--pid", "-P", "--pgid", "-u", "--uid"]),
            flag(&["-t", "--ignore"]),
        ],
    ),
    after(
        1,
        &["chrt"],
        &[
            flag(&[
                "-b",
                "--batch",
                "-d",
                "--deadline",
                "-e",
                "--ext",
                "-f",
                "--fifo",
                "-i",
                "--idle",
                "-o",
                "--other",
                "-r",
                "--rr",
            ]),
            flag(&["-R", "--reset-on-fork", "-a", "--all-tasks", "-v", "--verbose"]),
            named_flag("query", &["-m", "--max", "-p", "--pid"]),
            value(&["-T", "--sched-runtime", "-P", "--sched-period", "-D", "--sched-deadline"]),
        ],
    ),
    after(1, &["taskset"], &[flag(&["-a", "--all-tasks", "-c", "--cpu-list"]), named_flag("query", &["-p", "--pid"])]),
    plain(
        &["numactl"],
        &[
            named_flag("query", &["-H", "--hardware", "-s", "--show"]),
            flag(&["-a", "--all", "-b", "--balancing", "-l", "--localalloc"]),
            value(&["-i", "--interleave", "-w", "--weighted-interleave", "-m", "--membind", "-N", "--cpunodebind"]),
            value(&["-C", "--physcpubind", "-p", "--preferred", "-P", "--preferred-many", "-S", "--shm", "-f", "--file"]),
        ],
    ),
    plain(&["cgexec"], &[value(&["-g"]), flag(&["--sticky", "-b", "-d", "-e", "-p"])]),
    plain(
        &["systemd-run"],
        &[
            flag(&["--scope", "--user", "--system", "-r", "--remain-after-exit", "--send-sighup", "--no-block", "--wait"]),
            flag(&["-t", "--pty", "-P", "--pipe", "-q", "--quiet", "-G", "--collect", "-d", "--same-dir", "--no-ask-password"]),
            flag(&["--slice-inherit", "--ignore-failure", "-v", "--verbose"]),
            named_flag("shell", &["-S", "--shell"]),
            named("directory", &["--working-directory"]),
            named("remote", &["-H", "--host"]),
            named("machine", &["-M", "--machine"]),
            named("set-one", &["-E", "--setenv"]),
            value(&["-p", "--property", "-u", "--unit", "--slice", "--description", "--service-type", "--uid", "--gid", "--nice"]),
            value(&["--on-active", "--on-boot", "--on-startup", "--on-unit-active", "--on-unit-inactive", "--on-calendar"]),
            value(&["--timer-property", "--path-property", "--socket-property", "--expand-environment", "--background", "--json"]),
        ],
    ),
    plain(
        &["prlimit"],
        &[
            named("query", &["-p", "--pid"]),
            value(&["-o", "--output"]),
            flag(&["--noheadings", "--raw", "--verbose"]),
            glued(&["-c", "--core", "-d", "--data", "-e", "--nice", "-f", "--fsize", "-i", "--sigpending", "-l", "--memlock"]),
            glued(&["-m", "--rss", "-n", "--nofile", "-q", "--msgqueue", "-r", "--rtprio", "-s", "--stack", "-t", "--cpu"]),
            glued(&["-u", "--nproc", "-v", "--as", "-x", "--locks", "-y", "--rttime"]),
        ],
    ),
    plain(&["setsid"], &[flag(&["-c", "--ctty", "-f", "--fork", "-w", "--wait"])]),
    plain(&["caffeinate"], &[flag(&["-d", "-i", "-m", "-s", "-u"]), value(&["-t", "-w"])]),
    plain(&["setarch", "linux32", "linux64", "i386", "x86_64"], SETARCH),
    plain(&["unbuffer"], &[flag(&["-p"])]),
    after(1, &["faketime"], &[flag(&["-m", "-f", "--exclude-monotonic"]), value(&["-p"])]),
    plain(&["eatmydata", "fakeroot-tcp", "chronic", "setcap-exec", "catchsegv", "nocache"], &[flag(&["-v", "-e"])]),
    plain(
        &["fakeroot"],
        &[
            value(&["-l", "--lib", "--faked", "-b", "--fd-base"]),
            named("write", &["-s"]),
            named("use", &["-i"]),
            flag(&["-u", "--unknown-is-real"]),
        ],
    ),
    plain(
        &["torsocks", "torify", "proxychains", "proxychains4"],
        &[flag(&["-q", "-i", "--isolate"]), value(&["-f", "-a", "-u", "-p", "-P"])],
    ),
    plain(&["choom"], &[value(&["-n", "--adjust"]), named("query", &["-p", "--pid"])]),
    plain(
        &["setpriv"],
        &[
            named_flag("query", &["-d", "--dump", "--list-caps"]),
            flag(&["--nnp", "--no-new-privs", "--clear-groups", "--keep-groups", "--init-groups", "--reset-env"]),
            value(&[
                "--ambient-caps",
                "--inh-caps",
                "--bounding-set",
                "--ruid",
                "--euid",
                "--rgid",
                "--egid",
                "--reuid",
                "--regid",
            ]),
            value(&["--groups", "--securebits", "--pdeathsig", "--selinux-label", "--apparmor-profile", "--landlock-access"]),
        ],
    ),
    plain(
        &["tini", "dumb-init"],
        &[flag(&["-s", "-v", "-g", "-w", "-c", "--single-child", "--verbose"]), value(&["-p", "-e", "-r", "--rewrite"])],
    ),
    plain(
        &["rlwrap"],
        &[
            flag(&["-A", "-c", "-i", "-I", "-N", "-n", "-r", "-R", "-v", "-W", "-X"]),
            value(&["-b", "-C", "-D", "-e", "-g", "-m", "-M", "-O", "-p", "-P", "-q", "-s", "-S", "-t", "-w", "-z", "-f"]),
            named("write", &["-H", "-l"]),
        ],
    ),
    after(
        1,
        &["timeout", "gtimeout"],
        &[
            flag(&["-f", "--foreground", "-p", "--preserve-status", "-v", "--verbose"]),
            value(&["-s", "--signal", "-k", "--kill-after"]),
        ],
    ),
    plain(&["stdbuf", "gstdbuf"], &[value(&["-i", "--input", "-o", "--output", "-e", "--error"])]),
    plain(
        &["time", "gtime"],
        &[
            flag(&["-a", "--append", "-l", "-p", "--portability", "-q", "--quiet", "-v", "--verbose", "-h"]),
            named("write", &["-o", "--output"]),
            value(&["-f", "--format"]),
        ],
    ),
    below(
        &["perf"],
        &["stat", "record", "trace"],
        &[
            named("write", &["-o", "--output"]),
            flag(&[
                "-a",
                "-d",
                "-v",
                "-B",
                "-A",
                "-g",
                "-q",
                "-S",
                "-T",
                "-i",
                "-n",
                "--null",
                "--all-cpus",
                "--detailed",
                "--big-num",
            ]),
            flag(&["--no-inherit", "--append", "--per-core", "--per-socket", "--per-thread", "--no-syscalls", "--summary", "-s"]),
            value(&["-e", "--event", "-p", "--pid", "-t", "--tid", "-r", "--repeat", "-C", "--cpu", "-x", "--field-separator"]),
            value(&[
                "-I",
                "--interval-print",
                "-D",
                "--delay",
                "-F",
                "--freq",
                "-c",
                "--count",
                "--call-graph",
                "-m",
                "-G",
                "-M",
                "--timeout",
            ]),
            named("text", &["--pre", "--post"]),
        ],
    ),
    plain(&["strace"], STRACE),
    plain(
        &["ltrace"],
        &[
            named("write", &["-o", "--output"]),
            flag(&["-b", "-c", "-C", "-f", "-i", "-L", "-r", "-S", "-t", "-T", "-V"]),
            value(&[
                "-a",
                "--align",
                "-A",
                "-D",
                "--debug",
                "-e",
                "-F",
                "--config",
                "-l",
                "--library",
                "-n",
                "--indent",
                "-p",
                "-s",
                "-u",
                "-w",
                "--where",
                "-x",
            ]),
        ],
    ),
    Wrapper {
        names: &["valgrind"],
        subcommands: &[],
        // Values are always glued: `--tool=memcheck`.
        options: &[flag(&["-q", "-v", "-d", "--quiet", "--verbose"]), named_glued("write", &["--log-file", "--xml-file"])],
        child: Child::Options,
        privileged: false,
    },
    below(
        &["rr"],
        &["record"],
        &[
            flag(&["-n", "-w", "-h", "--chaos", "-s", "-u", "-x", "-N", "-M"]),
            value(&["-c", "-o", "-i", "-t", "-v", "--env", "-p", "--num-cpu-ticks"]),
        ],
    ),
    Wrapper {
        names: &["chroot"],
        subcommands: &[],
        options: &[value(&["--groups", "--userspec", "-u", "-g", "-G"]), flag(&["--skip-chdir", "-n"])],
        child: Child::Root,
        privileged: false,
    },
    plain(
        &["unshare"],
        &[
            named("root", &["-R", "--root"]),
            named("directory", &["-w", "--wd"]),
            glued(&["-i", "--ipc", "-m", "--mount", "-n", "--net", "-p", "--pid", "-u", "--uts", "-U", "--user", "-C", "--cgroup"]),
            glued(&["-T", "--time", "--mount-proc", "--kill-child"]),
            flag(&["-f", "--fork", "-r", "--map-root-user", "-c", "--map-current-user", "--map-auto", "--keep-caps"]),
            value(&["--map-user", "--map-group", "--map-users", "--map-groups", "--owner", "--propagation", "--setgroups"]),
            value(&["-S", "--setuid", "-G", "--setgid", "--monotonic", "--boottime", "-l", "--load-interp"]),
        ],
    ),
    plain(
        &["nsenter"],
        &[
            // Another process's mount table: which paths the child sees is not known.
            named_glued("machine", &["-m", "--mount", "-r", "--root"]),
            named_flag("machine", &["-a", "--all"]),
            named_glued("unknown-directory", &["-w", "--wd", "-W", "--wdns"]),
            named("target", &["-t", "--target"]),
            value(&["-S", "--setuid", "-G", "--setgid", "-N", "--net-socket"]),
            glued(&["-i", "--ipc", "-n", "--net", "-p", "--pid", "-u", "--uts", "-U", "--user", "-C", "--cgroup", "-T", "--time"]),
            flag(&[
                "-F",
                "--no-fork",
                "-Z",
                "--follow-context",
                "-c",
                "--join-cgroup",
                "-e",
                "--env",
                "--preserve-credentials",
                "--user-parent",
            ]),
        ],
    ),
    plain(
        &["firejail"],
        &[
            // Values are always glued; `-c` stands where a shell's would.
            flag(&["--quiet", "--noprofile", "-c", "--debug", "--noroot", "--seccomp", "--allusers", "--caps", "--nonewprivs"]),
            glued(&["--net", "--profile", "--whitelist", "--read-only", "--bind", "--name", "--overlay", "--private"]),
            named_glued("machine", &["--join"]),
            named_glued("query", &["--shutdown", "--ls", "--get", "--list", "--tree", "--top"]),
        ],
    ),
    plain(
        &["xvfb-run"],
        &[
            flag(&["-a", "--auto-servernum", "-l", "--listen-tcp"]),
            value(&["-f", "--auth-file", "-n", "--server-num", "-p", "--xauth-protocol", "-s", "--server-args", "-w", "--wait"]),
            named("write", &["-e", "--error-file"]),
        ],
    ),
    plain(&["dbus-run-session"], &[value(&["--config-file", "--dbus-daemon"])]),
    plain(&["ssh-agent"], &[flag(&["-c", "-D", "-d", "-s"]), named_flag("query", &["-k"]), value(&["-a", "-E", "-O", "-P", "-t"])]),
    Wrapper { names: &["direnv"], subcommands: &["exec"], options: BARE, child: Child::Operands(1), privileged: false },
    Wrapper {
        names: &["mise", "rtx"],
        subcommands: &["exec", "x"],
        child: Child::DoubleDash,
        privileged: false,
        options: &[
            named("text", &["-c", "--command"]),
            named("directory", &["-C", "--cd"]),
            value(&["-j", "--jobs", "-E", "--env"]),
            flag(&["--raw", "-q", "--quiet", "-v", "--verbose", "-y", "--yes", "--fresh-env", "--no-prepare"]),
        ],
    },
    below(&["asdf"], &["exec"], BARE),
    below(&["rbenv", "pyenv", "nodenv", "goenv", "jenv", "tfenv", "plenv", "phpenv"], &["exec"], BARE),
    below(
        &["volta"],
        &["run"],
        &[value(&["--node", "--npm", "--pnpm", "--yarn"]), flag(&["--bundled-npm", "--no-pnpm", "--no-yarn"])],
    ),
    below(&["bun"], &["exec"], BARE),
    below(
        &["cargo"],
        &["watch"],
        &[
            named("text", &["-s", "--shell"]),
            named("directory", &["-C", "--workdir"]),
            value(&["-x", "--exec", "-w", "--watch", "-i", "--ignore", "-d", "--delay", "-E", "--env", "--features", "-B", "-L"]),
            value(&["--use-shell", "--env-file", "--watch-when-idle"]),
            flag(&["-c", "--clear", "-q", "--quiet", "-N", "--notify", "--why", "--poll", "--postpone", "--no-restart"]),
            flag(&["--ignore-nothing", "--no-vcs-ignores", "--no-dot-ignores", "--no-process-group", "--skip-local-deps"]),
        ],
    ),
    after(1, &["newgrp"], &[flag(&["-l", "-"])]),
    below(
        &["devbox"],
        &["run"],
        &[
            named_flag("query", &["-l", "--list"]),
            flag(&["--pure", "-q", "--quiet", "-r", "--recompute", "--all-projects"]),
            value(&["-c", "--config", "--environment"]),
            named("set-one", &["-e", "--env"]),
            named("use", &["--env-file"]),
        ],
    ),
    below(&["pipenv"], &["run"], &[flag(&["-q", "--quiet", "-v", "--verbose", "--system"]), value(&["--python"])]),
    below(&["hatch"], &["run"], &[value(&["-e", "--env", "-p", "--project"]), flag(&["-v", "-q", "--interactive"])]),
    below(
        &["dotenvx", "op", "doppler", "infisical", "rye", "pdm", "pixi"],
        &["run"],
        &[
            named("use", &["-f", "--env-file"]),
            named("text", &["--command"]),
            flag(&["--overload", "-q", "--quiet", "--no-masking", "--strict"]),
            value(&[
                "-e",
                "--environment",
                "-p",
                "--project",
                "-c",
                "--config",
                "--account",
                "--token",
                "--path",
                "--manifest-path",
            ]),
        ],
    ),
    plain(
        &["dotenv", "dotenv-cli"],
        &[named("use", &["-f", "--file", "-e"]), flag(&["-o", "--override", "-i"]), value(&["-q", "-p", "-v"])],
    ),
];

const SETARCH: &[OptionSpec] = &[
    flag(&["-B", "--32bit", "-F", "--fdpic-funcptrs", "-I", "--short-inode", "-L", "--addr-compat-layout"]),
    flag(&["-R", "--addr-no-randomize", "-S", "--whole-seconds", "-T", "--sticky-timeouts", "-X", "--read-implies-exec"]),
    flag(&["-Z", "--mmap-page-zero", "-3", "--3gb", "--4gb", "-v", "--verbose"]),
    named("query", &["-p", "--pid"]),
    named_flag("query", &["--list"]),
];
