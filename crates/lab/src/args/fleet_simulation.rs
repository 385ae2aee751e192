//! Arguments of `threefold-lab fleet-simulation`.

use std::num::NonZeroUsize;

use clap::{Args, value_parser};

/// `threefold-lab fleet-simulation`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab fleet-simulation --workers 10,1000,10000 --game 60\n\n\
    Simulates `threefold fleet submit` with workers of one job at a time, and prints a line for each number of workers.")]
pub struct FleetSimulationArgs {
    /// Numbers of workers
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_value = "10,1000,10000")]
    pub workers: Vec<NonZeroUsize>,
    /// Mean length of a game in seconds; lengths are uniform between half and one and a half of it
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = value_parser!(u32).range(1..=86_400))]
    pub game: u32,
    /// Time of the coordinator for a game in microseconds
    #[arg(long, value_name = "US", default_value_t = 400, value_parser = value_parser!(u32).range(1..=60_000_000))]
    pub coordinator: u32,
    /// Time of a message through the server in microseconds
    #[arg(long, value_name = "US", default_value_t = 2_000, value_parser = value_parser!(u32).range(0..=60_000_000))]
    pub latency: u32,
    /// Length of the run, until its test is decided, in games for each worker
    #[arg(long, value_name = "GAMES", default_value_t = 60, value_parser = value_parser!(u32).range(4..=100_000))]
    pub length: u32,
    /// Bytes through the server for a game
    #[arg(long, value_name = "BYTES", default_value_t = 7_000)]
    pub bytes: u32,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}
