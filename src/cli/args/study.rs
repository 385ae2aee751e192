//! Studies: matches of Echo against variants of itself, one question a study.

use clap::{Args, Subcommand};

use super::GameArgs;

/// `threefold study`
#[derive(Debug, Subcommand)]
pub enum StudyCommand {
    /// What each feature of Echo's search is worth: Echo against itself without it.
    Ablation(AblationArgs),
}

/// `threefold study ablation`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples, with a build that has the switches (cargo build --release --features lab):\n  \
    threefold study ablation --nodes 5000 --games 400 > ablation.csv\n  \
    threefold study ablation --feature NullMove --feature Singular --tc 2+0.02 --games 1000\n\n\
    Standard output is CSV: feature, games, logistic Elo of Echo over Echo without the feature, and the fixed-N \
    95 % interval. Features come one after the other; `threefold resume RUN.sqlite` goes on where it was \
    interrupted and prints the whole table. All play the same openings."
)]
pub struct AblationArgs {
    /// Only this feature; may be given again [default: every feature]
    #[arg(long = "feature", value_name = "NAME")]
    pub features: Vec<String>,
    /// Echo with the options that both sides have
    #[arg(long, value_name = "SPEC", default_value = "echo")]
    pub engine: String,
    /// Games for each feature, rounded up to whole pairs
    #[arg(long, value_name = "N", default_value_t = 400)]
    pub games: usize,
    /// How it is played
    #[command(flatten)]
    pub game: GameArgs,
}
