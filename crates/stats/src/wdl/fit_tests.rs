//! The fit of simulated positions.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::super::WdlPosition;
use super::*;
use crate::GameResult;

/// Shaped like Stockfish's model of material: a falls and b rises a little as pieces leave.
const PLANTED: WdlModel =
    WdlModel { a: [-37.0, 121.0, -132.0, 153.0], b: [9.0, -26.0, 22.0, 46.0], target: 58.0 };

/// A number from 0 to 1.
fn uniform(random: &mut ChaCha8Rng) -> f64 {
    random.next_u64() as f64 / u64::MAX as f64
}

fn result(rates: super::super::WdlRates, at: f64) -> GameResult {
    match at {
        at if at < rates.win => GameResult::Win,
        at if at < rates.win + rates.draw => GameResult::Draw,
        _ => GameResult::Loss,
    }
}

/// Games of twenty positions with one result, each position `copies` times.
fn simulated_games(games: usize, seed: u64, copies: usize) -> WdlSample {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut sample = WdlSample::default();
    for _ in 0..games {
        // All positions of a game have the same score, so that its result follows the model in each of them.
        let score = (uniform(&mut random) * 801.0) as i32 - 400;
        let first = 17 + (uniform(&mut random) * 43.0) as u16;
        let result = result(PLANTED.rates(f64::from(score), f64::from(first) + 10.0), uniform(&mut random));
        let positions = (first..first + 20).map(|m| WdlPosition { m, score, result });
        sample.add_game(positions.flat_map(|position| vec![position; copies]));
    }
    sample
}

/// Games of one position each.
fn simulated(games: usize, seed: u64) -> WdlSample {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut sample = WdlSample::default();
    for _ in 0..games {
        let m = 17 + (uniform(&mut random) * 62.0) as u16;
        let score = (uniform(&mut random) * 801.0) as i32 - 400;
        let result = result(PLANTED.rates(f64::from(score), f64::from(m)), uniform(&mut random));
        sample.add_game([WdlPosition { m, score, result }]);
    }
    sample
}

fn places() -> impl Iterator<Item = f64> {
    (17_u16..=78).map(f64::from)
}

#[test]
fn fit_recovers_planted_parameters() {
    let fit = fit_wdl(&simulated(400_000, 1), PLANTED.target).expect("a fit");
    for m in places() {
        let [a, b] = [fit.model.a(m) / PLANTED.a(m), fit.model.b(m) / PLANTED.b(m)];
        assert!((a - 1.0).abs() < 0.02 && (b - 1.0).abs() < 0.02, "m {m}: {a} {b}");
    }
    assert_eq!((fit.games, fit.range), (400_000, [17, 78]));
}

#[test]
fn fit_of_expected_counts_is_exact() {
    // Each result with its probability in place of a draw from it.
    let row = |m: f64| Row {
        t: m / PLANTED.target,
        scores: (-40..=40)
            .map(|step| {
                let score = f64::from(step) * 10.0;
                let rates = PLANTED.rates(score, m);
                (score, [rates.loss, rates.draw, rates.win])
            })
            .collect(),
    };
    let data = Data { rows: places().map(row).collect() };
    let (best, _) = data.fit().expect("a fit");
    for (index, coefficient) in PLANTED.a.iter().rev().chain(PLANTED.b.iter().rev()).enumerate() {
        assert!((best[index] / coefficient - 1.0).abs() < 1e-4, "{index}: {best} {coefficient}");
    }
}

#[test]
fn errors_are_those_of_games_and_cover_the_truth() {
    // 40 fits: the squared deviations in units of the error have the mean 1. The positions of a game count once.
    let (mut sum, mut count) = (0.0, 0.0);
    for seed in 0..40 {
        let fit = fit_wdl(&simulated_games(3000, 100 + seed, 1), PLANTED.target).expect("a fit");
        for m in [35.0, 50.0] {
            let z = [
                (fit.model.a(m) - PLANTED.a(m)) / fit.error_of_a(m),
                (fit.model.b(m) - PLANTED.b(m)) / fit.error_of_b(m),
            ];
            sum += z[0] * z[0] + z[1] * z[1];
            count += 2.0;
        }
    }
    let mean: f64 = sum / count;
    assert!((mean - 1.0).abs() < 0.35, "{mean}");
    // A game says no more if each of its positions is there five times, or if it is played three times.
    let one = simulated_games(3000, 7, 1);
    let mut thrice = WdlSample::default();
    for game in one.games() {
        (0..3).for_each(|_| thrice.add_game(game.to_vec()));
    }
    let fit = |sample: &WdlSample| fit_wdl(sample, PLANTED.target).expect("a fit");
    let [one, five, thrice] = [fit(&one), fit(&simulated_games(3000, 7, 5)), fit(&thrice)];
    for other in [&five, &thrice] {
        assert!((one.error_of_a(58.0) / other.error_of_a(58.0) - 1.0).abs() < 1e-5);
        assert!((one.model.a(40.0) - other.model.a(40.0)).abs() < 1e-5);
    }
    assert_eq!((thrice.games, thrice.distinct_games), (9000, one.distinct_games));
}

#[test]
fn games_that_determine_no_model_are_refused() {
    let fit = |sample: &WdlSample| fit_wdl(sample, 58.0).expect_err("no fit");
    let changed = |change: fn(&mut WdlPosition)| {
        let mut sample = WdlSample::default();
        for game in simulated(2000, 3).games() {
            let mut game = game.to_vec();
            game.iter_mut().for_each(change);
            sample.add_game(game);
        }
        sample
    };
    assert_eq!(fit(&simulated_games(20, 1, 9)), WdlError::TooFewGames { games: 20, least: 100 });
    assert_eq!(fit(&changed(|it| it.result = GameResult::Draw)), WdlError::NoDecisiveGames);
    let decisive = changed(|it| {
        if it.result == GameResult::Draw {
            it.result = GameResult::Win;
        }
    });
    assert_eq!(fit(&decisive), WdlError::NoDraws);
    assert_eq!(fit(&changed(|it| it.m = 40 + it.m % 2)), WdlError::TooNarrow { found: 2 });
    // From the other side's view.
    assert_eq!(fit(&changed(|it| it.score = -it.score)), WdlError::NoRelation);
}
