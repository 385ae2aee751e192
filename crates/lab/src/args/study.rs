//! Arguments of the studies: matches of Echo against variants of itself.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;

use threefold::args::{GameArgs, RunOptions, number_of_games};
use threefold_chess::clock::TimeControl;
use threefold_echo::feature_switches::Feature;

/// `threefold-lab study dawdling`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab study dawdling --nodes 2000,20000 --out reports/dawdling\n\n\
    Every policy plays the same won endings against a perfect defender. The dawdling index is the number of moves used, \
    divided by the distance to mate; policies are compared position by position. The command prints the figures and writes \
    dawdling-study.csv. `threefold-lab resume RUN.sqlite` continues an interrupted study."
)]
pub struct DawdlingArgs {
    /// Nodes for each move; each policy plays all endings once with each number
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_value = "2000,20000")]
    pub nodes: Vec<u64>,
    /// Suite of won endings
    #[arg(long, value_name = "FILE", default_value = "builtin:conversion")]
    pub suite: PathBuf,
    /// Number of endings of each class [default: all]
    #[arg(long, value_name = "N")]
    pub per_class: Option<NonZeroUsize>,
    /// Option for every engine, as in a SPEC; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Write the reports to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Journal file [default: runs/dawdling-N.sqlite]
    #[arg(long, value_name = "FILE.sqlite")]
    pub run: Option<PathBuf>,
    /// Options of the run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// `threefold-lab study open-flag`
#[derive(Debug, Args)]
#[command(
    after_help = "Example, with a build that counts repetitions (cargo build --release -p threefold-lab --features lab):\n  \
    threefold-lab study open-flag --threads 1,2,4 --nodes 100000 --jobs 1 --out reports/open-flag\n\n\
    The threads of a search share the transposition table, and with it the flags. Every thread compares the detector with the \
    exact one at every node. The traps are also run with the exact detector. The command prints the figures and writes \
    open-flag-study.csv. `threefold-lab resume RUN.sqlite` continues an interrupted study."
)]
pub struct OpenFlagArgs {
    /// Numbers of threads
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_value = "1,2,4")]
    pub threads: Vec<usize>,
    /// Number of rounds in which errors are counted
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: usize,
    /// Number of positions of each class in which errors are counted
    #[arg(long, value_name = "N", default_value = "4")]
    pub positions: NonZeroUsize,
    /// Number of traps of each class [default: all]
    #[arg(long, value_name = "N")]
    pub traps: Option<NonZeroUsize>,
    /// Nodes of all threads together for each trap [default: the suite's]
    #[arg(long, value_name = "N")]
    pub nodes: Option<NonZeroU64>,
    /// Suite of positions in which errors are counted
    #[arg(long, value_name = "FILE", default_value = "builtin:effort")]
    pub cost_suite: PathBuf,
    /// Suite of traps
    #[arg(long, value_name = "FILE", default_value = "builtin:repetition")]
    pub trap_suite: PathBuf,
    /// Option for every engine, as in a SPEC; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Write the reports to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Journal file [default: runs/open-flag-N.sqlite]
    #[arg(long, value_name = "FILE.sqlite")]
    pub run: Option<PathBuf>,
    /// Options of the run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// `threefold-lab study time`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold-lab study time --out reports/time\n  \
    threefold-lab study time --games 200 --clock virtual:20000 --control 4+0.04 --out reports/time\n\n\
    Every time manager plays all its games against Classic under each time control, from the same openings. The report \
    shows where a sequential test would have stopped each match. The command writes time-study.html and time-study.csv. \
    `threefold-lab resume RUN.sqlite` continues an interrupted study.",
    mut_arg("clock", |arg| arg.default_value("virtual:100000")),
    mut_arg("tc", |arg| arg.hide(true)),
    mut_arg("st", |arg| arg.hide(true)),
    mut_arg("nodes", |arg| arg.hide(true)),
    mut_arg("depth", |arg| arg.hide(true)),
)]
pub struct TimeArgs {
    /// Number of games of each time manager against Classic under each control, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number_of_games)]
    pub games: usize,
    /// Time control, as in cutechess; may be repeated
    #[arg(long = "control", value_name = "TC", default_values = ["8+0.08", "40/10"])]
    pub controls: Vec<TimeControl>,
    /// Conditions of the games
    #[command(flatten)]
    pub game: GameArgs,
}

/// `threefold-lab study repetition`
#[derive(Debug, Args)]
#[command(
    after_help = "Example, with a build that counts repetitions (cargo build --release -p threefold-lab --features lab):\n  \
    threefold-lab study repetition --nodes 5000 --out reports/repetition\n\n\
    Every combination solves the traps and searches the same positions to a fixed depth, in several rounds. Then the \
    variants play matches. The command writes repetition-study.html and repetition-study.csv. \
    `threefold-lab resume RUN.sqlite` continues an interrupted study."
)]
pub struct RepetitionArgs {
    /// Number of games between every two policies, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = number_of_games)]
    pub games: usize,
    /// Number of games of every other variant against the default
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number_of_games)]
    pub other_games: usize,
    /// Number of rounds in which the search cost is measured
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub rounds: usize,
    /// Number of traps of each class
    #[arg(long, value_name = "N", default_value = "80")]
    pub traps: NonZeroUsize,
    /// Number of positions of each class for the search cost
    #[arg(long, value_name = "N", default_value = "4")]
    pub positions: NonZeroUsize,
    /// Suite of traps
    #[arg(long, value_name = "FILE", default_value = "builtin:repetition")]
    pub trap_suite: PathBuf,
    /// Suite of positions for the search cost
    #[arg(long, value_name = "FILE", default_value = "builtin:effort")]
    pub cost_suite: PathBuf,
    /// Conditions of the games
    #[command(flatten)]
    pub game: GameArgs,
}

/// `threefold-lab study ablation`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples, with a build that has the switches (cargo build --release -p threefold-lab --features lab):\n  \
    threefold-lab study ablation --nodes 5000 --games 400 > ablation.csv\n  \
    threefold-lab study ablation --feature NullMove --feature Singular --tc 2+0.02 --games 1000\n\n\
    Standard output is CSV: feature, games, logistic Elo of Echo against Echo without the feature, and its 95 % interval. \
    All features play the same openings. `threefold-lab resume RUN.sqlite` continues an interrupted study and prints the \
    whole table."
)]
pub struct AblationArgs {
    /// Feature to measure; may be repeated [default: all]
    #[arg(long = "feature", value_name = "NAME")]
    pub features: Vec<Feature>,
    /// Echo with the options of both sides
    #[arg(long, value_name = "SPEC", default_value = "echo")]
    pub engine: String,
    /// Number of games for each feature, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number_of_games)]
    pub games: usize,
    /// Conditions of the games
    #[command(flatten)]
    pub game: GameArgs,
}
