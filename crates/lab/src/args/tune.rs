//! Arguments of `tune games` and `tune fit`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};

use threefold::args::Jobs;

/// `threefold-lab tune games`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab tune games --seed 1 --games 20000 --out games.epd\n\n\
    The same command again continues the file. The same seed plays the same games on any number of threads.")]
pub struct TuneGamesArgs {
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Total number of games, including those already in the file
    #[arg(long, value_name = "N", default_value = "20000")]
    pub games: u64,
    /// Node limit of each move
    #[arg(long, value_name = "N", default_value = "3000", value_parser = value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Maximum number of positions to save from one game
    #[arg(long, value_name = "N", default_value = "10")]
    pub samples: NonZeroUsize,
    /// File to append the positions to
    #[arg(long, value_name = "FILE.epd")]
    pub out: PathBuf,
    /// Worker threads
    #[command(flatten)]
    pub jobs: Jobs,
}

/// `threefold-lab tune fit`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab tune fit games.epd --out tuned\n  \
    cp tuned/weights.csv crates/echo/src/eval/weights.csv    # the next build uses them\n\n\
    The command also writes the loss after each epoch, as loss.csv and loss.svg.")]
pub struct TuneFitArgs {
    /// Files of positions with results, from `tune games`
    #[arg(value_name = "FILE.epd", required = true)]
    pub games: Vec<PathBuf>,
    /// Random seed for the choice of held-out games and for the order of the others
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Number of passes over all positions
    #[arg(long, value_name = "N", default_value = "20")]
    pub epochs: NonZeroUsize,
    /// Learning rate: the largest first step of a weight, in centipawns
    #[arg(long, value_name = "CP", default_value = "1", value_parser = positive)]
    pub learning_rate: f64,
    /// Standard deviation of the prior around the current weights, in centipawns; 15 % of the absolute weight
    /// is added
    #[arg(long, value_name = "CP", default_value = "4", value_parser = positive)]
    pub prior_sd: f64,
    /// Weight of the search score against the game result in the target: 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    pub lambda: f64,
    /// Folder for the weights and the losses
    #[arg(long, value_name = "DIR", default_value = "tuned")]
    pub out: PathBuf,
}

/// Parses a positive number.
fn positive(given: &str) -> Result<f64, String> {
    let number = given.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "give a number above 0".to_owned())
}

/// Parses a number from 0 to 1.
fn share(given: &str) -> Result<f64, String> {
    let number = given.parse().ok().filter(|number: &f64| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "give a number from 0 to 1".to_owned())
}
