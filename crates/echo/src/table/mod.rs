//! The transposition table.

mod bounds;
pub(super) mod entry;
mod fifty;
mod hints;
mod scores;
pub(super) mod store;

pub use bounds::HashBounds;
pub(super) use entry::TtEntry;
pub(super) use fifty::FiftyRange;
pub use fifty::HashFifty;
pub use scores::HashScores;
pub(super) use scores::{CutoffPermission, CycleRoom, HorizonSearch, guarded_cutoff};
pub(super) use store::TranspositionTable;
