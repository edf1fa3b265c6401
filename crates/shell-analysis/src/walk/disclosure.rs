//! How much of the environment the next program of a pipeline lets through: `env | grep JAVA` shows what a toolchain is told, and
//! no token.

use sekisho_command_model::EffectKind;
use sekisho_shell_syntax::tree::{CommandKind, Stage};

use crate::Execution;
use crate::engine::Engine;

/// Beginnings of names that toolchains, shells and locales use for directories, switches and versions.
const PLAIN: &[&str] = &[
    "path",
    "home",
    "user",
    "logname",
    "shell",
    "term",
    "lang",
    "lc",
    "pwd",
    "oldpwd",
    "tmp",
    "tmpdir",
    "temp",
    "java",
    "jdk",
    "jre",
    "node",
    "nvm",
    "python",
    "pythonpath",
    "virtual",
    "venv",
    "conda",
    "pyenv",
    "go",
    "goroot",
    "gopath",
    "gobin",
    "cargo",
    "rust",
    "rustup",
    "ruby",
    "rbenv",
    "perl",
    "proxy",
    "display",
    "editor",
    "visual",
    "pager",
    "cuda",
    "ld",
    "dyld",
    "cc",
    "cxx",
    "cflags",
    "cxxflags",
    "ldflags",
    "cmake",
    "make",
    "makeflags",
    "android",
    "gradle",
    "maven",
    "xdg",
    "ros",
    "debug",
    "tz",
    "wayland",
    "hostname",
    "columns",
    "lines",
    "colorterm",
    "ci",
    "port",
    "omp",
    "mkl",
    "dotnet",
    "swift",
    "library",
    "manpath",
    "nix",
];
/// Words no name may hold that is let through.
const SECRET: &[&str] = &["token", "secret", "passw", "credential", "private", "key", "auth", "api", "pass"];
/// Flags of grep that change neither which lines are meant nor what is shown beside them.
const FLAGS: &str = "iEFGPowxnsaI";

impl Engine<'_> {
    /// The executions from `from` to `to` print the environment or a variable to the program at `to`: where that lets only harmless
    /// names through, or logs in with it, nothing is disclosed.
    pub(super) fn narrow_disclosure(&mut self, stage: &Stage, from: usize, to: usize) {
        let plain = matches!(&stage.command.kind, CommandKind::Simple(_)) && stage.command.redirections.is_empty();
        let Some(next) = self.analysis.executions.get(to).filter(|_| plain) else { return };
        let kept: &[&str] = match () {
            () if takes_password(next) => &["variable", "token", "secret"],
            () if shows_only_plain_names(next) => &["environment"],
            () => return,
        };
        for execution in self.analysis.executions.get_mut(from..to).unwrap_or_default() {
            execution.effects.retain(|effect| !matches!(&effect.kind, EffectKind::Disclose(what) if kept.contains(&what.as_str())));
        }
    }
}

/// The program logs in with the password on its input: that is what the password is for, and it shows in no list of processes.
fn takes_password(execution: &Execution) -> bool {
    let words: Vec<&str> = execution.argv.iter().flatten().skip(1).filter_map(|word| word.known()).collect();
    match execution.program.as_deref() {
        Some("docker" | "podman" | "nerdctl" | "buildah" | "skopeo" | "crane" | "oras" | "helm") => {
            words.contains(&"login") && words.contains(&"--password-stdin")
        }
        Some("gh" | "glab") => {
            matches!(words.as_slice(), ["auth", "login", ..])
                && words.iter().any(|word| matches!(*word, "--with-token" | "--stdin"))
        }
        _ => false,
    }
}

/// The program shows names alone, counts, or lines that a pattern of harmless names selects.
fn shows_only_plain_names(execution: &Execution) -> bool {
    let Some(words) = &execution.argv else { return false };
    let Some(words) = words.iter().map(|word| word.known()).collect::<Option<Vec<&str>>>() else { return false };
    let Some((_, arguments)) = words.split_first() else { return false };
    match execution.program.as_deref() {
        Some("wc") => true,
        Some("cut") => {
            matches!(arguments, ["-d=", "-f1"] | ["-d", "=", "-f1"] | ["-d=", "-f", "1"] | ["-d", "=", "-f", "1"] | ["-f1", "-d="])
        }
        Some("sed") => matches!(arguments, ["s/=.*//" | "s/=.*$//" | "s/=.*/=/" | "s/=.*/=***/"]),
        Some("awk") => matches!(arguments, ["-F=", "{print $1}" | "{ print $1 }"] | ["-F", "=", "{print $1}" | "{ print $1 }"]),
        Some("grep" | "egrep" | "fgrep" | "rg") => greps_plain_names(arguments),
        _ => false,
    }
}

fn greps_plain_names(arguments: &[&str]) -> bool {
    let (flags, operands): (Vec<&str>, Vec<&str>) = arguments.iter().partition(|word| word.starts_with('-'));
    let flags: Option<Vec<&str>> =
        flags.into_iter().map(|flag| flag.strip_prefix('-').filter(|rest| !rest.starts_with('-'))).collect();
    let (Some(flags), [pattern]) = (flags, operands.as_slice()) else { return false };
    let silent = flags.iter().any(|letters| letters.contains(['q', 'c']));
    let known = flags.iter().all(|letters| letters.chars().all(|letter| FLAGS.contains(letter) || matches!(letter, 'q' | 'c')));
    known && (silent || is_plain_pattern(pattern))
}

/// Every alternative of the pattern names variables of toolchains and locales.
fn is_plain_pattern(pattern: &str) -> bool {
    let pattern = pattern.to_lowercase();
    let alternative = |text: &str| {
        let text = text.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let first: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
        let whole = text.trim_end_matches(".*");
        let simple = whole.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        // `http_proxy` and its kin.
        let proxy = whole.ends_with("_proxy");
        simple && (proxy || PLAIN.contains(&first.as_str())) && !SECRET.iter().any(|word| text.contains(word))
    };
    pattern.split('|').all(alternative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_plain_names() {
        for pattern in ["JAVA", "^(PATH|HOME)=", "node", "java\\|node", "proxy", "^GO", "PYTHON.*", "http_proxy|https_proxy"] {
            assert!(is_plain_pattern(pattern), "{pattern}");
        }
        for pattern in
            ["", ".", "a", "API", "AWS", "TOKEN", "NODE_AUTH_TOKEN", "PATH|", ".*", "[A-Z]", "path.*x", "GITHUB", "=", "KEY"]
        {
            assert!(!is_plain_pattern(pattern), "{pattern}");
        }
    }
}
