//! The standard score of pairs against a hypothesis: a standard normal number if the hypothesis is true.
//!
//! It is the signed root of twice the log-likelihood ratio of the data to the hypothesis (the square of the
//! score is Wilks's statistic), with its mean removed. That mean is -γ / (6 √n), with the skewness γ of the
//! distribution that the hypothesis makes most likely. The error of the normal approximation is then of the
//! order 1/n (`DiCiccio` and Romano, "On adjustments based on the signed root of the empirical likelihood ratio
//! statistic", 1989); with the standard deviation of the sample it is of the order 1/√n.

use crate::sample::Sample;
use crate::sequential::max_likelihood::{Hypothesis, MaxLikelihood};

/// The standard score: positive if the data is above the hypothesis. `None` if no distribution satisfies the
/// hypothesis.
pub fn standard_score<const K: usize>(sample: &Sample<K>, hypothesis: Hypothesis) -> Option<f64> {
    let under = MaxLikelihood::under(sample, hypothesis)?;
    let divergence: f64 =
        sample.probabilities().iter().zip(under.ratios()).map(|(p, ratio)| p * ratio.ln()).sum();
    let above = match hypothesis {
        Hypothesis::Mean(mean) => sample.mean() - mean,
        Hypothesis::TValue(t) => sample.mean() - 0.5 - t * sample.variance().sqrt(),
    };
    // A divergence is never negative, except by rounding.
    let root = (2.0 * sample.trials() * divergence.max(0.0)).sqrt().copysign(above);
    let skewness = Sample::from_weights(under.probabilities(sample))?.skewness();
    // Infinitely skewed: all of the distribution is in one class.
    let shift = if skewness.is_finite() { skewness / (6.0 * sample.trials().sqrt()) } else { 0.0 };
    Some(root + shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pentanomial::Pentanomial;

    fn score(counts: [u64; 5], hypothesis: Hypothesis) -> f64 {
        let sample = Sample::regularised(&Pentanomial { counts }).expect("pairs");
        standard_score(&sample, hypothesis).expect("such a distribution exists")
    }

    /// Close to the number of standard errors for symmetric results, and to twice the log-likelihood ratio in
    /// its square.
    #[test]
    fn standard_score_counts_standard_errors() {
        // Mean 0.525, variance 0.040625, 500 pairs: 2.773 standard errors above an even score.
        let found = score([10, 90, 260, 120, 20], Hypothesis::Mean(0.5));
        assert!((found - 2.77).abs() < 0.02, "{found}");
        for counts in [[10, 90, 260, 120, 20], [0, 3, 400, 20, 0], [9, 0, 300, 40, 0]] {
            let [ours, theirs] = [Hypothesis::Mean(0.5), Hypothesis::TValue(0.0)].map(|it| score(counts, it));
            assert!((ours - theirs).abs() < 1e-6, "{counts:?}: {ours} {theirs}");
            let mut mirrored = counts;
            mirrored.reverse();
            assert!((score(mirrored, Hypothesis::Mean(0.5)) + ours).abs() < 1e-9, "{counts:?}");
        }
    }
}
