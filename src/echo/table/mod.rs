//! The hash table: what the search learnt about positions, kept until something better needs the room.

pub(super) mod entry;
mod hints;
pub(super) mod store;

pub(super) use entry::Entry;
pub(super) use store::Table;
