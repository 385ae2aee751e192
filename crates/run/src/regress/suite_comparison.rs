//! A suite of a run compared with the baseline, case by case and as a whole.

use std::collections::BTreeMap;

use super::baseline::{Baseline, BaselineCase, CaseName};
use super::loss::{AskedAgain, Loss};
use threefold_stats::multiplicity::Correction;
use threefold_stats::paired::Discordant;
use threefold_suites::{LostCase, SkipCause, VerdictKind};

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
    /// Is this failure of a strict suite perhaps chance, so that it is tried again?
    pub(super) fn may_be_chance(&self, now: &BaselineCase) -> bool {
        let differ = || self.worse.iter().filter(|change| change.now.shows_nondeterminism()).count();
        now.breaks_protocol()
            || now.is_lost_on_time()
            || now.shows_nondeterminism() && differ() <= MOST_DIFFERENT
    }

    /// Are more cases lost than chance explains?
    pub(super) fn has_lost_many(&self) -> bool {
        self.passed_alone.exact_one_sided() <= MANY_LOST
    }

    /// The lost cases that do not count against the run, with what became of them.
    pub fn excused(&self) -> impl Iterator<Item = (&CaseChange, &Loss)> {
        let with_loss = self.worse.iter().filter_map(|change| Some((change, self.losses.get(&change.id)?)));
        with_loss.filter(|(_, loss)| !loss.is_regression())
    }
}

/// The most lost cases of suite `determinism` that may be chance: an engine whose searches are hardly ever different may pass
/// all of them in the run of the baseline. One that searches at random loses more.
const MOST_DIFFERENT: usize = 2;

/// The p-value from which a suite has lost many cases, one-sided and of this suite alone: that of ten lost cases and none
/// gained.
const MANY_LOST: f64 = 0.001;

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
    now_run: &Baseline,
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
        new: only(now_run, baseline),
        gone: only(baseline, now_run),
        passed_alone: Discordant::default(),
        lost_case: asked.lost_cases.get(suite).copied().unwrap_or(LostCase::Strict),
        losses: BTreeMap::new(),
        p: None,
    };
    for (name, now) in now_run.cases.iter().filter(|(name, _)| name.suite == suite) {
        let Some(was) = baseline.cases.get(name) else { continue };
        let passed = [was, now].map(|known| known.kind() == VerdictKind::Passed);
        let is_judged = was.kind() != VerdictKind::Skipped && now.kind() != VerdictKind::Skipped;
        comparison.passed_alone.only_a += u64::from(is_judged && passed == [true, false]);
        comparison.passed_alone.only_b += u64::from(is_judged && passed == [false, true]);
        // The commit may promise another count than the accepted one, which makes the verdict a failure.
        if was.is_accepted_count(now) {
            continue;
        }
        let change = || CaseChange { id: name.id.clone(), was: was.clone(), now: now.clone() };
        let (was_kind, now_kind) = (counted_kind(was, baseline), counted_kind(now, now_run));
        if is_worse(was_kind, now_kind) {
            let change = change();
            // A fault is no matter of how far the search sees.
            if now.kind() == VerdictKind::Failed && comparison.lost_case == LostCase::Search {
                comparison.losses.insert(name.id.clone(), asked.loss(name, was, now, baseline));
            }
            comparison.worse.push(change);
        } else if is_worse(now_kind, was_kind) {
            comparison.better.push(change());
        }
    }
    // After the loop, because `may_be_chance` counts all lost cases of the suite.
    if comparison.lost_case == LostCase::Strict {
        let failed = comparison.worse.iter().filter(|change| change.now.kind() == VerdictKind::Failed);
        let tried = failed.filter(|change| comparison.may_be_chance(&change.now)).map(|change| {
            let name = CaseName { suite: suite.to_owned(), id: change.id.clone() };
            (change.id.clone(), asked.loss_of_attempts(&name, &change.now))
        });
        comparison.losses = tried.collect();
    }
    // A loss that was accepted is still one of the suite's.
    let is_accepted =
        |(name, case): (&CaseName, &BaselineCase)| name.suite == suite && case.is_accepted_loss();
    if !baseline.cases.iter().any(is_accepted) {
        forgive_single(&mut comparison.losses);
    }
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

/// The verdict on a case as it counts. One crash that did not happen again may be chance in a run; of several, each is a
/// fault.
fn counted_kind(case: &BaselineCase, run: &Baseline) -> VerdictKind {
    let has_crashed = |case: &BaselineCase| case.cause == SkipCause::CrashedOnce.into();
    if has_crashed(case) && run.cases.values().filter(|case| has_crashed(case)).count() > 1 {
        VerdictKind::Fault
    } else {
        case.kind()
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

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_suites::{Cause, FailCause, PassCause};

    /// Ten cases, of which the first ones were not the same twice.
    fn ten_cases(different: usize) -> Baseline {
        let case = |index: usize| {
            let cause = if index < different {
                FailCause::DiffersAfterNewGame.into()
            } else {
                Cause::unclassified(VerdictKind::Passed)
            };
            let name = CaseName { suite: "determinism".to_owned(), id: index.to_string() };
            let (class, detail, played) = (String::new(), String::new(), String::new());
            (name, BaselineCase { class, cause, detail, played, solved_nodes: None, accepted: None })
        };
        Baseline { cases: (0..10).map(case).collect(), ..Baseline::default() }
    }

    #[test]
    fn search_that_differs_is_tried_again_if_hardly_any_other_does() {
        let answers = |passed: &[bool]| {
            let name = |index: usize| CaseName { suite: "determinism".to_owned(), id: index.to_string() };
            let attempts: Vec<_> = passed.iter().map(|&passed| ("again".to_owned(), passed)).collect();
            let new = (0..10).map(|index| (name(index), attempts.clone()));
            AskedAgain { new: new.collect(), ..AskedAgain::default() }
        };
        let again = |failed, attempts| Some(Loss::Again { failed, attempts });
        let table = [
            // different, passed when they were tried again, what becomes of them
            (1, &[true, true][..], Some(Loss::Flaky)),
            (2, &[false, true, true], Some(Loss::Flaky)),
            (2, &[false, false, true, true], Some(Loss::Flaky)),
            (2, &[false, true], Some(Loss::Flaky)),
            (2, &[true, false, false, false], again(4, 5)),
            (2, &[false, false, false, false], again(5, 5)),
            (2, &[false, false], again(3, 3)),
            (3, &[true, true], None),
        ];
        for (different, passed, expected) in table {
            let compared =
                compare_suite("determinism", &ten_cases(0), &ten_cases(different), &answers(passed));
            assert_eq!(compared.worse.len(), different);
            let losses: Vec<Option<&Loss>> =
                compared.worse.iter().map(|change| compared.losses.get(&change.id)).collect();
            assert!(losses.iter().all(|loss| *loss == expected.as_ref()), "{different}: {losses:?}");
        }
    }

    /// A dialogue that was passed, and is not passed now for this reason and when it is held again.
    fn loss_of_dialogue(loses_answers: bool, detail: &str, passed: &[bool]) -> Option<Loss> {
        let asked = AskedAgain { loses_answers, ..AskedAgain::default() };
        loss(PassCause::ClauseMet, FailCause::ProtocolViolated, detail, passed, asked)
    }

    /// What becomes of a case that was passed, failed now, and is passed or not when it is tried again.
    fn loss(
        was: PassCause,
        now: FailCause,
        detail: &str,
        passed: &[bool],
        asked: AskedAgain,
    ) -> Option<Loss> {
        let name = CaseName { suite: "output".to_owned(), id: "moves".to_owned() };
        let run = |cause: Cause| {
            let (class, detail, played) = (String::new(), detail.to_owned(), String::new());
            let case = BaselineCase { class, cause, detail, played, solved_nodes: None, accepted: None };
            Baseline { cases: [(name.clone(), case)].into(), ..Baseline::default() }
        };
        let attempts = passed.iter().map(|&passed| ("again".to_owned(), passed)).collect();
        let new = [(name.clone(), attempts)].into();
        compare_suite("output", &run(was.into()), &run(now.into()), &AskedAgain { new, ..asked })
            .losses
            .remove("moves")
    }

    #[test]
    fn game_that_was_lost_on_time_is_played_again() {
        let lost = |passed: &[bool]| {
            let (was, now) = (PassCause::NoFault, FailCause::LostOnTime);
            loss(was, now, "white oversteps 0.1+0.01 by 2 ms", passed, AskedAgain::default())
        };
        assert_eq!(lost(&[false, true, true]), Some(Loss::Flaky));
        assert_eq!(lost(&[false; 4]), Some(Loss::Again { failed: 5, attempts: 5 }));
    }

    #[test]
    fn move_that_does_not_come_is_excused_by_one_that_does_if_the_engine_loses_answers() {
        let lost = "after `go depth 1` it sends no `bestmove` within 10 s";
        let last_passes: Vec<bool> = (0..9).map(|attempt| attempt == 8).collect();
        let none_passes = [false; 9];
        let again = |failed, attempts| Some(Loss::Again { failed, attempts });
        let table = [
            (true, lost, &last_passes[..], Some(Loss::Flaky)),
            (true, lost, &none_passes, again(10, 10)),
            (true, "after `go depth 1` it sends `bestmove a1a1`", &[true, false, false, false], again(4, 5)),
            (false, lost, &[true, false, false, false], again(4, 5)),
        ];
        for (loses_answers, detail, passed, expected) in table {
            assert_eq!(loss_of_dialogue(loses_answers, detail, passed), expected, "{detail}: {passed:?}");
        }
    }

    #[test]
    fn two_passes_of_nine_excuse_a_case_of_a_suite_with_races() {
        let table = [(0, 10), (1, 9), (2, 0)];
        for (passes, failed) in table {
            let passed: Vec<bool> = (0..9).map(|attempt| attempt < passes).collect();
            let asked =
                AskedAgain { passed_by_chance: ["output".to_owned()].into(), ..AskedAgain::default() };
            let found = loss(PassCause::ClauseMet, FailCause::ProtocolViolated, "it ends", &passed, asked);
            let expected = if failed > 0 { Loss::Again { failed, attempts: 10 } } else { Loss::Flaky };
            assert_eq!(found, Some(expected), "{passes}");
        }
    }

    #[test]
    fn one_crash_may_be_chance_and_two_are_not() {
        let run = |crashed: usize| {
            let case = |index: usize| {
                let chance = Cause::Skipped(SkipCause::CrashedOnce);
                let passed = Cause::unclassified(VerdictKind::Passed);
                let cause = if index < crashed { chance } else { passed };
                let name = CaseName { suite: "mate".to_owned(), id: index.to_string() };
                let (class, detail, played) = (String::new(), String::new(), String::new());
                (name, BaselineCase { class, cause, detail, played, solved_nodes: None, accepted: None })
            };
            Baseline { cases: (0..10).map(case).collect(), ..Baseline::default() }
        };
        for (before, now, worse, better) in
            [(0, 1, 0, 0), (0, 2, 2, 0), (1, 2, 1, 0), (2, 0, 0, 2), (3, 3, 0, 0)]
        {
            let compared = compare_suite("mate", &run(before), &run(now), &AskedAgain::default());
            assert_eq!((compared.worse.len(), compared.better.len()), (worse, better), "{before} {now}");
        }
    }
}
