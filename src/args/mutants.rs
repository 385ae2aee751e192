//! Mutants: the suites put to the proof.

use std::path::PathBuf;

use clap::Args;

use super::Carrying;
use crate::built_in;
use threefold_echo::mutants::Mutant;

/// `threefold mutants`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples, with a build that has the bugs (cargo build --release --features mutants):\n  \
    threefold mutants\n  threefold mutants --mutant OnlyQueens --mutant PvIllegal --json\n\n\
    Each mutant is asked the plan's suites one after the other, until a case turns out worse than with Echo as it \
    is. Exit code 1: a mutant got through."
)]
pub struct MutantsArgs {
    /// Only this mutant; may be given again [default: every mutant]
    #[arg(long = "mutant", value_name = "NAME")]
    pub mutants: Vec<Mutant>,
    /// The plan whose suites are asked
    #[arg(long, value_name = "FILE", default_value = built_in::PLAN)]
    pub plan: PathBuf,
    /// Print one JSON object for each mutant: `mutant`, `caught_by`, `cases`, `seconds`
    #[arg(long)]
    pub json: bool,
    /// How it is carried out
    #[command(flatten)]
    pub carrying: Carrying,
}
