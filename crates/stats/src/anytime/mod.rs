//! Evidence that may be looked at whenever one likes: after every pair, at a stop, after more games.
//!
//! An interval or a p-value of the usual kind holds at one look, planned beforehand; watched while games come in it
//! is wrong at some moment in about half of all matches. What stands here holds at all moments at once. It takes no
//! more than this: given the past, a trial's mean score is what the hypothesis says. Openings, machines and draw
//! rates may change under way. Sources: Ville's inequality; Waudby-Smith and Ramdas, "Estimating means of bounded
//! random variables by betting"; Ramdas et al., "Game-theoretic statistics and safe anytime-valid inference".

// How evidence is told and put together.
pub mod evidence;

// Between two hypotheses, in the order of the schedule.
pub mod betting;
pub mod esprt;

// How strong, from counts alone.
pub mod mixture;

// What a test's true error is when there is little data.
pub mod enumeration;

pub use betting::{Bets, Prior, Wealth};
pub use enumeration::{Chances, chances};
pub use esprt::Esprt;
pub use evidence::EValue;
pub use mixture::{Mixture, Watch};
