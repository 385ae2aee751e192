//! The command line of the laboratory.

mod mutants;
mod strength_curve;
mod study;
mod tune;

use clap::{Parser, Subcommand};

use threefold::args::{Carrying, ReportArgs, ResumeArgs};

pub use mutants::MutantsArgs;
pub use strength_curve::StrengthCurveArgs;
pub use study::{AblationArgs, RepetitionArgs, StudyCommand, TimeArgs};
pub use tune::{TuneCommand, TuneFitArgs, TuneGamesArgs};

/// The laboratory of threefold's authors: what Echo is made of, and what each part of it is worth.
#[derive(Debug, Parser)]
#[command(
    version = threefold::VERSION,
    after_help = "Exit codes are those of `threefold`. Some commands need a build with `--features lab` (switches in Echo's \
    search) or `--features mutants` (seeded bugs), and say so."
)]
pub struct Cli {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play Echo against variants of itself to measure what something is worth.
    #[command(subcommand)]
    Study(StudyCommand),
    /// Fit the weights of Echo's evaluation to games that it played against itself.
    #[command(subcommand)]
    Tune(TuneCommand),
    /// Measure Echo's strength levels and write the curve that Echo is built with.
    StrengthCurve(StrengthCurveArgs),
    /// Put known bugs into an engine, one after the other, and name the suite and the cause that catch each.
    Mutants(MutantsArgs),
    /// Continue a study that was interrupted or killed.
    Resume(ResumeArgs),
    /// Write the reports of a finished or unfinished study again.
    Report(ReportArgs),
}

impl Command {
    /// How the run of the command is carried out; `None` where it is no run.
    pub const fn carrying(&self) -> Option<&Carrying> {
        match self {
            Self::Study(StudyCommand::Ablation(args)) => Some(&args.game.carrying),
            Self::Study(StudyCommand::Repetition(args)) => Some(&args.game.carrying),
            Self::Study(StudyCommand::Time(args)) => Some(&args.game.carrying),
            Self::Mutants(args) => Some(&args.carrying),
            Self::StrengthCurve(args) => Some(&args.calibrate.carrying),
            Self::Resume(args) => Some(&args.carrying),
            Self::Tune(_) | Self::Report(_) => None,
        }
    }
}
