//! Reversible moves by their key difference, to detect a move into an earlier position without making it.
//!
//! A cuckoo hash table (Pagh and Rodler 2001): each key has two slots and is in one of them.

use std::sync::LazyLock;

use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, Piece, Square, get_between_rays, get_bishop_moves, get_king_moves,
    get_knight_moves, get_rook_moves,
};

use crate::position::Key;

const SLOTS: usize = 1 << 13;

/// The two squares of a reversible move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Squares {
    one: Square,
    other: Square,
}

impl Squares {
    /// Whether the side to move can make the move: the piece is on one of the squares, and nothing is between
    /// them.
    pub(super) fn is_open_to(self, board: &Board) -> bool {
        let ends = self.one.bitboard() | self.other.bitboard();
        let own = board.colors(board.side_to_move());
        // Nothing is between the squares of a knight's move.
        (get_between_rays(self.one, self.other) & board.occupied()).is_empty() && !(ends & own).is_empty()
    }
}

/// The move with this key difference between two positions with different sides to move, if there is one.
pub(super) fn squares(difference: Key) -> Option<Squares> {
    let table = &*TABLE;
    homes(difference.0).into_iter().find_map(|slot| match table[slot] {
        Some((key, squares)) if key == difference.0 => Some(squares),
        Some(_) | None => None,
    })
}

type Slot = Option<(u64, Squares)>;

static TABLE: LazyLock<Box<[Slot]>> = LazyLock::new(|| {
    let mut table = vec![None; SLOTS].into_boxed_slice();
    for mv in reversible() {
        insert(&mut table, mv);
    }
    table
});

const fn homes(key: u64) -> [usize; 2] {
    [key as usize % SLOTS, (key >> 16) as usize % SLOTS]
}

/// An occupant is displaced to its other slot, until one is free.
fn insert(table: &mut [Slot], mut mv: (u64, Squares)) {
    let mut slot = homes(mv.0)[0];
    // The keys are constants, so a table that was built once can always be built.
    while let Some(displaced) = table[slot].replace(mv) {
        mv = displaced;
        let [one, other] = homes(mv.0);
        slot = if slot == one { other } else { one };
    }
}

/// All moves of pieces other than pawns on the empty board, for both sides.
fn reversible() -> impl Iterator<Item = (u64, Squares)> {
    let start = Board::startpos();
    let passed = start.null_move().expect("neither side is in check at the start");
    // cozy-chess does not export its keys, so each is the difference of the hashes of two boards.
    let side = start.hash_without_ep() ^ passed.hash_without_ep();
    Color::ALL.into_iter().flat_map(move |color| {
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King].into_iter().flat_map(
            move |piece| {
                Square::ALL.into_iter().flat_map(move |one| {
                    // A difference is the same in both directions, so each pair of squares is needed once.
                    let later = moves(piece, one).into_iter().filter(move |&other| one < other);
                    later
                        .map(move |other| (moving(piece, color, [one, other]) ^ side, Squares { one, other }))
                })
            },
        )
    })
}

fn moves(piece: Piece, from: Square) -> BitBoard {
    let empty = BitBoard::EMPTY;
    match piece {
        Piece::Knight => get_knight_moves(from),
        Piece::Bishop => get_bishop_moves(from, empty),
        Piece::Rook => get_rook_moves(from, empty),
        Piece::Queen => get_bishop_moves(from, empty) | get_rook_moves(from, empty),
        Piece::King => get_king_moves(from),
        Piece::Pawn => empty,
    }
}

/// The difference of a board's hash between a piece on one square and on the other.
fn moving(piece: Piece, color: Color, squares: [Square; 2]) -> u64 {
    let [one, other] = squares.map(|square| with(piece, color, square, squares));
    one ^ other
}

/// The hash of a position with the piece on this square and the kings far from both squares.
fn with(piece: Piece, color: Color, square: Square, squares: [Square; 2]) -> u64 {
    let mut far = Square::ALL.into_iter().filter(|&far| squares.iter().all(|&near| are_apart(near, far)));
    let mut board = BoardBuilder::empty();
    // The side in check must be to move.
    board.side_to_move = !color;
    *board.square_mut(square) = Some((piece, color));
    let king = far.next().expect("a board is larger than that");
    *board.square_mut(king) = Some((Piece::King, !color));
    if piece != Piece::King {
        let own = far.find(|&own| are_apart(own, king)).expect("a board is larger than that");
        *board.square_mut(own) = Some((Piece::King, color));
    }
    board.build().expect("the kings are not adjacent").hash_without_ep()
}

/// Whether there is at least one square between them.
fn are_apart(one: Square, other: Square) -> bool {
    one != other && !get_king_moves(one).has(other)
}

#[cfg(test)]
mod tests {
    use cozy_chess::Move;

    use super::*;
    use crate::mutants::SeededBug;
    use crate::position::key_of;

    #[test]
    fn cuckoo_table_has_every_reversible_move() {
        assert_eq!(reversible().count(), 3668);
        assert_eq!(TABLE.iter().flatten().count(), 3668);
        assert!(reversible().all(|(key, there)| squares(Key(key)) == Some(there)));
        assert_eq!(squares(Key(0)), None);
    }

    #[test]
    fn cuckoo_keys_are_differences_by_a_move() {
        let mut board = Board::startpos();
        for (mv, known) in [("g1f3", true), ("b8c6", true), ("e2e4", false), ("a8b8", true), ("f1b5", true)] {
            let mv: Move = mv.parse().expect("a move");
            let before = key_of(&board, SeededBug::NONE);
            let rights = *board.castle_rights(board.side_to_move());
            board.play(mv);
            let difference = Key(before.0 ^ key_of(&board, SeededBug::NONE).0);
            let keeps = rights == *board.castle_rights(!board.side_to_move());
            assert_eq!(squares(difference).is_some(), known && keeps, "{mv}");
        }
    }
}
