//! Threats: pieces attacked by pawns or less valuable pieces, hanging pieces, and contested squares.
//!
//! The other side can parry one threat, so none is worth the whole piece; several threats add up.

use cozy_chess::{BitBoard, Color, Piece, Rank, get_bishop_moves, get_knight_moves, get_rook_moves};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, count, forward, pawn_attacks};
use crate::eval::weights::{self, WeightGroup};

/// The evaluation term `threats`.
pub const TERM: Term =
    Term { name: "threats", area: Some(EvalArea::Threats), add: add_term, trace: add_term, float: add_term };

const PIECES: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let (us, them) = (context.side(color), context.side(!color));
    let theirs = context.board.colors(!color) & !them.king.bitboard();
    let pieces = theirs & !them.pawns;
    if !(us.pawn_attacks & pieces).is_empty() {
        for (place, piece) in PIECES.into_iter().enumerate() {
            let attacked = us.pawn_attacks & context.board.colored_pieces(!color, piece);
            sum.add(weights::THREAT_BY_PAWN.nth(place), count(attacked));
        }
        let safe = pawn_attacks(us.pawns & (us.attacks | !them.attacks), color);
        sum.add(weights::THREAT_BY_SAFE_PAWN.one(), count(safe & pieces));
    }
    // Firmly defended: by a pawn, or twice against one attack.
    let held = them.pawn_attacks | them.attacks_twice & !us.attacks_twice;
    let minors = us.attacks_by(Piece::Knight) | us.attacks_by(Piece::Bishop);
    by(context, color, minors & (pieces | !held), weights::THREAT_BY_MINOR, sum);
    let heavy = context.board.pieces(Piece::Queen);
    by(context, color, us.attacks_by(Piece::Rook) & (heavy | !held), weights::THREAT_BY_ROOK, sum);
    for (place, victims) in [them.pawns, pieces].into_iter().enumerate() {
        let near = victims & us.attacks_by(Piece::King) & !held;
        sum.add(weights::THREAT_BY_KING.nth(place), count(near));
        let hanging = victims & us.attacks & !them.attacks;
        sum.add(weights::HANGING.nth(place), count(hanging));
    }
    let by_queen = theirs & us.attacks & them.attacks_by(Piece::Queen) & !them.attacks_twice;
    sum.add(weights::ONLY_QUEEN_GUARDS.one(), count(by_queen));
    chase(context, color, held, sum);
    sum.add(weights::THREAT_BY_PUSH.one(), count(by_push(context, color) & pieces));
    sum.add(weights::RESTRICTED.one(), count(us.attacks & them.attacks & !held));
}

/// Squares from which the enemy's single queen could be attacked next.
fn chase<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, held: BitBoard, sum: &mut L) {
    let (us, board) = (context.side(color), context.board);
    let queens = board.colored_pieces(!color, Piece::Queen);
    let (Some(queen), 1) = (queens.next_square(), queens.len()) else { return };
    let safe = !held & !us.pawns;
    let knights = get_knight_moves(queen) & us.attacks_by(Piece::Knight) & safe;
    sum.add(weights::QUEEN_CHASED.nth(0), count(knights));
    let (bishops, rooks) = (us.attacks_by(Piece::Bishop), us.attacks_by(Piece::Rook));
    let sliders =
        get_bishop_moves(queen, board.occupied()) & bishops | get_rook_moves(queen, board.occupied()) & rooks;
    // A queen can take a rook or bishop that attacks it, so these need a guard; it cannot take a knight.
    sum.add(weights::QUEEN_CHASED.nth(1), count(sliders & safe & us.attacks_twice));
}

/// Enemy pieces on these squares, by kind, including pawns.
fn by<L: TermAccumulator>(
    context: &EvalContext<'_>,
    color: Color,
    attacked: BitBoard,
    group: WeightGroup,
    sum: &mut L,
) {
    let attacked = attacked & context.board.colors(!color);
    if attacked.is_empty() {
        return;
    }
    for (place, piece) in std::iter::once(Piece::Pawn).chain(PIECES).enumerate() {
        let victims = attacked & context.board.pieces(piece);
        sum.add(group.nth(place), count(victims));
    }
}

/// Attacks of pawns after a safe step.
fn by_push(context: &EvalContext<'_>, color: Color) -> BitBoard {
    let (us, them) = (context.side(color), context.side(!color));
    let free = !context.board.occupied();
    let once = forward(us.pawns, color) & free;
    let twice = forward(once & Rank::Third.relative_to(color).bitboard(), color) & free;
    let safe = (once | twice) & !them.pawn_attacks & (us.attacks | !them.attacks);
    pawn_attacks(safe, color) & !us.pawn_attacks
}
