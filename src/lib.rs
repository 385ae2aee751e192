//! The command line of threefold as a library, so that `threefold-lab` can reuse and extend it.
//!
//! Only this crate uses the terminal, the environment and the file system. It reads all inputs first and passes values to
//! the libraries.

pub mod args;
pub mod bad_lines;
pub mod base_version;
pub mod baselines;
pub mod book;
pub mod built_in;
pub mod case_search;
pub mod commands;
pub mod controls;
pub mod drop_in;
mod engine_log;
pub mod events;
pub mod execute;
pub mod exit;
pub mod files;
mod fleet_link;
pub mod game_file;
pub mod game_length;
pub mod game_output;
pub mod github;
pub mod inputs;
pub mod journal_path;
pub mod machine;
pub mod mate_files;
pub mod not_started;
pub mod owner;
pub mod peer;
pub mod pgn_input;
pub mod preflight;
pub mod program;
pub mod progress;
pub mod rating_files;
pub mod report_folder;
pub mod repository;
pub mod rounds;
pub mod runner_benchmark;
pub mod setup;
pub mod sprt_forecast;
pub mod streams;
pub mod tables;
pub mod traffic_printer;
pub mod user_secret;

/// The program's version with the commit and the profile of its build: `0.2.0 (abc1234, release)`.
pub const VERSION: &str = env!("THREEFOLD_VERSION");
