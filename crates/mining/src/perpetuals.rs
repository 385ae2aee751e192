//! Random perpetual checks: an exposed king, a queen near it, and a mating threat by the other side.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup, Move, Position, Role, Setup, Square};

use super::history::{after, is_reversible};
use super::random_positions;
use threefold_chess::score::MateDistance;
use threefold_oracle::MateProver;
use threefold_oracle::perpetual::{Perpetual, has_checks};

/// The most positions of the checking side in a first check.
const FIRST_LOOK: usize = 600;

/// The number of consecutive checks required before a perpetual is searched for.
const IN_A_ROW: u16 = 2;

/// The most positions of a first proof of a mate.
const FIRST_PROOF: u64 = 3_000;

/// A start and the moves from it to a position in which a perpetual check must be found: the position after
/// its one saving check has occurred once, and a reply, another check and another reply led back.
pub(super) fn to_find(rng: &mut ChaCha8Rng) -> Option<(Chess, Vec<Move>)> {
    let here = desperate(rng).filter(|here| has_checks(here, IN_A_ROW))?;
    let next: Vec<Chess> = here.legal_moves().into_iter().map(|mv| after(&here, mv)).collect();
    let (checked, quiet): (Vec<&Chess>, Vec<&Chess>) = next.iter().partition(|next| next.is_check());
    if !quiet.into_iter().all(|next| mates(next, 2)) {
        return None;
    }
    let perpetual = Perpetual::explore(&here, FIRST_LOOK);
    let [(_, ref saving)] = perpetual.keeping(&here)[..] else { return None };
    if !checked.into_iter().filter(|&next| next != saving).all(|next| mates(next, 3)) {
        return None;
    }
    let checked = saving;
    let (gone, moves) = checked.legal_moves().into_iter().find_map(|away| {
        let gone = after(checked, away);
        Some((away, back_to(&here, &perpetual, &gone)?))
    })?;
    Some((checked.clone(), [gone].into_iter().chain(moves).collect()))
}

/// A start and the moves from it to a position in which a perpetual check must be escaped: another answer has
/// led to the start before, and a check, a reply and the present check led back.
pub(super) fn to_avoid(rng: &mut ChaCha8Rng) -> Option<(Chess, Vec<Move>)> {
    let here = desperate(rng)?;
    here.legal_moves().into_iter().find_map(|check| {
        let checked = after(&here, check);
        if !checked.is_check() || !(1..=IN_A_ROW).all(|in_a_row| may_be_left(&checked, in_a_row)) {
            return None;
        }
        let perpetual = Perpetual::explore(&here, FIRST_LOOK);
        let (stays, leaves): (Vec<Move>, Vec<Move>) =
            checked.legal_moves().into_iter().partition(|&answer| perpetual.holds(&after(&checked, answer)));
        if !is_way_out(&leaves) || !leaves.iter().all(|&answer| is_mated(&after(&checked, answer), 3)) {
            return None;
        }
        stays.into_iter().filter(|&answer| is_reversible(answer)).find_map(|answer| {
            let start = after(&checked, answer);
            let moves = back_to(&here, &perpetual, &start)?;
            Some((start, moves.into_iter().chain([check]).collect()))
        })
    })
}

/// One to three answers without a capture: a winning capture is no difficulty.
fn is_way_out(leaves: &[Move]) -> bool {
    (1..=3).contains(&leaves.len()) && leaves.iter().all(|answer| !answer.is_capture())
}

/// Is there a way out, as far as this number of consecutive checks shows, and a way to stay?
fn may_be_left(checked: &Chess, in_a_row: u16) -> bool {
    let ends = |answer: &Move| !has_checks(&after(checked, *answer), in_a_row);
    let answers = checked.legal_moves();
    let leaves: Vec<Move> = answers.iter().copied().filter(ends).collect();
    let wins = |answer: &Move| is_mated(&after(checked, *answer), 3);
    match leaves.len() {
        0 => in_a_row < IN_A_ROW,
        leaving => leaving < answers.len() && is_way_out(&leaves) && leaves.iter().all(wins),
    }
}

/// A check that keeps the perpetual and a reply, which lead from one position to another.
fn back_to(here: &Chess, perpetual: &Perpetual, from: &Chess) -> Option<[Move; 2]> {
    perpetual.keeping(from).into_iter().find_map(|(check, checked)| {
        let back = checked.legal_moves().into_iter().find(|&back| after(&checked, back) == *here)?;
        Some([check, back])
    })
}

/// Does the side to move mate within this number of moves?
pub(super) fn mates(position: &Chess, within: u16) -> bool {
    let mate = MateProver::new(FIRST_PROOF).distance(position, within);
    mate.is_ok_and(|mate| mate.is_some_and(MateDistance::is_win))
}

/// Is the side to move mated within this number of moves?
fn is_mated(position: &Chess, within: u16) -> bool {
    let mate = MateProver::new(FIRST_PROOF).distance(position, within);
    mate.is_ok_and(|mate| mate.is_some_and(|mate| !mate.is_win()))
}

/// A side that has checks and would be mated at once if it passed.
fn desperate(rng: &mut ChaCha8Rng) -> Option<Chess> {
    random_positions::randomly_flipped(&draw(rng).filter(is_desperate)?, rng)
}

/// White, to move, has a queen near a castled king with few pawns; Black's queen and rooks are near White's
/// king.
fn draw(rng: &mut ChaCha8Rng) -> Option<Chess> {
    let mut board = Board::empty();
    let mut put = |board: &mut Board,
                   role: Role,
                   color: Color,
                   files: std::ops::Range<u32>,
                   ranks: std::ops::Range<u32>| {
        let square = Square::new(rng.random_range(ranks) * 8 + rng.random_range(files));
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

/// Would the side to move be mated at once if it passed, and does it have a check?
fn is_desperate(position: &Chess) -> bool {
    let Ok(passed) = position.clone().swap_turn() else { return false };
    let mates = |mv| after(&passed, mv).is_checkmate();
    let checks = position.legal_moves().into_iter().filter(|&mv| after(position, mv).is_check()).count();
    checks > 0 && passed.legal_moves().into_iter().any(mates)
}
