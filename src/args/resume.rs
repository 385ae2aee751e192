//! Arguments of `threefold resume`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::{RunOptions, number_of_games};
use threefold_run::FaultLimit;
use threefold_run::regress::time_budget;

/// `threefold resume`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  threefold resume runs/sprt-1.sqlite\n  \
    threefold resume runs/match-1.sqlite --games 400    # of a finished match of 200 games\n\n\
    The run continues in the folder where it was started, with the same engines, --jobs, --startup and --search-timeout.\n\n\
    A journal names programs to start and files to write; the command lists both first. Treat a journal like a script: \
    resume only what you would run. A journal from another machine or user needs --trust.")]
pub struct ResumeArgs {
    /// Journal of the run
    #[arg(value_name = "RUN.sqlite")]
    pub run: PathBuf,
    /// Write the results to this folder, instead of where the first command put them
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue even if an engine's program has changed; reports list which build played which games
    #[arg(long)]
    pub allow_changed_engine: bool,
    /// Accept a journal from another machine or user, or one that does not name its owner
    #[arg(long)]
    pub trust: bool,
    /// Maximum number of engine faults, or share such as 2%, instead of that of the first command; a run that was stopped
    /// by faults can continue this way
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// New total number of games of a match, or of a test without a decision; must be larger than before
    #[arg(long, value_name = "N", value_parser = number_of_games, allow_negative_numbers = true)]
    pub games: Option<usize>,
    /// New total time of a test that ended undecided by its --budget; must be longer than before
    #[arg(long, value_name = "TIME", value_parser = time_budget::parse)]
    pub budget: Option<Duration>,
    /// Match or test that --games and --budget apply to, if the run has several
    #[arg(long, value_name = "NAME")]
    pub part: Option<String>,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}
