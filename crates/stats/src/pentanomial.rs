//! Counts of results, worst first, from the first player's side.
//!
//! A trial is one game (three results) or one pair of games (five). Both are [`ResultCounts`], because every
//! formula over them is the same; the number of classes is in the type. A pair with one win each and a pair
//! of two draws share a class: both scored one point, and a test of strength uses only points.

use std::array;
use std::ops::{Add, AddAssign};

/// The result of one game for one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameResult {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A full point.
    Win,
}

impl GameResult {
    /// The result from the opponent's side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }

    /// Half-points gained: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }
}

/// The first player's results in a trial: a pair of games, or a game that is part of no pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trial {
    /// Two games from one opening with colours swapped.
    Pair([GameResult; 2]),
    /// A single game.
    Game(GameResult),
}

impl From<[GameResult; 2]> for Trial {
    fn from(pair: [GameResult; 2]) -> Self {
        Self::Pair(pair)
    }
}

/// Counts of trials by result, worst first; `K` classes. `K - 1` is the number of half-points of a trial.
///
/// ```
/// use threefold_stats::Pentanomial;
///
/// let pairs = Pentanomial { counts: [0, 1, 2, 1, 1] };
/// assert_eq!((pairs.trials(), pairs.games()), (5, 10));
/// assert_eq!(pairs.points(), 0.5 + 2.0 + 1.5 + 2.0);
/// assert_eq!(pairs.reversed().counts, [1, 1, 2, 1, 0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResultCounts<const K: usize> {
    /// Trials, by half-points gained.
    pub counts: [u64; K],
}

/// Pairs by result: LL, LD, (WL or DD), WD, WW.
pub type Pentanomial = ResultCounts<5>;

/// Single games by result: L, D, W.
pub type Trinomial = ResultCounts<3>;

impl<const K: usize> ResultCounts<K> {
    /// No trials.
    pub const EMPTY: Self = Self { counts: [0; K] };

    /// The number of games per trial.
    pub const GAMES_PER_TRIAL: u64 = (K as u64 - 1) / 2;

    /// The number of trials: pairs of a [`Pentanomial`], games of a [`Trinomial`].
    pub fn trials(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.trials() * Self::GAMES_PER_TRIAL
    }

    /// Points gained; a draw is half a point.
    pub fn points(&self) -> f64 {
        (0_u32..)
            .zip(self.counts)
            .map(|(half_points, count)| f64::from(half_points) * count as f64)
            .sum::<f64>()
            / 2.0
    }

    /// The counts from the opponent's side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { counts: array::from_fn(|class| self.counts[K - 1 - class]) }
    }

    /// The number of results that have occurred. Below two, the data has no information about the variance,
    /// and a normalized test depends on its prior.
    pub fn classes_seen(&self) -> usize {
        self.counts.iter().filter(|&&count| count > 0).count()
    }
}

impl<const K: usize> Default for ResultCounts<K> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const K: usize> Add for ResultCounts<K> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const K: usize> AddAssign for ResultCounts<K> {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

/// The number of pairs that are not level before which no test decides. If nearly all pairs are level, a few others would
/// otherwise decide with a variance that they have not yet shown.
pub const LEAST_UNEQUAL_PAIRS: u64 = 20;

/// Says that there are fewer.
pub fn few_unequal_pairs() -> String {
    format!("Fewer than {LEAST_UNEQUAL_PAIRS} pairs are not level, and the test decides nothing before that.")
}

impl Pentanomial {
    /// Counts one pair: the first player's results in its two games.
    pub fn record(&mut self, pair: [GameResult; 2]) {
        self.counts[Self::class(pair)] += 1;
    }

    /// The class of a pair: the half-points that its two games gained, 0 to 4.
    pub const fn class([first, second]: [GameResult; 2]) -> usize {
        first.half_points() + second.half_points()
    }

    /// The number of pairs that are not level.
    pub fn unequal(&self) -> u64 {
        self.trials() - self.counts[2]
    }

    /// The share of level pairs (one point each), WL and DD together. fastchess prints it as `DrawRatio`; it
    /// is not a rate of drawn games. `None` before the first pair.
    pub fn level_pair_ratio(&self) -> Option<f64> {
        share(self.counts[2], self.trials())
    }

    /// Pairs won per pair lost. Infinite if none was lost, `None` if none was decided.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.counts;
        (ll + ld + wd + ww > 0).then(|| (ww + wd) as f64 / (ld + ll) as f64)
    }
}

impl Trinomial {
    /// Counts one game.
    pub fn record(&mut self, game: GameResult) {
        self.counts[game.half_points()] += 1;
    }

    /// The share of drawn games. `None` before the first game.
    pub fn draw_ratio(&self) -> Option<f64> {
        share(self.counts[1], self.trials())
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

impl FromIterator<[GameResult; 2]> for Pentanomial {
    fn from_iter<I: IntoIterator<Item = [GameResult; 2]>>(pairs: I) -> Self {
        let mut tally = Self::EMPTY;
        pairs.into_iter().for_each(|pair| tally.record(pair));
        tally
    }
}

impl FromIterator<GameResult> for Trinomial {
    fn from_iter<I: IntoIterator<Item = GameResult>>(games: I) -> Self {
        let mut tally = Self::EMPTY;
        games.into_iter().for_each(|game| tally.record(game));
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::GameResult::{Draw, Loss, Win};
    use super::*;

    #[test]
    fn pentanomial_counts_pairs_by_points() {
        let table = [
            ([Loss, Loss], 0),
            ([Loss, Draw], 1),
            ([Draw, Loss], 1),
            ([Win, Loss], 2),
            ([Draw, Draw], 2),
            ([Loss, Win], 2),
            ([Draw, Win], 3),
            ([Win, Win], 4),
        ];
        for (pair, class) in table {
            let tally: Pentanomial = [pair].into_iter().collect();
            let mut counts = [0; 5];
            counts[class] = 1;
            assert_eq!(tally.counts, counts, "{pair:?}");
            assert_eq!(tally.reversed(), [pair.map(GameResult::reversed)].into_iter().collect(), "{pair:?}");
        }
    }

    #[test]
    fn pair_ratios_by_hand() {
        let table = [
            // pairs, level pairs, pairs ratio
            ([0, 0, 0, 0, 0], None, None),
            ([0, 0, 4, 0, 0], Some(1.0), None),
            ([1, 1, 4, 2, 0], Some(0.5), Some(1.0)),
            ([0, 0, 0, 0, 3], Some(0.0), Some(f64::INFINITY)),
        ];
        for (counts, level, ratio) in table {
            let pairs = Pentanomial { counts };
            assert_eq!((pairs.level_pair_ratio(), pairs.pairs_ratio()), (level, ratio), "{counts:?}");
        }
        assert_eq!(Trinomial { counts: [1, 2, 1] }.draw_ratio(), Some(0.5));
        let pairs = Pentanomial { counts: [1, 1, 4, 2, 0] };
        assert_eq!((pairs.points(), pairs.games()), (7.5, 16));
    }
}
