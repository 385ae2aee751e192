//! `perft`: the number of leaf nodes of the tree of legal moves.

use cozy_chess::{Board, Piece};

use super::mutants::{Mutant, SeededBug};
use super::position::en_passant_target;
use super::request::{DEEPEST_PERFT, RequestError};
use threefold_chess::clock::Stop;

/// The number of leaves of the tree of legal moves, with a seeded bug if any. `stop` cancels the count.
pub(crate) fn leaf_count(
    board: &Board,
    depth: u32,
    stop: &Stop,
    bug: SeededBug,
) -> Result<u64, RequestError> {
    if depth > DEEPEST_PERFT {
        return Err(RequestError::TooDeep(depth));
    }
    leaves(board, depth, stop, bug).ok_or(RequestError::Stopped)
}

/// The stop flag is read at least this many plies above the leaves.
const LOOKED: u32 = 3;

/// The number of leaves below a board; `None` if cancelled.
fn leaves(board: &Board, depth: u32, stop: &Stop, bug: SeededBug) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if depth >= LOOKED && stop.is_raised() {
        return None;
    }
    let mut total = Some(0);
    board.generate_moves(|mut of_piece| {
        if bug.is(Mutant::PerftMissesEnPassant) && of_piece.piece == Piece::Pawn {
            of_piece.to &= !en_passant_target(board);
        }
        if bug.is(Mutant::PerftMissesCastling) && of_piece.piece == Piece::King {
            of_piece.to &= !board.colors(board.side_to_move());
        }
        // The moves of the last ply are counted without being made (bulk counting).
        if depth == 1 {
            total = total.map(|leaves| leaves + of_piece.len() as u64);
        } else {
            for mv in of_piece {
                let mut next = board.clone();
                next.play_unchecked(mv);
                total = total.zip(leaves(&next, depth - 1, stop, bug)).map(|(leaves, below)| leaves + below);
                if total.is_none() {
                    break;
                }
            }
        }
        total.is_none()
    });
    total
}
