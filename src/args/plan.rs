//! `threefold plan`: what a test will cost, and whether tests keep their promises.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use clap::{Args, value_parser};

use super::seconds;
use crate::foretelling::ASSUMED;
use threefold_stats::EloModel;

/// `threefold plan`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold plan --elo0 0 --elo1 5 --budget 30m\n  threefold plan --elo0 0 --elo1 5 --tc 40/60 --concurrency 8 --budget 12h\n  \
    threefold plan --elo0 -3 --elo1 3 --model logistic --draw-ratio 0.7 --bias 60 --games 20000 --json\n  \
    threefold plan --verify\n\n\
    Exit code: 1 when --verify finds that something claimed does not hold."
)]
pub struct PlanArgs {
    /// H0: the difference is no more than this, in the model's Elo
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, default_value_t = 0.0)]
    pub elo0: f64,
    /// H1: the difference is at least this
    #[arg(long, value_name = "ELO", allow_negative_numbers = true, required_unless_present = "verify")]
    pub elo1: Option<f64>,
    /// Chance of accepting H1 where H0 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub alpha: f64,
    /// Chance of accepting H0 where H1 is true
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub beta: f64,
    /// What the bounds are measured in: normalized or logistic Elo
    #[arg(long, value_name = "MODEL", default_value_t = EloModel::Normalized)]
    pub model: EloModel,
    /// The openings: the share of games that equals draw from them
    #[arg(long, value_name = "SHARE", default_value_t = ASSUMED.draw_ratio)]
    pub draw_ratio: f64,
    /// The openings: what they are worth to a side in logistic Elo, as the root of the mean square
    #[arg(long, value_name = "ELO", default_value_t = ASSUMED.bias.0)]
    pub bias: f64,
    /// Games that may be played
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(2..))]
    pub games: Option<u64>,
    /// Time that may be spent instead: 30m, 2h, 1h30m, 90s
    #[arg(long, value_name = "TIME", conflicts_with = "games", value_parser = budget)]
    pub budget: Option<Duration>,
    /// What turns time into games
    #[command(flatten)]
    pub length: LengthArgs,
    /// Print one JSON object
    #[arg(long, conflicts_with = "verify")]
    pub json: bool,
    /// Try out what tests and intervals claim: exact chances of small tests, simulated error rates, coverage
    #[arg(long, conflicts_with_all = ["elo1", "games", "budget"])]
    pub verify: bool,
    /// Runs of each experiment of --verify
    #[arg(long, value_name = "N", default_value_t = 20_000, conflicts_with = "elo1", value_parser = value_parser!(u64).range(1..=10_000_000))]
    pub runs: u64,
    /// The seed of those runs; the same seed finds the same figures on any machine
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "elo1")]
    pub seed: u64,
    /// Threads of --verify [default: the machine's cores]
    #[arg(long, value_name = "N", conflicts_with = "elo1")]
    pub threads: Option<NonZeroUsize>,
}

/// How long games last, and how many are played at a time.
#[derive(Debug, Args)]
pub struct LengthArgs {
    /// Time control as cutechess writes it: 8+0.08, 40/60, 1:30+1 [default with --budget: 8+0.08]
    #[arg(long, value_name = "TC")]
    pub tc: Option<String>,
    /// Seconds for each move
    #[arg(long, value_name = "SECONDS", conflicts_with = "tc")]
    pub st: Option<String>,
    /// Nodes for each move; with --nps
    #[arg(long, value_name = "N", requires = "nps", value_parser = value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Nodes that an engine searches in a second
    #[arg(long, value_name = "N", requires = "nodes")]
    pub nps: Option<NonZeroU32>,
    /// What a game really takes, where that is known
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub seconds_per_game: Option<Duration>,
    /// Games at a time [default: the machine's cores]
    #[arg(long, short = 'j', value_name = "N")]
    pub concurrency: Option<NonZeroUsize>,
}

/// Hours, minutes and seconds, in this order, any of them left out.
fn budget(given: &str) -> Result<Duration, String> {
    let mut rest = given;
    let mut total = Duration::ZERO;
    for (unit, seconds) in [('h', 3600), ('m', 60), ('s', 1)] {
        let Some((count, after)) = rest.split_once(unit) else { continue };
        let count: u32 = count.parse().map_err(|_| HOW_TO_WRITE_TIME.to_owned())?;
        total += Duration::from_secs(u64::from(count) * seconds);
        rest = after;
    }
    if rest.is_empty() && !total.is_zero() { Ok(total) } else { Err(HOW_TO_WRITE_TIME.to_owned()) }
}

const HOW_TO_WRITE_TIME: &str = "write hours, minutes and seconds, such as 30m, 2h, 1h30m or 90s";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_hours_minutes_and_seconds() {
        let table = [
            ("30m", Some(1800)),
            ("2h", Some(7200)),
            ("1h30m", Some(5400)),
            ("1h0m5s", Some(3605)),
            ("90s", Some(90)),
            ("0s", None),
            ("", None),
            ("30", None),
            ("30m2h", None),
            ("-1m", None),
            ("1.5h", None),
        ];
        for (given, seconds) in table {
            assert_eq!(budget(given).ok(), seconds.map(Duration::from_secs), "{given}");
        }
    }
}
