//! The command line of threefold as a library, so that `threefold-lab` can reuse and extend it.
//!
//! Only this crate uses the terminal, the environment and the file system. It reads all inputs first and passes values to
//! the libraries.

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
