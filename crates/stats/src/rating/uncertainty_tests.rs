//! Errors of ratings with closed forms, from the information in binomial results.

use super::super::pentanomial::GameResult::{self, Draw, Loss, Win};
use super::tests::{anchored, table};
use super::*;

/// Elo per natural unit.
const UNIT: f64 = 400.0 / std::f64::consts::LN_10;

const P: [PlayerIndex; 3] = [PlayerIndex(0), PlayerIndex(1), PlayerIndex(2)];

/// P0 fixed, no virtual games, no advantage, logistic Elo.
fn terms(model: RatingModel) -> RatingSettings {
    RatingSettings {
        prior_draws: 0.0,
        scale: RatingScale::LOGISTIC,
        advantage: ParameterPrior::Fixed(0.0),
        ..anchored(model)
    }
}

/// The list of P0 and P1 after pairs, counted by P0's results.
fn after(terms: &RatingSettings, pairs: &[([GameResult; 2], usize)]) -> RatingList {
    let mut games = table(2, &[]);
    for &(pair, times) in pairs {
        (0..times).for_each(|_| games.record_pair(P[0], P[1], pair));
    }
    rate(&games, terms).expect("both scored")
}

fn expect(found: Option<f64>, expected: f64, what: impl std::fmt::Display) {
    let found = found.expect("one group");
    assert!((found - expected).abs() < 1e-5 * expected.max(1.0), "{what}: {found} for {expected}");
}

/// Without draws the information of n games is n p (1 - p). A pair counts as one observation in clustered
/// errors: 24 of 40 games won, so the scores' squares sum to 10 (2 × 0.4)² + 6 (2 × 0.6)² + 4 (0.4 - 0.6)² =
/// 15.2.
#[test]
fn error_of_a_difference_by_hand() {
    for &model in RatingModel::ALL {
        let list = after(&terms(model), &[([Win, Win], 10), ([Loss, Loss], 6), ([Win, Loss], 4)]);
        let (independent, clustered) = (UNIT / 9.6_f64.sqrt(), UNIT * 15.2_f64.sqrt() / 9.6);
        expect(list.independent.between(P[0], P[1]), independent, model);
        expect(list.clustered.between(P[0], P[1]), clustered, model);
        expect(list.clustered.standard_error(P[0], Reference::Anchors), 0.0, model);
        expect(list.clustered.standard_error(P[1], Reference::Anchors), clustered, model);
        for player in &P[..2] {
            expect(list.clustered.standard_error(*player, Reference::PoolMean), clustered / 2.0, model);
        }
    }
}

#[test]
fn error_of_traded_pairs_is_zero_and_of_equal_games_larger() {
    for &model in RatingModel::ALL {
        let traded = after(&terms(model), &[([Win, Loss], 30), ([Loss, Win], 20)]);
        expect(traded.independent.between(P[0], P[1]), UNIT / 5.0, model);
        expect(traded.clustered.between(P[0], P[1]), 0.0, model);
        let alike = after(&terms(model), &[([Win, Win], 25), ([Loss, Loss], 25)]);
        expect(alike.clustered.between(P[0], P[1]), UNIT / 5.0 * 2.0_f64.sqrt(), model);
    }
}

/// Of 100 games between equal players 40 were drawn, so a score has the variance 0.6 / 4. The expected score
/// rises by (1 - 0.4) / 4 per unit in Davidson's model and by 1/4 in Ordo's.
#[test]
fn draws_change_the_error_by_their_model() {
    let pairs = [([Draw, Draw], 10), ([Draw, Win], 10), ([Loss, Draw], 10), ([Win, Loss], 20)];
    let deviation = (0.6_f64 / 4.0 / 100.0).sqrt();
    for (model, rise) in [(RatingModel::Davidson, 0.15), (RatingModel::Ordo, 0.25)] {
        let list = after(&terms(model), &pairs);
        assert!((list.draw_rate - 0.4).abs() < 1e-9, "{model}: {}", list.draw_rate);
        expect(list.independent.between(P[0], P[1]), UNIT * deviation / rise, model);
        let rate_error = list.independent.of_draw_rate();
        assert!((rate_error - (0.4 * 0.6 / 100.0_f64).sqrt()).abs() < 1e-9, "{model}: {rate_error}");
        // Half of the pairs are level; each of the others is half a point from the mean.
        expect(list.clustered.between(P[0], P[1]), UNIT * (20.0_f64 / 4.0).sqrt() / (100.0 * rise), model);
    }
}

/// With w = n / 4 per meeting, the information is the Laplacian of a triangle: 3w for each contrast.
#[test]
fn errors_in_a_round_robin_depend_on_the_reference() {
    let mut games = table(3, &[]);
    for (first, second) in [(0, 1), (1, 2), (2, 0)] {
        for result in [Win, Loss] {
            (0..10).for_each(|_| games.record_game(P[first], P[second], result));
            (0..10).for_each(|_| games.record_game(P[second], P[first], result));
        }
    }
    for &model in RatingModel::ALL {
        let w = 10.0;
        let fixed = rate(&games, &terms(model)).expect("all scored");
        let free = rate(&games, &RatingSettings { anchors: Vec::new(), ..terms(model) }).expect("all scored");
        let difference = UNIT * (2.0_f64 / (3.0 * w)).sqrt();
        let from_mean = UNIT * (2.0_f64 / (9.0 * w)).sqrt();
        for list in [&fixed, &free] {
            expect(list.independent.between(P[1], P[2]), difference, model);
            expect(list.independent.between(P[0], P[2]), difference, model);
            expect(list.independent.standard_error(P[2], Reference::PoolMean), from_mean, model);
        }
        expect(fixed.independent.standard_error(P[2], Reference::Anchors), difference, model);
        expect(free.independent.standard_error(P[2], Reference::Anchors), from_mean, model);
    }
}

/// White won 90 of 130 games between equal players.
#[test]
fn error_of_the_advantage_is_the_binomial_one() {
    for &model in RatingModel::ALL {
        let fitted = RatingSettings { advantage: ParameterPrior::Fitted, ..terms(model) };
        let list =
            after(&fitted, &[([Win, Loss], 30), ([Win, Win], 15), ([Loss, Loss], 15), ([Loss, Win], 5)]);
        let (won, all) = (45.0 + 45.0, 130.0);
        let information: f64 = all * (won / all) * (1.0 - won / all);
        expect(Some(list.independent.of_advantage()), UNIT / information.sqrt(), model);
        assert!((list.white_advantage.0 - UNIT * (won / (all - won)).ln()).abs() < 1e-4, "{model}");
    }
}
