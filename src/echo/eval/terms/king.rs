//! The king's safety: pawns before it, pawns coming at it, pieces aimed at it, checks they could give.
//!
//! What endangers the king is entered apart from the rest, because attacks add up to more than their sum.

use cozy_chess::{BitBoard, Color, File, Piece, Square, get_bishop_moves, get_knight_moves, get_rook_moves};

use crate::echo::eval::Term;
use crate::echo::eval::ledger::Ledger;
use crate::echo::eval::scene::{Scene, Side, ahead_of, come, count, distance};
use crate::echo::eval::weights;

/// The row in the table of terms.
pub const TERM: Term = Term { name: "king", judge, trace: judge };

/// The row of the pawns around it.
pub const SHELTER: Term = Term { name: "shelter", judge: judge_shelter, trace: judge_shelter };

/// Files a to d, c to f, e to h.
const QUEENS_WING: BitBoard = BitBoard(0x0F0F_0F0F_0F0F_0F0F);
const MIDDLE: BitBoard = BitBoard(0x3C3C_3C3C_3C3C_3C3C);
const KINGS_WING: BitBoard = BitBoard(0xF0F0_F0F0_F0F0_F0F0);

/// Places of a group that is halved: on the king's file or beside it, free or blocked.
const HALF: usize = 8;

fn judge<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    flank(scene, color, ledger);
    danger(scene, color, ledger);
}

fn judge_shelter<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let us = scene.side(color);
    shelter(scene, color, ledger);
    let pawns = scene.board.pieces(Piece::Pawn);
    if let Some(steps) = pawns.into_iter().map(|pawn| distance(us.king, pawn)).min() {
        ledger.add(weights::KING_FROM_PAWNS.one(), steps);
    }
}

/// The nearest pawns of both sides on the king's file and those beside it.
fn shelter<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let (us, them) = (scene.side(color), scene.side(!color));
    let rank = us.king.rank().bitboard();
    let ahead = rank | ahead_of(rank, color);
    // A king at the edge is looked at as if it stood one file further in.
    let middle = (us.king.file() as usize).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let column = File::index(file).bitboard() & ahead;
        let own = nearest(us.pawns & column, us.king, color);
        let beside = if file == us.king.file() as usize { 0 } else { HALF };
        ledger.add(weights::SHELTER.at(beside + own), 1);
        let coming = nearest(them.pawns & column, us.king, color);
        let blocked = if own > 0 && coming == own + 1 { HALF } else { 0 };
        ledger.add(weights::STORM.at(blocked + coming), 1);
    }
}

/// Steps ahead to the nearest of these, 1 where it stands beside the king and 0 where there is none.
fn nearest(pawns: BitBoard, king: Square, color: Color) -> usize {
    if pawns.is_empty() {
        return 0;
    }
    // On one file and ahead of the king, the nearest is the first or the last.
    let rank = match color {
        Color::White => pawns.0.trailing_zeros() / 8,
        Color::Black => pawns.0.leading_zeros() / 8,
    };
    (rank as usize - come(king, color)).max(1)
}

/// The half of the board the king is on: whose pieces look at it?
fn flank<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let (us, them) = (scene.side(color), scene.side(!color));
    let files = match us.king.file() {
        File::A | File::B | File::C => QUEENS_WING,
        File::D | File::E => MIDDLE,
        File::F | File::G | File::H => KINGS_WING,
    };
    let own_half = match color {
        Color::White => BitBoard(0x0000_00FF_FFFF_FFFF),
        Color::Black => BitBoard(0xFFFF_FFFF_FF00_0000),
    };
    let camp = files & own_half;
    let attacked = count(camp & them.attacks) + count(camp & them.attacks_twice);
    ledger.add(weights::FLANK_ATTACKED.one(), attacked);
    ledger.add(weights::FLANK_GUARDED.one(), count(camp & us.attacks));
}

fn danger<L: Ledger>(scene: &Scene<'_>, color: Color, ledger: &mut L) {
    let (us, them) = (scene.side(color), scene.side(!color));
    let board = scene.board;
    let zone = us.king_zone & !double_guard(us);
    let mut attackers = [0; 4];
    let mut squares = 0;
    for reach in them.reaches() {
        if (reach.attacks & zone).is_empty() {
            continue;
        }
        attackers[kind(reach.piece)] += 1;
        squares += count(reach.attacks & us.attacks_by(Piece::King));
    }
    let queens = board.colored_pieces(!color, Piece::Queen);
    // One piece alone mates nobody, and without the queen it takes more of them.
    if attackers.iter().sum::<i32>() < 2 - i32::from(!queens.is_empty()) {
        return;
    }
    ledger.endanger(weights::DANGER.one(), 1);
    for (place, number) in attackers.into_iter().enumerate() {
        ledger.endanger(weights::DANGER_ATTACKER.at(place), number);
    }
    ledger.endanger(weights::DANGER_SQUARE.one(), squares);
    let hardly = hardly_guarded(us, them);
    ledger.endanger(weights::DANGER_WEAK.one(), count(us.king_zone & hardly));
    checks(scene, color, hardly, ledger);
    ledger.endanger(weights::DANGER_NO_QUEEN.one(), i32::from(queens.is_empty()));
    let lines = get_bishop_moves(us.king, board.colors(color) | us.pawns)
        | get_rook_moves(us.king, board.colors(color) | us.pawns);
    ledger.endanger(weights::DANGER_LINES.one(), count(lines));
    ledger.endanger(weights::DANGER_PAWNS.one(), count(us.pawns & us.king_zone));
    let minors = board.colors(color) & (board.pieces(Piece::Knight) | board.pieces(Piece::Bishop));
    ledger.endanger(weights::DANGER_DEFENDER.one(), count(minors & us.king_zone));
}

/// Squares that two pawns guard are no way in.
fn double_guard(us: &Side) -> BitBoard {
    us.pawn_attacks & us.attacks_twice & !us.attacks_by(Piece::King)
}

/// Attacked by them, and guarded by nobody or once by the king or queen.
fn hardly_guarded(us: &Side, them: &Side) -> BitBoard {
    let last = us.attacks_by(Piece::King) | us.attacks_by(Piece::Queen);
    them.attacks & !us.attacks_twice & (!us.attacks | last)
}

/// Squares from which a piece of theirs could give check.
fn checks<L: Ledger>(scene: &Scene<'_>, color: Color, hardly: BitBoard, ledger: &mut L) {
    let (us, them) = (scene.side(color), scene.side(!color));
    let board = scene.board;
    let safe = !board.colors(!color) & (!us.attacks | hardly & them.attacks_twice);
    let around = board.occupied() & !board.colored_pieces(color, Piece::Queen);
    let (straight, slanting) = (get_rook_moves(us.king, around), get_bishop_moves(us.king, around));
    let from = [
        (Piece::Knight, get_knight_moves(us.king)),
        (Piece::Bishop, slanting),
        (Piece::Rook, straight),
        (Piece::Queen, straight | slanting),
    ];
    let mut unsafe_ones = BitBoard::EMPTY;
    for (piece, squares) in from {
        let given = squares & them.attacks_by(piece) & !board.colors(!color);
        let safely = i32::from(!(given & safe).is_empty());
        ledger.endanger(weights::DANGER_SAFE_CHECK.at(kind(piece)), safely);
        if safely == 0 {
            unsafe_ones |= given;
        }
    }
    ledger.endanger(weights::DANGER_UNSAFE_CHECK.one(), count(unsafe_ones));
}

/// The place of a piece in its group.
const fn kind(piece: Piece) -> usize {
    match piece {
        Piece::Knight => 0,
        Piece::Bishop => 1,
        Piece::Rook => 2,
        Piece::Queen | Piece::Pawn | Piece::King => 3,
    }
}
