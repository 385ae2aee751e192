//! What stays between the searches of one game, and the room a search works in.

use super::line::Lines;
use super::order::{Histories, Scored};
use crate::echo::table::Table;

/// Everything a search writes to that outlives it. Made once, so that a search allocates next to nothing.
pub(in crate::echo) struct Memory {
    pub(super) table: Table,
    pub(super) histories: Histories,
    /// The moves of every node on the path, one after the other.
    pub(super) moves: Vec<Scored>,
    pub(super) lines: Lines,
}

impl Memory {
    /// Empty, with a hash table of so many mebibytes.
    pub(in crate::echo) fn new(mebibytes: u32) -> Self {
        Self {
            table: Table::new(mebibytes),
            histories: Histories::new(),
            moves: Vec::with_capacity(8192),
            lines: Lines::new(),
        }
    }

    /// Another size of hash table, empty.
    pub(in crate::echo) fn resize_table(&mut self, mebibytes: u32) {
        self.table = Table::new(mebibytes);
    }

    /// An empty hash table.
    pub(in crate::echo) fn clear_table(&mut self) {
        self.table.clear();
    }

    /// As if nothing had ever been searched.
    pub(in crate::echo) fn forget(&mut self) {
        self.table.clear();
        self.histories.clear();
    }
}
