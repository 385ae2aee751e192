//! Arguments of `tablebase build`, `probe` and `verify`.

use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

use super::Jobs;
use threefold_oracle::Material;

/// `threefold tablebase`
#[derive(Debug, Subcommand)]
pub enum TablebaseCommand {
    /// Build distance-to-mate tables and write them to files.
    Build(BuildArgs),
    /// Look up positions; print one JSON object for each.
    Probe(ProbeArgs),
    /// Check tables against the rules, against published statistics, and against Syzygy tables.
    Verify(VerifyArgs),
}

/// Folder of the tables.
#[derive(Debug, Args)]
pub struct TableFolder {
    /// Folder of the table files
    #[arg(long, value_name = "DIR", default_value = "tablebases")]
    pub dir: PathBuf,
}

/// `threefold tablebase build`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold tablebase build --pieces 4    # all endings with three and four pieces\n  \
    threefold tablebase build KRPKR KQPKQ"
)]
pub struct BuildArgs {
    /// Endings such as KRPKR; endings reached by captures and promotions are built too
    #[arg(value_name = "MATERIAL", required_unless_present = "pieces")]
    pub materials: Vec<Material>,
    /// Build all endings with up to this many pieces, kings included
    #[arg(long, value_name = "3|4", value_parser = value_parser!(u8).range(3..=4))]
    pub pieces: Option<u8>,
    /// Folder
    #[command(flatten)]
    pub folder: TableFolder,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}

/// `threefold tablebase probe`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold tablebase probe \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"\n\n\
    `dtm` is the distance to mate in moves. Positive: the side to move mates. Negative or 0: it is mated. null: a draw.")]
pub struct ProbeArgs {
    /// Positions, each in quotation marks
    #[arg(value_name = "FEN", required_unless_present = "epd")]
    pub fens: Vec<String>,
    /// File of positions in EPD or FEN, one per line
    #[arg(long, value_name = "FILE", conflicts_with = "fens")]
    pub epd: Option<PathBuf>,
    /// Folder
    #[command(flatten)]
    pub folder: TableFolder,
}

/// `threefold tablebase verify`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold tablebase verify\n  threefold tablebase verify KRPKR --syzygy ~/syzygy"
)]
pub struct VerifyArgs {
    /// Endings to verify [default: every table in the folder]
    #[arg(value_name = "MATERIAL")]
    pub materials: Vec<Material>,
    /// Folder
    #[command(flatten)]
    pub folder: TableFolder,
    /// Folder of Syzygy tables (.rtbw) to compare every result with
    #[arg(long, value_name = "DIR")]
    pub syzygy: Option<PathBuf>,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}
