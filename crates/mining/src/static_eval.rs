//! Static evaluations of a position: material only, or with kings and pawns.
//!
//! [`positional_eval`] scores the leaves of the [reference search](super::reference_search), which measures
//! the difficulty of a trap.

use shakmaty::{Board, Chess, Color, Piece, Position, Role, Square};

use threefold_chess::score::Centipawns;

/// The bonus for the side to move, in centipawns.
const TEMPO: i32 = 10;

/// A pawn that has advanced `n` ranks gets this times `n²` centipawns.
const PAWN_RANK_BONUS: i32 = 5;

/// The penalty for each step of a king's distance from the centre, in centipawns.
const KING_STEP_PENALTY: i32 = 10;

/// The king's distance counts with at most this number of pieces on the board, kings and pawns included.
const ENDGAME_PIECES: usize = 6;

/// The value of a piece in centipawns.
pub const fn piece_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 310,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Material plus a bonus for the side to move, from the point of view of `side`.
pub fn material_eval(position: &Chess, side: Color) -> Centipawns {
    let piece_values = |color: Color| {
        let pieces = position.board().material_side(color).zip_role();
        pieces.into_iter().map(|(role, count)| piece_value(role) * i32::from(count)).sum::<i32>()
    };
    let tempo = if position.turn() == side { TEMPO } else { -TEMPO };
    Centipawns(piece_values(side) - piece_values(side.other()) + tempo)
}

/// [`material_eval`] plus terms for advanced pawns and, in endings, central kings. The terms make a
/// difference between positions with equal material.
pub fn positional_eval(position: &Chess, side: Color) -> Centipawns {
    let board = position.board();
    Centipawns(
        material_eval(position, side).0 + king_and_pawn_terms(board, side)
            - king_and_pawn_terms(board, side.other()),
    )
}

fn king_and_pawn_terms(board: &Board, color: Color) -> i32 {
    let pawns = board.by_piece(Piece { color, role: Role::Pawn });
    let advanced = pawns.into_iter().map(|pawn| {
        let ranks = color.relative_rank(pawn.rank()) as i32 - 1;
        PAWN_RANK_BONUS * ranks * ranks
    });
    let king = board.king_of(color).filter(|_| board.occupied().count() <= ENDGAME_PIECES);
    advanced.sum::<i32>() - KING_STEP_PENALTY * king.map_or(0, distance_to_centre)
}

/// King's steps to the nearest of the four central squares.
fn distance_to_centre(square: Square) -> i32 {
    let steps = |coordinate: i32| (3 - coordinate).max(coordinate - 4);
    steps(square.file() as i32).max(steps(square.rank() as i32))
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    }

    #[test]
    fn positional_eval_counts_advanced_pawns_and_central_kings() {
        let table = [
            // FEN, White's view
            ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", 110),
            ("8/4P3/4k3/8/8/4K3/8/8 w - - 0 1", 110 + 125),
            ("8/8/4k3/8/4p3/4K3/8/8 w - - 0 1", -90 - 45),
            ("k7/8/8/8/3K4/8/4P3/8 w - - 0 1", 110 + 30),
            // More than six pieces: the kings' distances do not count.
            ("k7/pppp4/8/8/3K4/8/PPPP4/8 w - - 0 1", 10),
        ];
        for (fen, centipawns) in table {
            assert_eq!(positional_eval(&position(fen), Color::White), Centipawns(centipawns), "{fen}");
        }
    }

    #[test]
    fn material_eval_counts_pieces_and_the_side_to_move() {
        let table = [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Color::White, 510),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Color::Black, -510),
            ("4k3/p7/8/8/8/8/8/B3K3 b - - 0 1", Color::White, 200),
        ];
        for (fen, side, centipawns) in table {
            assert_eq!(material_eval(&position(fen), side), Centipawns(centipawns), "{fen}");
        }
    }
}
