//! Arguments of `threefold-lab survey`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use threefold::args::seconds;

/// `threefold-lab survey`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab survey engines.csv --programs built --pages docs/src/research\n\n\
    A LIST is CSV with the columns id, source, commit and program. An empty program is ID/engine in the folder of --programs. Each \
    engine is set up by `init`, and its plan runs twice. An engine that has both runs is not run again."
)]
pub struct SurveyArgs {
    /// CSV file of the engines
    #[arg(value_name = "LIST")]
    pub list: PathBuf,
    /// Folder of the programs that LIST does not name [default: the folder of LIST]
    #[arg(long, value_name = "FOLDER")]
    pub programs: Option<PathBuf>,
    /// Folder for the runs
    #[arg(long, value_name = "FOLDER", default_value = "reports/survey")]
    pub out: PathBuf,
    /// Folder for the table, survey-table.md, and its subfolder survey with a page for each engine [default: the folder of the runs]
    #[arg(long, value_name = "FOLDER")]
    pub pages: Option<PathBuf>,
    /// Write the pages of the engines that were run, and run nothing
    #[arg(long)]
    pub tables_only: bool,
    /// Program that runs the suites [default: `threefold` in the folder of this program]
    #[arg(long, value_name = "PROGRAM")]
    pub threefold: Option<PathBuf>,
    /// Time limit of each run, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1800", value_parser = seconds)]
    pub step_limit: Duration,
}
