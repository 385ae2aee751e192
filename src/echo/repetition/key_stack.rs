//! The key stack: every position of the game and of the search line, compared key by key.
//!
//! Nothing from before a capture or pawn move can come again, and nothing repeats across a null move, which
//! no game contains: each entry knows how far back a comparison may reach. Two plies back can't be the same
//! position either, since one side can't make and unmake a move without the other.

use cozy_chess::{Board, Color};

use super::Seen;
use crate::echo::mutants::{Mutant, Seed};
use crate::echo::position::Key;

#[derive(Debug, Clone, Copy)]
struct Standing {
    key: Key,
    /// How many plies back the same position may have stood.
    reach: usize,
}

/// The positions from the start of the game to the node that is searched.
#[derive(Debug, Clone)]
pub struct KeyStack {
    stack: Vec<Standing>,
    /// How many of them are the game's; the last of these is the root.
    game: usize,
    seed: Seed,
}

impl KeyStack {
    /// Nothing has been played yet.
    pub fn new(seed: Seed) -> Self {
        Self { stack: Vec::with_capacity(1024), game: 0, seed }
    }

    /// A move led here.
    pub fn push(&mut self, board: &Board, key: Key) {
        let behind = self.stack.last().map_or(0, |before| before.reach + 1);
        self.stack.push(Standing {
            key: self.compared(board, key),
            reach: behind.min(usize::from(board.halfmove_clock())),
        });
    }

    /// A null move led here: nothing before it counts.
    pub fn push_null(&mut self, board: &Board, key: Key) {
        self.stack.push(Standing { key: self.compared(board, key), reach: 0 });
    }

    /// Takes the last move back.
    pub fn pop(&mut self) {
        self.stack.pop();
    }

    /// The position on top is the root: what follows is the search's.
    pub fn start_search(&mut self) {
        self.game = self.stack.len();
        if self.seed.is(Mutant::ForgetHistory)
            && let Some(root) = self.stack.last_mut()
        {
            root.reach = 0;
        }
    }

    /// Back to the root, however a search ended.
    pub fn return_to_root(&mut self) {
        self.stack.truncate(self.game);
    }

    /// How often the position on top occurred before.
    pub fn seen(&self) -> Seen {
        let mut seen = Seen::default();
        let Some((top, before)) = self.stack.split_last() else { return seen };
        for back in self.distances(top.reach) {
            let index = self.stack.len() - 1 - back;
            if before[index].key == top.key {
                if index < self.game {
                    seen.in_game += 1;
                } else {
                    seen.in_tree += 1;
                }
            }
        }
        seen
    }

    /// Every distance at which the same position may stand, up to `reach`.
    fn distances(&self, reach: usize) -> impl Iterator<Item = usize> + use<> {
        let (nearest, stride) = if self.seed.is(Mutant::KeyWithoutSide) { (3, 1) } else { (4, 2) };
        (nearest..=reach).step_by(stride)
    }

    /// The key that is compared.
    fn compared(&self, board: &Board, key: Key) -> Key {
        if self.seed.is(Mutant::KeyWithoutSide) && board.side_to_move() == Color::Black {
            let start = Board::startpos();
            let passed = start.null_move().expect("nobody is in check at the start");
            return Key(key.0 ^ start.hash() ^ passed.hash());
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::echo::position::key_of;

    /// Plays moves from the start position, of which the first `game` were played and the rest searched.
    fn seen_after(moves: &str, game: usize) -> Seen {
        let mut board = Board::startpos();
        let mut keys = KeyStack::new(Seed::NONE);
        keys.push(&board, key_of(&board, Seed::NONE));
        for (number, mv) in moves.split(' ').enumerate() {
            if number == game {
                keys.start_search();
            }
            if mv == "null" {
                board = board.null_move().expect("not in check");
                keys.push_null(&board, key_of(&board, Seed::NONE));
            } else {
                board.play(mv.parse().expect("a move"));
                keys.push(&board, key_of(&board, Seed::NONE));
            }
        }
        keys.seen()
    }

    #[test]
    fn occurrences_are_counted_where_they_stood() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        let twice = format!("{shuffle} {shuffle}");
        let table = [
            // moves, of the game, in the tree, in the game
            (shuffle, 0, 0, 1), // the root's own position counts as the game's
            (shuffle, 3, 0, 1),
            (&twice, 0, 1, 1),
            (&twice, 4, 0, 2),
            (&twice, 7, 0, 2),
            ("g1f3 g8f6 e2e4 e7e5 f3g1 f6g8", 0, 0, 0),
            ("g1f3 null f3g1 null", 0, 0, 0),
            // Queenless triangles: the same squares, but the other side to move.
            ("e2e3 e7e6 d1f3 d8e7 f3d1 e7f6 d1e2 f6d8 e2d1", 4, 0, 0),
        ];
        for (moves, game, in_tree, in_game) in table {
            assert_eq!(seen_after(moves, game), Seen { in_tree, in_game }, "{moves} / {game}");
        }
    }
}
