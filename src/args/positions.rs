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
    /// Take draws by perpetual check, proven from both sides, out of a file of traps.
    Perpetuals(PerpetualArgs),
    /// Mine won endings to be converted.
    Conversions(ConversionArgs),
    /// Mine draws and losses to be defended.
    Defences(DefenceArgs),
    /// Mine moves that the rules make a draw, and moves that only look like it.
    Rules(RuleArgs),
    /// Mine moves to find, with points.
    BestMoves(BestMoveArgs),
    /// Write down what an engine spends on positions at a fixed depth.
    Signature(SignatureArgs),
    /// Make balanced openings.
    Openings(OpeningArgs),
    /// Mine traps of the middlegame from Echo's games, judged by deep searches.
    Judged(JudgedArgs),
    /// Prove shipped positions again.
    Check(CheckArgs),
    /// Prove a position's distance to mate.
    Prove(ProveArgs),
    /// Verify written proofs by the rules alone.
    VerifyProof(VerifyProofArgs),
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
    /// Replace the file if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// Where finished tables are.
#[derive(Debug, Args)]
pub struct Finished {
    /// A folder of finished tables, as `threefold tablebase build` makes them; what is not there is made
    #[arg(long, value_name = "DIR")]
    pub tables: Option<PathBuf>,
}

/// `threefold positions traps`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions traps --seed 7 --per-class 20 --out traps.csv")]
pub struct TrapArgs {
    /// Traps of each class
    #[arg(long, value_name = "N", default_value = "80")]
    pub per_class: NonZeroUsize,
    /// Finished tables
    #[command(flatten)]
    pub shelf: Finished,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions mates`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold positions mates --seed 7 --longest 5 --each 10 --out mates.epd"
)]
pub struct MateArgs {
    /// The longest mate, in moves
    #[arg(long, value_name = "MOVES", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=40))]
    pub longest: u16,
    /// Mates of each distance, for the side that mates and for the side that is mated
    #[arg(long, value_name = "N", default_value = "25")]
    pub each: NonZeroUsize,
    /// Finished tables
    #[command(flatten)]
    pub shelf: Finished,
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
    /// Finished tables
    #[command(flatten)]
    pub shelf: Finished,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions perpetuals`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions perpetuals --traps traps.csv --out perpetuals.csv")]
pub struct PerpetualArgs {
    /// The traps, as `threefold positions traps` makes them
    #[arg(long, value_name = "FILE", default_value = "positions/traps.csv")]
    pub traps: PathBuf,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// `threefold positions conversions`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold positions conversions --seed 7 --count 50 --out conversions.epd"
)]
pub struct ConversionArgs {
    /// How many
    #[arg(long, value_name = "N", default_value = "200")]
    pub count: NonZeroUsize,
    /// Finished tables
    #[command(flatten)]
    pub shelf: Finished,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions defences`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions defences --seed 7 --count 50 --out defences.epd")]
pub struct DefenceArgs {
    /// How many: three draws to two losses
    #[arg(long, value_name = "N", default_value = "100")]
    pub count: NonZeroUsize,
    /// Finished tables
    #[command(flatten)]
    pub shelf: Finished,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions rules`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions rules --seed 7 --per-class 5 --out rules.csv")]
pub struct RuleArgs {
    /// How many of each class
    #[arg(long, value_name = "N", default_value = "12")]
    pub per_class: NonZeroUsize,
    /// Finished tables
    #[command(flatten)]
    pub shelf: Finished,
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
    /// Finished tables
    #[command(flatten)]
    pub shelf: Finished,
}

/// `threefold positions signature`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold positions signature --engine ./mine --positions balanced \\\n    \
    --every 20 --depth 8 --out mine.epd\n  threefold suite --positions mine.epd --kind signature --engine ./mine"
)]
pub struct SignatureArgs {
    /// The engine
    #[arg(long, value_name = "SPEC")]
    pub engine: String,
    /// EPD or FEN, a position a line, or the name of built-in positions; may be given again
    #[arg(long, value_name = "FILE|NAME", required = true)]
    pub positions: Vec<PathBuf>,
    /// Take every so-manieth position of each file
    #[arg(long, value_name = "N", default_value = "1")]
    pub every: NonZeroUsize,
    /// How deep, in plies
    #[arg(long, value_name = "N", default_value = "8", value_parser = value_parser!(u16).range(1..))]
    pub depth: u16,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the file if it is there already
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// `threefold positions openings`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions openings --seed 7 --count 100 --out openings.epd")]
pub struct OpeningArgs {
    /// How many
    #[arg(long, value_name = "N", default_value = "2000")]
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
    #[arg(long, value_name = "N", default_value = "16")]
    pub count: NonZeroUsize,
    /// Seed and place
    #[command(flatten)]
    pub mined: Mined,
}

/// `threefold positions check`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold positions check\n  threefold positions check mates my.epd")]
pub struct CheckArgs {
    /// Files of positions, or names of built-in ones [default: all that are built in]
    #[arg(value_name = "FILE|NAME")]
    pub files: Vec<PathBuf>,
    /// Finished tables
    #[command(flatten)]
    pub shelf: Finished,
}

/// `threefold positions prove`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  threefold positions prove '6k1/pr3pb1/2p3n1/4P1R1/2p1p3/4B3/r7/2Kb4 b - - 0 1' --proof mate.proof
  threefold positions verify-proof mate.proof

A mate that is longer than `--within` is not looked for: that there is none so soon is proven as well.
Counters and what happened before are not looked at.")]
pub struct ProveArgs {
    /// The position, in FEN
    #[arg(value_name = "FEN")]
    pub fen: String,
    /// The longest mate to look for, in moves
    #[arg(long, value_name = "MOVES", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=30))]
    pub within: u16,
    /// Positions to look at before giving up
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub nodes: u64,
    /// Write a proof here that `verify-proof` checks without any search
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Replace the proof if it is there already
    #[arg(long, requires = "proof")]
    pub force: bool,
}

/// `threefold positions verify-proof`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  threefold positions verify-proof mate.proof")]
pub struct VerifyProofArgs {
    /// Proofs that `threefold positions prove` wrote
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}
