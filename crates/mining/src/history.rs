//! Constructs histories backwards: a cycle that ends in a given position, and moves before it.

use std::num::NonZeroU32;

use rand::RngExt;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Position, Rank, Role, Setup,
    Square, attacks,
};

use threefold_chess::position::GamePosition;

/// The move number of games in which fifty moves have passed without a capture or pawn move.
const LATE: NonZeroU32 = NonZeroU32::new(90).expect("not zero");

/// A move that can be reversed: not by a pawn, no capture, no castling.
pub(super) fn is_reversible(mv: Move) -> bool {
    matches!(mv, Move::Normal { role, capture: None, .. } if role != Role::Pawn)
}

/// The position after a legal move.
pub(super) fn after(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// The position as a file stores it: without counters and history.
pub(super) fn alone(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    (setup.halfmoves, setup.fullmoves) = (0, NonZeroU32::MIN);
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}

/// Three moves from the position after `mv` back to `here`: the other side moves a piece, `mv` is reversed,
/// and the other side moves back. Chosen at random.
pub(super) fn way_back(here: &Chess, mv: Move, rng: &mut ChaCha8Rng) -> Option<[Move; 3]> {
    let start = after(here, mv);
    let undo = reverse(mv)?;
    let mut ways: Vec<Move> = start.legal_moves().into_iter().filter(|&there| is_reversible(there)).collect();
    ways.shuffle(rng);
    ways.into_iter().find_map(|there| {
        let back = reverse(there)?;
        let away = after(&start, there);
        let undone = away.is_legal(undo).then(|| after(&away, undo))?;
        let returned = undone.is_legal(back).then(|| after(&undone, back))?;
        (returned == *here).then_some([there, undo, back])
    })
}

pub(super) fn reverse(mv: Move) -> Option<Move> {
    match mv {
        Move::Normal { role, from, to, capture: None, promotion: None } if role != Role::Pawn => {
            Some(Move::Normal { role, from: to, to: from, capture: None, promotion: None })
        }
        _ => None,
    }
}

/// A position from which one move leads to `here`, and that move; chosen at random, pawn moves included.
pub(super) fn before(here: &Chess, rng: &mut ChaCha8Rng) -> Option<(Chess, Move)> {
    let mover = here.turn().other();
    let occupied = here.board().occupied();
    let mut origins: Vec<(Square, Square)> = Vec::new();
    for to in here.board().by_color(mover) {
        let piece = here.board().piece_at(to)?;
        let from = if piece.role == Role::Pawn {
            pawn_origins(to, mover)
        } else {
            attacks::attacks(to, piece, occupied)
        };
        origins.extend((from & !occupied).into_iter().map(|from| (from, to)));
    }
    origins.shuffle(rng);
    // The sort is stable: in half of the cases pawn moves come first, and the order is random otherwise.
    if rng.random() {
        origins.sort_by_key(|&(_, to)| here.board().role_at(to) != Some(Role::Pawn));
    }
    origins.into_iter().find_map(|(from, to)| {
        let mut board = here.board().clone();
        let piece = board.remove_piece_at(to)?;
        board.set_piece_at(from, piece);
        let setup = Setup { board, turn: mover, ..Setup::empty() };
        let earlier = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
        // A double step may give an en passant right that `here` does not have.
        let mv = earlier
            .legal_moves()
            .into_iter()
            .find(|mv| mv.from() == Some(from) && mv.to() == to && after(&earlier, *mv) == *here)?;
        Some((earlier, mv))
    })
}

fn pawn_origins(to: Square, color: Color) -> Bitboard {
    let back = |square: Square| square.offset(color.fold_wb(-8, 8));
    let one = back(to).filter(|one| one.rank() != color.backrank());
    let two = one.filter(|_| to.rank() == color.relative_rank(Rank::Fourth)).and_then(back);
    one.into_iter().chain(two).collect()
}

/// A pawn's double step to a square with a pawn: the position before it, the step, and the position after it,
/// which is `here` or `here` with an en passant capture.
pub(super) fn double_step_to(here: &Chess) -> Vec<(Chess, Move, Chess)> {
    let mover = here.turn().other();
    let fourth = Bitboard::from_rank(mover.relative_rank(Rank::Fourth));
    let pawns = here.board().by_piece(Role::Pawn.of(mover)) & fourth;
    let steps = pawns.into_iter().filter_map(|to| {
        let from = to.offset(mover.fold_wb(-16, 16))?;
        let mut board = here.board().clone();
        let pawn = board.remove_piece_at(to)?;
        if board.piece_at(from).is_some() {
            return None;
        }
        board.set_piece_at(from, pawn);
        let setup = Setup { board, turn: mover, ..Setup::empty() };
        let earlier = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
        let step = Move::Normal { role: Role::Pawn, from, to, capture: None, promotion: None };
        let reached = earlier.is_legal(step).then(|| after(&earlier, step))?;
        Some((earlier, step, reached))
    });
    steps.collect()
}

/// The position after `mv` with the other side to move, and eight plies from it to `here`: the mover moves a
/// piece away and back, and then loses a move by a triangle that ends one move, `mv`, before its start.
pub(super) fn triangle(here: &Chess, mv: Move, rng: &mut ChaCha8Rng) -> Option<(Chess, [Move; 8])> {
    let start = after(here, mv).swap_turn().ok()?;
    let home = reverse(mv)?.to();
    let mut ways: Vec<(Move, Move)> = Vec::new();
    for out in
        start.legal_moves().into_iter().filter(|&out| is_reversible(out) && out.from() == Some(mv.to()))
    {
        let away = after(&start, out);
        ways.extend(away.legal_moves().into_iter().filter(|&go| is_reversible(go)).map(|go| (out, go)));
    }
    ways.shuffle(rng);
    ways.into_iter().find_map(|(out, go)| {
        let (back, come) = (reverse(out)?, reverse(go)?);
        let round =
            Move::Normal { role: mv.role(), from: out.to(), to: home, capture: None, promotion: None };
        let cycle = played(&start, &[out, go, back, come])?;
        let wasted = played(&start, &[out, go, round, come])?;
        (cycle == start && wasted == *here)
            .then_some((start.clone(), [out, go, back, come, out, go, round, come]))
    })
}

/// Every five plies after which the pieces are as in `start` with the other side to move: the side to move
/// makes a triangle with one piece, the other moves a piece away and back. In random order.
pub(super) fn rounds(start: &Chess, rng: &mut ChaCha8Rng) -> Vec<[Move; 5]> {
    let reversible = |here: &Chess| here.legal_moves().into_iter().filter(|&mv| is_reversible(mv));
    let mut rounds = Vec::new();
    for out in reversible(start) {
        let away = after(start, out);
        for go in reversible(&away) {
            let gone = after(&away, go);
            for round in reversible(&gone).filter(|round| round.from() == Some(out.to())) {
                let (Some(from), Some(come)) = (out.from(), reverse(go)) else { continue };
                let home = Move::Normal {
                    role: out.role(),
                    from: round.to(),
                    to: from,
                    capture: None,
                    promotion: None,
                };
                if round.to() != from && played(&gone, &[round, come, home]).is_some() {
                    rounds.push([out, go, round, come, home]);
                }
            }
        }
    }
    rounds.shuffle(rng);
    rounds
}

/// The position after these moves, if they are legal.
pub(super) fn played(start: &Chess, moves: &[Move]) -> Option<Chess> {
    let mut here = start.clone();
    for &mv in moves {
        here = here.is_legal(mv).then(|| after(&here, mv))?;
    }
    Some(here)
}

/// A line that ends in `here` after a number of plies, with this number of plies left until the fifty-move
/// rule applies.
pub(super) fn line_near_fifty(
    here: &Chess,
    left: u32,
    prelude: usize,
    rng: &mut ChaCha8Rng,
) -> Option<GamePosition> {
    let mut first = here.clone();
    let mut moves = Vec::new();
    for _ in 0..prelude {
        // A move of the prelude must not reset the counter.
        let (earlier, mv) = before(&first, rng).filter(|&(_, mv)| is_reversible(mv))?;
        first = earlier;
        moves.insert(0, mv.to_uci(CastlingMode::Standard));
    }
    let mut setup = first.to_setup(EnPassantMode::Legal);
    setup.halfmoves = 100 - left - moves.len() as u32;
    setup.fullmoves = LATE;
    Some(GamePosition { start: Fen::try_from(setup).ok()?, moves })
}

/// A line that reaches `start` after this number of plies and continues with `moves`; half of the preludes
/// have a pawn move if one is possible. `None` if no legal line leads there.
pub(super) fn line(
    start: &Chess,
    moves: &[Move],
    prelude: usize,
    rng: &mut ChaCha8Rng,
) -> Option<GamePosition> {
    let mut first = start.clone();
    let mut played = moves.to_vec();
    for _ in 0..prelude {
        let (earlier, mv) = before(&first, rng)?;
        first = earlier;
        played.insert(0, mv);
    }
    Some(GamePosition {
        start: Fen::from_position(&first, EnPassantMode::Legal),
        moves: played.into_iter().map(|mv| mv.to_uci(CastlingMode::Standard)).collect(),
    })
}
