//! Options of the commands that play games: `match`, `sprt`, and the studies of the laboratory.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, value_parser};

use super::{AdjudicationArgs, GameFileArgs, RunOptions, SearchLimits, engine_help, from_one};
use crate::input::built_in;
use threefold_games::pairing::{Colours, Encounter, MOST_GAMES, ScheduleRules};
use threefold_games::warning::{WarningPolicy, WarningRule};
use threefold_run::job::Undecided;
use threefold_run::regress::time_budget;
use threefold_run::{FaultBudget, FaultLimit};
use threefold_stats::{EloModel, Overshoot, TrialUnit};

/// Conditions of the games.
#[derive(Debug, Clone, Args)]
pub struct GameArgs {
    /// Setting for every engine: a SPEC key or a UCI option; may be repeated
    #[arg(long = "each", value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// Time control, as in cutechess: 8+0.08, 40/60, 1:30+1, inf
    #[arg(long, value_name = "TC", allow_hyphen_values = true)]
    pub tc: Option<String>,
    /// Fixed time for each move, in seconds
    #[arg(long, value_name = "SECONDS", conflicts_with = "tc")]
    pub st: Option<String>,
    /// Limits in addition to the clock
    #[command(flatten)]
    pub limits: SearchLimits,
    /// Clock: `wall`, or `virtual:NPS`, which advances by nodes searched
    #[arg(long, value_name = "CLOCK", default_value = "wall")]
    pub clock: String,
    /// Openings: an EPD or PGN file (plain or gzip), or the name of a built-in set
    #[arg(long, value_name = "FILE|NAME", default_value = built_in::OPENINGS)]
    pub openings: PathBuf,
    /// Order of the openings: `sequential`, `random:SEED`, or `fastchess:SEED` for fastchess' order with `-srand SEED`
    #[arg(long, value_name = "ORDER", default_value = "random:1")]
    pub order: String,
    /// Number of plies to play from each opening of a PGN file [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub plies: Option<u16>,
    /// Number of the first opening to play, in --order; after the last one follows the first
    #[arg(long, value_name = "N", default_value = "1", value_parser = from_one::<NonZeroUsize>)]
    pub start: NonZeroUsize,
    /// Number of games of two engines from each opening: 2 with colours reversed, or 1. Single games alternate colours, and
    /// an SPRT counts games then
    #[arg(long, value_name = "1|2", default_value_t = 2, value_parser = value_parser!(u8).range(1..=2))]
    pub games_per_round: u8,
    /// Keep colours: the first engine of a pairing has White in every game
    #[arg(long)]
    pub noswap: bool,
    /// Reverse the colours of all games
    #[arg(long)]
    pub reverse: bool,
    /// Pause between two games of a job, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub wait: u64,
    /// Adjudication
    #[command(flatten)]
    pub adjudication: AdjudicationArgs,
    /// Maximum number of engine faults, or share of the games such as 2%; more stop the run with exit code 3 [default: what
    /// the result can bear: in a match the square root of the games, divided by 5]
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// Rules of warnings about the output of engines that count for nothing: no-score, mate-signs and others of the book
    #[arg(long, value_name = "RULE[,RULE]", value_delimiter = ',')]
    pub ignore_warnings: Vec<WarningRule>,
    /// Exit with code 1 if there is a warning about the output of an engine
    #[arg(long)]
    pub strict: bool,
    /// Time in seconds to measure, before games on the wall clock, whether this machine is fit for them; 0 for no check
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = value_parser!(u16).range(..=600))]
    pub machine_check: u16,
    /// The files of games
    #[command(flatten)]
    pub files: GameFileArgs,
    /// Write the reports to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Journal file of the run [default: runs/COMMAND-N.sqlite]
    #[arg(long, value_name = "FILE.sqlite")]
    pub run: Option<PathBuf>,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// Parses a number of games.
pub fn number_of_games(given: &str) -> Result<usize, String> {
    let number = given.parse().ok().filter(|&games: &usize| games <= MOST_GAMES);
    let number = number.ok_or_else(|| format!("give a whole number of games from 2 to {MOST_GAMES}"))?;
    if number == 0 { Err("at least two games are needed".to_owned()) } else { Ok(number) }
}

/// `threefold match`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold match --engine echo --engine stockfish --tc 2+0.02 --games 20\n  \
    threefold match --engine echo --engine ./old --engine ./new \\\n    --nodes 20000 --games 600 --pgn all.pgn"
)]
pub struct MatchArgs {
    /// Engine; give two for a match, more for a tournament
    #[arg(
        long = "engine",
        value_name = "SPEC",
        required = true,
        long_help = engine_help("Engine; give two for a match, more for a tournament")
    )]
    pub engines: Vec<String>,
    /// Total number of games, rounded up to whole pairs for every pairing; of a knockout tournament, the games of each encounter
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number_of_games, allow_negative_numbers = true)]
    pub games: usize,
    /// Tournament format: `round-robin`, `gauntlet` (the first engine against every other), `pyramid` (every engine against
    /// all before it), or `knockout` (the loser of an encounter is out; give the best engine first)
    #[arg(long, value_name = "FORMAT", default_value = "round-robin")]
    pub tournament: String,
    /// Number of engines of a gauntlet, from the first, that play against every other
    #[arg(long, value_name = "N", default_value = "1", value_parser = from_one::<NonZeroUsize>)]
    pub seeds: NonZeroUsize,
    /// Print the result as one JSON object, the one of report.json
    #[arg(long)]
    pub json: bool,
    /// Conditions of the games
    #[command(flatten)]
    pub game: GameArgs,
}

impl GameArgs {
    /// The games of an encounter and their colours.
    pub fn rules(&self) -> ScheduleRules {
        let encounter = if self.games_per_round == 1 { Encounter::Single } else { Encounter::Pair };
        let colours = if self.noswap { Colours::Fixed } else { Colours::Alternate };
        let colours = if self.reverse { colours.reversed() } else { colours };
        ScheduleRules { encounter, colours, ..ScheduleRules::default() }
    }

    /// What warnings count for.
    pub fn warnings(&self) -> WarningPolicy {
        WarningPolicy { ignored: self.ignore_warnings.iter().copied().collect(), strict: self.strict }
    }

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
    /// Engine; give the new one first, then the base
    #[arg(
        long = "engine",
        value_name = "SPEC",
        required = true,
        num_args = 1,
        long_help = engine_help("Engine; give the new one first, then the base")
    )]
    pub engines: Vec<String>,
    /// Elo difference under H0, in the unit of --model
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo0: f64,
    /// Elo difference under H1, in the unit of --model
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    pub elo1: f64,
    /// Error probability under H0: the test accepts H1 although H0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Error probability under H1: the test accepts H0 although H1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// Elo model of --elo0 and --elo1: `normalized`, `logistic`, or `bayeselo` at the draw rate of the games
    #[arg(long, value_name = "MODEL", default_value_t = EloModel::Normalized)]
    pub model: EloModel,
    /// Unit of evidence: game `pairs`, or single `games` [default: pairs; games with `--model bayeselo` or
    /// `--games-per-round 1`]
    #[arg(long, value_name = "WHAT")]
    pub counts: Option<TrialUnit>,
    /// Number of pairs between two checks of the test's bounds
    #[arg(long, value_name = "PAIRS", default_value = "1", value_parser = from_one::<NonZeroU32>)]
    pub batch: NonZeroU32,
    /// Treatment of the overshoot of the last pair: `ignore` it, or `correct` the bounds for it
    #[arg(long, value_name = "HOW", default_value_t = Overshoot::Ignore)]
    pub overshoot: Overshoot,
    /// Maximum number of games; then the test ends undecided
    #[arg(long, value_name = "N", default_value_t = 40_000, value_parser = number_of_games, allow_negative_numbers = true)]
    pub games: usize,
    /// Time for the games, such as 20m or 1h30m; then the test ends undecided. Needs --tc or --st
    #[arg(long, value_name = "TIME", value_parser = time_budget::parse)]
    pub budget: Option<Duration>,
    /// Exit code of an undecided test: `pass` is 0, `fail` is 1
    #[arg(long, value_name = "HOW", default_value_t = Undecided::Pass)]
    pub undecided: Undecided,
    /// Print the result as one JSON object, the one of report.json
    #[arg(long)]
    pub json: bool,
    /// Conditions of the games
    #[command(flatten)]
    pub game: GameArgs,
}
