//! The commands, one per file, and their table.

pub mod bench_runner;
pub mod commit_pairs;
#[cfg(test)]
mod documentation_tests;
pub mod fleet_simulation;
#[cfg(test)]
#[path = "../../../../src/commands/help_page_tests.rs"]
mod help_page_tests;
pub mod instant_engine;
pub mod mutants;
pub mod positions;
#[cfg(test)]
mod reference_tests;
pub mod strength_curve;
pub mod study;
pub mod survey;
pub mod tune;
pub mod verify_statistics;
mod verify_takes;

use clap::Parser;

use self::positions::PositionsCommand;
use self::study::StudyCommand;
use self::tune::TuneCommand;
use crate::args::{
    BenchRunnerArgs, FleetSimulationArgs, InstantEngineArgs, MutantsArgs, OrdinaryCommitsArgs, RealBugsArgs,
    RegressionRulesArgs, StrengthCurveArgs, SurveyArgs, VerifyStatisticsArgs,
};
use crate::report_sets;
use threefold::command_table;
use threefold::commands::report::{self, ReportArgs};
use threefold::commands::resume::{self, ResumeArgs};
use threefold::exit::Exit;

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

command_table! {
    /// The commands.
    pub enum Command {
        /// Play Echo against variants of itself to measure the Elo of a feature.
        #[command(subcommand)]
        Study(StudyCommand) => StudyCommand::run, run options: subcommand;
        /// Tune the weights of Echo's evaluation on games against itself.
        #[command(subcommand)]
        Tune(TuneCommand) => TuneCommand::run, run options: subcommand;
        /// Measure Echo's strength levels and write the curve that the next build uses.
        StrengthCurve(StrengthCurveArgs) => strength_curve::run, run options: calibrate.run_options;
        /// Check that the suites catch every seeded bug (mutation testing).
        Mutants(MutantsArgs) => mutants::run, run options: run_options;
        /// Measure how many bugs of other engines the plan of `init` finds: pairs of a fix and its parent.
        RealBugs(RealBugsArgs) => commit_pairs::real_bugs;
        /// Measure how many accepted patches of other engines the plan of `init` lets through.
        OrdinaryCommits(OrdinaryCommitsArgs) => commit_pairs::ordinary_commits;
        /// Apply other rules for lost cases to the runs of both experiments: false alarms and red parents.
        RegressionRules(RegressionRulesArgs) => commit_pairs::regression_rules;
        /// Run the plan of `init` twice for each engine of a list, and write a page of each.
        Survey(SurveyArgs) => survey::run;
        /// Generate the positions of suites from a seed, with their proofs.
        #[command(subcommand, after_help = "Example:\n  threefold-lab positions traps --seed 1 --per-class 80 --out positions/traps.csv")]
        Positions(PositionsCommand) => PositionsCommand::run, run options: subcommand;
        /// Simulate a fleet of many workers.
        FleetSimulation(FleetSimulationArgs) => fleet_simulation::run;
        /// Verify the statistics: exact error rates of small tests, simulated error rates, and coverage of
        /// intervals.
        VerifyStatistics(VerifyStatisticsArgs) => verify_statistics::run;
        /// Measure what match runners cost: moves per second, CPU time and delays.
        BenchRunner(BenchRunnerArgs) => bench_runner::run;
        /// Run a UCI engine that plays a random legal move at once, to measure match runners.
        InstantEngine(InstantEngineArgs) => instant_engine::run;
        /// Continue a study that was interrupted or killed.
        Resume(ResumeArgs) => resume, run options: run_options;
        /// Write the reports of a study from its journal.
        Report(ReportArgs) => report;
    }
}

fn resume(args: &ResumeArgs) -> anyhow::Result<Exit> {
    resume::run_with(args, &report_sets::registry())
}

fn report(args: &ReportArgs) -> anyhow::Result<Exit> {
    report::run_with(args, &report_sets::registry())
}
