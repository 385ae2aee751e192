//! Random positions that may be of a class, with histories.

use std::num::NonZeroU32;

use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, Role, Setup,
    Square,
};

use super::ValueClass;
use super::proof::LIMIT;
use crate::history::{after, is_reversible, reverse};
use crate::random_positions;
use threefold_chess::position::GamePosition;

/// The move number in these games.
const LATE: NonZeroU32 = NonZeroU32::new(90).expect("not zero");
/// The moves by each side from a position back to it, in a short and in a long history.
const SHORT_WAY: usize = 2;
const LONG_WAY: usize = 8;

/// A random position with its history that may be of a class.
pub(super) fn draw(class: ValueClass, rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    match class {
        ValueClass::FiftyCastling => with_castling_right(rng),
        ValueClass::LookAlike => after_a_lost_right(rng),
        ValueClass::Third => before_the_third(&ending(class, rng)?, SHORT_WAY, rng),
        ValueClass::ThirdLong => before_the_third(&ending(class, rng)?, LONG_WAY, rng),
        ValueClass::ThirdAfterCapture => after_a_capture(rng),
        ValueClass::DrawnAlready if rng.random() => {
            let here = ending(class, rng)?;
            Some(GamePosition {
                start: start_of(&here, 0, Bitboard::EMPTY)?,
                moves: uci(&rounds(&here, SHORT_WAY, rng)?),
            })
        }
        _ => {
            let here = ending(class, rng)?;
            let counter = *class.counters().choose(rng)?;
            Some(GamePosition { start: start_of(&here, counter, Bitboard::EMPTY)?, moves: Vec::new() })
        }
    }
}

/// A random position of one of the endings of a class.
fn ending(class: ValueClass, rng: &mut ChaCha8Rng) -> Option<Chess> {
    let material = class.endings().choose(rng)?.parse().ok()?;
    random_positions::randomly_flipped(&random_positions::of_material(material, rng)?, rng)
}

/// A game that begins with this position, returns to it once, and is one move before its third occurrence.
/// The first return takes this number of moves by each side.
fn before_the_third(here: &Chess, moves: usize, rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let mut played = rounds(here, moves, rng)?;
    played.pop();
    Some(GamePosition { start: start_of(here, 0, Bitboard::EMPTY)?, moves: uci(&played) })
}

/// Two returns to a position: the first with this number of moves by each side, the second with two.
fn rounds(here: &Chess, moves: usize, rng: &mut ChaCha8Rng) -> Option<Vec<Move>> {
    let mut both = round(here, moves, |_| true, rng)?;
    both.extend(round(here, SHORT_WAY, |_| true, rng)?);
    Some(both)
}

/// Moves from a position back to it, an even number by each side: the side to move walks with one piece, whose
/// first move passes, while the other side moves to and fro.
pub(crate) fn round(
    start: &Chess,
    moves: usize,
    passes: fn(&Move) -> bool,
    rng: &mut ChaCha8Rng,
) -> Option<Vec<Move>> {
    let (mut here, mut played) = (start.clone(), Vec::new());
    let (mut home, mut walker, mut reply) = (None, None, None);
    for step in 1..=moves {
        let is_next = |mv: &Move| walker.map_or_else(|| passes(mv), |square| mv.from() == Some(square));
        let mv = any(&here, |mv| is_next(mv) && (step < moves || Some(mv.to()) == home), rng)?;
        home = home.or(mv.from());
        walker = Some(mv.to());
        here = after(&here, mv);
        let answer = match reply {
            None => any(&here, |_| true, rng)?,
            Some(answer) => reverse(answer)?,
        };
        reply = Some(answer);
        here = here.is_legal(answer).then(|| after(&here, answer))?;
        played.extend([mv, answer]);
    }
    // The boards only: the walk may have lost a castling right.
    (here.board() == start.board()).then_some(played)
}

fn any(here: &Chess, passes: impl Fn(&Move) -> bool, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves: Vec<Move> =
        here.legal_moves().into_iter().filter(|mv| is_reversible(*mv) && passes(mv)).collect();
    moves.choose(rng).copied()
}

/// A bare king captures a piece next to it; the position after that is about to occur for the third time.
fn after_a_capture(rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let here = ending(ValueClass::ThirdAfterCapture, rng)?;
    let bare = here.turn().other();
    let king = here.board().king_of(bare)?;
    let before = *shakmaty::attacks::king_attacks(king).into_iter().collect::<Vec<_>>().choose(rng)?;
    let mut board = here.board().clone();
    if board.piece_at(before).is_some() {
        return None;
    }
    board.discard_piece_at(king);
    board.set_piece_at(before, Role::King.of(bare));
    let captured = *[Role::Knight, Role::Bishop, Role::Rook].choose(rng)?;
    board.set_piece_at(king, captured.of(bare.other()));
    let setup = Setup { board, turn: bare, ..Setup::empty() };
    let earlier = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let capture = earlier.legal_moves().into_iter().find(|mv| mv.is_capture() && mv.to() == king)?;
    let mut moves = vec![capture];
    moves.extend(rounds(&here, SHORT_WAY, rng)?);
    moves.pop();
    let counter = rng.random_range(0..90);
    Some(GamePosition { start: start_of(&earlier, counter, Bitboard::EMPTY)?, moves: uci(&moves) })
}

/// A king and a rook that can castle against a bare king, with one ply left.
fn with_castling_right(rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let rook = *[Square::A1, Square::H1].choose(rng)?;
    let mut board = Board::empty();
    board.set_piece_at(rook, Role::Rook.of(Color::White));
    let start = king_at_home(board, rook, LIMIT - 1, rng)?;
    flipped(GamePosition { start, moves: Vec::new() }, rng)
}

/// The same board for the third time, but twice the king could still castle.
fn after_a_lost_right(rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    let rook = *[Square::A1, Square::H1].choose(rng)?;
    let other = Square::new(rng.random_range(0..64));
    let mut board = Board::empty();
    board.set_piece_at(rook, Role::Rook.of(Color::White));
    if board.piece_at(other).is_some() || [Square::A1, Square::H1, Square::E1].contains(&other) {
        return None;
    }
    board.set_piece_at(other, Role::Rook.of(Color::White));
    let start = king_at_home(board, rook, 0, rng)?;
    let here: Chess = start.clone().into_position(CastlingMode::Standard).ok()?;
    let is_from_home = |mv: &Move| mv.from().is_some_and(|from| from.rank() == shakmaty::Rank::First);
    let by_other = round(&here, SHORT_WAY, |mv| mv.role() == Role::Rook, rng)?;
    // A rook of the first rank may be the one of the castling right, which the first return must keep.
    if is_from_home(&by_other[0]) {
        return None;
    }
    let mut moves = by_other;
    moves.extend(round(&here, SHORT_WAY, |mv| mv.role() == Role::King, rng)?);
    moves.pop();
    flipped(GamePosition { start, moves: uci(&moves) }, rng)
}

/// White's king on its square with a right to castle with this rook, and Black's anywhere; White moves.
fn king_at_home(mut board: Board, rook: Square, counter: u32, rng: &mut ChaCha8Rng) -> Option<Fen> {
    board.set_piece_at(Square::E1, Role::King.of(Color::White));
    let bare = Square::new(rng.random_range(0..64));
    if board.piece_at(bare).is_some() {
        return None;
    }
    board.set_piece_at(bare, Role::King.of(Color::Black));
    let setup = Setup { board, turn: Color::White, castling_rights: rook.into(), ..Setup::empty() };
    let here = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    start_of(&here, counter, rook.into())
}

/// The game, or the same with the colours exchanged.
pub(crate) fn flipped(game: GamePosition, rng: &mut ChaCha8Rng) -> Option<GamePosition> {
    if rng.random() {
        return Some(game);
    }
    let mut setup = game.start.into_setup();
    setup.mirror();
    let flip = |mv: UciMove| match mv {
        UciMove::Normal { from, to, promotion } => {
            UciMove::Normal { from: from.flip_vertical(), to: to.flip_vertical(), promotion }
        }
        other => other,
    };
    Some(GamePosition {
        start: Fen::try_from_setup(setup).ok()?,
        moves: game.moves.into_iter().map(flip).collect(),
    })
}

/// A position as the start of a game, with this counter and these castling rooks.
fn start_of(position: &Chess, counter: u32, rooks: Bitboard) -> Option<Fen> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    (setup.halfmoves, setup.fullmoves) = (counter, LATE);
    setup.castling_rights = rooks;
    Fen::try_from_setup(setup).ok()
}

fn uci(moves: &[Move]) -> Vec<UciMove> {
    moves.iter().map(|mv| mv.to_uci(CastlingMode::Standard)).collect()
}
