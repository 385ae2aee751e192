//! From a decided position to those that lead to it.

use shakmaty::{Bitboard, Piece, Role, Square, attacks};

use super::Maker;
use super::steps::{is_double, steps, steps_back};
use crate::entry::Entry;
use crate::index::Placement;

/// A position from which one move leads to a decided one.
#[derive(Clone, Copy)]
struct Before {
    men: Placement,
    address: u32,
    /// The pawn that stepped twice, if that was the move.
    stepped: Option<usize>,
}

impl Maker<'_> {
    /// Tells the predecessors of a position that it is decided.
    pub(super) fn tell(&self, address: u32, value: Entry) {
        let men = self.layout.place(address as usize);
        let mover = men.turn.other();
        let occupied = self.occupied(men);
        let king = usize::from(mover.is_black());
        let before = Placement { turn: mover, ..men };
        let twin = self.layout.twin(before);
        let frame = self.layout.frame(before).expect("the kings of an address stand apart");
        let twin = twin.and_then(|twin| Some((twin, self.layout.frame(twin)?)));
        for &(slot, piece) in self.side(mover) {
            let to = men.squares[slot];
            let mut origins = origins(piece, to, occupied);
            while let Some(from) = origins.pop_front() {
                let mut men_before = before;
                men_before.squares[slot] = from;
                if slot == king {
                    self.tell_king(men, men_before, value);
                    continue;
                }
                let stepped = (piece.role == Role::Pawn && is_double(from, to)).then_some(slot);
                let address = self.layout.moved(&frame, before, slot, from);
                self.hear(men, Before { men: men_before, address, stepped }, value);
                if let Some((twin, frame)) = twin {
                    // Pawns have no twins, so nobody stepped twice.
                    let mirrored = self.layout.twin(men_before).expect("the kings stand as before");
                    let address = self.layout.moved(&frame, twin, slot, mirrored.squares[slot]);
                    self.hear(men, Before { men: mirrored, address, stepped: None }, value);
                }
            }
        }
    }

    fn tell_king(&self, men: Placement, before: Placement, value: Entry) {
        for before in [Some(before), self.layout.twin(before)].into_iter().flatten() {
            if let Some(address) = self.layout.address(before) {
                self.hear(men, Before { men: before, address, stepped: None }, value);
            }
        }
    }

    /// A position hears that one of its moves leads to `men`, decided at `value`.
    #[inline]
    fn hear(&self, men: Placement, before: Before, value: Entry) {
        let known = self.cells.get(before.address);
        // Bounds above the next ply may fall yet; nothing else may.
        if known == Entry::NONE || known <= value.earlier() {
            return;
        }
        if value.is_win() {
            let open = known == Entry::DRAW || known.is_loss();
            if let Some(lost) = open.then(|| self.lost_in(before.men)).flatten() {
                self.cells.lower(before.address, lost);
            }
            return;
        }
        let value = before.stepped.map_or(value, |slot| self.with_en_passant(men, slot));
        if value.is_loss() {
            self.cells.lower(before.address, value.earlier());
        }
    }

    /// If every move is known to lose: when. Positions without a move are decided before anybody asks.
    pub(super) fn lost_in(&self, men: Placement) -> Option<Entry> {
        let occupied = self.occupied(men);
        let after = Placement { turn: men.turn.other(), ..men };
        let frame = self.layout.frame(after)?;
        let king = usize::from(men.turn.is_black());
        let mut longest = None;
        let mut exits = false;
        let mut loses = |after: Entry| {
            if after.is_win() {
                longest = longest.max(Some(after));
            }
            after.is_win() || after == Entry::NONE
        };
        for &(slot, piece) in self.side(men.turn) {
            let from = men.squares[slot];
            let reach = attacks::attacks(from, piece, occupied);
            exits |= (reach & occupied).any() || piece.role == Role::Pawn;
            let mut free =
                if piece.role == Role::Pawn { steps(from, men.turn, occupied) } else { reach & !occupied };
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
        if exits {
            let mut all = true;
            self.each_exit(men, occupied, &self.reach(men, occupied), |after| all &= loses(after));
            if !all {
                return None;
            }
        }
        longest.map(Entry::earlier)
    }
}

#[inline]
fn moved(mut men: Placement, slot: usize, to: Square) -> Placement {
    men.squares[slot] = to;
    men
}

/// Where a man may have come from without taking anything.
#[inline]
fn origins(piece: Piece, to: Square, occupied: Bitboard) -> Bitboard {
    match piece.role {
        Role::Pawn => steps_back(to, piece.color, occupied),
        _ => attacks::attacks(to, piece, occupied) & !occupied,
    }
}
