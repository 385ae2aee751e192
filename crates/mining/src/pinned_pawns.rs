//! Random double steps past a pinned pawn; the side to move is about to be mated and can only repeat.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, Role, Setup, Square,
};

use super::history::{after, double_step_to, is_reversible, way_back};
use super::random_positions;

/// White, to move, has a pawn on the fourth rank next to one of Black's, a king at home and a rook or bishop.
/// Black has his king on any square, a queen, a rook and another piece.
fn draw(rng: &mut ChaCha8Rng) -> Option<Chess> {
    let mut board = Board::empty();
    let file = rng.random_range(0..7);
    let (white, black) = if rng.random() { (file, file + 1) } else { (file + 1, file) };
    board.set_piece_at(Square::new(24 + white), Role::Pawn.of(Color::White));
    board.set_piece_at(Square::new(24 + black), Role::Pawn.of(Color::Black));
    let mut put = |role: Role, color: Color, ranks: std::ops::Range<u32>| {
        let square = Square::new(rng.random_range(ranks) * 8 + rng.random_range(0..8));
        if board.piece_at(square).is_none() {
            board.set_piece_at(square, role.of(color));
        }
    };
    put(Role::King, Color::White, 0..2);
    put(Role::King, Color::Black, 3..8);
    put(Role::Queen, Color::Black, 0..8);
    put(Role::Rook, Color::Black, 0..8);
    put(Role::Bishop, Color::Black, 0..8);
    put(Role::Rook, Color::White, 3..8);
    put(Role::Bishop, Color::White, 0..8);
    for _ in 0..2 {
        put(Role::Pawn, Color::White, 1..3);
        put(Role::Pawn, Color::Black, 4..7);
    }
    let setup = Setup { board, turn: Color::White, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// Would the side to move be mated at once if it passed?
fn is_lost(position: &Chess) -> bool {
    let Ok(passed) = position.clone().swap_turn() else { return false };
    passed.legal_moves().into_iter().any(|mv| after(&passed, mv).is_checkmate())
}

/// A start, a double step from it past a pinned pawn, and the moves from there to a position in which one
/// move leads to a position that has occurred twice, the one after the double step included.
pub(super) fn past_pinned_pawn(rng: &mut ChaCha8Rng) -> Option<(Chess, Vec<Move>)> {
    let here = random_positions::randomly_flipped(&draw(rng).filter(is_lost)?, rng)?;
    here.legal_moves().into_iter().filter(|&mv| is_reversible(mv)).find_map(|mv| {
        let there = after(&here, mv);
        let pinned =
            |reached: &Chess| *reached == there && reached.ep_square(EnPassantMode::PseudoLegal).is_some();
        let (start, step, _) = double_step_to(&there).into_iter().find(|(_, _, reached)| pinned(reached))?;
        let mut moves = vec![step];
        moves.extend(way_back(&here, mv, rng)?);
        moves.push(mv);
        moves.extend(way_back(&here, mv, rng)?);
        Some((start, moves))
    })
}
