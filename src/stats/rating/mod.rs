//! Rating lists: all players' strengths fitted jointly to all games.
//!
//! A player's score depends on whom it met; only a joint fit may be compared across opponents. The draw model is
//! Davidson's with an advantage for White: it has a unique maximum, and equal scores in a round robin get equal
//! ratings. Errors count a pair of games as one observation, for its games share their opening.

mod crosstable;
mod list;
mod simulation;
mod terms;
mod uncertainty;
mod unfit;

pub use crosstable::{Crosstable, Encounter, Seat};
pub use list::{Misfit, Rated, RatingList, Standing, rate};
pub use simulation::{Replay, Simulated, Simulation};
pub use terms::{Anchor, Gaps, Model, Scale, Source, Strength, Terms};
pub use uncertainty::{Reference, Uncertainty};
pub use unfit::Unfit;
