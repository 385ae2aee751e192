//! The command line of threefold as a library, so that another program can add commands to it.
//!
//! This crate alone knows that there is a terminal, an environment and files to be found. It resolves them once into a
//! run that needs none of them. `threefold` is one program over it, the laboratory's `threefold-lab` another.

pub mod args;
pub mod baselines;
pub mod built_in;
pub mod commands;
pub mod controls;
mod engine_log;
pub mod exit;
pub mod files;
pub mod foretelling;
pub mod game_file;
pub mod game_length;
pub mod inputs;
pub mod owner;
pub mod place;
pub mod program;
pub mod progress;
pub mod reading;
pub mod running;
pub mod streams;
pub mod tables;

/// The program's version with the commit and the profile of its build: `0.2.0 (abc1234, release)`.
pub const VERSION: &str = env!("THREEFOLD_VERSION");
