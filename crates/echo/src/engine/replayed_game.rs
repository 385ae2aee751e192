//! A game replayed up to the position to search.
//!
//! The moves of a game come with every question. Only those since the last one are played, since reading a
//! game again costs as much as searching some nodes.

use cozy_chess::{Board, Move};

use crate::move_conversion;
use crate::mutants::SeededBug;
use crate::position::{self, Key, key_of};
use crate::repetition::Path;
use crate::request::RequestError;
use threefold_chess::position::GamePosition;

/// A game replayed up to the position to search.
pub(crate) struct ReplayedGame {
    /// The start position and the moves that were replayed.
    position: GamePosition,
    bug: SeededBug,
    /// The position after the last move.
    pub board: Board,
    /// The Zobrist key of that position.
    pub key: Key,
    /// All positions of the game, the current one last.
    pub path: Path,
    /// The last two moves.
    pub last: [Option<Move>; 2],
}

impl ReplayedGame {
    /// Replays a game.
    pub(crate) fn replay(position: &GamePosition, bug: SeededBug) -> Result<Self, RequestError> {
        let board = position::set_up(position.start.as_setup()).map_err(RequestError::Start)?;
        let key = key_of(&board, bug);
        let mut path = Path::new(bug);
        path.start(&board, key);
        let start = GamePosition { start: position.start.clone(), moves: Vec::new() };
        let mut game = Self { position: start, bug, board, key, path, last: [None; 2] };
        game.play_on(position)?;
        Ok(game)
    }

    /// Replays a game, from an earlier one if its moves are the first of this one.
    pub(crate) fn continued(
        earlier: Option<Self>,
        position: &GamePosition,
        bug: SeededBug,
    ) -> Result<Self, RequestError> {
        let continues = |game: &Self| {
            game.bug == bug
                && game.position.start == position.start
                && position.moves.starts_with(&game.position.moves)
        };
        let Some(mut game) = earlier.filter(continues) else { return Self::replay(position, bug) };
        game.play_on(position)?;
        Ok(game)
    }

    /// Plays the moves that are not played yet.
    fn play_on(&mut self, position: &GamePosition) -> Result<(), RequestError> {
        for (index, &written) in position.moves.iter().enumerate().skip(self.position.moves.len()) {
            let mv = move_conversion::from_uci(&self.board, written)
                .ok_or(RequestError::Move { number: index + 1, mv: written })?;
            self.last = [self.last[1], Some(mv)];
            self.board.play_unchecked(mv);
            self.key = key_of(&self.board, self.bug);
            self.path.push(&self.board, self.key, mv);
            self.position.moves.push(written);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn line(start: &str, moves: &str) -> GamePosition {
        GamePosition::parse(start, moves).expect("sound")
    }

    fn state(game: &ReplayedGame) -> String {
        let ReplayedGame { position, bug: _, board, key, path, last } = game;
        format!("{position:?} {board} {key:?} {path:?} {last:?}")
    }

    #[test]
    fn continued_game_equals_a_replayed_one() {
        let games = [
            line(START, "e2e4 e7e5"),
            line(START, "e2e4 e7e5 g1f3 b8c6"),
            // Not a continuation: a move is taken back, another one is played, and another start.
            line(START, "e2e4 e7e5 g1f3"),
            line(START, "e2e4 c7c5 g1f3 b8c6"),
            line("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4"),
            line("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "e2e4 e8e7"),
            line("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "e2e4 e8e7"),
        ];
        let mut earlier = None;
        for game in games {
            let replayed = ReplayedGame::replay(&game, SeededBug::NONE).expect("legal");
            let continued = ReplayedGame::continued(earlier, &game, SeededBug::NONE).expect("legal");
            assert_eq!(state(&continued), state(&replayed), "{game:?}");
            earlier = Some(continued);
        }
        let wrong = line("4k3/8/8/8/8/8/4P3/4K3 w - - 3 9", "e2e4 e8e7 e4e6");
        let error = ReplayedGame::continued(earlier, &wrong, SeededBug::NONE).err();
        assert_eq!(error, ReplayedGame::replay(&wrong, SeededBug::NONE).err());
        assert!(matches!(error, Some(RequestError::Move { number: 3, .. })), "{error:?}");
    }
}
