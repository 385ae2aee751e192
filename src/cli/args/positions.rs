//! Positions: what the miners and the check take.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

/// `threefold positions`
#[derive(Debug, Subcommand)]
pub enum PositionsCommand {
    /// Mine repetition traps from tables made on the spot.
    Traps(TrapArgs),
    /// Mine mates with a proven distance.
    Mates(MateArgs),
    /// Mine mates that only an underpromotion gives.
    Underpromotions(UnderpromotionArgs),
    /// Mine draws to hold and losses to last in.
    Defences(DefenceArgs),
    /// Mine moves to find, with points.
    BestMoves(BestMoveArgs),
    /// Write down what an engine spends on positions at a fixed depth.
    Signature(SignatureArgs),
    /// Make balanced openings.
    Openings(OpeningArgs),
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

/// `threefold positions defences`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions defences --seed 7 --each 50 --out defences.epd")]
pub struct DefenceArgs {
    /// Draws, and as many losses
    #[arg(long, value_name = "N", default_value = "60")]
    pub each: NonZeroUsize,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions best-moves`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions best-moves --seed 7 --count 50 --out best-moves.epd")]
pub struct BestMoveArgs {
    /// How many
    #[arg(long, value_name = "N", default_value = "120")]
    pub count: NonZeroUsize,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions signature`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold positions signature --engine ./mine --positions positions/openings.epd \\\n    \
    --every 20 --depth 8 --out mine.epd\n  threefold suite --positions mine.epd --kind signature --engine ./mine"
)]
pub struct SignatureArgs {
    /// The engine
    #[arg(long, value_name = "SPEC")]
    pub engine: String,
    /// EPD or FEN, a position a line
    #[arg(long, value_name = "FILE")]
    pub positions: PathBuf,
    /// Take every so-manieth position
    #[arg(long, value_name = "N", default_value = "1")]
    pub every: NonZeroUsize,
    /// How deep, in plies
    #[arg(long, value_name = "N", default_value = "8", value_parser = value_parser!(u16).range(1..))]
    pub depth: u16,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
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
