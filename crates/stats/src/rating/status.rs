//! How the rating of a player was determined.

/// How a rating was determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RatingStatus {
    /// Fitted with its group, or fixed as an anchor.
    Rated,
    /// Won every game: placed where that has probability 1/2, without an error.
    Unbeaten,
    /// Lost every game: placed where that has probability 1/2, without an error.
    Winless,
}
