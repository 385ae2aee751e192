//! What a model says of one game: the probabilities of its results, and its terms in the estimating
//! equations.

/// The terms at one x and draw parameter. Results are White's: loss, draw, win.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ModelTerms {
    /// The probability of each result.
    pub(super) chances: [f64; 3],
    /// Each result's term of the objective function.
    pub(super) heights: [f64; 3],
    /// Each result's term of the estimating equations for x and for the draw parameter.
    pub(super) scores: [[f64; 2]; 3],
    /// The negative derivatives of each result's scores (row) by x and by the draw parameter (column):
    /// observed, or expected where that suffices for Newton's method.
    pub(super) curvatures: [[[f64; 2]; 2]; 3],
}

impl ModelTerms {
    /// The expected sum of `games` squared scores under the model.
    pub(super) fn scatter(&self, games: f64) -> [[f64; 2]; 2] {
        let mut sum = [[0.0; 2]; 2];
        for (chance, score) in self.chances.iter().zip(self.scores) {
            for (row, left) in sum.iter_mut().zip(score) {
                row.iter_mut().zip(score).for_each(|(cell, right)| *cell += games * chance * left * right);
            }
        }
        sum
    }

    /// White's expected score.
    pub(super) fn expected(&self) -> f64 {
        self.chances[2] + self.chances[1] / 2.0
    }

    /// The variance of White's score.
    pub(super) fn variance(&self) -> f64 {
        let [loss, draw, win] = self.chances;
        win * loss + draw * (win + loss) / 4.0
    }
}

/// The draw rate of a draw parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DrawRate {
    /// The probability of a draw at x = 0.
    pub(super) rate: f64,
    /// Its derivative by the draw parameter.
    pub(super) slope: f64,
}

/// The logistic function with full precision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LogisticFunction {
    /// 1 / (1 + e^-x).
    pub(super) value: f64,
    /// 1 less that.
    pub(super) rest: f64,
    /// The logarithm of the value.
    pub(super) ln_value: f64,
    /// The logarithm of the rest.
    pub(super) ln_rest: f64,
}

impl LogisticFunction {
    pub(super) fn evaluate(x: f64) -> Self {
        // The exponent is never positive: nothing overflows, and the smaller value keeps its digits.
        let small = (-x.abs()).exp();
        let (more, less) = (1.0 / (1.0 + small), small / (1.0 + small));
        let ln_more = -small.ln_1p();
        let (value, rest) = if x < 0.0 { (less, more) } else { (more, less) };
        Self { value, rest, ln_value: ln_more + x.min(0.0), ln_rest: ln_more - x.max(0.0) }
    }
}
