//! One command a file: its arguments with their help, and the function from them to an exit code.
//!
//! [`Command`] is the table of the commands. `threefold-lab` uses some of them, too.

pub mod bench;
pub mod bisect;
pub mod bundle;
pub mod calibrate;
pub mod completions;
pub mod diff;
pub mod doctor;
pub mod drop_in;
pub mod explain;
pub mod fleet;
pub mod games;
pub mod generator;
#[cfg(test)]
mod help_page_tests;
#[cfg(test)]
mod hint_tests;
pub mod history;
pub mod init;
pub mod man;
pub mod r#match;
pub mod merge;
pub mod perft;
pub mod plan;
pub mod positions;
pub mod queue;
pub mod rate;
#[cfg(test)]
mod reference_tests;
pub mod regress;
pub mod report;
pub mod resume;
pub mod sprt;
pub mod suite;
mod suite_cases;
pub mod suite_catalog;
mod table;
pub mod tablebase;
pub mod tune;
pub mod uci;
pub mod watch;
pub mod wdl;

use clap::Parser;

use crate::command_table;

/// Tests chess engines: regression suites, SPRT matches, rating lists and strength calibration
#[derive(Debug, Parser)]
#[command(
    version = crate::VERSION,
    after_help = "Exit codes:\n  0    success\n  1    a regression, a missed threshold, or an SPRT that accepted H0\n  2    wrong usage or unreadable input\n  \
    3    an engine cannot be started, or engine faults stopped the run\n  130  interrupted; `threefold resume` continues the run\n\n\
    An engine is written as SOURCE[,key=value]…, where SOURCE is `echo` (built in), a command, or an entry of a file:\n  \
    echo,RepetitionPolicy=HistoryDraw,Hash=16    ./stockfish,name=SF,Threads=1    @engines.toml#old"
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

command_table! {
    /// The commands.
    pub enum Command {
        /// Set up an engine's repository for `regress`: find the engine, write a plan, a baseline and a CI
        /// workflow.
        Init(init::InitArgs) => init::run;
        /// Run a regression test: suites, matches and a calibration, compared with a baseline.
        Regress(regress::RegressArgs) => regress::run, run options: run_options;
        /// Find the commit that lost cases of suites, or strength.
        Bisect(bisect::BisectArgs) => bisect::run, run options: run_options;
        /// Build at every change of the source, and run the short suites of the plan.
        Watch(watch::WatchArgs) => watch::run, run options: run_options;
        /// Run suites of test positions on engines.
        Suite(suite::SuiteArgs) => suite::run, run options: run_options;
        /// Play a match or a tournament.
        Match(r#match::MatchArgs) => r#match::run, run options: game.run_options;
        /// Play two engines against each other until a sequential test (SPRT) decides.
        Sprt(sprt::SprtArgs) => sprt::run, run options: game.run_options;
        /// Keep tests waiting for this machine, run them by priority, and show which can be merged.
        #[command(subcommand)]
        Queue(queue::QueueCommand) => queue::QueueCommand::run;
        /// Tune parameters of an engine by games against itself (SPSA).
        Tune(tune::TuneArgs) => tune::run, run options: game.run_options;
        /// Show where two versions of an engine choose different moves, and play from there.
        Diff(diff::DiffArgs) => diff::run, run options: run_options;
        /// Play games by a command line of fastchess, and print its lines.
        Fastchess(drop_in::PeerArgs) => drop_in::fastchess;
        /// Play games by a command line of cutechess-cli, and print its lines.
        #[command(after_help = drop_in::CUTECHESS_EXAMPLE)]
        CutechessCli(drop_in::PeerArgs) => drop_in::cutechess_cli;
        /// Estimate how many games an SPRT needs.
        Plan(plan::PlanArgs) => plan::run;
        /// Continue a run that was interrupted or killed.
        Resume(resume::ResumeArgs) => resume::run, run options: run_options;
        /// Merge the journals of all shards of a regression test, and write its reports.
        Merge(merge::MergeArgs) => merge::run, run options: run_options;
        /// Measure the Elo of an engine's strength levels, or of node budgets.
        Calibrate(calibrate::CalibrateArgs) => calibrate::run, run options: run_options;
        /// Compute a rating list of all players in PGN files.
        Rate(rate::RateArgs) => rate::run;
        /// Fit a win-draw-loss model to the scores of games, for `UCI_ShowWDL` and normalized scores.
        Wdl(wdl::WdlArgs) => wdl::run;
        /// Write the reports of a run from its journal.
        Report(report::ReportArgs) => report::run;
        /// Explain a case: its position, what is accepted and why, and what the engine played.
        Explain(explain::ExplainArgs) => explain::run;
        /// Write everything that reproduces a case, or a game with a fault, into a folder.
        Bundle(bundle::BundleArgs) => bundle::run;
        /// Show results over time from baselines and journals: trends, changes and flaky cases.
        History(history::HistoryArgs) => history::run;
        /// Generate openings, prove mates, or verify position files.
        #[command(subcommand)]
        Positions(positions::PositionsCommand) => positions::PositionsCommand::run, run options: subcommand;
        /// Build, probe and verify endgame tables (distance to mate).
        #[command(subcommand)]
        Tablebase(tablebase::TablebaseCommand) => tablebase::TablebaseCommand::run, run options: subcommand;
        /// Run the built-in engine Echo as a UCI engine.
        Uci(uci::UciArgs) => uci::run;
        /// Compare the speed of engines, or print the node count that identifies Echo's search.
        Bench(bench::BenchArgs) => bench::run;
        /// Count the leaf nodes of the legal move tree with Echo's move generator.
        Perft(perft::PerftArgs) => perft::run;
        /// Check whether this machine is fit for games on the wall clock, and how many at a time.
        Doctor(doctor::DoctorArgs) => doctor::run;
        /// Run the jobs of a command on many machines, through a NATS server.
        #[command(subcommand)]
        Fleet(fleet::FleetCommand) => fleet::FleetCommand::run, run options: subcommand;
        /// Print a completion script for a shell.
        Completions(completions::CompletionsArgs) => completions::run;
        /// Write the manual pages, one for each command.
        Man(man::ManArgs) => man::run;
    }
}
