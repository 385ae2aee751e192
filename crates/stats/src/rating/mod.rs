//! Rating lists: all players' strengths fitted jointly to all games.
//!
//! A player's score depends on whom it met; only a joint fit may be compared across opponents. Four models are
//! at hand. Davidson's is the default: it has one maximum, and equal scores in a round robin get equal ratings.
//! Ordo's two and BayesElo's are there for lists that must be comparable with theirs; each file says how it differs
//! from its program. A model is no more than a law of three results; the fit, its errors, analytic or simulated,
//! and what happens where results measure no distance are the same for all. Errors count a pair of games as one
//! observation, for its games share their opening.

// What is asked and answered.
mod crosstable;
mod error;
mod list;
mod settings;
mod uncertainty;

// What the models make of a game.
mod davidson;
mod game_model;
mod ordo;
mod rao_kupper;

// From games to ratings and errors.
mod connectivity;
mod covariance;
mod fit;
mod head_to_head;
mod newton;
mod parameters;
mod separation;

// Errors by replaying the games.
mod binomial;
mod simulation;

#[cfg(test)]
mod tests;

pub use crosstable::{Crosstable, Encounter, PlayerIndex};
pub use error::RatingError;
pub use fit::rate;
pub use list::{GoodnessOfFit, PlayerRating, RatingList, RatingStatus};
pub use settings::{GapPolicy, ParameterPrior, RatingAnchor, RatingModel, RatingSettings, Scale, Strength};
pub use simulation::{RatingSimulation, ReplayEstimates, SimulatedErrors};
pub use uncertainty::{Reference, Uncertainty};
