//! Mutants: the suites put to the proof.

use std::path::PathBuf;

use clap::Args;

use super::Carrying;
use crate::echo::mutants::Mutant;
use crate::player::BorderFault;

/// `threefold mutants`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples (cargo build --release --features mutants has Echo's seeded bugs, too):\n  \
    threefold mutants\n  threefold mutants --mutant OnlyQueens --fault PvIllegal --json\n  \
    threefold mutants --foreign stockfish\n\n\
    Each bug is put to the plan's suites one after the other, until a case turns out worse than without the bug. \
    Suites of the kinds signature and determinism only say that something changed, so they do not end the hunt. \
    Exit code 1: a bug got through, or nothing but such a suite catches it."
)]
pub struct MutantsArgs {
    /// Only this seeded bug of Echo; may be given again [default: every one of the build]
    #[arg(long = "mutant", value_name = "NAME")]
    pub mutants: Vec<Mutant>,
    /// Only this fault of the interface; may be given again [default: every one]
    #[arg(long = "fault", value_name = "NAME")]
    pub faults: Vec<BorderFault>,
    /// The plan whose suites are asked
    #[arg(long, value_name = "FILE", default_value = "suites/mutants.toml")]
    pub plan: PathBuf,
    /// Sabotage this engine, too, by every fault of the interface
    #[arg(long, value_name = "SPEC")]
    pub foreign: Option<String>,
    /// The plan whose suites the foreign engine is asked
    #[arg(long, value_name = "FILE", default_value = "suites/mutants-foreign.toml", requires = "foreign")]
    pub foreign_plan: PathBuf,
    /// Print one JSON object for each bug: `engine`, `fault`, `suite`, `case`, `cause`, `cases`, `only_identity`,
    /// `seconds`
    #[arg(long)]
    pub json: bool,
    /// How it is carried out
    #[command(flatten)]
    pub carrying: Carrying,
}
