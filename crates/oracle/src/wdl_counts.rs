//! Counts of won, drawn and lost positions, in the convention of Syzygy's generator.
//!
//! Positions that are equal by rotation or reflection of the board count once: one in eight without pawns,
//! one in two with them; symmetric positions count once as well. Like pieces are distinguished, so a position
//! with two knights counts twice, unless a reflection exchanges them. Positions in which the side to move
//! could capture the king do not count. Stalemates are draws; castling and en passant rights do not occur.

use shakmaty::Color;

use super::entry::TableEntry;
use super::table::Table;

/// Positions of one material and one side to move, by result for that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WdlCounts {
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
}

impl Table {
    /// Counts the positions with the table's White or Black to move.
    pub fn wdl_counts(&self, turn: Color) -> WdlCounts {
        let mut census = WdlCounts::default();
        self.each_once(turn, |entry, positions| {
            if entry.is_win() {
                census.wins += positions;
            } else if entry.is_loss() {
                census.losses += positions;
            } else {
                census.draws += positions;
            }
        });
        census
    }

    /// Visits the entries of all positions, symmetric ones once, each with its multiplicity.
    fn each_once(&self, turn: Color, mut visit: impl FnMut(TableEntry, u64)) {
        let half = self.addresses() / 2;
        let start = turn.fold_wb(0, half);
        let count = self.layout().pieces().len();
        let orders = self.layout().orders();
        for address in start..start + half {
            let entry = self.entry_at(address);
            if entry == TableEntry::NONE {
                continue;
            }
            let placement = self.layout().place(address);
            let twin = self.layout().twin(placement);
            let mirrored = twin.and_then(|twin| self.layout().address(twin).zip(Some(twin)));
            match mirrored {
                // It was counted at its twin.
                Some((twin, _)) if (twin as usize) < address => {}
                // The reflection exchanges like pieces, so half of their orders are the same positions.
                Some((twin, mirror))
                    if twin as usize == address && mirror.squares[..count] != placement.squares[..count] =>
                {
                    visit(entry, orders / 2);
                }
                _ => visit(entry, orders),
            }
        }
    }
}
