//! Lists of known gaps: one id a line, with the reason behind `#`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// The outcome of one case.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Its id.
    pub id: String,
    /// What is wrong, if anything is.
    pub failure: Option<String>,
    /// What the case is about, for a message.
    pub about: String,
}

/// Compares outcomes with the list in `file`, or rewrites the list where `UPDATE_GAPS` is set. A report of everything that is not
/// as listed. `test` is what `cargo test` needs to be told to run the caller.
///
/// # Errors
/// A case fails that is not listed, or passes although it is listed, or is listed and does not exist.
pub fn compare(file: PathBuf, heading: &str, test: &str, outcomes: &[Outcome]) -> Result<(), String> {
    let listed = fs::read_to_string(&file).map(|text| parse(&text)).unwrap_or_default();
    if std::env::var_os("UPDATE_GAPS").is_some() {
        return fs::write(&file, list(heading, &listed, outcomes)).map_err(|error| format!("{}: {error}", file.display()));
    }
    report(&listed, test, outcomes)
}

/// What is not as listed.
fn report(listed: &BTreeMap<String, String>, test: &str, outcomes: &[Outcome]) -> Result<(), String> {
    let mut report = String::new();
    let mut section = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = writeln!(report, "\n{title} ({}):", lines.len());
            for line in lines {
                let _ = writeln!(report, "  {line}");
            }
        }
    };
    let new = outcomes.iter().filter(|outcome| !listed.contains_key(&outcome.id)).filter_map(|outcome| {
        let failure = outcome.failure.as_ref()?;
        Some(format!("{} {failure}: {}", outcome.id, outcome.about))
    });
    section("failed, and not a known gap", new.collect());
    let closed = outcomes.iter().filter(|outcome| outcome.failure.is_none() && listed.contains_key(&outcome.id));
    section("passed, and listed as a known gap", closed.map(|outcome| outcome.id.clone()).collect());
    let gone = listed.keys().filter(|id| !outcomes.iter().any(|outcome| outcome.id == **id));
    section("listed, and no such case", gone.cloned().collect());
    if report.is_empty() {
        return Ok(());
    }
    let passed = outcomes.iter().filter(|outcome| outcome.failure.is_none()).count();
    let _ =
        writeln!(report, "\n{passed} of {} cases pass. To write the list anew:\n  UPDATE_GAPS=1 cargo test {test}", outcomes.len());
    Err(report)
}

/// Id → reason.
fn parse(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (id, reason) = line.split_once('#').unwrap_or((line, ""));
            (id.trim().to_owned(), reason.trim().to_owned())
        })
        .collect()
}

/// The list for these outcomes. A reason somebody wrote stays.
fn list(heading: &str, listed: &BTreeMap<String, String>, outcomes: &[Outcome]) -> String {
    let mut text = String::new();
    for line in heading.lines() {
        let _ = writeln!(text, "# {line}");
    }
    for outcome in outcomes {
        let Some(failure) = &outcome.failure else { continue };
        let written = listed.get(&outcome.id).filter(|reason| !reason.starts_with("wants ") && !reason.is_empty());
        let reason = written.unwrap_or(failure);
        let _ = writeln!(text, "{}  # {}", outcome.id, reason.lines().next().unwrap_or_default());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(id: &str, failure: Option<&str>) -> Outcome {
        Outcome { id: id.to_owned(), failure: failure.map(str::to_owned), about: "ls".to_owned() }
    }

    #[test]
    fn a_list_is_checked_from_both_sides() {
        let listed = parse("# heading\nA1 # because\nA2\n");
        let compare = |outcomes: &[Outcome]| report(&listed, "", outcomes);
        assert_eq!(compare(&[outcome("A1", Some("x")), outcome("A2", Some("x")), outcome("A3", None)]), Ok(()));
        for (outcomes, says) in [
            (vec![outcome("A1", None), outcome("A2", Some("x"))], "passed, and listed"),
            (vec![outcome("A1", Some("x")), outcome("A2", Some("x")), outcome("A3", Some("x"))], "failed, and not"),
            (vec![outcome("A1", Some("x"))], "no such case"),
        ] {
            let report = compare(&outcomes).unwrap_err();
            assert!(report.contains(says), "{report}");
        }
    }

    #[test]
    fn written_reasons_stay() {
        let listed = parse("A1 # a person's words\nA2 # wants deny, got ask\n");
        let text = list("heading", &listed, &[outcome("A1", Some("wants x")), outcome("A2", Some("wants y")), outcome("A3", None)]);
        assert_eq!(text, "# heading\nA1  # a person's words\nA2  # wants y\n");
    }
}
