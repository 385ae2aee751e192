//! The search driver.

use threefold_named_enum::named_enum;

named_enum! {
    /// Search driver: how an iteration finds the root's value.
    pub enum SearchDriver {
        /// Principal-variation search with aspiration windows.
        Pvs = "PVS",
        /// MTD(f): zero-window searches until the bounds meet (Plaat).
        Mtdf = "MTDF",
    }
}
