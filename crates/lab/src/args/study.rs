//! Studies: matches of Echo against variants of itself, one question a study.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use threefold::args::{GameArgs, number_of_games};
use threefold_chess::clock::TimeControl;
use threefold_echo::feature_switches::Feature;

/// `threefold-lab study`
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// What each feature of Echo's search is worth: Echo against itself without it.
    Ablation(AblationArgs),
    /// What each answer to repetitions costs and is worth: policy, detector, what the hash table keeps, foresight.
    Repetition(RepetitionArgs),
    /// How each time manager uses its clock, and what that is worth: budget, use and reuse, and a test of each.
    Time(TimeArgs),
}

/// `threefold-lab study time`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold-lab study time --out reports/time\n  \
    threefold-lab study time --games 200 --clock virtual:20000 --control 4+0.04 --out reports/time\n\n\
    Every manager plays Classic under each control, from the same openings, to the full number of games; a \
    sequential test says of each match where it would have ended. `threefold-lab resume RUN.sqlite` goes on where it was \
    interrupted. The folder gets time-study.html and time-study.csv.",
    mut_arg("clock", |arg| arg.default_value("virtual:100000")),
    mut_arg("tc", |arg| arg.hide(true)),
    mut_arg("st", |arg| arg.hide(true)),
    mut_arg("nodes", |arg| arg.hide(true)),
    mut_arg("depth", |arg| arg.hide(true)),
)]
pub struct TimeArgs {
    /// Games of each manager against Classic under each control, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number_of_games)]
    pub games: usize,
    /// Time control as cutechess writes it; may be given again
    #[arg(long = "control", value_name = "TC", default_values = ["8+0.08", "40/10"])]
    pub controls: Vec<TimeControl>,
    /// How games are played
    #[command(flatten)]
    pub game: GameArgs,
}

/// `threefold-lab study repetition`
#[derive(Debug, Args)]
#[command(
    after_help = "Example, with a build that counts what it meets (cargo build --release -p threefold-lab --features lab):\n  \
    threefold-lab study repetition --nodes 5000 --out reports/repetition\n\n\
    Every combination is asked the traps and searches the same positions to a depth, round after round; then \
    variants play each other. `threefold-lab resume RUN.sqlite` goes on where it was interrupted. The folder gets \
    repetition-study.html and repetition-study.csv."
)]
pub struct RepetitionArgs {
    /// Games of each two policies, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = number_of_games)]
    pub games: usize,
    /// Games of every other variant against the default
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number_of_games)]
    pub other_games: usize,
    /// Rounds in which costs are measured
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: usize,
    /// Traps of each class
    #[arg(long, value_name = "N", default_value = "80")]
    pub traps: NonZeroUsize,
    /// Positions of each class that are searched to a depth
    #[arg(long, value_name = "N", default_value = "4")]
    pub positions: NonZeroUsize,
    /// The traps
    #[arg(long, value_name = "FILE", default_value = "builtin:repetition")]
    pub trap_suite: PathBuf,
    /// The positions whose searches are measured
    #[arg(long, value_name = "FILE", default_value = "builtin:effort")]
    pub effort_suite: PathBuf,
    /// How games are played
    #[command(flatten)]
    pub game: GameArgs,
}

/// `threefold-lab study ablation`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples, with a build that has the switches (cargo build --release -p threefold-lab --features lab):\n  \
    threefold-lab study ablation --nodes 5000 --games 400 > ablation.csv\n  \
    threefold-lab study ablation --feature NullMove --feature Singular --tc 2+0.02 --games 1000\n\n\
    Standard output is CSV: feature, games, logistic Elo of Echo over Echo without the feature, and the fixed-N \
    95 % interval. Features come one after the other; `threefold-lab resume RUN.sqlite` goes on where it was \
    interrupted and prints the whole table. All play the same openings."
)]
pub struct AblationArgs {
    /// Only this feature; may be given again [default: every feature]
    #[arg(long = "feature", value_name = "NAME")]
    pub features: Vec<Feature>,
    /// Echo with the options that both sides have
    #[arg(long, value_name = "SPEC", default_value = "echo")]
    pub engine: String,
    /// Games for each feature, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number_of_games)]
    pub games: usize,
    /// How it is played
    #[command(flatten)]
    pub game: GameArgs,
}
