//! Davidson's model: win : draw : loss = e^(x/2) : ν : e^(-x/2). Source: Davidson, "On extending the
//! Bradley-Terry model to accommodate ties in paired comparison experiments" (1970).
//!
//! It is an exponential family with points and draws as sufficient statistics and a concave log-likelihood:
//! expected points equal scored points, and equal scores in a round robin give equal ratings. The draw
//! parameter is ln ν, minus infinity without draws.

use super::game_terms::{DrawRate, ModelTerms};

/// The model at one ν.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Davidson {
    nu: f64,
    ln_nu: f64,
}

impl Davidson {
    pub(super) fn new(ln_nu: f64) -> Self {
        Self { nu: ln_nu.exp(), ln_nu }
    }

    pub(super) fn evaluate(self, x: f64) -> ModelTerms {
        // Divided by the larger power to avoid overflow.
        let half = (-x.abs() / 2.0).exp();
        let total = 1.0 + self.nu * half + half * half;
        let (draw, more, fewer) = (self.nu * half / total, 1.0 / total, half * half / total);
        let (win, loss) = if x < 0.0 { (fewer, more) } else { (more, fewer) };
        let exponents = [-x.max(0.0), self.ln_nu - x.abs() / 2.0, x.min(0.0)];
        let variance = win * loss + draw * (win + loss) / 4.0;
        let with_draws = draw * (loss - win) / 2.0;
        ModelTerms {
            chances: [loss, draw, win],
            heights: exponents.map(|exponent| exponent - total.ln()),
            scores: scores([loss, draw, win]),
            // In an exponential family the curvature does not depend on the result.
            curvatures: [[[variance, with_draws], [with_draws, draw * (1.0 - draw)]]; 3],
        }
    }
}

/// Each result's points and draws minus their expectations, computed without cancellation.
pub(super) fn scores([loss, draw, win]: [f64; 3]) -> [[f64; 2]; 3] {
    [[-(win + draw / 2.0), -draw], [(loss - win) / 2.0, loss + win], [loss + draw / 2.0, -draw]]
}

pub(super) fn draw_rate(ln_nu: f64) -> DrawRate {
    // ν / (2 + ν)
    let rate = 1.0 / (1.0 + 2.0 * (-ln_nu).exp());
    DrawRate { rate, slope: rate * (1.0 - rate) }
}

pub(super) fn draw_parameter(rate: f64) -> f64 {
    (2.0 * rate / (1.0 - rate)).ln()
}
