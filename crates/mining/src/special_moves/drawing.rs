//! Random positions that may be of a class, with the moves before them. White is to move; the colours are
//! exchanged at the end.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Move, Piece,
    Position, Role, Setup, Square,
};

use super::chess960::{Squares, squares};
use super::class::SpecialMove;
use super::proof::{castled, is_mate};
use crate::history::{after, before, double_step_to, is_reversible};
use crate::values::{flipped, round};
use threefold_chess::position::GamePosition;

/// The moves by each side of a piece that walks away and back.
const THERE_AND_BACK: usize = 2;

/// A random position with its history that may be of a class.
pub(super) fn draw(class: SpecialMove, rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let game = match class {
        SpecialMove::Castling | SpecialMove::CastlingAttacked => {
            let castling = Castling::draw(rng).filter(Castling::mates)?;
            alone(&castling.position()?)
        }
        SpecialMove::CastlingOneRight => one_right_left(rng),
        SpecialMove::CastlingLost if rng.random() => walked_back(rng),
        SpecialMove::CastlingLost => recaptured(rng),
        SpecialMove::EnPassant if rng.random() => {
            let (_, _, reached) = double_step(rng)?;
            alone(&reached)
        }
        SpecialMove::EnPassant | SpecialMove::EnPassantEvasion => {
            let (start, step, _) = double_step(rng)?;
            game(&start, &[step])
        }
        SpecialMove::EnPassantOfTwo => {
            let (start, step, reached) = double_step_between_two(rng)?;
            if rng.random() { alone(&reached) } else { game(&start, &[step]) }
        }
        SpecialMove::EnPassantExpired => a_move_late(rng),
        SpecialMove::EnPassantAnswer | SpecialMove::EnPassantPinned => {
            alone(&before_double_step(class, rng)?)
        }
        SpecialMove::QueenPromotion
        | SpecialMove::KnightPromotion
        | SpecialMove::KnightPromotionByCapture
        | SpecialMove::PromotionEvasion => alone(&with_pawn_to_promote(rng)?),
        SpecialMove::PromotionAnswer => alone(&before_promotions(rng)?),
        SpecialMove::PromotedPiece => promoted(rng),
        SpecialMove::DoubleCheck => alone(&attacked_king(rng)?),
        SpecialMove::CastledRook | SpecialMove::SteppedKing => with_castling_or_step(class, rng),
        SpecialMove::Castling960
        | SpecialMove::KingAway
        | SpecialMove::KingStays
        | SpecialMove::RookStays
        | SpecialMove::Neighbours
        | SpecialMove::InnerRook
        | SpecialMove::OpponentsRook
        | SpecialMove::HomeSquares
        | SpecialMove::Attacked960
        | SpecialMove::ShieldingRook => alone(&before_castling_960(class, rng)?),
    };
    flipped(game?, rng)
}

/// A position without a history.
fn alone(here: &Chess) -> Option<GamePosition> {
    game(here, &[])
}

/// A position with the moves after it.
fn game(start: &Chess, moves: &[Move]) -> Option<GamePosition> {
    let castling = start.castles().mode();
    let start = Fen::try_from_setup(start.to_setup(EnPassantMode::Legal)).ok()?;
    Some(GamePosition { start, moves: moves.iter().map(|mv| mv.to_uci(castling)).collect() })
}

/// A board that is filled at random.
struct Sketch<'r> {
    board: Board,
    rng: &'r mut ChaCha8Rng,
}

impl Sketch<'_> {
    /// Puts a piece on a random square of these ranks, from 0, if the square is empty.
    fn put(&mut self, piece: Piece, ranks: std::ops::Range<u32>) {
        let ranks = if piece.role == Role::Pawn { ranks.start.max(1)..ranks.end.min(7) } else { ranks };
        let square = Square::new(self.rng.random_range(ranks) * 8 + self.rng.random_range(0..8));
        if self.board.piece_at(square).is_none() {
            self.board.set_piece_at(square, piece);
        }
    }

    /// Puts pieces of one colour anywhere, each with probability one half.
    fn scatter(&mut self, color: Color, roles: &[Role]) {
        for role in roles {
            if self.rng.random() {
                self.put(role.of(color), 0..8);
            }
        }
    }

    /// Puts more pieces of both sides, and the kings that are missing.
    fn fill(mut self) -> Board {
        use Role::{Bishop, Knight, Pawn, Queen, Rook};
        for color in Color::ALL {
            if self.board.king_of(color).is_none() {
                self.put(color.king(), 0..8);
            }
        }
        self.scatter(Color::White, &[Queen, Rook, Bishop, Knight, Knight, Pawn, Pawn]);
        self.scatter(Color::Black, &[Queen, Rook, Bishop, Knight, Pawn, Pawn, Pawn]);
        self.board
    }
}

fn position(board: Board, rooks: Bitboard, turn: Color) -> Option<Chess> {
    let setup = Setup { board, turn, castling_rights: rooks, ..Setup::empty() };
    let castling = CastlingMode::detect(&setup);
    Chess::from_setup(setup, castling).ok()
}

/// A board on which White's king and a rook stand ready to castle, near Black's king.
struct Castling {
    board: Board,
    king: Square,
    /// The rooks with which it may castle, the first one to mate.
    rooks: Vec<Square>,
}

impl Castling {
    /// On the squares of normal chess.
    fn draw(rng: &mut ChaCha8Rng) -> Option<Self> {
        let rook = *[Square::A1, Square::H1].choose(rng)?;
        Self::on_squares(Squares { king: Square::E1, rooks: vec![rook], more: Vec::new() }, rng)
    }

    /// With the king and these rooks on their squares, and more pieces on others.
    fn on_squares(squares: Squares, rng: &mut ChaCha8Rng) -> Option<Self> {
        let Squares { king, rooks, more } = squares;
        let mut board = Board::empty();
        board.set_piece_at(king, Color::White.king());
        let white = rooks.iter().map(|&rook| (rook, Color::White.rook()));
        for (square, piece) in white.chain(more.iter().copied()) {
            if board.piece_at(square).is_some() {
                return None;
            }
            board.set_piece_at(square, piece);
        }
        let mut sketch = Sketch { board, rng };
        if sketch.board.king_of(Color::Black).is_none() {
            // Most kings are on the file to which the rook goes, so that castling gives check.
            if sketch.rng.random_bool(0.75) {
                let to = CastlingSide::from_king_side(king < *rooks.first()?).rook_to(Color::White);
                let king = to.offset(8 * sketch.rng.random_range(1..5))?;
                sketch.board.set_piece_at(king, Color::Black.king());
            } else {
                sketch.put(Color::Black.king(), 1..5);
            }
        }
        Some(Self { board: sketch.fill(), king, rooks })
    }

    /// The board after castling, legal or not.
    fn castled(&self) -> Option<Board> {
        castled(&self.board, Color::White, self.king, self.rook())
    }

    /// Does castling mate, if it is legal?
    fn mates(&self) -> bool {
        self.castled().is_some_and(|it| is_mate(it, Color::Black))
    }

    fn rook(&self) -> Square {
        self.rooks[0]
    }

    fn position(self) -> Option<Chess> {
        position(self.board, self.rooks.into_iter().collect(), Color::White)
    }
}

/// A position of Chess960 in which castling mates, or would if it were legal.
fn before_castling_960(class: SpecialMove, rng: &mut ChaCha8Rng) -> Option<Chess> {
    let castling = Castling::on_squares(squares(class, rng)?, rng)?;
    // In class `ShieldingRook` castling leaves the king in check, and no legal position with a mate follows.
    let may_be =
        if class == SpecialMove::ShieldingRook { castling.castled().is_some() } else { castling.mates() };
    may_be.then(|| castling.position()).flatten()
}

/// White castles, or its king steps to the same square, and Black moves.
fn with_castling_or_step(class: SpecialMove, rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let castling =
        Castling::on_squares(squares(class, rng)?, rng).filter(|castling| castling.castled().is_some())?;
    let rook = castling.rook();
    let start = castling.position()?;
    let king = start.board().king_of(Color::White)?;
    let castles = Move::Castle { king, rook };
    let to = CastlingSide::from_king_side(king < rook).king_to(Color::White);
    let step = Move::Normal { role: Role::King, from: king, to, capture: None, promotion: None };
    let mv = if class == SpecialMove::CastledRook { castles } else { step };
    if !start.is_legal(castles) || !start.is_legal(mv) {
        return None;
    }
    let replies: Vec<Move> = after(&start, mv).legal_moves().into_iter().collect();
    game(&start, &[mv, *replies.choose(rng)?])
}

/// The rook of the other wing walks away and back, so that one right is left.
fn one_right_left(rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let mut castling = Castling::draw(rng)?;
    let other = if castling.rook() == Square::A1 { Square::H1 } else { Square::A1 };
    if castling.board.piece_at(other).is_some() {
        return None;
    }
    castling.board.set_piece_at(other, Color::White.rook());
    if !castling.mates() {
        return None;
    }
    let rooks = Bitboard::from(castling.rook()) | Bitboard::from(other);
    let here = position(castling.board, rooks, Color::White)?;
    // `round` takes a function pointer, which cannot capture the square.
    let moves = match other {
        Square::A1 => round(&here, THERE_AND_BACK, |mv| mv.from() == Some(Square::A1), rng)?,
        _ => round(&here, THERE_AND_BACK, |mv| mv.from() == Some(Square::H1), rng)?,
    };
    game(&here, &moves)
}

/// The king or its rook walks away and back.
fn walked_back(rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let here = Castling::draw(rng).filter(Castling::mates)?.position()?;
    let is_from_home = |mv: &Move| matches!(mv.from(), Some(Square::A1 | Square::E1 | Square::H1));
    let moves = round(&here, THERE_AND_BACK, is_from_home, rng)?;
    game(&here, &moves)
}

/// Black captures the rook at home, another rook captures there, and Black moves.
fn recaptured(rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let castling = Castling::draw(rng).filter(Castling::mates)?;
    let rook = castling.rook();
    let here = position(castling.board, Bitboard::EMPTY, Color::White)?;
    let (earlier, last) = before(&here, rng)?;
    let mut board = earlier.board().clone();
    let mut place = |piece: Piece| {
        let square = Square::new(rng.random_range(0..64));
        board.piece_at(square).is_none().then(|| board.set_piece_at(square, piece))
    };
    place(Color::White.rook())?;
    place(Role::Bishop.of(Color::Black))?;
    let start = position(board, rook.into(), Color::Black)?;
    let captures = |position: &Chess, role| {
        let mut moves = position.legal_moves().into_iter();
        moves.find(|mv| mv.is_capture() && mv.to() == rook && mv.role() == role)
    };
    let taken = captures(&start, Role::Bishop)?;
    let taken_back = captures(&after(&start, taken), Role::Rook)?;
    game(&start, &[taken, taken_back, last])
}

/// A pawn of each side next to each other on this rank, from 0: the squares of White's and of Black's.
fn pawns_abreast(rank: u32, rng: &mut ChaCha8Rng) -> (Board, Square, Square) {
    let file = rng.random_range(0..7);
    let (white, black) = if rng.random() { (file, file + 1) } else { (file + 1, file) };
    let (white, black) = (Square::new(8 * rank + white), Square::new(8 * rank + black));
    let mut board = Board::empty();
    board.set_piece_at(white, Color::White.pawn());
    board.set_piece_at(black, Color::Black.pawn());
    (board, white, black)
}

/// A double step past one of White's pawns: the position before, the step, and the position after it.
fn double_step(rng: &mut ChaCha8Rng) -> Option<(Chess, Move, Chess)> {
    let (board, ..) = pawns_abreast(4, rng);
    double_step_on(board, rng)
}

/// The same, between two of White's pawns.
fn double_step_between_two(rng: &mut ChaCha8Rng) -> Option<(Chess, Move, Chess)> {
    let (mut board, white, black) = pawns_abreast(4, rng);
    let offset = black as i32 - white as i32;
    let other = black.offset(offset).filter(|other| other.rank() == black.rank())?;
    board.set_piece_at(other, Color::White.pawn());
    double_step_on(board, rng)
}

/// The same, with these pawns and more pieces.
fn double_step_on(board: Board, rng: &mut ChaCha8Rng) -> Option<(Chess, Move, Chess)> {
    let here = position(Sketch { board, rng }.fill(), Bitboard::EMPTY, Color::White)?;
    let passes = |reached: &Chess| reached.pseudo_legal_ep_square().is_some();
    double_step_to(&here).into_iter().find(|(_, _, reached)| passes(reached))
}

/// After a double step both sides move another piece.
fn a_move_late(rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let (start, step, mut here) = double_step(rng)?;
    let mut moves = vec![step];
    for _ in 0..2 {
        let legal: Vec<Move> = here.legal_moves().into_iter().filter(|&mv| is_reversible(mv)).collect();
        let &mv = legal.choose(rng)?;
        here.play_unchecked(mv);
        moves.push(mv);
    }
    game(&start, &moves)
}

/// White's pawn can step past one of Black's. If that is to be pinned, it stands between its king and a rook
/// or queen.
fn before_double_step(class: SpecialMove, rng: &mut ChaCha8Rng) -> Option<Chess> {
    let (mut board, _, black) = pawns_abreast(3, rng);
    if class == SpecialMove::EnPassantPinned {
        board.set_piece_at(black.offset(8)?, Color::Black.king());
        let role = *[Role::Rook, Role::Queen].choose(rng)?;
        board.set_piece_at(black.offset(-8 * rng.random_range(1..=3))?, role.of(Color::White));
    }
    let here = position(Sketch { board, rng }.fill(), Bitboard::EMPTY, Color::Black)?;
    double_step_to(&here).into_iter().map(|(start, _, _)| start).find(|start| !start.is_check())
}

/// White has a pawn on the seventh rank, and Black a piece that it may capture.
fn with_pawn_to_promote(rng: &mut ChaCha8Rng) -> Option<Chess> {
    let file = rng.random_range(0..7);
    let (pawn, target) = if rng.random() { (file, file + 1) } else { (file + 1, file) };
    let mut board = Board::empty();
    board.set_piece_at(Square::new(48 + pawn), Color::White.pawn());
    if rng.random() {
        let role = *[Role::Queen, Role::Rook, Role::Bishop, Role::Knight].choose(rng)?;
        board.set_piece_at(Square::new(56 + target), role.of(Color::Black));
    }
    let mut sketch = Sketch { board, rng };
    sketch.put(Color::Black.king(), 5..8);
    position(sketch.fill(), Bitboard::EMPTY, Color::White)
}

/// Black's king and a pawn stand on the first ranks.
fn before_promotions(rng: &mut ChaCha8Rng) -> Option<Chess> {
    let mut sketch = Sketch { board: Board::empty(), rng };
    sketch.put(Color::Black.pawn(), 1..2);
    sketch.put(Color::Black.king(), 0..2);
    position(sketch.fill(), Bitboard::EMPTY, Color::White)
}

/// A pawn becomes another piece than a queen, and Black moves.
fn promoted(rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let start = with_pawn_to_promote(rng)?;
    let promotes = |mv: &Move| mv.promotion().is_some_and(|role| role != Role::Queen);
    let promotions: Vec<Move> = start.legal_moves().into_iter().filter(promotes).collect();
    let &promotion = promotions.choose(rng)?;
    let next = after(&start, promotion);
    let replies: Vec<Move> = next.legal_moves().into_iter().collect();
    game(&start, &[promotion, *replies.choose(rng)?])
}

/// White's king is attacked twice.
fn attacked_king(rng: &mut ChaCha8Rng) -> Option<Chess> {
    let here = position(Sketch { board: Board::empty(), rng }.fill(), Bitboard::EMPTY, Color::White)?;
    (here.checkers().count() == 2).then_some(here)
}
