//! The conclusion of a tune, in sentences: is the result shown to be stronger?

use crate::format;
use crate::model::report::{MatchPart, MatchResult, Report, Test, TestStanding, Tuning};

impl Report {
    /// The tune of the run and its part; `None` for another run.
    pub(crate) fn tuning(&self) -> Option<(&MatchPart, &Tuning)> {
        self.matches.iter().find_map(|part| match &part.result {
            MatchResult::Tuning(tuning) => Some((part, &**tuning)),
            _ => None,
        })
    }

    /// Whether the tuned values are shown to be stronger, or how far the tune is; `None` for a run that tunes
    /// nothing.
    pub(crate) fn tune_conclusion(&self) -> Option<String> {
        let (part, tuning) = self.tuning()?;
        let tuned = format!(
            "{} in {} and {}",
            format::count(tuning.effects.len(), "parameter"),
            tuning.progress(),
            format::count(part.games.len(), "game")
        );
        if !tuning.tune.is_over() {
            return Some(format!("Tuned so far: {tuned}."));
        }
        let test = self.matches.iter().find_map(|part| match &part.result {
            MatchResult::Test(test) => Some(test),
            _ => None,
        });
        Some(match test {
            Some(test) => format!("{} Tuned: {tuned}.", test.tune_result()),
            None if tuning.has_test => format!("Tuned: {tuned}. The test of the result has not begun."),
            None => format!("Tuned: {tuned}. Whether the result is stronger is not tested (--no-test)."),
        })
    }
}

impl Test {
    /// `Tuned values are stronger: Elo +12.3 ± 8.1 after 4 000 games.`
    fn tune_result(&self) -> String {
        let games = self.duel.counted_games();
        let elo = self.elo();
        // An accepted H0 does not show that the values are weaker; an interval below 0 does.
        let is_weaker = self.stopped.is_some_and(|stopped| stopped.elo.high.0 < 0.0);
        match self.standing {
            TestStanding::AcceptedH1 => format!("Tuned values are stronger: Elo {elo} after {games}."),
            TestStanding::AcceptedH0 if is_weaker => {
                format!("Tuned values are weaker: Elo {elo} after {games}.")
            }
            TestStanding::Interrupted | TestStanding::Running => {
                format!("The test of the tuned values is not over: Elo {elo} after {games}.")
            }
            TestStanding::AcceptedH0
            | TestStanding::BudgetSpent
            | TestStanding::NoNewGames
            | TestStanding::AnotherPassed => {
                format!("Tuned values are not shown to be stronger: Elo {elo} after {games}.")
            }
            TestStanding::DependsOnFaults | TestStanding::TooManyFaults => {
                format!("Tuned values are not shown to be stronger: {}.", self.standing)
            }
        }
    }
}
