//! Cost of one simulated test, from its first pair to its decision, checked after every pair, on one core.
//!
//! The reference is fishtest's own code: `LLRcalc.LLR_logistic` or `LLR_normalized`, called after every pair
//! that `random.choices` draws. Bounds are ±2.944, pairs follow `ReferencePairs::Typical` at H0, Python 3.11
//! with scipy 1.17. Both programs alternated on one core of the same machine; the table has processor times,
//! the best of five and six runs.
//!
//! | test | fishtest, a pair | here, a pair | ratio |
//! | --- | --- | --- | --- |
//! | logistic [0, 10], 959 pairs a run | 55.6 µs (40 runs) | 10.8 ns (20,000 runs) | 5,100 |
//! | logistic [0, 30], 112 pairs a run | 58.2 µs (200 runs) | 30.6 ns (20,000 runs) | 1,900 |
//! | normalized [0, 10], 3,240 pairs a run | 168 µs (4 runs) | 18.7 ns (5,000 runs) | 9,000 |
//!
//! Short tests gain least: four or five exact evaluations of the likelihood ratio are most of their cost.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};

use divan::{Bencher, bench};
use threefold_stats::planning::interval_coverage::AnytimeInterval;
use threefold_stats::planning::pair_sampler::PairSchedule;
use threefold_stats::planning::simulation::{Procedure, SprtSimulation};
use threefold_stats::planning::{Forecast, Openings, ReferencePairs};
use threefold_stats::{EloModel, Logistic, Risks, Sprt};

fn main() {
    divan::main();
}

/// Models and the difference under H1; it is 0 under H0.
const TESTS: [(EloModel, f64); 3] =
    [(EloModel::Logistic, 10.0), (EloModel::Logistic, 30.0), (EloModel::Normalized, 10.0)];

/// Runs per benchmark sample.
const RUNS: u64 = 100;

fn simulate(bencher: Bencher, procedure: Procedure, (model, elo1): (EloModel, f64)) {
    let test = Sprt::new(model, 0.0, elo1, Risks::USUAL).expect("a sound test");
    let schedule = PairSchedule::constant(ReferencePairs::Typical.distribution());
    let trial = SprtSimulation { test: &test, procedure, schedule: &schedule, limit: 1_000_000 };
    let first = AtomicU64::new(0);
    bencher.counter(divan::counter::ItemsCount::new(RUNS)).bench(|| {
        let run = first.fetch_add(RUNS, Ordering::Relaxed);
        black_box(&trial).run(1, run..run + RUNS)
    });
}

#[bench(args = TESTS)]
fn likelihood_ratio(bencher: Bencher, test: (EloModel, f64)) {
    simulate(bencher, Procedure::LikelihoodRatio, test);
}

#[bench(args = TESTS)]
fn betting(bencher: Bencher, test: (EloModel, f64)) {
    simulate(bencher, Procedure::Betting, test);
}

/// The anytime interval over 20,000 pairs, checked after each pair.
#[bench]
fn interval_watched(bencher: Bencher) {
    let schedule = PairSchedule::constant(ReferencePairs::Typical.distribution());
    let interval = AnytimeInterval::new(0.5, 0.05);
    let first = AtomicU64::new(0);
    bencher.bench(|| {
        let run = first.fetch_add(1, Ordering::Relaxed);
        interval.first_miss(&mut schedule.run(1, run), black_box(20_000))
    });
}

/// The computation behind `threefold plan`.
#[bench]
fn forecast(bencher: Bencher) {
    let test = Sprt::new(EloModel::Normalized, 0.0, 5.0, Risks::USUAL).expect("a sound test");
    let openings = Openings { draw_ratio: 0.6, bias: Logistic(100.0) };
    bencher.bench(|| Forecast::new(black_box(test), openings).map(|forecast| forecast.worst()));
}
