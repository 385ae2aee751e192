//! Mutants: the suites put to the proof.

use std::path::PathBuf;

use clap::Args;

use threefold::args::Carrying;
use threefold_echo::mutants::Mutant;
use threefold_harness::player::BorderFault;

/// `threefold-lab mutants`
#[derive(Debug, Args)]
#[command(after_help = "Examples (cargo run --release -p threefold-lab --features mutants -- …):\n  \
    threefold-lab mutants\n  threefold-lab mutants --mutant OnlyQueens --fault PvIllegal --json\n  \
    threefold-lab mutants --foreign stockfish --foreign-only\n\n\
    Each bug is put to the suite that is to catch it, then to the plan's other suites, up to the first case that turns \
    out worse than without the bug and says what is wrong. Suites of the kinds signature and determinism only say that \
    something changed. Exit code 1: a bug got through, or nothing but such a suite catches it.")]
pub struct MutantsArgs {
    /// Only this bug of Echo's search; may be given again [default: every one, unless --fault is given]
    #[arg(long = "mutant", value_name = "NAME", conflicts_with = "foreign_only")]
    pub mutants: Vec<Mutant>,
    /// Only this fault of the interface; may be given again [default: every one, unless --mutant is given]
    #[arg(long = "fault", value_name = "NAME")]
    pub faults: Vec<BorderFault>,
    /// The plan whose suites are asked
    #[arg(long, value_name = "FILE", default_value = "builtin:mutants")]
    pub plan: PathBuf,
    /// Put faults into the interface of this engine, too; it needs `go perft`, `UCI_Elo` and `nodestime`, as Stockfish
    /// has them
    #[arg(long, value_name = "SPEC")]
    pub foreign: Option<String>,
    /// Leave Echo out
    #[arg(long, requires = "foreign")]
    pub foreign_only: bool,
    /// The plan whose suites the foreign engine is asked
    #[arg(long, value_name = "FILE", default_value = "builtin:mutants-foreign", requires = "foreign")]
    pub foreign_plan: PathBuf,
    /// Print one JSON object for each bug: `engine`, `fault`, `suite`, `case`, `cause`, `reason`, `is_named`, `seconds`
    #[arg(long)]
    pub json: bool,
    /// How it is carried out
    #[command(flatten)]
    pub carrying: Carrying,
}
