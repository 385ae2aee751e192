//! Passed pawns: no enemy pawn can stop them any more; and candidates, which an exchange may make so.

use cozy_chess::{BitBoard, Color, Piece, Square};

use crate::echo::eval::Term;
use crate::echo::eval::ledger::Ledger;
use crate::echo::eval::scene::{Scene, ahead_of, beside, come, count, distance, forward};
use crate::echo::eval::weights;

/// The row in the table of terms.
pub const TERM: Term = Term { name: "passed", judge, trace: judge };

/// The row of those that may become so.
pub const CANDIDATES: Term = Term { name: "candidates", judge: judge_candidates, trace: judge_candidates };

fn judge<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let (us, them) = (scene.side(color), scene.side(!color));
    let their_path = ahead_of(them.pawns, !color);
    let stoppable = their_path | ahead_of(them.pawn_attacks, !color) | them.pawn_attacks;
    // Of pawns on one file the first is the one that counts.
    let leaders = us.pawns & !ahead_of(us.pawns, !color);
    for pawn in leaders & !stoppable {
        passed(scene, color, pawn, ledger);
    }
}

fn judge_candidates<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let (us, them) = (scene.side(color), scene.side(!color));
    let their_path = ahead_of(them.pawns, !color);
    let stoppable = their_path | ahead_of(them.pawn_attacks, !color) | them.pawn_attacks;
    let leaders = us.pawns & !ahead_of(us.pawns, !color);
    for pawn in leaders & stoppable & !their_path {
        let here = pawn.bitboard();
        let helpers = us.pawns & beside(here | ahead_of(here, !color));
        let hinderers = them.pawns & beside(ahead_of(here, color));
        if count(helpers) >= count(hinderers) {
            ledger.add(weights::CANDIDATE.at(come(pawn, color)), 1);
        }
    }
}

fn passed<L: Ledger>(scene: &Scene<'_>, color: Color, pawn: Square, ledger: &mut L) {
    let (us, them) = (scene.side(color), scene.side(!color));
    let board = scene.board;
    let (here, rank) = (pawn.bitboard(), come(pawn, color));
    let path = ahead_of(here, color);
    let before = forward(here, color).next_square().expect("a pawn never stands on the last rank");
    ledger.add(weights::PASSED.at(rank), 1);
    ledger.add(weights::PASSED_OUR_KING.at(rank), distance(us.king, before));
    ledger.add(weights::PASSED_THEIR_KING.at(rank), distance(them.king, before));
    if us.pawn_attacks.has(pawn) {
        ledger.add(weights::PASSED_SUPPORTED.at(rank), 1);
    }
    if board.occupied().has(before) {
        ledger.add(weights::PASSED_BLOCKED.at(rank), 1);
    } else if !them.attacks.has(before) || us.attacks.has(before) && !them.attacks_twice.has(before) {
        ledger.add(weights::PASSED_SAFE_STEP.at(rank), 1);
    }
    if (path & (board.occupied() | them.attacks)).is_empty() {
        ledger.add(weights::PASSED_FREE.at(rank), 1);
    }
    let behind = ahead_of(here, !color) & seen_from(scene, pawn);
    for (place, side) in [color, !color].into_iter().enumerate() {
        let rooks = board.colored_pieces(side, Piece::Rook) & behind;
        ledger.add(weights::PASSED_ROOK_BEHIND.at(place), i32::from(!rooks.is_empty()));
    }
    if is_out_of_reach(scene, color, pawn, path) {
        ledger.add(weights::PASSED_OUT_OF_REACH.one(), 1);
    }
}

/// What a rook in the pawn's place would see.
fn seen_from(scene: &Scene<'_>, pawn: Square) -> BitBoard {
    if scene.board.pieces(Piece::Rook).is_empty() {
        BitBoard::EMPTY
    } else {
        cozy_chess::get_rook_moves(pawn, scene.board.occupied())
    }
}

/// Against a king alone: does the pawn queen before the king can step into its square?
fn is_out_of_reach(scene: &Scene<'_>, color: Color, pawn: Square, path: BitBoard) -> bool {
    let board = scene.board;
    let pieces = board.colors(!color) & !scene.side(!color).pawns;
    if pieces.len() > 1 || !(path & board.occupied()).is_empty() {
        return false;
    }
    // A pawn on its first square saves a move.
    let steps = (7 - come(pawn, color)).min(5).cast_signed() as i32;
    let queens_on = Square::new(pawn.file(), cozy_chess::Rank::Eighth.relative_to(color));
    let to_move = i32::from(board.side_to_move() != color);
    distance(scene.side(!color).king, queens_on) - to_move > steps
}
