//! Rao and Kupper's model, BayesElo's: a win is a difference beyond a threshold d, W = 1 / (1 + e^(d - x)), L
//! = 1 / (1 + e^(d + x)). Sources: Rao and Kupper, "Ties in paired-comparison experiments" (1967); Coulom,
//! BayesElo.
//!
//! ln P(draw) = ln W + ln L + ln(e^2d - 1). The log-likelihood is concave, but points alone are not
//! sufficient: a draw attracts two players more than a win and a loss do, so equal scores in a round robin
//! may give unequal ratings. The draw parameter is d, 0 without draws; in points it is BayesElo's `drawelo`.

use super::game_terms::{DrawRate, LogisticFunction, ModelTerms};

/// The model at one threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RaoKupper {
    threshold: f64,
    /// e^2d - 1: the ratio of P(draw) to W · L.
    widening: f64,
    ln_widening: f64,
    /// The derivative of its logarithm by d, and the negative second derivative. Unused without draws.
    slope: f64,
    curvature: f64,
}

impl RaoKupper {
    pub(super) fn new(threshold: f64) -> Self {
        let widening = (2.0 * threshold).exp_m1();
        let (slope, curvature) = if threshold > 0.0 {
            (2.0 / -(-2.0 * threshold).exp_m1(), threshold.sinh().powi(-2))
        } else {
            (0.0, 0.0)
        };
        Self { threshold, widening, ln_widening: widening.ln(), slope, curvature }
    }

    pub(super) fn evaluate(self, x: f64) -> ModelTerms {
        let (win, loss) =
            (LogisticFunction::evaluate(x - self.threshold), LogisticFunction::evaluate(-x - self.threshold));
        let [win_curvature, loss_curvature] = [win, loss].map(|side| side.value * side.rest);
        let (both, apart) = (win_curvature + loss_curvature, loss_curvature - win_curvature);
        ModelTerms {
            chances: [loss.value, win.value * loss.value * self.widening, win.value],
            heights: [loss.ln_value, win.ln_value + loss.ln_value + self.ln_widening, win.ln_value],
            scores: [
                [-loss.rest, -loss.rest],
                [win.rest - loss.rest, self.slope - win.rest - loss.rest],
                [win.rest, -win.rest],
            ],
            curvatures: [
                [[loss_curvature; 2]; 2],
                [[both, apart], [apart, both + self.curvature]],
                [[win_curvature, -win_curvature], [-win_curvature, win_curvature]],
            ],
        }
    }
}

pub(super) fn draw_rate(d: f64) -> DrawRate {
    let rate = (d / 2.0).tanh();
    DrawRate { rate, slope: (1.0 - rate) * (1.0 + rate) / 2.0 }
}

pub(super) fn draw_parameter(rate: f64) -> f64 {
    2.0 * rate.atanh()
}
