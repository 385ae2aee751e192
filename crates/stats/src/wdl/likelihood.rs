//! The likelihood of the results in a and b, with its slopes and its expected information.
//!
//! In k = a/b and u = x/b the logarithms are: win −ln(1 + e^(k−u)), loss −ln(1 + e^(k+u)), and draw
//! ln(e^2k − 1) plus both. They are concave in k and u.

use super::sigmoid;
use crate::GameResult;

/// What results say about a and b.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Terms {
    /// The logarithm of their probability.
    pub(super) log: f64,
    /// Its derivatives by a and b.
    pub(super) slope: [f64; 2],
    /// The expected information about a and b: aa, ab, bb.
    pub(super) information: [f64; 3],
}

/// A score at given a and b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    k: f64,
    u: f64,
    b: f64,
    win: f64,
    loss: f64,
}

impl Point {
    /// `a` and `b` are positive: with a negative a, wins and losses would have more than the probability 1.
    pub(super) fn new(score: f64, a: f64, b: f64) -> Self {
        let (k, u) = (a / b, score / b);
        Self { k, u, b, win: sigmoid(u - k), loss: sigmoid(-u - k) }
    }

    fn log(&self, result: GameResult) -> f64 {
        let [win, loss] = [log_sigmoid(self.u - self.k), log_sigmoid(-self.u - self.k)];
        match result {
            GameResult::Win => win,
            GameResult::Loss => loss,
            // σ(u − k) and σ(−u − k) in place of σ(k − u) and σ(k + u): e^2k − 1 becomes 1 − e^−2k.
            GameResult::Draw => {
                log_sigmoid(self.k - self.u) + log_sigmoid(self.k + self.u) + (-(-2.0 * self.k).exp_m1()).ln()
            }
        }
    }

    /// The derivatives of the logarithm by a and b.
    pub(super) fn slope(&self, result: GameResult) -> [f64; 2] {
        let (no_win, no_loss) = (1.0 - self.win, 1.0 - self.loss);
        let [by_k, by_u] = match result {
            GameResult::Win => [-no_win, no_win],
            GameResult::Loss => [-no_loss, -no_loss],
            GameResult::Draw => [-2.0 / (-2.0 * self.k).exp_m1() - no_win - no_loss, no_win - no_loss],
        };
        [by_k / self.b, -(self.k * by_k + self.u * by_u) / self.b]
    }

    /// The terms of a number of losses, draws and wins.
    pub(super) fn terms(&self, counts: [f64; 3]) -> Terms {
        let all: f64 = counts.iter().sum();
        // Rounding may leave less than 0.
        let draw = (1.0 - self.win - self.loss).max(0.0);
        let mut terms = Terms::default();
        for (result, probability) in
            [(GameResult::Loss, self.loss), (GameResult::Draw, draw), (GameResult::Win, self.win)]
        {
            let (count, [a, b]) = (counts[result.half_points()], self.slope(result));
            if count > 0.0 {
                terms.log += count * self.log(result);
            }
            terms.slope = [terms.slope[0] + count * a, terms.slope[1] + count * b];
            for (sum, product) in terms.information.iter_mut().zip([a * a, a * b, b * b]) {
                *sum += all * probability * product;
            }
        }
        terms
    }
}

/// ln σ(z), without overflow.
fn log_sigmoid(z: f64) -> f64 {
    if z < 0.0 { z - z.exp().ln_1p() } else { -(-z).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULTS: [GameResult; 3] = [GameResult::Loss, GameResult::Draw, GameResult::Win];

    #[test]
    fn logarithms_are_of_probabilities_that_sum_to_one() {
        for (score, a, b) in
            [(0.0, 100.0, 50.0), (250.0, 100.0, 60.0), (-3000.0, 80.0, 10.0), (30.0, 1e-6, 50.0)]
        {
            let point = Point::new(score, a, b);
            let sum: f64 = RESULTS.map(|result| point.log(result).exp()).iter().sum();
            assert!((sum - 1.0).abs() < 1e-12, "{score} {a} {b}: {sum}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_logarithms_and_vanish_on_average() {
        let (score, a, b) = (70.0, 110.0, 45.0);
        let point = Point::new(score, a, b);
        let mut mean = [0.0; 2];
        for result in RESULTS {
            let step = 1e-4;
            let by = |da: f64, db: f64| Point::new(score, a + da, b + db).log(result);
            let numeric = [
                (by(step, 0.0) - by(-step, 0.0)) / (2.0 * step),
                (by(0.0, step) - by(0.0, -step)) / (2.0 * step),
            ];
            let slope = point.slope(result);
            for side in 0..2 {
                assert!((slope[side] - numeric[side]).abs() < 1e-8, "{result:?} {slope:?} {numeric:?}");
                mean[side] += slope[side] * point.log(result).exp();
            }
        }
        assert!(mean.iter().all(|mean| mean.abs() < 1e-14), "{mean:?}");
    }
}
