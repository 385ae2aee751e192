//! Command line of `threefold-lab`.

mod bench_runner;
#[cfg(test)]
mod documentation_tests;
mod fleet_simulation;
#[cfg(test)]
#[path = "../../../../src/commands/help_page_tests.rs"]
mod help_page_tests;
mod mutants;
mod positions;
#[cfg(test)]
mod reference_tests;
mod strength_curve;
mod study;
mod tune;
mod verify_statistics;

use clap::{Parser, Subcommand};

use threefold::args::RunOptions;
use threefold::commands::report::ReportArgs;
use threefold::commands::resume::ResumeArgs;

pub use bench_runner::{BenchRunnerArgs, InstantEngineArgs};
pub use fleet_simulation::FleetSimulationArgs;
pub use mutants::MutantsArgs;
pub use positions::{
    AnecdoteArgs, BestMoveArgs, ConversionArgs, DefenceArgs, FiftyArgs, MateArgs, MiddlegameArgs,
    PerpetualArgs, PerpetualBonusArgs, PositionsCommand, RuleArgs, TrapArgs, UnderpromotionArgs,
};
pub use strength_curve::StrengthCurveArgs;
pub use study::{AblationArgs, DawdlingArgs, OpenFlagArgs, RepetitionArgs, StudyCommand, TimeArgs};
pub use tune::{TuneCommand, TuneFitArgs, TuneGamesArgs};
pub use verify_statistics::VerifyStatisticsArgs;

/// Measures and tunes Echo: studies of search features, evaluation tuning, strength calibration and mutants
#[derive(Debug, Parser)]
#[command(
    version = threefold::VERSION,
    after_help = "Exit codes are those of `threefold`. Some commands need a build with `--features lab` (a switch for each feature of \
    Echo's search) or `--features mutants` (seeded bugs). Without it they stop with a message."
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play Echo against variants of itself to measure the Elo of a feature.
    #[command(subcommand)]
    Study(StudyCommand),
    /// Tune the weights of Echo's evaluation on games against itself.
    #[command(subcommand)]
    Tune(TuneCommand),
    /// Measure Echo's strength levels and write the curve that the next build uses.
    StrengthCurve(StrengthCurveArgs),
    /// Check that the suites catch every seeded bug (mutation testing).
    Mutants(MutantsArgs),
    /// Generate the positions of suites from a seed, with their proofs.
    #[command(
        subcommand,
        after_help = "Example:\n  threefold-lab positions traps --seed 1 --per-class 80 --out positions/traps.csv"
    )]
    Positions(PositionsCommand),
    /// Simulate a fleet of many workers.
    FleetSimulation(FleetSimulationArgs),
    /// Verify the statistics: exact error rates of small tests, simulated error rates, and coverage of intervals.
    VerifyStatistics(VerifyStatisticsArgs),
    /// Measure what match runners cost: moves per second, CPU time and delays.
    BenchRunner(BenchRunnerArgs),
    /// Run a UCI engine that plays a random legal move at once, to measure match runners.
    InstantEngine(InstantEngineArgs),
    /// Continue a study that was interrupted or killed.
    Resume(ResumeArgs),
    /// Write the reports of a study from its journal.
    Report(ReportArgs),
}

impl Command {
    /// Run options of the command; `None` for commands without a run.
    pub const fn run_options(&self) -> Option<&RunOptions> {
        match self {
            Self::Study(StudyCommand::Ablation(args)) => Some(&args.game.run_options),
            Self::Study(StudyCommand::Repetition(args)) => Some(&args.game.run_options),
            Self::Study(StudyCommand::Time(args)) => Some(&args.game.run_options),
            Self::Study(StudyCommand::Dawdling(args)) => Some(&args.run_options),
            Self::Study(StudyCommand::OpenFlag(args)) => Some(&args.run_options),
            Self::Mutants(args) => Some(&args.run_options),
            Self::StrengthCurve(args) => Some(&args.calibrate.run_options),
            Self::Resume(args) => Some(&args.run_options),
            Self::Tune(_)
            | Self::Positions(_)
            | Self::VerifyStatistics(_)
            | Self::FleetSimulation(_)
            | Self::BenchRunner(_)
            | Self::InstantEngine(_)
            | Self::Report(_) => None,
        }
    }
}
