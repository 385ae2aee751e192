//! Makes the positions that the suites use, and proves them again.
//!
//! Nothing here is collected: every trap, mate and opening comes from tables, from exhaustive search or from
//! seeded play-outs, and the same seed makes the same file to the byte. What derives a case from its position
//! is one function, which the miner uses to find it and [`check`] to prove a file's row again.

mod asked;
pub mod best_moves;
pub mod check;
mod collect;
pub mod conversions;
pub mod crew;
pub mod defences;
mod history;
pub mod judged;
pub mod lean;
mod lures;
pub mod mates;
pub mod openings;
pub mod perpetual_draws;
mod perpetuals;
mod pins;
pub mod plain;
pub mod rules;
mod scatter;
pub mod signatures;
pub mod trap;
pub mod traps;
pub mod underpromotions;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
