//! What stays between the searches of one game, and the room a search works in.

use super::line::Lines;
use super::order::{Corrections, Histories, Made};
use crate::echo::eval::pawn_cache::PawnCache;
use crate::echo::mutants::{Mutant, Seed};
use crate::echo::position::Key;
use crate::echo::table::{HashBounds, HashScores, Table};

/// What one thread learns and works in. Made once, so that a search allocates next to nothing.
///
/// It stands on cache lines of its own, in the pairs that processors fetch: threads write to theirs at every node.
#[repr(align(128))]
pub(in crate::echo) struct Mind {
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) pawns: PawnCache,
    pub(super) made: Made,
    pub(super) lines: Lines,
}

impl Mind {
    fn new() -> Self {
        Self {
            histories: Histories::new(),
            corrections: Corrections::new(),
            pawns: PawnCache::new(),
            made: Made::new(),
            lines: Lines::new(),
        }
    }
}

/// Everything that outlives a search: one hash table, and a mind for each thread.
pub(in crate::echo) struct Memory {
    pub(in crate::echo) table: Table,
    /// The positions of the game that counted in the last search.
    noticed: Vec<Key>,
    /// The first is of the thread that answers.
    pub(in crate::echo) minds: Vec<Mind>,
}

impl Memory {
    /// Empty, with a hash table of so many mebibytes and one thread.
    pub(in crate::echo) fn new(mebibytes: u32, bounds: HashBounds) -> Self {
        let table = Table::new(mebibytes, bounds);
        Self { table, noticed: Vec::new(), minds: vec![Mind::new()] }
    }

    /// Another hash table, empty.
    pub(in crate::echo) fn rebuild_table(&mut self, mebibytes: u32, bounds: HashBounds) {
        self.table = Table::new(mebibytes, bounds);
    }

    /// A search begins in which these positions of the game count. Where others do, or the same ones more
    /// often, than did in the search before, a position may be worth something else.
    pub(in crate::echo) fn begin_search(&mut self, noticed: Vec<Key>, scores: HashScores) {
        let comparable = !scores.minds_the_game() || noticed == self.noticed;
        self.noticed = noticed;
        self.table.grow_older(comparable);
    }

    /// Another number of threads, at least one.
    pub(in crate::echo) fn resize_crew(&mut self, threads: usize) {
        self.minds.resize_with(threads.max(1), Mind::new);
    }

    /// As if nothing had ever been searched.
    pub(in crate::echo) fn forget(&mut self, seed: Seed) {
        if !seed.is(Mutant::TableOutlivesGame) {
            self.table.clear();
            self.noticed.clear();
        }
        if seed.is(Mutant::LearningOutlivesGame) {
            return;
        }
        for mind in &mut self.minds {
            mind.histories.clear();
            mind.corrections.clear();
        }
    }
}
