//! Games: what `match`, `sprt` and `calibrate` take.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, value_parser};

use super::{AdjudicationArgs, Carrying, SearchLimits, engine_help};
use crate::built_in;
use threefold_harness::arena::pairing::MOST_GAMES;
use threefold_harness::run::job::Undecided;
use threefold_harness::run::{FaultBudget, FaultLimit};
use threefold_stats::{Counts, Model, Overshoot};

/// What games are played under.
#[derive(Debug, Clone, Args)]
pub struct GameArgs {
    /// Set for every engine
    #[arg(long = "each", value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Time control as cutechess writes it: 8+0.08, 40/60, 1:30+1, inf
    #[arg(long, value_name = "TC")]
    pub tc: Option<String>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", conflicts_with = "tc")]
    pub st: Option<String>,
    /// Limits beside the clock
    #[command(flatten)]
    pub limits: SearchLimits,
    /// What makes the clocks run: `wall`, or `virtual:NPS` by nodes searched
    #[arg(long, value_name = "CLOCK", default_value = "wall")]
    pub clock: String,
    /// Openings: a file, EPD or PGN, plain or gzip, or the name of built-in ones
    #[arg(long, value_name = "FILE|NAME", default_value = built_in::OPENINGS)]
    pub openings: PathBuf,
    /// Order of the openings: `sequential`, or `random:SEED`
    #[arg(long, value_name = "ORDER", default_value = "random:1")]
    pub order: String,
    /// Plies taken from each opening of a PGN file
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub plies: Option<u16>,
    /// When games are ended early
    #[command(flatten)]
    pub adjudication: AdjudicationArgs,
    /// Stop with exit code 3 once engines committed more faults than this, or than this share of the games, as in 2%
    /// [default: 1% and at least 3]
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// Write each game here as soon as it counts
    #[arg(long, value_name = "FILE.pgn")]
    pub pgn: Option<PathBuf>,
    /// Add the games to those that the file has already
    #[arg(long, requires = "pgn", conflicts_with = "force")]
    pub append: bool,
    /// Write the reports here
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Keep the journal here [default: runs/COMMAND-N.sqlite]
    #[arg(long, value_name = "FILE.sqlite")]
    pub run: Option<PathBuf>,
    /// How it is carried out
    #[command(flatten)]
    pub carrying: Carrying,
}

/// A number of games that a run can have.
pub fn number_of_games(given: &str) -> Result<usize, String> {
    let number = given.parse().ok().filter(|&games: &usize| games <= MOST_GAMES);
    let number = number.ok_or_else(|| format!("give a whole number of games from 2 to {MOST_GAMES}"))?;
    if number == 0 { Err("no game is to be played; give at least two".to_owned()) } else { Ok(number) }
}

/// `threefold match`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold match --engine echo --engine stockfish --tc 2+0.02 --games 20\n  \
    threefold match --engine echo --engine ./old --engine ./new --nodes 20000 --games 600 --pgn all.pgn"
)]
pub struct MatchArgs {
    /// Engines: two for a match, more for a tournament
    #[arg(
        long = "engine",
        value_name = "SPEC",
        required = true,
        long_help = engine_help("Engines: two for a match, more for a tournament")
    )]
    pub engines: Vec<String>,
    /// Games in all, rounded up to whole pairs of each meeting
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number_of_games, allow_negative_numbers = true)]
    pub games: usize,
    /// `round-robin`, or `gauntlet`: the first engine against each other
    #[arg(long, value_name = "FORMAT", default_value = "round-robin")]
    pub tournament: String,
    /// How it is played
    #[command(flatten)]
    pub game: GameArgs,
}

impl GameArgs {
    /// The engine faults that a match may have.
    pub fn max_faults(&self) -> FaultBudget {
        self.max_faults.map_or(FaultBudget::MATCH, FaultBudget::of)
    }
}

/// `threefold sprt`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold sprt --engine ./new --engine ./old --elo0 0 --elo1 5 --tc 8+0.08\n\n\
    Exit code: 0 when H1 is accepted or the games end undecided (1 with --undecided fail), 1 when H0 is accepted, \
    3 when engine faults stop it."
)]
pub struct SprtArgs {
    /// The new engine, then the base
    #[arg(
        long = "engine",
        value_name = "SPEC",
        required = true,
        num_args = 1,
        long_help = engine_help("The new engine, then the base")
    )]
    pub engines: Vec<String>,
    /// H0: the new engine is no more than this stronger, in the model's Elo
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: f64,
    /// H1: the new engine is at least this much stronger
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: f64,
    /// Chance of accepting H1 where H0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Chance of accepting H0 where H1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// What the bounds are measured in: normalized, logistic, or bayeselo at the draw rate of the games
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalized)]
    pub model: Model,
    /// What is counted: `pairs`, or single `games` as bayeselo does [default: pairs, if the model knows them]
    #[arg(long, value_name = "WHAT")]
    pub counts: Option<Counts>,
    /// The test may end after every so many pairs
    #[arg(long, value_name = "PAIRS", default_value = "1")]
    pub batch: NonZeroU32,
    /// A last step that may carry past a bound: `ignore` it, or `correct` the bounds for it
    #[arg(long, value_name = "HOW", default_value_t = Overshoot::Ignore)]
    pub overshoot: Overshoot,
    /// Games at most; the evidence so far is reported when they are played
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = number_of_games, allow_negative_numbers = true)]
    pub games: usize,
    /// What an undecided test means for the exit code: `pass` is 0, `fail` is 1
    #[arg(long, value_name = "HOW", default_value_t = Undecided::Pass)]
    pub undecided: Undecided,
    /// How it is played
    #[command(flatten)]
    pub game: GameArgs,
}
