//! How an iteration of the search finds the value of the root.

use threefold_named_enum::named_enum;

named_enum! {
    /// How an iteration finds the root's value.
    pub enum SearchDriver {
        /// A window around the last value, and the first move's value for the others to beat.
        Pvs = "PVS",
        /// Questions on which side of a number the value lies, until there is no room between them (Plaat).
        Mtdf = "MTDF",
    }
}
