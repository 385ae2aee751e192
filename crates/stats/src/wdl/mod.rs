//! A win-draw-loss model: the probabilities of the results of a game, given an engine's score.
//!
//! With the score x from the view of the side to move, and m the material or the number of the move:
//!
//! ```text
//! win = σ((x − a(m)) / b(m))     loss = σ((−x − a(m)) / b(m))     draw = 1 − win − loss     σ(z) = 1 / (1 + e^−z)
//! ```
//!
//! a and b are cubic polynomials in m / target. a(m) is the score at which a win has the probability ½; the smaller
//! b(m), the faster the probability changes around it. This is the model of official-stockfish/WDL_model, with its
//! objective `optimizeProbability`: the mean logarithm of the probability of the results. For fixed m it is also the
//! model of Rao and Kupper for games between players, with the score in place of the difference of strength.
//!
//! The positions of a game have one result, so the errors count a game as one observation.

mod error;
mod fit;
mod likelihood;
mod reliability;
mod sample;

pub use error::WdlError;
pub use fit::{WdlFit, fit_wdl};
pub use reliability::{Claim, ReliabilityBin, reliability};
pub use sample::{WdlPosition, WdlSample};

/// The number of coefficients of a polynomial.
pub(super) const TERMS: usize = 4;

/// The probabilities of the results for the side to move; they sum to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WdlRates {
    /// A win.
    pub win: f64,
    /// A draw.
    pub draw: f64,
    /// A loss.
    pub loss: f64,
}

impl WdlRates {
    /// The expected score, from 0 to 1.
    pub fn score(self) -> f64 {
        self.win + self.draw / 2.0
    }
}

/// The model with its eight coefficients.
///
/// ```
/// use threefold_stats::wdl::WdlModel;
///
/// let model = WdlModel { a: [0.0, 0.0, 0.0, 100.0], b: [0.0, 0.0, 0.0, 50.0], target: 58.0 };
/// let rates = model.rates(100.0, 40.0);
/// assert_eq!(rates.win, 0.5);
/// assert!((rates.loss - 0.018).abs() < 0.001);
/// assert_eq!(model.pawn_value(), 100);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WdlModel {
    /// Coefficients of a, in units of the score, the highest power of m / target first.
    pub a: [f64; TERMS],
    /// Coefficients of b, in the same unit and order.
    pub b: [f64; TERMS],
    /// The m at which a polynomial is the sum of its coefficients.
    pub target: f64,
}

impl WdlModel {
    /// The score at which a win has the probability ½.
    pub fn a(&self, m: f64) -> f64 {
        cubic(&self.a, m / self.target)
    }

    /// The spread: the score above a at which the odds of a win are e : 1.
    pub fn b(&self, m: f64) -> f64 {
        cubic(&self.b, m / self.target)
    }

    /// The probabilities of the results at a score.
    pub fn rates(&self, score: f64, m: f64) -> WdlRates {
        let (a, b) = (self.a(m), self.b(m));
        let win = sigmoid((score - a) / b);
        let loss = sigmoid((-score - a) / b);
        WdlRates { win, draw: 1.0 - win - loss, loss }
    }

    /// a at the target, rounded: `NormalizeToPawnValue` of Stockfish up to version 16.1.
    pub fn pawn_value(&self) -> i64 {
        self.a(self.target).round() as i64
    }
}

/// A polynomial, its highest power first.
fn cubic(coefficients: &[f64; TERMS], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// 1 / (1 + e^−z), without overflow.
fn sigmoid(z: f64) -> f64 {
    if z < 0.0 { z.exp() / (1.0 + z.exp()) } else { 1.0 / (1.0 + (-z).exp()) }
}
