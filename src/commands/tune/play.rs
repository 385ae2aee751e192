//! A tune is played, and its result is tested.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::Path;

use anyhow::Context;
use clap::Args;
use threefold_named_enum::named_enum;

use super::parameters;
use super::{TuneArgs, engine};
use crate::args::{from_one, number_of_games};
use crate::commands::games::{self, Printed, PrintedForm};
use crate::exit::Exit;
use crate::files;
use crate::output::sprt_forecast::ASSUMED;
use threefold_games::pairing::TournamentFormat;
use threefold_run::job::Undecided;
use threefold_run::tune;
use threefold_run::tune::parameter_file::ParameterFile;
use threefold_run::{Purpose, ResultTest, Task, TuneRule};
use threefold_stats::deadline::DeadlineTest;
use threefold_stats::planning::detectable::DetectableDifferences;
use threefold_stats::spsa::Schedule;
use threefold_stats::{AnyRule, EloHypotheses, EloModel, Risks, Sprt, SprtConfig};

named_enum! {
    /// The test of a tune's result.
    pub enum ResultRule {
        /// A test that ends at its last game with the power of a match of that length, or earlier.
        Deadline = "deadline",
        /// An SPRT, which may end without a decision.
        Sprt = "sprt",
    }
}

/// How the games of a tune are scheduled, and the test of the result.
#[derive(Debug, Clone, Args)]
pub struct PlayArgs {
    /// Seed of the flips and of the rounding
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Pairs of games whose results later values do not wait for; give at least the number of games at a time
    /// [default: 64, and at most a twentieth of all pairs]
    #[arg(long, value_name = "PAIRS", value_parser = from_one::<NonZeroU32>)]
    pub ahead: Option<NonZeroU32>,
    /// Do not test the result
    #[arg(long, conflicts_with_all = ["test_rule", "test_games", "test_elo1"])]
    pub no_test: bool,
    /// Test of the tuned values against those of the start: `deadline` or `sprt`
    #[arg(long, value_name = "RULE", default_value_t = ResultRule::Deadline)]
    pub test_rule: ResultRule,
    /// Maximum number of games of the test [default: those of the tune]
    #[arg(long, value_name = "N", value_parser = number_of_games)]
    pub test_games: Option<usize>,
    /// Elo difference under H1, normalized; that under H0 is 0 [default: what the games of the test can show]
    #[arg(long, value_name = "ELO")]
    pub test_elo1: Option<f64>,
}

/// The usual number of pairs ahead, and the share of all pairs that it may be.
const AHEAD: u64 = 64;
const SHARE_AHEAD: u64 = 20;

/// What to do about a test with too few games.
const TOO_FEW: &str = "the test of the result: give more --test-games, or --no-test";

/// The largest difference that a test is for without --test-elo1, in normalized Elo.
const MOST_ELO: f64 = 200.0;

/// The steps of the difference that a test is for, in normalized Elo.
const ELO_STEP: f64 = 0.5;

/// Plays the games of the tune and of its test.
///
/// # Errors
/// If the parameters don't fit the engine, or the run can't begin.
pub(super) fn play(
    args: &TuneArgs,
    schedule: Schedule,
    path: &Path,
    file: ParameterFile,
) -> anyhow::Result<Exit> {
    let given = args.engine.as_deref().context("--engine: name the engine that is tuned")?;
    let engine = files::engine(given, &args.game.each)?;
    anyhow::ensure!(
        args.game.games_per_round == 2,
        "--games-per-round: a tune plays pairs of games with reversed colours; leave it out"
    );
    parameters::check(path, &file, &engine, &engine::options(&engine, args.game.run_options.startup)?)?;
    let test = result_test(&args.play, &schedule)?;
    // The test continues in the book where the tune ended, so both have openings of their own.
    let most = schedule.games() as usize + test.as_ref().map_or(0, |test| 2 * test.pairs);
    let engines = vec![engine.clone(), engine.clone()];
    let games = games::task(&args.game, engines, TournamentFormat::Gauntlet, most, Purpose::Match)?;
    let ahead = ahead(args.play.ahead, &schedule);
    let at_once = u64::from(ahead) * schedule.games_per();
    let jobs = args.game.run_options.workers().get();
    if (jobs as u64) > at_once {
        args.game.run_options.inform(&format!(
            "at most {at_once} games are played at a time, since later values depend on them; give --ahead {} for {jobs}",
            jobs.div_ceil(2)
        ));
    }
    let rule = TuneRule { parameters: file.parameters, schedule, ahead, test };
    let spec = tune::spec(&engine, games, rule, args.play.seed)?;
    let Task::Match(task) = &spec.parts[0].task else { unreachable!("a tune is a match") };
    let machine = games::check_of(task, &args.game);
    let form = if args.json { PrintedForm::Json } else { PrintedForm::Text };
    // The exit code is 0 only if the tuned values are shown to be stronger.
    games::play_run("tune", &args.game, spec, machine, Printed { form, undecided: Undecided::Fail })
}

/// The number of iterations that can be played at a time.
fn ahead(pairs: Option<NonZeroU32>, schedule: &Schedule) -> u32 {
    let usual = AHEAD.min(schedule.games() / 2 / SHARE_AHEAD);
    let pairs = pairs.map_or(usual, |pairs| u64::from(pairs.get()));
    // In whole iterations, and one at least: without it no game could be played.
    u32::try_from(pairs.div_ceil(schedule.pairs_per().into())).unwrap_or(u32::MAX).max(1)
}

/// The test of the result that the command line describes; `None` with --no-test.
fn result_test(args: &PlayArgs, schedule: &Schedule) -> anyhow::Result<Option<ResultTest>> {
    if args.no_test {
        return Ok(None);
    }
    let games = args.test_games.unwrap_or(schedule.games() as usize);
    let pairs = games.div_ceil(2);
    let elo1 = match args.test_elo1 {
        Some(elo1) => elo1,
        None => elo_of_games(2 * pairs),
    };
    let rule: AnyRule = match args.test_rule {
        ResultRule::Deadline => {
            let hypotheses =
                EloHypotheses::new(EloModel::Normalized, 0.0, elo1, Risks::USUAL).context("--test-elo1")?;
            let length = NonZeroU64::new(pairs as u64).unwrap_or(NonZeroU64::MIN);
            let test = DeadlineTest::new(hypotheses, length).context("--test-games")?;
            if let Some(variance) = ASSUMED.variance_per_game() {
                test.check_power(2.0 * pairs as f64, variance).context(TOO_FEW)?;
            }
            test.into()
        }
        ResultRule::Sprt => {
            let sprt = Sprt::new(EloModel::Normalized, 0.0, elo1, Risks::USUAL).context("--test-elo1")?;
            SprtConfig::from(sprt).into()
        }
    };
    Ok(Some(ResultTest { rule, pairs }))
}

/// The normalized Elo that a match of this number of games distinguishes from 0.
fn elo_of_games(games: usize) -> f64 {
    // The variance has no influence on the result, which is in normalized Elo.
    let variance = ASSUMED.variance_per_game().unwrap_or(0.25);
    let found = DetectableDifferences::with_games(games as f64, Risks::USUAL, variance).fixed.normalized.0;
    // Rounded up, so that the games suffice for the difference.
    ((found / ELO_STEP).ceil() * ELO_STEP).min(MOST_ELO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_ahead_depend_on_the_length_alone() {
        let of = |pairs: Option<u32>, iterations, pairs_per| {
            ahead(pairs.and_then(NonZeroU32::new), &Schedule::usual(iterations, pairs_per).expect("sound"))
        };
        assert_eq!(of(None, 2_000, 8), 8);
        assert_eq!(of(None, 2_000, 1), 64);
        assert_eq!(of(None, 100, 8), 5);
        assert_eq!(of(None, 3, 8), 1);
        assert_eq!([of(Some(1), 100, 8), of(Some(17), 100, 8)], [1, 3]);
    }

    #[test]
    fn test_is_for_the_difference_that_its_games_can_show() {
        // (1.645 + 1.645)² (800 / ln 10 / 5)² = 52,255 games for 5 normalized Elo.
        let elo = [52_256, 52_254, 4_000].map(|games| elo_of_games(games).to_string());
        assert_eq!(elo, ["5", "5.5", "18.5"]);
    }
}
