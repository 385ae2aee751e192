//! Arguments of the `positions` commands.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

use super::{Jobs, from_one};

/// `threefold positions`
#[derive(Debug, Subcommand)]
pub enum PositionsCommand {
    /// Record an engine's node counts at a fixed depth.
    Signature(SignatureArgs),
    /// Generate balanced openings.
    Openings(OpeningArgs),
    /// Verify position files by endgame tables, exhaustive search and the rules.
    Check(CheckArgs),
    /// Prove the distance to mate of a position.
    Prove(ProveArgs),
    /// Verify proof files without any search.
    VerifyProof(VerifyProofArgs),
}

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

/// `threefold positions signature`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold positions signature --engine ./mine --positions balanced \\\n    \
    --every 20 --depth 8 --out mine.epd\n  threefold suite --positions mine.epd --kind signature --engine ./mine"
)]
pub struct SignatureArgs {
    /// Engine to record
    #[arg(long, value_name = "SPEC")]
    pub engine: String,
    /// File with one EPD or FEN per line, or the name of built-in positions; may be repeated
    #[arg(long, value_name = "FILE|NAME", required = true)]
    pub positions: Vec<PathBuf>,
    /// Use every Nth position of each file
    #[arg(long, value_name = "N", default_value = "1", value_parser = from_one::<NonZeroUsize>)]
    pub every: NonZeroUsize,
    /// Search depth, in plies
    #[arg(long, value_name = "N", default_value = "8", value_parser = value_parser!(u16).range(1..))]
    pub depth: u16,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
}

/// `threefold positions openings`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold positions openings --seed 7 --count 100 --out openings.epd")]
pub struct OpeningArgs {
    /// Number of positions
    #[arg(long, value_name = "N", default_value = "2000", value_parser = from_one::<NonZeroUsize>)]
    pub count: NonZeroUsize,
    /// Nodes that Echo searches to check that an opening is balanced
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub nodes: u64,
    /// Seed, output and threads
    #[command(flatten)]
    pub options: GeneratorOptions,
}

/// `threefold positions check`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold positions check\n  threefold positions check mates my.epd")]
pub struct CheckArgs {
    /// Position files, or names of built-in ones [default: all built-in files]
    #[arg(value_name = "FILE|NAME")]
    pub files: Vec<PathBuf>,
    /// Endgame tables
    #[command(flatten)]
    pub tables: TablesOption,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}

/// `threefold positions prove`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  threefold positions prove '6k1/pr3pb1/2p3n1/4P1R1/2p1p3/4B3/r7/2Kb4 b - - 0 1' --proof mate.proof
  threefold positions verify-proof mate.proof

If there is no mate within `--within` moves, the command proves that instead.
The move counters of the FEN are ignored.")]
pub struct ProveArgs {
    /// Position in FEN
    #[arg(value_name = "FEN")]
    pub fen: String,
    /// Longest mate to search for, in moves
    #[arg(long, value_name = "MOVES", default_value_t = 6, value_parser = clap::value_parser!(u16).range(0..=30))]
    pub within: u16,
    /// Maximum number of positions to search
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub nodes: u64,
    /// Write a proof to this file, for `verify-proof`
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Replace an existing proof file
    #[arg(long, requires = "proof")]
    pub force: bool,
}

/// `threefold positions verify-proof`
#[derive(Debug, Args)]
#[command(after_help = "Example:
  threefold positions verify-proof mate.proof")]
pub struct VerifyProofArgs {
    /// Proof files from `threefold positions prove`
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
}
