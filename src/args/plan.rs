//! Arguments of `threefold plan`: the length of a test.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use clap::{Args, value_parser};

use super::{from_one, seconds};
use crate::output::sprt_forecast::ASSUMED;
use threefold_run::regress::time_budget;
use threefold_stats::EloModel;

/// `threefold plan`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold plan --elo0 0 --elo1 5 --budget 30m\n  threefold plan --elo0 0 --elo1 5 --tc 40/60 --jobs 8 --budget 12h\n  \
    threefold plan --elo0 -3 --elo1 3 --model logistic --draw-ratio 0.7 --bias 60 --games 20000 --json"
)]
pub struct PlanArgs {
    /// Elo difference under H0, in the unit of --model
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, default_value_t = 0.0)]
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
    /// Elo model of --elo0 and --elo1: `normalized` or `logistic`
    #[arg(long, value_name = "MODEL", default_value_t = EloModel::Normalized)]
    pub model: EloModel,
    /// Assumed draw ratio between equal engines from these openings, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = ASSUMED.draw_ratio)]
    pub draw_ratio: f64,
    /// Assumed RMS advantage of the openings, in logistic Elo
    #[arg(long, value_name = "ELO", default_value_t = ASSUMED.bias.0)]
    pub bias: f64,
    /// Number of games available
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(2..))]
    pub games: Option<u64>,
    /// Time available, instead of --games: 30m, 2h, 1h30m, 90s
    #[arg(long, value_name = "TIME", conflicts_with = "games", value_parser = time_budget::parse)]
    pub budget: Option<Duration>,
    /// Length of a game
    #[command(flatten)]
    pub length: LengthArgs,
    /// Print the result as one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Length of a game, and the number of games at a time.
#[derive(Debug, Args)]
pub struct LengthArgs {
    /// Time control, as in cutechess: 8+0.08, 40/60, 1:30+1 [default with --budget: 8+0.08]
    #[arg(long, value_name = "TC")]
    pub tc: Option<String>,
    /// Fixed time for each move, in seconds
    #[arg(long, value_name = "SECONDS", conflicts_with = "tc")]
    pub st: Option<String>,
    /// Node limit of each move; needs --nps
    #[arg(long, value_name = "N", requires = "nps", value_parser = from_one::<u64>)]
    pub nodes: Option<u64>,
    /// Speed of the engines, in nodes per second
    #[arg(long, value_name = "N", requires = "nodes", value_parser = from_one::<NonZeroU32>)]
    pub nps: Option<NonZeroU32>,
    /// Measured length of a game, in seconds, instead of an estimate from the time control
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub seconds_per_game: Option<Duration>,
    /// Number of games at a time [default: the number of CPU cores]
    #[arg(long, short = 'j', value_name = "N", aliases = ["concurrency", "threads"])]
    pub jobs: Option<NonZeroUsize>,
}
