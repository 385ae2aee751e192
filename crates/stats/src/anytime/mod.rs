//! Anytime-valid inference: evidence that may be checked after every pair, at a stop, and after more games.
//!
//! A fixed-sample interval or p-value is valid at one check planned beforehand; checked after every game, it
//! is wrong at some time in about half of all matches. The methods here are valid at all times
//! simultaneously. They assume only that, given the past, the expected score of a trial is as the hypothesis
//! says. Openings, machines and draw rates may change during a match. Sources: Ville's inequality;
//! Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2023); Ramdas et al.,
//! "Game-theoretic statistics and safe anytime-valid inference" (2023).

// E-values and their combination.
pub mod evidence;
pub mod online;

// Tests between two hypotheses, in schedule order.
pub mod betting;
pub mod esprt;

// Confidence sequences from counts.
pub mod mixture;

// Exact errors on little data.
pub mod enumeration;

pub use betting::{Bets, BettingPrior, Wealth};
pub use enumeration::{Chances, chances};
pub use esprt::Esprt;
pub use evidence::EValue;
pub use mixture::{Mixture, Watch};
pub use online::OnlineEbh;
