//! Material: what pieces are worth wherever they stand and whatever else is on the board.

use cozy_chess::{Color, Piece};

use crate::eval::Term;
use crate::eval::ledger::Ledger;
use crate::eval::scene::{Scene, count};
use crate::eval::weights;

/// The row in the table of terms.
pub const TERM: Term = Term { name: "material", subject: None, judge, trace: judge, float: judge };

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
}
