//! What several terms need to know of a position, worked out once.

use cozy_chess::{
    BitBoard, Board, Color, File, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_rook_moves,
};

/// A piece and the squares it attacks.
#[derive(Debug, Clone, Copy)]
pub struct PieceAttacks {
    /// Knight, bishop, rook or queen.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// The squares it attacks. Bishops look through queens of their own, rooks through queens and rooks.
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
    /// Every square it attacks.
    pub attacks: BitBoard,
    /// Every square it attacks more than once.
    pub attacks_twice: BitBoard,
    by_kind: [BitBoard; Piece::NUM],
    reaches: [PieceAttacks; MOST_PIECES],
    pieces: usize,
}

impl Side {
    /// Its pieces with the squares they attack.
    pub fn reaches(&self) -> &[PieceAttacks] {
        &self.reaches[..self.pieces]
    }

    /// Every square that its pieces of a kind attack.
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
        let beside = get_king_moves(self.king);
        let around = beside | self.king.bitboard();
        self.king_zone = around | forward(around, color);
        let (left, right) = pawn_attacks_each(self.pawns, color);
        self.pawn_attacks = left | right;
        self.attacks_twice = left & right;
        self.attack(Piece::Pawn, self.pawn_attacks);
        self.attack(Piece::King, beside);
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

/// A position with what is worth knowing of it.
pub struct EvalContext<'a> {
    /// The position.
    pub board: &'a Board,
    sides: [Side; 2],
}

impl<'a> EvalContext<'a> {
    /// Looks at a position.
    pub fn of(board: &'a Board) -> Self {
        // Filled in place: a side is too big to be carried about.
        let mut context = Self { board, sides: [Side::BARE; 2] };
        for color in Color::ALL {
            context.sides[color as usize].look(board, color);
        }
        context
    }

    /// One side's part.
    pub const fn side(&self, color: Color) -> &Side {
        &self.sides[color as usize]
    }
}

/// Every square that these pawns attack.
pub fn pawn_attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let (left, right) = pawn_attacks_each(pawns, color);
    left | right
}

fn pawn_attacks_each(pawns: BitBoard, color: Color) -> (BitBoard, BitBoard) {
    let ahead = forward(pawns, color);
    (BitBoard((ahead & !File::A.bitboard()).0 >> 1), BitBoard((ahead & !File::H.bitboard()).0 << 1))
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

/// The squares to the left and right of these.
pub fn beside(squares: BitBoard) -> BitBoard {
    BitBoard((squares & !File::A.bitboard()).0 >> 1) | BitBoard((squares & !File::H.bitboard()).0 << 1)
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

/// How far a square has come, from 0 on its side's first rank to 7 on the last.
pub const fn come(square: Square, color: Color) -> usize {
    match color {
        Color::White => square.rank() as usize,
        Color::Black => 7 - square.rank() as usize,
    }
}

/// How far a file is from the edge: 0 for the rook's files, 3 for those in the middle.
pub fn inward(square: Square) -> usize {
    let file = square.file() as usize;
    file.min(7 - file)
}
