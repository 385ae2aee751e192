//! `calibrate`: how strong is an engine that is asked to be so strong, or that may search so many nodes?

use std::path::PathBuf;

use clap::{Args, value_parser};

use super::Carrying;
use super::games::number_of_games;

/// `threefold calibrate`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    threefold calibrate --levels 600:2600:200 --anchor \"./stash-21,name=Stash 21=2713\" --run runs/levels --out levels\n  \
    threefold calibrate --engine ./stockfish --levels 1400:2800:200 --clock wall --tc 4+0.04 --precision 50 --seconds 36000\n  \
    threefold calibrate --engine ./mine --option \"Skill Level\" --levels 0:20:4 --clock wall --tc 4+0.04 --precision 50 --seconds 36000\n  \
    threefold calibrate --nodes 500,2000,8000 --games 120\n\n\
    By levels it goes on in rounds, each with a journal in the folder of --run: games go where the ratings so far are \
    least sure, until all are known as well as --precision asks, or --games or --seconds are spent. The same command with the same \
    --run goes on where it was interrupted; with more to spend, more levels or anchors, or another --precision or --within, from \
    the rounds that are there.")]
pub struct CalibrateArgs {
    /// The engine to calibrate
    #[arg(long, value_name = "SPEC", default_value = "echo,name=Echo")]
    pub engine: String,
    /// Levels to begin with, FROM:TO:STEP or one after the other with commas
    #[arg(long, value_name = "LEVELS", default_value = "600:2600:200", conflicts_with = "nodes")]
    pub levels: String,
    /// The option that sets the level; with `UCI_Elo`, `UCI_LimitStrength` is switched on
    #[arg(long, value_name = "NAME", default_value = "UCI_Elo", conflicts_with = "nodes")]
    pub option: String,
    /// An engine with a rating from elsewhere; may be given again. With `@ELO` behind it, what it was measured to be worth
    /// at this time control, by other games than these: the scale stands by that, and how far it is from elsewhere is told
    #[arg(long = "anchor", value_name = "SPEC=ELO[@ELO]", conflicts_with = "nodes")]
    pub anchors: Vec<String>,
    /// Enough is known of a level whose 95 % interval reaches so far to either side, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 20.0, conflicts_with = "nodes")]
    pub precision: f64,
    /// Where it is asked for, FROM:TO in Elo; levels that turn out to be worth less or more may be five times as unsure
    /// [default: everywhere]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true, conflicts_with = "nodes")]
    pub within: Option<String>,
    /// Time control as cutechess writes it
    #[arg(long, value_name = "TC", default_value = "1+0.01", conflicts_with = "nodes")]
    pub tc: String,
    /// What makes the levels' clocks run, `wall` or `virtual:NPS`; anchors that are processes run on the wall's, unless
    /// their specs have a `clock` of their own
    #[arg(long, value_name = "CLOCK", default_value = "virtual:1500000", conflicts_with = "nodes")]
    pub clock: String,
    /// What is left to chance is drawn from this
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(..=2_000_000_000), conflicts_with = "nodes")]
    pub seed: u32,
    /// Moves of each level that Echo at full strength looks at, to see how often they lose how much; 0 for none
    #[arg(long, value_name = "N", default_value_t = 200, conflicts_with = "nodes")]
    pub judged: usize,
    /// The `calibration.csv` of an earlier calibration: what changed by more than chance explains is told, and ends in
    /// exit code 1
    #[arg(long, value_name = "FILE.csv", conflicts_with = "nodes")]
    pub previous: Option<PathBuf>,
    /// Instead of levels: node budgets, one player each, in a round robin
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', value_parser = value_parser!(u64).range(1..))]
    pub nodes: Vec<u64>,
    /// Games at most by levels, or in all by nodes, in whole pairs [default: 20000 by levels, 120 by nodes]
    #[arg(long, value_name = "N", value_parser = number_of_games)]
    pub games: Option<usize>,
    /// By levels: no round begins once so much was thought by the games' clocks, all players together, in seconds, nor is
    /// one given out that would take more; as it is, an hour on two cores
    #[arg(long, value_name = "SECONDS", default_value_t = 7_200.0, conflicts_with = "nodes")]
    pub seconds: f64,
    /// Openings: EPD or PGN, plain or gzip
    #[arg(long, value_name = "FILE", default_value = "positions/openings.epd")]
    pub openings: PathBuf,
    /// Order of the openings: `sequential`, or `random:SEED`
    #[arg(long, value_name = "ORDER", default_value = "random:1")]
    pub order: String,
    /// Write the reports here
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Keep the journals here: a folder by levels, a file by nodes [default: runs/calibrate-N]
    #[arg(long, value_name = "PLACE")]
    pub run: Option<PathBuf>,
    /// How it is carried out
    #[command(flatten)]
    pub carrying: Carrying,
}
