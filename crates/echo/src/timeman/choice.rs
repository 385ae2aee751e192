//! The choices of time management.

use threefold_named_enum::named_enum;

named_enum! {
    /// The time manager.
    pub enum TimeManager {
        /// An even share of the clock, more while the best move is unstable.
        Classic = "Classic",
        /// A fixed part of the remaining time for every move.
        Fixed = "Fixed",
        /// Lc0's manager before 2020: an even share by expected moves left; unused time is added to the next
        /// move.
        Legacy = "Legacy",
        /// Lc0's smooth manager as proposed: it learns tree reuse and time use.
        Smooth = "Smooth",
        /// Lc0's smooth manager as merged: with a reserve for uncertain moves.
        SmoothPiggybank = "SmoothPiggybank",
    }
}

named_enum! {
    /// What the smooth manager learns the tree reuse from.
    pub enum ReuseSample {
        /// The nodes that a search inherits, as on Lc0's page.
        Inherited = "Inherited",
        /// The nodes that they save: inherited nodes minus those needed to be as deep again.
        Saved = "Saved",
    }
}
