//! Which manager plans the time.

use threefold_named_enum::named_enum;

named_enum! {
    /// Who plans how long to think.
    pub enum TimeManager {
        /// An even share of the clock, more while the search is unsure, less when it is settled.
        Classic = "Classic",
        /// A fixed part of what is left, used up on every move.
        Fixed = "Fixed",
        /// Lc0's manager before 2020: an even share by the moves that games have left, spared time used at once.
        Legacy = "Legacy",
        /// Lc0's smooth manager as proposed: it learns how much of a tree is reused and how much of a budget is used.
        Smooth = "Smooth",
        /// The smooth manager as Lc0 came to have it: with a reserve for moves that are in doubt.
        SmoothPiggybank = "SmoothPiggybank",
    }
}
