//! Tuning: what playing the games and fitting the weights take.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Subcommand, value_parser};

/// `threefold-lab tune`
#[derive(Debug, Subcommand)]
pub enum TuneCommand {
    /// Play Echo against itself and keep quiet positions with the results.
    Games(TuneGamesArgs),
    /// Fit the weights of this build to such games.
    Fit(TuneFitArgs),
}

/// `threefold-lab tune games`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold-lab tune games --seed 1 --games 20000 --out games.epd    # again: goes on\n\n\
    The same seed plays the same games on any number of threads."
)]
pub struct TuneGamesArgs {
    /// Every game follows from it and its number
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Games, those in the file included
    #[arg(long, value_name = "N", default_value = "20000")]
    pub games: u64,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value = "3000", value_parser = value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Positions kept of one game at most
    #[arg(long, value_name = "N", default_value = "10")]
    pub samples: NonZeroUsize,
    /// Append here
    #[arg(long, value_name = "FILE.epd")]
    pub out: PathBuf,
    /// Games at a time [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// `threefold-lab tune fit`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold-lab tune fit games.epd --out tuned\n  \
    cp tuned/weights.csv crates/echo/src/eval/weights.csv    # the next build has them\n\n\
    Beside the weights it writes the loss after each epoch, as loss.csv and loss.svg.")]
pub struct TuneFitArgs {
    /// Positions with results, as `tune games` writes them
    #[arg(value_name = "FILE.epd", required = true)]
    pub games: Vec<PathBuf>,
    /// Which games are held out, and the order of the others, follow from it
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How often every position is looked at
    #[arg(long, value_name = "N", default_value = "20")]
    pub epochs: NonZeroUsize,
    /// The longest step of a weight at the start, in centipawns
    #[arg(long, value_name = "CP", default_value = "1", value_parser = above_nought)]
    pub rate: f64,
    /// How far the weights at the start are held to be off, in centipawns, beside a part of themselves
    #[arg(long, value_name = "CP", default_value = "4", value_parser = above_nought)]
    pub spread: f64,
    /// How much of what is fitted to is the search's value in the game, the rest being the result: 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = share)]
    pub trust: f64,
    /// Write here
    #[arg(long, value_name = "DIR", default_value = "tuned")]
    pub out: PathBuf,
}

/// A number above nought.
fn above_nought(given: &str) -> Result<f64, String> {
    let number = given.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "give a number above 0".to_owned())
}

/// A number from 0 to 1.
fn share(given: &str) -> Result<f64, String> {
    let number = given.parse().ok().filter(|number: &f64| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "give a number from 0 to 1".to_owned())
}
