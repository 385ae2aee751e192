//! Endgames that are won or drawn for reasons of their own.
//!
//! Where the other side has hardly anything left, the winner drives its king to the edge and brings its own
//! nearer, which is how every elementary mate begins. Where the stronger side has no pawn, a small advantage
//! is worth little, because nothing more will come.

use cozy_chess::{BitBoard, Board, Color, Piece, Square};

use crate::echo::eval::Term;
use crate::echo::eval::phase::Tapered;
use crate::echo::eval::scene::{Scene, count, distance};

/// The row in the table of terms.
pub const TERM: Term = Term { name: "endgame", judge };

/// All of the advantage counts.
pub const FULL_CHANCES: i32 = 64;

/// The lone king's steps from the middle, and the winner's nearness to it.
const TO_THE_EDGE: i32 = 22;
const KINGS_NEAR: i32 = 9;

/// In pawns: minor pieces 3, rooks 5, queens 9.
fn pieces_in_pawns(board: &Board, color: Color) -> i32 {
    let of = |piece| count(board.colored_pieces(color, piece));
    3 * (of(Piece::Knight) + of(Piece::Bishop)) + 5 * of(Piece::Rook) + 9 * of(Piece::Queen)
}

fn has_pawns(board: &Board, color: Color) -> bool {
    !board.colored_pieces(color, Piece::Pawn).is_empty()
}

/// How much of an advantage of `stronger` counts, out of [`FULL_CHANCES`].
pub fn winning_chances(board: &Board, stronger: Color) -> i32 {
    if has_pawns(board, stronger) {
        return FULL_CHANCES;
    }
    let (ours, theirs) = (pieces_in_pawns(board, stronger), pieces_in_pawns(board, !stronger));
    let knights = board.colored_pieces(stronger, Piece::Knight);
    let only_knights = knights.len() == 2 && ours == 6;
    // A minor piece more than the other side has is no win without pawns, and neither are two knights.
    if ours - theirs <= 3 || (only_knights && theirs == 0) {
        if ours < 5 { 2 } else { 10 }
    } else {
        FULL_CHANCES
    }
}

fn judge(scene: &Scene<'_>, color: Color) -> Tapered {
    let board = scene.board;
    let (ours, theirs) = (pieces_in_pawns(board, color), pieces_in_pawns(board, !color));
    if has_pawns(board, !color) || theirs > 3 || ours - theirs < 5 {
        return Tapered::ZERO;
    }
    let lone = board.king(!color);
    let near = 14 - steps(board.king(color), lone);
    let drive = match corner_colour(board, color) {
        Some(corners) => 2 * TO_THE_EDGE * (7 - nearest(corners, lone)) / 3,
        None => TO_THE_EDGE * from_the_middle(lone),
    };
    let bonus = drive + KINGS_NEAR * near;
    Tapered::new(bonus, bonus)
}

/// Where only a bishop and a knight mate, the corners the bishop can reach.
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

/// Steps along files plus steps along ranks.
fn steps(from: Square, to: Square) -> i32 {
    (from.file() as i32 - to.file() as i32).abs() + (from.rank() as i32 - to.rank() as i32).abs()
}

/// 0 on the four squares in the middle, 6 in a corner.
fn from_the_middle(square: Square) -> i32 {
    let outward = |line: i32| (3 - line).max(line - 4);
    outward(square.file() as i32) + outward(square.rank() as i32)
}
