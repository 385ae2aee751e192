//! Statistics of matches and suites: numbers in, numbers out, no clock and no files.
//!
//! The trial is the *pair*: two games from one opening with colours swapped. Games of a pair are not independent,
//! so every error bar here comes from counts of pairs where there are pairs; single games are the fallback.
//! Everything is told from the first player's side, "A minus B". The formulas and their sources stand in each file;
//! `tests/golden` holds them against what fishtest, fastchess, OpenBench and others compute.

// What was counted.
pub mod pentanomial;
pub mod sample;
pub mod scoresheet;

// How strong.
pub mod elo;
pub mod rating;

// Which of two hypotheses.
pub mod planning;
pub mod root_finding;
pub mod sequential;

// What may be said at any look.
pub mod anytime;

// How often, for suites.
pub mod homogeneity;
pub mod interval;
pub mod multiplicity;
pub mod paired;

// How much of something, with its interval.
pub mod mean;

// What a level is worth.
pub mod isotonic;

// The same, as others put it.
pub mod bayeselo;
pub mod compat;

pub use elo::{Estimate, Logistic, Normalized};
pub use pentanomial::{GameResult, Pentanomial, ResultCounts, Trinomial};
pub use sample::Sample;
pub use scoresheet::Scoresheet;
pub use sequential::{
    Bounds, EloModel, Judgement, LlrBasis, Look, Overshoot, Risks, Sprt, SprtConfig, SprtState,
    StoppedEstimate, TrialUnit,
};

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
