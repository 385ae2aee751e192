//! A tune in the scheduler: its values depend on the results alone, and faults move nothing.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;

use crate::fault_budget::{FaultBudget, FaultBy, FaultLimit};
use crate::game_options::ReadyJob;
use crate::job::JobKey;
use crate::part_state::JobOutcome;
use crate::scheduler::{NextStep, PartEnding, PartExtent, RunStatus, Scheduler};
use crate::tune_rule::TuneRule;
use crate::tune_state::TuneState;
use threefold_stats::GameResult;
use threefold_stats::spsa::{Parameter, ParameterKind, Parameters, Schedule};

const ITERATIONS: u32 = 12;
const PAIRS_PER: u32 = 2;

fn rule(ahead: u32) -> Arc<TuneRule> {
    let parameter = |name: &str, kind, value| Parameter {
        name: name.to_owned(),
        kind,
        value,
        min: 0.0,
        max: 100.0,
        c_end: 5.0,
        r_end: 0.02,
    };
    let all = vec![parameter("A", ParameterKind::Int, 40.0), parameter("B", ParameterKind::Float, 60.0)];
    let parameters = Parameters::new(all).expect("sound");
    let schedule = Schedule::usual(ITERATIONS, PAIRS_PER).expect("sound");
    Arc::new(TuneRule { parameters, schedule, ahead, test: None })
}

/// Results that follow from the job alone; some of its games end by a fault.
fn outcome(key: JobKey, faults: bool) -> JobOutcome {
    let results = [GameResult::Win, GameResult::Draw, GameResult::Loss, GameResult::Win];
    JobOutcome {
        result: Some(results[(key.job * 7 + key.job / 3) % 4]),
        fault: (faults && key.job % 9 == 4).then_some(FaultBy::Tested),
        has_failed: false,
        thinking: Duration::ZERO,
        identity: None,
    }
}

fn scheduler(rule: &Arc<TuneRule>, max_faults: u64) -> Scheduler {
    let max_faults = Some(FaultBudget::uniform(FaultLimit::Count(max_faults)));
    let extent = PartExtent { max_faults, ..PartExtent::of_cases(rule.schedule.games() as usize) };
    Scheduler::new([extent]).with_tune(Some(rule), 3)
}

/// Runs to the end with this number of games at a time, and returns what was played. `picks` chooses which of
/// them ends next, and after the numbers of results in `cuts` the process is killed: a new scheduler gets the
/// journal in the order of the keys.
fn run(
    rule: &Arc<TuneRule>,
    workers: usize,
    picks: &[usize],
    cuts: &[usize],
) -> (Scheduler, BTreeSet<(JobKey, String)>) {
    let mut tuning = scheduler(rule, 1_000);
    let (mut journal, mut under_way, mut played) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    loop {
        while under_way.len() < workers
            && let NextStep::Run(key) = tuning.next_step(&under_way)
        {
            assert!(tuning.is_wanted(key) && tuning.is_missing(key), "{key:?}");
            let ReadyJob { options, .. } = tuning.ready(key);
            assert_eq!(options.0.len(), 2, "{key:?}");
            played.insert((key, format!("{options:?}")));
            assert!(under_way.insert(key));
        }
        if under_way.is_empty() {
            assert_eq!(
                (tuning.next_step(&under_way), tuning.status()),
                (NextStep::Done, RunStatus::Finished)
            );
            return (tuning, played);
        }
        let pick = picks.get(journal.len()).copied().unwrap_or(0) % under_way.len();
        let key = *under_way.iter().nth(pick).expect("below its length");
        under_way.remove(&key);
        journal.insert(key);
        tuning.record(key, outcome(key, true));
        if cuts.contains(&journal.len()) {
            under_way.clear();
            tuning = scheduler(rule, 1_000);
            for &key in &journal {
                tuning.record(key, outcome(key, true));
            }
        }
    }
}

fn values(scheduler: &Scheduler) -> &[Vec<f64>] {
    scheduler.progress(0).expect("a part").tune.expect("a tune").tune().path()
}

proptest! {
    #[test]
    fn tune_comes_to_the_same_with_any_workers_and_interruptions(
        ahead in 1..6_u32,
        workers in 1..30_usize,
        picks in prop::collection::vec(0..30_usize, 0..60),
        cuts in prop::collection::vec(1..48_usize, 0..4),
    ) {
        let rule = rule(ahead);
        let (one, with_one) = run(&rule, 1, &[], &[]);
        let (many, with_many) = run(&rule, workers, &picks, &cuts);
        prop_assert_eq!(values(&one), values(&many));
        // A game that is played again after a kill has the same options.
        prop_assert_eq!(with_one, with_many);
        prop_assert_eq!(values(&one).len(), 1 + ITERATIONS as usize);
    }
}

#[test]
fn no_more_iterations_than_those_ahead_are_played() {
    let tuning = scheduler(&rule(3), 5);
    let games = (3 * 2 * PAIRS_PER) as usize;
    assert_eq!(tuning.wanted().count(), games);
    assert!(tuning.is_wanted(JobKey { part: 0, job: games - 1 }));
    assert!(
        !tuning.is_wanted(JobKey { part: 0, job: games })
            && tuning.is_missing(JobKey { part: 0, job: games })
    );
}

#[test]
fn pair_with_a_fault_moves_nothing_and_is_counted() {
    let rule = rule(1);
    let all_won = |fault: Option<FaultBy>| {
        let mut tuning = scheduler(&rule, 1_000);
        for job in 0..2 * PAIRS_PER as usize {
            let fault = fault.filter(|_| job % 2 == 1);
            let outcome = JobOutcome { fault, ..JobOutcome::from(Some(GameResult::Win)) };
            tuning.record(JobKey { part: 0, job }, outcome);
        }
        tuning
    };
    let (sound, faulty) = (all_won(None), all_won(Some(FaultBy::Tested)));
    assert_ne!(values(&sound)[1], values(&sound)[0]);
    assert_eq!(values(&faulty)[1], values(&faulty)[0]);
    let void = |tuning: &Scheduler| tuning.progress(0).and_then(|part| part.tune.map(TuneState::void_pairs));
    assert_eq!((void(&sound), void(&faulty)), (Some(0), Some(PAIRS_PER.into())));
}

#[test]
fn too_many_faults_stop_a_tune() {
    let mut tuning = scheduler(&rule(2), 1);
    while let NextStep::Run(key) = tuning.next_step(&BTreeSet::new()) {
        tuning.record(key, outcome(key, true));
    }
    assert_eq!(tuning.progress(0).and_then(|part| part.ending), Some(PartEnding::TooManyFaults));
    assert_eq!(tuning.status(), RunStatus::Finished);
}
