//! `pwsh`, `powershell` (about_Pwsh, about_PowerShell_exe) and `cmd` (Windows command reference).

use crate::argument::{Argument, Value};
use crate::carried::{Carried, What};
use crate::catalog::{Invocation, Understood};
use crate::effect::{Effect, EffectKind, Family, Origin};
use crate::programs::text_carriers::words::{described, inert, join, span_of};
use crate::stream::Stream;

/// Parameters, how short they may be written, and what they mean. `/` may stand for `-` on Windows.
const PARAMETERS: &[(&str, usize, Parameter)] = &[
    ("command", 1, Parameter::Command),
    ("commandwithargs", 8, Parameter::Command),
    ("cwa", 3, Parameter::Command),
    ("encodedcommand", 1, Parameter::Encoded),
    ("ec", 2, Parameter::Encoded),
    ("encodedarguments", 8, Parameter::Value),
    ("ea", 2, Parameter::Value),
    ("file", 1, Parameter::File),
    ("help", 1, Parameter::Query),
    ("version", 1, Parameter::Version),
    ("executionpolicy", 2, Parameter::Value),
    ("ep", 2, Parameter::Value),
    ("inputformat", 1, Parameter::Value),
    ("outputformat", 1, Parameter::Value),
    ("windowstyle", 1, Parameter::Value),
    ("workingdirectory", 2, Parameter::Value),
    ("wd", 2, Parameter::Value),
    ("configurationname", 2, Parameter::Value),
    ("configurationfile", 14, Parameter::Value),
    ("custompipename", 2, Parameter::Value),
    ("settingsfile", 2, Parameter::Value),
    ("psconsolefile", 1, Parameter::Value),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Parameter {
    Command,
    Encoded,
    File,
    Value,
    Query,
    /// `-Version` prints in `pwsh` and takes a value in `powershell`.
    Version,
}

/// The parameter a word names, `None` for a switch without meaning to us.
fn parameter(written: &str) -> Option<Parameter> {
    let name = written.trim_start_matches(['-', '/']).to_ascii_lowercase();
    if name == "?" {
        return Some(Parameter::Query);
    }
    let fits = |(full, shortest, _): &&(&str, usize, Parameter)| name.len() >= *shortest && full.starts_with(&name);
    PARAMETERS.iter().find(fits).map(|(.., parameter)| *parameter)
}

fn code(language: &'static str, source: Option<Value>, arguments: &[Argument]) -> Carried {
    Carried { what: What::Code { language, source }, ..Carried::command(Vec::new(), span_of(arguments)) }
}

/// `pwsh` and `powershell`: a first word that is no parameter is a file for the one and a command for the other.
pub(super) fn powershell(program: &str, invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    let mut understood = described();
    let mut index = 0;
    while let Some(argument) = arguments.get(index) {
        let Some(written) = argument.known().filter(|text| text.len() > 1 && text.starts_with(['-', '/'])) else {
            break;
        };
        // A path of a Unix machine begins with a slash as well.
        if written.starts_with('/') && written.chars().skip(1).any(|letter| !letter.is_ascii_alphabetic()) {
            break;
        }
        index += 1;
        let rest = arguments.get(index..).unwrap_or_default();
        match parameter(written) {
            Some(Parameter::Query) => return inert(),
            Some(Parameter::Version) if program != "powershell" => return inert(),
            Some(Parameter::Command) => {
                let source = (rest.first().and_then(Argument::known) != Some("-")).then(|| join(rest, " "));
                understood.carried.push(code("powershell", source, arguments));
                return understood;
            }
            Some(Parameter::Encoded) => {
                match rest.first().and_then(Argument::known).and_then(decoded) {
                    Some(text) => understood.carried.push(code("powershell", Some(Value::literal(text)), arguments)),
                    None => understood.effects.push(execute(Origin::Decoded, "powershell", arguments)),
                }
                return understood;
            }
            Some(Parameter::File) => {
                if rest.first().and_then(Argument::known) == Some("-") {
                    understood.carried.push(code("powershell", None, arguments));
                } else {
                    understood.carried.extend(rest.first().map(file));
                }
                return understood;
            }
            Some(Parameter::Value | Parameter::Version) => index += 1,
            None => {}
        }
    }
    let rest = arguments.get(index..).unwrap_or_default();
    match rest.first() {
        Some(first) if program == "powershell" && first.known() != Some("-") => {
            understood.carried.push(code("powershell", Some(join(rest, " ")), arguments));
        }
        Some(first) if first.known() != Some("-") => understood.carried.push(file(first)),
        _ if *invocation.input == Stream::Nothing => understood.effects.push(execute(Origin::Interactive, program, arguments)),
        _ => understood.carried.push(code("powershell", None, arguments)),
    }
    understood
}

fn file(path: &Argument) -> Carried {
    let what = What::CodeFile { language: "powershell", path: path.value.clone() };
    Carried { what, ..Carried::command(Vec::new(), path.span) }
}

fn execute(origin: Origin, what: &str, arguments: &[Argument]) -> Effect {
    Effect::new(EffectKind::Execute { origin, what: what.to_owned() }, Family::General, span_of(arguments))
}

/// Base64 of UTF-16, little-endian.
fn decoded(text: &str) -> Option<String> {
    let mut bits: u32 = 0;
    let mut held = 0;
    let mut bytes = Vec::new();
    for letter in text.trim_end_matches('=').bytes() {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
            bits &= (1 << held) - 1;
        }
    }
    let units = bytes.chunks_exact(2).map(|pair| match pair {
        [low, high] => u16::from_le_bytes([*low, *high]),
        _ => 0,
    });
    char::decode_utf16(units).collect::<Result<String, _>>().ok()
}

/// `cmd [/switch…] /c TEXT`, `/k TEXT`: everything behind the switch is code.
pub(super) fn cmd(invocation: &Invocation<'_>) -> Understood {
    let arguments = invocation.arguments;
    let mut understood = described();
    for (index, argument) in arguments.iter().enumerate() {
        let Some(written) = argument.known() else {
            understood.effects.push(Effect::new(EffectKind::DynamicStructure, Family::General, argument.span));
            break;
        };
        let lower = written.to_ascii_lowercase();
        if lower == "/?" {
            return inert();
        }
        // The code may be glued to the switch (`/cdel x`). A shell on Windows may have doubled the slash (`//c`).
        let found = ["/c", "//c", "/k", "//k", "/r", "-c"].iter().find(|switch| lower.starts_with(**switch));
        if let Some(switch) = found {
            let mut words = Vec::new();
            if let Some(glued) = argument.value.without_prefix(written.get(..switch.len()).unwrap_or_default())
                && glued.known() != Some("")
            {
                words.push(Argument { value: glued, ..argument.clone() });
            }
            words.extend_from_slice(arguments.get(index + 1..).unwrap_or_default());
            if !words.is_empty() {
                understood.carried.push(code("cmd", Some(join(&words, " ")), arguments));
            }
            return understood;
        }
        if !written.starts_with('/') {
            break;
        }
    }
    if *invocation.input == Stream::Nothing {
        understood.effects.push(execute(Origin::Interactive, "cmd", arguments));
    } else {
        understood.carried.push(code("cmd", None, arguments));
    }
    understood
}
