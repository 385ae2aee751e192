//! Rao and Kupper's model, BayesElo's: a win is a difference beyond a threshold d, W = 1 / (1 + e^(d - x)),
//! L = 1 / (1 + e^(d + x)). Sources: Rao and Kupper, "Ties in paired-comparison experiments" (1967); Coulom, BayesElo.
//!
//! ln P(draw) = ln W + ln L + ln(e^2d - 1): a draw is a win and a loss at once. The log-likelihood is concave, but
//! points alone are not sufficient: a draw pulls two players together more than a win and a loss do, so equal
//! scores in a round robin may be unequal ratings. The draw parameter is d, nought without draws; in points it is
//! BayesElo's `drawelo`.

use super::law::{DrawRate, Reading, ln_logistic, logistic};

pub(super) fn read(x: f64, d: f64) -> Reading {
    let (win, no_win) = (logistic(x - d), logistic(d - x));
    let (loss, no_loss) = (logistic(-x - d), logistic(x + d));
    let widening = (2.0 * d).exp_m1();
    let draw = win * loss * widening;
    let (ln_win, ln_loss) = (ln_logistic(x - d), ln_logistic(-x - d));
    let (win_bend, loss_bend) = (win * no_win, loss * no_loss);
    // The slope and the bend of ln(e^2d - 1); nothing draws on them without draws.
    let (slope, bend) = if d > 0.0 { (2.0 / -(-2.0 * d).exp_m1(), d.sinh().powi(-2)) } else { (0.0, 0.0) };
    let (of_win, of_loss) = ([[win_bend, -win_bend], [-win_bend, win_bend]], [[loss_bend; 2]; 2]);
    let both = win_bend + loss_bend;
    let of_draw = [[both, loss_bend - win_bend], [loss_bend - win_bend, both + bend]];
    Reading {
        chances: [loss, draw, win],
        heights: [ln_loss, ln_win + ln_loss + widening.ln(), ln_win],
        scores: [[-no_loss, -no_loss], [no_win - no_loss, slope - no_win - no_loss], [no_win, -no_win]],
        bends: [of_loss, of_draw, of_win],
    }
}

pub(super) fn draw_rate(d: f64) -> DrawRate {
    let rate = (d / 2.0).tanh();
    DrawRate { rate, slope: (1.0 - rate) * (1.0 + rate) / 2.0 }
}

pub(super) fn draw_parameter(rate: f64) -> f64 {
    2.0 * rate.atanh()
}
