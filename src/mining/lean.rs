//! What a glance at the board says, before any search: material and the move.
//!
//! A trap bites when the wrong choice looks better. How much better, to such a glance, is its pull.

use shakmaty::{Chess, Color, Position, Role};

use crate::score::Centipawns;

/// What the right to move is worth.
const TEMPO: i32 = 10;

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

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn a_glance_counts_men_and_the_move() {
        let table = [
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Color::White, 510),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", Color::Black, -510),
            ("4k3/p7/8/8/8/8/8/B3K3 b - - 0 1", Color::White, 200),
        ];
        for (fen, side, centipawns) in table {
            let position: Chess =
                fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
            assert_eq!(glance(&position, side), Centipawns(centipawns), "{fen}");
        }
    }
}
