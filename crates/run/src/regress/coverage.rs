//! What a run and its baseline have in common, suite by suite.
//!
//! A verdict about regressions is a statement about these cases and about no others, so it is computed once,
//! and everything that is said of a run follows from it.

use std::collections::BTreeSet;
use std::fmt;

use super::baseline::{Baseline, CaseName};
use threefold_suites::VerdictKind;

/// How much of a suite is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteCoverage {
    /// The name of the suite.
    pub suite: String,
    /// The cases that are compared, or why there are none.
    pub compared: Result<ComparedCases, NotCompared>,
}

/// The cases of a suite that are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ComparedCases {
    /// Cases with a verdict in the run and in the baseline: neither skipped them.
    pub cases: usize,
    /// Cases that only the baseline has.
    pub missing: usize,
    /// The names of cases with a verdict in the baseline that this run skipped, as `SUITE/ID`.
    pub skipped: Vec<String>,
}

/// Why a suite is not compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotCompared {
    /// The baseline does not have it.
    NotInBaseline,
    /// Only the baseline has it.
    DidNotRun,
    /// The baseline was taken at other search limits.
    OtherLimits {
        /// The limits of the baseline.
        was: String,
        /// The limits of this run.
        now: String,
    },
    /// No case is in both.
    OtherCases,
    /// This run skipped every case.
    AllSkipped {
        /// The number of cases.
        cases: usize,
    },
    /// The run and the baseline skipped every case: the engine lacks what the suite needs, and did so before.
    SkippedInBoth {
        /// The number of cases.
        cases: usize,
    },
    /// The baseline skipped every case that both have.
    SkippedInBaseline,
}

impl fmt::Display for NotCompared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInBaseline => write!(f, "not in the baseline"),
            Self::DidNotRun => write!(f, "in the baseline, but not in this run"),
            Self::OtherLimits { was, now } => write!(f, "baseline at {was}, this run at {now}"),
            Self::OtherCases => write!(f, "the baseline has other cases"),
            Self::AllSkipped { cases: 1 } => write!(f, "its case was skipped"),
            Self::AllSkipped { cases } => write!(f, "all {cases} cases were skipped"),
            Self::SkippedInBoth { cases: 1 } => write!(f, "its case is skipped, as in the baseline"),
            Self::SkippedInBoth { cases } => write!(f, "all {cases} cases are skipped, as in the baseline"),
            Self::SkippedInBaseline => write!(f, "skipped in the baseline"),
        }
    }
}

/// The coverage of every suite that either side has, by name.
pub(super) fn all_suites(baseline: &Baseline, now: &Baseline) -> Vec<SuiteCoverage> {
    let names = baseline.cases.keys().chain(now.cases.keys());
    let suites: BTreeSet<&str> = names.map(|name| name.suite.as_str()).collect();
    let covered = suites.into_iter().map(|suite| SuiteCoverage {
        suite: suite.to_owned(),
        compared: suite_coverage(suite, baseline, now),
    });
    covered.collect()
}

fn suite_coverage(suite: &str, baseline: &Baseline, now: &Baseline) -> Result<ComparedCases, NotCompared> {
    let of_suite = |side: &Baseline| -> BTreeSet<CaseName> {
        side.cases.keys().filter(|name| name.suite == suite).cloned().collect()
    };
    let [before, ours] = [of_suite(baseline), of_suite(now)];
    if before.is_empty() {
        return Err(NotCompared::NotInBaseline);
    }
    if ours.is_empty() {
        return Err(NotCompared::DidNotRun);
    }
    let is_skipped = |side: &Baseline, name: &CaseName| side.cases[name].kind() == VerdictKind::Skipped;
    if ours.iter().all(|name| is_skipped(now, name)) {
        let cases = ours.len();
        let is_known = before == ours && before.iter().all(|name| is_skipped(baseline, name));
        return Err(if is_known {
            NotCompared::SkippedInBoth { cases }
        } else {
            NotCompared::AllSkipped { cases }
        });
    }
    if let (Some(was), Some(now)) = (baseline.limits.get(suite), now.limits.get(suite))
        && was != now
    {
        return Err(NotCompared::OtherLimits { was: was.clone(), now: now.clone() });
    }
    let common: Vec<&CaseName> = before.intersection(&ours).collect();
    if common.is_empty() {
        return Err(NotCompared::OtherCases);
    }
    let judged_before = common.iter().filter(|name| !is_skipped(baseline, name));
    let (skipped, judged): (Vec<&CaseName>, Vec<&CaseName>) =
        judged_before.copied().partition(|name| is_skipped(now, name));
    match judged.len() {
        0 if skipped.is_empty() => Err(NotCompared::SkippedInBaseline),
        0 => Err(NotCompared::AllSkipped { cases: skipped.len() }),
        cases => {
            let missing = before.difference(&ours).count();
            let skipped = skipped.into_iter().map(|name| format!("{suite}/{}", name.id)).collect();
            Ok(ComparedCases { cases, missing, skipped })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::baseline::BaselineCase;
    use super::*;
    use threefold_suites::Cause;

    fn side(cases: &[(&str, &str, VerdictKind)], limits: &[(&str, &str)]) -> Baseline {
        let known = |mark| BaselineCase {
            class: String::new(),
            cause: Cause::unclassified(mark),
            detail: String::new(),
            played: String::new(),
            solved_nodes: None,
            accepted: None,
        };
        let named = cases
            .iter()
            .map(|&(suite, id, mark)| (CaseName { suite: suite.to_owned(), id: id.to_owned() }, known(mark)));
        let limits = limits.iter().map(|(suite, limits)| ((*suite).to_owned(), (*limits).to_owned()));
        Baseline { cases: named.collect(), limits: limits.collect(), ..Baseline::default() }
    }

    #[test]
    fn coverage_says_of_every_suite_what_is_compared() {
        use VerdictKind::{Failed, Passed, Skipped};
        let was = side(
            &[
                ("both", "a", Passed),
                ("both", "b", Passed),
                ("both", "gone", Passed),
                ("both", "c", Skipped),
                ("both", "d", Passed),
                ("both", "e", Failed),
                ("other-limits", "a", Passed),
                ("unknown-limits", "a", Passed),
                ("left-out", "a", Passed),
                ("other-ids", "a", Passed),
                ("skipped", "a", Passed),
                ("was-skipped", "a", Skipped),
                ("skipped-again", "a", Skipped),
                ("skipped-and-new", "a", Skipped),
            ],
            &[("both", "300 nodes"), ("other-limits", "5000 nodes")],
        );
        let now = side(
            &[
                ("both", "a", Passed),
                ("both", "b", Failed),
                ("both", "c", Passed),
                ("both", "d", Skipped),
                ("both", "e", Skipped),
                ("other-limits", "a", Failed),
                ("unknown-limits", "a", Passed),
                ("other-ids", "b", Passed),
                ("skipped", "a", Skipped),
                ("was-skipped", "a", Passed),
                ("skipped-again", "a", Skipped),
                ("skipped-and-new", "a", Skipped),
                ("skipped-and-new", "b", Skipped),
                ("new", "a", Passed),
            ],
            &[("both", "300 nodes"), ("other-limits", "100 nodes"), ("unknown-limits", "9 nodes")],
        );
        let other_limits =
            NotCompared::OtherLimits { was: "5000 nodes".to_owned(), now: "100 nodes".to_owned() };
        let expected = [
            (
                "both",
                Ok(ComparedCases { cases: 2, missing: 1, skipped: vec!["both/d".into(), "both/e".into()] }),
            ),
            ("left-out", Err(NotCompared::DidNotRun)),
            ("new", Err(NotCompared::NotInBaseline)),
            ("other-ids", Err(NotCompared::OtherCases)),
            ("other-limits", Err(other_limits)),
            ("skipped", Err(NotCompared::AllSkipped { cases: 1 })),
            ("skipped-again", Err(NotCompared::SkippedInBoth { cases: 1 })),
            ("skipped-and-new", Err(NotCompared::AllSkipped { cases: 2 })),
            ("unknown-limits", Ok(ComparedCases { cases: 1, ..ComparedCases::default() })),
            ("was-skipped", Err(NotCompared::SkippedInBaseline)),
        ];
        let found: Vec<_> = all_suites(&was, &now).into_iter().map(|it| (it.suite, it.compared)).collect();
        assert_eq!(found, expected.map(|(suite, compared)| (suite.to_owned(), compared)));
    }
}
