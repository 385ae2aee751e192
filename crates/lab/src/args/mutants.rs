//! Arguments of `threefold-lab mutants`.

use std::path::PathBuf;

use clap::Args;

use threefold::args::RunOptions;
use threefold_echo::mutants::Mutant;
use threefold_player::BorderFault;

/// `threefold-lab mutants`
#[derive(Debug, Args)]
#[command(after_help = "Examples (cargo run --release -p threefold-lab --features mutants -- …):\n  \
    threefold-lab mutants\n  threefold-lab mutants --mutant OnlyQueens --fault PvIllegal --json\n  \
    threefold-lab mutants --foreign stockfish --foreign-only\n\n\
    Each bug is tested by the suite that should catch it, then by the other suites of the plan. The search for a catch ends at \
    the first case that fails only with the bug and names a cause. Suites of the kinds signature and determinism only \
    show that something changed. Exit code 1: a bug is not caught, or only by such a suite.")]
pub struct MutantsArgs {
    /// Bug of Echo's search to test; may be repeated [default: all, unless --fault is given]
    #[arg(long = "mutant", value_name = "NAME", conflicts_with = "foreign_only")]
    pub mutants: Vec<Mutant>,
    /// Fault of the UCI interface to test; may be repeated [default: all, unless --mutant is given]
    #[arg(long = "fault", value_name = "NAME")]
    pub faults: Vec<BorderFault>,
    /// Plan with the suites to run
    #[arg(long, value_name = "FILE", default_value = "builtin:mutants")]
    pub plan: PathBuf,
    /// Also inject interface faults into this engine; it needs `go perft`, `UCI_Elo` and `nodestime`, like
    /// Stockfish
    #[arg(long, value_name = "SPEC")]
    pub foreign: Option<String>,
    /// Test only the foreign engine, not Echo
    #[arg(long, requires = "foreign")]
    pub foreign_only: bool,
    /// Plan with the suites for the foreign engine
    #[arg(long, value_name = "FILE", default_value = "builtin:mutants-foreign", requires = "foreign")]
    pub foreign_plan: PathBuf,
    /// Print one JSON object for each bug: `engine`, `fault`, `suite`, `case`, `cause`, `reason`, `is_named`,
    /// `seconds`
    #[arg(long)]
    pub json: bool,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}
