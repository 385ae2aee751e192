//! `plan --takes`: a forecast of several takes against one base, by simulation of whole runs.

use std::num::NonZeroU32;

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::{PlanArgs, length};
use crate::output::game_length::GameLength;
use crate::output::sprt_forecast::{percent, rounded, spoken};
use crate::output::tables::table;
use crate::streams;
use threefold_run::takes::MOST_TAKES;
use threefold_stats::interval::Rate;
use threefold_stats::planning::pair_sampler::PairSchedule;
use threefold_stats::planning::takes::{TakeCounts, TakesCounts, TakesSimulation};
use threefold_stats::planning::takes_table::pairs_with;
use threefold_stats::planning::{Forecast, Openings};
use threefold_stats::takes::{BatchRule, Guarantee, TakesEnd};
use threefold_stats::{Logistic, Risks, Sprt};

/// Several takes.
#[derive(Debug, Clone, Args)]
pub struct PlanTakesArgs {
    /// Several takes against one base: the assumed true difference of each, such as 0,1,2,3
    #[arg(long, value_name = "ELO,ELO", value_delimiter = ',', allow_hyphen_values = true)]
    pub takes: Vec<f64>,
    /// What --alpha is with --takes: the error probability of the whole `family`, or of `each` take
    #[arg(long, value_name = "WHAT", default_value_t = Guarantee::Family, requires = "takes")]
    pub guarantee: Guarantee,
    /// End of a run with --takes: when the `first` take passes, or when `all` are decided
    #[arg(long, value_name = "WHEN", default_value_t = TakesEnd::FirstPass, requires = "takes")]
    pub stop: TakesEnd,
    /// Seed of the simulation of --takes
    #[arg(long, value_name = "N", default_value_t = 1, requires = "takes")]
    pub seed: u64,
}

/// The pairs that all simulated runs may have together, about a second's work; and the numbers of runs
/// between which it decides.
const MOST_PAIRS: f64 = 4e7;
const RUNS: (f64, f64) = (100.0, 2_000.0);

/// The most pairs of a take without --games: an SPRT takes a thousandth of it, and no simulation is endless.
const NO_LIMIT: u64 = 100_000_000;

/// Simulates and prints.
pub(super) fn run(args: &PlanArgs) -> anyhow::Result<()> {
    let found = simulate(args)?;
    let text = if args.json { serde_json::to_string_pretty(&found.json())? } else { found.text() };
    streams::result(&text)
}

/// A forecast.
struct TakesForecast<'a> {
    args: &'a PlanArgs,
    /// The differences in logistic Elo.
    logistic: Vec<f64>,
    counts: TakesCounts,
    /// The length of a game, if it is known, and the number of games at a time.
    length: Option<(GameLength, usize)>,
}

fn simulate(args: &PlanArgs) -> anyhow::Result<TakesForecast<'_>> {
    let PlanTakesArgs { takes: truths, guarantee, stop, seed } = &args.takes;
    anyhow::ensure!(
        (2..=MOST_TAKES).contains(&truths.len()) && truths.iter().all(|elo| elo.is_finite()),
        "--takes: give the true difference of each take, 2 to {MOST_TAKES} numbers such as 0,1,2,3"
    );
    anyhow::ensure!(
        args.budget.is_none(),
        "--budget: is for a test of two engines; with --takes, give the most games of a take by --games"
    );
    let number =
        u32::try_from(truths.len()).ok().and_then(NonZeroU32::new).context("--takes: name a take")?;
    let risks = guarantee.risks(Risks { alpha: args.alpha, beta: args.beta }, number);
    let test = Sprt::new(args.model, args.elo0, args.elo1, risks)?;
    let openings = Openings { draw_ratio: args.draw_ratio, bias: Logistic(args.bias) };
    let forecast = Forecast::new(test, openings)?;
    let takes: Vec<PairSchedule> = truths
        .iter()
        .map(|&elo| {
            let pairs = pairs_with(args.model, elo, openings);
            let impossible = || {
                format!("--takes: games with this draw rate cannot show {elo} Elo; give a smaller difference")
            };
            Ok(PairSchedule::constant(pairs.with_context(impossible)?))
        })
        .collect::<anyhow::Result<_>>()?;
    let limit = args.games.map_or(NO_LIMIT, |games| games.div_ceil(2));
    // In pairs: each take needs at most its limit, and at most the worst case of one test.
    let expected = forecast.worst().1.games.min(2.0 * limit as f64) / 2.0 * f64::from(number.get());
    let runs = (MOST_PAIRS / expected).clamp(RUNS.0, RUNS.1) as u64;
    let is_null: Vec<bool> = truths.iter().map(|&elo| elo <= args.elo0).collect();
    let batches = BatchRule::usual(0);
    let simulation = TakesSimulation { test: &test, takes: &takes, end: *stop, limit, batches };
    Ok(TakesForecast {
        args,
        // Adding 0 removes the sign of -0.
        logistic: truths.iter().map(|&elo| forecast.logistic(elo).0 + 0.0).collect(),
        counts: simulation.run(*seed, 0..runs, &is_null),
        length: length(args)?,
    })
}

impl TakesForecast<'_> {
    fn rate(&self, runs: u64) -> Rate {
        Rate { successes: runs, failures: self.counts.runs - runs }
    }

    /// `95.2 % (94.2 % to 96.0 %)`.
    fn share(&self, runs: u64) -> String {
        let rate = self.rate(runs);
        let interval = rate.wilson(0.05);
        format!(
            "{} ({} to {})",
            percent(rate.share().unwrap_or_default()),
            percent(interval.low),
            percent(interval.high)
        )
    }

    fn games_of(&self, take: &TakeCounts) -> f64 {
        2.0 * take.pairs as f64 / self.counts.runs as f64
    }

    fn text(&self) -> String {
        let PlanArgs { elo0, elo1, alpha, beta, model, takes, .. } = self.args;
        let of = match takes.guarantee {
            Guarantee::Family => "of the family",
            Guarantee::Each => "of each take",
        };
        let until = match takes.stop {
            TakesEnd::FirstPass => "until the first take passes",
            TakesEnd::AllDecided => "until all are decided",
        };
        let games = self.counts.mean_games();
        let time = self.length.as_ref().map(|(length, at_once)| spoken(length.seconds_of(games, *at_once)));
        let rows =
            takes.takes.iter().zip(&self.logistic).zip(&self.counts.takes).map(|((elo, logistic), take)| {
                vec![
                    format!("{elo:+.2}"),
                    format!("{logistic:+.2}"),
                    self.share(take.passed),
                    self.share(take.failed),
                    rounded(self.games_of(take)),
                    percent(self.games_of(take) / games),
                ]
            });
        format!(
            "SPRT [{elo0}, {elo1}] {} of {} takes {until}, α = {alpha} {of}, β = {beta}; {} simulated runs, seed {}.\n\
             Some take passes: {}; one for which H0 is true: {}. Games of all takes: {} on average{}.\n\n{}",
            model.unit(),
            takes.takes.len(),
            self.counts.runs,
            takes.seed,
            self.share(self.counts.some_passed),
            self.share(self.counts.null_passed),
            rounded(games),
            time.map_or_else(String::new, |time| format!(" (about {time})")),
            table(&[model.unit(), "logistic", "passes (95 %)", "rejected (95 %)", "games", "share"], rows)
        )
    }

    fn json(&self) -> TakesPlan {
        let rate = |runs: u64| self.rate(runs).share().unwrap_or_default();
        let games = self.counts.mean_games();
        let takes = &self.args.takes;
        TakesPlan {
            format: 1,
            model: self.args.model.name(),
            elo0: self.args.elo0,
            elo1: self.args.elo1,
            alpha: self.args.alpha,
            beta: self.args.beta,
            guarantee: takes.guarantee.name(),
            stop: takes.stop.name(),
            seed: takes.seed,
            runs: self.counts.runs,
            pass_probability: rate(self.counts.some_passed),
            error_probability: rate(self.counts.null_passed),
            expected_games: games,
            takes: takes
                .takes
                .iter()
                .zip(&self.counts.takes)
                .map(|(&elo, take)| PlannedTake {
                    elo,
                    pass_probability: rate(take.passed),
                    rejection_probability: rate(take.failed),
                    expected_games: self.games_of(take),
                })
                .collect(),
        }
    }
}

/// What `--json` prints.
#[derive(Serialize)]
struct TakesPlan {
    format: u32,
    model: &'static str,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    guarantee: &'static str,
    stop: &'static str,
    seed: u64,
    runs: u64,
    pass_probability: f64,
    error_probability: f64,
    expected_games: f64,
    takes: Vec<PlannedTake>,
}

#[derive(Serialize)]
struct PlannedTake {
    elo: f64,
    pass_probability: f64,
    rejection_probability: f64,
    expected_games: f64,
}
