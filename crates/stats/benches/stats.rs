//! Cost of one evaluation of a running test. It must be cheap enough to run after every pair: below 2 µs.
//!
//! `search` computes the maximum-likelihood distributions from scratch, `follow` starts from those of the
//! previous pair.

use std::hint::black_box;

use divan::{Bencher, bench};
use threefold_stats::anytime::{Esprt, Watch, mixture};
use threefold_stats::sequential::stopped;
use threefold_stats::sequential::warm_start::WarmStart;
use threefold_stats::{EloModel, Pentanomial, Risks, Sprt};

fn main() {
    divan::main();
}

/// A test half-way, a young test, and one without a decisive pair.
const RESULTS: &[Pentanomial] = &[
    Pentanomial { counts: [379, 10_170, 21_828, 10_640, 343] },
    Pentanomial { counts: [3, 17, 46, 26, 4] },
    Pentanomial { counts: [0, 0, 1_380, 0, 0] },
];

/// Printed as 0 and 1.
const MODELS: [EloModel; 2] = [EloModel::Normalized, EloModel::Logistic];

fn test(model: EloModel) -> Sprt {
    Sprt::new(model, 0.5, 2.5, Risks::USUAL).expect("a sound test")
}

#[bench(args = RESULTS, consts = [0, 1])]
fn search<const MODEL: usize>(bencher: Bencher, results: &Pentanomial) {
    let test = test(MODELS[MODEL]);
    bencher.bench(|| black_box(&test).llr(black_box(results)));
}

#[bench(args = RESULTS, consts = [0, 1])]
fn follow<const MODEL: usize>(bencher: Bencher, results: &Pentanomial) {
    let mut pursuit = WarmStart::new(test(MODELS[MODEL]));
    let (mut now, mut next) = (*results, *results);
    next.counts[3] += 1;
    bencher.bench_local(|| {
        std::mem::swap(&mut now, &mut next);
        pursuit.llr(black_box(&now))
    });
}

#[bench(args = RESULTS)]
fn estimate_after_the_stop(bencher: Bencher, results: &Pentanomial) {
    let test = test(EloModel::Normalized);
    bencher.bench(|| stopped::estimate(black_box(&test), black_box(results), 0.05));
}

#[bench(args = RESULTS)]
fn anytime_interval(bencher: Bencher, results: &Pentanomial) {
    bencher.bench(|| mixture::interval(black_box(results), black_box(0.05)));
}

#[bench(args = RESULTS)]
fn anytime_evidence_at_one_mean(bencher: Bencher, results: &Pentanomial) {
    bencher.bench(|| mixture::above(black_box(results), black_box(0.5)));
}

/// A thousand pairs of a betting test.
#[bench]
fn betting_test_of_a_thousand_pairs(bencher: Bencher) {
    let test = Sprt::new(EloModel::Logistic, 0.0, 2.0, Risks::USUAL).expect("a sound test");
    bencher.bench(|| {
        let mut bets = Esprt::<5>::new(black_box(test.hypotheses()));
        (0..1000).for_each(|pair| bets.record(black_box(pair % 5)));
        bets
    });
}

/// A thousand pairs, with an evaluation after each.
#[bench]
fn watch_over_a_thousand_pairs(bencher: Bencher) {
    bencher.bench(|| {
        let mut watch = Watch::<5>::new(black_box(0.5));
        (0..1000)
            .filter(|pair| {
                watch.record(black_box(pair % 5));
                watch.contains(0.05)
            })
            .count()
    });
}
