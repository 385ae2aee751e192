//! What several terms need to know of a position, worked out once.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

/// A piece and the squares it attacks.
#[derive(Debug, Clone, Copy)]
pub struct Reach {
    /// Knight, bishop, rook or queen.
    pub piece: Piece,
    /// The squares it attacks.
    pub attacks: BitBoard,
}

/// No side has more pieces besides its king.
const MOST_PIECES: usize = 15;

/// One side's part of a scene.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// Its pawns.
    pub pawns: BitBoard,
    /// Every square its pawns attack.
    pub pawn_attacks: BitBoard,
    /// Where its king stands.
    pub king: Square,
    /// The squares around its king and the three before them.
    pub king_zone: BitBoard,
    reaches: [Reach; MOST_PIECES],
    pieces: usize,
}

impl Side {
    /// Its pieces with the squares they attack.
    pub fn reaches(&self) -> &[Reach] {
        &self.reaches[..self.pieces]
    }
}

/// A position with what is worth knowing of it.
pub struct Scene<'a> {
    /// The position.
    pub board: &'a Board,
    sides: [Side; 2],
}

impl<'a> Scene<'a> {
    /// Looks at a position.
    pub fn of(board: &'a Board) -> Self {
        Self { board, sides: [side(board, Color::White), side(board, Color::Black)] }
    }

    /// One side's part.
    pub const fn side(&self, color: Color) -> &Side {
        &self.sides[color as usize]
    }
}

fn side(board: &Board, color: Color) -> Side {
    let pawns = board.colored_pieces(color, Piece::Pawn);
    let king = board.king(color);
    let around = get_king_moves(king) | king.bitboard();
    let mut reaches = [Reach { piece: Piece::Pawn, attacks: BitBoard::EMPTY }; MOST_PIECES];
    let mut pieces = 0;
    let occupied = board.occupied();
    for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        for square in board.colored_pieces(color, piece) {
            let attacks = match piece {
                Piece::Knight => get_knight_moves(square),
                Piece::Bishop => get_bishop_moves(square, occupied),
                Piece::Rook => get_rook_moves(square, occupied),
                Piece::Queen | Piece::Pawn | Piece::King => {
                    get_bishop_moves(square, occupied) | get_rook_moves(square, occupied)
                }
            };
            reaches[pieces] = Reach { piece, attacks };
            pieces += 1;
        }
    }
    Side {
        pawns,
        pawn_attacks: pawn_attacks(pawns, color),
        king,
        king_zone: around | forward(around, color),
        reaches,
        pieces,
    }
}

/// Every square that these pawns attack.
pub fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let ahead = forward(pawns, color);
    BitBoard((ahead & !File::A.bitboard()).0 >> 1) | BitBoard((ahead & !File::H.bitboard()).0 << 1)
}

/// The same squares one rank further on.
pub const fn forward(squares: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

/// Every square ahead of these on the same files.
pub const fn ahead_of(squares: BitBoard, color: Color) -> BitBoard {
    let mut filled = forward(squares, color);
    filled.0 |= forward(filled, color).0;
    filled.0 |= match color {
        Color::White => filled.0 << 16 | filled.0 << 32,
        Color::Black => filled.0 >> 16 | filled.0 >> 32,
    };
    filled
}

/// How many squares these are.
pub const fn count(squares: BitBoard) -> i32 {
    squares.len().cast_signed()
}

/// King's moves between two squares.
pub fn distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    let ranks = (from.rank() as i32 - to.rank() as i32).abs();
    files.max(ranks)
}
