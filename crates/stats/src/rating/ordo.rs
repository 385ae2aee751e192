//! Ordo's model: the expected score is logistic in x, and draws follow D² = ν² W L. Source: Ordo 1.2.6 (M.
//! Ballicora).
//!
//! The draw probability is Davidson's as a function of the expected score instead of the odds. Two fits use
//! it. The usual one solves the score equations, expected points = scored points, which do not depend on
//! draws; the draw rate is then chosen so that expected and observed draws agree. The other maximises the
//! likelihood of wins, draws and losses.
//!
//! # Where this differs from Ordo
//! - Ordo's search ends at a small step: on the golden games it leaves an error of 0.006 points in ratings
//!   and 0.02 in White's advantage. Newton's method leaves none.
//! - With several anchors Ordo also minimises the anchors' misfit, which no rating can change; the other
//!   players absorb it. Here anchors are fixed, and every other player solves its own equation.
//! - Perfect scorers are placed where their result has probability 1/2, as with Ordo's -G, with or without
//!   simulated errors; Ordo drops them from lists with -s. Players who become perfect scorers by their
//!   removal are placed as well.
//! - Unconnected groups are fitted each around its own average, with one advantage and one draw rate; Ordo
//!   needs -G to fit them, and their distance then depends on its search.
//! - If the score equations leave no room for the observed draws, that is an error; Ordo's draw rate ends at
//!   its bound.
//! - Ordo has no clustered and no analytic errors; its simulated ones are in `simulation`.

use super::davidson;
use super::game_terms::{LogisticFunction, ModelTerms};

/// The model at one ν.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ordo {
    nu: f64,
}

impl Ordo {
    pub(super) fn new(ln_nu: f64) -> Self {
        Self { nu: ln_nu.exp() }
    }

    /// For the score equations: the objective is the quasi-likelihood of a logistic regression on scores.
    pub(super) fn read_score(self, x: f64) -> ModelTerms {
        let score = LogisticFunction::evaluate(x);
        let model = self.moments(score);
        let draw_slope = model.with_draws * model.slope / model.variance;
        ModelTerms {
            chances: model.chances,
            heights: [score.ln_rest, f64::midpoint(score.ln_value, score.ln_rest), score.ln_value],
            scores: davidson::scores(model.chances),
            curvatures: [[[model.slope, 0.0], [draw_slope, model.free_draws]]; 3],
        }
    }

    /// For the likelihood of wins, draws and losses: Davidson's scores by the chain rule.
    ///
    /// With y Davidson's argument, p the expected score and v the variance of a score: dp/dy = v and dp/dx =
    /// p (1 - p), so dy/dx = p (1 - p) / v; and at a fixed p, dy/d ln ν = -c / v, c being the covariance of
    /// score and draw.
    pub(super) fn read_results(self, x: f64) -> ModelTerms {
        let model = self.moments(LogisticFunction::evaluate(x));
        let (stretch, lean) = (model.slope / model.variance, model.with_draws / model.variance);
        ModelTerms {
            chances: model.chances,
            heights: model.chances.map(f64::ln),
            scores: davidson::scores(model.chances)
                .map(|[points, draws]| [points * stretch, draws - points * lean]),
            // Expected values: at a fixed expected score, points and draws carry separate information.
            curvatures: [[[model.slope * stretch, 0.0], [0.0, model.free_draws]]; 3],
        }
    }

    /// The probabilities at this expected score.
    fn moments(self, score: LogisticFunction) -> Moments {
        let (nu, p, q) = (self.nu, score.value, score.rest);
        // D = 4pqν / (ν + √(ν² + 4pq(4 - ν²))), rewritten so that nothing cancels, whatever ν.
        let root = (nu * nu * (p - q) * (p - q) + 16.0 * p * q).sqrt();
        let draw = 4.0 * p * q * nu / (nu + root);
        let more = p.max(q) - draw / 2.0;
        // By D² = ν² W L: min(p, q) - D/2 would cancel.
        let fewer = if nu > 0.0 { (draw / nu).powi(2) / more } else { p.min(q) };
        let (win, loss) = if p < q { (fewer, more) } else { (more, fewer) };
        let variance = win * loss + draw * (win + loss) / 4.0;
        let with_draws = draw * (loss - win) / 2.0;
        let free_draws = draw * (1.0 - draw) - with_draws.powi(2) / variance;
        Moments { chances: [loss, draw, win], slope: p * q, variance, with_draws, free_draws }
    }
}

struct Moments {
    chances: [f64; 3],
    /// The derivative of the expected score, p (1 - p).
    slope: f64,
    /// The variance of a score.
    variance: f64,
    /// The covariance of score and draw.
    with_draws: f64,
    /// The variance of a draw that the score does not explain.
    free_draws: f64,
}
