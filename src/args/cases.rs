//! Arguments of the commands about one case: `explain` and `bundle`.

use std::path::PathBuf;

use clap::Args;

/// `threefold explain`
#[derive(Debug, Args)]
#[command(
    allow_missing_positional = true,
    after_help = "Examples:\n  threefold explain runs/suite-1.sqlite repetition/only-win-repeats.KNPK.001\n  \
    threefold explain --suite repetition only-win-repeats.KNPK.001"
)]
pub struct ExplainArgs {
    /// Journal of a run that has the case
    #[arg(value_name = "RUN.sqlite", required_unless_present = "suite", conflicts_with = "suite")]
    pub run: Option<PathBuf>,
    /// Case: its id, or SUITE/ID
    #[arg(value_name = "CASE")]
    pub case: String,
    /// Suite of the case, without a run: a file, or the name of a built-in suite
    #[arg(long, value_name = "FILE|NAME")]
    pub suite: Option<PathBuf>,
}

/// `threefold bundle`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold bundle runs/suite-1.sqlite repetition/only-win-repeats.KNPK.001 --out case\n  \
    sh case/reproduce.sh    # runs the case again\n  threefold bundle runs/match-1.sqlite 'game 12' --out game-12"
)]
pub struct BundleArgs {
    /// Journal of the run
    #[arg(value_name = "RUN.sqlite")]
    pub run: PathBuf,
    /// Case: its id, or SUITE/ID; or a game: `game N`, or `PART/game N`
    #[arg(value_name = "CASE|GAME")]
    pub case: String,
    /// Folder to write to
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}
