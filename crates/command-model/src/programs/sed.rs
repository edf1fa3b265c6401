//! sed.
//!
//! Sources: the GNU sed 4.9 manual (commands, `s` flags, `--in-place`), POSIX.1-2024 sed, sed(1) of FreeBSD and macOS (`-i ''`).

use sekisho_shell_syntax::span::Span;

use crate::argument::{Argument, Value};
use crate::carried::Carried;
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin, Target, WriteMode};
use crate::option_grammar::{Grammar, OptionSpec, ValueArity, parse};
use crate::stream::Stream;

/// The programs this file answers for.
pub const NAMES: &[&str] = &["sed", "gsed"];

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { id: "expression", names: &["-e", "--expression"], value: ValueArity::Required },
    OptionSpec { id: "file", names: &["-f", "--file"], value: ValueArity::Required },
    OptionSpec { id: "in-place", names: &["-i", "-I", "--in-place"], value: ValueArity::Optional },
    OptionSpec { id: "length", names: &["-l", "--line-length"], value: ValueArity::Required },
    OptionSpec { id: "inert", names: &["--version", "--help"], value: ValueArity::None },
    OptionSpec { id: "sandbox", names: &["--sandbox"], value: ValueArity::None },
    OptionSpec {
        id: "other",
        names: &[
            "-n",
            "--quiet",
            "--silent",
            "-E",
            "-r",
            "--regexp-extended",
            "-s",
            "--separate",
            "-u",
            "--unbuffered",
            "-z",
            "--null-data",
            "--posix",
            "--debug",
            "--follow-symlinks",
            "-b",
            "--binary",
            "-a",
        ],
        value: ValueArity::None,
    },
];

/// Says what the command does.
pub fn understand(invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    let parsed = parse(&Grammar::gnu(OPTIONS), arguments);
    let mut understood = Understood { described: true, output: Stream::Unknown, ..Understood::default() };
    if parsed.has("inert") {
        understood.inert = true;
        return understood;
    }
    let in_place = parsed.options.iter().find(|found| found.id == Some("in-place"));
    let mut operands: Vec<&Argument> = parsed.operands(arguments).collect();
    // BSD takes the suffix as a word of its own, and scripts meant for it write an empty one.
    if let Some(found) = in_place
        && arguments.get(found.index + 1).is_some_and(|next| next.known() == Some(""))
        && operands.first().is_some_and(|first| first.known() == Some(""))
    {
        operands.remove(0);
    }
    let mut scripts: Vec<(&Value, Span)> = Vec::new();
    let given = parsed.has("expression") || parsed.has("file");
    for found in &parsed.options {
        match (found.id, &found.value) {
            (Some("expression"), Some(value)) => scripts.push((value, found.span)),
            (Some("file"), Some(value)) if value.known() != Some("-") => {
                understood.effects.push(Effect::new(EffectKind::Use(Target::new(value.clone())), Family::General, found.span));
                let what = format!("sed script {}", value.display());
                understood.effects.push(Effect::new(
                    EffectKind::Execute { origin: Origin::Local, what },
                    Family::General,
                    found.span,
                ));
            }
            _ => {}
        }
    }
    let files = match operands.split_first() {
        Some((script, files)) if !given => {
            scripts.push((&script.value, script.span));
            files
        }
        _ => operands.as_slice(),
    };
    for argument in files.iter().filter(|argument| argument.known() != Some("-")) {
        let target = Target::new(argument.value.clone());
        let kind = if in_place.is_some() { EffectKind::Write(target, WriteMode::InPlace) } else { EffectKind::Read(target) };
        understood.effects.push(Effect::new(kind, Family::General, argument.span));
    }
    if !parsed.has("sandbox") {
        facts(&scripts, &mut understood);
    }
    understood
}

/// What the scripts, which are one script in the order given, run, read and write.
fn facts(scripts: &[(&Value, Span)], understood: &mut Understood) {
    let mut text = String::new();
    let mut span: Option<Span> = None;
    for (value, at) in scripts {
        span = Some(span.map_or(*at, |span| span.to(*at)));
        match value {
            Value::Known { text: script, .. } | Value::Glob { pattern: script } => text.push_str(script),
            Value::Dynamic(partial) => {
                // `s/$a/$b/` is a substitution whatever the variables hold; a script of which nothing is known may run anything.
                let beginning = partial.prefix.trim_start_matches(|letter: char| letter.is_ascii_digit() || " ,$".contains(letter));
                if !beginning.starts_with(['s', 'y', '/', 'p', 'd', 'i', 'a', 'c', 'q'])
                    && partial.prefix.is_empty()
                    && !partial.suffix.ends_with(['p', 'd', 'q', '/'])
                {
                    understood.effects.push(Effect::new(
                        EffectKind::Unknown("a sed script that is not known".to_owned()),
                        Family::General,
                        *at,
                    ));
                }
            }
        }
        text.push('\n');
    }
    let span = span.unwrap_or_default();
    for fact in Script::read(&text) {
        let effect = match fact {
            Fact::Read(path) => EffectKind::Read(Target::new(Value::literal(path))),
            Fact::Write(path) => EffectKind::Write(Target::new(Value::literal(path)), WriteMode::Truncate),
            Fact::RunsLines(what) => EffectKind::Execute { origin: Origin::Input, what: what.to_owned() },
            Fact::Runs(command) => {
                let mut carried = Carried::shell(Value::literal(command), Vec::new(), span);
                // Whether an address selects a line depends on the input.
                carried.certain = false;
                understood.carried.push(carried);
                continue;
            }
        };
        understood.effects.push(Effect::new(effect, Family::General, span));
    }
}

/// Something a script does besides editing.
#[derive(Debug, PartialEq)]
enum Fact {
    Read(String),
    Write(String),
    Runs(String),
    /// Lines of the input are run as commands.
    RunsLines(&'static str),
}

/// A script being read.
struct Script<'a> {
    text: &'a str,
    facts: Vec<Fact>,
}

impl Script<'_> {
    fn read(text: &str) -> Vec<Fact> {
        let mut script = Script { text, facts: Vec::new() };
        while script.command().is_some() {}
        script.facts
    }

    fn peek(&self) -> Option<char> {
        self.text.chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let mut characters = self.text.chars();
        let character = characters.next()?;
        self.text = characters.as_str();
        Some(character)
    }

    fn skip(&mut self, these: impl Fn(char) -> bool) {
        self.text = self.text.trim_start_matches(these);
    }

    /// The rest of the line.
    fn line(&mut self) -> String {
        let (line, rest) = self.text.split_once('\n').unwrap_or((self.text, ""));
        self.text = rest;
        line.trim_start().to_owned()
    }

    /// A text up to `delimiter`, backslashes kept.
    fn delimited(&mut self, delimiter: char) -> String {
        let mut text = String::new();
        let mut class = false;
        while let Some(character) = self.take() {
            match character {
                '\\' => {
                    text.push(character);
                    text.extend(self.take());
                    continue;
                }
                '[' => class = true,
                ']' => class = false,
                _ if character == delimiter && !class => break,
                // A bracket that nothing closes on its line was an ordinary character, and so was the delimiter after it.
                '\n' => class = false,
                _ => {}
            }
            text.push(character);
        }
        text
    }

    /// A replacement or a `y` part: brackets mean nothing in it.
    fn plain(&mut self, delimiter: char) -> String {
        let mut text = String::new();
        while let Some(character) = self.take() {
            if character == delimiter {
                break;
            }
            text.push(character);
            if character == '\\' {
                text.extend(self.take());
            }
        }
        text
    }

    /// Reads one command; `None` at the end.
    fn command(&mut self) -> Option<()> {
        self.skip(|letter| letter.is_whitespace() || letter == ';' || letter == '}');
        self.addresses();
        let letter = self.take()?;
        match letter {
            '#' => {
                self.line();
            }
            'r' | 'R' => {
                let path = self.line();
                if !path.is_empty() && path != "/dev/stdin" {
                    self.facts.push(Fact::Read(path));
                }
            }
            'w' | 'W' => self.write(),
            'e' => {
                let command = self.line();
                self.facts.push(if command.is_empty() { Fact::RunsLines("sed e") } else { Fact::Runs(command) });
            }
            'a' | 'i' | 'c' => self.text_argument(),
            ':' | 'b' | 't' | 'T' | 'v' => self.skip(|letter| letter != '\n' && letter != ';' && letter != '}'),
            's' => self.substitution(),
            'y' => {
                let delimiter = self.take()?;
                self.plain(delimiter);
                self.plain(delimiter);
            }
            // Everything else takes a number at most.
            _ => self.skip(|letter| letter.is_ascii_digit() || letter == ' '),
        }
        Some(())
    }

    fn addresses(&mut self) {
        loop {
            self.skip(|letter| letter == ' ' || letter == '\t' || letter.is_ascii_digit() || ",~+$!".contains(letter));
            let delimiter = match self.peek() {
                Some('/') => {
                    self.take();
                    '/'
                }
                Some('\\') => {
                    self.take();
                    let Some(delimiter) = self.take() else { return };
                    delimiter
                }
                _ => return,
            };
            self.delimited(delimiter);
            self.skip(|letter| letter == 'I' || letter == 'M');
        }
    }

    fn write(&mut self) {
        let path = self.line();
        if !path.is_empty() && path != "/dev/stdout" && path != "/dev/stderr" {
            self.facts.push(Fact::Write(path));
        }
    }

    /// The text of `a`, `i`, `c`: the line, and the next one after a backslash.
    fn text_argument(&mut self) {
        while let Some(character) = self.take() {
            match character {
                '\\' => {
                    self.take();
                }
                '\n' => return,
                _ => {}
            }
        }
    }

    fn substitution(&mut self) {
        let Some(delimiter) = self.take() else { return };
        self.delimited(delimiter);
        let replacement = self.plain(delimiter);
        while let Some(flag) = self.peek() {
            match flag {
                'e' => {
                    self.take();
                    self.facts.push(Fact::RunsLines("sed s///e"));
                    if let Some(command) = literal(&replacement, delimiter) {
                        self.facts.push(Fact::Runs(command));
                    }
                }
                'w' => {
                    self.take();
                    return self.write();
                }
                'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {
                    self.take();
                }
                _ => return,
            }
        }
    }
}

/// A replacement as text, if nothing of the line goes into it.
fn literal(replacement: &str, delimiter: char) -> Option<String> {
    let mut text = String::new();
    let mut characters = replacement.chars();
    while let Some(character) = characters.next() {
        match character {
            '&' => return None,
            '\\' => match characters.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                digit if digit.is_ascii_digit() => return None,
                'L' | 'U' | 'l' | 'u' | 'E' if delimiter.is_ascii_punctuation() => return None,
                other => text.push(other),
            },
            other => text.push(other),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{Fact, Script};
    use crate::programs::text_carriers::testing::check;

    #[test]
    fn commands() {
        check(&[
            ("sed -n '10,20p' f", "read f"),
            ("sed 's/a/b/' f g", "read f; read g"),
            ("sed -e 's/a/b/' -e 's/c/d/g' f", "read f"),
            ("sed -i 's/a/b/' f", "write:InPlace f"),
            ("sed -i.bak 's/a/b/' f", "write:InPlace f"),
            ("sed -i '' 's/a/b/' f", "write:InPlace f"),
            ("sed --in-place=.bak -e 's/a/b/' f", "write:InPlace f"),
            ("sed 's/a/b/' -i f", "write:InPlace f"),
            ("sed -i s/a/b/ .git/config", "write:InPlace .git/config"),
            ("sed -ni '1p' f", "write:InPlace f"),
            ("sed 's/a/b/'", ""),
            ("sed 's/a/b/w out' f", "read f; write:Truncate out"),
            ("sed 'w out' f", "read f; write:Truncate out"),
            ("sed '1r .env' f", "read f; read .env"),
            ("sed '1e rm -rf /' f", "read f; sh{rm -rf /}?"),
            ("sed 's/.*/rm -rf x/e' f", "read f; execute:Input sed s///e; sh{rm -rf x}?"),
            ("sed 's/x/&/e' f", "read f; execute:Input sed s///e"),
            ("sed -f p.sed f", "use p.sed; execute:Local sed script p.sed; read f"),
            ("sed \"s/$A/b/\" f", "read f"),
            ("sed \"$SCRIPT\" f", "read f; unknown a sed script that is not known"),
            ("sed --version", "inert"),
            ("sed --sandbox '1e ls' f", "read f"),
            ("sed -n '/e rm/p' f", "read f"),
        ]);
    }

    #[test]
    fn scripts() {
        let none: [&str; 17] = [
            "s/w out/r in/",
            "s|/w|/e|g",
            "s,[/,]e,x,",
            "/e rm/d",
            "\\,e,d",
            "y/we/ew/",
            "$!N;s/\\n/ /;P;D",
            ":a;N;$!ba;s/\\n/ /g",
            "1,/x/{s/a/b/;p}",
            "a\\\ne rm\\\nw x",
            "i e rm -rf /",
            "2q",
            "s/a/\\/e/",
            "# e rm",
            "0~3d",
            "/a/,+3p",
            "",
        ];
        for script in none {
            assert_eq!(Script::read(script), [], "{script}");
        }
        assert_eq!(Script::read("s#a#b#gw f"), [Fact::Write("f".into())]);
        assert_eq!(Script::read("1{e ls\n}"), [Fact::Runs("ls".into())]);
        assert_eq!(Script::read("e"), [Fact::RunsLines("sed e")]);
        assert_eq!(Script::read("/a/I,/b/M w f"), [Fact::Write("f".into())]);
    }

    #[test]
    fn long_scripts_take_linear_time() {
        for piece in ["s/a/b/;", "[", "\\", "{", "/", "s", "a\\\n", "e", "y/"] {
            Script::read(&piece.repeat(131_072 / piece.len()));
        }
    }
}
