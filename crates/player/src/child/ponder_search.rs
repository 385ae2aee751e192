//! A search on the opponent's time.

use super::search_log::SearchLog;
use crate::EngineFault;
use threefold_chess::position::GamePosition;

/// A search on the opponent's time.
pub(super) struct PonderSearch {
    /// The position with the expected move.
    pub(super) position: GamePosition,
    pub(super) log: SearchLog,
    /// What the engine is doing, for messages.
    pub(super) task: String,
    /// A fault in what it wrote meanwhile.
    pub(super) fault: Option<EngineFault>,
}
