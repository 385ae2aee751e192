//! `plan`: the expected length of a sequential test, and what it does within a budget.

mod takes;

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use clap::{Args, value_parser};
use serde::Serialize;

use self::takes::PlanTakesArgs;
use crate::args::{from_one, seconds};
use crate::exit::Exit;
use crate::input::search_limits;
use crate::output::game_length::GameLength;
use crate::output::sprt_forecast::{ASSUMED, Prediction, SprtForecast, WithinBudget, percent, rounded};
use crate::output::tables::table;
use crate::{machine, streams};
use threefold_run::regress::time_budget;
use threefold_stats::planning::{EloDifference, Forecast, Openings, OutcomeChances};
use threefold_stats::{EloModel, Logistic, Risks, Sprt};

/// `threefold plan`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold plan --elo0 0 --elo1 5 --budget 30m\n  threefold plan --elo0 0 --elo1 5 --tc 40/60 --jobs 8 --budget 12h\n  \
    threefold plan --elo0 -3 --elo1 3 --model logistic --draw-ratio 0.7 --bias 60 --games 20000 --json\n  \
    threefold plan --elo0 0 --elo1 5 --takes 0,1,2,3"
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
    /// Several takes against one base, in place of one test
    #[command(flatten)]
    pub takes: PlanTakesArgs,
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

/// Forecasts a test.
pub fn run(args: &PlanArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(
        (0.0..=1.0).contains(&args.draw_ratio),
        "--draw-ratio {}: give a share from 0 to 1, such as 0.6 for 60 %",
        args.draw_ratio
    );
    if !args.takes.takes.is_empty() {
        takes::run(args)?;
        return Ok(Exit::Fine);
    }
    let text = forecast_of(args)?;
    if args.json {
        streams::result(&serde_json::to_string_pretty(&Plan::of(&text))?)?;
    } else {
        print(&text)?;
    }
    Ok(Exit::Fine)
}

fn forecast_of(args: &PlanArgs) -> anyhow::Result<SprtForecast> {
    let test = Sprt::new(args.model, args.elo0, args.elo1, Risks { alpha: args.alpha, beta: args.beta })?;
    let openings = Openings { draw_ratio: args.draw_ratio, bias: Logistic(args.bias) };
    let length = length(args)?;
    let games = match (args.games, args.budget, &length) {
        (Some(games), ..) => Some(games as f64),
        (None, Some(budget), Some((length, at_once))) => Some(length.games_in(budget, *at_once)),
        (None, ..) => None,
    };
    anyhow::ensure!(
        games.is_none_or(|games| games >= 2.0),
        "--budget: too short for a single game pair; give more time"
    );
    Ok(SprtForecast { forecast: Forecast::new(test, openings)?, length, games })
}

/// The length of a game, if it is known, and the number of games at a time.
fn length(args: &PlanArgs) -> anyhow::Result<Option<(GameLength, usize)>> {
    let given = &args.length;
    let control = search_limits::control(given.tc.as_deref(), given.st.as_deref(), given.nodes, None)?;
    search_limits::warn([control]);
    let length = given
        .seconds_per_game
        .map(GameLength::measured)
        .or_else(|| GameLength::under(&control, given.nps.map(NonZeroU32::get)));
    // A budget in time needs the length of a game.
    let length = match (length, args.budget) {
        (None, Some(_)) => Some(GameLength::usual()),
        (length, _) => length,
    };
    Ok(length.map(|length| (length, given.jobs.unwrap_or_else(machine::cores).get())))
}

fn print(text: &SprtForecast) -> anyhow::Result<()> {
    if let Some((length, at_once)) = &text.length {
        let seconds = length.each.as_secs_f64();
        streams::result(&format!(
            "One game takes {seconds:.3} s ({}); {at_once} at a time.",
            length.assumed
        ))?;
    }
    streams::result(&format!("{}.", text.cost()))?;
    if let Some(verdict) = text.verdict() {
        streams::result(&verdict)?;
    }
    if let Some(comparison) = text.comparison() {
        streams::result(&comparison)?;
    }
    let unit = text.forecast.test().model().unit();
    let header = [unit, "logistic", "H1 accepted", "", "games", "time"];
    let rows = text.predictions();
    streams::result(&format!("\n{}", table(&header, rows.iter().map(|at| row(text, at)))))?;
    if text.games.is_none() {
        return Ok(());
    }
    let header = [unit, "SPRT: H1", "H0", "undecided", "games", "deadline: H1", "H0", "undecided", "games"];
    let within = rows.iter().filter_map(|at| Some(row_within(at.elo, &at.within?)));
    streams::result(&format!("\nWithin the budget:\n{}", table(&header, within)))
}

/// Both tests at the end of the budget.
fn row_within(elo: f64, within: &WithinBudget) -> Vec<String> {
    let chances = |it: OutcomeChances| [it.passed, it.failed, it.undecided].map(percent);
    let mut row = vec![format!("{elo:+.2}")];
    row.extend(chances(within.sprt));
    row.push(rounded(within.sprt_games));
    row.extend(chances(within.deadline));
    row.push(rounded(within.deadline_games));
    row
}

fn row(text: &SprtForecast, at: &Prediction) -> Vec<String> {
    vec![
        format!("{:+.2}", at.elo),
        // Adding 0 turns -0 into 0, which has no sign.
        format!("{:+.2}", at.logistic + 0.0),
        percent(at.pass),
        bar(at.pass),
        rounded(at.games),
        text.time(at.games).unwrap_or_else(|| "?".to_owned()),
    ]
}

/// A share as a bar of twenty characters, in eighths.
fn bar(share: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * 160.0).round() as usize;
    format!("{}{}", "█".repeat(eighths / 8), EIGHTHS[eighths % 8])
}

/// What `--json` prints.
#[derive(Serialize)]
struct Plan {
    format: u32,
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    variance_per_game: f64,
    seconds_per_game: Option<f64>,
    concurrency: Option<usize>,
    budget_games: Option<f64>,
    worst: Longest,
    budget_sees: Option<Seen>,
    predictions: Vec<Predicted>,
}

#[derive(Serialize)]
struct Longest {
    elo: f64,
    games: f64,
}

#[derive(Serialize)]
struct Seen {
    sprt_at_worst: Units,
    sprt_at_bounds: Units,
    fixed_detectable: Units,
    fixed_interval: Units,
}

#[derive(Serialize)]
struct Units {
    logistic: f64,
    normalized: f64,
}

#[derive(Serialize)]
struct Predicted {
    elo: f64,
    logistic: f64,
    pass_probability: f64,
    expected_games: f64,
    passed_within_budget: Option<f64>,
    failed_within_budget: Option<f64>,
    undecided_within_budget: Option<f64>,
    expected_games_within_budget: Option<f64>,
    deadline: Option<DeadlineChances>,
}

/// A test with a deadline at the end of the budget.
#[derive(Serialize)]
struct DeadlineChances {
    passed: f64,
    failed: f64,
    undecided: f64,
    expected_games: f64,
}

impl Plan {
    fn of(sprt: &SprtForecast) -> Self {
        let test = sprt.forecast.test();
        let (elo, longest) = sprt.forecast.worst();
        Self {
            format: 1,
            model: test.model().name(),
            elo0: test.elo0(),
            elo1: test.elo1(),
            alpha: test.risks().alpha,
            beta: test.risks().beta,
            variance_per_game: sprt.forecast.variance_per_game(),
            seconds_per_game: sprt.length.as_ref().map(|(length, _)| length.each.as_secs_f64()),
            concurrency: sprt.length.as_ref().map(|(_, at_once)| *at_once),
            budget_games: sprt.games,
            worst: Longest { elo, games: longest.games },
            budget_sees: sprt.sight().map(|sight| Seen {
                sprt_at_worst: Units::of(sight.sequential_at_worst),
                sprt_at_bounds: Units::of(sight.sequential_at_bounds),
                fixed_detectable: Units::of(sight.fixed),
                fixed_interval: Units::of(sight.fixed_interval),
            }),
            predictions: sprt.predictions().iter().map(Predicted::of).collect(),
        }
    }
}

impl Units {
    fn of(difference: EloDifference) -> Self {
        Self { logistic: difference.logistic.0, normalized: difference.normalized.0 }
    }
}

impl Predicted {
    fn of(at: &Prediction) -> Self {
        Self {
            elo: at.elo,
            // Adding 0 removes the sign of -0.
            logistic: at.logistic + 0.0,
            pass_probability: at.pass,
            expected_games: at.games,
            passed_within_budget: at.within.map(|within| within.sprt.passed),
            failed_within_budget: at.within.map(|within| within.sprt.failed),
            undecided_within_budget: at.within.map(|within| within.sprt.undecided),
            expected_games_within_budget: at.within.map(|within| within.sprt_games),
            deadline: at.within.map(|within| DeadlineChances {
                passed: within.deadline.passed,
                failed: within.deadline.failed,
                undecided: within.deadline.undecided,
                expected_games: within.deadline_games,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_the_length_of_their_share() {
        let table =
            [(0.0, ""), (0.00625, "▏"), (0.05, "█"), (0.5, "██████████"), (1.0, "████████████████████")];
        for (share, drawn) in table {
            assert_eq!(bar(share), drawn, "{share}");
        }
    }
}
