//! Compares a run with a baseline.
//!
//! A case has regressed if its verdict is worse than in the baseline; a fault is worse than a failure. A case
//! that is skipped in either has not: nothing is known of it, and the coverage counts it. Only cases that crashed once
//! count as faults if a run has several of them. Neither can a case
//! that the baseline does not have regress; the suites' thresholds cover those. In addition, the exact paired
//! test of each suite shows whether the changes are significant, and the report adjusts its p-value for the
//! number of suites. A suite whose search limits differ from those of the baseline is not compared at all.
//!
//! In a strict suite every verdict that got worse is a regression. In a search suite the lost cases are asked
//! again, and a one-sided test of the suite decides, too.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;

use super::baseline::{Baseline, CaseName};
use super::coverage::{self, NotCompared, SuiteCoverage};
use super::figures::{Figure, FigureName, PartCount};
use super::loss::{AskedAgain, Loss};
use super::suite_comparison::{CaseChange, SUITE_LEVEL, SuiteComparison, compare_suite, test_suites};
use crate::job::Undecided;
use crate::run_record::PartResult;
use crate::{PartEnding, RunRecord};
use threefold_stats::paired::Discordant;
use threefold_suites::{CaseRecord, Shortfall};

/// A figure in both.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureComparison {
    /// The name of the figure.
    pub name: FigureName,
    /// The value in the baseline; `None` if it lacks the figure.
    pub was: Option<f64>,
    /// This run's.
    pub now: Option<f64>,
}

/// A match with another game budget, whose figures are not compared.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetComparison {
    /// The name of the match.
    pub part: String,
    /// The game budget of the baseline; `None` if it is not recorded.
    pub was: Option<f64>,
    /// The game budget of this run.
    pub now: f64,
}

/// A run compared with a baseline.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Comparison {
    /// The suites of the run, by name, except those with other limits than in the baseline.
    pub suites: Vec<SuiteComparison>,
    /// Every figure of either, by name, except those of matches with another budget.
    pub figures: Vec<FigureComparison>,
    /// The matches with another budget.
    pub other_budgets: Vec<BudgetComparison>,
    /// What is compared of every suite that either has.
    pub coverage: Vec<SuiteCoverage>,
}

/// A regression, or a result that is not good enough.
#[derive(Debug, Clone, PartialEq)]
pub enum Regression {
    /// A case's verdict is worse than in the baseline.
    Case {
        /// The name of the suite.
        suite: String,
        /// What changed.
        change: CaseChange,
        /// What became of it at other limits, for a search suite.
        loss: Option<Loss>,
    },
    /// A search suite is significantly worse as a whole.
    Suite {
        /// The name of the suite.
        suite: String,
        /// Cases that passed only in the baseline (A) and only now (B).
        passed_alone: Discordant,
        /// The p-value after Holm's correction.
        p: f64,
    },
    /// A suite misses a threshold.
    Threshold {
        /// The name of the suite.
        suite: String,
        /// The threshold and the result.
        shortfall: Shortfall,
    },
    /// A sequential test accepted H0.
    Rejected {
        /// The name of the test.
        test: String,
    },
    /// A sequential test used up its games without a decision, where that counts as a failure.
    Undecided {
        /// The name of the test.
        test: String,
    },
    /// The run stopped at a suite, because as many cases as it was to stop after did not pass.
    Stopped {
        /// The name of the suite.
        suite: String,
        /// The number of cases that did not pass, in this suite and those before it.
        failed: usize,
        /// Does the baseline pass all of them? They are lost cases then.
        are_lost: bool,
    },
}

impl Regression {
    /// The case, if it is one.
    pub fn case(&self) -> Option<CaseName> {
        match self {
            Self::Case { suite, change, loss: _ } => {
                Some(CaseName { suite: suite.clone(), id: change.id.clone() })
            }
            Self::Suite { .. }
            | Self::Threshold { .. }
            | Self::Rejected { .. }
            | Self::Undecided { .. }
            | Self::Stopped { .. } => None,
        }
    }
}

impl fmt::Display for Regression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case { suite, change: CaseChange { id, was, now }, loss } => {
                let (was, is, reason) = (was.kind(), now.kind(), now.reason());
                write!(f, "{suite}/{id}: {was} in the baseline, now {is} ({reason})")?;
                loss.as_ref().map_or(Ok(()), |loss| write!(f, "; {loss}"))
            }
            Self::Suite { suite, passed_alone: Discordant { only_a, only_b }, p } => {
                write!(f, "{suite}: {only_a} cases lost and {only_b} gained, p = {p:.4}")
            }
            Self::Threshold { suite, shortfall } => write!(f, "{suite}: {shortfall}"),
            Self::Rejected { test } => write!(f, "{test}: H0 accepted"),
            Self::Undecided { test } => write!(f, "{test}: undecided"),
            Self::Stopped { suite, failed, are_lost } => {
                let what = if *are_lost { "lost" } else { "failed" };
                write!(f, "{suite}: stopped after {failed} {what} cases")
            }
        }
    }
}

/// Compares a finished run with a baseline. Suites that were not run are left out. `asked` has the lost cases of
/// search suites that were asked again; without any, every suite is strict.
pub fn compare(baseline: &Baseline, now: &Baseline, asked: &AskedAgain) -> Comparison {
    let coverage = coverage::all_suites(baseline, now);
    let has_other_limits =
        |covered: &SuiteCoverage| matches!(covered.compared, Err(NotCompared::OtherLimits { .. }));
    let other_limits: BTreeSet<&str> =
        coverage.iter().filter(|it| has_other_limits(it)).map(|it| it.suite.as_str()).collect();
    let suites: BTreeSet<&str> = now.cases.keys().map(|name| name.suite.as_str()).collect();
    let suites = suites.difference(&other_limits);
    let figures: BTreeSet<&FigureName> = baseline.figures.keys().chain(now.figures.keys()).collect();
    let budgets = now.figures.iter().filter(|(name, _)| name.figure == Figure::Count(PartCount::Budget));
    let other_budgets: Vec<BudgetComparison> = budgets
        .map(|(name, &now)| {
            let was = baseline.figures.get(name).copied();
            BudgetComparison { part: name.part.clone(), was, now }
        })
        .filter(|budget| budget.was != Some(budget.now))
        .collect();
    let is_compared = |name: &&&FigureName| other_budgets.iter().all(|budget| budget.part != name.part);
    let mut suites: Vec<SuiteComparison> =
        suites.map(|suite| compare_suite(suite, baseline, now, asked)).collect();
    test_suites(&mut suites);
    Comparison {
        suites,
        figures: figures
            .iter()
            .filter(is_compared)
            .map(|&name| FigureComparison {
                name: name.clone(),
                was: baseline.figures.get(name).copied(),
                now: now.figures.get(name).copied(),
            })
            .collect(),
        other_budgets,
        coverage,
    }
}

/// The reasons why a run is a failure, with or without a baseline.
pub fn regressions(run: &RunRecord, comparison: Option<&Comparison>) -> Vec<Regression> {
    let mut regressions = Vec::new();
    for compared in comparison.into_iter().flat_map(|all| &all.suites) {
        regressions.extend(of_suite(compared));
    }
    let has_passed = a_take_passes(run);
    for part in run.planned_parts() {
        if has_passed {
            continue;
        }
        // The pass rate of an unfinished suite is not known, so no threshold applies to it.
        if let (Some(suite), Some(_)) = (part.suite, part.progress.ending) {
            let records: Vec<CaseRecord> = part.cases().cloned().collect();
            let missed = suite.thresholds.judge(&records).into_iter();
            let name = &part.part.name;
            regressions
                .extend(missed.map(|shortfall| Regression::Threshold { suite: name.clone(), shortfall }));
        }
        let test = || part.part.name.clone();
        match part.progress.ending {
            Some(PartEnding::AcceptedH0) => regressions.push(Regression::Rejected { test: test() }),
            Some(PartEnding::Undecided | PartEnding::NoNewGames)
                if run.spec().undecided == Undecided::Fail =>
            {
                regressions.push(Regression::Undecided { test: test() });
            }
            Some(PartEnding::FailedCases) => {
                let failed = run.spec().stop_after.map_or(0, NonZeroUsize::get);
                // With a baseline only the cases that it passes count for the stop.
                let are_lost = run.spec().baseline.is_some();
                regressions.push(Regression::Stopped { suite: test(), failed, are_lost });
            }
            // Engine faults, and results that depend on them, are other failure reasons of a report.
            Some(
                PartEnding::Undecided
                | PartEnding::NoNewGames
                | PartEnding::DependsOnFaults
                | PartEnding::AcceptedH1
                | PartEnding::AnotherPassed
                | PartEnding::Complete
                | PartEnding::TooManyFaults,
            )
            | None => {}
        }
    }
    regressions
}

/// Is it a run of several takes, one of which passes? Then the others are not held against it.
pub fn a_take_passes(run: &RunRecord) -> bool {
    let passes = |part: &PartResult<'_>| part.progress.ending == Some(PartEnding::AcceptedH1);
    run.spec().takes.is_some() && run.parts().iter().any(passes)
}

/// The lost cases that count against the run, and the suite itself if it is significantly worse.
fn of_suite(compared: &SuiteComparison) -> Vec<Regression> {
    let case = |change: &CaseChange| {
        let loss = compared.losses.get(&change.id);
        let counts = loss.is_none_or(Loss::is_regression);
        let (suite, change) = (compared.suite.clone(), change.clone());
        counts.then(|| Regression::Case { suite, change, loss: loss.cloned() })
    };
    let whole = compared.p.filter(|&p| p <= SUITE_LEVEL).map(|p| {
        let (suite, passed_alone) = (compared.suite.clone(), compared.passed_alone);
        Regression::Suite { suite, passed_alone, p }
    });
    compared.worse.iter().filter_map(case).chain(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regress::baseline::BaselineCase;
    use threefold_suites::{Cause, VerdictKind};

    fn baseline(cases: &[(&str, &str, VerdictKind)], figures: &[(FigureName, f64)]) -> Baseline {
        let named = cases.iter().map(|&(suite, id, mark)| {
            let name = CaseName { suite: suite.to_owned(), id: id.to_owned() };
            let (class, detail, played) = (String::new(), String::new(), "e2e4".to_owned());
            (
                name,
                BaselineCase {
                    class,
                    cause: Cause::unclassified(mark),
                    detail,
                    played,
                    solved_nodes: None,
                    accepted: None,
                },
            )
        });
        Baseline { cases: named.collect(), figures: figures.iter().cloned().collect(), ..Baseline::default() }
    }

    #[test]
    fn verdicts_are_compared_case_by_case() {
        use VerdictKind::{Failed, Fault, Passed, Skipped};
        let table = [
            // was, now, worse, better
            (Passed, Passed, false, false),
            (Passed, Failed, true, false),
            (Passed, Fault, true, false),
            (Failed, Passed, false, true),
            (Failed, Failed, false, false),
            (Failed, Fault, true, false),
            (Fault, Failed, false, true),
            (Fault, Fault, false, false),
            (Passed, Skipped, false, false),
            (Failed, Skipped, false, false),
            (Fault, Skipped, false, false),
            (Skipped, Passed, false, false),
            (Skipped, Failed, false, false),
            (Skipped, Fault, false, false),
        ];
        for (was, now, worse, better) in table {
            let comparison = compare(
                &baseline(&[("s", "a", was)], &[]),
                &baseline(&[("s", "a", now)], &[]),
                &AskedAgain::default(),
            );
            let [suite] = &comparison.suites[..] else { panic!("one suite") };
            assert_eq!((suite.worse.len(), suite.better.len()), (worse.into(), better.into()), "{was} {now}");
            assert_eq!(
                suite.passed_alone.only_a,
                u64::from(was == Passed && now != Passed && now != Skipped)
            );
            assert_eq!(
                suite.passed_alone.only_b,
                u64::from(was != Passed && now == Passed && was != Skipped)
            );
        }
    }

    #[test]
    fn suite_at_other_limits_has_no_regression() {
        let [mut was, mut now] =
            [VerdictKind::Passed, VerdictKind::Failed].map(|kind| baseline(&[("s", "a", kind)], &[]));
        let worse = |was: &Baseline, now: &Baseline| {
            compare(was, now, &AskedAgain::default()).suites.iter().map(|it| it.worse.len()).sum::<usize>()
        };
        was.limits.insert("s".to_owned(), "5000 nodes".to_owned());
        assert_eq!(worse(&was, &now), 1, "the limits of the run are unknown");
        now.limits.insert("s".to_owned(), "5000 nodes".to_owned());
        assert_eq!(worse(&was, &now), 1);
        now.limits.insert("s".to_owned(), "100 nodes".to_owned());
        assert_eq!(worse(&was, &now), 0);
        assert!(matches!(
            compare(&was, &now, &AskedAgain::default()).coverage[0].compared,
            Err(NotCompared::OtherLimits { .. })
        ));
    }

    #[test]
    fn comparison_names_new_and_missing_cases_of_its_suites() {
        let was = baseline(
            &[
                ("s", "a", VerdictKind::Passed),
                ("s", "b", VerdictKind::Passed),
                ("elsewhere", "a", VerdictKind::Passed),
            ],
            &[
                (FigureName::count("s", PartCount::Passed), 2.0),
                (FigureName::count("lost", PartCount::Games), 1.0),
            ],
        );
        let now = baseline(
            &[("s", "b", VerdictKind::Passed), ("s", "c", VerdictKind::Failed)],
            &[(FigureName::count("s", PartCount::Passed), 1.0)],
        );
        let comparison = compare(&was, &now, &AskedAgain::default());
        let [suite] = &comparison.suites[..] else { panic!("one suite was run") };
        assert_eq!((&suite.new[..], &suite.gone[..]), (&["c".to_owned()][..], &["a".to_owned()][..]));
        assert!(suite.worse.is_empty() && suite.better.is_empty());
        let figures: Vec<_> =
            comparison.figures.iter().map(|it| (it.name.to_string(), it.was, it.now)).collect();
        let [lost, passed] = ["lost.games", "s.passed"].map(str::to_owned);
        assert_eq!(figures, [(lost, Some(1.0), None), (passed, Some(2.0), Some(1.0))]);
    }

    #[test]
    fn figures_of_matches_are_compared_only_at_the_same_budget() {
        let budget = FigureName::count("test", PartCount::Budget);
        let llr = FigureName::statistic("test", threefold_stats::stopping::RULES[0].statistic);
        let passed = FigureName::count("s", PartCount::Passed);
        // A part whose name starts the same is another part.
        let other = FigureName::count("test.2", PartCount::Cases);
        let now = [(budget.clone(), 20.0), (llr.clone(), 0.5), (passed, 3.0), (other, 1.0)];
        let table = [
            // the baseline's budget, figures compared, budgets that differ
            (Some(20.0), &["s.passed", "test.budget", "test.llr", "test.2.cases"][..], 0),
            (Some(500.0), &["s.passed", "test.2.cases"], 1),
            (None, &["s.passed", "test.2.cases"], 1),
        ];
        for (was, compared, others) in table {
            let budget = was.map(|games| (budget.clone(), games));
            let before: Vec<(FigureName, f64)> = [(llr.clone(), 2.9)].into_iter().chain(budget).collect();
            let comparison = compare(&baseline(&[], &before), &baseline(&[], &now), &AskedAgain::default());
            let names: Vec<String> =
                comparison.figures.iter().map(|figure| figure.name.to_string()).collect();
            assert_eq!(
                (&names.iter().map(String::as_str).collect::<Vec<_>>()[..], comparison.other_budgets.len()),
                (compared, others),
                "{was:?}"
            );
        }
    }
}
