//! Shared vocabulary of threefold: positions, scores, clocks and UCI.
//!
//! Nothing here reads a file, a pipe or a clock. [`uci`] parses and prints commands and replies; [`clock`]
//! has time controls and players' clocks; [`position`] is a position with the moves that led to it, since
//! repetitions and the fifty-move rule depend on the game's history; [`score`] has distinct types for
//! centipawns, plies and mate distances.

pub mod clock;
pub mod position;
pub mod reflection;
pub mod score;
pub mod uci;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
