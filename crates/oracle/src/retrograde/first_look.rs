//! What a position shows without a look at its neighbours in the table.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::exits::{PROMOTIONS, Step, last_rank};
use super::steps::{ahead, steps};
use super::{Maker, addresses};
use crate::entry::Entry;
use crate::index::{LARGEST, Placement};

impl Maker<'_> {
    /// Writes the first value of every address.
    pub(super) fn look_at_all(&self) {
        self.share(|words| {
            for word in words {
                let entries = addresses(word).map(|address| self.first_value(self.layout.place(address)));
                self.cells.write(word, entries);
            }
        });
    }

    fn first_value(&self, men: Placement) -> Entry {
        let occupied = self.occupied(men);
        if occupied.count() < self.pieces.len() {
            return Entry::NONE;
        }
        let prey = men.squares[usize::from(men.turn.is_white())];
        let mut reach = [Bitboard::EMPTY; LARGEST];
        for &(slot, piece) in self.side(men.turn) {
            reach[slot] = attacks::attacks(men.squares[slot], piece, occupied);
            if reach[slot].contains(prey) {
                return Entry::NONE;
            }
        }
        match self.best_exit(men, occupied, &reach) {
            Some(best) if best.is_win() => best,
            Some(best) if !best.is_loss() => Entry::HELD,
            Some(best) => {
                if self.can_stay(men, occupied, &reach) {
                    Entry::DRAW
                } else {
                    best
                }
            }
            None if self.can_stay(men, occupied, &reach) => Entry::DRAW,
            None => {
                let king = men.squares[usize::from(men.turn.is_black())];
                let check = self.attacked(men, king, men.turn.other(), occupied);
                if check { Entry::mate_in(0) } else { Entry::HELD }
            }
        }
    }

    /// The value of the best capture or promotion, before it is made.
    fn best_exit(&self, men: Placement, occupied: Bitboard, reach: &[Bitboard; LARGEST]) -> Option<Entry> {
        let mut best: Option<Entry> = None;
        self.each_exit(men, occupied, reach, |after| {
            let before = after.earlier();
            if best.is_none_or(|best| best.rank() < before.rank()) {
                best = Some(before);
            }
        });
        best
    }

    /// Visits the values after all legal captures and promotions, en passant apart.
    #[inline]
    pub(super) fn each_exit(
        &self,
        men: Placement,
        occupied: Bitboard,
        reach: &[Bitboard; LARGEST],
        mut visit: impl FnMut(Entry),
    ) {
        let last = last_rank(men.turn);
        for &(slot, piece) in self.side(men.turn) {
            let mut go = |to: Square, captured: Option<usize>| {
                let promotes = piece.role == Role::Pawn && to.rank() == last;
                let becomes: &[Role] = if promotes { &PROMOTIONS } else { &[piece.role] };
                for &becomes in becomes {
                    let after = self.exits.beyond(men, Step { slot, to, captured, becomes });
                    if after != Entry::NONE {
                        visit(after);
                    }
                }
            };
            if piece.role == Role::Pawn {
                let push = ahead(men.squares[slot], men.turn).filter(|to| to.rank() == last);
                if let Some(to) = push.filter(|&to| !occupied.contains(to)) {
                    go(to, None);
                }
            }
            if (reach[slot] & occupied).is_empty() {
                continue;
            }
            for &(prey, _) in self.side(men.turn.other()) {
                if prey > 1 && reach[slot].contains(men.squares[prey]) {
                    go(men.squares[prey], Some(prey));
                }
            }
        }
    }

    /// Is there a legal move that neither captures nor promotes?
    pub(super) fn can_stay(&self, men: Placement, occupied: Bitboard, reach: &[Bitboard; LARGEST]) -> bool {
        let slot = usize::from(men.turn.is_black());
        let king = men.squares[slot];
        let without = occupied ^ Bitboard::from_square(king);
        let mut flights = reach[slot] & !occupied & !attacks::king_attacks(men.squares[1 - slot]);
        for &(slot, piece) in self.side(men.turn.other()) {
            if slot > 1 {
                flights &= !attacks::attacks(men.squares[slot], piece, without);
            }
        }
        if flights.any() {
            return true;
        }
        self.side(men.turn).iter().filter(|&&(slot, _)| slot > 1).any(|&(slot, piece)| {
            let from = men.squares[slot];
            let free = if piece.role == Role::Pawn {
                steps(from, men.turn, occupied)
            } else {
                reach[slot] & !occupied
            };
            free.into_iter().any(|to| {
                let then = occupied ^ Bitboard::from_square(from) | Bitboard::from_square(to);
                !self.attacked(men, king, men.turn.other(), then)
            })
        })
    }

    /// What each man of the side to move attacks.
    pub(super) fn reach(&self, men: Placement, occupied: Bitboard) -> [Bitboard; LARGEST] {
        let mut reach = [Bitboard::EMPTY; LARGEST];
        for &(slot, piece) in self.side(men.turn) {
            reach[slot] = attacks::attacks(men.squares[slot], piece, occupied);
        }
        reach
    }
}
