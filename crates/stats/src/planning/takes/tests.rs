//! The simulation against an exact enumeration.

use super::*;
use crate::interval::Rate;
use crate::planning::PairDistribution;
use crate::planning::takes_table::TAKES_TABLE;
use crate::planning::verification::VERDICT_ALPHA;
use crate::takes::DRAW_WIDTH;
use crate::{EloModel, Pentanomial, Risks};
use statrs::distribution::{ContinuousCDF, Normal};

/// The pairs of each take at most: 60 of both.
const LIMIT: u64 = 30;

/// The state of a take with pairs of two classes, half a point lost or won: the number of pairs and of those
/// won.
type State = (u64, u64);

/// What each state of a take shows.
struct Take {
    won: f64,
    judged: Vec<Vec<Judgement>>,
    posterior: Vec<Vec<TakePosterior>>,
}

impl Take {
    fn new(test: &Sprt, won: f64) -> Self {
        let counts = |(pairs, won): State| Pentanomial { counts: [0, pairs - won, 0, won, 0] };
        let states = |pairs: u64| (0..=pairs).map(move |won| counts((pairs, won)));
        let all = 0..=LIMIT;
        Self {
            won,
            judged: all
                .clone()
                .map(|pairs| states(pairs).map(|counts| test.judge(&counts)).collect())
                .collect(),
            posterior: all
                .map(|pairs| {
                    states(pairs).map(|it| TakePosterior::of_counts(test.hypotheses(), &it)).collect()
                })
                .collect(),
        }
    }

    fn judgement(&self, (pairs, won): State) -> Judgement {
        self.judged[pairs as usize][won as usize]
    }

    /// `None` if it is out.
    fn posterior(&self, state: State) -> Option<TakePosterior> {
        let is_in = self.judgement(state) == Judgement::Continue && state.0 < LIMIT;
        is_in.then(|| self.posterior[state.0 as usize][state.1 as usize])
    }
}

/// The exact chance that each take passes, and the expected number of pairs, if each pair is a batch and the
/// run ends at the first pass.
fn enumerate(takes: &[Take; 2]) -> ([f64; 2], f64) {
    let normal = Normal::standard();
    let (mut passes, mut pairs) = ([0.0; 2], 0.0);
    let mut reached = std::collections::BTreeMap::from([([(0, 0); 2], 1.0)]);
    while !reached.is_empty() {
        let mut next = std::collections::BTreeMap::new();
        for (states, chance) in reached {
            let first = match [0, 1].map(|take| takes[take].posterior(states[take])) {
                [None, None] => continue,
                [Some(_), None] => 1.0,
                [None, Some(_)] => 0.0,
                // The first draw exceeds the second.
                [Some(one), Some(other)] => {
                    let deviation = DRAW_WIDTH * one.deviation.hypot(other.deviation);
                    normal.cdf((one.mean - other.mean) / deviation)
                }
            };
            pairs += chance;
            for (take, drawn) in [(0, first), (1, 1.0 - first)].into_iter().filter(|(_, drawn)| *drawn > 0.0)
            {
                for (won, result) in [(1, takes[take].won), (0, 1.0 - takes[take].won)] {
                    let mut after: [State; 2] = states;
                    after[take] = (states[take].0 + 1, states[take].1 + won);
                    let chance = chance * drawn * result;
                    if takes[take].judgement(after[take]) == Judgement::AcceptH1 {
                        passes[take] += chance;
                    } else {
                        *next.entry(after).or_insert(0.0) += chance;
                    }
                }
            }
        }
        reached = next;
    }
    (passes, pairs)
}

fn two_classes(won: f64) -> PairSchedule {
    PairSchedule::constant(PairDistribution::new([0.0, 1.0 - won, 0.0, won, 0.0]).expect("chances"))
}

#[test]
fn simulation_of_two_takes_agrees_with_their_enumeration() {
    let runs = 6_000;
    for (won, alpha) in [([0.5, 0.5], 0.05), ([0.5, 0.65], 0.1), ([0.8, 0.7], 0.05), ([0.35, 0.6], 0.2)] {
        let test = Sprt::new(EloModel::Normalized, 0.0, 220.0, Risks { alpha, beta: 0.1 }).expect("sound");
        let (passes, pairs) = enumerate(&won.map(|won| Take::new(&test, won)));
        let schedules = won.map(two_classes);
        let simulation = TakesSimulation {
            test: &test,
            takes: &schedules,
            end: TakesEnd::FirstPass,
            limit: LIMIT,
            batches: BatchRule { seed: 0, trials: 1, ahead: 1 },
        };
        let found = simulation.run(11, 0..runs, &[true, true]);
        for (take, exact) in found.takes.iter().zip(passes) {
            let rate = Rate { successes: take.passed, failures: runs - take.passed };
            let interval = rate.clopper_pearson(VERDICT_ALPHA);
            assert!(
                interval.low <= exact && exact <= interval.high,
                "{won:?}: {} of {runs} passed, {exact} expected",
                take.passed
            );
        }
        // The number of pairs is between 1 and 60, so its deviation is less than 30.
        let mean = found.pairs() as f64 / runs as f64;
        assert!(
            (mean - pairs).abs() < 3.3 * 20.0 / (runs as f64).sqrt(),
            "{won:?}: {mean} pairs, {pairs} expected"
        );
    }
}

#[test]
fn enumeration_refutes_draws_that_favour_the_worse_take() {
    // The counterexample: the chances of the takes are exchanged.
    let test = Sprt::new(EloModel::Normalized, 0.0, 220.0, Risks { alpha: 0.05, beta: 0.1 }).expect("sound");
    let (passes, _) = enumerate(&[0.5, 0.7].map(|won| Take::new(&test, won)));
    let (exchanged, _) = enumerate(&[0.7, 0.5].map(|won| Take::new(&test, won)));
    assert!((passes[0] - exchanged[1]).abs() < 1e-9 && (passes[1] - exchanged[0]).abs() < 1e-9);
    assert!(passes[1] > 4.0 * passes[0], "{passes:?}");
}

#[test]
fn runs_can_be_split_and_added() {
    let row = &TAKES_TABLE[3];
    let mut parts = row.run(9, 0..2);
    parts.add(row.run(9, 2..5));
    assert_eq!(parts, row.run(9, 0..5));
}
