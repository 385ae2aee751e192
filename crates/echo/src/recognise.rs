//! Recognisers: endings whose winner is known from material and a few conditions (Slate 1984, Heinz 1998).
//!
//! The results are exact: `tests/recognisers.rs` compares them with distance-to-mate tables, position by
//! position. Positions with a piece in danger are not recognised.

use cozy_chess::{Board, Color, Piece, get_king_moves};

use super::eval::{self, context, king_and_pawn};

/// The outcome of an ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndgameOutcome {
    /// This side wins.
    Won(Color),
    /// A draw.
    Drawn,
}

/// The largest number of pieces of a recognised ending, including kings.
const MAX_PIECES: u32 = 4;
/// Distance from the lone king at which a minor piece is safe with its own side to move.
const SAFE: i32 = 3;

/// The outcome of a position, if it is recognised and nothing is in danger; the fifty-move counter is
/// ignored.
///
/// ```
/// use cozy_chess::{Board, Color};
/// use threefold_echo::recognise::{EndgameOutcome, recognise};
///
/// let queen: Board = "4k3/8/8/8/8/8/1Q6/4K3 w - - 0 1".parse().expect("a position");
/// assert_eq!(recognise(&queen), Some(EndgameOutcome::Won(Color::White)));
/// assert_eq!(recognise(&Board::startpos()), None);
/// ```
pub fn recognise(board: &Board) -> Option<EndgameOutcome> {
    let lone = lone_king(board)?;
    match king_and_pawn::outcome(board) {
        Some(king_and_pawn::KpkOutcome::Drawn) => return Some(EndgameOutcome::Drawn),
        Some(king_and_pawn::KpkOutcome::Won { by, .. }) => return Some(EndgameOutcome::Won(by)),
        None => {}
    }
    if eval::is_insufficient(board) {
        return Some(EndgameOutcome::Drawn);
    }
    let pieces = board.colors(!lone) & !board.pieces(Piece::King);
    let wins = match pieces.len() {
        1 => holds_on(board, lone),
        _ => is_safe_pair(board, lone),
    };
    wins.then_some(EndgameOutcome::Won(!lone))
}

/// Can positions with this material be recognised?
pub fn has_recognised_material(board: &Board) -> bool {
    lone_king(board).is_some()
}

/// The side that has only its king, if the other has few pieces.
fn lone_king(board: &Board) -> Option<Color> {
    let is_small = board.occupied().len() <= MAX_PIECES;
    Color::ALL.into_iter().find(|&side| is_small && board.colors(side).len() == 1)
}

/// Queen or rook against king: the king draws only by capturing it or by stalemate.
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

/// Bishop and knight, or bishops on both colours, with their side to move and out of the king's reach.
fn is_safe_pair(board: &Board, lone: Color) -> bool {
    let pieces = board.colors(!lone) & !board.pieces(Piece::King);
    let bishops = pieces & board.pieces(Piece::Bishop);
    let knights = pieces & board.pieces(Piece::Knight);
    let both_colours = (bishops & cozy_chess::BitBoard::DARK_SQUARES).len() == 1;
    let mates = match (bishops.len(), knights.len()) {
        (1, 1) => true,
        (2, 0) => both_colours,
        _ => false,
    };
    let king = board.king(lone);
    mates
        && board.side_to_move() != lone
        && pieces.into_iter().all(|piece| context::distance(piece, king) >= SAFE)
}
