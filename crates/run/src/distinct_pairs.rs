//! Which games are evidence: each distinct pair once, and of single games each distinct game.
//!
//! The scheduler, the progress display and the reports count pairs by this code, so that they can't disagree.

use std::collections::HashSet;

use threefold_games::game::GameRecord;
use threefold_games::game_identity::{GameIdentity, SeenEncounters};
use threefold_games::game_summary::GameSummary;
use threefold_games::pairing::EncounterLength;
use threefold_stats::{AnyRule, GameResult, Trial, TrialUnit};

threefold_named_enum::named_enum! {
    /// Which pairs of games the statistics of a match and the decision of a test count.
    pub enum PairCounting {
        /// Each distinct pair once. A test is decided only if it is decided without the pairs with faults,
        /// too.
        Distinct = "distinct",
        /// Every pair, as fastchess and cutechess-cli count.
        All = "all",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` takes no attribute on a variant")]
impl Default for PairCounting {
    fn default() -> Self {
        Self::Distinct
    }
}

impl PairCounting {
    /// What a match or a test counts one by one: its encounters, or single games. fastchess and cutechess-cli
    /// look at a test that counts games after each of them, also within a pair.
    pub fn trials(self, encounter: EncounterLength, test: Option<&AnyRule>) -> EncounterLength {
        match (self, test.map(|test| test.counts())) {
            (Self::All, Some(TrialUnit::Games)) => EncounterLength::Single,
            _ => encounter,
        }
    }
}

/// A finished game of two engines, as far as statistics need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedGame {
    /// Identifies the game; `None` if its moves are not known.
    pub identity: Option<GameIdentity>,
    /// The first engine's result.
    pub result: GameResult,
    /// Did a fault of an engine, of the machine or of the runner end it?
    pub has_fault: bool,
}

impl PlayedGame {
    /// From a game with its moves and the first engine's result.
    pub fn new(game: &GameRecord, result: GameResult) -> Self {
        Self { identity: Some(game.identity()), result, has_fault: game.end.is_fault() }
    }

    /// From a game without its moves, and the first engine's result.
    pub const fn of_summary(game: &GameSummary, result: GameResult) -> Self {
        Self { identity: game.played.identity, result, has_fault: game.end.is_fault() }
    }
}

/// A pair or a single game that counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountedTrial {
    /// The first engine's results.
    pub results: Trial,
    /// Did a fault end a game of it?
    pub has_fault: bool,
    /// The share of the games or of the time of its test, from 0 to 1, that is used with it; 0 if that is not
    /// known.
    pub share: f64,
}

/// The numbers of all and of distinct games and pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RepeatCount {
    /// The number of games that count.
    pub games: u64,
    /// The distinct games.
    pub distinct_games: u64,
    /// The complete pairs, or the games if they are single ones.
    pub trials: u64,
    /// The trials that count.
    pub counted_trials: u64,
    /// Which of them count.
    pub counting: PairCounting,
}

impl RepeatCount {
    /// Was a game played again?
    pub const fn has_repeats(&self) -> bool {
        self.distinct_games < self.games
    }
}

/// Takes the games of a match in schedule order, and gives the pairs or single games that count.
#[derive(Debug, Clone)]
pub struct DistinctPairs {
    encounter: EncounterLength,
    games: HashSet<GameIdentity>,
    seen: SeenEncounters,
    count: RepeatCount,
}

impl DistinctPairs {
    /// No games yet.
    pub fn new(counting: PairCounting, encounter: EncounterLength) -> Self {
        Self {
            encounter,
            games: HashSet::new(),
            seen: SeenEncounters::default(),
            count: RepeatCount { counting, ..RepeatCount::default() },
        }
    }

    /// The numbers so far.
    pub const fn count(&self) -> RepeatCount {
        self.count
    }

    /// The games of a trial.
    pub const fn games_per_trial(&self) -> usize {
        self.encounter.games()
    }

    /// Takes the games of the next encounter of the schedule. The trial that counts; `None` if it repeats an
    /// earlier one, or if a game of the encounter is missing.
    pub fn add(&mut self, games: &[PlayedGame]) -> Option<CountedTrial> {
        for &game in games {
            self.count_game(game);
        }
        let results = match *games {
            [game] if self.encounter == EncounterLength::Single => Trial::Game(game.result),
            [first, second] if self.encounter == EncounterLength::Pair => {
                Trial::Pair([first.result, second.result])
            }
            _ => return None,
        };
        self.count.trials += 1;
        let is_counted = match self.count.counting {
            PairCounting::All => true,
            PairCounting::Distinct => {
                let identities: Vec<_> = games.iter().map(|game| game.identity).collect();
                self.seen.is_new(&identities)
            }
        };
        self.count.counted_trials += u64::from(is_counted);
        // fastchess and cutechess-cli count a pair with a fault like any other.
        let has_fault =
            self.count.counting == PairCounting::Distinct && games.iter().any(|game| game.has_fault);
        is_counted.then_some(CountedTrial { results, has_fault, share: 0.0 })
    }

    fn count_game(&mut self, game: PlayedGame) {
        self.count.games += 1;
        let is_new = game.identity.is_none_or(|identity| self.games.insert(identity));
        self.count.distinct_games += u64::from(is_new);
    }
}

/// The pairs or single games of two engines that count, in schedule order, and the numbers of all and of
/// distinct ones.
pub fn counted_trials(
    counting: PairCounting,
    encounter: EncounterLength,
    games: impl IntoIterator<Item = PlayedGame>,
) -> (Vec<CountedTrial>, RepeatCount) {
    let mut distinct = DistinctPairs::new(counting, encounter);
    let games: Vec<PlayedGame> = games.into_iter().collect();
    let trials = games.chunks(encounter.games()).filter_map(|games| distinct.add(games)).collect();
    (trials, distinct.count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_games::game::{GameEnd, GameOutcome, GameRecord};

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// Games of one move each, by letter; capital letters end by a fault.
    fn games(names: &str) -> Vec<PlayedGame> {
        let identity = |name: char| {
            let mv = format!("{0}2{0}4", name.to_ascii_lowercase());
            let moved = GamePosition::parse(START, &mv).expect(&mv);
            GameRecord::new(["A", "B"], moved, GameOutcome::Draw, GameEnd::Checkmate).identity()
        };
        names
            .chars()
            .map(|name| PlayedGame {
                identity: (name != '-').then(|| identity(name)),
                result: GameResult::Draw,
                has_fault: name.is_uppercase(),
            })
            .collect()
    }

    fn count(counting: PairCounting, encounter: EncounterLength, names: &str) -> ([u64; 4], Vec<bool>) {
        let (counted, RepeatCount { games, distinct_games, trials, counted_trials: number, .. }) =
            counted_trials(counting, encounter, games(names));
        assert_eq!(counted.len() as u64, number);
        ([games, distinct_games, trials, number], counted.iter().map(|trial| trial.has_fault).collect())
    }

    #[test]
    fn distinct_pair_counts_once() {
        use EncounterLength::{Pair, Single};
        use PairCounting::{All, Distinct};
        let table: [(_, _, _, _, &[bool]); 10] = [
            (Distinct, Pair, "ab", [2, 2, 1, 1], &[false]),
            (Distinct, Pair, "ababab", [6, 2, 3, 1], &[false]),
            // Only one game is the same: the opening was played again with other moves.
            (Distinct, Pair, "abac", [4, 3, 2, 2], &[false, false]),
            (Distinct, Pair, "abcdabcdab", [10, 4, 5, 2], &[false, false]),
            (Distinct, Pair, "aB-c--a", [7, 6, 3, 3], &[true, false, false]),
            (All, Pair, "aBaB", [4, 2, 2, 2], &[false, false]),
            (Distinct, Single, "abab", [4, 2, 4, 2], &[false; 2]),
            (Distinct, Single, "aBcab", [5, 3, 5, 3], &[false, true, false]),
            (Distinct, Single, "a--", [3, 3, 3, 3], &[false; 3]),
            (All, Single, "abA", [3, 2, 3, 3], &[false; 3]),
        ];
        for (counting, encounter, names, numbers, faults) in table {
            assert_eq!(count(counting, encounter, names), (numbers, faults.to_vec()), "{names}");
        }
    }
}
