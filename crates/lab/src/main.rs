//! The program `threefold-lab`.

#![expect(unreachable_pub, reason = "a program has no outside: `pub` is what other modules use")]

mod args;
mod commands;
mod report_sets;

use std::process::ExitCode;

use args::{Cli, Command, StudyCommand, TuneCommand};
use threefold::commands::{report, resume};
use threefold::exit::Exit;
use threefold::program;

fn main() -> ExitCode {
    program::main(|cli: &Cli| cli.command.run_options(), |cli| dispatch(cli.command))
}

fn dispatch(command: Command) -> anyhow::Result<Exit> {
    match command {
        Command::Study(StudyCommand::Ablation(args)) => commands::study::ablation::run(&args),
        Command::Study(StudyCommand::Dawdling(args)) => commands::study::dawdling::run(&args),
        Command::Study(StudyCommand::OpenFlag(args)) => commands::study::open_flag::run(&args),
        Command::Study(StudyCommand::Repetition(args)) => commands::study::repetition::run(&args),
        Command::Study(StudyCommand::Time(args)) => commands::study::time::run(&args),
        Command::Tune(TuneCommand::Games(args)) => commands::tune::games(&args),
        Command::Tune(TuneCommand::Fit(args)) => commands::tune::fit(&args),
        Command::StrengthCurve(args) => commands::strength_curve::run(&args),
        Command::FleetSimulation(args) => commands::fleet_simulation::run(&args),
        Command::Positions(command) => commands::positions::run(&command),
        Command::VerifyStatistics(args) => commands::verify_statistics::run(&args),
        Command::BenchRunner(args) => commands::bench_runner::run(&args),
        Command::InstantEngine(args) => commands::instant_engine::run(&args),
        Command::Mutants(args) => commands::mutants::run(&args),
        Command::Resume(args) => resume::run_with(&args, &report_sets::registry()),
        Command::Report(args) => report::run_with(&args, &report_sets::registry()),
    }
}
