//! Arguments of `threefold doctor`.

use std::num::NonZeroUsize;

use clap::{Args, value_parser};

use super::from_one;

/// `threefold doctor`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold doctor\n  threefold doctor -j 4 --engine ./mine\n\n\
    Exit code: 1 if the machine is not fit for this number of games at a time.")]
pub struct DoctorArgs {
    /// Planned number of games at a time [default: as many as the cores allow]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    pub jobs: Option<NonZeroUsize>,
    /// Threads of each engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Engine whose CPU time is measured while it waits; may be repeated
    #[arg(long = "engine", value_name = "SPEC")]
    pub engines: Vec<String>,
    /// Length of the measurement of wake-up delays, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = value_parser!(u16).range(1..=600))]
    pub seconds: u16,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}
