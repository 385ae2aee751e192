//! Cost of a rating list: the fit, its errors and one bootstrap replay, by number of players.
//!
//! `cargo bench --bench rating`. The number of games does not matter once they are counted. Sums run over
//! pairs of players (n²/2 in a full round robin); the linear algebra is dense (n³).

use divan::{Bencher, bench};
use std::hint::black_box;
use threefold_stats::rating::{
    self, Crosstable, PlayerIndex, RatingAnchor, RatingModel, RatingPoints, RatingSettings, RatingSimulation,
};

fn main() {
    divan::main();
}

/// Players who play a hundred games against each of the next `met` players; neighbours are closest in
/// strength.
fn table(players: usize, met: usize) -> Crosstable {
    let mut table = Crosstable::new((0..players).map(|player| format!("P{player}")));
    for seat in 0..players {
        for step in 1..=met {
            let other = (seat + step) % players;
            let lead = if other > seat { step } else { players - step };
            let wins = 20 + 25 * lead as u64 / players as u64;
            table.encounter(PlayerIndex(other), PlayerIndex(seat)).pairs =
                [[2, 3, 45 - wins], [4, 6, 5], [wins - 15, 4, 2]];
        }
    }
    table
}

fn terms(model: RatingModel) -> RatingSettings {
    RatingSettings {
        anchors: vec![RatingAnchor::fixed(PlayerIndex(0), RatingPoints(0.0))],
        ..RatingSettings::new(model)
    }
}

/// Number of players, and number of following players that each one met.
const SIZES: &[(usize, usize)] = &[(20, 9), (200, 99), (1_000, 5), (1_000, 499)];

#[bench(args = SIZES, sample_count = 3)]
fn davidson(bencher: Bencher, &(players, met): &(usize, usize)) {
    let (table, terms) = (table(players, met), terms(RatingModel::Davidson));
    bencher.bench(|| rating::rate(black_box(&table), &terms).expect("everybody won and lost"));
}

#[bench(args = SIZES, sample_count = 3)]
fn ordo(bencher: Bencher, &(players, met): &(usize, usize)) {
    let (table, terms) = (table(players, met), terms(RatingModel::Ordo));
    bencher.bench(|| rating::rate(black_box(&table), &terms).expect("everybody won and lost"));
}

#[bench(args = SIZES, sample_count = 3)]
fn bayeselo(bencher: Bencher, &(players, met): &(usize, usize)) {
    let (table, terms) = (table(players, met), terms(RatingModel::BayesElo));
    bencher.bench(|| rating::rate(black_box(&table), &terms).expect("everybody won and lost"));
}

#[bench(args = SIZES, sample_count = 3)]
fn replay(bencher: Bencher, &(players, met): &(usize, usize)) {
    let terms = terms(RatingModel::Ordo);
    let list = rating::rate(&table(players, met), &terms).expect("everybody won and lost");
    let simulation = RatingSimulation::new(&terms, &list);
    bencher.bench(|| black_box(simulation).replay(1, 0..1));
}
