//! How many positions of a table are won, drawn and lost, counted as Syzygy's generator counts them.
//!
//! Positions that a turn or a mirror of the board makes equal count once: one in eight without pawns, one in
//! two with them, and those that are their own mirror image once too. Like men are told apart, so that a
//! position with two knights counts twice, unless a mirror is what exchanges them. A position counts if its
//! side to move can't take the king; stalemates are draws; nobody has the right to castle or to capture en
//! passant.

use shakmaty::Color;

use super::entry::TableEntry;
use super::table::Table;

/// Positions of one material and one side to move, by the result for that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WdlCounts {
    /// It wins.
    pub wins: u64,
    /// Nobody does.
    pub draws: u64,
    /// It loses.
    pub losses: u64,
}

impl Table {
    /// Counts the positions in which the table's White or Black is to move.
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

    /// Visits the entries of all positions, mirror images once, each with how often it counts.
    fn each_once(&self, turn: Color, mut visit: impl FnMut(TableEntry, u64)) {
        let half = self.addresses() / 2;
        let start = turn.fold_wb(0, half);
        let men = self.layout().pieces().len();
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
                Some((twin, _)) if (twin as usize) < address => {}
                Some((twin, mirror))
                    if twin as usize == address && mirror.squares[..men] != placement.squares[..men] =>
                {
                    visit(entry, orders / 2);
                }
                _ => visit(entry, orders),
            }
        }
    }
}
