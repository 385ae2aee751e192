//! Rating lists: all players' strengths fitted jointly to all games.
//!
//! A player's score depends on whom it met; only a joint fit may be compared across opponents. The draw model is
//! Davidson's with an advantage for White: it has a unique maximum, and equal scores in a round robin get equal
//! ratings. Errors count a pair of games as one observation, for its games share their opening.

// What is asked and answered.
mod crosstable;
mod list;
mod terms;
mod uncertainty;
mod unfit;

// What the models make of a game.
mod davidson;
mod law;
mod ordo;
mod rao_kupper;

// From games to ratings and errors.
mod apart;
mod connectivity;
mod fit;
mod layout;
mod meeting;
mod newton;
mod scatter;

// Errors by replaying the games.
mod binomial;
mod simulation;

#[cfg(test)]
mod tests;

pub use crosstable::{Crosstable, Encounter, Seat};
pub use fit::rate;
pub use list::{Misfit, Rated, RatingList, Standing};
pub use simulation::{Replay, Simulated, Simulation};
pub use terms::{Anchor, Gaps, Model, Scale, Source, Strength, Terms};
pub use uncertainty::{Reference, Uncertainty};
pub use unfit::Unfit;
