//! Ordo's model: the expected score is logistic in x, and draws follow D² = ν² W L. Source: Ordo 1.2.6 (M. Ballicora).
//!
//! The law of draws is Davidson's, read at the score instead of the odds: at each x it is Davidson's law of that
//! expected score. Two fits go with it. The usual one solves the score equations, points expected = points scored,
//! for which the law of draws is of no account; the draw rate is then such that as many draws are expected as were
//! played. The other maximises the likelihood of wins, draws and losses.
//!
//! # Where this differs from Ordo
//! - Ordo's search ends where its step is small: on the golden games it leaves 0.006 points in ratings and 0.02 in
//!   White's advantage. Newton's method leaves none.
//! - With several anchors Ordo minimises the misfit of the anchors, too, which no rating can mend; the others
//!   absorb it. Here anchors are held, and everybody else solves its own equation.
//! - Perfect scorers are placed where their result is an even chance, as with Ordo's -G, whether or not errors are
//!   simulated; Ordo drops them from lists with -s. Who becomes perfect once they are taken out is placed as well.
//! - Groups that are not connected are fitted each about its own average, with one advantage and one draw rate for
//!   all; Ordo needs -G to fit them at all, and then leaves their distance to its search.
//! - Where score equations leave no room for so many draws, that is said; Ordo's draw rate runs to its bound.
//! - Errors by pairs, and analytic ones, are not Ordo's; its simulated ones are in `simulation`.

use super::davidson;
use super::game_model::{GameTerms, Logistic};

/// The law at one ν.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Ordo {
    nu: f64,
}

impl Ordo {
    pub(super) fn new(ln_nu: f64) -> Self {
        Self { nu: ln_nu.exp() }
    }

    /// For the score equations: what is climbed is the quasi-likelihood of a logistic regression on scores.
    pub(super) fn read_score(self, x: f64) -> GameTerms {
        let score = Logistic::at(x);
        let law = self.at(score);
        let draw_slope = law.with_draws * law.slope / law.variance;
        GameTerms {
            chances: law.chances,
            heights: [score.ln_rest, f64::midpoint(score.ln_value, score.ln_rest), score.ln_value],
            scores: davidson::scores(law.chances),
            bends: [[[law.slope, 0.0], [draw_slope, law.free_draws]]; 3],
        }
    }

    /// For the likelihood of wins, draws and losses: Davidson's scores by the chain rule.
    ///
    /// With y Davidson's argument, p the expected score and v the variance of a score: dp/dy = v and
    /// dp/dx = p (1 - p), so dy/dx = p (1 - p) / v; and at a fixed p, dy/d ln ν = -c / v, c being the covariance of
    /// score and draw.
    pub(super) fn read_results(self, x: f64) -> GameTerms {
        let law = self.at(Logistic::at(x));
        let (stretch, lean) = (law.slope / law.variance, law.with_draws / law.variance);
        GameTerms {
            chances: law.chances,
            heights: law.chances.map(f64::ln),
            scores: davidson::scores(law.chances)
                .map(|[points, draws]| [points * stretch, draws - points * lean]),
            // Expected ones: at a fixed expected score, points and draws carry separate information.
            bends: [[[law.slope * stretch, 0.0], [0.0, law.free_draws]]; 3],
        }
    }

    /// The law of this expected score.
    fn at(self, score: Logistic) -> Moments {
        let (nu, p, q) = (self.nu, score.value, score.rest);
        // D = 4pqν / (ν + √(ν² + 4pq(4 - ν²))), rewritten so that nothing cancels, whatever ν.
        let root = (nu * nu * (p - q) * (p - q) + 16.0 * p * q).sqrt();
        let draw = 4.0 * p * q * nu / (nu + root);
        let more = p.max(q) - draw / 2.0;
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
