//! Limits of one search.

use clap::{Args, value_parser};

use super::from_one;

/// Limits of one search.
#[derive(Debug, Clone, Args)]
pub struct SearchLimits {
    /// Node limit of each search
    #[arg(long, value_name = "N", value_parser = from_one::<u64>)]
    pub nodes: Option<u64>,
    /// Depth limit of each search, in plies
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub depth: Option<u16>,
}
