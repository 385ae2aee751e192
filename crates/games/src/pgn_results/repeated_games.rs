//! Games that are in the files twice.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::pair_matcher::{NumberHasher, PlayerNumber};
use threefold_stats::GameResult;

threefold_named_enum::named_enum! {
    /// What is done with games that are the same as an earlier one: players, colours, start position, moves
    /// and result.
    pub enum RepeatedGames {
        /// Each distinct game counts once.
        Once = "once",
        /// All count, as in Ordo.
        All = "all",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` takes no attribute on a variant")]
impl Default for RepeatedGames {
    fn default() -> Self {
        Self::Once
    }
}

/// A 64-bit hash of each game with moves: 9 to 18 bytes for each game.
#[derive(Debug, Default)]
pub(super) struct SeenGames(HashSet<u64, BuildHasherDefault<NumberHasher>>);

impl SeenGames {
    /// Notes a game. Is it the first with these players, this result and these moves?
    pub(super) fn is_new(&mut self, players: [PlayerNumber; 2], result: GameResult, moves: u64) -> bool {
        let mut hasher = NumberHasher::default();
        for number in players {
            hasher.write_usize(number);
        }
        hasher.write_usize(result.half_points());
        hasher.write_u64(moves);
        self.0.insert(hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BrokenOffGames, FirstTag, GameCounts, ResultCounter, scan};
    use super::*;

    #[test]
    fn repeated_game_counts_once() {
        let game = |white: &str, black: &str, round: &str, moves: &str| {
            format!(
                "[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n{moves} 1-0\n\n"
            )
        };
        let pair = |round: u32, moves: [&str; 2]| {
            game("A", "B", &format!("{round}.1"), moves[0]) + &game("B", "A", &format!("{round}.2"), moves[1])
        };
        let mut pgn: String = (1..=50).map(|round| pair(round, ["1. e4 e5", "1. d4 {0.1 s} d5"])).collect();
        pgn.push_str(&pair(51, ["1. e4 e5 2. f4", "1. d4 d5"]));
        for (repeats, counted, repeated, again, pairs) in
            [(RepeatedGames::Once, 3, 99, 0, 1), (RepeatedGames::All, 102, 0, 99, 51)]
        {
            let mut counter = ResultCounter::default().with_repeats(repeats);
            counter.count(&scan(pgn.as_bytes(), FirstTag::Any, BrokenOffGames::Ignored));
            let GameCounts {
                read, counted: found, repeated: dropped, counted_again, pairs: found_pairs, ..
            } = counter.close().counts;
            assert_eq!((read, found, dropped, counted_again), (102, counted, repeated, again), "{repeats}");
            assert_eq!(found_pairs, pairs, "{repeats}");
        }
        // Nothing is known of games without moves.
        let mut counter = ResultCounter::default();
        counter.count(&scan(pair(1, ["", ""]).repeat(9).as_bytes(), FirstTag::Any, BrokenOffGames::Ignored));
        assert_eq!(counter.close().counts.counted, 18);
    }
}
