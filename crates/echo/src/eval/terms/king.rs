//! King safety: attackers, possible checks, and control of the king's flank.
//!
//! King danger is accumulated separately, because its penalty is quadratic.

use cozy_chess::{
    BitBoard, Color, File, Piece, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_rook_moves, get_rook_rays,
};

use crate::eval::Term;
use crate::eval::accumulator::TermAccumulator;
use crate::eval::area::EvalArea;
use crate::eval::context::{EvalContext, SideAttacks, ahead_of, count};
use crate::eval::weights;

/// The evaluation term `king`.
pub const TERM: Term =
    Term { name: "king", area: Some(EvalArea::KingSafety), add: add_term, trace: add_term, float: add_term };

/// Files a to d, c to f, e to h.
const QUEENS_WING: BitBoard = BitBoard(0x0F0F_0F0F_0F0F_0F0F);
const MIDDLE: BitBoard = BitBoard(0x3C3C_3C3C_3C3C_3C3C);
const KINGS_WING: BitBoard = BitBoard(0xF0F0_F0F0_F0F0_F0F0);

fn add_term<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let flank = flank(context, color);
    sum.add(weights::FLANK_ATTACKED.one(), flank.attacked);
    sum.add(weights::FLANK_GUARDED.one(), flank.defended);
    danger(context, color, flank, sum);
}

/// Counts on the king's flank (own half and the rank beyond): attacks by the opponent, and defended squares.
#[derive(Debug, Clone, Copy)]
struct Flank {
    attacked: i32,
    defended: i32,
}

fn flank(context: &EvalContext<'_>, color: Color) -> Flank {
    let (us, them) = (context.side(color), context.side(!color));
    let files = match us.king.file() {
        File::A | File::B | File::C => QUEENS_WING,
        File::D | File::E => MIDDLE,
        File::F | File::G | File::H => KINGS_WING,
    };
    let own_five_ranks = match color {
        Color::White => BitBoard(0x0000_00FF_FFFF_FFFF),
        Color::Black => BitBoard(0xFFFF_FFFF_FF00_0000),
    };
    let flank_squares = files & own_five_ranks;
    Flank {
        attacked: count(flank_squares & them.attacks) + count(flank_squares & them.attacks_twice),
        defended: count(flank_squares & us.attacks),
    }
}

fn danger<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, flank: Flank, sum: &mut L) {
    let (us, them) = (context.side(color), context.side(!color));
    let board = context.board;
    let zone = us.king_zone & !defended_twice_without_king(us);
    let mut attackers = [0; 4];
    let mut attacked_squares = 0;
    for reach in them.reaches() {
        if (reach.attacks & zone).is_empty() {
            continue;
        }
        attackers[attacker_index(reach.piece)] += 1;
        attacked_squares += count(reach.attacks & us.attacks_by(Piece::King));
    }
    let queens = board.colored_pieces(!color, Piece::Queen);
    // At least two attackers are required, or one with the queen.
    if attackers.iter().sum::<i32>() < 2 - i32::from(!queens.is_empty()) {
        return;
    }
    sum.add_danger(weights::DANGER.one(), 1);
    for (index, number) in attackers.into_iter().enumerate() {
        sum.add_danger(weights::DANGER_ATTACKER.nth(index), number);
    }
    sum.add_danger(weights::DANGER_SQUARE.one(), attacked_squares);
    let weak = weak_squares(us, them);
    sum.add_danger(weights::DANGER_WEAK.one(), count(us.king_zone & weak));
    sum.add_danger(weights::DANGER_BY_PAWN.one(), count(us.king_zone & them.pawn_attacks));
    checks(context, color, weak, sum);
    sum.add_danger(weights::DANGER_NO_QUEEN.one(), i32::from(queens.is_empty()));
    sum.add_danger(weights::DANGER_FLANK.one(), flank.attacked);
    sum.add_danger(weights::DANGER_FLANK_GUARDED.one(), flank.defended);
    shield(context, color, sum);
}

/// The pieces and pawns that shield the king, and the lines that are open towards it.
fn shield<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, sum: &mut L) {
    let us = context.side(color);
    let board = context.board;
    let own = board.colors(color);
    let lines = get_bishop_moves(us.king, own) | get_rook_moves(us.king, own);
    sum.add_danger(weights::DANGER_LINES.one(), count(lines));
    sum.add_danger(weights::DANGER_PAWNS.one(), count(us.pawns & us.king_zone));
    let minors = own & (board.pieces(Piece::Knight) | board.pieces(Piece::Bishop));
    sum.add_danger(weights::DANGER_DEFENDER.one(), count(minors & us.king_zone));
    let rank = us.king.rank().bitboard();
    let shield_pawns = us.pawns & (rank | ahead_of(rank, color));
    // A king on the edge is treated as one file further in, as by the shelter.
    let middle = (us.king.file() as usize).clamp(1, 6);
    let bare_files =
        (middle - 1..=middle + 1).filter(|&file| shield_pawns.is_disjoint(File::index(file).bitboard()));
    sum.add_danger(weights::DANGER_BARE_FILE.one(), i32::try_from(bare_files.count()).unwrap_or(0));
    let queens = board.pieces(Piece::Queen);
    let straight = get_rook_rays(us.king) & (board.pieces(Piece::Rook) | queens);
    let diagonal = get_bishop_rays(us.king) & (board.pieces(Piece::Bishop) | queens);
    let pinned = ((straight | diagonal) & board.colors(!color)).into_iter().filter(|&from| {
        let between = get_between_rays(from, us.king) & board.occupied();
        between.len() == 1 && between.is_subset(own)
    });
    sum.add_danger(weights::DANGER_PINNED.one(), i32::try_from(pinned.count()).unwrap_or(0));
}

/// Squares defended by a pawn and by another pawn or piece, but not by the king.
fn defended_twice_without_king(us: &SideAttacks) -> BitBoard {
    us.pawn_attacks & us.attacks_twice & !us.attacks_by(Piece::King)
}

/// Weak squares: attacked by the opponent, and either undefended or defended only once, by king or queen.
fn weak_squares(us: &SideAttacks, them: &SideAttacks) -> BitBoard {
    let king_or_queen = us.attacks_by(Piece::King) | us.attacks_by(Piece::Queen);
    them.attacks & !us.attacks_twice & (!us.attacks | king_or_queen)
}

/// Squares from which an enemy piece could give check.
fn checks<L: TermAccumulator>(context: &EvalContext<'_>, color: Color, weak: BitBoard, sum: &mut L) {
    let (us, them) = (context.side(color), context.side(!color));
    let board = context.board;
    // On a weak square only the king or the queen can take the piece, and a second attacker guards it.
    let safe = !board.colors(!color) & (!us.attacks | weak & them.attacks_twice);
    let blockers = board.occupied() & !board.colored_pieces(color, Piece::Queen);
    let (straight, diagonal) = (get_rook_moves(us.king, blockers), get_bishop_moves(us.king, blockers));
    let from = [
        (Piece::Knight, get_knight_moves(us.king)),
        (Piece::Bishop, diagonal),
        (Piece::Rook, straight),
        (Piece::Queen, straight | diagonal),
    ];
    let mut unsafe_checks = BitBoard::EMPTY;
    for (piece, squares) in from {
        let checks = squares & them.attacks_by(piece) & !board.colors(!color);
        match count(checks & safe) {
            0 => unsafe_checks |= checks,
            safe_checks => {
                sum.add_danger(weights::DANGER_SAFE_CHECK.nth(attacker_index(piece)), 1);
                sum.add_danger(weights::DANGER_MORE_CHECKS.one(), safe_checks - 1);
            }
        }
    }
    sum.add_danger(weights::DANGER_UNSAFE_CHECK.one(), count(unsafe_checks));
}

/// The index of an attacker's weight: knight, bishop, rook, queen.
const fn attacker_index(piece: Piece) -> usize {
    match piece {
        Piece::Knight => 0,
        Piece::Bishop => 1,
        Piece::Rook => 2,
        Piece::Queen | Piece::Pawn | Piece::King => 3,
    }
}
