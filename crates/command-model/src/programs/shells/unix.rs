//! How Unix shells read their own words: bash 5.2, dash 0.5, zsh 5.9, ksh93u+, fish 4, tcsh 6.24, nushell, elvish, xonsh.

use super::{From, Reading};
use crate::argument::{Argument, Value};

/// What differs from shell to shell.
pub(super) struct Dialect {
    programs: &'static [&'static str],
    /// `-c` is a flag, the text is the first operand; otherwise the next word is the text.
    text_is_operand: bool,
    /// `-n` reads without running.
    can_only_read: bool,
    /// Letters whose value is the next word when they end a cluster, and also when they do not (`-euo pipefail`).
    value_letters: &'static str,
    /// Long options whose value is the next word unless glued.
    long_values: &'static [&'static str],
    /// Long options with text to run.
    long_texts: &'static [&'static str],
    /// Letters whose value is text run before anything else.
    first_text_letters: &'static str,
}

const DIALECTS: &[Dialect] = &[
    Dialect {
        programs: &["bash", "rbash"],
        text_is_operand: true,
        can_only_read: true,
        value_letters: "oO",
        long_values: &["--rcfile", "--init-file"],
        long_texts: &[],
        first_text_letters: "",
    },
    Dialect {
        programs: &["sh", "dash", "ash", "ksh", "ksh93", "rksh", "mksh", "yash", "sash", "osh", "posh", "oksh", "loksh"],
        text_is_operand: true,
        can_only_read: true,
        // `sh` may be bash, which has `-O`; `--rcfile` likewise. yash spells the file `--rcfile=`.
        value_letters: "oO",
        long_values: &["--rcfile", "--init-file"],
        long_texts: &[],
        first_text_letters: "",
    },
    Dialect {
        programs: &["zsh", "rzsh"],
        text_is_operand: true,
        can_only_read: true,
        value_letters: "o",
        long_values: &["--emulate"],
        long_texts: &[],
        first_text_letters: "",
    },
    Dialect {
        programs: &["csh", "tcsh"],
        text_is_operand: true,
        can_only_read: false,
        value_letters: "",
        long_values: &[],
        long_texts: &[],
        first_text_letters: "",
    },
    Dialect {
        programs: &["fish"],
        text_is_operand: false,
        can_only_read: false,
        value_letters: "pdDof",
        long_values: &["--profile", "--profile-startup", "--debug", "--debug-output", "--features", "--debug-stack-frames"],
        long_texts: &["--command", "--init-command"],
        first_text_letters: "C",
    },
    Dialect {
        programs: &["nu"],
        text_is_operand: false,
        can_only_read: false,
        value_letters: "mI",
        long_values: &[
            "--config",
            "--env-config",
            "--plugin-config",
            "--plugins",
            "--log-level",
            "--log-target",
            "--table-mode",
            "--ide-check",
        ],
        long_texts: &["--commands", "--execute"],
        first_text_letters: "e",
    },
    Dialect {
        programs: &["elvish"],
        text_is_operand: true,
        can_only_read: false,
        value_letters: "",
        long_values: &[],
        long_texts: &[],
        first_text_letters: "",
    },
    Dialect {
        programs: &["xonsh"],
        text_is_operand: false,
        can_only_read: false,
        value_letters: "D",
        long_values: &["--rc", "--shell-type", "--def"],
        long_texts: &[],
        first_text_letters: "",
    },
];

/// The dialect of a shell.
pub(super) fn dialect(program: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|dialect| dialect.programs.contains(&program))
}

/// The state of the walk over a shell's words.
struct Walk<'a> {
    dialect: &'static Dialect,
    arguments: &'a [Argument],
    index: usize,
    /// `-c` was given as a flag.
    text_mode: bool,
    /// The text given as an option's value.
    text: Option<Argument>,
    /// Text run before the rest.
    first_text: Option<Argument>,
    standard_input: bool,
    only_reads: bool,
    interactive: bool,
    files: Vec<Argument>,
}

/// Reads the words.
pub(super) fn read(dialect: &'static Dialect, arguments: &[Argument]) -> Reading {
    let mut walk = Walk {
        dialect,
        arguments,
        index: 0,
        text_mode: false,
        text: None,
        first_text: None,
        standard_input: false,
        only_reads: false,
        interactive: false,
        files: Vec::new(),
    };
    let nothing = Reading {
        from: From::Nowhere,
        positional: Vec::new(),
        interactive: false,
        first_text: None,
        startup: Vec::new(),
        uncertain: false,
    };
    while let Some(argument) = arguments.get(walk.index) {
        let Some(written) = argument.known() else {
            break;
        };
        if matches!(written, "--" | "-") {
            walk.index += 1;
            break;
        }
        if matches!(written, "--help" | "--version") {
            return nothing;
        }
        if written.starts_with("--") {
            walk.index += 1;
            walk.long(argument, written);
        } else if written.len() > 1 && written.starts_with(['-', '+']) {
            walk.index += 1;
            walk.cluster(argument, written);
        } else {
            break;
        }
    }
    // Where the options end in a word that is not known and may be some, what follows may be anything.
    let ended = walk.index > 0 && arguments.get(walk.index - 1).is_some_and(|word| matches!(word.known(), Some("--" | "-")));
    let next = arguments.get(walk.index);
    let uncertain = !ended
        && next.is_some_and(
            |word| matches!(&word.value, Value::Dynamic(partial) if partial.may_split && partial.may_begin_with_dash()),
        );
    if walk.only_reads && !walk.interactive {
        return nothing;
    }
    walk.finish(uncertain)
}

impl Walk<'_> {
    fn next_word(&mut self) -> Option<Argument> {
        let word = self.arguments.get(self.index).cloned();
        self.index += 1;
        word
    }

    fn long(&mut self, argument: &Argument, written: &str) {
        let (name, glued) = match written.split_once('=') {
            Some((name, value)) => (name, Some(Argument { value: Value::literal(value), ..argument.clone() })),
            None => (written, None),
        };
        if self.dialect.long_texts.contains(&name) {
            let text = glued.or_else(|| self.next_word());
            if matches!(name, "--init-command" | "--execute") { self.first_text = text } else { self.text = text }
        } else if self.dialect.long_values.contains(&name) {
            let value = glued.or_else(|| self.next_word());
            if matches!(name, "--rcfile" | "--init-file" | "--rc" | "--config" | "--env-config") {
                self.files.extend(value);
            }
        } else if name == "--interactive" {
            self.interactive = true;
        }
    }

    fn cluster(&mut self, argument: &Argument, written: &str) {
        let on = written.starts_with('-');
        let mut letters = written.chars();
        letters.next();
        while let Some(letter) = letters.next() {
            match letter {
                'c' if on && self.dialect.text_is_operand => self.text_mode = true,
                'c' if on => {
                    let glued = letters.as_str();
                    self.text = if glued.is_empty() {
                        self.next_word()
                    } else {
                        Some(Argument { value: Value::literal(glued.trim_start_matches('=')), ..argument.clone() })
                    };
                    return;
                }
                'n' if self.dialect.can_only_read => self.only_reads = on,
                's' => self.standard_input |= on,
                'i' => self.interactive |= on,
                letter if self.dialect.first_text_letters.contains(letter) => {
                    self.first_text = self.next_word();
                    return;
                }
                letter if self.dialect.value_letters.contains(letter) => {
                    let value = self.next_word();
                    if letter == 'o' && value.as_ref().and_then(Argument::known) == Some("noexec") && self.dialect.can_only_read {
                        self.only_reads = on;
                    }
                }
                _ => {}
            }
        }
    }

    fn finish(mut self, uncertain: bool) -> Reading {
        // fish takes options after `-c TEXT` too, so a first text may be found there.
        if self.text.is_some() {
            let rest = self.arguments.get(self.index..).unwrap_or_default();
            let late = rest.iter().position(|word| matches!(word.known(), Some("-C" | "--init-command")));
            if let Some(late) = late
                && self.dialect.first_text_letters.contains('C')
            {
                self.first_text = rest.get(late + 1).cloned();
                self.index += late + 2;
            }
        }
        let from = if self.text_mode {
            match self.next_word() {
                Some(text) => From::Text(text),
                None => From::Nowhere,
            }
        } else if let Some(text) = self.text.take() {
            From::Text(text)
        } else if self.standard_input {
            From::Input
        } else {
            match self.next_word() {
                Some(path) => From::Script(path),
                None => From::Input,
            }
        };
        let positional = self.arguments.get(self.index..).unwrap_or_default().to_vec();
        // bash reads the file only when it is interactive, and it is when it reads a terminal.
        let reads_files = self.interactive || from == From::Input;
        let startup = if reads_files { self.files.into_iter().map(|file| (file.value, file.span)).collect() } else { Vec::new() };
        Reading { from, positional, interactive: self.interactive, first_text: self.first_text, startup, uncertain }
    }
}
