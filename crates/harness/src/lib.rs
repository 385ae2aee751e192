//! Runs chess engines: games, suites of positions, journaled runs, calibration and regression.
//!
//! Modules are listed in order of dependency: a module imports only from modules above it.

mod system;

pub mod bounded;
pub mod calendar;
pub mod foreign_text;
pub mod move_reader;
pub mod output_file;
pub mod packed;
mod pgn_tokens;
mod pgn_variant;
pub mod position_line;
pub mod visible;

pub mod player;
pub mod polyglot;

pub mod playout;

pub mod arena;
pub mod suite;

pub mod single_case;

pub mod run;

pub mod calibration;

pub mod regress;

pub mod output_folder;

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
