//! What a run writes while it goes on: progress, events, logs, games; and tables for the terminal.

pub(crate) mod engine_log;
pub mod events;
mod figures;
pub mod game_file;
pub mod game_length;
pub mod game_output;
pub mod github;
pub mod mate_files;
mod notices;
pub mod progress;
pub(crate) mod screen;
pub mod sprt_forecast;
pub mod tables;
pub mod traffic_printer;
