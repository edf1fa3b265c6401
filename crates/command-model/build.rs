//! Checks `programs/*.toml` and writes them down as Rust tables.
//!
//! A file that does not hold what it should fails the build with its name: a description is never half understood.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

/// A result whose error is a sentence.
type Checked<T> = Result<T, String>;

/// One file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct ProgramFile {
    name: String,
    #[serde(default)]
    aliases: Vec<String>,
    summary: String,
    source: String,
    service: Option<String>,
    #[serde(default)]
    family: Option<String>,
    #[serde(default)]
    display: bool,
    #[serde(default)]
    bundled: bool,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default = "yes")]
    permutes: bool,
    #[serde(default = "yes")]
    abbreviates: bool,
    #[serde(default)]
    single_dash_long: bool,
    #[serde(skip)]
    root: LevelFile,
    #[serde(skip)]
    subcommands: Vec<SubcommandFile>,
    #[serde(default)]
    environment: BTreeMap<String, String>,
    examples: BTreeMap<String, Vec<String>>,
}

/// A sub-command.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SubcommandFile {
    words: Vec<String>,
    permutes: Option<bool>,
    #[serde(skip)]
    level: LevelFile,
}

/// Keys that stand at the root of a file and in a sub-command alike: those of [`LevelFile`].
const LEVEL_KEYS: &[&str] =
    &["options", "harmless", "inert", "cancels", "operands", "effects", "remote-operands", "open", "output"];

/// What the root and each sub-command hold.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct LevelFile {
    #[serde(default)]
    options: BTreeMap<String, OptionFile>,
    #[serde(default)]
    harmless: String,
    #[serde(default)]
    inert: String,
    #[serde(default)]
    cancels: BTreeMap<String, String>,
    #[serde(default)]
    operands: Vec<OperandFile>,
    #[serde(default)]
    effects: Vec<EffectFile>,
    #[serde(default)]
    remote_operands: bool,
    #[serde(default)]
    open: bool,
    #[serde(default)]
    output: Option<String>,
}

/// An option: its names, or its names and what its value means.
#[derive(Deserialize)]
#[serde(untagged)]
enum OptionFile {
    Names(String),
    Role(OptionRole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OptionRole {
    names: String,
    effect: OneOrMore,
    #[serde(default)]
    when: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
}

/// One effect, or several of one value.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn words(&self) -> &[String] {
        match self {
            Self::One(word) => std::slice::from_ref(word),
            Self::More(words) => words,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperandFile {
    which: String,
    effect: String,
    #[serde(default)]
    when: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
    #[serde(default)]
    recursive: Vec<String>,
    #[serde(default)]
    force: Vec<String>,
}

/// An effect: its word, or its word and its conditions.
#[derive(Deserialize)]
#[serde(untagged)]
enum EffectFile {
    Word(String),
    Role(EffectRole),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EffectRole {
    effect: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    when: Vec<String>,
    #[serde(default)]
    unless: Vec<String>,
    #[serde(default)]
    recursive: Vec<String>,
    #[serde(default)]
    force: Vec<String>,
}

fn yes() -> bool {
    true
}

/// One option with all its spellings.
#[derive(Clone)]
struct OptionSpec {
    id: String,
    names: Vec<String>,
    arity: &'static str,
}

/// What a level holds after its words were read.
#[derive(Clone, Default)]
struct Options {
    specs: Vec<OptionSpec>,
    roles: Vec<(String, String)>,
    inert: Vec<String>,
    cancels: Vec<(String, String)>,
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=programs");
    match generate() {
        Ok(()) => {}
        Err(errors) => {
            for error in errors {
                println!("cargo::error={error}");
            }
            std::process::exit(1);
        }
    }
}

fn generate() -> Result<(), Vec<String>> {
    let directory = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(|error| vec![error.to_string()])?).join("programs");
    let mut paths: Vec<_> = fs::read_dir(&directory)
        .map_err(|error| vec![format!("{}: {error}", directory.display())])?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    let mut errors = Vec::new();
    let mut programs = BTreeMap::new();
    for path in paths {
        println!("cargo::rerun-if-changed={}", path.display());
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match fs::read_to_string(&path).map_err(|error| error.to_string()).and_then(|text| read_program(&text)) {
            Ok(program) if file != format!("{}.toml", program.name) => {
                errors.push(format!("programs/{file}: the file should be called `{}.toml`", program.name));
            }
            Ok(program) => {
                programs.insert(file, program);
            }
            Err(error) => errors.push(format!("programs/{file}: {error}")),
        }
    }
    let mut names = BTreeMap::new();
    let mut table = String::from("static PROGRAMS: &[Program] = &[\n");
    for (index, (file, program)) in programs.iter().enumerate() {
        for name in program.aliases.iter().chain([&program.name]) {
            if names.insert(name.clone(), index).is_some() {
                errors.push(format!("programs/{file}: `{name}` is described twice"));
            }
        }
        match render_program(program) {
            Ok(text) => table.push_str(&text),
            Err(error) => errors.push(format!("programs/{file}: {error}")),
        }
    }
    table.push_str("];\nstatic NAMES: &[(&str, usize)] = &[\n");
    for (name, index) in names {
        let _ = writeln!(table, "({name:?}, {index}),");
    }
    table.push_str("];\n");
    if !errors.is_empty() {
        return Err(errors);
    }
    let out = Path::new(&env::var("OUT_DIR").map_err(|error| vec![error.to_string()])?).join("programs.rs");
    fs::write(&out, table).map_err(|error| vec![format!("{}: {error}", out.display())])
}

/// Reads one file. Root, sub-commands and the rest are read apart because serde cannot both flatten and refuse unknown keys.
fn read_program(text: &str) -> Checked<ProgramFile> {
    let one_line = |error: toml::de::Error| error.to_string().replace('\n', " | ");
    let mut table: toml::Table = text.parse().map_err(one_line)?;
    let root = take_level(&mut table).try_into().map_err(one_line)?;
    let subcommands = match table.remove("subcommand") {
        None => Vec::new(),
        Some(toml::Value::Array(list)) => list.into_iter().map(read_subcommand).collect::<Checked<_>>()?,
        Some(_) => return Err("`subcommand` must be written `[[subcommand]]`".to_owned()),
    };
    let program: ProgramFile = table.try_into().map_err(one_line)?;
    Ok(ProgramFile { root, subcommands, ..program })
}

fn read_subcommand(value: toml::Value) -> Checked<SubcommandFile> {
    let toml::Value::Table(mut table) = value else {
        return Err("a sub-command that is no table".to_owned());
    };
    let named = table.get("words").map(ToString::to_string).unwrap_or_default();
    let one_line = |error: toml::de::Error| format!("sub-command {named}: {}", error.to_string().replace('\n', " | "));
    let level = take_level(&mut table).try_into().map_err(one_line)?;
    let subcommand: SubcommandFile = table.try_into().map_err(one_line)?;
    Ok(SubcommandFile { level, ..subcommand })
}

fn take_level(table: &mut toml::Table) -> toml::Table {
    LEVEL_KEYS.iter().filter_map(|key| table.remove(*key).map(|value| ((*key).to_owned(), value))).collect()
}

fn render_program(program: &ProgramFile) -> Checked<String> {
    if program.examples.is_empty() {
        return Err("no examples".to_owned());
    }
    if program.summary.is_empty() || program.source.is_empty() {
        return Err("`summary` and `source` must say something".to_owned());
    }
    let mut root_options = read_options(&program.root)?;
    // GNU's and most others' convention; a file that gives `--help` another meaning keeps it.
    let mut standard = Vec::new();
    for name in ["--help", "--version"] {
        if !root_options.specs.iter().any(|spec| spec.names.iter().any(|known| known == name)) {
            standard.push(name.to_owned());
        }
    }
    for name in standard {
        root_options.specs.push(OptionSpec { id: name.clone(), names: vec![name.clone()], arity: "None" });
        root_options.inert.push(name);
    }
    check_options(&root_options)?;
    let family = family(program.family.as_deref().unwrap_or("general"))?;
    let root = render_level(program, &program.root, &root_options, &[], program.permutes)?;
    let mut subcommands = String::new();
    for subcommand in &program.subcommands {
        let named = subcommand.words.join(", ");
        if subcommand.words.is_empty() {
            return Err("a sub-command without words".to_owned());
        }
        let own = read_options(&subcommand.level).map_err(|error| format!("sub-command `{named}`: {error}"))?;
        let merged = merge(&own, &root_options);
        check_options(&merged).map_err(|error| format!("sub-command `{named}`: {error}"))?;
        let permutes = subcommand.permutes.unwrap_or(program.permutes);
        let text = render_level(program, &subcommand.level, &merged, &subcommand.words, permutes)
            .map_err(|error| format!("sub-command `{named}`: {error}"))?;
        let _ = writeln!(subcommands, "{text},");
    }
    let mut environment = String::new();
    let none = Vec::new();
    for (name, effect) in &program.environment {
        let _ = write!(environment, "({name:?}, {}),", role_text(effect, None, [&none, &none, &none, &none])?);
    }
    Ok(format!(
        "Program {{ name: {:?}, summary: {:?}, source: {:?}, service: {:?}, family: Family::{family}, display: {}, bundled: {}, \
         ignore_case: {}, environment: &[{environment}], root: {root}, subcommands: &[{subcommands}] }},\n",
        program.name,
        program.summary,
        program.source,
        program.service.as_deref().unwrap_or_default(),
        program.display,
        program.bundled,
        program.ignore_case,
    ))
}

/// Reads the options of a level: named ones, then the lists of harmless and inert ones.
fn read_options(level: &LevelFile) -> Checked<Options> {
    let mut options = Options::default();
    for (id, option) in &level.options {
        let (names, role) = match option {
            OptionFile::Names(names) => (names, None),
            OptionFile::Role(role) => (&role.names, Some(role)),
        };
        options.specs.push(one_option(id, names)?);
        if let Some(role) = role {
            for word in role.effect.words() {
                options.roles.push((id.clone(), role_text(word, None, [&role.when, &role.unless, &vec![], &vec![]])?));
            }
        }
    }
    // One entry for all of an arity: the tables stay small, and `--verb` is short for `--verbose` even beside `--verbatim`.
    let harmless = option_list(&level.harmless)?;
    for arity in ["None", "Required", "Optional"] {
        let names: Vec<_> = harmless.iter().filter(|spec| spec.arity == arity).flat_map(|spec| spec.names.clone()).collect();
        if !names.is_empty() {
            options.specs.push(OptionSpec { id: "harmless".to_owned(), names, arity });
        }
    }
    for spec in option_list(&level.inert)? {
        options.inert.push(spec.id.clone());
        options.specs.push(spec);
    }
    for (later, earlier) in &level.cancels {
        options.cancels.push((earlier.clone(), later.clone()));
    }
    Ok(options)
}

/// `-o --output <file>`: the spellings of one option and whether it takes a value.
fn one_option(id: &str, text: &str) -> Checked<OptionSpec> {
    let mut spec = OptionSpec { id: id.to_owned(), names: Vec::new(), arity: "None" };
    for word in text.split_whitespace() {
        if let Some(arity) = arity(word) {
            spec.arity = arity;
        } else if word.starts_with(['-', '/', '+']) {
            spec.names.push(word.to_owned());
        } else {
            return Err(format!("option `{id}`: `{word}` is neither a name nor `<value>` nor `[value]`"));
        }
    }
    if spec.names.is_empty() {
        return Err(format!("option `{id}` has no name"));
    }
    Ok(spec)
}

/// `-a --all -n <n>`: several options, each by its own name.
fn option_list(text: &str) -> Checked<Vec<OptionSpec>> {
    let mut list: Vec<OptionSpec> = Vec::new();
    for word in text.split_whitespace() {
        match arity(word) {
            Some(arity) => list.last_mut().ok_or_else(|| format!("`{word}` follows no option"))?.arity = arity,
            None => list.push(one_option(word, word)?),
        }
    }
    Ok(list)
}

fn arity(word: &str) -> Option<&'static str> {
    match (word.as_bytes().first(), word.as_bytes().last()) {
        (Some(b'<'), Some(b'>')) => Some("Required"),
        (Some(b'['), Some(b']')) if word.len() > 1 => Some("Optional"),
        _ => None,
    }
}

/// Whether an inert option of the program is one of its sub-commands too. A version is not: there it mostly takes a value
/// (`cargo yank --version 1.0.0`).
fn inert_everywhere(id: &str) -> bool {
    !matches!(id, "--version" | "-version" | "-V" | "-v")
}

/// The options of a sub-command: its own, and those of the program it does not spell otherwise.
fn merge(own: &Options, inherited: &Options) -> Options {
    let mut merged = own.clone();
    let only_before = |id: &String| inherited.inert.contains(id) && !inert_everywhere(id);
    for spec in inherited.specs.iter().filter(|spec| !only_before(&spec.id)) {
        let names: Vec<_> =
            spec.names.iter().filter(|name| !own.specs.iter().any(|known| known.names.contains(name))).cloned().collect();
        let taken = spec.id != "harmless" && own.specs.iter().any(|known| known.id == spec.id);
        if !names.is_empty() && !taken {
            merged.specs.push(OptionSpec { names, ..spec.clone() });
        }
    }
    merged.roles.extend(inherited.roles.iter().filter(|(id, _)| !own.specs.iter().any(|spec| spec.id == *id)).cloned());
    merged
        .inert
        .extend(inherited.inert.iter().filter(|id| inert_everywhere(id) && !own.specs.iter().any(|spec| spec.id == **id)).cloned());
    merged.cancels.extend(inherited.cancels.iter().cloned());
    merged
}

fn check_options(options: &Options) -> Checked<()> {
    let mut seen = BTreeMap::new();
    for spec in &options.specs {
        for name in &spec.names {
            if seen.insert(name.clone(), ()).is_some() {
                return Err(format!("option `{name}` is named twice"));
            }
        }
    }
    Ok(())
}

fn render_level(
    program: &ProgramFile,
    level: &LevelFile,
    options: &Options,
    phrases: &[String],
    permutes: bool,
) -> Checked<String> {
    let mut specs = String::new();
    for spec in &options.specs {
        let _ = write!(specs, "OptionSpec {{ id: {:?}, names: &{:?}, value: ValueArity::{} }},", spec.id, spec.names, spec.arity);
    }
    let mut roles = String::new();
    for (id, role) in &options.roles {
        let _ = write!(roles, "({id:?}, {role}),");
    }
    let mut operands = String::new();
    let mut conditions: Vec<&String> = Vec::new();
    for operand in &level.operands {
        let lists = [&operand.when, &operand.unless, &operand.recursive, &operand.force];
        conditions.extend(lists.into_iter().flatten());
        let _ = write!(operands, "({}, {}),", which(&operand.which)?, role_text(&operand.effect, None, lists)?);
    }
    let mut effects = String::new();
    let empty = Vec::new();
    for effect in &level.effects {
        let text = match effect {
            EffectFile::Word(word) => role_text(word, None, [&empty, &empty, &empty, &empty])?,
            EffectFile::Role(role) => {
                let lists = [&role.when, &role.unless, &role.recursive, &role.force];
                conditions.extend(lists.into_iter().flatten());
                role_text(&role.effect, role.path.as_deref(), lists)?
            }
        };
        let _ = write!(effects, "{text},");
    }
    for option in level.options.values() {
        if let OptionFile::Role(role) = option {
            conditions.extend(role.when.iter().chain(&role.unless));
        }
    }
    let ids: Vec<&String> = options.specs.iter().map(|spec| &spec.id).collect();
    for condition in conditions {
        check_condition(condition, &ids)?;
    }
    for (earlier, later) in &level.cancels {
        for id in [earlier, later] {
            if !ids.contains(&id) {
                return Err(format!("`cancels` names `{id}`, which is no option"));
            }
        }
    }
    let phrases: Vec<Vec<&str>> = phrases.iter().map(|phrase| phrase.split_whitespace().collect()).collect();
    let phrases: String = phrases.iter().map(|words| format!("&{words:?},")).collect();
    let output = match level.output.as_deref().unwrap_or("unknown") {
        "unknown" => "Unknown",
        "nothing" => "Nothing",
        "filter" => "Filter",
        "lines" => "Lines",
        "remote" => "Remote",
        "decoded" => "Decoded",
        other => return Err(format!("`{other}` is no output")),
    };
    let open = level.open || program.root.open;
    Ok(format!(
        "Level {{ phrases: &[{phrases}], grammar: Grammar {{ options: &[{specs}], permutes: {permutes}, abbreviates: {}, \
         single_dash_long: {} }}, inert: &{:?}, cancels: &{:?}, options: &[{roles}], operands: &[{operands}], \
         effects: &[{effects}], remote_operands: {}, open: {}, output: Output::{output} }}",
        // Where not every option is listed, a shortened one may be another.
        program.abbreviates && !open,
        program.single_dash_long,
        options.inert,
        options.cancels,
        level.remote_operands || program.root.remote_operands,
        open,
    ))
}

fn check_condition(condition: &str, ids: &[&String]) -> Checked<()> {
    let id = condition.split_once(['=', '~']).map_or(condition, |(id, _)| id);
    let special = matches!(id, "always" | "operands" | "several-operands" | "arguments" | "first" | "word" | "input");
    if special || (id != "harmless" && ids.iter().any(|known| *known == id)) {
        return Ok(());
    }
    Err(format!("condition `{condition}` names no option"))
}

fn which(text: &str) -> Checked<String> {
    Ok(match text {
        "all" => "Which::All".to_owned(),
        "first" => "Which::At(0)".to_owned(),
        "second" => "Which::At(1)".to_owned(),
        "third" => "Which::At(2)".to_owned(),
        "rest" => "Which::From(1)".to_owned(),
        "from-third" => "Which::From(2)".to_owned(),
        "last" => "Which::Last".to_owned(),
        "all-but-last" => "Which::AllButLast".to_owned(),
        other => match other.strip_prefix("key ") {
            Some(key) => format!("Which::Key({key:?})"),
            None => return Err(format!("`{other}` chooses no operands")),
        },
    })
}

fn role_text(effect: &str, path: Option<&str>, lists: [&Vec<String>; 4]) -> Checked<String> {
    let [when, unless, recursive, force] = lists;
    Ok(format!(
        "Role {{ action: {}, when: &{when:?}, unless: &{unless:?}, recursive: &{recursive:?}, force: &{force:?}, path: {path:?} }}",
        action(effect)?
    ))
}

/// The words for effects, as the files have them.
fn action(text: &str) -> Checked<String> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let needs_rest = |variant: &str| {
        if rest.is_empty() { Err(format!("`{word}` needs another word")) } else { Ok(format!("Action::{variant}({rest:?})")) }
    };
    let plain = match word {
        "read" => "Read",
        "read-after-at" => "ReadAfterAt",
        "read-name-at" => "ReadNameAt",
        "read-field" => "ReadField",
        "use" => "Use",
        "mention" => "Mention",
        "metadata" => "Metadata",
        "touch" => "Touch",
        "write-truncate" => "Write(WriteMode::Truncate)",
        "write-empty" => "Write(WriteMode::Empty)",
        "write-append" => "Write(WriteMode::Append)",
        "write-in-place" => "Write(WriteMode::InPlace)",
        "write-create" => "Write(WriteMode::Create)",
        "write-link" => "Write(WriteMode::Link)",
        "write-url-name" => "WriteUrlName",
        "delete" => "Delete",
        "permissions" => "Permissions",
        "device" => "Device",
        "copy" => "Copy",
        "move" => "Move",
        "link" => "Link",
        "destination" => "Destination",
        "network" => "Network",
        "upload" => "Upload",
        "shell" => "Shell",
        "command" => "Command",
        "script" => "Script",
        "shell-input" => "ShellInput",
        "directory" => "Directory",
        "output-directory" => "OutputDirectory",
        "privilege" => "Privilege",
        "process" => "Process { broad: false }",
        "process-broad" => "Process { broad: true }",
        "shell-after" => return needs_rest("ShellAfter"),
        "service" => return needs_rest("Service"),
        "system" => return needs_rest("System"),
        "disclose" => return needs_rest("Disclose"),
        "unknown" => return needs_rest("Unknown"),
        "code" => return needs_rest("Code"),
        "code-input" => return needs_rest("CodeInput"),
        "execute" => {
            let (origin, what) = rest.split_once(' ').ok_or("`execute` needs an origin and a few words")?;
            let origin = match origin {
                "local" => "Local",
                "fetched" => "Fetched",
                "configuration" => "Configuration",
                "unknown" => "Unknown",
                "inline" => "Inline",
                "interactive" => "Interactive",
                other => return Err(format!("`{other}` is no origin")),
            };
            return Ok(format!("Action::Execute(Origin::{origin}, {what:?})"));
        }
        other => return Err(format!("`{other}` is no effect")),
    };
    if rest.is_empty() { Ok(format!("Action::{plain}")) } else { Err(format!("`{word}` takes no other word")) }
}

fn family(text: &str) -> Checked<&'static str> {
    Ok(match text {
        "general" => "General",
        "rm" => "Rm",
        "sync" => "Sync",
        "archive" => "Archive",
        "deleter" => "Deleter",
        "shred" => "Shred",
        "dd" => "Dd",
        "format" => "Format",
        "patch" => "Patch",
        other => return Err(format!("`{other}` is no family")),
    })
}
