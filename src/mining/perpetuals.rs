//! Perpetual checks by lot: a bared king, a queen before it, and mate in the air on the other side.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Position, Role, Setup, Square};

use super::history::{after, line};
use super::scatter;
use super::trap::{Trap, TrapClass, derive};
use crate::truth::Tables;
use crate::truth::perpetual::Perpetual;

/// Boards that are drawn before the search is given up.
const PATIENCE: usize = 4_000_000;

/// How many positions of the checking side a first look may take.
const FIRST_LOOK: usize = 600;

/// Mines traps in which a perpetual check must be found.
pub(super) fn mine(tables: &Tables, lot: &mut ChaCha8Rng, count: usize) -> Vec<Trap> {
    let mut traps: Vec<Trap> = Vec::new();
    for _ in 0..PATIENCE {
        if traps.len() == count {
            break;
        }
        let Some(position) = draw(lot).filter(is_desperate) else { continue };
        let Some(position) = scatter::turned(&position, lot) else { continue };
        let Some(trap) = with_history(tables, &position, lot) else { continue };
        if traps.iter().all(|known| known.line != trap.line) {
            traps.push(trap);
        }
    }
    traps
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

/// The position with a history in which its saving check has stood on the board once: from there a reply,
/// another check and another reply led back.
fn with_history(tables: &Tables, here: &Chess, lot: &mut ChaCha8Rng) -> Option<Trap> {
    let perpetual = Perpetual::explore(here, FIRST_LOOK);
    let keeping = perpetual.keeping(here);
    let [(_, checked)] = keeping.as_slice() else { return None };
    for away in checked.legal_moves() {
        let gone = after(checked, away);
        for (again, checked_again) in perpetual.keeping(&gone) {
            let back =
                checked_again.legal_moves().into_iter().find(|&back| after(&checked_again, back) == *here);
            if let Some(back) = back {
                let line = line(checked, &[away, again, back], lot);
                return derive(tables, TrapClass::PerpetualFind, &line).ok();
            }
        }
    }
    None
}
