//! The sequential probability ratio test: is A better than B by `elo1` rather than by `elo0`?
//!
//! After every pair the log-likelihood ratio of the two hypotheses is compared with Wald's bounds. The test
//! ends at the first crossing, on average long before a test of fixed length. The ratio is the generalised
//! one of fishtest, over the five results of a pair.

use super::hypotheses::{EloHypotheses, EloModel, InvalidTest, Risks};
use super::judgement::{Bounds, Judgement};
use super::max_likelihood::{Hypothesis, MaxLikelihood};
use crate::bayeselo::BayesElo;
use crate::elo::{Logistic, Normalized};
use crate::pentanomial::ResultCounts;
use crate::sample::Sample;
use threefold_named_enum::named_enum;

named_enum! {
    /// The basis of a log-likelihood ratio.
    pub enum LlrBasis {
        /// Trials had different results, so the variance is estimated from data.
        Data = "data",
        /// No trial, or all ended alike: the variance is unknown, and the ratio depends on the regularisation
        /// of empty classes.
        Prior = "prior",
    }
}

impl LlrBasis {
    /// The basis of the ratio for these results.
    pub fn from_results<const K: usize>(results: &ResultCounts<K>) -> Self {
        if results.classes_seen() < 2 { Self::Prior } else { Self::Data }
    }
}

/// A sequential probability ratio test with valid parameters.
///
/// ```
/// use threefold_stats::{EloModel, Judgement, Pentanomial, Risks, Sprt};
///
/// let sprt = Sprt::new(EloModel::Normalized, 0.0, 5.0, Risks { alpha: 0.05, beta: 0.05 })?;
/// // Pairs with 0, 1/2, 1, 3/2 and 2 points of the first player.
/// let few = Pentanomial { counts: [10, 180, 400, 240, 30] };
/// assert_eq!(sprt.judge(&few), Judgement::Continue);
/// let many = Pentanomial { counts: few.counts.map(|count| 10 * count) };
/// assert_eq!(sprt.judge(&many), Judgement::AcceptH1);
/// # Ok::<(), threefold_stats::sequential::InvalidTest>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    hypotheses: EloHypotheses,
}

impl From<EloHypotheses> for Sprt {
    fn from(hypotheses: EloHypotheses) -> Self {
        Self { hypotheses }
    }
}

impl Sprt {
    /// A test of `elo0` against `elo1`, in the model's unit.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, risks: Risks) -> Result<Self, InvalidTest> {
        Ok(Self { hypotheses: EloHypotheses::new(model, elo0, elo1, risks)? })
    }

    /// The hypotheses and the error probabilities.
    pub const fn hypotheses(&self) -> &EloHypotheses {
        &self.hypotheses
    }

    /// The unit of the hypotheses.
    pub const fn model(&self) -> EloModel {
        self.hypotheses.model()
    }

    /// H0's difference, in the model's unit.
    pub const fn elo0(&self) -> f64 {
        self.hypotheses.elo0()
    }

    /// H1's difference, in the model's unit.
    pub const fn elo1(&self) -> f64 {
        self.hypotheses.elo1()
    }

    /// The error probabilities.
    pub const fn risks(&self) -> Risks {
        self.hypotheses.risks()
    }

    /// Wald's bounds.
    pub fn bounds(&self) -> Bounds {
        self.risks().bounds()
    }

    /// The generalised log-likelihood ratio of H1 to H0 (natural logarithm), finite for any results;
    /// [`LlrBasis`] reports whether it is based on data or on the prior. `None` before the first trial, and
    /// for pairs under [`EloModel::BayesElo`].
    pub fn llr<const K: usize>(&self, results: &ResultCounts<K>) -> Option<f64> {
        // Without the prior there may be no distribution on the results so far with the mean of a hypothesis.
        let sample = Sample::regularised(results)?;
        let [h0, h1] =
            self.fixed_parameters(&sample)?.map(|hypothesis| MaxLikelihood::under(&sample, hypothesis));
        Some(h1?.against(&h0?, &sample))
    }

    /// The decision for these results.
    pub fn judge<const K: usize>(&self, results: &ResultCounts<K>) -> Judgement {
        match self.llr(results) {
            Some(llr) => self.bounds().judge(llr),
            None => Judgement::Continue,
        }
    }

    /// The parameters that H0 and H1 fix. BayesElo takes the draw rate from the sample, as fishtest and
    /// fastchess do, and needs single games: `None` for pairs.
    pub fn fixed_parameters<const K: usize>(&self, sample: &Sample<K>) -> Option<[Hypothesis; 2]> {
        let elo = [self.elo0(), self.elo1()];
        match self.model() {
            EloModel::Logistic => Some(elo.map(|elo| Hypothesis::Mean(Logistic(elo).score()))),
            EloModel::Normalized => {
                let t_value = |elo| Normalized(elo).t_value(Sample::<K>::GAMES_PER_TRIAL);
                Some(elo.map(|elo| Hypothesis::TValue(t_value(elo))))
            }
            EloModel::BayesElo => {
                let probabilities = <[f64; 3]>::try_from(sample.probabilities().as_slice()).ok()?;
                let (_, draws) = BayesElo::from_probabilities(probabilities)?;
                Some(elo.map(|elo| Hypothesis::Mean(BayesElo(elo).score(draws))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pentanomial::{Pentanomial, Trinomial};

    fn test(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(model, elo0, elo1, Risks::USUAL).expect("a sound test")
    }

    /// Published by the programs named in `compat`; the last digit may be rounded.
    #[test]
    fn sprt_reproduces_published_values() {
        let table = [
            ([365, 16_618, 36_229, 16_974, 390], EloModel::Normalized, 0.0, 2.0, 2.25037),
            ([127, 4883, 10_712, 5150, 104], EloModel::Normalized, -1.75, 0.25, 3.01015),
            ([39, 8843, 26_675, 9240, 44], EloModel::Normalized, 0.5, 2.5, 2.94168),
            ([379, 10_170, 21_828, 10_640, 343], EloModel::Normalized, 0.0, 2.0, 2.94550),
            ([13, 37, 50, 25, 3], EloModel::Normalized, 0.0, 4.0, -0.54912),
            ([223, 9863, 21_279, 10_037, 246], EloModel::Logistic, 0.5, 2.5, -3.07413),
            ([10_789, 19_328, 33_806, 19_402, 10_543], EloModel::Logistic, -3.0, 1.0, 2.13107),
        ];
        for (counts, model, elo0, elo1, expected) in table {
            let llr = test(model, elo0, elo1).llr(&Pentanomial { counts }).expect("there are pairs");
            assert!((llr - expected).abs() < 1e-5, "{counts:?}: {llr} for {expected}");
        }
        let games = Trinomial { counts: [36_027, 68_692, 36_433] };
        let llr = test(EloModel::Normalized, 0.0, 2.0).llr(&games).expect("there are games");
        assert!((llr - 0.92329).abs() < 1e-5, "single games lose most of the evidence: {llr}");
    }

    #[test]
    fn sprt_refuses_invalid_parameters() {
        let sound =
            |elo0, elo1, alpha, beta| Sprt::new(EloModel::Normalized, elo0, elo1, Risks { alpha, beta });
        assert!(sound(0.0, 5.0, 0.05, 0.1).is_ok());
        let table = [
            (
                5.0,
                5.0,
                0.05,
                0.05,
                "elo0 = 5 and elo1 = 5 are invalid: elo0 must be less than elo1, both finite",
            ),
            (
                0.0,
                f64::NAN,
                0.05,
                0.05,
                "elo0 = 0 and elo1 = NaN are invalid: elo0 must be less than elo1, both finite",
            ),
            (
                0.0,
                500.0,
                0.05,
                0.05,
                "500 normalized Elo is outside the range of the test; use bounds within ±225",
            ),
            (
                0.0,
                1e-9,
                0.05,
                0.05,
                "elo0 = 0 and elo1 = 0.000000001 are too close; leave at least 0.001 between them",
            ),
        ];
        for (elo0, elo1, alpha, beta, message) in table {
            assert_eq!(sound(elo0, elo1, alpha, beta).expect_err(message).to_string(), message);
        }
    }

    #[test]
    fn llr_basis_is_the_prior_for_one_kind_of_result() {
        let table = [
            ([0, 0, 0, 0, 0], LlrBasis::Prior),
            ([0, 0, 1380, 0, 0], LlrBasis::Prior),
            ([0, 0, 0, 0, 1], LlrBasis::Prior),
            ([0, 0, 1380, 1, 0], LlrBasis::Data),
        ];
        for (counts, basis) in table {
            assert_eq!(LlrBasis::from_results(&Pentanomial { counts }), basis, "{counts:?}");
        }
    }

    #[test]
    fn bound_is_reached_at_equality() {
        let bounds = Risks::USUAL.bounds();
        let table = [
            (bounds.lower, Judgement::AcceptH0),
            (bounds.lower + 1e-9, Judgement::Continue),
            (bounds.upper - 1e-9, Judgement::Continue),
            (bounds.upper, Judgement::AcceptH1),
        ];
        for (llr, judgement) in table {
            assert_eq!(bounds.judge(llr), judgement, "{llr}");
        }
        assert_eq!(test(EloModel::Normalized, 0.0, 5.0).judge(&Pentanomial::EMPTY), Judgement::Continue);
    }
}
