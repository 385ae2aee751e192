//! How strong is a search of so many nodes? A ladder of the same engine at different budgets, played as a
//! round robin, fitted to ratings, and drawn as a curve that never falls.

pub mod curve;
pub mod fit;
pub mod ladder;

pub use curve::{Curve, Level};
pub use fit::{Rating, Scale, Unrated, fit};
pub use ladder::{Ladder, LadderError};
