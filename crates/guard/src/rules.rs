//! The built-in rules: data from `rules/`, and how one is looked up and switched.

use sekisho_verdict::{Evidence, Finding, Intent, RuleId, Stage, Verdict};

pub use sekisho_policy::Capability;

use crate::matcher::{Matcher, Outcome};

/// One built-in rule, as its file says.
#[derive(Debug)]
pub struct Rule {
    /// `area.what-it-stops`.
    pub id: &'static str,
    /// What it says when it matches.
    pub verdict: Verdict,
    /// What it says instead while `fail_closed` is on.
    pub verdict_when_fail_closed: Option<Verdict>,
    /// It cannot be switched off.
    pub catastrophic: bool,
    /// It is on only with this capability.
    pub needs: Option<Capability>,
    /// It only discards local changes, which worktree mode may let through.
    pub local_discard: bool,
    /// The pack that switches it with others.
    pub pack: Option<&'static str>,
    /// What the agent should do.
    pub intent: Intent,
    /// Only a person may answer its ask.
    pub only_a_person: bool,
    /// What the agent is told: one or two sentences.
    pub reason: &'static str,
    /// The same for calls it only asks about, where that is another sentence.
    pub reason_when_asking: Option<&'static str>,
    /// A safer form.
    pub alternative: Option<&'static str>,
    /// When it matches.
    pub matcher: Matcher,
    /// For the reference: what it stops.
    pub stops: &'static str,
    /// For the reference: why that is bad.
    pub why: &'static str,
    /// For the reference: what to do instead.
    pub instead: &'static str,
    /// For the reference: when it is safe to switch off.
    pub safe_when: Option<&'static str>,
    /// For the reference: where the facts come from.
    pub references: &'static [&'static str],
    /// Its examples are judged with the home directory as workspace.
    pub examples_in_home: bool,
    /// Commands it must deny.
    pub deny: &'static [&'static str],
    /// Commands it must ask about.
    pub ask: &'static [&'static str],
    /// Look-alikes it must leave alone.
    pub pass: &'static [&'static str],
}

impl Rule {
    /// What the rule finds, at `stage`, about `evidence`.
    pub fn finding(&self, stage: Stage, outcome: Outcome, fail_closed: bool, evidence: Option<Evidence>) -> Finding {
        let verdict = match (outcome, self.verdict_when_fail_closed) {
            (Outcome::Deny, _) => Verdict::Deny,
            (_, Some(stricter)) if fail_closed => stricter,
            (Outcome::Ask, _) => Verdict::Ask,
            (Outcome::AsWritten, _) => self.verdict,
        };
        let reason = if outcome == Outcome::Ask { self.reason_when_asking.unwrap_or(self.reason) } else { self.reason };
        Finding {
            rule: RuleId::new(self.id),
            verdict,
            stage,
            reason: reason.to_owned(),
            intent: self.intent,
            // A milder call that has a sentence of its own is often what the alternative suggests.
            alternative: self
                .alternative
                .filter(|_| outcome != Outcome::Ask || self.reason_when_asking.is_none())
                .map(str::to_owned),
            evidence,
            only_a_person: self.only_a_person,
        }
    }
}

/// Every built-in rule, in the order of their files.
pub fn all() -> &'static [Rule] {
    crate::tables::RULES
}

/// The rule called `id`.
pub fn find(id: &str) -> Option<&'static Rule> {
    all().iter().find(|rule| rule.id == id)
}

/// The finding of the rule called `id`; a rule that is not in the tables still denies, under that id.
pub fn finding(id: &'static str, stage: Stage, evidence: Option<Evidence>) -> Finding {
    match find(id) {
        Some(rule) => rule.finding(stage, Outcome::AsWritten, false, evidence),
        None => Finding {
            rule: RuleId::new(id),
            verdict: Verdict::Deny,
            stage,
            reason: "this call is refused by a built-in protection".to_owned(),
            intent: Intent::StopAndExplain,
            alternative: None,
            evidence,
            only_a_person: false,
        },
    }
}
