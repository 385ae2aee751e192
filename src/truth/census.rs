//! How many positions of a table are won, drawn and lost, counted as Syzygy's generator counts them.
//!
//! Positions that a turn or a mirror of the board makes equal count once: one in eight without pawns, one in
//! two with them, and those that are their own mirror image once too. A position counts if its side to move
//! can't take the king; stalemates are draws; nobody has the right to castle or to capture en passant.

use shakmaty::Color;

use super::entry::Entry;
use super::table::Table;

/// Positions of one material and one side to move, by the result for that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Census {
    /// It wins.
    pub wins: u64,
    /// Nobody does.
    pub draws: u64,
    /// It loses.
    pub losses: u64,
}

impl Table {
    /// Counts the positions in which the table's White or Black is to move.
    pub fn census(&self, turn: Color) -> Census {
        let mut census = Census::default();
        self.each_once(turn, |entry| {
            if entry.is_win() {
                census.wins += 1;
            } else if entry.is_loss() {
                census.losses += 1;
            } else {
                census.draws += 1;
            }
        });
        census
    }

    /// How many positions there are at the longest distance at which this side mates or, when it is `turn`
    /// but not `winner`, is mated.
    pub fn longest(&self, turn: Color, winner: Color) -> Option<(u16, u64)> {
        let mut longest: Option<(u16, u64)> = None;
        self.each_once(turn, |entry| {
            let Some(plies) = entry.plies().filter(|_| entry.is_win() == (turn == winner)) else { return };
            match &mut longest {
                Some((most, count)) if *most == plies => *count += 1,
                Some((most, _)) if plies < *most => {}
                _ => longest = Some((plies, 1)),
            }
        });
        longest
    }

    /// Visits the entries of all positions, mirror images once.
    fn each_once(&self, turn: Color, mut visit: impl FnMut(Entry)) {
        let half = self.addresses() / 2;
        let start = turn.fold_wb(0, half);
        for address in start..start + half {
            let entry = self.entry_at(address);
            if entry == Entry::NONE {
                continue;
            }
            let twin = self.layout().twin(self.layout().place(address));
            let twin = twin.and_then(|twin| self.layout().address(twin));
            if twin.is_none_or(|twin| address <= twin as usize) {
                visit(entry);
            }
        }
    }
}
