//! Updates the predecessors of a decided position.

use shakmaty::{Bitboard, Piece, Role, Square, attacks};

use super::TableBuilder;
use super::quiet_moves::{is_double, steps, steps_back};
use crate::entry::TableEntry;
use crate::index::Placement;

/// A predecessor of a decided position.
#[derive(Clone, Copy)]
struct Predecessor {
    placement: Placement,
    address: u32,
    /// The pawn, if the move was a double step.
    stepped: Option<usize>,
}

impl TableBuilder<'_> {
    /// Updates all predecessors of a decided position.
    pub(super) fn mark_decided(&self, address: u32, value: TableEntry) {
        let placement = self.layout.place(address as usize);
        let mover = placement.turn.other();
        let occupied = self.occupied(placement);
        let king = usize::from(mover.is_black());
        let before = Placement { turn: mover, ..placement };
        let twin = self.layout.twin(before);
        let frame = self.layout.frame(before).expect("the kings of an address are not adjacent");
        let twin = twin.and_then(|twin| Some((twin, self.layout.frame(twin)?)));
        for &(slot, piece) in self.side(mover) {
            let to = placement.squares[slot];
            let mut origins = origins(piece, to, occupied);
            while let Some(from) = origins.pop_front() {
                let mut placement_before = before;
                placement_before.squares[slot] = from;
                if slot == king {
                    self.mark_decided_by_king(placement, placement_before, value);
                    continue;
                }
                let stepped = (piece.role == Role::Pawn && is_double(from, to)).then_some(slot);
                let address = self.layout.moved(&frame, before, slot, from);
                self.update_predecessor(
                    placement,
                    Predecessor { placement: placement_before, address, stepped },
                    value,
                );
                if let Some((twin, frame)) = twin {
                    // With pawns there are no twins, so the move was no double step.
                    let mirrored = self.layout.twin(placement_before).expect("the kings have not moved");
                    let address = self.layout.moved(&frame, twin, slot, mirrored.squares[slot]);
                    self.update_predecessor(
                        placement,
                        Predecessor { placement: mirrored, address, stepped: None },
                        value,
                    );
                }
            }
        }
    }

    fn mark_decided_by_king(&self, placement: Placement, before: Placement, value: TableEntry) {
        for before in [Some(before), self.layout.twin(before)].into_iter().flatten() {
            if let Some(address) = self.layout.address(before) {
                self.update_predecessor(
                    placement,
                    Predecessor { placement: before, address, stepped: None },
                    value,
                );
            }
        }
    }

    /// Updates a position one of whose moves leads to the decided `placement`.
    #[inline]
    fn update_predecessor(&self, placement: Placement, before: Predecessor, value: TableEntry) {
        let known = self.cells.get(before.address);
        // Only bounds above the next ply may still decrease.
        if known == TableEntry::NONE || known <= value.earlier() {
            return;
        }
        if value.is_win() {
            let open = known == TableEntry::DRAW || known.is_loss();
            if let Some(lost) = open.then(|| self.lost_in(before.placement)).flatten() {
                self.cells.lower(before.address, lost);
            }
            return;
        }
        let value = before.stepped.map_or(value, |slot| self.with_en_passant(placement, slot));
        if value.is_loss() {
            self.cells.lower(before.address, value.earlier());
        }
    }

    /// The distance to mate if every move is known to lose. Positions without moves were decided before.
    pub(super) fn lost_in(&self, placement: Placement) -> Option<TableEntry> {
        let occupied = self.occupied(placement);
        let after = Placement { turn: placement.turn.other(), ..placement };
        let frame = self.layout.frame(after)?;
        let king = usize::from(placement.turn.is_black());
        let mut longest = None;
        let mut conversions = false;
        let mut loses = |after: TableEntry| {
            if after.is_win() {
                longest = longest.max(Some(after));
            }
            after.is_win() || after == TableEntry::NONE
        };
        for &(slot, piece) in self.side(placement.turn) {
            let from = placement.squares[slot];
            let reach = attacks::attacks(from, piece, occupied);
            // A pawn may promote without a capture.
            conversions |= (reach & occupied).any() || piece.role == Role::Pawn;
            let mut free = if piece.role == Role::Pawn {
                steps(from, placement.turn, occupied)
            } else {
                reach & !occupied
            };
            while let Some(to) = free.pop_front() {
                let entry = if slot == king {
                    self.entry(moved(after, slot, to))
                } else if piece.role == Role::Pawn && is_double(from, to) {
                    self.with_en_passant(moved(after, slot, to), slot)
                } else {
                    self.cells.get(self.layout.moved(&frame, after, slot, to))
                };
                if !loses(entry) {
                    return None;
                }
            }
        }
        // Last: the check usually ends above, and conversions are look-ups in other tables.
        if conversions {
            let mut all = true;
            self.each_conversion(placement, occupied, &self.reach(placement, occupied), |after| {
                all &= loses(after);
            });
            if !all {
                return None;
            }
        }
        longest.map(TableEntry::earlier)
    }
}

#[inline]
fn moved(mut placement: Placement, slot: usize, to: Square) -> Placement {
    placement.squares[slot] = to;
    placement
}

/// The squares from which a piece may have come without a capture.
#[inline]
fn origins(piece: Piece, to: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => steps_back(to, piece.color, occupied),
        _ => attacks::attacks(to, piece, occupied) & !occupied,
    }
}
