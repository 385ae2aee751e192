//! Options that choose cases of suites.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::from_one;
use threefold_suites::CaseFilter;

/// Which cases of suites run. All conditions apply together.
#[derive(Debug, Args)]
pub struct CaseChoice {
    /// Run only the case with this id; exit code 1 if it does not pass
    #[arg(
        long,
        value_name = "ID",
        conflicts_with_all = ["filter", "last_failed", "only_new", "stop_after", "per_class", "positions"]
    )]
    pub case: Option<String>,
    /// Run only the cases that match: words with `and`, `or`, `not` and parentheses. A word matches a part of
    /// the suite's name, the class or the id
    #[arg(short = 'k', long, value_name = "EXPR")]
    pub filter: Option<CaseFilter>,
    /// Run only the cases that did not pass in the last run of these suites, or of any if none is named, with
    /// the same engines
    #[arg(long)]
    pub last_failed: bool,
    /// Run only the cases that the baseline does not have
    #[arg(long)]
    pub only_new: bool,
    /// Baseline for --only-new [default: `.threefold/baseline` in this folder or a parent inside the git
    /// repository]
    #[arg(long, value_name = "DIR", requires = "only_new")]
    pub baseline: Option<PathBuf>,
    /// Stop the run with exit code 1 once N cases did not pass, over all suites
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroUsize>)]
    pub stop_after: Option<NonZeroUsize>,
}
