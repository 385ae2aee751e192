//! Perpetual checks by lot: a bared king, a queen before it, and mate in the air on the other side.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Move, Position, Role, Setup, Square};

use super::history::{after, is_reversible};
use super::scatter;
use crate::truth::perpetual::Perpetual;

/// How many positions of the checking side a first look may take.
const FIRST_LOOK: usize = 600;

/// A start and the moves from it to a position in which a perpetual check must be found: its one saving
/// check has stood on the board once; from there a reply, another check and another reply led back.
pub(super) fn to_find(lot: &mut ChaCha8Rng) -> Option<(Chess, Vec<Move>)> {
    let here = desperate(lot)?;
    let perpetual = Perpetual::explore(&here, FIRST_LOOK);
    let keeping = perpetual.keeping(&here);
    let [(_, checked)] = keeping.as_slice() else { return None };
    for away in checked.legal_moves() {
        let gone = after(checked, away);
        for (again, checked_again) in perpetual.keeping(&gone) {
            let back =
                checked_again.legal_moves().into_iter().find(|&back| after(&checked_again, back) == here);
            if let Some(back) = back {
                return Some((checked.clone(), vec![away, again, back]));
            }
        }
    }
    None
}

/// A start and the moves from it to a position in which a perpetual check must be run away from: another
/// answer has led to the start before, and from there a check, a reply and the present check led back.
pub(super) fn to_avoid(lot: &mut ChaCha8Rng) -> Option<(Chess, Vec<Move>)> {
    let here = desperate(lot)?;
    let perpetual = Perpetual::explore(&here, FIRST_LOOK);
    for check in here.legal_moves() {
        let checked = after(&here, check);
        if !checked.is_check() || checked.legal_moves().len() < 2 {
            continue;
        }
        let (held, open): (Vec<Move>, Vec<Move>) =
            checked.legal_moves().into_iter().partition(|&answer| perpetual.holds(&after(&checked, answer)));
        if !(1..=3).contains(&open.len()) {
            continue;
        }
        for answer in held.into_iter().filter(|&answer| is_reversible(answer)) {
            let start = after(&checked, answer);
            for (again, checked_again) in perpetual.keeping(&start) {
                let back =
                    checked_again.legal_moves().into_iter().find(|&back| after(&checked_again, back) == here);
                if let Some(back) = back {
                    return Some((start, vec![again, back, check]));
                }
            }
        }
    }
    None
}

/// A side that has checks and would be mated at once if it could only pass.
fn desperate(lot: &mut ChaCha8Rng) -> Option<Chess> {
    scatter::turned(&draw(lot).filter(is_desperate)?, lot)
}

/// White, to move, has a queen near a castled king that is short of pawns; Black's queen and rooks are near
/// White's king.
fn draw(lot: &mut ChaCha8Rng) -> Option<Chess> {
    let mut board = Board::empty();
    let mut put = |board: &mut Board,
                   role: Role,
                   color: Color,
                   files: std::ops::Range<u32>,
                   ranks: std::ops::Range<u32>| {
        let square = Square::new(lot.random_range(ranks) * 8 + lot.random_range(files));
        if board.piece_at(square).is_none() {
            board.set_piece_at(square, role.of(color));
        }
    };
    put(&mut board, Role::King, Color::Black, 5..8, 6..8);
    put(&mut board, Role::King, Color::White, 0..8, 0..2);
    put(&mut board, Role::Queen, Color::White, 3..8, 2..8);
    put(&mut board, Role::Queen, Color::Black, 0..8, 0..5);
    put(&mut board, Role::Rook, Color::Black, 0..8, 0..5);
    for _ in 0..3 {
        put(&mut board, Role::Pawn, Color::White, 0..8, 1..5);
        put(&mut board, Role::Pawn, Color::Black, 4..8, 4..7);
    }
    let helper = [Role::Rook, Role::Bishop, Role::Knight][board.occupied().count() % 3];
    put(&mut board, helper, Color::Black, 0..8, 0..6);
    let setup = Setup { board, turn: Color::White, ..Setup::empty() };
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// Would the side to move be mated at once if it could only pass, and has it a check?
fn is_desperate(position: &Chess) -> bool {
    let Ok(passed) = position.clone().swap_turn() else { return false };
    let mates = |mv| after(&passed, mv).is_checkmate();
    let checks = position.legal_moves().into_iter().filter(|&mv| after(position, mv).is_check()).count();
    checks > 0 && passed.legal_moves().into_iter().any(mates)
}
