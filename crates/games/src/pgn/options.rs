//! How the games of a match are written as PGN.

use crate::move_details::DetailSelection;

threefold_named_enum::named_enum! {
    /// How moves are written.
    pub enum PgnNotation {
        /// Standard algebraic notation: `Nf3`.
        San = "san",
        /// Long algebraic notation: `Ng1f3`.
        Lan = "lan",
        /// As in UCI: `g1f3`.
        Uci = "uci",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` takes no attribute on a variant")]
impl Default for PgnNotation {
    fn default() -> Self {
        Self::San
    }
}

threefold_named_enum::named_enum! {
    /// How much is written.
    pub enum PgnExtent {
        /// Comments and all tags.
        Full = "full",
        /// No comments, and no tags about the engines, the limits and the end.
        Minimal = "minimal",
    }
}

#[expect(clippy::derivable_impls, reason = "`named_enum!` takes no attribute on a variant")]
impl Default for PgnExtent {
    fn default() -> Self {
        Self::Full
    }
}

/// How the games of a match are written as PGN, and which data of their moves is kept for that.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnOptions {
    /// The data in the comments.
    pub details: DetailSelection,
    /// How moves are written.
    pub notation: PgnNotation,
    /// How much is written.
    pub extent: PgnExtent,
    /// The tag `Event`; `None` for the name of the part.
    pub event: Option<String>,
    /// The tag `Site`; `None` for `threefold`.
    pub site: Option<String>,
}
