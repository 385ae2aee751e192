//! What it means if a case that an earlier version passed fails now.

threefold_named_enum::named_enum! {
    /// What a lost case of a suite means.
    pub enum LostCase {
        /// A regression: the answer is a matter of rules, so no patch may change it.
        Strict = "strict",
        /// Perhaps nothing: the answer depends on how far the search sees, which any patch changes a little. The
        /// case is asked again with more nodes.
        Search = "search",
    }
}
