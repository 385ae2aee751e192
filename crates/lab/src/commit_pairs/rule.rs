//! Rules for what a regression is, applied to pairs that were measured.
//!
//! The shipped rule was chosen among others. Whether the choice is good is a question of false alarms among
//! accepted patches and of bugs found, so each rule is applied to the same runs. What strict suites say is the same
//! under every rule; the rules differ in what lost cases of search suites mean.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::Context;

use threefold_run::RunRecord;
use threefold_run::regress::asked_again::STAGE;
use threefold_run::regress::{AskedAgain, Baseline, CaseChange, Loss, SUITE_LEVEL, SuiteComparison, compare};
use threefold_suites::{FailCause, LostCase, VerdictKind};

threefold_named_enum::named_enum! {
    /// What lost cases of search suites mean.
    pub enum LostCaseRule {
        /// They mean nothing: strict suites decide alone.
        Nothing = "strict suites alone",
        /// A suite is red if it is significantly worse (McNemar, one-sided, Holm over the suites, 1 %).
        WorseSuite = "suites that are significantly worse",
        /// Any lost case is red.
        AnyCase = "any lost case",
        /// A case is red that is also failed with 0.9, 1.1 and 2 times the nodes.
        FailsAtTwo = "lost up to 2 times the nodes",
        /// A case is red that is also failed with 5 and 10 times the nodes.
        FailsAtTen = "lost up to 10 times the nodes",
        /// A case is red that is failed at every limit.
        FailsAtAll = "lost up to 30 times the nodes",
        /// A case is red that is failed at every limit, if the baseline passes its whole class.
        FullClass = "the same, in a class that was passed in full",
        /// The same without cases that have a part of their points.
        NoParts = "the same, without partial points",
        /// At least two such cases in a suite.
        Two = "at least two such cases in a suite",
        /// The last one, and suites that are significantly worse: the rule of `regress`.
        Shipped = "the last one, and suites that are significantly worse",
    }
}

/// What decides about a run under the rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Evidence {
    /// Is a strict suite red, or did faults decide?
    pub is_strict_red: bool,
    /// Is a search suite significantly worse?
    pub has_worse_suite: bool,
    /// The lost cases of search suites.
    pub lost: Vec<LostSearchCase>,
}

/// A lost case of a search suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostSearchCase {
    /// The index of its suite.
    pub suite: usize,
    /// The stage of limits in which it was solved, from 0; `None` if it was solved in none.
    pub solved_in_stage: Option<usize>,
    /// Did the baseline pass its whole class?
    pub is_class_full: bool,
    /// Does it have a part of its points?
    pub is_in_part: bool,
}

impl LostCaseRule {
    /// Is a run red under this rule?
    pub fn is_red(self, evidence: &Evidence) -> bool {
        let any = |counts: &dyn Fn(&LostSearchCase) -> bool| evidence.lost.iter().any(counts);
        // Failed in all stages before this one.
        let fails_to =
            |case: &LostSearchCase, stage: usize| case.solved_in_stage.is_none_or(|solved| solved >= stage);
        let is_for_good = |case: &LostSearchCase| case.solved_in_stage.is_none() && case.is_class_full;
        evidence.is_strict_red
            || match self {
                Self::Nothing => false,
                Self::WorseSuite => evidence.has_worse_suite,
                Self::AnyCase => any(&|_| true),
                Self::FailsAtTwo => any(&|case| fails_to(case, 1)),
                Self::FailsAtTen => any(&|case| fails_to(case, 2)),
                Self::FailsAtAll => any(&|case| case.solved_in_stage.is_none()),
                Self::FullClass => any(&is_for_good),
                Self::NoParts => any(&|case| is_for_good(case) && !case.is_in_part),
                Self::Two => {
                    let mut suites =
                        evidence.lost.iter().filter(|case| is_for_good(case) && !case.is_in_part);
                    let mut seen = BTreeSet::new();
                    suites.any(|case| !seen.insert(case.suite))
                }
                Self::Shipped => evidence.has_worse_suite || Self::Two.is_red(evidence),
            }
    }
}

impl Evidence {
    /// Reads the journal of a run of `regress`. `left_out` are suites that decide nothing.
    ///
    /// # Errors
    /// If the journal can't be read, or the run has no baseline.
    pub fn from_journal(journal: &Path, left_out: &[&str]) -> anyhow::Result<Self> {
        let run = RunRecord::read(journal).with_context(|| journal.display().to_string())?;
        let baseline = run.spec().baseline.as_ref();
        let baseline = baseline.with_context(|| format!("{}: the run has no baseline", journal.display()))?;
        let baseline = Baseline::parse(baseline)?;
        let comparison = compare(&baseline, &Baseline::from_run(&run), &AskedAgain::from_run(&run));
        let mut evidence = Self { is_strict_red: run.is_stopped_by_faults(), ..Self::default() };
        let suites = comparison.suites.iter().filter(|suite| !left_out.contains(&suite.suite.as_str()));
        for (index, suite) in suites.enumerate() {
            evidence.add(index, suite, &baseline, &run);
        }
        Ok(evidence)
    }

    fn add(&mut self, index: usize, suite: &SuiteComparison, baseline: &Baseline, run: &RunRecord) {
        self.has_worse_suite |= suite.p.is_some_and(|p| p <= SUITE_LEVEL);
        for change in &suite.worse {
            if matches!(suite.losses.get(&change.id), Some(Loss::LeftOut | Loss::Flaky)) {
                continue;
            }
            // A fault counts at once in a search suite, too.
            if suite.lost_case == LostCase::Strict || change.now.kind() == VerdictKind::Fault {
                self.is_strict_red = true;
                continue;
            }
            let is_later = matches!(suite.losses.get(&change.id), Some(Loss::Later(_)));
            let solved = if is_later { first_stage(run, &suite.suite, &change.id) } else { None };
            self.lost.push(LostSearchCase {
                suite: index,
                solved_in_stage: solved,
                is_class_full: is_class_full(suite, change, baseline),
                is_in_part: change.now.cause == FailCause::InPart.into(),
            });
        }
    }
}

/// Did the baseline pass all cases of the class of a lost case?
fn is_class_full(suite: &SuiteComparison, change: &CaseChange, baseline: &Baseline) -> bool {
    let mut class = baseline
        .cases
        .iter()
        .filter(|(name, known)| name.suite == suite.suite && known.class == change.was.class);
    class.all(|(_, known)| matches!(known.kind(), VerdictKind::Passed | VerdictKind::Skipped))
}

/// The first stage in which a case was passed when it was asked again.
fn first_stage(run: &RunRecord, suite: &str, id: &str) -> Option<usize> {
    let parts = run.parts().into_iter().filter(|part| part.part.is_asked_again());
    let passed = parts.filter(|part| {
        part.cases()
            .any(|case| case.suite == suite && case.id == id && case.verdict.kind() == VerdictKind::Passed)
    });
    passed.filter_map(|part| part.part.labels.parsed(STAGE)).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_differ_in_what_a_lost_case_means() {
        use LostCaseRule::{
            AnyCase, FailsAtAll, FailsAtTen, FailsAtTwo, FullClass, NoParts, Nothing, Shipped, Two,
            WorseSuite,
        };
        let lost = |suite, solved_in_stage, is_class_full, is_in_part| LostSearchCase {
            suite,
            solved_in_stage,
            is_class_full,
            is_in_part,
        };
        let case = |solved_in_stage, is_class_full, is_in_part| Evidence {
            lost: vec![lost(0, solved_in_stage, is_class_full, is_in_part)],
            ..Evidence::default()
        };
        let two = |other| Evidence {
            lost: vec![lost(0, None, true, false), lost(other, None, true, false)],
            ..Evidence::default()
        };
        let for_good = [AnyCase, FailsAtTwo, FailsAtTen, FailsAtAll, FullClass, NoParts];
        let strict = Evidence { is_strict_red: true, ..Evidence::default() };
        let suite = Evidence { has_worse_suite: true, ..Evidence::default() };
        for (evidence, red) in [
            (Evidence::default(), &[][..]),
            (strict, LostCaseRule::ALL),
            (suite, &[WorseSuite, Shipped]),
            (case(Some(0), true, false), &[AnyCase]),
            (case(Some(1), true, false), &[AnyCase, FailsAtTwo]),
            (case(Some(2), true, false), &[AnyCase, FailsAtTwo, FailsAtTen]),
            (case(None, false, false), &[AnyCase, FailsAtTwo, FailsAtTen, FailsAtAll]),
            (case(None, true, true), &[AnyCase, FailsAtTwo, FailsAtTen, FailsAtAll, FullClass]),
            (case(None, true, false), &for_good),
            (two(1), &for_good),
            (two(0), &[&for_good[..], &[Two, Shipped]].concat()),
        ] {
            let found: Vec<LostCaseRule> =
                LostCaseRule::ALL.iter().copied().filter(|rule| rule.is_red(&evidence)).collect();
            assert_eq!(found, red, "{evidence:?}");
        }
        assert!(!Nothing.is_red(&Evidence { has_worse_suite: true, ..Evidence::default() }));
    }
}
