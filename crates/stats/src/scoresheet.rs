//! A match counted by pair, for inference, and by game, for display.
//!
//! Comparing the two shows how biased the openings are: the larger the bias, the more the games of a pair
//! differ, and the smaller the variance of a pair's sum relative to two independent games. Source: fishtest's
//! statistics page.

use super::elo::{Estimate, Logistic, Z95};
use super::pentanomial::{GameResult, Pentanomial, Trial, Trinomial};
use super::sample::Sample;

/// Counts of pairs by points, and of their games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Scoresheet {
    pairs: Pentanomial,
    games: Trinomial,
    /// The last single game, if it is part of no pair yet.
    unpaired: Option<GameResult>,
}

/// Level pairs (one point each) by kind, as shares of all pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LevelPairs {
    /// Two draws.
    pub drawn: f64,
    /// A win each.
    pub traded: f64,
}

impl Scoresheet {
    /// From counts of pairs and of their games. `None` unless the games are twice the pairs and have the same
    /// sum of points.
    pub fn from_counts(pairs: Pentanomial, games: Trinomial) -> Option<Self> {
        let sheet = Self { pairs, games, unpaired: None };
        // Points are multiples of one half, so a difference of less than a quarter is rounding.
        let agree = pairs.games() == games.games() && (pairs.points() - games.points()).abs() < 0.25;
        agree.then_some(sheet)
    }

    /// Counts one pair: the first player's results in its two games.
    pub fn record(&mut self, pair: [GameResult; 2]) {
        self.pairs.record(pair);
        for game in pair {
            self.games.record(game);
        }
    }

    /// Counts a pair or a single game, and returns the pair that it completes. Each two single games in a row
    /// count as a pair.
    pub fn record_trial(&mut self, trial: Trial) -> Option<[GameResult; 2]> {
        let game = match trial {
            Trial::Pair(pair) => {
                self.record(pair);
                return Some(pair);
            }
            Trial::Game(game) => game,
        };
        self.games.record(game);
        let Some(first) = self.unpaired.take() else {
            self.unpaired = Some(game);
            return None;
        };
        self.pairs.record([first, game]);
        Some([first, game])
    }

    /// Counts by pair.
    pub const fn pairs(&self) -> &Pentanomial {
        &self.pairs
    }

    /// Counts by game; those of all pairs, and a single game that is part of none.
    pub const fn games(&self) -> &Trinomial {
        &self.games
    }

    /// The kinds of level pairs. Exact except for the regularisation of [`Sample::regularised`]; `None`
    /// before the first pair.
    pub fn level_pairs(&self) -> Option<LevelPairs> {
        let [_, ld, level, wd, _] = *Sample::regularised(&self.pairs)?.probabilities();
        let mut paired = self.games;
        if let Some(game) = self.unpaired {
            paired.counts[game.half_points()] -= 1;
        }
        // With the shares of the kinds of pairs, the draw ratio of the games is DD + (LD + WD) / 2.
        let drawn = paired.draw_ratio()? - f64::midpoint(ld, wd);
        Some(LevelPairs { drawn, traded: level - drawn })
    }

    /// The variance of a game's score estimated from pairs, with its 95 % interval, which has no negative
    /// values; `None` before the first pair.
    pub fn variance_per_game(&self) -> Option<Estimate<f64>> {
        let sample = Sample::regularised(&self.pairs)?;
        let value = sample.variance_per_game();
        // The large-sample standard error of a variance.
        let margin = Z95 * value * ((sample.excess_kurtosis() + 2.0) / sample.trials()).sqrt();
        Some(Estimate { low: (value - margin).max(0.0), value, high: value + margin })
    }

    /// The ratio of the variance from pairs to that from single games. Below 1, pairing saves that share of
    /// games. `None` before the first pair.
    pub fn variance_ratio(&self) -> Option<f64> {
        Some(self.variance_per_game()?.value / Sample::regularised(&self.games)?.variance())
    }

    /// The RMS advantage of the openings, in Elo. 0 if pairs vary more than independent games, `None` before
    /// the first pair.
    pub fn opening_bias(&self) -> Option<Logistic> {
        // The advantage of an opening cancels in the sum of a pair. Its square adds to the variance of games.
        let excess = Sample::regularised(&self.games)?.variance() - self.variance_per_game()?.value;
        Some(Logistic::of_score(0.5 + excess.max(0.0).sqrt()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::pentanomial::GameResult::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn odd_single_game_counts_as_a_game() {
        let mut sheet = Scoresheet::default();
        let completed = [Win, Draw, Draw].map(|game| sheet.record_trial(Trial::Game(game)));
        assert_eq!(completed, [None, Some([Win, Draw]), None]);
        assert_eq!((sheet.games().counts, sheet.pairs().counts), ([0, 2, 1], [0, 0, 0, 1, 0]));
        // Its draw is no half of a level pair.
        let even = Scoresheet { games: Trinomial { counts: [0, 1, 1] }, unpaired: None, ..sheet };
        assert_eq!(sheet.level_pairs(), even.level_pairs());
    }

    #[test]
    fn scoresheet_detects_decisive_openings() {
        let mut sheet = Scoresheet::default();
        assert_eq!((sheet.level_pairs(), sheet.opening_bias(), sheet.variance_ratio()), (None, None, None));
        for _ in 0..1000 {
            sheet.record([Win, Loss]);
        }
        let level = sheet.level_pairs().expect("there are pairs");
        assert!(level.drawn.abs() < 1e-5 && (level.traded - 1.0).abs() < 1e-5, "{level:?}");
        // Eight pairs of draws and a lost pair: 1.96 standard errors of the variance are 1.6 times the
        // variance.
        let few = Scoresheet {
            pairs: Pentanomial { counts: [1, 0, 8, 0, 0] },
            games: Trinomial { counts: [2, 16, 0] },
            unpaired: None,
        };
        assert_eq!(few.variance_per_game().map(|variance| variance.low), Some(0.0));
        assert!(sheet.opening_bias().expect("there are pairs").0 > 1000.0);
        assert!(sheet.variance_ratio().expect("there are pairs") < 1e-4);
    }

    #[test]
    fn level_pairs_and_draws_by_hand() {
        let mut sheet = Scoresheet::default();
        let table = [
            // pairs, how many
            ([Draw, Draw], 5),
            ([Win, Loss], 1),
            ([Loss, Win], 2),
            ([Win, Draw], 3),
            ([Draw, Loss], 4),
            ([Win, Win], 3),
            ([Loss, Loss], 2),
        ];
        for (pair, times) in table {
            (0..times).for_each(|_| sheet.record(pair));
        }
        assert_eq!(sheet.pairs().counts, [2, 4, 8, 3, 3]);
        // 17 of 40 games; 5 and 3 of 20 pairs.
        assert_eq!(sheet.games().draw_ratio(), Some(0.425));
        assert_eq!(sheet.pairs().level_pair_ratio(), Some(0.4));
        let level = sheet.level_pairs().expect("there are pairs");
        assert!((level.drawn - 0.25).abs() < 1e-12 && (level.traded - 0.15).abs() < 1e-12, "{level:?}");
        // Mean 0.5125. A pair's score has the variance 53.5/160 - 0.5125², a game's half a pair's points.
        let per_game = sheet.variance_per_game().expect("there are pairs");
        assert!((per_game.value - 0.168_437_5).abs() < 1e-9, "{per_game:?}");
        let ratio = sheet.variance_ratio().expect("there are pairs");
        assert!((ratio - 0.168_437_5 / 0.143_593_75).abs() < 1e-9, "{ratio}");
    }

    #[test]
    fn scoresheet_refuses_contradictory_counts() {
        let mut sheet = Scoresheet::default();
        for pair in [[Win, Draw], [Loss, Draw], [Draw, Draw]] {
            sheet.record(pair);
        }
        assert_eq!(Scoresheet::from_counts(*sheet.pairs(), *sheet.games()), Some(sheet));
        assert_eq!(Scoresheet::from_counts(*sheet.pairs(), Trinomial { counts: [0, 4, 2] }), None);
        assert_eq!(Scoresheet::from_counts(*sheet.pairs(), Trinomial { counts: [0, 4, 0] }), None);
    }
}
