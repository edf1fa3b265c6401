//! The four verdicts and the two orders that combine them.

use serde::{Deserialize, Serialize};

/// The answer to one tool call, or to one part of it.
///
/// There is no `Ord`: which verdict is stricter depends on what is combined, so the two orders are two named functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The call must not run.
    Deny,
    /// A person decides.
    Ask,
    /// The call may run without a person. Only auto mode says this.
    Allow,
    /// No opinion: the agent's own permission flow goes on.
    Abstain,
}

impl Verdict {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Deny, Self::Ask, Self::Allow, Self::Abstain];

    /// Combines the verdicts of two *layers* on the same call: `deny > ask > allow > abstain`.
    #[must_use]
    pub fn stricter_layer(self, other: Self) -> Self {
        let rank = |verdict| match verdict {
            Self::Deny => 3,
            Self::Ask => 2,
            Self::Allow => 1,
            Self::Abstain => 0,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// Combines the verdicts of two *parts* of one call: `deny > ask > abstain > allow`, so that a call is allowed only if
    /// every part is.
    #[must_use]
    pub fn stricter_part(self, other: Self) -> Self {
        let rank = |verdict| match verdict {
            Self::Deny => 3,
            Self::Ask => 2,
            Self::Abstain => 1,
            Self::Allow => 0,
        };
        if rank(other) > rank(self) { other } else { self }
    }

    /// The word used in JSON and on the screen.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deny => "deny",
            Self::Ask => "ask",
            Self::Allow => "allow",
            Self::Abstain => "abstain",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Verdict;
    use super::Verdict::{Abstain, Allow, Ask, Deny};

    #[test]
    fn both_orders_are_joins_over_the_whole_domain() {
        for join in [Verdict::stricter_layer, Verdict::stricter_part] {
            for a in Verdict::ALL {
                assert_eq!(join(a, a), a);
                assert_eq!(join(a, Deny), Deny);
                for b in Verdict::ALL {
                    assert_eq!(join(a, b), join(b, a));
                    for c in Verdict::ALL {
                        assert_eq!(join(join(a, b), c), join(a, join(b, c)));
                    }
                }
            }
        }
    }

    #[test]
    fn the_orders_differ_only_in_allow_and_abstain() {
        assert_eq!(Allow.stricter_layer(Abstain), Allow);
        assert_eq!(Allow.stricter_part(Abstain), Abstain);
        for a in Verdict::ALL {
            for b in Verdict::ALL {
                if [a, b].iter().all(|verdict| [Allow, Abstain].contains(verdict)) {
                    continue;
                }
                assert_eq!(a.stricter_layer(b), a.stricter_part(b));
            }
        }
        assert_eq!(Ask.stricter_part(Allow), Ask);
    }
}
