//! Arguments of `calibrate`: how strong is an engine at each of its strength levels, or with a given number
//! of nodes?

use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, value_parser};

use crate::args::{RunOptions, from_one, number_of_games};
use crate::input::built_in;
use threefold_run::{FaultBudget, FaultLimit};

/// `threefold calibrate`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    threefold calibrate --levels 600:2600:200 --anchor \"./stash-21,name=Stash 21=2713\" \\\n    \
    --run runs/levels --out levels\n  \
    threefold calibrate --engine ./stockfish --levels 1400:2800:200 --clock wall --tc 4+0.04 \\\n    \
    --precision 50 --seconds 36000\n  \
    threefold calibrate --engine ./mine --option \"Skill Level\" --levels 0:20:4 --clock wall \\\n    \
    --tc 4+0.04 --precision 50 --seconds 36000\n  \
    threefold calibrate --nodes 500,2000,8000 --games 120\n\n\
    A calibration by levels plays in rounds, and keeps a journal of each round in the folder of --run. Each round plays \
    the games that reduce the uncertainty most. It ends when every level is as precise as --precision requests, or when \
    --games or --seconds are used up.\n\n\
    The same command with the same --run continues an interrupted calibration. With more --games or --seconds, more \
    --levels or --anchor, or another --precision or --precise-range it continues a finished one; with a larger --max-faults, \
    one that engine faults stopped.")]
pub struct CalibrateArgs {
    /// Engine to calibrate
    #[arg(long, value_name = "SPEC", default_value = "echo,name=Echo")]
    pub engine: String,
    /// Levels to measure first: FROM:TO:STEP, or a list separated by commas
    #[arg(long, value_name = "LEVELS", default_value = "600:2600:200", conflicts_with = "nodes")]
    pub levels: String,
    /// UCI option that sets the level; with `UCI_Elo`, `UCI_LimitStrength` is switched on as well
    #[arg(long, value_name = "NAME", default_value = "UCI_Elo", conflicts_with = "nodes")]
    pub option: String,
    /// Engine with a known rating, as SPEC=LISTED; may be repeated. Add `@MEASURED` if you have measured it
    /// at this time control with other games: that value then sets the scale, and the report compares the two
    #[arg(long = "anchor", value_name = "SPEC=ELO[@ELO]", conflicts_with = "nodes")]
    pub anchors: Vec<String>,
    /// Target half-width of each level's 95 % interval, in Elo
    #[arg(long, value_name = "ELO", default_value_t = 20.0, conflicts_with = "nodes")]
    pub precision: f64,
    /// Ratings to which --precision applies, FROM:TO in Elo; levels outside may have five times that width
    /// [default: all]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true, conflicts_with = "nodes")]
    pub precise_range: Option<String>,
    /// Time control of every game, as in cutechess
    #[arg(long, value_name = "TC", default_value = "1+0.01", conflicts_with = "nodes")]
    pub tc: String,
    /// Clock of the levels: `wall` or `virtual:NPS`. Anchors that are external programs use the wall clock
    /// unless their SPEC sets `clock`
    #[arg(long, value_name = "CLOCK", default_value = "virtual:1500000", conflicts_with = "nodes")]
    pub clock: String,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(..=2_000_000_000), conflicts_with = "nodes")]
    pub seed: u32,
    /// Number of moves of each level that Echo at full strength checks for errors and blunders; 0 for none
    #[arg(long, value_name = "N", default_value_t = 200, conflicts_with = "nodes")]
    pub judge_moves: usize,
    /// `calibration.csv` of an earlier calibration to compare with; a significant change ends in exit code 1
    #[arg(long, value_name = "FILE.csv", conflicts_with = "nodes")]
    pub compare_with: Option<PathBuf>,
    /// Node budgets to measure in a round robin, instead of levels
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', value_parser = from_one::<u64>)]
    pub nodes: Vec<u64>,
    /// Maximum number of games; with --nodes the exact number, rounded up to whole pairs [default: 20000,
    /// with --nodes 120]
    #[arg(long, value_name = "N", value_parser = number_of_games)]
    pub games: Option<usize>,
    /// Maximum total thinking time of all players, in seconds by the games' clocks; the default is about an
    /// hour on two cores
    #[arg(long, value_name = "SECONDS", default_value_t = 7_200.0, conflicts_with = "nodes")]
    pub seconds: f64,
    /// Maximum number of engine faults in a round, or share of its games such as 2%; more stop the
    /// calibration with exit code 3. A larger number continues it [default: 1%, at least 3]
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// Openings: an EPD or PGN file (plain or gzip), or the name of a built-in set
    #[arg(long, value_name = "FILE|NAME", default_value = built_in::OPENINGS)]
    pub openings: PathBuf,
    /// Order of the openings: `sequential` or `random:SEED`
    #[arg(long, value_name = "ORDER", default_value = "random:1")]
    pub order: String,
    /// Write the reports to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Folder for the journals of the rounds; with --nodes, the journal file [default: runs/calibrate-N]
    #[arg(long, value_name = "PATH")]
    pub run: Option<PathBuf>,
    /// Options of every run.
    #[command(flatten)]
    pub run_options: RunOptions,
}

impl CalibrateArgs {
    /// The engine faults that a round may have.
    pub fn max_faults(&self) -> FaultBudget {
        self.max_faults.map_or(FaultBudget::MATCH, FaultBudget::uniform)
    }
}

/// `600:2600:200`, or levels with commas; lowest first.
pub(super) fn asked_levels(given: &str) -> anyhow::Result<Vec<u32>> {
    let remedy = || format!("--levels `{given}`: write FROM:TO:STEP such as 600:2600:200, or 600,1000,1400");
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let levels: Option<Vec<u32>> = match given.split(':').collect::<Vec<_>>()[..] {
        [from, to, step] => number(from).zip(number(to)).zip(number(step)).and_then(|((from, to), step)| {
            (from < to && step > 0).then(|| (from..=to).step_by(step as usize).collect())
        }),
        _ => given.split(',').map(number).collect(),
    };
    let mut levels = levels.with_context(remedy)?;
    levels.sort_unstable();
    levels.dedup();
    anyhow::ensure!(levels.len() > 1, "--levels `{given}`: give at least two levels");
    Ok(levels)
}

/// `800:2600`, in Elo; all ratings if nothing is given.
pub(super) fn within(given: Option<&str>) -> anyhow::Result<RangeInclusive<f64>> {
    let Some(given) = given else { return Ok(f64::NEG_INFINITY..=f64::INFINITY) };
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let ends = given.split_once(':').and_then(|(from, to)| number(from).zip(number(to)));
    let (from, to) = ends
        .filter(|(from, to)| from < to)
        .with_context(|| format!("--precise-range `{given}`: write FROM:TO in Elo, such as 800:2600"))?;
    Ok(from..=to)
}
