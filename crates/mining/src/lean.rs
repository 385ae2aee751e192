//! What the board says before any search, at a glance or at a second look.
//!
//! A second look judges the leaves of the [plain search](super::plain), which says how hard a trap is.

use shakmaty::{Board, Chess, Color, Piece, Position, Role, Square};

use threefold_chess::score::Centipawns;

/// What the right to move is worth.
const TEMPO: i32 = 10;

/// A pawn that has run `n` ranks is worth so much times `n` squared more.
const RUN: i32 = 5;

/// What a king gives for each step that he stands away from the middle.
const STEP: i32 = 10;

/// With so many men or fewer on the board a king belongs in the middle.
const FEW: usize = 6;

/// What a man is worth at a glance, in centipawns.
pub const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 310,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Material and the move, from `side`'s view.
pub fn glance(position: &Chess, side: Color) -> Centipawns {
    let material = |color: Color| {
        let men = position.board().material_side(color).zip_role();
        men.into_iter().map(|(role, count)| worth(role) * i32::from(count)).sum::<i32>()
    };
    let tempo = if position.turn() == side { TEMPO } else { -TEMPO };
    Centipawns(material(side) - material(side.other()) + tempo)
}

/// The glance, and what tells endings of the same men apart: how far pawns have run, and how near to the
/// middle the kings stand.
pub fn look(position: &Chess, side: Color) -> Centipawns {
    let board = position.board();
    Centipawns(glance(position, side).0 + standing(board, side) - standing(board, side.other()))
}

fn standing(board: &Board, color: Color) -> i32 {
    let pawns = board.by_piece(Piece { color, role: Role::Pawn });
    let run = pawns.into_iter().map(|pawn| {
        let ranks = color.relative_rank(pawn.rank()) as i32 - 1;
        RUN * ranks * ranks
    });
    let king = board.king_of(color).filter(|_| board.occupied().count() <= FEW);
    run.sum::<i32>() - STEP * king.map_or(0, from_middle)
}

/// King's steps to the nearest of the four squares in the middle.
fn from_middle(square: Square) -> i32 {
    let off = |line: i32| (3 - line).max(line - 4);
    off(square.file() as i32).max(off(square.rank() as i32))
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
    fn a_look_sees_pawns_run_and_kings_in_the_middle() {
        let table = [
            // FEN, White's view
            ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", 110),
            ("8/4P3/4k3/8/8/4K3/8/8 w - - 0 1", 110 + 125),
            ("8/8/4k3/8/4p3/4K3/8/8 w - - 0 1", -90 - 45),
            ("k7/8/8/8/3K4/8/4P3/8 w - - 0 1", 110 + 30),
            // Many men: kings stay at home.
            ("k7/pppp4/8/8/3K4/8/PPPP4/8 w - - 0 1", 10),
        ];
        for (fen, centipawns) in table {
            assert_eq!(look(&position(fen), Color::White), Centipawns(centipawns), "{fen}");
        }
    }

    #[test]
    fn a_glance_counts_men_and_the_move() {
        let table = [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Color::White, 510),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Color::Black, -510),
            ("4k3/p7/8/8/8/8/8/B3K3 b - - 0 1", Color::White, 200),
        ];
        for (fen, side, centipawns) in table {
            assert_eq!(glance(&position(fen), side), Centipawns(centipawns), "{fen}");
        }
    }
}
