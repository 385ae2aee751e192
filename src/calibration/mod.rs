//! How strong is a search of so many nodes? A ladder of the same engine at different budgets, played as a
//! round robin and fitted to ratings.

pub mod fit;
pub mod ladder;

pub use fit::{Rating, Scale, Unrated, fit};
pub use ladder::{Ladder, LadderError};
