//! Options of the commands that play games: `match`, `sprt`, and the studies of the laboratory.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, value_parser};

use super::{AdjudicationArgs, GameFileArgs, RunOptions, SearchLimits, from_one};
use crate::input::built_in;
use threefold_games::pairing::{Colours, EncounterLength, MOST_GAMES, ScheduleRules};
use threefold_games::warning::{WarningPolicy, WarningRule};
use threefold_run::{FaultBudget, FaultLimit};

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
    /// Order of the openings: `sequential`, `random:SEED`, or `fastchess:SEED` for fastchess' order with
    /// `-srand SEED`
    #[arg(long, value_name = "ORDER", default_value = "random:1")]
    pub order: String,
    /// Number of plies to play from each opening of a PGN file [default: all]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    pub plies: Option<u16>,
    /// Number of the first opening to play, in --order; after the last one follows the first
    #[arg(long, value_name = "N", default_value = "1", value_parser = from_one::<NonZeroUsize>)]
    pub start: NonZeroUsize,
    /// Number of games of two engines from each opening: 2 with colours reversed, or 1. Single games
    /// alternate colours, and an SPRT counts games then
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
    /// Maximum number of engine faults, or share of the games such as 2%; more stop the run with exit code 3
    /// [default: in a match the square root of the games, divided by 5; in a test what its hypotheses allow]
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// Rules of warnings about the output of engines that count for nothing: no-score, mate-signs and others
    /// of the book
    #[arg(long, value_name = "RULE[,RULE]", value_delimiter = ',')]
    pub ignore_warnings: Vec<WarningRule>,
    /// Exit with code 1 if there is a warning about the output of an engine
    #[arg(long)]
    pub strict: bool,
    /// Watch the first games on the wall clock for this number of seconds, and warn if this machine is too busy
    /// for them; 0 for no check
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

impl GameArgs {
    /// The games of an encounter and their colours.
    pub fn rules(&self) -> ScheduleRules {
        let encounter =
            if self.games_per_round == 1 { EncounterLength::Single } else { EncounterLength::Pair };
        let colours = if self.noswap { Colours::Fixed } else { Colours::Alternate };
        let colours = if self.reverse { colours.reversed() } else { colours };
        ScheduleRules { encounter, colours, ..ScheduleRules::default() }
    }

    /// The policy for warnings about the output of engines.
    pub fn warnings(&self) -> WarningPolicy {
        WarningPolicy { ignored: self.ignore_warnings.iter().copied().collect(), strict: self.strict }
    }

    /// The number of engine faults that a match may have.
    pub fn max_faults(&self) -> FaultBudget {
        self.max_faults.map_or(FaultBudget::MATCH, FaultBudget::uniform)
    }
}
