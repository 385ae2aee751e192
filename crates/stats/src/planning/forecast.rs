//! A test's operating characteristic, in the test's own unit.

use thiserror::Error;

use super::detectable::EloDifference;
use super::operating_point::{ExpectedLength, Openings, OperatingPoint};
use super::pair_distribution::PairDistribution;
use super::random_walk::RandomWalk;
use crate::elo::Normalized;
use crate::sequential::expected_score::score;
use crate::{EloModel, Logistic, Sprt};

/// A test of pairs with given openings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    test: Sprt,
    openings: Openings,
    variance: f64,
}

/// Why there is no forecast.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum ForecastError {
    /// No game has such a draw rate and opening bias.
    #[error(
        "games with {:.0} % draws are impossible with openings of a bias of {} Elo; lower one of the two",
        .0.draw_ratio * 100.0, .0.bias.0
    )]
    Openings(Openings),
    /// A model of single games.
    #[error("{} is a model of single games, but plans are for pairs; use normalized or logistic Elo", .0.unit())]
    EloModel(EloModel),
    /// Hypotheses that such games cannot have.
    #[error("games with this draw rate cannot show {0} Elo; use bounds closer to 0")]
    Bounds(f64),
}

/// Steps of the search for the longest expected test between the hypotheses.
const STEPS: u32 = 40;

impl Forecast {
    /// The forecast of `test` with pairs from `openings`.
    pub fn new(test: Sprt, openings: Openings) -> Result<Self, ForecastError> {
        if test.model() == EloModel::BayesElo {
            return Err(ForecastError::EloModel(test.model()));
        }
        let possible = PairDistribution::of_openings(openings, Logistic(0.0)).is_some();
        let variance = openings.variance_per_game().filter(|_| possible);
        let forecast = Self { test, openings, variance: variance.ok_or(ForecastError::Openings(openings))? };
        match [test.elo0(), test.elo1()].into_iter().find(|&elo| forecast.random_walk(elo).is_none()) {
            Some(elo) => Err(ForecastError::Bounds(elo)),
            None => Ok(forecast),
        }
    }

    /// The test whose length is predicted.
    pub const fn test(&self) -> &Sprt {
        &self.test
    }

    /// The variance of a game's score between equal players.
    pub const fn variance_per_game(&self) -> f64 {
        self.variance
    }

    /// Converts a difference from the test's unit to logistic Elo; infinite if no games can show it.
    pub fn logistic(&self, elo: f64) -> Logistic {
        Logistic::of_score(score(self.test.model(), elo, self.variance).clamp(0.0, 1.0))
    }

    /// A difference in the test's unit.
    pub const fn in_unit(&self, difference: EloDifference) -> f64 {
        let EloDifference { normalized: Normalized(normalized), logistic: Logistic(logistic) } = difference;
        match self.test.model() {
            EloModel::Normalized => normalized,
            EloModel::Logistic | EloModel::BayesElo => logistic,
        }
    }

    /// The random walk of the test at a true difference in its unit. `None` if no games can show it.
    pub fn random_walk(&self, elo: f64) -> Option<RandomWalk> {
        RandomWalk::new(&self.test, &PairDistribution::of_openings(self.openings, self.logistic(elo))?)
    }

    /// How many games the test is expected to take.
    pub fn expected_length(&self) -> ExpectedLength {
        let at_hypotheses = [self.test.elo0(), self.test.elo1()]
            .into_iter()
            .filter_map(|elo| self.random_walk(elo))
            .map(|walk| walk.operating_point().games)
            .fold(0.0, f64::max);
        let (worst, OperatingPoint { games, .. }) = self.worst();
        ExpectedLength { at_hypotheses, at_worst: games, worst }
    }

    /// The difference between the hypotheses, in the test's unit, with the longest expected test.
    pub fn worst(&self) -> (f64, OperatingPoint) {
        let (elo0, elo1) = (self.test.elo0(), self.test.elo1());
        let differences = (0..=STEPS).map(|step| elo0 + (elo1 - elo0) * f64::from(step) / f64::from(STEPS));
        differences
            .filter_map(|elo| Some((elo, self.random_walk(elo)?.operating_point())))
            .max_by(|(_, one), (_, other)| one.games.total_cmp(&other.games))
            .expect("the hypotheses themselves were walked when the forecast was made")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Risks;

    const OPENINGS: Openings = Openings { draw_ratio: 0.6, bias: Logistic(100.0) };

    fn test(model: EloModel, elo0: f64, elo1: f64) -> Sprt {
        Sprt::new(model, elo0, elo1, Risks::USUAL).expect("a sound test")
    }

    #[test]
    fn longest_test_is_between_the_hypotheses() {
        for model in [EloModel::Normalized, EloModel::Logistic] {
            let forecast = Forecast::new(test(model, 0.0, 5.0), OPENINGS).expect("such games exist");
            let (elo, longest) = forecast.worst();
            assert!((2.0..3.0).contains(&elo), "{model}: {elo}");
            for elo in [-5.0, 0.0, 5.0, 10.0] {
                let walk = forecast.random_walk(elo).expect("small differences");
                assert!(walk.operating_point().games < longest.games, "{model}: {elo}");
            }
        }
    }

    #[test]
    fn forecast_errors_name_the_reason() {
        let drawn = Openings { draw_ratio: 0.95, bias: Logistic(100.0) };
        let table = [
            (
                test(EloModel::Logistic, 0.0, 5.0),
                drawn,
                "games with 95 % draws are impossible with openings of a bias of 100 Elo; lower one of the two",
            ),
            (
                test(EloModel::BayesElo, 0.0, 5.0),
                OPENINGS,
                "BayesElo is a model of single games, but plans are for pairs; use normalized or logistic Elo",
            ),
        ];
        for (test, openings, why) in table {
            assert_eq!(Forecast::new(test, openings).expect_err(why).to_string(), why);
        }
    }
}
