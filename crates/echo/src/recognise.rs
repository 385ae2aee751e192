//! Endings that are known by heart: who wins them, from material and a look at the board (Slate 1984, Heinz 1998).
//!
//! What is said here is true: `tests/echo_recognisers.rs` holds it against distance-to-mate tables, position by
//! position. Where a piece stands in danger nothing is said.

use cozy_chess::{Board, Color, Piece, get_king_moves};

use super::eval::{self, context, king_and_pawn};

/// How an ending goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndgameOutcome {
    /// This side wins.
    Won(Color),
    /// Nobody does.
    Drawn,
}

/// Men that a known ending has at most, kings included.
const MEN: u32 = 4;
/// Steps from a lone king at which a minor piece is safe, its own side being to move.
const SAFE: i32 = 3;

/// How a position goes out, if it is one of a few endings and nothing is in danger, whatever the fifty-move
/// clock says.
pub fn recognise(board: &Board) -> Option<EndgameOutcome> {
    if board.occupied().len() > MEN {
        return None;
    }
    let lone = Color::ALL.into_iter().find(|&side| board.colors(side).len() == 1)?;
    match king_and_pawn::outcome(board) {
        Some(king_and_pawn::KpkOutcome::Drawn) => return Some(EndgameOutcome::Drawn),
        Some(king_and_pawn::KpkOutcome::Won { by, .. }) => return Some(EndgameOutcome::Won(by)),
        None => {}
    }
    if eval::is_insufficient(board) {
        return Some(EndgameOutcome::Drawn);
    }
    let men = board.colors(!lone) & !board.pieces(Piece::King);
    let wins = match men.len() {
        1 => holds_on(board, lone),
        _ => is_safe_pair(board, lone),
    };
    wins.then_some(EndgameOutcome::Won(!lone))
}

/// Queen or rook against the king: he draws only by taking it, or by having no move.
fn holds_on(board: &Board, lone: Color) -> bool {
    let piece = board.colors(!lone) & (board.pieces(Piece::Queen) | board.pieces(Piece::Rook));
    if piece.is_empty() {
        return false;
    }
    if board.side_to_move() != lone {
        return true;
    }
    let king = board.king(lone);
    let attacked = piece.is_subset(get_king_moves(king));
    let mut moves = false;
    let mut takes = false;
    board.generate_moves(|of_piece| {
        moves = true;
        takes |= attacked && !(of_piece.to & piece).is_empty();
        false
    });
    !takes && (moves || !board.checkers().is_empty())
}

/// Bishop and knight, or bishops of both colours, whose side is to move and which the lone king can't get at.
fn is_safe_pair(board: &Board, lone: Color) -> bool {
    let men = board.colors(!lone) & !board.pieces(Piece::King);
    let bishops = men & board.pieces(Piece::Bishop);
    let knights = men & board.pieces(Piece::Knight);
    let both_colours = (bishops & cozy_chess::BitBoard::DARK_SQUARES).len() == 1;
    let mates = match (bishops.len(), knights.len()) {
        (1, 1) => true,
        (2, 0) => both_colours,
        _ => false,
    };
    let king = board.king(lone);
    mates && board.side_to_move() != lone && men.into_iter().all(|man| context::distance(man, king) >= SAFE)
}
