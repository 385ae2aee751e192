//! What a test with a deadline asks, and the bounds of its score at any time.

use std::num::NonZeroU64;

use thiserror::Error;

use crate::elo::{normal_cdf, normal_quantile};
use crate::sequential::expected_scores;
use crate::{Bounds, EloHypotheses, EloModel, Risks};

/// The probability with which the rest of the games may undo an early decision.
pub const UNDONE: f64 = 0.01;

/// The power below which a test with a deadline is refused: H1 would be missed more often than found.
const LEAST_POWER: f64 = 0.5;

/// Two hypotheses, and the largest number of pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeadlineTest {
    hypotheses: EloHypotheses,
    pairs: NonZeroU64,
}

/// Why there is no such test.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum DeadlineError {
    /// A model of single games.
    #[error(
        "a test with a deadline counts pairs, and BayesElo is a model of single games; test normalized or logistic Elo"
    )]
    PairsUnknown,
    /// Too few games for the hypotheses.
    #[error(
        "{games:.0} games are too few to test {elo0} against {elo1} {}: H1 would be accepted with a probability of {:.0} % if it is \
         true; {least:.0} games accept it with 50 %, {enough:.0} with {:.0} %; give more games or time, or bounds further apart",
        .model.unit(), power * 100.0, target * 100.0
    )]
    TooFew {
        /// The number of games at the deadline.
        games: f64,
        /// H0, in the unit of the model.
        elo0: f64,
        /// H1, in the unit of the model.
        elo1: f64,
        /// The unit of both.
        model: EloModel,
        /// The probability of accepting H1 if it is true.
        power: f64,
        /// The number of games with a probability of one half.
        least: f64,
        /// The number of games with the probability `target`.
        enough: f64,
        /// 1 - beta.
        target: f64,
    },
}

impl DeadlineTest {
    /// A test of at most `pairs` pairs.
    ///
    /// # Errors
    /// For a model of single games.
    pub fn new(hypotheses: EloHypotheses, pairs: NonZeroU64) -> Result<Self, DeadlineError> {
        match hypotheses.model() {
            EloModel::BayesElo => Err(DeadlineError::PairsUnknown),
            EloModel::Normalized | EloModel::Logistic => Ok(Self { hypotheses, pairs }),
        }
    }

    /// The hypotheses and the error probabilities.
    pub const fn hypotheses(&self) -> &EloHypotheses {
        &self.hypotheses
    }

    /// The number of pairs at the deadline, if it is one of pairs.
    pub const fn pairs(&self) -> NonZeroU64 {
        self.pairs
    }

    /// Checks that `games` games, the number at the deadline, are enough for the hypotheses. `variance` is that of a
    /// game's score, in pairs; it has no influence in normalized Elo.
    ///
    /// # Errors
    /// If H1 would be accepted with a probability of less than one half when it is true.
    pub fn check_power(&self, games: f64, variance: f64) -> Result<(), DeadlineError> {
        let power = power(&self.hypotheses, variance, games);
        if power >= LEAST_POWER {
            return Ok(());
        }
        let target = 1.0 - self.hypotheses.risks().beta;
        let needed = |power| games_for(&self.hypotheses, variance, power).ceil();
        Err(DeadlineError::TooFew {
            games,
            elo0: self.hypotheses.elo0(),
            elo1: self.hypotheses.elo1(),
            model: self.hypotheses.model(),
            power,
            least: needed(LEAST_POWER),
            enough: needed(target),
            target,
        })
    }
}

/// The standard errors of the mean of `games` games, in pairs, between the hypotheses. `variance` is that of a
/// game's score.
pub fn separation(hypotheses: &EloHypotheses, variance: f64, games: f64) -> f64 {
    let [score0, score1] = expected_scores(hypotheses, variance);
    (score1 - score0) * (games / variance).sqrt()
}

/// The power of the test of fixed length: the probability of accepting H1 after `games` games, in pairs, if it
/// is true.
pub fn power(hypotheses: &EloHypotheses, variance: f64, games: f64) -> f64 {
    normal_cdf(separation(hypotheses, variance, games) - normal_quantile(1.0 - hypotheses.risks().alpha))
}

/// The number of games at which the test of fixed length has this power.
pub fn games_for(hypotheses: &EloHypotheses, variance: f64, power: f64) -> f64 {
    let wanted = normal_quantile(1.0 - hypotheses.risks().alpha) + normal_quantile(power);
    (wanted / separation(hypotheses, variance, 1.0)).powi(2)
}

/// The bounds of the score of a test. The score is the B-value: how far the mean is above H0, in standard
/// errors of the mean at the deadline, times the share of the games that are played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeadlineBounds {
    /// The critical values against H0 and against H1.
    critical: [f64; 2],
    /// The standard errors at the deadline between the hypotheses.
    separation: f64,
}

impl DeadlineBounds {
    /// The bounds for hypotheses that are `separation` standard errors apart at the deadline; above 0.
    pub fn new(risks: Risks, separation: f64) -> Self {
        // Early decisions raise each error probability by a factor of at most 1 / (1 - UNDONE) (Lan, Simon
        // and Halperin, 1982).
        let critical = [risks.alpha, risks.beta].map(|risk| normal_quantile(1.0 - risk * (1.0 - UNDONE)));
        Self { critical, separation }
    }

    /// The separation at which the test is always decided at its deadline.
    pub fn decisive(risks: Risks) -> f64 {
        Self::new(risks, 0.0).critical.iter().sum()
    }

    /// The bounds when `share` of the games or of the time is used, from 0 to 1. Between them at 1 the test is
    /// undecided: it can reject neither hypothesis. With more games than [`DeadlineBounds::decisive`] demands
    /// they meet there.
    pub fn at(&self, share: f64) -> Bounds {
        let rest = (1.0 - share).max(0.0);
        let reach = normal_quantile(1.0 - UNDONE) * rest.sqrt();
        let [against_h0, against_h1] = self.critical;
        // Whatever does not accept H1 accepts H0 if that has an error probability below beta.
        let failing = against_h0.min(self.separation - against_h1);
        Bounds { lower: failing - self.separation * rest - reach, upper: against_h0 + reach }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of games with 60 % draws from openings with a bias of 100 Elo.
    const VARIANCE: f64 = 0.080_3;

    fn hypotheses(model: EloModel, elo0: f64, elo1: f64) -> EloHypotheses {
        EloHypotheses::new(model, elo0, elo1, Risks::USUAL).expect("sound")
    }

    fn pairs(pairs: u64) -> NonZeroU64 {
        NonZeroU64::new(pairs).expect("not zero")
    }

    /// The number of games of a test of fixed length: ((z.95 + z.95) · 347.4 / 5)² for [0, 5] normalized Elo.
    #[test]
    fn games_of_a_power_have_that_power() {
        let nelo = hypotheses(EloModel::Normalized, 0.0, 5.0);
        let games = games_for(&nelo, VARIANCE, 0.95);
        assert!((games - 52_254.0).abs() < 5.0, "{games}");
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let asked = hypotheses(model, -3.0, 4.0);
            for wanted in [0.5, 0.8, 0.95] {
                let games = games_for(&asked, VARIANCE, wanted);
                let found = power(&asked, VARIANCE, games);
                assert!((found - wanted).abs() < 1e-9, "{model} {wanted}: {found}");
            }
        }
    }

    #[test]
    fn bounds_that_the_games_cannot_tell_apart_are_refused() {
        let test = DeadlineTest::new(hypotheses(EloModel::Normalized, 0.0, 5.0), pairs(500)).expect("sound");
        assert_eq!(
            test.check_power(1000.0, VARIANCE).expect_err("too few").to_string(),
            "1000 games are too few to test 0 against 5 normalized Elo: H1 would be accepted with a probability of 12 % if it is true; \
             13064 games accept it with 50 %, 52255 with 95 %; give more games or time, or bounds further apart"
        );
        assert_eq!(test.check_power(13_100.0, VARIANCE), Ok(()));
        let bayes = hypotheses(EloModel::BayesElo, 0.0, 5.0);
        assert_eq!(DeadlineTest::new(bayes, pairs(500)), Err(DeadlineError::PairsUnknown));
    }

    #[test]
    fn bounds_narrow_until_the_deadline() {
        let decisive = DeadlineBounds::decisive(Risks::USUAL);
        for separation in [0.5, 2.0, decisive, 5.0] {
            let bounds = DeadlineBounds::new(Risks::USUAL, separation);
            let all: Vec<Bounds> = (0..=100).map(|at| bounds.at(f64::from(at) / 100.0)).collect();
            for two in all.windows(2) {
                assert!(two[0].lower < two[1].lower && two[1].upper < two[0].upper, "{separation}: {two:?}");
            }
            let Bounds { lower, upper } = all[100];
            assert_eq!(lower < upper, separation < decisive, "{separation}: {lower} {upper}");
            assert!((upper - 1.6497).abs() < 1e-3, "{upper}");
        }
    }
}
