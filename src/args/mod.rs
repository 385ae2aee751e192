//! Options that several commands share, and their help. The arguments of a command are in its file in
//! `src/commands`.

mod adjudication;
mod case_choice;
mod engines;
mod game_files;
mod games;
mod generator;
pub mod hints;
mod jobs;
mod log;
mod run_options;
mod search_limits;

pub use adjudication::AdjudicationArgs;
pub use case_choice::CaseChoice;
pub use engines::engine_help;
pub use game_files::GameFileArgs;
pub use games::{GameArgs, number_of_games};
pub use generator::{GeneratorOptions, TablesOption};
pub use jobs::Jobs;
pub use log::{LogLevel, LogOptions};
pub use run_options::{Affinity, RunOptions, from_one, seconds};
pub use search_limits::SearchLimits;
