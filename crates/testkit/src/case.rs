//! Cases: rows of JSON lines files, each an input with the verdict it must get.

use std::fs;
use std::io;

use serde_json::Value;

use crate::repository_file;

/// One case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its id.
    pub id: String,
    /// The row.
    pub row: Value,
    /// The line as it stands in the file.
    line: String,
}

impl Case {
    /// What the command line would answer to `check --batch` on this row.
    pub fn answer(&self) -> Value {
        sekisho::batch::answer(self.line.as_bytes(), None)
    }

    /// A string of the row.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.row.get(key).and_then(Value::as_str)
    }

    /// The call, for a message.
    pub fn call(&self) -> String {
        let call = self.row.get("command").or_else(|| self.row.get("tool_input")).unwrap_or(&Value::Null);
        let call = call.as_str().map_or_else(|| call.to_string(), |text| format!("{text:?}"));
        let tool = self.text("tool").unwrap_or("Bash");
        if tool == "Bash" { call } else { format!("{tool} {call}") }
    }

    /// Compares an answer with what the row expects: verdict, and rule and stage where it names them. A sentence about the first
    /// difference.
    ///
    /// # Errors
    /// The answer is another.
    pub fn check(&self, answer: &Value) -> Result<(), String> {
        let Some(expected) = self.row.get("expect").and_then(Value::as_object) else {
            return Err("the row expects nothing".to_owned());
        };
        for key in ["verdict", "rule", "stage"] {
            if let Some(wanted) = expected.get(key)
                && answer.get(key) != Some(wanted)
            {
                let shown = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or("none").to_owned();
                let both = format!("{}/{}/{}", shown(answer.get("verdict")), shown(answer.get("rule")), shown(answer.get("stage")));
                return Err(format!("wants {} {}, got {both}", key, shown(Some(wanted))));
            }
        }
        Ok(())
    }

    /// Whether the verdict `deny` is among those that count as right.
    pub fn accepts(&self, verdict: &str) -> bool {
        self.row.get("acceptable").and_then(Value::as_array).is_some_and(|verdicts| verdicts.iter().any(|word| word == verdict))
    }
}

/// The cases of a file below `cases/`.
///
/// # Errors
/// The file cannot be read, or a line has no id.
pub fn read(name: &str) -> io::Result<Vec<Case>> {
    let text = fs::read_to_string(repository_file(&format!("cases/{name}")))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let row: Value = serde_json::from_str(line)?;
            let id = row.get("id").and_then(Value::as_str).ok_or_else(|| io::Error::other(format!("a row of {name} has no id")))?;
            Ok(Case { id: id.to_owned(), line: line.to_owned(), row })
        })
        .collect()
}
