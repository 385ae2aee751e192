//! A run that stops after a number of failed cases: where it stops depends on the results alone.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use proptest::prelude::*;

use super::fault_budget::{FaultBudget, FaultBy, FaultLimit};
use super::job::JobKey;
use super::part_state::JobOutcome;
use super::scheduler::*;

/// How a case ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CaseResult {
    Passed,
    Failed,
    Fault,
}

impl CaseResult {
    fn outcome(self) -> JobOutcome {
        JobOutcome {
            fault: (self == Self::Fault).then_some(FaultBy::Tested),
            has_failed: self != Self::Passed,
            ..JobOutcome::default()
        }
    }
}

/// The results of suites by `.` for passed, `x` for failed and `!` for a fault.
fn suites(texts: &[&str]) -> Vec<Vec<CaseResult>> {
    let result = |letter| match letter {
        '.' => CaseResult::Passed,
        'x' => CaseResult::Failed,
        _ => CaseResult::Fault,
    };
    texts.iter().map(|text| text.chars().map(result).collect()).collect()
}

fn extents(suites: &[Vec<CaseResult>], stop_after: usize, faults: FaultLimit) -> Vec<PartExtent> {
    let extent = |suite: &Vec<CaseResult>| PartExtent {
        stop_after: NonZeroUsize::new(stop_after),
        max_faults: Some(FaultBudget::uniform(faults)),
        ..PartExtent::of_cases(suite.len())
    };
    suites.iter().map(extent).collect()
}

/// The cases of a suite that count, and its ending.
type CountedSuite = (usize, Option<PartEnding>);

/// Runs suites with this number of parallel jobs. `order` chooses which running job ends next; `cuts` are the
/// numbers of ends after which the process is killed: running jobs are lost, and a new scheduler replays the
/// journal.
fn carry_out(
    suites: &[Vec<CaseResult>],
    extents: &[PartExtent],
    workers: usize,
    order: &[usize],
    cuts: &[usize],
) -> Vec<CountedSuite> {
    let mut scheduler = Scheduler::new(extents.iter().cloned());
    let mut journal: Vec<JobKey> = Vec::new();
    let mut under_way = BTreeSet::new();
    loop {
        while under_way.len() < workers
            && let NextStep::Run(key) = scheduler.next_step(&under_way)
        {
            under_way.insert(key);
        }
        if under_way.is_empty() {
            assert_eq!(scheduler.next_step(&under_way), NextStep::Done);
            assert!(scheduler.is_done() && scheduler.remaining() == 0);
            return scheduler.parts().map(|part| (part.counted, part.ending)).collect();
        }
        let pick = order.get(journal.len()).copied().unwrap_or(0) % under_way.len();
        let key = *under_way.iter().nth(pick).expect("below its length");
        under_way.remove(&key);
        journal.push(key);
        scheduler.record(key, suites[key.part][key.job].outcome());
        if cuts.contains(&journal.len()) {
            under_way.clear();
            scheduler = Scheduler::new(extents.iter().cloned());
            let replayed: BTreeSet<JobKey> = journal.iter().copied().collect();
            for key in replayed {
                scheduler.record(key, suites[key.part][key.job].outcome());
            }
        }
    }
}

/// What counts if the cases run one after the other.
fn expected(suites: &[Vec<CaseResult>], stop_after: usize, faults: FaultLimit) -> Vec<CountedSuite> {
    let FaultLimit::Count(most_faults) = faults else { panic!("a number of faults") };
    let mut failed = 0;
    let mut counted: Vec<CountedSuite> = suites.iter().map(|_| (0, None)).collect();
    for (suite, (cases, ending)) in suites.iter().zip(&mut counted) {
        let mut of_suite = 0;
        for &result in suite {
            *cases += 1;
            failed += usize::from(result != CaseResult::Passed);
            of_suite += u64::from(result == CaseResult::Fault);
            if of_suite > most_faults {
                *ending = Some(PartEnding::TooManyFaults);
            } else if failed >= stop_after {
                *ending = Some(PartEnding::FailedCases);
            }
            if ending.is_some() {
                return counted;
            }
        }
        *ending = Some(PartEnding::Complete);
    }
    counted
}

#[test]
fn run_stops_at_the_case_that_reaches_the_number() {
    use PartEnding::{Complete, FailedCases, TooManyFaults};
    let many = FaultLimit::Count(9);
    let table: [(&[&str], usize, FaultLimit, &[CountedSuite]); 8] = [
        (&["..x.x.."], 1, many, &[(3, Some(FailedCases))]),
        (&["..x.x.."], 2, many, &[(5, Some(FailedCases))]),
        (&["..x.x.."], 3, many, &[(7, Some(Complete))]),
        // Failed cases are counted over all suites, and the later suites are not reached.
        (&["x..", ".x.", "xxx"], 2, many, &[(3, Some(Complete)), (2, Some(FailedCases)), (0, None)]),
        (&["", "x", ""], 1, many, &[(0, Some(Complete)), (1, Some(FailedCases)), (0, None)]),
        // A fault counts, too, and too many faults come first.
        (&[".!.x"], 2, many, &[(4, Some(FailedCases))]),
        (&[".!.x"], 1, FaultLimit::NONE, &[(2, Some(TooManyFaults))]),
        (&["x.", ".!"], 3, FaultLimit::NONE, &[(2, Some(Complete)), (2, Some(TooManyFaults))]),
    ];
    for (texts, stop_after, faults, counted) in table {
        let suites = suites(texts);
        let extents = extents(&suites, stop_after, faults);
        for workers in [1, 4] {
            let found = carry_out(&suites, &extents, workers, &[3, 1, 2, 0, 2], &[3]);
            assert_eq!(found, counted, "{texts:?}, {stop_after}, {workers} workers");
        }
    }
}

#[test]
fn lost_cases_are_asked_again_after_the_stop() {
    use PartEnding::{Complete, FailedCases, TooManyFaults};
    let suites = suites(&["xx..", "..", "x.", "!", "."]);
    let mut extents = extents(&suites, 2, FaultLimit::NONE);
    for asked_again in &mut extents[2..] {
        *asked_again = PartExtent { stop_after: None, is_asked_again: true, ..asked_again.clone() };
    }
    let counted =
        [(2, Some(FailedCases)), (0, None), (2, Some(Complete)), (1, Some(TooManyFaults)), (0, None)];
    for workers in [1, 4] {
        assert_eq!(carry_out(&suites, &extents, workers, &[1, 3, 0, 2], &[2, 4]), counted);
    }
}

#[test]
fn run_without_the_limit_has_all_its_cases() {
    let suites = suites(&["xxx", "xx"]);
    let found = carry_out(&suites, &extents(&suites, 0, FaultLimit::NONE), 2, &[], &[]);
    assert_eq!(found, [(3, Some(PartEnding::Complete)), (2, Some(PartEnding::Complete))]);
}

proptest! {
    /// Neither the number of workers, nor the order of ends, nor kills change where the run stops.
    #[test]
    fn stop_depends_on_the_results_only(
        suites in prop::collection::vec(
            prop::collection::vec(
                prop::sample::select(vec![
                    CaseResult::Passed, CaseResult::Passed, CaseResult::Failed, CaseResult::Fault,
                ]),
                0..9,
            ),
            1..5,
        ),
        stop_after in 1..9_usize,
        faults in (0..4_u64).prop_map(FaultLimit::Count),
        workers in 1..7_usize,
        order in prop::collection::vec(0..6_usize, 40),
        cuts in prop::collection::vec(1..30_usize, 0..4),
    ) {
        let extents = extents(&suites, stop_after, faults);
        prop_assert_eq!(
            carry_out(&suites, &extents, workers, &order, &cuts),
            expected(&suites, stop_after, faults)
        );
    }
}
