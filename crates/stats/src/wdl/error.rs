//! Why a model can't be fitted.

/// Why a model can't be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WdlError {
    /// Eight coefficients need more games.
    #[error(
        "{games} distinct games with scores are too few for the eight coefficients; give at least {least}"
    )]
    TooFewGames {
        /// The games with a position, each once.
        games: usize,
        /// The least number.
        least: usize,
    },
    /// The share of draws sets a, so without draws there is none.
    #[error(
        "no position is of a drawn game, so the model has no draws to fit; give games of more equal engines"
    )]
    NoDraws,
    /// Without decisive games no score has a winning probability.
    #[error(
        "no position is of a decisive game, so no score means a win; give games from openings that are less even"
    )]
    NoDecisiveGames,
    /// A cubic needs at least four places, and is not determined by a few more.
    #[error(
        "the positions have only {found} different values of the move number or the material, too few for a cubic; widen its range"
    )]
    TooNarrow {
        /// The number of different values.
        found: usize,
    },
    /// The likelihood has no maximum: no relation, or an inverse one.
    #[error("the scores do not predict the results; check that they are from the view of the side to move")]
    NoRelation,
}
