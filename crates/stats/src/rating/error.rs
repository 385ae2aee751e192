//! Errors of rating lists.

use std::fmt;

use thiserror::Error;

/// Why games have no rating list, and what to do about it.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum RatingError {
    /// An invalid anchor or other setting.
    #[error("{what} can't be used: {remedy}")]
    Settings {
        /// The setting and its value, as text.
        what: String,
        /// What is valid.
        remedy: &'static str,
    },
    /// No games.
    #[error("there are no games to rate")]
    NoGames,
    /// Two groups without games between them.
    #[error("no game connects {} with {}; play some between the groups, or rate each group alone", names(.0), names(.1))]
    Unconnected(Vec<String>, Vec<String>),
    /// A group lost every game against the rest: the difference is infinite.
    #[error("{} lost every game against {}: the difference can't be measured; play more games, or leave the losers out", names(.losers), names(.winners))]
    Swept {
        /// The group without a point.
        losers: Vec<String>,
        /// The other players.
        winners: Vec<String>,
    },
    /// Nothing but draws.
    #[error("all games were drawn, so errors are unknown; play more games")]
    OnlyDraws,
    /// More draws than the expected scores allow; Ordo's score equations ignore draws.
    #[error(
        "no draw rate explains this number of draws between players with such different scores; give the draw rate, or use another model"
    )]
    Drawish,
    /// One colour won every game: its advantage is infinite.
    #[error("{winner} won every game, so White's advantage can't be estimated; give it, or play more games")]
    OneColour {
        /// The colour that won.
        winner: Colour,
    },
    /// The likelihood has no maximum, for example if the draws and the decided games allow any draw rate.
    #[error("the results have no finite fit; play more games, or give White's advantage and the draw rate")]
    Endless,
}

/// A colour, in messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// The first to move.
    White,
    /// The other one.
    Black,
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// A shortened list of names for a message.
fn names(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
