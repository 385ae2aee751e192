//! Initial values: what is known without the neighbours in the table.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::conversions::{PROMOTIONS, PieceMove, last_rank};
use super::quiet_moves::{ahead, steps};
use super::{TableBuilder, addresses};
use crate::entry::TableEntry;
use crate::index::{MAX_PIECES, Placement};

impl TableBuilder<'_> {
    /// Writes the initial value of every address.
    pub(super) fn initialise_all(&self) {
        self.share(|words| {
            for word in words {
                let entries = addresses(word).map(|address| self.first_value(self.layout.place(address)));
                self.cells.write(word, entries);
            }
        });
    }

    fn first_value(&self, placement: Placement) -> TableEntry {
        let occupied = self.occupied(placement);
        if occupied.count() < self.pieces.len() {
            return TableEntry::NONE;
        }
        let prey = placement.squares[usize::from(placement.turn.is_white())];
        let mut reach = [Bitboard::EMPTY; MAX_PIECES];
        for &(slot, piece) in self.side(placement.turn) {
            reach[slot] = attacks::attacks(placement.squares[slot], piece, occupied);
            if reach[slot].contains(prey) {
                return TableEntry::NONE;
            }
        }
        match self.best_conversion(placement, occupied, &reach) {
            Some(best) if best.is_win() => best,
            // A drawing conversion excludes a loss, so the check for lost positions passes over this one.
            Some(best) if !best.is_loss() => TableEntry::PENDING,
            Some(best) => {
                if self.can_stay(placement, occupied, &reach) {
                    TableEntry::DRAW
                } else {
                    best
                }
            }
            None if self.can_stay(placement, occupied, &reach) => TableEntry::DRAW,
            None => {
                let king = placement.squares[usize::from(placement.turn.is_black())];
                let check = self.attacked(placement, king, placement.turn.other(), occupied);
                if check { TableEntry::mate_in(0) } else { TableEntry::PENDING }
            }
        }
    }

    /// The value of the best capture or promotion.
    fn best_conversion(
        &self,
        placement: Placement,
        occupied: Bitboard,
        reach: &[Bitboard; MAX_PIECES],
    ) -> Option<TableEntry> {
        let mut best: Option<TableEntry> = None;
        self.each_conversion(placement, occupied, reach, |after| {
            let before = after.earlier();
            if best.is_none_or(|best| best.rank() < before.rank()) {
                best = Some(before);
            }
        });
        best
    }

    /// Visits the values after all legal captures and promotions except en passant.
    #[inline]
    pub(super) fn each_conversion(
        &self,
        placement: Placement,
        occupied: Bitboard,
        reach: &[Bitboard; MAX_PIECES],
        mut visit: impl FnMut(TableEntry),
    ) {
        let last = last_rank(placement.turn);
        for &(slot, piece) in self.side(placement.turn) {
            let mut go = |to: Square, captured: Option<usize>| {
                let promotes = piece.role == Role::Pawn && to.rank() == last;
                let becomes: &[Role] = if promotes { &PROMOTIONS } else { &[piece.role] };
                for &becomes in becomes {
                    let after =
                        self.conversions.value_after(placement, PieceMove { slot, to, captured, becomes });
                    if after != TableEntry::NONE {
                        visit(after);
                    }
                }
            };
            if piece.role == Role::Pawn {
                let push = ahead(placement.squares[slot], placement.turn).filter(|to| to.rank() == last);
                if let Some(to) = push.filter(|&to| !occupied.contains(to)) {
                    go(to, None);
                }
            }
            if (reach[slot] & occupied).is_empty() {
                continue;
            }
            for &(prey, _) in self.side(placement.turn.other()) {
                if prey > 1 && reach[slot].contains(placement.squares[prey]) {
                    go(placement.squares[prey], Some(prey));
                }
            }
        }
    }

    /// Whether there is a legal move that neither captures nor promotes.
    pub(super) fn can_stay(
        &self,
        placement: Placement,
        occupied: Bitboard,
        reach: &[Bitboard; MAX_PIECES],
    ) -> bool {
        let slot = usize::from(placement.turn.is_black());
        let king = placement.squares[slot];
        // The king itself does not shield the squares behind it from a slider.
        let without = occupied ^ Bitboard::from_square(king);
        let mut flights = reach[slot] & !occupied & !attacks::king_attacks(placement.squares[1 - slot]);
        for &(slot, piece) in self.side(placement.turn.other()) {
            if slot > 1 {
                flights &= !attacks::attacks(placement.squares[slot], piece, without);
            }
        }
        if flights.any() {
            return true;
        }
        self.side(placement.turn).iter().filter(|&&(slot, _)| slot > 1).any(|&(slot, piece)| {
            let from = placement.squares[slot];
            let free = if piece.role == Role::Pawn {
                steps(from, placement.turn, occupied)
            } else {
                reach[slot] & !occupied
            };
            free.into_iter().any(|to| {
                let then = occupied ^ Bitboard::from_square(from) | Bitboard::from_square(to);
                !self.attacked(placement, king, placement.turn.other(), then)
            })
        })
    }

    /// The attacks of each piece of the side to move.
    pub(super) fn reach(&self, placement: Placement, occupied: Bitboard) -> [Bitboard; MAX_PIECES] {
        let mut reach = [Bitboard::EMPTY; MAX_PIECES];
        for &(slot, piece) in self.side(placement.turn) {
            reach[slot] = attacks::attacks(placement.squares[slot], piece, occupied);
        }
        reach
    }
}
