//! What every part of threefold means by a position, a score, a clock and a UCI command.
//!
//! Nothing here reads a file, a pipe or a clock. [`uci`] turns lines into typed commands and replies and back;
//! [`clock`] holds time controls and the state of a player's clock; [`position`](mod@line) is a position with the moves
//! that led to it, since repetitions and the fifty-move rule depend on the game and not on the board alone;
//! [`score`] keeps centipawns, plies and mate distances apart.

pub mod clock;
pub mod position;
pub mod score;
pub mod uci;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
