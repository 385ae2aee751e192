//! Double steps that allow an en passant capture.
//!
//! En passant rights are not part of an address, so the value of a double step is the better one, for the
//! opponent, of the entry and the capture. One exception needs five pieces: if the opponent has no other move
//! and is not mated, it must capture, although the entry says stalemate.
//!
//! If the capture decides the value, the backward sweep does not see it. Such positions are therefore
//! resolved once before the first sweep: is one won by such a step, or lost since every move is one? In other
//! positions the last move to be decided re-examines all moves, and captures are known from the start.

use shakmaty::{Role, attacks};

use super::conversions::PieceMove;
use super::quiet_moves::{ahead, is_double, steps};
use super::{TableBuilder, addresses};
use crate::entry::TableEntry;
use crate::index::Placement;

impl TableBuilder<'_> {
    /// The known value after a double step of the pawn `prey`, including en passant captures.
    pub(super) fn with_en_passant(&self, placement: Placement, prey: usize) -> TableEntry {
        let plain = self.entry(placement);
        if plain == TableEntry::NONE {
            return plain;
        }
        match self.best_en_passant(placement, prey) {
            Some(capture) if capture.is_loss() && !plain.is_mate() && self.is_stuck(placement) => capture,
            Some(capture) if plain.rank() < capture.rank() => capture,
            Some(_) | None => plain,
        }
    }

    /// The value of the best en passant capture of this pawn.
    fn best_en_passant(&self, placement: Placement, prey: usize) -> Option<TableEntry> {
        let to = ahead(placement.squares[prey], placement.turn)?;
        let takers = attacks::pawn_attacks(placement.turn.other(), to);
        let pawns = self.side(placement.turn).iter().filter(|(_, piece)| piece.role == Role::Pawn);
        pawns
            .filter(|&&(slot, _)| takers.contains(placement.squares[slot]))
            .map(|&(slot, _)| PieceMove { slot, to, captured: Some(prey), becomes: Role::Pawn })
            .map(|step| self.conversions.value_after(placement, step))
            .filter(|&after| after != TableEntry::NONE)
            .map(TableEntry::earlier)
            .max_by_key(|value| value.rank())
    }

    /// Whether there is no other move than en passant.
    fn is_stuck(&self, placement: Placement) -> bool {
        let occupied = self.occupied(placement);
        let reach = self.reach(placement, occupied);
        let mut leaves = false;
        self.each_conversion(placement, occupied, &reach, |_| leaves = true);
        !leaves && !self.can_stay(placement, occupied, &reach)
    }

    /// Decides positions whose value depends only on double steps with en passant replies.
    pub(super) fn resolve_double_steps(&self) {
        self.share(|words| {
            for address in words.flat_map(addresses) {
                let address = address as u32;
                if self.cells.get(address) != TableEntry::NONE {
                    self.resolve_double_step(address);
                }
            }
        });
    }

    fn resolve_double_step(&self, address: u32) {
        let placement = self.layout.place(address as usize);
        let occupied = self.occupied(placement);
        let mut answered = false;
        for &(slot, piece) in self.side(placement.turn) {
            if piece.role != Role::Pawn {
                continue;
            }
            let from = placement.squares[slot];
            let double = steps(from, placement.turn, occupied).into_iter().find(|&to| is_double(from, to));
            let Some(to) = double else { continue };
            let mut after = Placement { turn: placement.turn.other(), ..placement };
            after.squares[slot] = to;
            if self.best_en_passant(after, slot).is_none() {
                continue;
            }
            answered = true;
            let value = self.with_en_passant(after, slot);
            if value.is_loss() {
                self.cells.lower(address, value.earlier());
            }
        }
        let known = self.cells.get(address);
        let open = answered && known != TableEntry::PENDING && !known.is_win();
        if let Some(lost) = open.then(|| self.lost_in(placement)).flatten() {
            self.cells.lower(address, lost);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use shakmaty::{Color, Square};

    use super::*;
    use crate::index::MAX_PIECES;
    use crate::tables::Tables;

    fn place(turn: Color, squares: [Square; MAX_PIECES]) -> Placement {
        Placement { turn, squares }
    }

    #[test]
    #[cfg_attr(
        debug_assertions,
        ignore = "seconds and half a gigabyte for a table of five pieces; `.ci/long` runs it"
    )]
    fn en_passant_is_forced_without_another_move() {
        let mut finished = Tables::new(NonZeroUsize::MIN);
        let captured = ["KQKP", "KQK", "KPK"].map(|name| name.parse().expect("a material"));
        finished.make(&captured, &mut |_| {}).expect("few pieces");
        let maker = TableBuilder::new("KQPKP".parse().expect("a material"), &finished, NonZeroUsize::MIN);
        let slot = 3;
        // White: king, queen, pawn; Black: king in the corner, pawn. After d2-d4 Black has no move but exd3.
        let [king, corner, queen, pawn] = [Square::E3, Square::A1, Square::B3, Square::E4];
        let after = |pawn, king| place(Color::Black, [king, corner, queen, Square::D4, pawn]);
        let forced = maker.with_en_passant(after(pawn, king), slot);
        assert!(maker.is_stuck(after(pawn, king)) && forced.is_loss(), "{forced:?}");
        // With a free pawn there are other moves, and nothing is decided yet.
        assert_eq!(maker.with_en_passant(after(pawn, Square::F1), slot), TableEntry::DRAW);
        // No pawn beside it: stalemate.
        assert_eq!(maker.with_en_passant(after(Square::H4, Square::H3), slot), TableEntry::DRAW);

        let before = place(Color::White, [king, corner, queen, Square::D2, pawn]);
        let address = maker.layout.address(before).expect("kings apart");
        assert_eq!(maker.cells.get(address), TableEntry::DRAW);
        maker.resolve_double_step(address);
        assert_eq!(maker.cells.get(address), forced.earlier());
    }
}
