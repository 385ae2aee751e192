//! Positions: what the miners and the check take.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `threefold positions`
#[derive(Debug, Subcommand)]
pub enum PositionsCommand {
    /// Mine repetition traps from tables made on the spot.
    Traps(TrapArgs),
    /// Mine mates with a proven distance.
    Mates(MateArgs),
    /// Mine mates that only an underpromotion gives.
    Underpromotions(UnderpromotionArgs),
    /// Make balanced openings.
    Openings(OpeningArgs),
    /// Mine traps of the middlegame from Echo's games, judged by deep searches.
    Judged(JudgedArgs),
    /// Prove shipped positions again.
    Check(CheckArgs),
}

/// What every miner is told.
#[derive(Debug, Args)]
pub struct Mined {
    /// Everything follows from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// `threefold positions traps`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions traps --seed 7 --per-class 20 --out traps.csv")]
pub struct TrapArgs {
    /// Traps of each class
    #[arg(long, value_name = "N", default_value = "12")]
    pub per_class: NonZeroUsize,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions mates`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions mates --seed 7 --longest 5 --out mates.epd")]
pub struct MateArgs {
    /// The longest mate, in moves
    #[arg(long, value_name = "MOVES", default_value_t = 8)]
    pub longest: u16,
    /// Mates of each distance, for the side that mates and for the side that is mated
    #[arg(long, value_name = "N", default_value = "6")]
    pub each: NonZeroUsize,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions underpromotions`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold positions underpromotions --seed 7 --count 50 --out underpromotions.epd"
)]
pub struct UnderpromotionArgs {
    /// How many
    #[arg(long, value_name = "N", default_value = "24")]
    pub count: NonZeroUsize,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions openings`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions openings --seed 7 --count 100 --out openings.epd")]
pub struct OpeningArgs {
    /// How many
    #[arg(long, value_name = "N", default_value = "300")]
    pub count: NonZeroUsize,
    /// Nodes that Echo spends on finding an opening even
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub nodes: u64,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions judged`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions judged --seed 7 --count 10 --out middlegame.csv")]
pub struct JudgedArgs {
    /// How many
    #[arg(long, value_name = "N", default_value = "60")]
    pub count: NonZeroUsize,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions check`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold positions check\n  threefold positions check positions/mates.epd"
)]
pub struct CheckArgs {
    /// Files of positions [default: all of `positions/`]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
