//! Our entry in a settings file of the form `{"hooks": {"<event>": [{"matcher": …, "hooks": [{"type": "command", …}]}]}}`.
//!
//! Pure text to text. Comments, key order, spacing and everything that is not ours stay as they are; a correct entry changes
//! no byte.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};

/// The name of our program, whatever its directory.
const PROGRAM: &str = "sekisho";

/// The entry that should stand in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The adapter id.
    pub agent: String,
    /// The event it is called for.
    pub event: String,
    /// The absolute path of our program.
    pub program: String,
    /// Arguments behind `hook <agent>`.
    pub more_arguments: Vec<String>,
    /// Seconds after which the agent gives up waiting.
    pub timeout: u32,
}

/// An entry of ours that stands in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The event it is under.
    pub event: String,
    /// Its matcher; all tools if absent.
    pub matcher: Option<String>,
    /// The program, as written.
    pub command: String,
    /// The arguments; `None` where the whole command line stands in `command`.
    pub arguments: Option<Vec<String>>,
    /// The agent goes on without waiting for the answer.
    pub asynchronous: bool,
}

impl Found {
    /// It is called for every tool.
    pub fn matches_everything(&self) -> bool {
        self.matcher.as_deref().is_none_or(|matcher| matches!(matcher, "" | "*" | ".*"))
    }

    /// The program and arguments to run, as the agent would.
    pub fn command_line(&self) -> Vec<String> {
        match &self.arguments {
            Some(arguments) => std::iter::once(self.command.clone()).chain(arguments.iter().cloned()).collect(),
            None => words(&self.command),
        }
    }
}

/// Why a settings file cannot be edited. Nothing was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditFailure {
    /// It does not parse; what the parser says.
    Syntax(String),
    /// Something in it is not of the type it must have.
    Shape(String),
}

impl std::fmt::Display for EditFailure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Syntax(what) => write!(formatter, "it is not valid JSON: {what}"),
            Self::Shape(what) => formatter.write_str(what),
        }
    }
}

impl std::error::Error for EditFailure {}

/// `text` with the entry in it, and no other entry of ours for that event.
///
/// # Errors
/// [`EditFailure`]; an empty text is an empty file, not an error.
pub fn with_entry(text: &str, entry: &Entry) -> Result<String, EditFailure> {
    let (mark, body) = split_mark(text);
    let root = parse(body)?;
    let Some(settings) = root.object_value_or_create() else { return Err(shape("its top level is not an object")) };
    let hooks = settings.object_value_or_create("hooks").ok_or_else(|| shape("`hooks` in it is not an object"))?;
    let groups = hooks.array_value_or_create(&entry.event).ok_or_else(|| shape("the list of hooks in it is not an array"))?;
    let mut kept = false;
    for handler in handlers(&groups, &entry.event)? {
        if !is_ours(&handler.found, &entry.agent) {
            continue;
        }
        if !kept && is_correct(&handler, entry) {
            kept = true;
        } else {
            handler.remove();
        }
    }
    if kept {
        return Ok(format!("{mark}{root}"));
    }
    groups.append(group(entry));
    let mut edited = root.to_string();
    if !edited.ends_with('\n') && body.trim().is_empty() {
        edited.push('\n');
    }
    Ok(format!("{mark}{edited}"))
}

/// `text` without any entry of ours for that agent, and without the containers that became empty by that.
///
/// # Errors
/// [`EditFailure`].
pub fn without_entry(text: &str, agent: &str) -> Result<String, EditFailure> {
    let (mark, body) = split_mark(text);
    if body.trim().is_empty() {
        return Ok(text.to_owned());
    }
    let root = parse(body)?;
    let Some(hooks) = root.object_value().and_then(|settings| settings.object_value("hooks")) else { return Ok(text.to_owned()) };
    let mut changed = false;
    for property in hooks.properties() {
        let Some(groups) = property.array_value() else { continue };
        let mut removed = false;
        for handler in handlers(&groups, &name_of(&property))? {
            if is_ours(&handler.found, agent) {
                handler.remove();
                removed = true;
            }
        }
        changed |= removed;
        if removed && groups.elements().is_empty() {
            property.remove();
        }
    }
    if !changed {
        return Ok(text.to_owned());
    }
    if hooks.properties().is_empty()
        && let Some(property) = root.object_value().and_then(|settings| settings.get("hooks"))
    {
        property.remove();
    }
    Ok(format!("{mark}{root}"))
}

/// Every entry of ours for that agent, under any event.
///
/// # Errors
/// [`EditFailure`].
pub fn entries(text: &str, agent: &str) -> Result<Vec<Found>, EditFailure> {
    let (_, body) = split_mark(text);
    if body.trim().is_empty() {
        return Ok(Vec::new());
    }
    let Some(hooks) = parse(body)?.object_value().and_then(|settings| settings.object_value("hooks")) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for property in hooks.properties() {
        let Some(groups) = property.array_value() else { continue };
        for handler in handlers(&groups, &name_of(&property))? {
            if is_ours(&handler.found, agent) {
                found.push(handler.found);
            }
        }
    }
    Ok(found)
}

/// Whether the top-level key `name` is `true`.
///
/// # Errors
/// [`EditFailure`].
pub fn is_switched_on(text: &str, name: &str) -> Result<bool, EditFailure> {
    let (_, body) = split_mark(text);
    if body.trim().is_empty() {
        return Ok(false);
    }
    let value = parse(body)?.object_value().and_then(|settings| settings.get(name)).and_then(|property| property.value());
    Ok(value.and_then(|value| value.as_boolean_lit()).is_some_and(|value| value.value()))
}

fn split_mark(text: &str) -> (&str, &str) {
    text.strip_prefix('\u{feff}').map_or(("", text), |rest| ("\u{feff}", rest))
}

/// Nesting a settings file may have. The parser recurses, so deeper text is refused before it sees it.
const DEPTH: usize = 64;

fn parse(text: &str) -> Result<CstRootNode, EditFailure> {
    if deepest(text) > DEPTH {
        return Err(EditFailure::Syntax("it is nested too deeply".to_owned()));
    }
    let root = CstRootNode::parse(text, &ParseOptions::default()).map_err(|error| EditFailure::Syntax(error.to_string()))?;
    if let Some(name) = root.object_value().and_then(|settings| twice(&settings)) {
        return Err(EditFailure::Shape(format!("it has the key `{name}` twice")));
    }
    Ok(root)
}

/// The deepest nesting of brackets. Those in strings and comments count too: the answer may be too high, never too low.
fn deepest(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0_usize);
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// A key that stands twice in `settings` or its `hooks`: which one counts is up to the reader, so nobody should guess.
fn twice(settings: &CstObject) -> Option<String> {
    let repeated = |object: &CstObject| {
        let names: Vec<String> = object.properties().iter().map(name_of).collect();
        names
            .iter()
            .enumerate()
            .find(|(at, name)| names.iter().take(*at).any(|earlier| earlier == *name))
            .map(|(_, name)| name.clone())
    };
    repeated(settings).or_else(|| settings.object_value("hooks").as_ref().and_then(repeated))
}

fn name_of(property: &jsonc_parser::cst::CstObjectProp) -> String {
    property.name().and_then(|name| name.decoded_value().ok()).unwrap_or_default()
}

fn shape(what: &str) -> EditFailure {
    EditFailure::Shape(what.to_owned())
}

/// One handler of one group.
struct Handler {
    group: CstObject,
    list: CstArray,
    object: CstObject,
    found: Found,
}

impl Handler {
    /// Takes the handler out, and its group if nothing else is in it.
    fn remove(self) {
        self.object.remove();
        if self.list.elements().is_empty() {
            self.group.remove();
        }
    }
}

/// The handlers of the groups; what is not of the expected form is somebody else's and left out.
fn handlers(groups: &CstArray, event: &str) -> Result<Vec<Handler>, EditFailure> {
    let mut handlers = Vec::new();
    for group in groups.elements() {
        let Some(group) = group.as_object() else { continue };
        let Some(list) = group.array_value("hooks") else { continue };
        let matcher = string(&group, "matcher");
        for handler in list.elements() {
            let Some(object) = handler.as_object() else { continue };
            let Some(command) = string(&object, "command") else { continue };
            let arguments = object
                .array_value("args")
                .map(|items| items.elements().iter().map(|item| text(item).unwrap_or_default()).collect());
            let asynchronous = ["async", "asyncRewake"].iter().any(|key| {
                let value = object.get(key).and_then(|property| property.value());
                value.and_then(|value| value.as_boolean_lit()).is_some_and(|value| value.value())
            });
            handlers.push(Handler {
                group: group.clone(),
                list: list.clone(),
                object,
                found: Found { event: event.to_owned(), matcher: matcher.clone(), command, arguments, asynchronous },
            });
        }
    }
    Ok(handlers)
}

fn string(object: &CstObject, key: &str) -> Option<String> {
    object.get(key).and_then(|property| property.value()).and_then(|value| text(&value))
}

fn text(node: &CstNode) -> Option<String> {
    node.as_string_lit().and_then(|literal| literal.decoded_value().ok())
}

/// Ours is what runs a program of our name with `hook <agent>` among its arguments.
fn is_ours(found: &Found, agent: &str) -> bool {
    let line = found.command_line();
    let program = line.iter().position(|word| is_our_program(word));
    program.is_some_and(|at| {
        let mut rest = line.iter().skip(at + 1).zip(line.iter().skip(at + 2));
        rest.any(|(first, second)| first == "hook" && second == agent)
    })
}

fn is_our_program(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or_default();
    name.strip_suffix(".exe").unwrap_or(name) == PROGRAM
}

/// The words of a command line written as one string; quotes are taken off, nothing is expanded.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

fn arguments(entry: &Entry) -> Vec<String> {
    ["hook".to_owned(), entry.agent.clone()].into_iter().chain(entry.more_arguments.iter().cloned()).collect()
}

fn is_correct(handler: &Handler, entry: &Entry) -> bool {
    let found = &handler.found;
    let timeout = handler.object.get("timeout").and_then(|property| property.value()).and_then(|value| value.as_number_lit());
    // Seconds the user chose are kept if they leave us our own two.
    let patient = timeout.and_then(|value| value.to_string().parse::<f64>().ok()).is_some_and(|seconds| seconds >= 5.0);
    string(&handler.object, "type").as_deref() == Some("command")
        && found.command == entry.program
        && found.arguments.as_ref() == Some(&arguments(entry))
        && found.matches_everything()
        && !found.asynchronous
        && handler.object.get("if").is_none()
        && patient
}

fn group(entry: &Entry) -> CstInputValue {
    let text = |value: &str| CstInputValue::String(value.to_owned());
    let handler = CstInputValue::Object(vec![
        ("type".to_owned(), text("command")),
        ("command".to_owned(), text(&entry.program)),
        ("args".to_owned(), CstInputValue::Array(arguments(entry).iter().map(|argument| text(argument)).collect())),
        ("timeout".to_owned(), CstInputValue::Number(entry.timeout.to_string())),
    ]);
    CstInputValue::Object(vec![("matcher".to_owned(), text("*")), ("hooks".to_owned(), CstInputValue::Array(vec![handler]))])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry {
            agent: "claude-code".to_owned(),
            event: "PreToolUse".to_owned(),
            program: "/usr/local/bin/sekisho".to_owned(),
            more_arguments: Vec::new(),
            timeout: 10,
        }
    }

    fn value(text: &str) -> serde_json::Value {
        serde_json::from_str(text).unwrap()
    }

    const OTHERS: &str = "// mine\n{\n\t\"model\": \"opus\", // keep\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{ \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"lint.sh\" }] },\n\t\t],\n\t\t\"Stop\": []\n\t},\n\t\"zeta\": {\"b\": 1, \"a\": 2}\n}\n";

    #[test]
    fn an_empty_file_becomes_the_entry_alone() {
        for text in ["", "\n", "{}", "{}\n", "{ \"hooks\": {} }"] {
            let edited = with_entry(text, &entry()).unwrap();
            assert_eq!(
                value(&edited),
                serde_json::json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [
                    {"type": "command", "command": "/usr/local/bin/sekisho", "args": ["hook", "claude-code"], "timeout": 10}]}]}}),
                "{edited}"
            );
            assert_eq!(with_entry(&edited, &entry()).unwrap(), edited);
            assert_eq!(value(&without_entry(&edited, "claude-code").unwrap()), serde_json::json!({}));
        }
    }

    #[test]
    fn what_is_not_ours_stays_byte_for_byte() {
        let edited = with_entry(OTHERS, &entry()).unwrap();
        for line in OTHERS.lines().filter(|line| !line.trim().is_empty()) {
            assert!(edited.contains(line.trim_end_matches(',')), "lost `{line}` in\n{edited}");
        }
        assert_eq!(with_entry(&edited, &entry()).unwrap(), edited);
        let mark = format!("\u{feff}{OTHERS}");
        assert!(with_entry(&mark, &entry()).unwrap().starts_with('\u{feff}'));
        let gone = without_entry(&edited, "claude-code").unwrap();
        assert!(gone.contains("lint.sh") && gone.contains("// keep") && !gone.contains("sekisho"), "{gone}");
        assert_eq!(without_entry(OTHERS, "claude-code").unwrap(), OTHERS);
    }

    #[test]
    fn every_form_of_our_entry_is_recognised_and_replaced() {
        for handler in [
            r#"{"type": "command", "command": "/old/sekisho", "args": ["hook", "claude-code"], "timeout": 10}"#,
            r#"{"type": "command", "command": "/usr/local/bin/sekisho", "args": ["hook", "claude-code"], "timeout": 1}"#,
            r#"{"type": "command", "command": "/usr/local/bin/sekisho", "args": ["hook", "claude-code"], "timeout": 10, "async": true}"#,
            r#"{"type": "command", "command": "/usr/local/bin/sekisho", "args": ["hook", "claude-code"], "timeout": 10, "if": "Bash(ls)"}"#,
            r#"{"type": "command", "command": "'/opt/my tools/sekisho' hook claude-code"}"#,
            r#"{"type": "command", "command": "C:\\bin\\sekisho.exe hook claude-code"}"#,
            r#"{"type": "command", "command": "env A=1 sekisho hook claude-code --settings-dir /x"}"#,
        ] {
            let text = format!(
                r#"{{"hooks": {{"PreToolUse": [{{"matcher": "*", "hooks": [{handler}, {{"type": "command", "command": "mine"}}]}}]}}}}"#
            );
            assert_eq!(entries(&text, "claude-code").unwrap().len(), 1, "{handler}");
            let edited = with_entry(&text, &entry()).unwrap();
            assert_eq!(entries(&edited, "claude-code").unwrap().len(), 1, "{edited}");
            assert!(edited.contains("\"mine\""), "{edited}");
            assert_eq!(with_entry(&edited, &entry()).unwrap(), edited);
        }
        for other in ["sekisho-lint hook claude-code", "sekisho hook codex", "sekisho check claude-code", "my hook claude-code"] {
            let text = format!(r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{{"type": "command", "command": "{other}"}}]}}]}}}}"#);
            assert_eq!(entries(&text, "claude-code").unwrap(), [], "{other}");
            assert_eq!(without_entry(&text, "claude-code").unwrap(), text, "{other}");
        }
    }

    #[test]
    fn a_narrow_matcher_is_widened_and_duplicates_go() {
        let ours = r#"{"type": "command", "command": "/usr/local/bin/sekisho", "args": ["hook", "claude-code"], "timeout": 30}"#;
        let narrow = format!(r#"{{"hooks": {{"PreToolUse": [{{"matcher": "Bash", "hooks": [{ours}]}}]}}}}"#);
        let found = entries(&with_entry(&narrow, &entry()).unwrap(), "claude-code").unwrap();
        assert!(found.len() == 1 && found[0].matches_everything());
        let double = format!(r#"{{"hooks": {{"PreToolUse": [{{"hooks": [{ours}]}}, {{"hooks": [{ours}]}}]}}}}"#);
        let edited = with_entry(&double, &entry()).unwrap();
        assert_eq!(entries(&edited, "claude-code").unwrap().len(), 1);
        assert!(edited.contains("30"), "the time the user chose is kept: {edited}");
    }

    #[test]
    fn what_does_not_parse_is_not_edited() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for text in [
            "{",
            "[]",
            "3",
            r#"{"hooks": []}"#,
            r#"{"hooks": {"PreToolUse": {}}}"#,
            r#"{"hooks": {}, "hooks": {}}"#,
            r#"{"hooks": {"PreToolUse": [], "PreToolUse": []}}"#,
            deep.as_str(),
        ] {
            let shown: String = text.chars().take(40).collect();
            assert!(with_entry(text, &entry()).is_err(), "{shown}");
        }
    }

    #[test]
    fn switches() {
        assert!(is_switched_on(r#"{"disableAllHooks": true}"#, "disableAllHooks").unwrap());
        for text in
            ["", "{}", r#"{"disableAllHooks": false}"#, r#"{"disableAllHooks": "true"}"#, r#"{"a": {"disableAllHooks": true}}"#]
        {
            assert!(!is_switched_on(text, "disableAllHooks").unwrap(), "{text}");
        }
    }
}
