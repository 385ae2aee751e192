//! Probabilities of one game under a model, and the game's terms in the estimating equations.
//!
//! The models differ only here. Each gives probabilities of three results from two arguments: x, the
//! difference in strength plus White's advantage, in natural units of the log odds; and its own draw
//! parameter. Newton's method, errors and simulation all sum [`ModelTerms`], millions of them in a large
//! list; what depends only on the draw parameter is therefore computed once, by `RatingModel::game_model`.

use super::davidson::{self, Davidson};
use super::game_terms::{DrawRate, ModelTerms};
use super::ordo::Ordo;
use super::rao_kupper::{self, RaoKupper};
use super::settings::RatingModel;

/// A model at one draw parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum GameModel {
    Davidson(Davidson),
    Score(Ordo),
    Results(Ordo),
    RaoKupper(RaoKupper),
}

impl GameModel {
    /// The terms at this x.
    pub(super) fn evaluate(&self, x: f64) -> ModelTerms {
        match self {
            Self::Davidson(model) => model.evaluate(x),
            Self::Score(model) => model.read_score(x),
            Self::Results(model) => model.read_results(x),
            Self::RaoKupper(model) => model.evaluate(x),
        }
    }
}

impl RatingModel {
    /// The model at this draw parameter.
    pub(super) fn game_model(self, draws: f64) -> GameModel {
        match self {
            Self::Davidson => GameModel::Davidson(Davidson::new(draws)),
            Self::Ordo => GameModel::Score(Ordo::new(draws)),
            Self::OrdoWdl => GameModel::Results(Ordo::new(draws)),
            Self::BayesElo => GameModel::RaoKupper(RaoKupper::new(draws)),
        }
    }

    /// The model with the same probabilities whose objective is the log-likelihood.
    pub(super) fn of_results(self) -> Self {
        match self {
            Self::Ordo => Self::OrdoWdl,
            Self::Davidson | Self::OrdoWdl | Self::BayesElo => self,
        }
    }

    /// The draw rate of a draw parameter.
    pub(super) fn draw_rate(self, draws: f64) -> DrawRate {
        match self {
            Self::Davidson | Self::Ordo | Self::OrdoWdl => davidson::draw_rate(draws),
            Self::BayesElo => rao_kupper::draw_rate(draws),
        }
    }

    /// The draw parameter with this draw rate; that of no draws for 0.
    pub(super) fn draw_parameter(self, rate: f64) -> f64 {
        match self {
            Self::Davidson | Self::Ordo | Self::OrdoWdl => davidson::draw_parameter(rate),
            Self::BayesElo => rao_kupper::draw_parameter(rate),
        }
    }

    /// The derivative of the expected score at x = 0, relative to the logistic's.
    pub(super) fn steepness(self, draw_rate: f64) -> f64 {
        match self {
            Self::Davidson => 1.0 - draw_rate,
            Self::Ordo | Self::OrdoWdl => 1.0,
            // With thresholds at ±d, W(0) = (1 - D)/2, and the slope of each is W (1 - W): 4 W (1 - W).
            Self::BayesElo => (1.0 - draw_rate) * (1.0 + draw_rate),
        }
    }

    /// Whether the estimating equations are derivatives of a likelihood, so that errors follow from the
    /// Hessian.
    pub(super) fn is_likelihood(self) -> bool {
        match self {
            Self::Davidson | Self::OrdoWdl | Self::BayesElo => true,
            Self::Ordo => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f64 = 1e-5;

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-7 * (1.0 + expected.abs())
    }

    #[test]
    fn game_model_has_the_given_draw_rate_and_is_symmetric() {
        for &model in RatingModel::ALL {
            for rate in [0.0, 1e-6, 0.3, 0.5, 0.9, 0.999] {
                let draws = model.draw_parameter(rate);
                let equal = model.game_model(draws).evaluate(0.0);
                assert!(
                    close(equal.chances[1], rate) && close(model.draw_rate(draws).rate, rate),
                    "{model}: {rate}"
                );
                for x in [0.0, 0.7, 5.0, 30.0, 200.0] {
                    let (there, back) =
                        (model.game_model(draws).evaluate(x), model.game_model(draws).evaluate(-x));
                    let sum: f64 = there.chances.iter().sum();
                    assert!(
                        close(sum, 1.0) && there.chances.iter().all(|chance| *chance >= 0.0),
                        "{model}: {x}"
                    );
                    for result in 0..3 {
                        let (one, other) = (there.chances[result], back.chances[2 - result]);
                        assert!((one - other).abs() <= 1e-12 * one, "{model}: {rate} {x} {there:?} {back:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn scores_have_mean_zero_and_are_derivatives() {
        for &model in RatingModel::ALL {
            for (x, rate) in [(0.0, 0.4), (0.8, 0.2), (-1.5, 0.6), (3.0, 0.05)] {
                let draws = model.draw_parameter(rate);
                let at = model.game_model(draws).evaluate(x);
                for parameter in 0..2 {
                    let mean: f64 =
                        at.chances.iter().zip(at.scores).map(|(p, score)| p * score[parameter]).sum();
                    assert!(mean.abs() < 1e-12, "{model}: {mean}");
                }
                for result in 0..3 {
                    let slope = |dx: f64, dd: f64| {
                        let [up, down] = [1.0, -1.0].map(|sign| {
                            model.game_model(draws + sign * dd).evaluate(x + sign * dx).heights[result]
                        });
                        (up - down) / (2.0 * STEP)
                    };
                    assert!(close(slope(STEP, 0.0), at.scores[result][0]), "{model}: {x} {result}");
                    if model.is_likelihood() {
                        assert!(close(slope(0.0, STEP), at.scores[result][1]), "{model}: {x} {result}");
                    }
                }
            }
        }
    }

    #[test]
    fn game_terms_satisfy_the_information_identities() {
        for &model in RatingModel::ALL {
            for (x, rate) in [(0.0, 0.4), (0.8, 0.2), (-1.5, 0.6), (3.0, 0.05)] {
                let draws = model.draw_parameter(rate);
                let at = model.game_model(draws).evaluate(x);
                let mean = |of: &dyn Fn(usize) -> f64| {
                    (0..3).map(|result| at.chances[result] * of(result)).sum::<f64>()
                };
                for (row, column) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let (dx, dd) = if column == 0 { (STEP, 0.0) } else { (0.0, STEP) };
                    let (up, down) = (
                        model.game_model(draws + dd).evaluate(x + dx),
                        model.game_model(draws - dd).evaluate(x - dx),
                    );
                    let fall =
                        mean(&|result| (down.scores[result][row] - up.scores[result][row]) / (2.0 * STEP));
                    let curvature = mean(&|result| at.curvatures[result][row][column]);
                    assert!(close(curvature, fall), "{model}: {x} {rate} {row} {column}: {curvature} {fall}");
                    if model.is_likelihood() {
                        assert!(
                            close(curvature, at.scatter(1.0)[row][column]),
                            "{model}: {x} {rate} {row} {column}"
                        );
                    }
                }
                let slope =
                    (model.draw_rate(draws + STEP).rate - model.draw_rate(draws - STEP).rate) / (2.0 * STEP);
                assert!(close(slope, model.draw_rate(draws).slope), "{model}: {rate}");
                let steep = (model.game_model(draws).evaluate(STEP).expected()
                    - model.game_model(draws).evaluate(-STEP).expected())
                    / (2.0 * STEP);
                assert!(close(4.0 * steep, model.steepness(rate)), "{model}: {rate}");
            }
        }
    }
}
