//! The sequential probability ratio test: is A better than B by `elo1` rather than by `elo0`?
//!
//! After every pair the log-likelihood ratio of the two hypotheses is compared with Wald's bounds. The test
//! ends at the first crossing, on average long before a test of fixed length. The ratio is the generalised one
//! of fishtest, over the five results of a pair.

use thiserror::Error;

use super::max_likelihood::{Hypothesis, MaxLikelihood};
use crate::bayeselo::BayesElo;
use crate::elo::{Logistic, Normalized};
use crate::pentanomial::ResultCounts;
use crate::sample::Sample;
use threefold_named_enum::named_enum;

named_enum! {
    /// The unit of a test's two hypotheses.
    pub enum EloModel {
        /// Normalized Elo: score divided by standard deviation; the length of a test does not depend on the
        /// draw rate.
        Normalized = "normalized",
        /// Logistic Elo: the expected score.
        Logistic = "logistic",
        /// BayesElo at the sample's draw rate; for single games only, not for pairs.
        BayesElo = "bayeselo",
    }
}

impl EloModel {
    /// The name of the unit.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Normalized => "normalized Elo",
            Self::Logistic => "logistic Elo",
            Self::BayesElo => "BayesElo",
        }
    }

    /// The largest distance of a hypothesis from 0. A normalized one further out requires a mean beyond what
    /// the uniform distribution's standard deviation allows; the others a score of more than 0.997.
    const fn reach(self) -> f64 {
        match self {
            Self::Normalized => 225.0,
            Self::Logistic | Self::BayesElo => 1000.0,
        }
    }
}

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
    pub fn of<const K: usize>(results: &ResultCounts<K>) -> Self {
        if results.classes_seen() < 2 { Self::Prior } else { Self::Data }
    }
}

/// The error probabilities of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Risks {
    /// The type I error probability: accepting H1 when H0 is true.
    pub alpha: f64,
    /// The type II error probability: accepting H0 when H1 is true.
    pub beta: f64,
}

impl Risks {
    /// 5 % either way.
    pub const USUAL: Self = Self { alpha: 0.05, beta: 0.05 };

    /// Wald's bounds for the log-likelihood ratio.
    pub fn bounds(self) -> Bounds {
        Bounds { lower: (self.beta / (1.0 - self.alpha)).ln(), upper: ((1.0 - self.beta) / self.alpha).ln() }
    }
}

/// The bounds of the log-likelihood ratio: H0 is accepted at or below `lower`, H1 at or above `upper`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Negative.
    pub lower: f64,
    /// Positive.
    pub upper: f64,
}

impl Bounds {
    /// The decision at a log-likelihood ratio.
    pub fn judge(self, llr: f64) -> Judgement {
        if llr <= self.lower {
            Judgement::AcceptH0
        } else if self.upper <= llr {
            Judgement::AcceptH1
        } else {
            Judgement::Continue
        }
    }
}

/// The decision of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// Accept H0: the difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// Accept H1: the difference is `elo1` rather than `elo0`.
    AcceptH1,
    /// No decision yet.
    Continue,
}

/// A sequential probability ratio test with valid parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    risks: Risks,
}

/// Why parameters are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum InvalidSprt {
    /// The hypotheses are equal, in the wrong order, or no numbers.
    #[error("elo0 = {elo0} and elo1 = {elo1} are invalid: elo0 must be less than elo1, both finite")]
    Hypotheses {
        /// As given.
        elo0: f64,
        /// As given.
        elo1: f64,
    },
    /// A hypothesis outside the supported range.
    #[error("{elo} {} is outside the range of the test; use bounds within ±{}", .model.unit(), .model.reach())]
    TooFar {
        /// The unit.
        model: EloModel,
        /// The hypothesis.
        elo: f64,
    },
    /// Hypotheses too close to each other.
    #[error("elo0 = {elo0} and elo1 = {elo1} are too close; leave at least {MIN_WIDTH} between them")]
    TooClose {
        /// As given.
        elo0: f64,
        /// As given.
        elo1: f64,
    },
    /// A model of single games with pairs.
    #[error("BayesElo supports single games only; count games, or test logistic Elo")]
    PairsUnknown,
    /// An invalid error probability.
    #[error("alpha = {} and beta = {} must be above 0 and add up to less than 1, such as 0.05 and 0.05", .0.alpha, .0.beta)]
    Risks(Risks),
}

/// Closer hypotheses would take more than 10^12 games.
const MIN_WIDTH: f64 = 1e-3;

impl Sprt {
    /// A test of `elo0` against `elo1`, in the model's unit.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, risks: Risks) -> Result<Self, InvalidSprt> {
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(InvalidSprt::Hypotheses { elo0, elo1 });
        }
        if elo1 - elo0 < MIN_WIDTH {
            return Err(InvalidSprt::TooClose { elo0, elo1 });
        }
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.abs() > model.reach()) {
            return Err(InvalidSprt::TooFar { model, elo });
        }
        if !(0.0 < risks.alpha && 0.0 < risks.beta && risks.alpha + risks.beta < 1.0) {
            return Err(InvalidSprt::Risks(risks));
        }
        Ok(Self { model, elo0, elo1, risks })
    }

    /// The unit of the hypotheses.
    pub const fn model(&self) -> EloModel {
        self.model
    }

    /// H0's difference, in the model's unit.
    pub const fn elo0(&self) -> f64 {
        self.elo0
    }

    /// H1's difference, in the model's unit.
    pub const fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The error probabilities.
    pub const fn risks(&self) -> Risks {
        self.risks
    }

    /// Wald's bounds.
    pub fn bounds(&self) -> Bounds {
        self.risks.bounds()
    }

    /// The generalised log-likelihood ratio of H1 to H0 (natural logarithm), finite for any results;
    /// [`LlrBasis`] reports whether it is based on data or on the prior. `None` before the first trial, and for
    /// pairs under [`EloModel::BayesElo`].
    pub fn llr<const K: usize>(&self, results: &ResultCounts<K>) -> Option<f64> {
        let sample = Sample::regularised(results)?;
        let [h0, h1] = self.hypotheses(&sample)?.map(|hypothesis| MaxLikelihood::under(&sample, hypothesis));
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
    pub fn hypotheses<const K: usize>(&self, sample: &Sample<K>) -> Option<[Hypothesis; 2]> {
        let elo = [self.elo0, self.elo1];
        match self.model {
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
            assert_eq!(LlrBasis::of(&Pentanomial { counts }), basis, "{counts:?}");
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
