//! Arguments of the commands that look back at runs: `explain`, `bundle` and `history`.

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
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
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

/// `threefold history`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold history runs\n  threefold history --git .threefold/baseline --csv\n\n\
    Changes are reported if p < 0.05 after Bonferroni's correction: McNemar's exact test for the cases of consecutive runs, \
    and Pettitt's test for the speed of `bench` on one machine."
)]
pub struct HistoryArgs {
    /// Journals, baselines (folders with cases.csv), or folders that have them at any depth
    #[arg(value_name = "PATH", required_unless_present = "git")]
    pub paths: Vec<PathBuf>,
    /// Add all versions of the baseline in this folder from the git history of the current folder
    #[arg(long, value_name = "DIR")]
    pub git: Option<PathBuf>,
    /// Use only journals of the engine with this name, and no baselines; needed if the journals have several engines
    #[arg(long, value_name = "NAME")]
    pub engine: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print CSV, a row for each suite of each run
    #[arg(long)]
    pub csv: bool,
}
