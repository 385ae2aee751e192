//! Which pairs of games are evidence: each distinct pair once.
//!
//! The scheduler, the progress display and the reports count pairs by this code, so that they can't disagree.

use std::collections::HashSet;

use crate::arena::game::GameRecord;
use crate::arena::game_identity::{GameIdentity, SeenEncounters};
use crate::arena::game_summary::GameSummary;
use crate::arena::pairing::Encounter;
use threefold_stats::GameResult;

threefold_named_enum::named_enum! {
    /// Which pairs of games the statistics of a match and the decision of a test count.
    pub enum PairCounting {
        /// Each distinct pair once. A test is decided only if it is decided without the pairs with faults, too.
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
    pub fn of(game: &GameRecord, result: GameResult) -> Self {
        Self { identity: Some(game.identity()), result, has_fault: game.end.is_fault() }
    }

    /// The same from a game without its moves.
    pub const fn of_summary(game: &GameSummary, result: GameResult) -> Self {
        Self { identity: game.played.identity, result, has_fault: game.end.is_fault() }
    }
}

/// A pair that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedPair {
    /// The first engine's results.
    pub results: [GameResult; 2],
    /// Did a fault end one of its games?
    pub has_fault: bool,
}

/// The numbers of all and of distinct games and pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RepeatCount {
    /// The games.
    pub games: u64,
    /// The distinct games.
    pub distinct_games: u64,
    /// The complete pairs.
    pub pairs: u64,
    /// The pairs that count.
    pub counted_pairs: u64,
    /// Which pairs count.
    pub counting: PairCounting,
}

impl RepeatCount {
    /// Was a game played again?
    pub const fn has_repeats(&self) -> bool {
        self.distinct_games < self.games
    }
}

/// Takes the games of a match in schedule order, and gives the pairs that count.
#[derive(Debug, Clone)]
pub struct DistinctPairs {
    encounter: Encounter,
    games: HashSet<GameIdentity>,
    seen: SeenEncounters,
    /// A single game that is not part of a pair yet.
    waiting: Option<PlayedGame>,
    count: RepeatCount,
}

impl DistinctPairs {
    /// No games yet.
    pub fn new(counting: PairCounting, encounter: Encounter) -> Self {
        Self {
            encounter,
            games: HashSet::new(),
            seen: SeenEncounters::default(),
            waiting: None,
            count: RepeatCount { counting, ..RepeatCount::default() },
        }
    }

    /// The numbers so far.
    pub const fn count(&self) -> RepeatCount {
        self.count
    }

    /// Counts the odd last game, which is part of no pair.
    pub fn add_last(&mut self, game: PlayedGame) {
        self.count_game(game);
    }

    /// Takes the games 2n and 2n + 1 of the schedule. The pair that counts, if there is one.
    ///
    /// The games of single encounters are distinct on their own: each two of them that are new make a pair.
    pub fn add(&mut self, pair: [PlayedGame; 2]) -> Option<CountedPair> {
        for game in pair {
            self.count_game(game);
        }
        self.count.pairs += 1;
        let counted = match (self.count.counting, self.encounter) {
            (PairCounting::All, _) => {
                Some(CountedPair { results: pair.map(|it| it.result), has_fault: false })
            }
            (PairCounting::Distinct, Encounter::Pair) => {
                self.seen.is_new(&pair.map(|game| game.identity)).then(|| CountedPair::of(pair))
            }
            (PairCounting::Distinct, Encounter::Single) => self.add_single(pair),
        };
        self.count.counted_pairs += u64::from(counted.is_some());
        counted
    }

    fn add_single(&mut self, games: [PlayedGame; 2]) -> Option<CountedPair> {
        let mut counted = None;
        for game in games.into_iter().filter(|game| self.seen.is_new(&[game.identity])) {
            // One game at most waits, so two more make one pair at most.
            match self.waiting.take() {
                Some(first) => counted = Some(CountedPair::of([first, game])),
                None => self.waiting = Some(game),
            }
        }
        counted
    }

    fn count_game(&mut self, game: PlayedGame) {
        self.count.games += 1;
        let is_new = game.identity.is_none_or(|identity| self.games.insert(identity));
        self.count.distinct_games += u64::from(is_new);
    }
}

impl CountedPair {
    fn of(games: [PlayedGame; 2]) -> Self {
        Self { results: games.map(|game| game.result), has_fault: games.iter().any(|game| game.has_fault) }
    }
}

/// The pairs that count among the games of two engines, in schedule order, and the numbers of all and of distinct ones.
pub fn counted_pairs(
    counting: PairCounting,
    encounter: Encounter,
    games: impl IntoIterator<Item = PlayedGame>,
) -> (Vec<CountedPair>, RepeatCount) {
    let mut distinct = DistinctPairs::new(counting, encounter);
    let mut pairs = Vec::new();
    let mut games = games.into_iter();
    while let Some(first) = games.next() {
        match games.next() {
            Some(second) => pairs.extend(distinct.add([first, second])),
            None => distinct.add_last(first),
        }
    }
    (pairs, distinct.count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::game::GameOutcome;
    use crate::arena::game_identity::tests::game;

    const START: [&str; 2] = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", ""];

    /// Games of one move each, by letter; capital letters end by a fault.
    fn games(names: &str) -> Vec<PlayedGame> {
        let identity = |name: char| {
            let mv = format!("{0}2{0}4", name.to_ascii_lowercase());
            game(["A", "B"], START, &mv, GameOutcome::Draw).identity()
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

    fn count(counting: PairCounting, encounter: Encounter, names: &str) -> ([u64; 4], Vec<bool>) {
        let (pairs, RepeatCount { games, distinct_games, pairs: all, counted_pairs: counted, .. }) =
            counted_pairs(counting, encounter, games(names));
        assert_eq!(pairs.len() as u64, counted);
        ([games, distinct_games, all, counted], pairs.iter().map(|pair| pair.has_fault).collect())
    }

    #[test]
    fn distinct_pair_counts_once() {
        use Encounter::{Pair, Single};
        use PairCounting::{All, Distinct};
        let table: [(_, _, _, _, &[bool]); 10] = [
            (Distinct, Pair, "ab", [2, 2, 1, 1], &[false]),
            (Distinct, Pair, "ababab", [6, 2, 3, 1], &[false]),
            // Only one game is the same: the opening was played again with other moves.
            (Distinct, Pair, "abac", [4, 3, 2, 2], &[false, false]),
            (Distinct, Pair, "abcdabcdab", [10, 4, 5, 2], &[false, false]),
            (Distinct, Pair, "aB-c--a", [7, 6, 3, 3], &[true, false, false]),
            (All, Pair, "aBaB", [4, 2, 2, 2], &[false, false]),
            (Distinct, Single, "abab", [4, 2, 2, 1], &[false]),
            (Distinct, Single, "abcabc", [6, 3, 3, 1], &[false]),
            (Distinct, Single, "abacda", [6, 4, 3, 2], &[false, false]),
            (All, Single, "abab", [4, 2, 2, 2], &[false, false]),
        ];
        for (counting, encounter, names, numbers, faults) in table {
            assert_eq!(count(counting, encounter, names), (numbers, faults.to_vec()), "{names}");
        }
    }
}
