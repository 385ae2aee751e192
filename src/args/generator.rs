//! Options of the commands that generate positions, also of those of the laboratory.

use std::path::PathBuf;

use clap::Args;

use super::Jobs;

/// Options of every generator.
#[derive(Debug, Args)]
pub struct GeneratorOptions {
    /// Random seed; the same seed gives the same file
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}

/// Folder of endgame tables.
#[derive(Debug, Args)]
pub struct TablesOption {
    /// Folder of endgame tables from `threefold tablebase build`; missing tables are built in memory
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}
