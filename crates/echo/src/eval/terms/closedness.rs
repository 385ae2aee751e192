//! Closed positions: pawns head to head shut rooks and bishops in, and knights step over them.

use cozy_chess::{Color, Piece};

use crate::eval::Term;
use crate::eval::knowledge::Subject;
use crate::eval::ledger::Ledger;
use crate::eval::scene::{Scene, count, forward};
use crate::eval::weights;

/// The row in the table of terms.
pub const TERM: Term =
    Term { name: "closedness", subject: Some(Subject::PawnStructure), judge, trace: judge, float: judge };

fn judge<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let rammed = count(scene.side(color).pawns & forward(scene.side(!color).pawns, !color));
    if rammed == 0 {
        return;
    }
    for (place, piece) in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].into_iter().enumerate() {
        ledger.add(weights::CLOSED.at(place), rammed * count(scene.board.colored_pieces(color, piece)));
    }
}
