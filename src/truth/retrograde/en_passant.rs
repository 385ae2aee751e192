//! Double steps that may be answered en passant.
//!
//! The right to capture en passant is not part of an address, so the move that gives it is worth more, or
//! less, than the entry it leads to: the better, for who answers, of the entry and the capture. With one
//! exception, which takes five men: where the answerer has no other move and is not mated, he must capture,
//! though the entry says stalemate.
//!
//! Nobody hears from such a move when the capture decides it, so that those positions are asked once before
//! the first sweep: is one won by such a step, or lost since every move is one? In any other position the last
//! of its moves to be decided asks about all of them, and captures are known from the start.

use shakmaty::{Role, attacks};

use super::exits::Step;
use super::steps::{ahead, is_double, steps};
use super::{Maker, addresses};
use crate::truth::entry::Entry;
use crate::truth::index::Placement;

impl Maker<'_> {
    /// The value, as far as it is known, after a double step of the pawn `prey`, captures en passant included.
    pub(super) fn with_en_passant(&self, men: Placement, prey: usize) -> Entry {
        let plain = self.entry(men);
        if plain == Entry::NONE {
            return plain;
        }
        match self.best_en_passant(men, prey) {
            Some(capture) if capture.is_loss() && !plain.is_mate() && self.is_stuck(men) => capture,
            Some(capture) if plain.rank() < capture.rank() => capture,
            Some(_) | None => plain,
        }
    }

    /// The value of the best capture of this pawn, which has just stepped twice, before it is made.
    fn best_en_passant(&self, men: Placement, prey: usize) -> Option<Entry> {
        let to = ahead(men.squares[prey], men.turn)?;
        let takers = attacks::pawn_attacks(men.turn.other(), to);
        let pawns = self.side(men.turn).iter().filter(|(_, piece)| piece.role == Role::Pawn);
        pawns
            .filter(|&&(slot, _)| takers.contains(men.squares[slot]))
            .map(|&(slot, _)| Step { slot, to, captured: Some(prey), becomes: Role::Pawn })
            .map(|step| self.exits.beyond(men, step))
            .filter(|&after| after != Entry::NONE)
            .map(Entry::earlier)
            .max_by_key(|value| value.rank())
    }

    /// Is there no move but en passant?
    fn is_stuck(&self, men: Placement) -> bool {
        let occupied = self.occupied(men);
        let reach = self.reach(men, occupied);
        let mut leaves = false;
        self.each_exit(men, occupied, &reach, |_| leaves = true);
        !leaves && !self.can_stay(men, occupied, &reach)
    }

    /// Decides what double steps with an answer en passant decide by themselves.
    pub(super) fn look_at_double_steps(&self) {
        self.share(|words| {
            for address in words.flat_map(addresses) {
                let address = address as u32;
                if self.cells.get(address) != Entry::NONE {
                    self.look_at_double_step(address);
                }
            }
        });
    }

    fn look_at_double_step(&self, address: u32) {
        let men = self.layout.place(address as usize);
        let occupied = self.occupied(men);
        let mut answered = false;
        for &(slot, piece) in self.side(men.turn) {
            if piece.role != Role::Pawn {
                continue;
            }
            let from = men.squares[slot];
            let double = steps(from, men.turn, occupied).into_iter().find(|&to| is_double(from, to));
            let Some(to) = double else { continue };
            let mut after = Placement { turn: men.turn.other(), ..men };
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
        let open = answered && known != Entry::HELD && !known.is_win();
        if let Some(lost) = open.then(|| self.lost_in(men)).flatten() {
            self.cells.lower(address, lost);
        }
    }
}
