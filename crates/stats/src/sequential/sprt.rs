//! The sequential probability ratio test: is A better than B by `elo1` rather than by `elo0`?
//!
//! After every pair the log-likelihood ratio of the two hypotheses is compared with Wald's bounds; the test ends
//! at the first crossing, on average long before a test of fixed length would. The ratio is the generalised one
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
        /// Normalized Elo: the score over its spread; the length of a test does not depend on the draw rate.
        Normalized = "normalized",
        /// Logistic Elo: the expected score.
        Logistic = "logistic",
        /// BayesElo at the draw rate that the results show; it knows single games only, no pairs.
        BayesElo = "bayeselo",
    }
}

impl EloModel {
    /// What a difference is measured in.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Normalized => "normalized Elo",
            Self::Logistic => "logistic Elo",
            Self::BayesElo => "BayesElo",
        }
    }

    /// How far from 0 a hypothesis may lie. Normalized ones further out ask for a mean further from 1/2 than the
    /// uniform law's spread allows; the others for more than 997 points in 1000.
    const fn reach(self) -> f64 {
        match self {
            Self::Normalized => 225.0,
            Self::Logistic | Self::BayesElo => 1000.0,
        }
    }
}

named_enum! {
    /// What a log-likelihood ratio stands on.
    pub enum LlrBasis {
        /// Trials ended in different ways, so they say something of their spread.
        Data = "data",
        /// No trial yet, or all ended alike: they say nothing of the spread, and what a test makes of it comes from
        /// the thousandth of a trial that stands in each empty class.
        Prior = "prior",
    }
}

impl LlrBasis {
    /// What these results give a test to stand on.
    pub fn of<const K: usize>(results: &ResultCounts<K>) -> Self {
        if results.classes_seen() < 2 { Self::Prior } else { Self::Data }
    }
}

/// How often a test may err.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Risks {
    /// The chance of accepting H1 when H0 is true.
    pub alpha: f64,
    /// The chance of accepting H0 when H1 is true.
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

/// Where a test ends: H0 is accepted at or below `lower`, H1 at or above `upper`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Negative.
    pub lower: f64,
    /// Positive.
    pub upper: f64,
}

impl Bounds {
    /// What a log-likelihood ratio comes to.
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

/// What a test says after the results so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
    /// Not decided.
    Continue,
}

/// A test with sound parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    risks: Risks,
}

/// Why parameters make no test.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum InvalidSprt {
    /// The hypotheses are equal, in the wrong order, or no numbers.
    #[error("elo0 = {elo0} and elo1 = {elo1} name no test: elo0 must be less than elo1, both finite")]
    Hypotheses {
        /// As given.
        elo0: f64,
        /// As given.
        elo1: f64,
    },
    /// A hypothesis that hardly any results agree with.
    #[error("{elo} {} is beyond what results can show; use bounds within ±{}", .model.unit(), .model.reach())]
    TooFar {
        /// The unit.
        model: EloModel,
        /// The hypothesis.
        elo: f64,
    },
    /// Hypotheses that rounding makes one.
    #[error(
        "elo0 = {elo0} and elo1 = {elo1} are too close to be told apart; leave at least {MIN_WIDTH} between them"
    )]
    TooClose {
        /// As given.
        elo0: f64,
        /// As given.
        elo1: f64,
    },
    /// Pairs for a model of single games.
    #[error("BayesElo knows single games only; count games, or test logistic Elo")]
    PairsUnknown,
    /// An error rate that is none.
    #[error("alpha = {} and beta = {} must be above 0 and add up to less than 1, such as 0.05 and 0.05", .0.alpha, .0.beta)]
    Risks(Risks),
}

/// Hypotheses this close take 10^12 games.
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

    /// How often the test may err.
    pub const fn risks(&self) -> Risks {
        self.risks
    }

    /// Where it ends.
    pub fn bounds(&self) -> Bounds {
        self.risks.bounds()
    }

    /// The natural logarithm of how much likelier the results are under H1 than under H0. It is a number for any
    /// results, however one-sided; [`LlrBasis`] says whether they or the prior made it.
    /// `None` before the first trial, and for pairs under [`EloModel::BayesElo`].
    pub fn llr<const K: usize>(&self, results: &ResultCounts<K>) -> Option<f64> {
        let sample = Sample::regularised(results)?;
        let [h0, h1] = self.hypotheses(&sample)?.map(|hypothesis| MaxLikelihood::under(&sample, hypothesis));
        Some(h1?.against(&h0?, &sample))
    }

    /// What the results so far come to.
    pub fn judge<const K: usize>(&self, results: &ResultCounts<K>) -> Judgement {
        match self.llr(results) {
            Some(llr) => self.bounds().judge(llr),
            None => Judgement::Continue,
        }
    }

    /// What H0 and H1 fix of the law of a trial. BayesElo takes the draw rate from the sample, as fishtest and
    /// fastchess do, and so needs single games: `None` for pairs.
    pub fn hypotheses<const K: usize>(&self, sample: &Sample<K>) -> Option<[Hypothesis; 2]> {
        let elo = [self.elo0, self.elo1];
        match self.model {
            EloModel::Logistic => Some(elo.map(|elo| Hypothesis::Mean(Logistic(elo).score()))),
            EloModel::Normalized => {
                let t_value = |elo| Normalized(elo).t_value(Sample::<K>::GAMES_PER_TRIAL);
                Some(elo.map(|elo| Hypothesis::TValue(t_value(elo))))
            }
            EloModel::BayesElo => {
                let law = <[f64; 3]>::try_from(sample.law().as_slice()).ok()?;
                let (_, draws) = BayesElo::of_law(law)?;
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

    /// Published by the programs named in the notes on peers; the last digit may be rounded.
    #[test]
    fn published_values() {
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
    fn parameters_that_make_no_test_are_refused() {
        let sound =
            |elo0, elo1, alpha, beta| Sprt::new(EloModel::Normalized, elo0, elo1, Risks { alpha, beta });
        assert!(sound(0.0, 5.0, 0.05, 0.1).is_ok());
        let table = [
            (
                5.0,
                5.0,
                0.05,
                0.05,
                "elo0 = 5 and elo1 = 5 name no test: elo0 must be less than elo1, both finite",
            ),
            (
                0.0,
                f64::NAN,
                0.05,
                0.05,
                "elo0 = 0 and elo1 = NaN name no test: elo0 must be less than elo1, both finite",
            ),
            (
                0.0,
                500.0,
                0.05,
                0.05,
                "500 normalized Elo is beyond what results can show; use bounds within ±225",
            ),
            (
                0.0,
                1e-9,
                0.05,
                0.05,
                "elo0 = 0 and elo1 = 0.000000001 are too close to be told apart; leave at least 0.001 between them",
            ),
        ];
        for (elo0, elo1, alpha, beta, message) in table {
            assert_eq!(sound(elo0, elo1, alpha, beta).expect_err(message).to_string(), message);
        }
    }

    #[test]
    fn one_kind_of_result_says_nothing_of_the_spread() {
        let table = [
            ([0, 0, 0, 0, 0], LlrBasis::Prior),
            ([0, 0, 1380, 0, 0], LlrBasis::Prior),
            ([0, 0, 0, 0, 1], LlrBasis::Prior),
            ([0, 0, 1380, 1, 0], LlrBasis::Data),
        ];
        for (counts, footing) in table {
            assert_eq!(LlrBasis::of(&Pentanomial { counts }), footing, "{counts:?}");
        }
    }

    #[test]
    fn a_bound_is_reached_by_touching_it() {
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
