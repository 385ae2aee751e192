//! What a test asks: which of two differences is the true one, and how often may the answer be wrong?
//!
//! Every stopping rule asks this. Rules differ in when they stop.

use std::fmt;

use thiserror::Error;

use super::judgement::Bounds;
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
    /// The trial of a test.
    pub enum TrialUnit {
        /// A pair of games from one opening with colours swapped, by its five results.
        Pairs = "pairs",
        /// A single game, by its three results; the correlation within pairs is ignored.
        Games = "games",
    }
}

impl TrialUnit {
    /// The default trial of a model: pairs, if the model supports them.
    pub const fn usual(model: EloModel) -> Self {
        match model {
            EloModel::Normalized | EloModel::Logistic => Self::Pairs,
            EloModel::BayesElo => Self::Games,
        }
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

/// Two hypotheses on the difference of two players, with valid parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloHypotheses {
    model: EloModel,
    elo0: f64,
    elo1: f64,
    risks: Risks,
}

/// Why parameters are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum InvalidTest {
    /// The hypotheses are equal, in the wrong order, or no numbers.
    #[error("elo0 = {elo0} and elo1 = {elo1} are invalid: elo0 must be less than elo1, both finite")]
    Hypotheses {
        /// H0, in the unit of the test's Elo model.
        elo0: f64,
        /// H1, in the unit of the test's Elo model.
        elo1: f64,
    },
    /// A hypothesis outside the supported range.
    #[error("{elo} {} is outside the range of the test; use bounds within ±{}", .model.unit(), .model.reach())]
    TooFar {
        /// The Elo model, which determines the unit.
        model: EloModel,
        /// The difference of the hypothesis, in that unit.
        elo: f64,
    },
    /// Hypotheses too close to each other.
    #[error("elo0 = {elo0} and elo1 = {elo1} are too close; leave at least {MIN_WIDTH} between them")]
    TooClose {
        /// H0, in the unit of the test's Elo model.
        elo0: f64,
        /// H1, in the unit of the test's Elo model.
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

impl EloHypotheses {
    /// `elo0` against `elo1`, in the model's unit.
    pub fn new(model: EloModel, elo0: f64, elo1: f64, risks: Risks) -> Result<Self, InvalidTest> {
        // A negated comparison, so that NaN is refused as well.
        if !(elo0 < elo1 && elo0.is_finite() && elo1.is_finite()) {
            return Err(InvalidTest::Hypotheses { elo0, elo1 });
        }
        if elo1 - elo0 < MIN_WIDTH {
            return Err(InvalidTest::TooClose { elo0, elo1 });
        }
        if let Some(elo) = [elo0, elo1].into_iter().find(|elo| elo.abs() > model.reach()) {
            return Err(InvalidTest::TooFar { model, elo });
        }
        if !(0.0 < risks.alpha && 0.0 < risks.beta && risks.alpha + risks.beta < 1.0) {
            return Err(InvalidTest::Risks(risks));
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
}

/// `[0, 5]`, in the model's unit.
impl fmt::Display for EloHypotheses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}, {}]", self.elo0, self.elo1)
    }
}
