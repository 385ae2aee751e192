//! `plan`: the expected length of a sequential test.

use std::num::NonZeroU32;

use serde::Serialize;

use crate::args::PlanArgs;
use crate::exit::Exit;
use crate::input::search_limits;
use crate::output::game_length::GameLength;
use crate::output::sprt_forecast::{Prediction, SprtForecast, percent, rounded};
use crate::output::tables::table;
use crate::{machine, streams};
use threefold_stats::planning::{EloDifference, Forecast, Openings};
use threefold_stats::{Logistic, Risks, Sprt};

/// Forecasts a test.
pub fn run(args: &PlanArgs) -> anyhow::Result<Exit> {
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
    anyhow::ensure!(
        (0.0..=1.0).contains(&args.draw_ratio),
        "--draw-ratio {}: give a share from 0 to 1, such as 0.6 for 60 %",
        args.draw_ratio
    );
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
    let unit = text.forecast.test().model().unit();
    let mut header = vec![unit, "logistic", "H1 accepted", "", "games", "time"];
    if text.games.is_some() {
        header.extend(["H1 in budget", "H0 in budget", "undecided"]);
    }
    let rows = text.predictions();
    streams::result(&format!("\n{}", table(&header, rows.iter().map(|at| row(text, at)))))
}

fn row(text: &SprtForecast, at: &Prediction) -> Vec<String> {
    let mut row = vec![
        format!("{:+.2}", at.elo),
        // Adding 0 turns -0 into 0, which has no sign.
        format!("{:+.2}", at.logistic + 0.0),
        percent(at.pass),
        bar(at.pass),
        rounded(at.games),
        text.time(at.games).unwrap_or_else(|| "?".to_owned()),
    ];
    row.extend(
        at.within.iter().flat_map(|within| [within.passed, within.failed, within.undecided].map(percent)),
    );
    row
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
            logistic: at.logistic + 0.0,
            pass_probability: at.pass,
            expected_games: at.games,
            passed_within_budget: at.within.map(|within| within.passed),
            failed_within_budget: at.within.map(|within| within.failed),
            undecided_within_budget: at.within.map(|within| within.undecided),
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
