//! The scheduler: endings of parts, and that what counts depends on the results alone.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::time::Duration;

use proptest::prelude::*;

use super::fault_budget::{FaultBudget, FaultBy, FaultLimit};
use super::job::JobKey;
use super::part_state::JobOutcome;
use super::scheduler::*;
use crate::distinct_pairs::PairCounting;
use threefold_chess::position::GamePosition;
use threefold_games::game::GameOutcome;
use threefold_games::game::{GameEnd, GameRecord};
use threefold_games::game_identity::GameIdentity;
use threefold_games::knockout::EncounterRule;
use threefold_games::pairing::EncounterLength;
use threefold_stats::pentanomial::LEAST_UNEQUAL_PAIRS;
use threefold_stats::{
    EloModel, GameResult, Judgement, Overshoot, Pentanomial, Risks, Sprt, SprtConfig, SprtState, Trial,
    TrialUnit,
};

/// The outcome of a case.
const NOTHING: JobOutcome =
    JobOutcome { result: None, fault: None, has_failed: false, thinking: Duration::ZERO, identity: None };

fn extent(jobs: usize, test: Option<SprtConfig>) -> PartExtent {
    PartExtent { test: test.map(Into::into), ..PartExtent::of_cases(jobs) }
}

const RESULTS: [GameResult; 3] = [GameResult::Loss, GameResult::Draw, GameResult::Win];

fn test_of(elo0: f64, elo1: f64) -> SprtConfig {
    Sprt::new(EloModel::Normalized, elo0, elo1, Risks::USUAL).expect("sound").into()
}

/// Any parameters of a test of these hypotheses.
fn config(elo0: f64, elo1: f64) -> impl Strategy<Value = SprtConfig> {
    let choices = (
        prop::sample::select(EloModel::ALL),
        prop::sample::select(TrialUnit::ALL),
        1..6_u32,
        prop::sample::select(Overshoot::ALL),
    );
    choices.prop_filter_map("BayesElo knows no pairs", move |(model, counts, batch, overshoot)| {
        let sprt = Sprt::new(model, elo0, elo1, Risks::USUAL).expect("sound");
        SprtConfig::new(sprt, counts, NonZeroU32::new(batch)?, overshoot).ok()
    })
}

/// The outcomes of jobs, by index, the same in every part.
struct Outcomes<'r> {
    results: &'r [GameResult],
    faults: BTreeMap<usize, FaultBy>,
    /// The games repeat after this number; 0 if their moves are not known.
    distinct: usize,
}

impl<'r> Outcomes<'r> {
    fn faultless(results: &'r [GameResult]) -> Self {
        Self { results, faults: BTreeMap::new(), distinct: 0 }
    }
}

/// A game that differs from those with other numbers.
fn numbered_game(number: usize) -> GameIdentity {
    let start = GamePosition::parse(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {}", number + 1), "");
    GameRecord::new(["A", "B"], start.expect("a FEN"), GameOutcome::Draw, GameEnd::Stalemate).identity()
}

/// What counts at the end: jobs, ending and test of each part.
fn counted(scheduler: &Scheduler) -> Vec<(usize, Option<PartEnding>, Option<TestState>)> {
    scheduler.parts().map(|part| (part.counted, part.ending, part.test.cloned())).collect()
}

/// Runs a schedule to its end with this number of parallel jobs and fixed results. `order` chooses which
/// running job ends next; `cuts` are the numbers of ends after which the process is killed: running jobs
/// are lost, and a new scheduler replays the journal.
fn carry_out(
    extents: &[PartExtent],
    outcomes: &Outcomes<'_>,
    workers: usize,
    order: &[usize],
    cuts: &[usize],
) -> Scheduler {
    let result = |key: JobKey| JobOutcome {
        result: (extents[key.part].test.is_some() || extents[key.part].encounter.is_some())
            .then(|| outcomes.results[key.job]),
        fault: outcomes.faults.get(&key.job).copied(),
        has_failed: false,
        // Games of different length, in seconds.
        thinking: Duration::from_secs(key.job as u64 % 7),
        identity: key.job.checked_rem(outcomes.distinct).map(numbered_game),
    };
    let mut scheduler = Scheduler::new(extents.iter().cloned());
    let mut journal = Vec::new();
    let mut under_way = BTreeSet::new();
    loop {
        while under_way.len() < workers {
            match scheduler.next_step(&under_way) {
                NextStep::Run(key) => {
                    assert!(scheduler.is_wanted(key), "{key:?} is asked for and not wanted");
                    assert!(under_way.insert(key), "{key:?} is handed out twice");
                }
                NextStep::Wait | NextStep::Done => break,
            }
        }
        if under_way.is_empty() {
            assert_eq!(
                scheduler.next_step(&under_way),
                NextStep::Done,
                "nothing is under way and nothing comes"
            );
            return scheduler;
        }
        let pick = order.get(journal.len()).copied().unwrap_or(0) % under_way.len();
        let key = *under_way.iter().nth(pick).expect("below its length");
        under_way.remove(&key);
        journal.push(key);
        scheduler.record(key, result(key));
        if cuts.contains(&journal.len()) {
            under_way.clear();
            scheduler = Scheduler::new(extents.iter().cloned());
            let mut replayed = journal.clone();
            replayed.sort_unstable();
            for key in replayed {
                scheduler.record(key, result(key));
            }
        }
        assert_eq!(journal.iter().collect::<BTreeSet<_>>().len(), journal.len(), "a job was done twice");
    }
}

#[test]
fn parts_end_with_a_reason() {
    use GameResult::{Draw, Loss, Win};
    let table = [
        // test, jobs, the results again and again, ending
        (None, 5, &[Draw][..], PartEnding::Complete),
        (None, 0, &[Draw], PartEnding::Complete),
        (Some(test_of(0.0, 50.0)), 2000, &[Win, Draw, Loss, Draw, Win, Win], PartEnding::AcceptedH1),
        (Some(test_of(0.0, 50.0)), 2000, &[Loss, Draw, Win, Draw, Loss, Loss], PartEnding::AcceptedH0),
        (Some(test_of(0.0, 2.0)), 20, &[Win, Draw, Loss, Draw], PartEnding::Undecided),
        // The odd last game cannot form a pair.
        (Some(test_of(0.0, 2.0)), 7, &[Win, Draw, Loss, Draw], PartEnding::Undecided),
        (Some(test_of(0.0, 2.0)), 1, &[Win], PartEnding::Undecided),
    ];
    for (test, jobs, again, ending) in table {
        let results: Vec<GameResult> = again.iter().copied().cycle().take(jobs).collect();
        let count = test.map_or(jobs, |test| first_decision(&test, &results));
        let scheduler = carry_out(&[extent(jobs, test)], &Outcomes::faultless(&results), 1, &[], &[]);
        let part = scheduler.progress(0).expect("one part");
        assert_eq!((part.ending, part.counted), (Some(ending), count), "{test:?}, {jobs} of {again:?}");
    }
}

#[test]
fn encounter_ends_when_it_is_decided_or_cannot_be_lengthened() {
    use GameResult::{Draw, Loss, Win};
    let table = [
        // games, most games, the results again and again, games that count
        (4, 20, &[Win][..], 4),
        (6, 20, &[Loss], 4),
        (4, 20, &[Win, Loss], 20),
        (4, 20, &[Draw, Draw, Draw, Draw, Draw, Win], 6),
        (4, 20, &[Win, Loss, Win, Loss, Win, Draw, Loss], 6),
        (1, 7, &[Draw, Draw, Loss], 3),
        (3, 7, &[Win, Draw, Draw], 3),
    ];
    for (games, most, again, count) in table {
        let rule = EncounterRule::with_games(games);
        let results: Vec<GameResult> = again.iter().copied().cycle().take(most).collect();
        let extents = [PartExtent { encounter: Some(rule), ..extent(most, None) }];
        for workers in [1, 5] {
            let scheduler = carry_out(&extents, &Outcomes::faultless(&results), workers, &[3, 1, 2], &[2]);
            let part = scheduler.progress(0).expect("one part");
            assert_eq!((part.ending, part.counted), (Some(PartEnding::Complete), count), "{games} {again:?}");
            // Games beyond the decision were running, but no game of a lengthening that is not needed.
            assert!(part.ended <= count.max(games), "{games} {again:?}");
        }
    }
}

/// The number of games until the test is decided or no pair is left.
fn first_decision(test: &SprtConfig, results: &[GameResult]) -> usize {
    let pairs: Vec<[GameResult; 2]> = results.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let decided = |&count: &usize| {
        test.sprt().judge(&pairs[..count].iter().copied().collect::<Pentanomial>()) != Judgement::Continue
    };
    2 * (1..=pairs.len()).find(decided).unwrap_or(pairs.len())
}

#[test]
fn too_many_faults_end_the_run_before_the_test_is_decided() {
    use GameResult::Win;
    let results = [Win; 200];
    let faults = |jobs: &[usize]| jobs.iter().map(|&job| (job, FaultBy::Opponent)).collect();
    let max_faults = Some(FaultBudget::MATCH);
    let test = PartExtent { max_faults, ..extent(200, Some(test_of(0.0, 50.0))) };
    let suite = PartExtent { max_faults, ..extent(20, None) };
    let table: [(_, &[usize], _); 4] = [
        // the first part, jobs that end with a fault, its ending and the jobs that count
        (test, &[0, 1, 2, 3], (PartEnding::TooManyFaults, 4)),
        (suite.clone(), &[2, 3, 5, 7, 11], (PartEnding::TooManyFaults, 8)),
        (suite.clone(), &[2, 3, 5], (PartEnding::Complete, 20)),
        (suite, &[16, 17, 18, 19], (PartEnding::TooManyFaults, 20)),
    ];
    for (first, jobs, (ending, counted)) in table {
        let outcomes = Outcomes { results: &results, faults: faults(jobs), distinct: 0 };
        let scheduler = carry_out(&[first, extent(3, None)], &outcomes, 3, &[], &[]);
        let part = scheduler.progress(0).expect("two parts");
        assert_eq!((part.ending, part.counted), (Some(ending), counted), "{jobs:?}");
        let next = scheduler.progress(1).expect("two parts");
        let reached = if ending == PartEnding::Complete { (Some(ending), 3) } else { (None, 0) };
        assert_eq!((next.ending, next.counted), reached, "{jobs:?}");
        assert!(scheduler.is_done() && scheduler.remaining() == 0, "{jobs:?}");
    }
}

#[test]
fn a_test_ends_undecided_when_its_thinking_time_is_used() {
    use GameResult::{Draw, Loss, Win};
    let results: Vec<GameResult> = [Win, Draw, Loss, Draw].into_iter().cycle().take(40).collect();
    // Pairs take 0 + 1, 2 + 3, 4 + 5, 6 + 0, 1 + 2, … seconds.
    let table = [
        // seconds, the jobs that count
        (Some(0), 2),
        (Some(1), 2),
        (Some(2), 4),
        (Some(6), 4),
        (Some(15), 6),
        (Some(16), 8),
        (Some(1_000), 40),
        (None, 40),
    ];
    for (seconds, counted) in table {
        let budget = seconds.map(Duration::from_secs);
        let extent = PartExtent { budget, ..extent(40, Some(test_of(0.0, 2.0))) };
        let scheduler = carry_out(&[extent], &Outcomes::faultless(&results), 3, &[], &[]);
        let part = scheduler.progress(0).expect("one part");
        assert_eq!((part.ending, part.counted), (Some(PartEnding::Undecided), counted), "{seconds:?} s");
        assert!(scheduler.is_done(), "{seconds:?} s");
    }
}

/// The game at which a test of single games accepts a hypothesis, and whether it is H1; `None` if it goes on.
fn deciding_game(test: SprtConfig, results: &[GameResult], first: usize) -> Option<(usize, Judgement)> {
    let mut running = SprtState::new(test);
    let mut looks = results.iter().map(|&game| running.record_trial(Trial::Game(game)).judgement);
    let judgement = |(game, judgement)| (game + 1, judgement);
    let is_decided = |(game, it): &(usize, Judgement)| game + 1 >= first && *it != Judgement::Continue;
    looks.by_ref().enumerate().find(is_decided).map(judgement)
}

#[test]
fn test_of_single_games_counts_every_game() {
    use GameResult::{Draw, Win};
    let results: Vec<GameResult> = [Win, Win, Win, Draw].into_iter().cycle().take(501).collect();
    let mut odd_decisions = 0;
    for (elo1, games) in
        [(50.0, 1), (50.0, 5), (50.0, 15), (50.0, 501), (60.0, 501), (70.0, 501), (80.0, 501)]
    {
        let sprt = Sprt::new(EloModel::Normalized, 0.0, elo1, Risks::USUAL).expect("sound");
        let test =
            SprtConfig::new(sprt, TrialUnit::Games, NonZeroU32::MIN, Overshoot::Ignore).expect("sound");
        for (counting, meeting, workers) in [
            (PairCounting::Distinct, EncounterLength::Single, 1),
            (PairCounting::All, EncounterLength::Single, 3),
            // As fastchess and cutechess-cli count games of pairs.
            (PairCounting::All, EncounterLength::Pair, 2),
        ] {
            // No pair is level.
            let first = if counting == PairCounting::All { 1 } else { 2 * LEAST_UNEQUAL_PAIRS as usize };
            let (counted, ending) = match deciding_game(test, &results[..games], first) {
                Some((game, Judgement::AcceptH1)) => (game, PartEnding::AcceptedH1),
                Some((game, _)) => (game, PartEnding::AcceptedH0),
                None => (games, PartEnding::Undecided),
            };
            odd_decisions += usize::from(ending == PartEnding::AcceptedH1 && counted % 2 == 1);
            let extent = PartExtent { counting, meeting, ..extent(games, Some(test)) };
            let scheduler = carry_out(&[extent], &Outcomes::faultless(&results), workers, &[1, 0, 2], &[3]);
            let part = scheduler.progress(0).expect("one part");
            assert_eq!((part.ending, part.counted), (Some(ending), counted), "{games} games, {elo1}");
            let test = part.test.expect("it is a test");
            let played = test.running.results().games().trials() as usize;
            assert_eq!((played, test.path.len()), (counted, counted), "{games} games, {elo1}");
        }
    }
    assert!(odd_decisions > 0);
}

#[test]
fn repeated_games_decide_no_test() {
    use GameResult::{Draw, Loss, Win};
    let test = Some(test_of(0.0, 50.0));
    // Four openings, whose pairs are won, and won narrowly.
    let results: Vec<GameResult> = [Win, Win, Win, Draw].into_iter().cycle().take(2000).collect();
    let book = Some(8);
    let distinct = PairCounting::Distinct;
    let table = [
        // distinct games (0: all), openings' games, what counts, ending, games that count, pairs that count
        (8, book, distinct, PartEnding::NoNewGames, 16, 4),
        // The whole second turn was new; then games repeat.
        (16, book, distinct, PartEnding::NoNewGames, 24, 8),
        // A wall clock: other games may come, and the test goes on to its last one.
        (8, None, distinct, PartEnding::Undecided, 2000, 4),
        (0, book, distinct, PartEnding::AcceptedH1, 40, 20),
        // Every pair counts for fastchess and cutechess-cli.
        (8, book, PairCounting::All, PartEnding::AcceptedH1, 38, 19),
    ];
    for (distinct, book, counting, ending, counted, pairs) in table {
        let extents = [PartExtent { counting, book, ..extent(2000, test) }];
        let outcomes = Outcomes { distinct, ..Outcomes::faultless(&results) };
        for workers in [1, 4] {
            let scheduler = carry_out(&extents, &outcomes, workers, &[3, 1, 2], &[5]);
            let part = scheduler.progress(0).expect("one part");
            assert_eq!((part.ending, part.counted), (Some(ending), counted), "{distinct} {book:?}");
            let test = part.test.expect("it is a test");
            assert_eq!(test.running.results().pairs().trials(), pairs, "{distinct} {book:?}");
            assert_eq!(test.path.len() as u64, pairs, "{distinct} {book:?}");
        }
    }
    // Pairs that are level: the same with a loss.
    let level: Vec<GameResult> = [Win, Loss].into_iter().cycle().take(40).collect();
    let extent = PartExtent { book: Some(2), ..extent(40, test) };
    let scheduler =
        carry_out(&[extent], &Outcomes { distinct: 2, ..Outcomes::faultless(&level) }, 1, &[], &[]);
    let part = scheduler.progress(0).expect("one part");
    assert_eq!((part.ending, part.counted), (Some(PartEnding::NoNewGames), 10));
}

#[test]
fn test_with_faults_is_decided_only_if_it_is_without_them() {
    use GameResult::{Draw, Loss, Win};
    // Every second pair is won by a fault of the opponent, the others are level.
    let results: Vec<GameResult> = [Win, Draw, Win, Loss].into_iter().cycle().take(2000).collect();
    let faults = (0..2000).step_by(4).map(|job| (job, FaultBy::Machine)).collect();
    let extents = [extent(2000, Some(test_of(0.0, 50.0)))];
    let scheduler = carry_out(&extents, &Outcomes { faults, ..Outcomes::faultless(&results) }, 3, &[], &[]);
    let part = scheduler.progress(0).expect("one part");
    assert_eq!(part.ending, Some(PartEnding::DependsOnFaults));
    let scheduler = carry_out(&extents, &Outcomes::faultless(&results), 3, &[], &[]);
    assert_eq!(scheduler.progress(0).expect("one part").ending, Some(PartEnding::AcceptedH1));
}

#[test]
fn scheduler_waits_for_running_jobs() {
    let mut scheduler = Scheduler::new([extent(1, None), extent(1, None)]);
    let [first, second] = [0, 1].map(|part| JobKey { part, job: 0 });
    assert_eq!(scheduler.next_step(&BTreeSet::new()), NextStep::Run(first));
    // The next part begins while the last job of this one is running.
    assert_eq!(scheduler.next_step(&BTreeSet::from([first])), NextStep::Run(second));
    assert_eq!(scheduler.next_step(&BTreeSet::from([first, second])), NextStep::Wait);
    scheduler.record(second, NOTHING);
    assert_eq!(scheduler.next_step(&BTreeSet::from([first])), NextStep::Wait);
    scheduler.record(first, NOTHING);
    scheduler.record(first, NOTHING);
    scheduler.record(JobKey { part: 7, job: 0 }, NOTHING);
    assert_eq!(scheduler.next_step(&BTreeSet::new()), NextStep::Done);
}

proptest! {
    /// Neither the number of workers, nor the order of ends, nor kills change what counts.
    #[test]
    fn counted_results_depend_on_the_results_only(
        results in prop::collection::vec(prop::sample::select(&RESULTS), 60),
        bias in 0..4_usize,
        workers in 1..6_usize,
        order in prop::collection::vec(0..6_usize, 200),
        cuts in prop::collection::vec(1..80_usize, 0..4),
        tests in (config(0.0, 60.0), config(0.0, 200.0)),
        faults in prop::collection::btree_map(
            0..60_usize,
            prop::sample::select(vec![FaultBy::Tested, FaultBy::Opponent, FaultBy::Machine]),
            0..6,
        ),
        limit in prop::sample::select(vec![FaultLimit::Count(1), FaultLimit::Share(0.05), FaultLimit::Usual]),
        budget in prop::option::of((0..150_u64).prop_map(Duration::from_secs)),
        distinct in prop::sample::select(vec![0_usize, 2, 7, 24]),
        book in prop::option::of(2..30_usize),
    ) {
        // One-sided results, so that tests end early as well as late.
        let results: Vec<GameResult> =
            results.iter().enumerate().map(|(n, &result)| if n % 4 < bias { GameResult::Win } else { result }).collect();
        let max_faults = Some(FaultBudget { tested: limit, all: FaultLimit::Usual });
        let encounter = PartExtent { encounter: Some(EncounterRule::with_games(12)), ..extent(60, None) };
        let extents = [extent(60, Some(tests.0)), extent(9, None), extent(41, Some(tests.1)), encounter]
            .map(|extent| PartExtent { max_faults, book, budget, ..extent });
        let outcomes = Outcomes { results: &results, faults, distinct };
        let alone = carry_out(&extents, &outcomes, 1, &[], &[]);
        let together = carry_out(&extents, &outcomes, workers, &order, &cuts);
        prop_assert_eq!(counted(&alone), counted(&together));
    }
}
