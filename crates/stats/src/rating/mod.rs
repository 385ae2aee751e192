//! Rating lists: all players' strengths fitted jointly to all games.
//!
//! A player's score depends on its opponents; only a joint fit is comparable across opponents. There are four
//! models. Davidson's is the default: it has a unique maximum, and equal scores in a round robin give equal
//! ratings. Ordo's two and BayesElo's give lists comparable with those programs; each file states its
//! differences. A model only defines the probabilities of three results; the fit, its analytic or simulated
//! errors, and the treatment of separation are common. Errors treat a pair of games as one observation, since
//! its games share their opening.

// Input and output.
mod crosstable;
mod error;
mod list;
mod settings;
mod status;
mod uncertainty;

// Models of one game.
mod davidson;
mod game_model;
mod game_terms;
mod ordo;
mod rao_kupper;

// The fit and its errors.
mod connectivity;
mod covariance;
mod elo_unit;
mod fit;
mod head_to_head;
mod newton;
mod parameters;
mod separation;

// The parametric bootstrap.
mod binomial;
mod simulation;

#[cfg(test)]
mod relation_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod uncertainty_tests;

pub use crosstable::{Crosstable, PairCounts, PlayerIndex};
pub use elo_unit::rate_in_elo;
pub use error::{Colour, RatingError};
pub use fit::rate;
pub use list::{GoodnessOfFit, PlayerRating, RatingList};
pub use settings::{
    GapPolicy, ParameterPrior, RatingAnchor, RatingModel, RatingPoints, RatingRelation, RatingScale,
    RatingSettings,
};
pub use simulation::{RatingSimulation, ReplayEstimates, SimulatedErrors};
pub use status::RatingStatus;
pub use uncertainty::{Reference, Uncertainty};
