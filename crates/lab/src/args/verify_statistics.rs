//! Arguments of `threefold-lab verify-statistics`.

use clap::{Args, value_parser};

use threefold::args::Jobs;

/// `threefold-lab verify-statistics`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab verify-statistics --runs 20000 --seed 1\n\n\
    Exit code: 1 if an error rate or a coverage is not as claimed.")]
pub struct VerifyStatisticsArgs {
    /// Number of simulated runs for each row
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,
    /// Random seed; the same seed gives the same figures on any machine
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Check the table of several takes against one base instead; 20,000 runs take 50 minutes of CPU time
    #[arg(long)]
    pub takes: bool,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}
