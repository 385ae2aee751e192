//! Endgames with special rules.
//!
//! Against a bare king the winner drives it to the edge and brings its own king closer. Without pawns a small
//! advantage of the stronger side counts little; and some pawns cannot be promoted.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, count, distance};
use crate::eval::weights;

/// The evaluation term `endgame`.
pub const TERM: Term =
    Term { name: "endgame", area: Some(EvalArea::Endgames), add: add_term, trace: add_term, float: add_term };

/// The unit: the full advantage counts.
pub const FULL_CHANCES: i32 = 64;

/// Winning chances of nothing, and of almost nothing, without pawns.
const NONE: i32 = 2;
const HARDLY: i32 = 10;
/// Opposite-coloured bishops only: without a pawn, and per extra pawn.
const OPPOSITE_BISHOPS: i32 = 20;
const BY_PAWN_MORE: i32 = 5;
/// Opposite-coloured bishops with other pieces, which can attack what the bishop cannot.
const OPPOSITE_AND_MORE: i32 = 54;
/// With one pawn left, and per further pawn, up to the full value.
const LAST_PAWN: i32 = 46;
const BY_PAWN: i32 = 18;

/// In pawns: minor pieces 3, rooks 5, queens 9.
fn pieces_in_pawns(board: &Board, color: Color) -> i32 {
    let of = |piece| count(board.colored_pieces(color, piece));
    3 * (of(Piece::Knight) + of(Piece::Bishop)) + 5 * of(Piece::Rook) + 9 * of(Piece::Queen)
}

fn has_pawns(board: &Board, color: Color) -> bool {
    !board.colored_pieces(color, Piece::Pawn).is_empty()
}

/// The winning chances of `stronger`, out of [`FULL_CHANCES`].
#[inline]
pub fn winning_chances(board: &Board, stronger: Color) -> i32 {
    let (ours, theirs) = (pieces_in_pawns(board, stronger), pieces_in_pawns(board, !stronger));
    if !has_pawns(board, stronger) {
        let knights = board.colored_pieces(stronger, Piece::Knight);
        let only_knights = knights.len() == 2 && ours == 6;
        // An extra minor piece without pawns is no win, and neither are two knights.
        return if ours - theirs <= 3 || (only_knights && theirs == 0) {
            if ours < 5 { NONE } else { HARDLY }
        } else {
            FULL_CHANCES
        };
    }
    if ours <= 3 && theirs == 0 && is_held_in_the_corner(board, stronger) {
        return NONE;
    }
    let pawns = count(board.colored_pieces(stronger, Piece::Pawn));
    let by_pawns = LAST_PAWN + BY_PAWN * (pawns - 1);
    if are_bishops_opposite(board) {
        let more = (pawns - count(board.colored_pieces(!stronger, Piece::Pawn))).max(0);
        let alone = ours == 3 && theirs == 3;
        let opposite = if alone { OPPOSITE_BISHOPS + BY_PAWN_MORE * more } else { OPPOSITE_AND_MORE };
        return opposite.min(by_pawns).min(FULL_CHANCES);
    }
    // With a larger material lead no pawn is needed.
    if ours - theirs > 3 { FULL_CHANCES } else { by_pawns.min(FULL_CHANCES) }
}

/// One bishop each, on squares of different colours.
fn are_bishops_opposite(board: &Board) -> bool {
    let bishops = board.pieces(Piece::Bishop);
    let white = board.colored_pieces(Color::White, Piece::Bishop);
    bishops.len() == 2 && white.len() == 1 && (bishops & BitBoard::DARK_SQUARES).len() == 1
}

/// Rook pawns on one file, at most a bishop of the wrong colour, and the defending king in the corner.
fn is_held_in_the_corner(board: &Board, stronger: Color) -> bool {
    let pawns = board.colored_pieces(stronger, Piece::Pawn);
    let Some(file) = [File::A, File::H].into_iter().find(|file| pawns.is_subset(file.bitboard())) else {
        return false;
    };
    let corner = Square::new(file, Rank::Eighth.relative_to(stronger));
    let same_colour =
        if BitBoard::DARK_SQUARES.has(corner) { BitBoard::DARK_SQUARES } else { BitBoard::LIGHT_SQUARES };
    let bishops = board.colored_pieces(stronger, Piece::Bishop);
    let pieces = board.colors(stronger) & !pawns & !board.king(stronger).bitboard();
    pieces == bishops && (bishops & same_colour).is_empty() && distance(board.king(!stronger), corner) <= 1
}

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let board = context.board;
    let (ours, theirs) = (pieces_in_pawns(board, color), pieces_in_pawns(board, !color));
    if has_pawns(board, !color) || theirs > 3 || ours - theirs < 5 {
        return;
    }
    let lone = board.king(!color);
    match corner_colour(board, color) {
        Some(corners) => sum.add(weights::DRIVE_TO_CORNER.one(), 7 - nearest(corners, lone)),
        None => sum.add(weights::DRIVE_TO_EDGE.one(), from_the_middle(lone)),
    }
    sum.add(weights::DRIVE_KING_NEAR.one(), 14 - steps(board.king(color), lone));
}

/// With bishop and knight, the corners of the bishop's colour.
fn corner_colour(board: &Board, color: Color) -> Option<BitBoard> {
    let bishops = board.colored_pieces(color, Piece::Bishop);
    let only = board.colors(color).len() == 3
        && bishops.len() == 1
        && board.colored_pieces(color, Piece::Knight).len() == 1;
    let reached = if bishops.is_disjoint(BitBoard::DARK_SQUARES) {
        BitBoard::LIGHT_SQUARES
    } else {
        BitBoard::DARK_SQUARES
    };
    only.then_some(reached & BitBoard::CORNERS)
}

fn nearest(corners: BitBoard, king: Square) -> i32 {
    corners.into_iter().map(|corner| distance(corner, king)).min().unwrap_or(0)
}

/// The Manhattan distance.
fn steps(from: Square, to: Square) -> i32 {
    (from.file() as i32 - to.file() as i32).abs() + (from.rank() as i32 - to.rank() as i32).abs()
}

/// The Manhattan distance from the centre: 0 on the four central squares, 6 in a corner.
fn from_the_middle(square: Square) -> i32 {
    let outward = |line: i32| (3 - line).max(line - 4);
    outward(square.file() as i32) + outward(square.rank() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawish_endings_are_scaled_down() {
        let table = [
            ("7k/8/8/8/7P/8/4B3/4K3 w - - 0 1", NONE, "a light bishop, a pawn that goes to a dark corner"),
            ("7k/8/8/8/7P/8/3B4/4K3 w - - 0 1", LAST_PAWN, "the bishop guards the corner"),
            ("7k/8/8/8/P6P/8/4B3/4K3 w - - 0 1", LAST_PAWN + BY_PAWN, "pawns on both wings"),
            ("4k3/3b4/8/8/2PP4/8/3B4/4K3 w - - 0 1", OPPOSITE_BISHOPS + 2 * BY_PAWN_MORE, "opposite bishops"),
            ("4k3/8/8/8/8/8/3B4/4K3 w - - 0 1", NONE, "one bishop"),
            ("4k3/8/8/8/8/8/3NN3/4K3 w - - 0 1", HARDLY, "two knights"),
            ("4k3/3b4/8/8/8/8/3R4/4K3 w - - 0 1", HARDLY, "rook against bishop"),
            ("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", FULL_CHANCES, "a rook"),
            ("4k3/p7/8/8/8/PPPP4/8/4K3 w - - 0 1", FULL_CHANCES, "four pawns"),
        ];
        for (fen, chances, why) in table {
            let board: Board = fen.parse().expect("a position");
            assert_eq!(winning_chances(&board, Color::White), chances, "{why}");
        }
    }
}
