//! The path: all positions of the game and of the search line.
//!
//! Comparing it key by key is Moreland's detector, the reference for all others.
//!
//! No position from before a capture or pawn move can recur, and nothing repeats across a null move, which no
//! game contains; each entry stores how far back a comparison may reach. The position two plies back cannot
//! be equal, since one side cannot make and unmake a move without the other.

use cozy_chess::{Board, Color, Move};

use super::{Occurrences, PathDependence, RepetitionPolicy, cuckoo};
use crate::mutants::{Mutant, SeededBug};
use crate::position::Key;

/// The smallest distance compared, with any seeded bug.
const NEAREST: u16 = 3;

/// A position of the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct PathEntry {
    pub key: Key,
    /// The largest distance, in plies, at which the same position may have occurred.
    pub reach: u16,
    /// The move that led here; `None` for a null move, or at the start.
    pub led_by: Option<Move>,
    /// Is the side to move in check?
    in_check: bool,
}

/// Who gives a perpetual check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PerpetualCheck {
    /// The side to move.
    ByMover,
    /// The other side.
    ByOpponent,
}

/// The positions from the start of the game to the current node.
///
/// ```
/// use cozy_chess::{Board, Move};
/// use threefold_echo::mutants::SeededBug;
/// use threefold_echo::position::key_of;
/// use threefold_echo::repetition::{Path, RepetitionPolicy};
///
/// let mut board = Board::startpos();
/// let mut path = Path::new(SeededBug::NONE);
/// path.start(&board, key_of(&board, SeededBug::NONE));
/// path.start_search();
/// for mv in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     let mv: Move = mv.parse().expect("a move");
///     board.play(mv);
///     path.push(&board, key_of(&board, SeededBug::NONE), mv);
/// }
/// // The root has occurred once in the game: for one policy that is enough for a draw.
/// let seen = path.occurrences();
/// assert_eq!((seen.in_game, seen.in_tree), (1, 0));
/// assert!(RepetitionPolicy::HistoryDraw.draw(seen).is_some());
/// assert!(RepetitionPolicy::HistoryIgnored.draw(seen).is_none());
/// ```
#[derive(Debug, Clone)]
pub struct Path {
    stack: Vec<PathEntry>,
    /// The number of positions of the game; the last one is the root.
    game: usize,
    bug: SeededBug,
}

impl Path {
    /// An empty path.
    pub fn new(bug: SeededBug) -> Self {
        Self { stack: Vec::with_capacity(1024), game: 0, bug }
    }

    /// Sets the start position of the game.
    pub fn start(&mut self, board: &Board, key: Key) {
        self.enter(board, key, None);
    }

    /// Records a move.
    pub fn push(&mut self, board: &Board, key: Key, mv: Move) {
        self.enter(board, key, Some(mv));
    }

    fn enter(&mut self, board: &Board, key: Key, led_by: Option<Move>) {
        let behind = self.stack.last().map_or(0, |before| before.reach + 1);
        // The counter of a FEN may be larger than the number of positions that are in the path.
        let reach = behind.min(u16::from(board.halfmove_clock()));
        let in_check = !board.checkers().is_empty();
        self.stack.push(PathEntry { key: self.compared(board, key), reach, led_by, in_check });
    }

    /// Records a null move: nothing before it can repeat.
    pub fn push_null(&mut self, board: &Board, key: Key) {
        let crosses = self.bug.is(Mutant::ScanCrossesNull);
        let reach = self.stack.last().filter(|_| crosses).map_or(0, |before| before.reach + 1);
        self.stack.push(PathEntry { key: self.compared(board, key), reach, led_by: None, in_check: false });
    }

    /// Takes the last move back.
    pub fn pop(&mut self) {
        self.stack.truncate(self.stack.len() - 1);
    }

    /// Declares the top position as the root: what follows is the search line.
    pub fn start_search(&mut self) {
        self.game = self.stack.len();
    }

    /// Whether enough reversible moves led to the top position for a repetition.
    #[inline]
    pub(super) fn may_repeat(&self) -> bool {
        self.stack.last().is_some_and(|top| top.reach >= NEAREST)
    }

    /// The earlier occurrences of the top position.
    pub fn occurrences(&self) -> Occurrences {
        let Some(top) = self.stack.last().filter(|top| top.reach >= NEAREST) else {
            return Occurrences::default();
        };
        self.count_occurrences(top.key, self.stack.len(), usize::from(top.reach))
    }

    /// The earlier occurrences of the top position, by their definition: only moves, no null move, lead back.
    #[cfg(any(test, feature = "lab"))]
    pub(super) fn true_occurrences(&self) -> Occurrences {
        let Some(top) = self.stack.last() else { return Occurrences::default() };
        let moves = self.stack.iter().rev().take_while(|at| at.led_by.is_some()).count();
        self.count_occurrences(top.key, self.stack.len(), usize::from(top.reach).min(moves))
    }

    /// The earlier occurrences of a position at this index of the path, up to `reach` plies back.
    fn count_occurrences(&self, key: Key, index: usize, reach: usize) -> Occurrences {
        let mut seen = Occurrences::default();
        for back in self.distances(reach) {
            let before = index - 1 - back;
            if self.stack[before].key == key {
                seen.count(before, self.game);
            }
        }
        seen
    }

    /// Whether the side to move can enter a position that the policy scores as a draw, and on which ancestor
    /// that draw depends.
    ///
    /// No move is made: the keys of the top position and of an earlier one, an odd number of plies ago,
    /// differ by a reversible move (van Kervinck, "The design and implementation of the Rookie 2.0 chess
    /// playing program", 2002). The move is legal because the earlier position occurred.
    pub fn upcoming(&self, board: &Board, policy: RepetitionPolicy) -> Option<PathDependence> {
        self.upcoming_at(board, policy).map(|(_, dependence)| dependence)
    }

    /// The upcoming repetition, with the index of the position that is repeated.
    fn upcoming_at(&self, board: &Board, policy: RepetitionPolicy) -> Option<(usize, PathDependence)> {
        let top = self.stack.last()?;
        // One move by the side to move leads back an odd number of plies; one ply ago is its opponent's turn.
        (3..=usize::from(top.reach)).step_by(2).find_map(|back| {
            let before = self.stack.len() - 1 - back;
            let key = self.stack[before].key;
            let path = cuckoo::squares(Key(top.key.0 ^ key.0))?;
            if !path.is_open_to(board) {
                return None;
            }
            // As if the move had been made: the repeated position would be one place above the top.
            let seen = self.count_occurrences(key, self.stack.len() + 1, usize::from(top.reach) + 1);
            policy.draw(seen).map(|dependence| (before, dependence))
        })
    }

    /// The largest distance, in plies, at which the top position may have occurred.
    pub(crate) fn reach(&self) -> usize {
        self.stack.last().map_or(0, |top| usize::from(top.reach))
    }

    /// The number of positions of the search line, without the root, that may recur below the top position.
    pub(super) fn reach_in_line(&self) -> usize {
        self.reach().min((self.stack.len() - 1).saturating_sub(self.game))
    }

    /// A code of these positions, in order (Kishimoto and Müller's path encoding); 0 for none. What a search
    /// finds below the top position depends on no other positions of the line.
    pub(super) fn code_of_line(&self) -> u64 {
        let top = self.stack.len() - 1;
        // An odd multiplier and a rotation, so that the order matters.
        self.stack[top - self.reach_in_line()..top]
            .iter()
            .fold(0, |code: u64, at| (code.rotate_left(23) ^ at.key.0).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// The positions of the game that affect the search, as keys in order, one per occurrence.
    pub(crate) fn noticed(&self, policy: RepetitionPolicy) -> Vec<Key> {
        let mut keys: Vec<Key> = match self.stack.last() {
            Some(root) => {
                self.stack[self.stack.len() - 1 - usize::from(root.reach)..].iter().map(|at| at.key).collect()
            }
            None => Vec::new(),
        };
        // Sorted, because only the numbers of occurrences matter, not their order in the game.
        keys.sort_unstable_by_key(|key| key.0);
        let often = |same: &&[Key]| policy.notices() <= same.len() as u32;
        keys.chunk_by(Key::eq).filter(often).flatten().copied().collect()
    }

    /// Who gave check with every move since the last occurrence of the top position; `None` if neither side
    /// did, or if it has not occurred before.
    pub(super) fn perpetual_check(&self) -> Option<PerpetualCheck> {
        let top = self.stack.len().checked_sub(1)?;
        let key = self.stack[top].key;
        let mut distances = self.distances(usize::from(self.stack[top].reach));
        let before = top - distances.find(|&back| self.stack[top - back].key == key)?;
        if self.all_in_check(before, 0) {
            Some(PerpetualCheck::ByOpponent)
        } else {
            self.all_in_check(before, 1).then_some(PerpetualCheck::ByMover)
        }
    }

    /// Who will have given check with every move, if the repetition that [`Self::upcoming`] finds is played.
    pub(super) fn upcoming_perpetual_check(
        &self,
        board: &Board,
        policy: RepetitionPolicy,
    ) -> Option<PerpetualCheck> {
        let (before, _) = self.upcoming_at(board, policy)?;
        if self.all_in_check(before, 0) {
            Some(PerpetualCheck::ByOpponent)
        } else {
            let checks = self.stack[before].in_check && self.all_in_check(before, 1);
            checks.then_some(PerpetualCheck::ByMover)
        }
    }

    /// Is the side to move in check in each position after an index, of those at this distance from the top
    /// position and every second before?
    fn all_in_check(&self, before: usize, distance: usize) -> bool {
        self.stack[before + 1..].iter().rev().skip(distance).step_by(2).all(|at| at.in_check)
    }

    /// The number of positions.
    pub(super) const fn len(&self) -> usize {
        self.stack.len()
    }

    /// The number of positions of the game.
    pub(super) const fn game(&self) -> usize {
        self.game
    }

    /// The position at an index.
    pub(super) fn entry(&self, index: usize) -> PathEntry {
        self.stack[index]
    }

    /// All distances at which the same position may have occurred, up to `reach`.
    fn distances(&self, reach: usize) -> impl Iterator<Item = usize> + use<> {
        let (nearest, stride) = if self.bug.is(Mutant::KeyWithoutSide) { (3, 1) } else { (4, 2) };
        let reach = if self.bug.is(Mutant::ScanStopsEarly) { reach.min(6) } else { reach };
        (nearest..=reach).step_by(stride)
    }

    /// The compared key.
    fn compared(&self, board: &Board, key: Key) -> Key {
        if self.bug.is(Mutant::KeyWithoutSide) && board.side_to_move() == Color::Black {
            let start = Board::startpos();
            let passed = start.null_move().expect("neither side is in check at the start");
            return Key(key.0 ^ start.hash() ^ passed.hash());
        }
        key
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::key_of;

    /// The occurrences after moves from the start position, of which the first `game` belong to the game.
    fn seen_after(moves: &str, game: usize) -> Occurrences {
        let mut board = Board::startpos();
        let mut keys = Path::new(SeededBug::NONE);
        keys.start(&board, key_of(&board, SeededBug::NONE));
        for (number, mv) in moves.split(' ').enumerate() {
            if number == game {
                keys.start_search();
            }
            if mv == "null" {
                board = board.null_move().expect("not in check");
                keys.push_null(&board, key_of(&board, SeededBug::NONE));
            } else {
                let mv = mv.parse().expect("a move");
                board.play(mv);
                keys.push(&board, key_of(&board, SeededBug::NONE), mv);
            }
        }
        keys.occurrences()
    }

    /// The board and the path after moves of a search.
    fn searched(fen: &str, moves: &str) -> (Board, Path) {
        let mut board: Board = fen.parse().expect("sound");
        let mut path = Path::new(SeededBug::NONE);
        path.start(&board, key_of(&board, SeededBug::NONE));
        path.start_search();
        for mv in moves.split(' ').map(|mv| mv.parse().expect("a move")) {
            board.play(mv);
            path.push(&board, key_of(&board, SeededBug::NONE), mv);
        }
        (board, path)
    }

    #[test]
    fn perpetual_check_is_by_the_side_that_checks_with_every_move() {
        let after = |moves: &str| searched("6k1/6p1/8/7Q/8/8/qq6/7K w - - 0 1", moves).1.perpetual_check();
        assert_eq!(after("h5e8 g8h7 e8h5 h7g8"), Some(PerpetualCheck::ByMover));
        assert_eq!(after("h5e8 g8h7 e8h5 h7g8 h5e8"), Some(PerpetualCheck::ByOpponent));
        assert_eq!(after("h5e8 g8h7 e8h5"), None, "nothing is repeated");
        assert_eq!(after("h5d1 a2a3 d1h5 a3a2"), None, "no checks");
        assert_eq!(after("h5e8 g8h7 e8e7 h7g8 e7e8 g8h7"), None, "e8e7 gives no check");
        // Longer cycles: the first of three moves is quiet; four checks.
        assert_eq!(after("h5e2 g8h8 e2e8 h8h7 e8h5 h7g8"), None, "h5e2 gives no check");
        assert_eq!(after("h5e8 g8h7 e8e2 h7h8 e2h5 h8g8 h5e8"), None, "e8e2 gives no check");
        assert_eq!(after("h5d5 g8h7 d5e4 h7g8 e4e8 g8h7 e8h5 h7g8"), Some(PerpetualCheck::ByMover));
    }

    #[test]
    fn upcoming_perpetual_check_is_known_before_its_last_move() {
        let after = |fen: &str, moves: &str| {
            let (board, path) = searched(fen, moves);
            path.upcoming_perpetual_check(&board, RepetitionPolicy::HistoryDraw)
        };
        let (quiet, checked) = ("6k1/6p1/8/7Q/8/8/qq6/7K w - - 0 1", "4Q1k1/6p1/8/8/8/8/qq6/7K b - - 0 1");
        assert_eq!(after(quiet, "h5e8 g8h7 e8h5"), Some(PerpetualCheck::ByOpponent));
        assert_eq!(after(checked, "g8h7 e8h5 h7g8"), Some(PerpetualCheck::ByMover));
        assert_eq!(after(checked, "g8h7 e8e7 h7g8"), None, "e8e7 gives no check");
        assert_eq!(after(quiet, "h5e8 g8h7 e8e7"), None, "nor here");
        assert_eq!(after(quiet, "h5e2 g8h8 e2e8 h8h7 e8h5"), None, "h5e2 gives no check");
        assert_eq!(after(checked, "g8h7 e8e2 h7h8 e2h5 h8g8"), None, "e8e2 gives no check");
        assert_eq!(after(checked, "g8h7 e8h5"), None, "no move repeats");
    }

    #[test]
    fn path_counts_occurrences_by_place() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8";
        let twice = format!("{shuffle} {shuffle}");
        let table = [
            // moves, moves of the game, occurrences in the tree, in the game
            (shuffle, 0, 0, 1), // the root's own position counts as the game's
            (shuffle, 3, 0, 1),
            (&twice, 0, 1, 1),
            (&twice, 4, 0, 2),
            (&twice, 7, 0, 2),
            ("g1f3 g8f6 e2e4 e7e5 f3g1 f6g8", 0, 0, 0),
            ("g1f3 null f3g1 null", 0, 0, 0),
            // Triangulation: the same squares, but the other side to move.
            ("e2e3 e7e6 d1f3 d8e7 f3d1 e7f6 d1e2 f6d8 e2d1", 4, 0, 0),
        ];
        for (moves, game, in_tree, in_game) in table {
            let seen = seen_after(moves, game);
            assert_eq!((seen.in_tree, seen.in_game), (in_tree, in_game), "{moves} / {game}");
        }
    }
}
