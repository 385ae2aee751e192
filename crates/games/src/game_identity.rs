//! Which games are the same: equal players, colours, start position, moves and result.
//!
//! A repeated game is no new evidence. Deterministic engines that get an opening again play the same game
//! again, and a statistic that counted it twice would be more certain than the games allow.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use shakmaty::uci::UciMove;

use super::game::GameRecord;

/// Identifies a game: two games have the same identity if they are the same.
///
/// It is a 64-bit hash. Among ten million different games, two have the same one with a probability of 3 in a
/// million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameIdentity(u64);

impl GameRecord {
    /// The identity of the game. The moves of the opening are moves of the game, so a book that ends earlier
    /// makes no other game of the same moves.
    pub fn identity(&self) -> GameIdentity {
        let moves = self.opening.moves.iter().copied().chain(self.played.iter().map(|played| played.mv));
        // One text of bytes: to hash the fields of hundreds of moves one by one takes ten times as long.
        let moves: Vec<u8> = moves.flat_map(move_bytes).collect();
        let start = self.opening.start.to_string();
        GameIdentity(hash(&(&self.players, start, moves, self.outcome)))
    }
}

/// Different bytes for different moves.
fn move_bytes(mv: UciMove) -> [u8; 3] {
    match mv {
        UciMove::Normal { from, to, promotion } => [from.into(), to.into(), promotion.map_or(0, u8::from)],
        UciMove::Put { role, to } => [PUT, to.into(), role.into()],
        UciMove::Null => [PUT; 3],
    }
}

/// No square has this number.
const PUT: u8 = u8::MAX;

fn hash(value: &impl std::hash::Hash) -> u64 {
    // Not `RandomState`: each of its instances has other keys, and equal games must have equal hashes.
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

/// The encounters of a match that were seen so far.
#[derive(Debug, Clone, Default)]
pub struct SeenEncounters(HashSet<[Option<GameIdentity>; 2]>);

impl SeenEncounters {
    /// Notes an encounter, which is a pair of games or a single game. Is it the first with these games? An
    /// encounter with a game whose moves are not known always is.
    pub fn is_new(&mut self, games: &[Option<GameIdentity>]) -> bool {
        match *games {
            [Some(game)] => self.0.insert([Some(game), None]),
            // Sorted: a pair is the same evidence in either order of its games.
            [Some(first), Some(second)] => self.0.insert([Some(first.min(second)), Some(first.max(second))]),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameEnd, GameOutcome, MoveRecord};
    use threefold_chess::position::GamePosition;

    fn game(players: [&str; 2], opening: [&str; 2], moves: &str, outcome: GameOutcome) -> GameRecord {
        let played = |mv: &str| MoveRecord::new(mv.parse().expect(mv));
        GameRecord {
            played: moves.split_whitespace().map(played).collect(),
            ..GameRecord::new(
                players.map(str::to_owned),
                GamePosition::parse(opening[0], opening[1]).expect("sound"),
                outcome,
                GameEnd::Checkmate,
            )
        }
    }

    #[test]
    fn same_game_has_the_same_identity() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        const OTHER: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1";
        let first = game(["A", "B"], [START, "e2e4"], "e7e5 g1f3", GameOutcome::Draw);
        let same = [
            first.clone(),
            // The opening is shorter by a move that the engine then makes.
            game(["A", "B"], [START, ""], "e2e4 e7e5 g1f3", GameOutcome::Draw),
            GameRecord { end: GameEnd::Stalemate, ..first.clone() },
        ];
        for game in &same {
            assert_eq!(game.identity(), first.identity(), "{game:?}");
            assert_eq!(game.summary().played.identity, Some(first.identity()));
        }
        let others = [
            game(["B", "A"], [START, "e2e4"], "e7e5 g1f3", GameOutcome::Draw),
            game(["A", "B"], [START, "e2e4"], "e7e5", GameOutcome::Draw),
            game(["A", "B"], [START, "e2e4"], "e7e5 g1f3", GameOutcome::White),
            game(["A", "B"], [OTHER, "e2e4"], "e7e5 g1f3", GameOutcome::Draw),
            game(["A", "C"], [START, "e2e4"], "e7e5 g1f3", GameOutcome::Draw),
        ];
        for game in &others {
            assert_ne!(game.identity(), first.identity(), "{game:?}");
        }
    }

    #[test]
    fn different_moves_have_different_bytes() {
        let moves: Vec<UciMove> = ["a1a2", "a2a1", "a7a8q", "a7a8n", "a7a8", "0000", "P@a8", "N@a8", "P@h8"]
            .map(|mv| mv.parse().expect(mv))
            .into();
        let bytes: HashSet<[u8; 3]> = moves.iter().map(|&mv| move_bytes(mv)).collect();
        assert_eq!(bytes.len(), moves.len());
    }

    #[test]
    fn pair_is_the_same_if_both_games_are() {
        let [a, b, c] = [1, 2, 3].map(|number| Some(GameIdentity(number)));
        let mut seen = SeenEncounters::default();
        let table: [(&[Option<GameIdentity>], bool); 9] = [
            (&[a, b], true),
            (&[a, b], false),
            (&[b, a], false),
            (&[a, c], true),
            (&[a], true),
            (&[a], false),
            (&[None, b], true),
            (&[None, b], true),
            (&[a, a], true),
        ];
        for (games, is_new) in table {
            assert_eq!(seen.is_new(games), is_new, "{games:?}");
        }
    }
}
