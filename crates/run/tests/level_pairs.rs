//! Error rates of sequential tests if nearly all pairs of games are level, as those of a change that acts rarely.

use std::thread;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use threefold_run::distinct_pairs::CountedTrial;
use threefold_run::{PairCounting, TestState, TestStep};
use threefold_stats::{EloModel, GameResult, Risks, Sprt};

use GameResult::{Draw, Loss, Win};

/// A distribution of pairs: this share is level; of the others, four in five are decided by one game.
#[derive(Debug, Clone, Copy)]
struct PairDistribution {
    level: f64,
    /// The share of the first engine in the pairs that are not level.
    won: f64,
}

impl PairDistribution {
    /// The distribution with this difference in normalized Elo: (mean - ½) / (√2 · deviation of a pair) · 800 / ln 10.
    fn of_elo(level: f64, elo: f64) -> Self {
        let unequal = 1.0 - level;
        // Of 1/4 and 1/2 points away from ½.
        let (mean, square) = (0.8 * 0.25 + 0.2 * 0.5, 0.8 * 0.0625 + 0.2 * 0.25);
        let difference = |won: f64| {
            let excess = unequal * mean * (2.0 * won - 1.0);
            let deviation = (unequal * square - excess * excess).sqrt();
            excess / (deviation * 2.0_f64.sqrt()) * 800.0 / 10.0_f64.ln()
        };
        let (mut low, mut high) = (0.5, 1.0);
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            *(if difference(middle) < elo { &mut low } else { &mut high }) = middle;
        }
        assert!((difference(low) - elo).abs() < 1e-6, "no such distribution: {level} {elo}");
        Self { level, won: low }
    }

    fn pair(self, random: &mut ChaCha8Rng) -> [GameResult; 2] {
        if random.random_bool(self.level) {
            return [Win, Loss];
        }
        let is_small = random.random_bool(0.8);
        match (random.random_bool(self.won), is_small) {
            (true, true) => [Win, Draw],
            (true, false) => [Win, Win],
            (false, true) => [Draw, Loss],
            (false, false) => [Loss, Loss],
        }
    }
}

/// The shares of tests of 0 against `elo1` normalized Elo that accept H1 and H0. The longest has `most` pairs.
fn shares(
    distribution: PairDistribution,
    elo1: f64,
    counting: PairCounting,
    runs: u64,
    most: usize,
) -> [f64; 2] {
    let sprt = Sprt::new(EloModel::Normalized, 0.0, elo1, Risks::USUAL).expect("sound");
    let accepted = |of: u64| {
        let mut random = ChaCha8Rng::seed_from_u64(of);
        let mut test = TestState::new(sprt.into(), counting);
        let mut step = || {
            let results = distribution.pair(&mut random).into();
            test.record(CountedTrial { results, has_fault: false, share: 0.0 })
        };
        (0..most).map(|_| step()).find(|&step| step != TestStep::Continue).unwrap_or(TestStep::Continue)
    };
    let workers = 2;
    let counts: Vec<[u64; 2]> = thread::scope(|scope| {
        let work = |worker: u64| {
            let mut counts = [0, 0];
            for run in (worker..runs).step_by(workers) {
                match accepted(run) {
                    TestStep::AcceptH1 => counts[0] += 1,
                    TestStep::AcceptH0 => counts[1] += 1,
                    TestStep::Continue | TestStep::DependsOnFaults => {}
                }
            }
            counts
        };
        let threads: Vec<_> = (0..workers as u64).map(|worker| scope.spawn(move || work(worker))).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    [0, 1].map(|place| counts.iter().map(|counts| counts[place]).sum::<u64>() as f64 / runs as f64)
}

/// The largest share of errors that is no surprise if the probability is 5 %: three standard errors more.
fn limit(runs: u64) -> f64 {
    0.05 + 3.0 * (0.05_f64 * 0.95 / runs as f64).sqrt()
}

#[test]
fn tests_of_level_pairs_keep_their_error_rates() {
    for (level, elo1) in [(0.5, 80.0), (0.9, 40.0)] {
        let [wrong, right] =
            shares(PairDistribution::of_elo(level, 0.0), elo1, PairCounting::Distinct, 200, 20_000);
        assert!(wrong <= limit(200) && right > 0.85, "{level}: {wrong} {right}");
        let [right, wrong] =
            shares(PairDistribution::of_elo(level, elo1), elo1, PairCounting::Distinct, 200, 20_000);
        assert!(wrong <= limit(200) && right > 0.85, "{level}: {wrong} {right}");
    }
}

#[test]
fn without_the_least_number_of_unequal_pairs_the_errors_are_more() {
    let equal = PairDistribution::of_elo(0.99, 0.0);
    let [wrong, _] = shares(equal, 10.0, PairCounting::Distinct, 60, 20_000);
    let [wrong_without, _] = shares(equal, 10.0, PairCounting::All, 60, 20_000);
    assert!(wrong <= limit(60) && wrong_without > wrong, "{wrong} {wrong_without}");
}

#[test]
#[ignore = "for its time; `.ci/long` runs it"]
fn tests_of_level_pairs_keep_their_error_rates_in_20000_runs() {
    let mut found = Vec::new();
    for (level, elo1) in [(0.5, 40.0), (0.9, 20.0), (0.99, 10.0)] {
        let [wrong, _] =
            shares(PairDistribution::of_elo(level, 0.0), elo1, PairCounting::Distinct, 20_000, 100_000);
        let [right, missed] =
            shares(PairDistribution::of_elo(level, elo1), elo1, PairCounting::Distinct, 20_000, 100_000);
        found.push((level, elo1, wrong, right, missed));
    }
    for &(_, _, wrong, right, missed) in &found {
        assert!(wrong <= limit(20_000) && missed <= limit(20_000) && right > 0.94, "{found:?}");
    }
}
