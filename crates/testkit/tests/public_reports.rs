//! Rows of `cases/public-reports.jsonl` that the guard alone can judge: what must be denied is denied, and nothing else is.

use sekisho_testkit::case::{self, Case};
use sekisho_testkit::gaps::{Outcome, compare};
use sekisho_testkit::repository_file;

/// Shell and file tools, without a policy, earlier answers, an injected fault or a raw payload.
fn is_for_the_guard(case: &Case) -> bool {
    let tool = case.text("tool").unwrap_or("Bash");
    let judged = ["Bash", "Read", "Write", "Edit", "apply_patch"].contains(&tool);
    judged && ["policy", "history", "fault", "stdin"].iter().all(|key| case.row.get(key).is_none())
}

#[test]
fn public_reports() {
    let cases = case::read("public-reports.jsonl").unwrap();
    let outcomes: Vec<Outcome> = cases
        .iter()
        .filter(|case| is_for_the_guard(case))
        .map(|case| {
            let answer = case.answer();
            let denied = answer["verdict"] == "deny";
            let only_deny = case.accepts("deny") && !["ask", "allow", "abstain"].iter().any(|verdict| case.accepts(verdict));
            let failure = match (denied, only_deny, case.accepts("deny")) {
                (false, true, _) => Some(format!("wants verdict deny, got {}", answer["verdict"].as_str().unwrap_or("none"))),
                (true, _, false) => Some(format!("wants no deny, got {}", answer["rule"].as_str().unwrap_or("none"))),
                _ => None,
            };
            Outcome { id: case.id.clone(), failure, about: case.call() }
        })
        .collect();
    assert!(outcomes.len() > 40, "only {} rows were judged", outcomes.len());
    let heading = "Rows of public-reports.jsonl that are denied and should not be, or the other way round: id # reason.";
    if let Err(report) = compare(
        repository_file("cases/known-gaps-public-reports.txt"),
        heading,
        "-p sekisho-testkit --test public_reports",
        &outcomes,
    ) {
        panic!("{report}");
    }
}
