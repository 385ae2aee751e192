//! Several takes: what counts depends on the results alone, and a take that leaves does not stop the others.

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;

use crate::fault_budget::{FaultBudget, FaultBy, FaultLimit};
use crate::job::JobKey;
use crate::part_state::JobOutcome;
use crate::scheduler::{NextStep, PartEnding, PartExtent, RunStatus, Scheduler};
use crate::takes_rule::TakesRule;
use PartEnding::{AcceptedH0, AcceptedH1, AnotherPassed, TooManyFaults, Undecided};
use threefold_stats::takes::{Guarantee, TakesEnd};
use threefold_stats::{EloModel, GameResult, Risks, Sprt, SprtConfig};

const RULE: TakesRule =
    TakesRule { end: TakesEnd::FirstPass, guarantee: Guarantee::Family, batch: 3, ahead: 2 };

/// The takes of a run: the largest number of games of each, and their results.
struct Takes {
    games: usize,
    results: Vec<Vec<GameResult>>,
    /// The take whose every game is lost by a fault.
    faulty: Option<usize>,
}

impl Takes {
    /// Takes with a share of wins in eighths; the other games are lost.
    fn of_wins(eighths: &[usize], games: usize) -> Self {
        let result = |wins: usize, game: usize| {
            // A spread that has no period of two: a pair has games of any results.
            if (game * 5 + game / 8) % 8 < wins { GameResult::Win } else { GameResult::Loss }
        };
        let results =
            eighths.iter().map(|&wins| (0..games).map(|game| result(wins, game)).collect()).collect();
        Self { games, results, faulty: None }
    }

    fn scheduler(&self, rule: TakesRule) -> Scheduler {
        let test = Sprt::new(EloModel::Normalized, 0.0, 100.0, Risks::USUAL).expect("sound");
        let max_faults = Some(FaultBudget::uniform(FaultLimit::Count(4)));
        let extent = PartExtent {
            test: Some(SprtConfig::from(test).into()),
            max_faults,
            ..PartExtent::of_cases(self.games)
        };
        Scheduler::new(self.results.iter().map(|_| extent.clone())).with_takes(Some(rule), 9)
    }

    fn outcome(&self, key: JobKey) -> JobOutcome {
        JobOutcome {
            result: Some(self.results[key.part][key.job]),
            fault: (self.faulty == Some(key.part)).then_some(FaultBy::Tested),
            has_failed: false,
            thinking: Duration::ZERO,
            identity: None,
        }
    }

    /// Runs to the end with this number of games at a time. `picks` chooses which of them ends next, and after
    /// the numbers of results in `cuts` the process is killed: running games are lost, and a new scheduler
    /// gets the journal in the order of the keys.
    fn run(&self, rule: TakesRule, workers: usize, picks: &[usize], cuts: &[usize]) -> Scheduler {
        let mut scheduler = self.scheduler(rule);
        let (mut journal, mut under_way) = (BTreeSet::new(), BTreeSet::new());
        loop {
            while under_way.len() < workers
                && let NextStep::Run(key) = scheduler.next_step(&under_way)
            {
                assert!(scheduler.is_wanted(key) && scheduler.is_missing(key), "{key:?}");
                assert!(under_way.insert(key));
            }
            if under_way.is_empty() {
                assert_eq!(scheduler.next_step(&under_way), NextStep::Done);
                assert_eq!(scheduler.status(), RunStatus::Finished);
                return scheduler;
            }
            let pick = picks.get(journal.len()).copied().unwrap_or(0) % under_way.len();
            let key = *under_way.iter().nth(pick).expect("below its length");
            under_way.remove(&key);
            journal.insert(key);
            scheduler.record(key, self.outcome(key));
            assert!(!scheduler.is_missing(key));
            if cuts.contains(&journal.len()) {
                under_way.clear();
                scheduler = self.scheduler(rule);
                for &key in &journal {
                    scheduler.record(key, self.outcome(key));
                }
            }
        }
    }
}

fn endings(scheduler: &Scheduler) -> Vec<Option<PartEnding>> {
    scheduler.parts().map(|part| part.ending).collect()
}

fn shown(scheduler: &Scheduler) -> (Vec<JobKey>, Vec<(usize, Option<PartEnding>)>) {
    let parts = scheduler.parts().map(|part| (part.counted, part.ending)).collect();
    (scheduler.counted_order().expect("takes").to_vec(), parts)
}

proptest! {
    #[test]
    fn takes_come_to_the_same_with_any_workers_and_interruptions(
        wins in prop::collection::vec(0..=8_usize, 2..5),
        stops_first: bool,
        workers in 1..14_usize,
        picks in prop::collection::vec(0..14_usize, 0..300),
        cuts in prop::collection::vec(1..200_usize, 0..4),
    ) {
        let end = if stops_first { TakesEnd::FirstPass } else { TakesEnd::AllDecided };
        let rule = TakesRule { end, ..RULE };
        let takes = Takes::of_wins(&wins, 120);
        let one = takes.run(rule, 1, &[], &[]);
        let many = takes.run(rule, workers, &picks, &cuts);
        prop_assert_eq!(shown(&one), shown(&many));
        // What counts is a prefix of each take's schedule, and no job counts twice.
        let order = one.counted_order().expect("takes");
        for (part, progress) in one.parts().enumerate() {
            let of_part: Vec<usize> = order.iter().filter(|key| key.part == part).map(|key| key.job).collect();
            prop_assert_eq!(of_part, (0..progress.counted).collect::<Vec<_>>());
        }
    }
}

#[test]
fn first_pass_ends_the_run_and_all_goes_on() {
    let takes = Takes::of_wins(&[4, 7, 3], 400);
    let first = takes.run(RULE, 3, &[], &[]);
    let endings_of_first = endings(&first);
    assert_eq!(endings_of_first[1], Some(AcceptedH1));
    assert!(endings_of_first.contains(&Some(AnotherPassed)), "{endings_of_first:?}");
    let all = takes.run(TakesRule { end: TakesEnd::AllDecided, ..RULE }, 3, &[], &[]);
    assert_eq!(endings(&all), [Some(AcceptedH0), Some(AcceptedH1), Some(AcceptedH0)]);
    let games = |scheduler: &Scheduler| scheduler.counted_order().expect("takes").len();
    assert!(games(&first) < games(&all));
}

#[test]
fn good_take_gets_most_of_the_games() {
    let takes = Takes::of_wins(&[3, 5, 3, 2], 2_000);
    let run = takes.run(RULE, 4, &[], &[]);
    let counted: Vec<usize> = run.parts().map(|part| part.counted).collect();
    assert!(counted.iter().all(|&games| games <= counted[1]) && counted[1] > 2 * counted[3], "{counted:?}");
}

#[test]
fn take_with_too_many_faults_leaves_and_the_others_go_on() {
    let mut takes = Takes::of_wins(&[4, 7, 3], 400);
    takes.faulty = Some(0);
    let run = takes.run(TakesRule { end: TakesEnd::AllDecided, ..RULE }, 5, &[], &[7]);
    assert_eq!(endings(&run), [Some(TooManyFaults), Some(AcceptedH1), Some(AcceptedH0)]);
    // The fifth fault is in the third pair.
    assert_eq!(run.progress(0).expect("a part").counted, 6);
}

#[test]
fn takes_without_a_decision_use_up_their_games() {
    let takes = Takes::of_wins(&[4, 4], 20);
    let run = takes.run(RULE, 2, &[], &[]);
    assert_eq!(endings(&run), [Some(Undecided); 2]);
    assert_eq!(run.counted_order().map(<[JobKey]>::len), Some(40));
}
