//! Tablebases: what making, probing and verifying them take.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

use threefold_oracle::Material;

/// `threefold tablebase`
#[derive(Debug, Subcommand)]
pub enum TablebaseCommand {
    /// Make tables of distances to mate and write them to files.
    Build(BuildArgs),
    /// Look positions up: a line of JSON for each.
    Probe(ProbeArgs),
    /// Hold tables against the rules, against known facts, and against Syzygy's.
    Verify(VerifyArgs),
}

/// Where tables lie.
#[derive(Debug, Args)]
pub struct Shelf {
    /// The folder of the tables' files
    #[arg(long, value_name = "DIR", default_value = "tablebases")]
    pub dir: PathBuf,
}

/// `threefold tablebase build`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold tablebase build --men 4    # all endings of three and four men\n  \
    threefold tablebase build KRPKR KQPKQ"
)]
pub struct BuildArgs {
    /// Endings, such as KRPKR; what they lead to by captures and promotions is made too
    #[arg(value_name = "MATERIAL", required_unless_present = "men")]
    pub materials: Vec<Material>,
    /// All endings of up to so many men, kings included
    #[arg(long, value_name = "3|4", value_parser = value_parser!(u8).range(3..=4))]
    pub men: Option<u8>,
    /// Where
    #[command(flatten)]
    pub shelf: Shelf,
    /// Threads [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// `threefold tablebase probe`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold tablebase probe \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"\n\n\
    `dtm` is in moves: positive, the side to move mates; negative or 0, it is mated; null, a draw.")]
pub struct ProbeArgs {
    /// Positions, each in quotes
    #[arg(value_name = "FEN", required_unless_present = "epd")]
    pub fens: Vec<String>,
    /// A file of positions in EPD or FEN, one a line
    #[arg(long, value_name = "FILE", conflicts_with = "fens")]
    pub epd: Option<PathBuf>,
    /// Where
    #[command(flatten)]
    pub shelf: Shelf,
}

/// `threefold tablebase verify`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold tablebase verify\n  threefold tablebase verify KRPKR --syzygy ~/syzygy"
)]
pub struct VerifyArgs {
    /// Endings [default: every table in the folder]
    #[arg(value_name = "MATERIAL")]
    pub materials: Vec<Material>,
    /// Where
    #[command(flatten)]
    pub shelf: Shelf,
    /// A folder of Syzygy tables (.rtbw) to compare every result with
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<PathBuf>,
    /// Threads [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}
