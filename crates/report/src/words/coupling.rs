//! Coupled pairs in words.

use crate::format;
use crate::model::report::{Coupling, Duel, MatchPart, MatchResult, Test, TestStanding};
use threefold_stats::Judgement;
use threefold_stats::pentanomial::{LEAST_UNEQUAL_PAIRS, few_unequal_pairs};

impl MatchPart {
    /// The match of two engines that it is.
    pub(crate) fn duel(&self) -> Option<&Duel> {
        match &self.result {
            MatchResult::Duel(duel) => Some(duel),
            MatchResult::Test(test) => Some(&test.duel),
            MatchResult::Table | MatchResult::Ratings(_) | MatchResult::Tuning(_) => None,
        }
    }

    /// The variance of a pair divided by that of two independent games.
    pub(crate) fn variance_ratio(&self) -> Option<f64> {
        self.duel()?.openings().map(|(_, ratio)| ratio)
    }

    /// How far its pairs are the same games.
    pub(crate) fn coupling_note(&self) -> Option<String> {
        Some(self.coupling.as_ref()?.describe(self.variance_ratio()))
    }
}

impl Test {
    /// Why the test goes on though its statistic is beyond a bound; `None` if that is not so.
    pub(super) fn held_back(&self) -> Option<String> {
        use TestStanding::{AcceptedH0, AcceptedH1, DependsOnFaults};
        let is_open = !matches!(self.standing, AcceptedH0 | AcceptedH1 | DependsOnFaults);
        // Not `judgement`: with a deadline it is `Continue` until enough pairs are unequal.
        let is_beyond = self.running.bounds().judge(self.running.value()) != Judgement::Continue;
        let has_few = self.duel.sheet.pairs().unequal() < LEAST_UNEQUAL_PAIRS;
        (is_open && is_beyond && has_few).then(few_unequal_pairs)
    }
}

impl Coupling {
    /// `102 of 150 pairs are the same game. The others part after 34 moves of both sides on average, 74 % of their
    /// length.`; and what that saves, if `ratio`, the variance of a pair divided by that of two independent games,
    /// is known.
    fn describe(&self, ratio: Option<f64>) -> String {
        let pairs = format::count(self.pairs, "pair");
        let are = if self.same == 1 { "is" } else { "are" };
        let same = if self.same == self.pairs {
            format!("No difference: all {pairs} are the same game.")
        } else {
            format!("{} of {pairs} {are} the same game.", self.same)
        };
        let other_end = (self.other_end > 0).then(|| {
            format!("{} with the same moves ended differently.", format::count(self.other_end, "pair"))
        });
        let parted = (self.parted() > 0).then(|| {
            let who = match self.parted() {
                1 => "One pair parts".to_owned(),
                more => format!("{more} pairs part"),
            };
            let mean = self.plies_before as f64 / self.parted() as f64;
            let share = 100.0 * self.plies_before as f64 / self.plies.max(1.0);
            format!("{who} after {mean:.0} moves of both sides on average, {share:.0} % of their length.")
        });
        let saved = ratio.filter(|&ratio| self.parted() > 0 && ratio < 1.0).map(|ratio| {
            // The number of games for a given error is proportional to the variance.
            let games = 1.0 / ratio;
            format!(
                "A pair varies {ratio:.2} times as much as two independent games, which would need {games:.1} times as \
                 many games."
            )
        });
        std::iter::once(same).chain(other_end).chain(parted).chain(saved).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn note_says_how_far_the_games_are_the_same() {
        let all = Coupling { pairs: 40, same: 40, ..Coupling::default() };
        assert_eq!(all.describe(None), "No difference: all 40 pairs are the same game.");
        let some = Coupling {
            pairs: 150,
            same: 102,
            other_end: 1,
            plies_before: 47 * 34,
            plies: 47.0 * 68.0,
            ..Coupling::default()
        };
        assert_eq!(
            some.describe(Some(0.125)),
            "102 of 150 pairs are the same game. 1 pair with the same moves ended differently. 47 pairs part after 34 \
             moves of both sides on average, 50 % of their length. A pair varies 0.12 times as much as two independent \
             games, which would need 8.0 times as many games."
        );
        assert!(!some.describe(Some(1.1)).contains("varies"));
    }
}
