//! Material: what pieces are worth wherever they stand, and how pawns change that.

use cozy_chess::{Color, Piece};

use crate::echo::eval::Term;
use crate::echo::eval::ledger::Ledger;
use crate::echo::eval::scene::{Scene, count};
use crate::echo::eval::weights;

/// The row in the table of terms.
pub const TERM: Term = Term { name: "material", judge, trace: judge };

/// Pawns at which a knight and a rook are worth what they are worth.
const USUAL_PAWNS: i32 = 5;

fn judge<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let number = |piece| count(scene.board.colored_pieces(color, piece));
    for (place, piece) in
        [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate()
    {
        ledger.add(weights::MATERIAL.at(place), number(piece));
    }
    if number(Piece::Bishop) >= 2 {
        ledger.add(weights::BISHOP_PAIR.one(), 1);
    }
    let beyond = number(Piece::Pawn) - USUAL_PAWNS;
    ledger.add(weights::KNIGHT_BY_PAWNS.one(), number(Piece::Knight) * beyond);
    ledger.add(weights::ROOK_BY_PAWNS.one(), number(Piece::Rook) * beyond);
}
