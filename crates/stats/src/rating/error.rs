//! Why games have no rating list.

use thiserror::Error;

/// Why games have no rating list, and what to do about it.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RatingError {
    /// An anchor or a quantity known beforehand that can't be.
    #[error("{what} can't be used: {remedy}")]
    Settings {
        /// Which.
        what: String,
        /// What would do.
        remedy: &'static str,
    },
    /// Nobody played.
    #[error("there are no games to rate by")]
    NoGames,
    /// Two groups never met.
    #[error("no game connects {} with {}; play some between the groups, or rate each alone", names(.0), names(.1))]
    Unconnected(Vec<String>, Vec<String>),
    /// A group lost every game against the rest: the distance between them is infinite.
    #[error("{} lost every game against {}: the distance can't be measured; play more games, or leave the former out", names(.losers), names(.winners))]
    Swept {
        /// Without a point against the others.
        losers: Vec<String>,
        /// Without a loss or draw against the losers.
        winners: Vec<String>,
    },
    /// Nothing but draws.
    #[error("all games were drawn: ratings would be equal and their errors unknown; play more games")]
    OnlyDraws,
    /// More draws than the expected scores leave room for: Ordo's score equations fix those without a look at draws.
    #[error(
        "no draw rate explains so many draws between players as unequal as their scores; give the draw rate, or use another model"
    )]
    Drawish,
    /// The likelihood grows without end, as when one colour won every game.
    #[error("the results leave no finite fit, as when White won every game; play more games")]
    Endless,
}

/// A list of names for a message, cut short.
fn names(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
