//! The picker: hands out the moves of one node, the most promising first.
//!
//! All legal moves are made at once, which cozy-chess does fast, and sorted only as far as they are asked for:
//! most nodes end after a few.

use cozy_chess::{Board, Move, Piece, Rank};

use super::history::{Histories, Occasion};
use super::killers::Killers;
use super::see::{price, wins_at_least};
use crate::echo::mutants::{Mutant, Seed};

/// A move with its promise.
#[derive(Debug, Clone, Copy)]
pub(in crate::echo::search) struct Scored {
    mv: Move,
    promise: i32,
}

/// Why a move comes when it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::echo::search) enum Stage {
    /// It was best here before.
    Hash,
    /// It takes or promotes and loses nothing by it.
    Winning,
    /// Everything that neither takes nor promotes to a queen.
    Quiet,
    /// It takes, at a loss.
    Losing,
}

/// What is known before any move is tried.
#[derive(Debug, Clone, Copy)]
pub(in crate::echo::search) struct Hints {
    pub hash: Option<Move>,
    pub killers: Killers,
    pub occasion: Occasion,
}

const HASH: i32 = 1 << 30;
const WINNING: i32 = 1 << 24;
const LOSING: i32 = -(1 << 24);
/// Above every history.
const KILLER: i32 = 1 << 18;
/// Below every quiet move, above every losing capture.
const UNDERPROMOTION: i32 = -(1 << 20);

/// One node's moves, which lie on the common stack from `next` on.
#[derive(Debug)]
pub(in crate::echo::search) struct Picker {
    first: usize,
    next: usize,
}

impl Picker {
    /// All legal moves.
    pub(in crate::echo::search) fn all(
        stack: &mut Vec<Scored>,
        board: &Board,
        hints: &Hints,
        histories: &Histories,
        seed: Seed,
    ) -> Self {
        let first = stack.len();
        let theirs = board.colors(!board.side_to_move());
        board.generate_moves(|of_piece| {
            let piece = of_piece.piece;
            for mv in of_piece {
                if seed.is(Mutant::OnlyQueens) && mv.promotion.is_some_and(|to| to != Piece::Queen) {
                    continue;
                }
                let promise = if hints.hash == Some(mv) {
                    HASH
                } else if theirs.has(mv.to) || mv.promotion.is_some() || is_en_passant(board, mv, piece) {
                    noisy(board, mv, piece)
                } else {
                    KILLER * hints.killers.rank(mv) + histories.of(hints.occasion, mv, piece)
                };
                stack.push(Scored { mv, promise });
            }
            false
        });
        Self { first, next: first }
    }

    /// Captures and promotions to a queen.
    pub(in crate::echo::search) fn noisy(stack: &mut Vec<Scored>, board: &Board, hash: Option<Move>) -> Self {
        let first = stack.len();
        let theirs = board.colors(!board.side_to_move());
        let last_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
        board.generate_moves(|mut of_piece| {
            let piece = of_piece.piece;
            if piece == Piece::Pawn {
                let straight = of_piece.from.file().bitboard();
                of_piece.to &= last_ranks | !straight;
            } else {
                of_piece.to &= theirs;
            }
            for mv in of_piece {
                if mv.promotion.is_none_or(|to| to == Piece::Queen) {
                    let promise = if hash == Some(mv) { HASH } else { noisy(board, mv, piece) };
                    stack.push(Scored { mv, promise });
                }
            }
            false
        });
        Self { first, next: first }
    }

    /// The next move and why it comes now.
    pub(in crate::echo::search) fn next(
        &mut self,
        stack: &mut [Scored],
        board: &Board,
    ) -> Option<(Move, Stage)> {
        loop {
            let rest = &mut stack[self.next..];
            // Of equals the first made, so that the order is settled.
            let mut at = 0;
            for (index, scored) in rest.iter().enumerate().skip(1) {
                if scored.promise > rest[at].promise {
                    at = index;
                }
            }
            let Scored { mv, promise } = *rest.get(at)?;
            let stage = match promise {
                HASH => Stage::Hash,
                WINNING.. => Stage::Winning,
                ..=UNDERPROMOTION => Stage::Losing,
                _ => Stage::Quiet,
            };
            if stage == Stage::Winning && !wins_at_least(board, mv, 0) {
                rest[at].promise = promise - WINNING + LOSING;
                continue;
            }
            rest.swap(0, at);
            self.next += 1;
            return Some((mv, stage));
        }
    }

    /// Every move handed out so far but the last.
    pub(in crate::echo::search) fn tried<'s>(
        &self,
        stack: &'s [Scored],
    ) -> impl Iterator<Item = Move> + use<'s> {
        stack[self.first..self.next.max(self.first + 1) - 1].iter().map(|scored| scored.mv)
    }

    /// Takes the node's moves off the stack.
    pub(in crate::echo::search) fn end(self, stack: &mut Vec<Scored>) {
        stack.truncate(self.first);
    }
}

/// Does a pawn take aslant where nothing stands?
pub(in crate::echo::search) fn is_en_passant(board: &Board, mv: Move, piece: Piece) -> bool {
    piece == Piece::Pawn && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to)
}

/// The dearest victim first, taken by the cheapest piece. Whether it pays is asked when the move's turn comes.
fn noisy(board: &Board, mv: Move, piece: Piece) -> i32 {
    let victim = board.piece_on(mv.to).map_or(0, price);
    match mv.promotion {
        Some(Piece::Queen) => WINNING + 16 * (price(Piece::Queen) + victim),
        Some(_) => UNDERPROMOTION + victim,
        None => WINNING + 16 * victim.max(price(Piece::Pawn)) - price(piece) / 64,
    }
}
