//! Attack data of a position, shared by evaluation terms.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

/// A piece and the squares it attacks.
#[derive(Debug, Clone, Copy)]
pub struct PieceAttacks {
    /// Knight, bishop, rook or queen.
    pub piece: Piece,
    /// The square of the piece.
    pub square: Square,
    /// The attacked squares. Bishops see through own queens, rooks through own queens and rooks.
    pub attacks: BitBoard,
}

/// The largest number of pieces of a side besides its king.
const MOST_PIECES: usize = 15;

/// The attack data of one side.
#[derive(Debug, Clone, Copy)]
pub struct SideAttacks {
    /// The pawns of this side.
    pub pawns: BitBoard,
    /// All squares its pawns attack.
    pub pawn_attacks: BitBoard,
    /// The king's square.
    pub king: Square,
    /// The king zone: squares around the king and the three in front of them.
    pub king_zone: BitBoard,
    /// All squares it attacks.
    pub attacks: BitBoard,
    /// All squares it attacks at least twice.
    pub attacks_twice: BitBoard,
    by_kind: [BitBoard; Piece::NUM],
    reaches: [PieceAttacks; MOST_PIECES],
    pieces: usize,
}

impl SideAttacks {
    /// Its pieces with the squares they attack.
    pub fn reaches(&self) -> &[PieceAttacks] {
        &self.reaches[..self.pieces]
    }

    /// All squares attacked by its pieces of a kind.
    pub const fn attacks_by(&self, piece: Piece) -> BitBoard {
        self.by_kind[piece as usize]
    }

    const BARE: Self = Self {
        pawns: BitBoard::EMPTY,
        pawn_attacks: BitBoard::EMPTY,
        king: Square::A1,
        king_zone: BitBoard::EMPTY,
        attacks: BitBoard::EMPTY,
        attacks_twice: BitBoard::EMPTY,
        by_kind: [BitBoard::EMPTY; Piece::NUM],
        reaches: [PieceAttacks { piece: Piece::Pawn, square: Square::A1, attacks: BitBoard::EMPTY };
            MOST_PIECES],
        pieces: 0,
    };

    fn look(&mut self, board: &Board, color: Color) {
        self.pawns = board.colored_pieces(color, Piece::Pawn);
        self.king = board.king(color);
        let adjacent = get_king_moves(self.king);
        let around = adjacent | self.king.bitboard();
        self.king_zone = around | forward(around, color);
        let (left, right) = pawn_attacks_each(self.pawns, color);
        self.pawn_attacks = left | right;
        // `attack` gets the squares of all pawns at once, so it does not see that two attack the same one.
        self.attacks_twice = left & right;
        self.attack(Piece::Pawn, self.pawn_attacks);
        self.attack(Piece::King, adjacent);
        let occupied = board.occupied();
        let behind_queens = occupied & !board.colored_pieces(color, Piece::Queen);
        let behind_rooks = behind_queens & !board.colored_pieces(color, Piece::Rook);
        self.reach(board, color, Piece::Knight, get_knight_moves);
        self.reach(board, color, Piece::Bishop, |from| get_bishop_moves(from, behind_queens));
        self.reach(board, color, Piece::Rook, |from| get_rook_moves(from, behind_rooks));
        self.reach(board, color, Piece::Queen, |from| {
            get_bishop_moves(from, occupied) | get_rook_moves(from, occupied)
        });
    }

    fn reach(&mut self, board: &Board, color: Color, piece: Piece, moves: impl Fn(Square) -> BitBoard) {
        for square in board.colored_pieces(color, piece) {
            let attacks = moves(square);
            self.attack(piece, attacks);
            self.reaches[self.pieces] = PieceAttacks { piece, square, attacks };
            self.pieces += 1;
        }
    }

    fn attack(&mut self, piece: Piece, squares: BitBoard) {
        self.attacks_twice |= self.attacks & squares;
        self.attacks |= squares;
        self.by_kind[piece as usize] |= squares;
    }
}

/// A position with attack data of both sides.
pub struct EvalContext<'a> {
    /// The position that is evaluated.
    pub board: &'a Board,
    sides: [SideAttacks; 2],
}

impl<'a> EvalContext<'a> {
    /// Computes the attack data of a position.
    pub fn new(board: &'a Board) -> Self {
        // Filled in place, since a side is large.
        let mut context = Self { board, sides: [SideAttacks::BARE; 2] };
        for color in Color::ALL {
            context.sides[color as usize].look(board, color);
        }
        context
    }

    /// The data of one side.
    pub const fn side(&self, color: Color) -> &SideAttacks {
        &self.sides[color as usize]
    }
}

/// All squares that these pawns attack.
pub fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let (left, right) = pawn_attacks_each(pawns, color);
    left | right
}

fn pawn_attacks_each(pawns: BitBoard, color: Color) -> (BitBoard, BitBoard) {
    let ahead = forward(pawns, color);
    (BitBoard((ahead & !File::A.bitboard()).0 >> 1), BitBoard((ahead & !File::H.bitboard()).0 << 1))
}

/// The squares shifted one rank forward.
pub const fn forward(squares: BitBoard, color: Color) -> BitBoard {
    match color {
        Color::White => BitBoard(squares.0 << 8),
        Color::Black => BitBoard(squares.0 >> 8),
    }
}

/// All squares in front of these on the same files.
pub const fn ahead_of(squares: BitBoard, color: Color) -> BitBoard {
    let mut filled = forward(squares, color);
    filled.0 |= forward(filled, color).0;
    filled.0 |= match color {
        Color::White => filled.0 << 16 | filled.0 << 32,
        Color::Black => filled.0 >> 16 | filled.0 >> 32,
    };
    filled
}

/// The squares to the left and right.
pub fn adjacent(squares: BitBoard) -> BitBoard {
    BitBoard((squares & !File::A.bitboard()).0 >> 1) | BitBoard((squares & !File::H.bitboard()).0 << 1)
}

/// The number of squares.
pub const fn count(squares: BitBoard) -> i32 {
    squares.len().cast_signed()
}

/// The distance in king moves.
pub fn distance(from: Square, to: Square) -> i32 {
    let files = (from.file() as i32 - to.file() as i32).abs();
    let ranks = (from.rank() as i32 - to.rank() as i32).abs();
    files.max(ranks)
}

/// The rank from the side's view, from 0 to 7.
pub const fn relative_rank(square: Square, color: Color) -> usize {
    match color {
        Color::White => square.rank() as usize,
        Color::Black => 7 - square.rank() as usize,
    }
}

/// The distance of a file from the edge, from 0 (a, h) to 3 (d, e).
pub fn edge_distance(square: Square) -> usize {
    let file = square.file() as usize;
    file.min(7 - file)
}
