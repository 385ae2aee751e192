//! Statistics of matches and suites. Pure functions: no clock, no files, no randomness without a seed.
//!
//! The trial is the *pair*: two games from one opening with colours swapped. The games of a pair are not
//! independent, so errors are computed from counts of pairs where there are pairs; single games are the
//! fallback. All values are from the first player's side, "A minus B". Each file names the sources of its
//! formulas; `tests/golden` compares them with fishtest, fastchess, OpenBench and others.

// Counts of results.
pub mod pentanomial;
pub mod sample;
pub mod scoresheet;

// Strength estimates.
pub mod elo;
pub mod rating;

// Hypothesis tests.
pub mod deadline;
pub mod planning;
pub mod root_finding;
pub mod sequential;
pub mod stopping;
pub mod takes;

// Tuning of parameters.
pub mod spsa;

// Anytime-valid inference.
pub mod anytime;

// Rates and tests for suites.
pub mod change_point;
pub mod clusters;
pub mod homogeneity;
pub mod interval;
pub mod multiplicity;
pub mod paired;
pub mod signed_rank;

// Which commit made a difference.
pub mod bisection;

// Means with intervals, and outliers of repeated measurements.
pub mod mean;
pub mod outlier;

// The results that an engine's scores mean.
pub mod wdl;

// Calibration curves.
pub mod isotonic;

// Conventions of other programs.
pub mod bayeselo;
pub mod compat;

pub use elo::{Estimate, Logistic, Normalized};
pub use pentanomial::{GameResult, Pentanomial, ResultCounts, Trial, Trinomial};
pub use sample::Sample;
pub use scoresheet::Scoresheet;
pub use sequential::{
    Bounds, EloHypotheses, EloModel, Judgement, LlrBasis, Look, Overshoot, Risks, Sprt, SprtConfig,
    SprtState, StoppedEstimate, TrialUnit,
};
pub use stopping::{AnyRule, AnyTest, RunningTest, StoppingRule};

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
