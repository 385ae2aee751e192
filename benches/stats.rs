//! What one look at a running test costs. It must be cheap enough to take after every pair.

use std::hint::black_box;

use divan::{Bencher, bench};
use threefold::stats::{Model, Pentanomial, Risks, Sprt};

fn main() {
    divan::main();
}

/// A test in full swing, and one without a decisive pair.
const RESULTS: &[Pentanomial] = &[
    Pentanomial { counts: [379, 10_170, 21_828, 10_640, 343] },
    Pentanomial { counts: [0, 0, 1_380, 0, 0] },
];

#[bench(args = RESULTS)]
fn llr_normalized(bencher: Bencher, results: &Pentanomial) {
    let test = Sprt::new(Model::Normalized, 0.0, 2.0, Risks::USUAL).expect("a sound test");
    bencher.bench(|| black_box(&test).llr(black_box(results)));
}

#[bench(args = RESULTS)]
fn llr_logistic(bencher: Bencher, results: &Pentanomial) {
    let test = Sprt::new(Model::Logistic, 0.0, 2.0, Risks::USUAL).expect("a sound test");
    bencher.bench(|| black_box(&test).llr(black_box(results)));
}
