//! A suite of a run compared with the baseline, case by case and as a whole.

use std::collections::BTreeMap;

use super::baseline::{Baseline, BaselineCase, CaseName};
use super::loss::{AskedAgain, Loss};
use threefold_stats::multiplicity::Correction;
use threefold_stats::paired::Discordant;
use threefold_suites::{LostCase, VerdictKind};

/// A case with another verdict than in the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseChange {
    /// The case's id.
    pub id: String,
    /// In the baseline.
    pub was: BaselineCase,
    /// In this run.
    pub now: BaselineCase,
}

/// A suite compared case by case.
#[derive(Debug, Clone, PartialEq)]
pub struct SuiteComparison {
    /// The name of the suite.
    pub suite: String,
    /// Verdicts that got worse.
    pub worse: Vec<CaseChange>,
    /// Verdicts that got better.
    pub better: Vec<CaseChange>,
    /// Cases that the baseline does not have.
    pub new: Vec<String>,
    /// Cases that only the baseline has.
    pub gone: Vec<String>,
    /// Cases that passed only in the baseline (A) and only now (B).
    pub passed_alone: Discordant,
    /// What a lost case means.
    pub lost_case: LostCase,
    /// What became of the lost cases that were asked again, by their ids.
    pub losses: BTreeMap<String, Loss>,
    /// For a search suite, the p-value of "it is not worse" after Holm's correction: McNemar's exact test,
    /// one-sided.
    pub p: Option<f64>,
}

impl SuiteComparison {
    /// The lost cases that do not count against the run, with what became of them.
    pub fn excused(&self) -> impl Iterator<Item = (&CaseChange, &Loss)> {
        let with_loss = self.worse.iter().filter_map(|change| Some((change, self.losses.get(&change.id)?)));
        with_loss.filter(|(_, loss)| !loss.is_regression())
    }
}

/// The probability with which the suites of a version that is not worse are called worse, all together.
pub const SUITE_LEVEL: f64 = 0.01;

/// Computes the p-values of all search suites.
pub(super) fn test_suites(suites: &mut [SuiteComparison]) {
    let mut tested: Vec<&mut SuiteComparison> =
        suites.iter_mut().filter(|suite| suite.lost_case == LostCase::Search).collect();
    let single: Vec<f64> = tested.iter().map(|suite| suite.passed_alone.exact_one_sided()).collect();
    for (suite, p) in tested.iter_mut().zip(Correction::Holm.adjust(&single)) {
        suite.p = Some(p);
    }
}

/// Compares a suite.
pub(super) fn compare_suite(
    suite: &str,
    baseline: &Baseline,
    now: &Baseline,
    asked: &AskedAgain,
) -> SuiteComparison {
    let of = |name: &&CaseName| name.suite == suite;
    let id = |name: &CaseName| name.id.clone();
    let only = |one: &Baseline, other: &Baseline| {
        one.cases.keys().filter(of).filter(|name| !other.cases.contains_key(name)).map(id).collect()
    };
    let mut comparison = SuiteComparison {
        suite: suite.to_owned(),
        worse: Vec::new(),
        better: Vec::new(),
        new: only(now, baseline),
        gone: only(baseline, now),
        passed_alone: Discordant::default(),
        lost_case: asked.lost_cases.get(suite).copied().unwrap_or(LostCase::Strict),
        losses: BTreeMap::new(),
        p: None,
    };
    for (name, now) in now.cases.iter().filter(|(name, _)| name.suite == suite) {
        let Some(was) = baseline.cases.get(name) else { continue };
        let passed = [was, now].map(|known| known.kind() == VerdictKind::Passed);
        let is_judged = was.kind() != VerdictKind::Skipped && now.kind() != VerdictKind::Skipped;
        comparison.passed_alone.only_a += u64::from(is_judged && passed == [true, false]);
        comparison.passed_alone.only_b += u64::from(is_judged && passed == [false, true]);
        let change = || CaseChange { id: name.id.clone(), was: was.clone(), now: now.clone() };
        if is_worse(was.kind(), now.kind()) {
            let change = change();
            // A fault is no matter of how far the search sees.
            if now.kind() == VerdictKind::Failed {
                let loss = match comparison.lost_case {
                    LostCase::Search => Some(asked.loss(name, was, now, baseline)),
                    LostCase::Strict => now.is_dialogue().then(|| asked.loss_of_dialogue(name)),
                };
                comparison.losses.extend(loss.map(|loss| (name.id.clone(), loss)));
            }
            comparison.worse.push(change);
        } else if is_worse(now.kind(), was.kind()) {
            comparison.better.push(change());
        }
    }
    forgive_single(&mut comparison.losses);
    comparison
}

/// One case that is lost for good is no regression; two are.
fn forgive_single(losses: &mut BTreeMap<String, Loss>) {
    let mut for_good = losses.values_mut().filter(|loss| matches!(loss, Loss::ForGood { .. }));
    if let (Some(single), None) = (for_good.next(), for_good.next())
        && let Loss::ForGood { limits, .. } = *single
    {
        *single = Loss::Alone(limits);
    }
}

/// Is a verdict worse than an earlier one?
const fn is_worse(was: VerdictKind, now: VerdictKind) -> bool {
    match was {
        VerdictKind::Passed => matches!(now, VerdictKind::Failed | VerdictKind::Fault),
        VerdictKind::Failed => matches!(now, VerdictKind::Fault),
        VerdictKind::Skipped | VerdictKind::Fault => false,
    }
}
