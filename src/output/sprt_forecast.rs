//! The forecast of a sequential test: the output of `plan`, and a line that `sprt` prints before it starts.

use std::num::NonZeroU64;

use crate::output::game_length::GameLength;
use threefold_stats::deadline::course::EndChances;
use threefold_stats::deadline::{Course, DeadlineBounds, DeadlineTest};
use threefold_stats::planning::{
    DetectableDifferences, EloDifference, ExpectedLength, Forecast, Openings, OutcomeChances,
};
use threefold_stats::sequential::expected_scores;
use threefold_stats::{EloHypotheses, Logistic};

/// A test, the length of its games, and the budget.
pub struct SprtForecast {
    /// The test.
    pub forecast: Forecast,
    /// Length of a game, if known, and the number of games at a time.
    pub length: Option<(GameLength, usize)>,
    /// Number of games in the budget.
    pub games: Option<f64>,
}

/// Default assumption about openings: a common unbalanced book and strong engines. It has no influence on the
/// length of a test in normalized Elo.
pub const ASSUMED: Openings = Openings { draw_ratio: 0.6, bias: Logistic(100.0) };

/// The forecast for one true difference.
pub struct Prediction {
    /// In the test's unit.
    pub elo: f64,
    /// In logistic Elo.
    pub logistic: f64,
    /// The probability of accepting H1, without a budget.
    pub pass: f64,
    /// The expected number of games, without a budget.
    pub games: f64,
    /// The state of the tests at the end of the budget.
    pub within: Option<WithinBudget>,
}

/// The SPRT and the test with a deadline, if both end with the budget.
#[derive(Debug, Clone, Copy)]
pub struct WithinBudget {
    /// The SPRT, which may end undecided.
    pub sprt: OutcomeChances,
    /// Its expected number of games.
    pub sprt_games: f64,
    /// The test with a deadline.
    pub deadline: OutcomeChances,
    /// Its expected number of games.
    pub deadline_games: f64,
}

/// The test with a deadline at the end of the budget.
struct DeadlineForecast {
    course: Course,
    /// The mean score under H0.
    score0: f64,
    /// The number of standard errors of the whole budget in a unit of the mean score.
    errors: f64,
}

/// True differences of the forecast: 0 is H0, 1 is H1.
const PLACES: [f64; 9] = [-1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];

impl SprtForecast {
    /// Forecasts for a grid of true differences; impossible ones are omitted.
    pub fn predictions(&self) -> Vec<Prediction> {
        let test = self.forecast.test();
        let places = PLACES.iter().map(|place| test.elo0() + place * (test.elo1() - test.elo0()));
        let deadline = self.deadline();
        places.filter_map(|elo| self.prediction(elo, deadline.as_ref())).collect()
    }

    /// The test with a deadline, if there is a budget.
    fn deadline(&self) -> Option<DeadlineForecast> {
        let (test, variance) = (self.forecast.test(), self.forecast.variance_per_game());
        // The mean score of this number of games has the standard error sqrt(variance / games).
        let errors = (self.games? / variance).sqrt();
        let [score0, score1] = expected_scores(test.hypotheses(), variance);
        let bounds = DeadlineBounds::new(test.risks(), (score1 - score0) * errors);
        Some(DeadlineForecast { course: Course::new(&bounds), score0, errors })
    }

    fn prediction(&self, elo: f64, deadline: Option<&DeadlineForecast>) -> Option<Prediction> {
        let walk = self.forecast.random_walk(elo)?;
        let prospect = walk.operating_point();
        let logistic = self.forecast.logistic(elo);
        let within = self.games.zip(deadline).map(|(games, test)| {
            let EndChances { passed, failed, share } =
                test.course.chances((logistic.score() - test.score0) * test.errors);
            WithinBudget {
                sprt: walk.chances_within(games),
                sprt_games: walk.games_within(games),
                // Rounding errors may make the sum exceed 1.
                deadline: OutcomeChances { passed, failed, undecided: (1.0 - passed - failed).max(0.0) },
                deadline_games: games * share,
            }
        });
        Some(Prediction { elo, logistic: logistic.0, pass: prospect.pass, games: prospect.games, within })
    }

    /// The smallest difference that the budget can detect.
    pub fn sight(&self) -> Option<DetectableDifferences> {
        let risks = self.forecast.test().risks();
        Some(DetectableDifferences::with_games(self.games?, risks, self.forecast.variance_per_game()))
    }

    /// The expected length at the hypotheses and in the worst case, in games and in time, if known.
    pub fn cost(&self) -> String {
        cost("SPRT", self.forecast.test().hypotheses(), self.forecast.expected_length(), self.length.as_ref())
    }

    /// The time that a number of games takes, in words.
    pub fn time(&self, games: f64) -> Option<String> {
        self.length.as_ref().map(|length| time_of(games, length))
    }

    /// The budget in games, the resolution of a match of that length, the chance of an undecided test, and
    /// bounds that fit.
    pub fn verdict(&self) -> Option<String> {
        let (games, sight) = (self.games?, self.sight()?);
        let (test, deadline) = (self.forecast.test(), self.deadline()?);
        let undecided = |elo| Some(self.prediction(elo, Some(&deadline))?.within?.sprt.undecided);
        let width = self.forecast.in_unit(sight.sequential_at_worst);
        Some(format!(
            "Budget: {} games. A match of that length has an error of ±{} and can detect {}. This SPRT would end undecided \
             with probability {} at a true difference of {}, and {} in the worst case. On average, bounds [{}, {}] would \
             fit the budget.",
            rounded(games),
            both(sight.fixed_interval),
            both(sight.fixed),
            percent(undecided(test.elo1())?),
            test.elo1(),
            percent(undecided(self.forecast.worst().0)?),
            test.elo0(),
            tenth(test.elo0() + width),
        ))
    }

    /// What a test with a deadline at the end of the budget does, compared with this SPRT.
    pub fn comparison(&self) -> Option<String> {
        let (games, test) = (self.games?, self.forecast.test());
        let WithinBudget { sprt, sprt_games, deadline, deadline_games } =
            self.prediction(test.elo1(), Some(&self.deadline()?))?.within?;
        let refused = DeadlineTest::new(*test.hypotheses(), NonZeroU64::MIN)
            .and_then(|deadline| deadline.check_power(games, self.forecast.variance_per_game()));
        let refused =
            refused.err().map_or_else(String::new, |why| format!(" `sprt --deadline` refuses this: {why}."));
        Some(format!(
            "If the true difference is {}, a test with a deadline at {} games (`sprt --deadline`) accepts H1 with probability {}, \
             after {} games on average; this SPRT does so within the budget with {}, and takes {} games.{refused}",
            test.elo1(),
            rounded(games),
            percent(deadline.passed),
            rounded(deadline_games),
            percent(sprt.passed),
            rounded(sprt_games),
        ))
    }
}

/// The expected length of a test with this name: in games, and in time if the length of a game and the number
/// of games at a time are known.
pub fn cost(
    name: &str,
    hypotheses: &EloHypotheses,
    expected: ExpectedLength,
    length: Option<&(GameLength, usize)>,
) -> String {
    let ExpectedLength { at_hypotheses, at_worst, worst } = expected;
    format!(
        "{name} {hypotheses} {}: about {} games if the true difference is {} or {}; worst case {} games at {worst:.1}{}",
        hypotheses.model().unit(),
        rounded(at_hypotheses),
        hypotheses.elo0(),
        hypotheses.elo1(),
        rounded(at_worst),
        length.map_or_else(String::new, |length| format!(" (about {})", time_of(at_worst, length)))
    )
}

fn time_of(games: f64, (length, at_once): &(GameLength, usize)) -> String {
    spoken(length.seconds_of(games, *at_once))
}

/// `12.3 logistic (21.6 normalized) Elo`.
pub fn both(difference: EloDifference) -> String {
    format!("{:.1} logistic ({:.1} normalized) Elo", difference.logistic.0, difference.normalized.0)
}

/// A probability in per cent; it is never rounded to 0 or 100.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent < 0.1 => "<0.1 %".to_owned(),
        percent if percent > 99.9 => ">99.9 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// Rounded to three digits.
pub fn rounded(number: f64) -> String {
    // At least 1, since the logarithm of 0 is infinite.
    let unit = 10_f64.powf((number.abs().max(1.0).log10().floor() - 2.0).max(0.0));
    format!("{:.0}", (number / unit).round() * unit)
}

/// Rounded up, so that what fitted still fits.
fn tenth(elo: f64) -> f64 {
    (elo * 10.0).ceil() / 10.0
}

/// `45 s`, `12 min`, `3.4 h`, `2.1 days`.
pub fn spoken(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use threefold_stats::{EloModel, Risks, Sprt};

    fn forecast_of(elo1: f64) -> SprtForecast {
        let test = Sprt::new(EloModel::Normalized, 0.0, elo1, Risks::USUAL).expect("a sound test");
        SprtForecast {
            forecast: Forecast::new(test, ASSUMED).expect("such games exist"),
            length: Some((GameLength::measured(Duration::from_secs(19)), 2)),
            games: Some(190.0),
        }
    }

    #[test]
    fn forecast_of_a_budget_is_one_sentence() {
        let text = forecast_of(5.0);
        assert_eq!(
            text.cost(),
            "SPRT [0, 5] normalized Elo: about 25700 games if the true difference is 0 or 5; worst case 42200 games at 2.5 \
             (about 4.6 days)"
        );
        assert_eq!(
            text.verdict().expect("there is a budget"),
            "Budget: 190 games. A match of that length has an error of ±28.1 logistic (49.4 normalized) Elo and can detect \
             47.3 logistic (82.9 normalized) Elo. This SPRT would end undecided with probability >99.9 % at a true \
             difference of 5, and >99.9 % in the worst case. On average, bounds [0, 74.3] would fit the budget."
        );
    }

    #[test]
    fn forecast_figures_have_few_digits() {
        let table = [(0.4, "0"), (12.34, "12"), (987.0, "987"), (25_726.5, "25700"), (1e6, "1000000")];
        for (number, text) in table {
            assert_eq!(rounded(number), text);
        }
        let table = [(45.0, "45 s"), (600.0, "10 min"), (7200.0, "2.0 h"), (864_000.0, "10.0 days")];
        for (seconds, text) in table {
            assert_eq!(spoken(seconds), text);
        }
    }
}
