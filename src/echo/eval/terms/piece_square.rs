//! Piece and square: where a piece of each kind likes to stand, whatever else is on the board.

use cozy_chess::{Color, Piece, Square};

use crate::echo::eval::Term;
use crate::echo::eval::phase::Tapered;
use crate::echo::eval::scene::Scene;

/// The row in the table of terms.
pub const TERM: Term = Term { name: "piece-square", judge };

/// From White's side of the board.
static TABLE: [[Tapered; Square::NUM]; Piece::NUM] = table();

fn judge(scene: &Scene<'_>, color: Color) -> Tapered {
    let mut total = Tapered::ZERO;
    for piece in Piece::ALL {
        for square in scene.board.colored_pieces(color, piece) {
            total += TABLE[piece as usize][square.relative_to(color) as usize];
        }
    }
    total
}

const fn table() -> [[Tapered; Square::NUM]; Piece::NUM] {
    let mut table = [[Tapered::ZERO; Square::NUM]; Piece::NUM];
    let mut square = 0;
    while square < Square::NUM {
        let (file, rank) =
            (Square::index_const(square).file() as i32, Square::index_const(square).rank() as i32);
        table[Piece::Pawn as usize][square] = pawn(file, rank);
        table[Piece::Knight as usize][square] = knight(file, rank);
        table[Piece::Bishop as usize][square] = bishop(file, rank);
        table[Piece::Rook as usize][square] = rook(file, rank);
        table[Piece::Queen as usize][square] = queen(file, rank);
        table[Piece::King as usize][square] = king(file, rank);
        square += 1;
    }
    table
}

/// 0 at the edge, 3 in the middle.
const fn inward(line: i32) -> i32 {
    if line < 4 { line } else { 7 - line }
}

/// 0 in a corner, 6 on the four squares in the middle.
const fn centrality(file: i32, rank: i32) -> i32 {
    inward(file) + inward(rank)
}

/// Central pawns gain by holding the centre, all gain by going on.
const fn pawn(file: i32, rank: i32) -> Tapered {
    let advance = rank - 1;
    let centre = if rank == 3 || rank == 4 { 7 * inward(file) } else { 2 * inward(file) };
    Tapered::new(centre + 2 * advance - 8, 2 * advance * advance - 6)
}

/// A knight on the rim is dim.
const fn knight(file: i32, rank: i32) -> Tapered {
    let outpost = if rank >= 3 && rank <= 5 { 8 } else { 0 };
    let at_home = if rank == 0 { 8 } else { 0 };
    Tapered::new(8 * centrality(file, rank) - 28 + outpost - at_home, 6 * centrality(file, rank) - 22)
}

/// Off the back rank, towards the long diagonals.
const fn bishop(file: i32, rank: i32) -> Tapered {
    let diagonal = if file == rank || file == 7 - rank { 6 } else { 0 };
    let at_home = if rank == 0 { 12 } else { 0 };
    Tapered::new(3 * centrality(file, rank) - 6 + diagonal - at_home, 3 * centrality(file, rank) - 10)
}

/// Central files early, the seventh rank always.
const fn rook(file: i32, rank: i32) -> Tapered {
    let seventh = if rank == 6 { 16 } else { 0 };
    Tapered::new(4 * inward(file) - 6 + seventh, seventh + if rank >= 4 { 4 } else { 0 })
}

/// Not out too early, in the middle late.
const fn queen(file: i32, rank: i32) -> Tapered {
    let early = if rank >= 2 && rank <= 4 { 4 } else { 0 };
    Tapered::new(2 * centrality(file, rank) - 4 - early, 6 * centrality(file, rank) - 20)
}

/// In a corner of its own back rank while there are pieces, in the middle when they are gone.
const fn king(file: i32, rank: i32) -> Tapered {
    let castled = if rank == 0 { 10 * (3 - inward(file)) } else { -14 - 10 * rank };
    Tapered::new(castled - 4, 11 * centrality(file, rank) - 34)
}
