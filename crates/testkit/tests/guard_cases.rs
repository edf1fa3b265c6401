//! Every row of `cases/guard.jsonl` gets its verdict, rule and stage, or is a known gap.

use sekisho_testkit::case;
use sekisho_testkit::gaps::{Outcome, compare};
use sekisho_testkit::repository_file;

#[test]
fn guard_cases() {
    let cases = case::read("guard.jsonl").unwrap();
    let outcomes: Vec<Outcome> = cases
        .iter()
        .map(|case| {
            let needs = case.text("needs").map(|needs| format!(" (needs {needs})")).unwrap_or_default();
            let failure = case.check(&case.answer()).err().map(|failure| format!("{failure}{needs}"));
            Outcome { id: case.id.clone(), failure, about: case.call() }
        })
        .collect();
    let heading = "Rows of guard.jsonl that do not get their verdict yet: id # reason.\nA row that passes must not stand here.";
    if let Err(report) =
        compare(repository_file("cases/known-gaps.txt"), heading, "-p sekisho-testkit --test guard_cases", &outcomes)
    {
        panic!("{report}");
    }
}
