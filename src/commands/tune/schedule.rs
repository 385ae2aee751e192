//! The schedule of a tune on the command line, and `tune --schedule`.

use std::fmt::Write;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use crate::args::from_one;
use crate::exit::Exit;
use crate::streams;
use threefold_stats::spsa::{Parameters, Schedule};

/// The iterations of a tune, and the exponents of their gains.
#[derive(Debug, Clone, Args)]
pub struct ScheduleArgs {
    /// Number of iterations, in place of --games
    #[arg(long, value_name = "N", value_parser = from_one::<u32>)]
    pub iterations: Option<u32>,
    /// Number of games; the iterations are the whole ones that they suffice for
    #[arg(long, value_name = "N", value_parser = from_one::<u64>, conflicts_with = "iterations")]
    pub games: Option<u64>,
    /// Pairs of games of an iteration; all have the same values
    #[arg(long, value_name = "PAIRS", default_value_t = Schedule::PAIRS_PER, value_parser = from_one::<u32>)]
    pub pairs_per: u32,
    /// Exponent by which the gain r decreases
    #[arg(long, value_name = "NUMBER", default_value_t = Schedule::ALPHA, allow_negative_numbers = true)]
    pub alpha: f64,
    /// Exponent by which the distance c of the sides decreases
    #[arg(long, value_name = "NUMBER", default_value_t = Schedule::GAMMA, allow_negative_numbers = true)]
    pub gamma: f64,
    /// Ratio of A to the iterations: A delays the decrease of r
    #[arg(long, value_name = "NUMBER", default_value_t = Schedule::A_RATIO, allow_negative_numbers = true)]
    pub a_ratio: f64,
}

impl ScheduleArgs {
    /// The schedule.
    ///
    /// # Errors
    /// If there are no iterations, or a number is none that a schedule can have.
    pub(super) fn read(&self) -> anyhow::Result<Schedule> {
        let iterations = match (self.iterations, self.games) {
            (Some(iterations), _) => iterations,
            (None, Some(games)) => u32::try_from(games / (2 * u64::from(self.pairs_per)))
                .with_context(|| format!("--games: {games} are too many"))?,
            (None, None) => {
                anyhow::bail!("the length of the tune is missing; give --games N or --iterations N")
            }
        };
        Ok(Schedule::new(iterations, self.pairs_per, [self.alpha, self.gamma, self.a_ratio])?)
    }
}

/// The gains of a parameter after a number of games.
#[derive(Serialize)]
struct Line<'p> {
    games: u64,
    name: &'p str,
    a: f64,
    c0: f64,
    c: f64,
    r: f64,
}

/// Prints the gains of all parameters after these numbers of games, or in the first and the last iteration.
pub(super) fn print(schedule: &Schedule, parameters: &Parameters, at: &[u64]) -> anyhow::Result<Exit> {
    // The games before the first and before the last iteration.
    let ends = [0, schedule.games() - schedule.games_per()];
    let mut text = String::new();
    for &games in if at.is_empty() { &ends[..] } else { at } {
        for parameter in parameters.all() {
            let (start, gains) = (schedule.start(parameter), schedule.gains(parameter, games));
            let line = Line { games, name: &parameter.name, a: start.a, c0: start.c, c: gains.c, r: gains.r };
            writeln!(text, "{}", serde_json::to_string(&line)?)?;
        }
    }
    streams::results(&text)?;
    Ok(Exit::Fine)
}
