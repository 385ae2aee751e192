//! Positions: a cozy-chess board, and the key that identifies equal positions.
//!
//! Equal positions have the same pieces, side to move, castling rights, and *legal* en passant capture.
//! cozy-chess's hash includes the file of every double step, whether or not a capture is legal, so it
//! distinguishes positions that the rules call repeated. [`key_of`] removes the file and restores it only if
//! a capture is legal.

use cozy_chess::{
    BitBoard, Board, BoardBuilder, CastleRights, Color, File, Move, Piece, Rank, Square, get_king_moves,
    get_pawn_attacks,
};
use shakmaty::Setup;

use super::mutants::{Mutant, SeededBug};

/// The key of a position, for repetitions and for the hash table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key(pub u64);

/// The key of a position.
///
/// ```
/// use cozy_chess::Board;
/// use threefold_echo::mutants::SeededBug;
/// use threefold_echo::position::key_of;
///
/// let mut board = Board::startpos();
/// board.play("e2e4".parse().expect("a move"));
/// // No pawn can capture en passant, so the double step is no part of the position.
/// let other: Board =
///     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".parse().expect("a position");
/// assert_eq!(key_of(&board, SeededBug::NONE), key_of(&other, SeededBug::NONE));
/// assert_ne!(board.hash(), other.hash());
/// ```
pub fn key_of(board: &Board, bug: SeededBug) -> Key {
    if bug.is(Mutant::EnPassantAlwaysInKey) {
        return Key(board.hash());
    }
    let bare =
        if bug.is(Mutant::CastlingNotInKey) { without_castling(board) } else { board.hash_without_ep() };
    let bare = if bug.is(Mutant::KeyTruncated) { bare & !(u64::MAX >> 20) } else { bare };
    Key(legal_en_passant(board).map_or(bare, |file| bare ^ en_passant_salt(file)))
}

/// The hash of a board without castling rights.
fn without_castling(board: &Board) -> u64 {
    let mut builder = BoardBuilder::from_board(board);
    builder.en_passant = None;
    for color in Color::ALL {
        *builder.castle_rights_mut(color) = CastleRights::EMPTY;
    }
    builder.build().map_or(board.hash_without_ep(), |board| board.hash_without_ep())
}

/// The file of a legal en passant capture, if any.
pub fn legal_en_passant(board: &Board) -> Option<File> {
    let file = board.en_passant()?;
    let side = board.side_to_move();
    let to = Square::new(file, Rank::Sixth.relative_to(side));
    let ready = get_pawn_attacks(to, !side) & board.colored_pieces(side, Piece::Pawn);
    ready.into_iter().any(|from| board.is_legal(Move { from, to, promotion: None })).then_some(file)
}

/// The target square of an en passant capture.
pub(super) fn en_passant_target(board: &Board) -> BitBoard {
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    board.en_passant().map_or(BitBoard::EMPTY, |file| Square::new(file, rank).bitboard())
}

/// An odd multiple of a constant for each file: all different, none zero.
const fn en_passant_salt(file: File) -> u64 {
    0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(2 * file as u64 + 1)
}

/// Converts a parsed FEN to a board.
///
/// An en passant square that cannot result from a double step is dropped. A fifty-move counter above 100
/// plies is set to 100.
pub fn set_up(setup: &Setup) -> Result<Board, String> {
    let mut builder = BoardBuilder::empty();
    for (square, piece) in setup.board.clone() {
        *builder.square_mut(square_from(square)) = Some((piece_from(piece.role), color_from(piece.color)));
    }
    builder.side_to_move = color_from(setup.turn);
    for color in Color::ALL {
        *builder.castle_rights_mut(color) = castle_rights(setup, color)?;
    }
    builder.halfmove_clock = u8::try_from(setup.halfmoves.min(100)).expect("at most a hundred");
    builder.fullmove_number = u16::try_from(setup.fullmoves.get()).unwrap_or(u16::MAX);
    builder.en_passant = setup.ep_square.map(square_from);
    let board = builder.build().or_else(|_| {
        builder.en_passant = None;
        builder.build().map_err(|error| error.to_string())
    })?;
    // cozy-chess does not check this.
    if get_king_moves(board.king(Color::White)).has(board.king(Color::Black)) {
        return Err("the kings are adjacent".to_owned());
    }
    Ok(board)
}

/// The castling rights of one side, which shakmaty stores as rook squares.
fn castle_rights(setup: &Setup, color: Color) -> Result<CastleRights, String> {
    let mut rights = CastleRights::EMPTY;
    let side = shakmaty::Color::from_white(color == Color::White);
    let rooks = setup.castling_rights & setup.board.by_color(side);
    if rooks.is_empty() {
        return Ok(rights);
    }
    let king = setup.board.king_of(side).ok_or_else(|| format!("{side} has no king"))?;
    for rook in rooks {
        let file = square_from(rook).file();
        if king.file() < rook.file() {
            rights.short = Some(file);
        } else {
            rights.long = Some(file);
        }
    }
    Ok(rights)
}

pub(super) fn square_from(square: shakmaty::Square) -> Square {
    Square::index(square.to_usize())
}

const fn color_from(color: shakmaty::Color) -> Color {
    match color {
        shakmaty::Color::White => Color::White,
        shakmaty::Color::Black => Color::Black,
    }
}

pub(super) const fn piece_from(role: shakmaty::Role) -> Piece {
    match role {
        shakmaty::Role::Pawn => Piece::Pawn,
        shakmaty::Role::Knight => Piece::Knight,
        shakmaty::Role::Bishop => Piece::Bishop,
        shakmaty::Role::Rook => Piece::Rook,
        shakmaty::Role::Queen => Piece::Queen,
        shakmaty::Role::King => Piece::King,
    }
}

/// The legal moves, in a deterministic order.
pub fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}
