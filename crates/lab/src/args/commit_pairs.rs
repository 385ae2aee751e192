//! Arguments of `threefold-lab real-bugs`, `ordinary-commits` and `regression-rules`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use threefold::args::{from_one, seconds};

/// `threefold-lab real-bugs`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold-lab real-bugs bugs.csv --programs built --out reports/real-bugs\n  \
    threefold-lab real-bugs built --only a-1,b-2 --suites mate,rule\n  \
    threefold-lab real-bugs bugs.csv -- --jobs 1\n\n\
    A LIST is CSV with the columns id, repository, parent, fix, kind, bug and rare; only id is required. The programs are \
    ID/fix/engine and ID/parent/engine in the folder of --programs, or the columns fix_program and parent_program. A red parent \
    counts as found, except for suite bench alone, or where the column `shows` is no."
)]
pub struct RealBugsArgs {
    #[command(flatten)]
    pub pairs: CommitPairsArgs,
}

/// `threefold-lab ordinary-commits`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold-lab ordinary-commits patches.csv --programs built\n\n\
    A LIST is CSV with the columns id, repository, base, patch, subject, base_bench and bench; only id is required. The \
    programs are ID/base/engine and ID/patch/engine in the folder of --programs, or the columns base_program and \
    patch_program. With a bench count, the message of the commit has the line `Bench: N`.")]
pub struct OrdinaryCommitsArgs {
    #[command(flatten)]
    pub pairs: CommitPairsArgs,
}

/// `threefold-lab regression-rules`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab regression-rules --bugs reports/real-bugs --patches reports/ordinary-commits\n\n\
    Each pair that was compared and whose first program is green counts. A parent that is red for another reason than its bug is \
    left out, and suite bench decides nothing about parents."
)]
pub struct RegressionRulesArgs {
    /// Folder of the results of `real-bugs`, with its pairs.csv
    #[arg(long, value_name = "FOLDER")]
    pub bugs: PathBuf,
    /// Folder of the results of `ordinary-commits`, with its pairs.csv
    #[arg(long, value_name = "FOLDER")]
    pub patches: PathBuf,
    /// Folder for rules.md and rules.csv
    #[arg(long, value_name = "FOLDER", default_value = "reports/regression-rules")]
    pub out: PathBuf,
}

/// The arguments that `real-bugs` and `ordinary-commits` share.
#[derive(Debug, Args)]
pub struct CommitPairsArgs {
    /// CSV file of the pairs, or a folder with a subfolder for each pair
    #[arg(value_name = "LIST|FOLDER")]
    pub list: PathBuf,
    /// Folder of the programs [default: the folder of LIST]
    #[arg(long, value_name = "FOLDER")]
    pub programs: Option<PathBuf>,
    /// Measure only these pairs
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Write the tables of what was measured, and measure nothing
    #[arg(long)]
    pub tables_only: bool,
    /// CSV file of judgements: id, shows (yes or no) and why; it takes precedence over these columns of LIST
    #[arg(long, value_name = "FILE")]
    pub judgements: Option<PathBuf>,
    /// Folder for the results; pairs that it has are not measured again [default: reports/real-bugs or
    /// reports/ordinary-commits]
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Program to measure [default: `threefold` in the folder of this program]
    #[arg(long, value_name = "PROGRAM")]
    pub threefold: Option<PathBuf>,
    /// Keep only these suites of the plan that `init` writes [default: all]
    #[arg(long, value_name = "SUITE", value_delimiter = ',')]
    pub suites: Vec<String>,
    /// Time limit of each step, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "900", value_parser = seconds)]
    pub step_limit: Duration,
    /// Number of pairs to measure at the same time
    #[arg(short = 'j', long = "jobs", value_name = "N", default_value = "1", value_parser = from_one::<NonZeroUsize>)]
    pub jobs: NonZeroUsize,
    /// Also run this fastchess: its check of the protocol, and games of the pair with a search for warnings
    #[arg(long, value_name = "FASTCHESS")]
    pub peers: Option<PathBuf>,
    /// Number of games that fastchess plays for each pair; 0 for the check of the protocol alone
    #[arg(long, value_name = "N", default_value_t = 200, requires = "peers")]
    pub peer_games: u32,
    /// More options of `regress`
    #[arg(last = true, value_name = "OPTION")]
    pub regress_options: Vec<String>,
}
