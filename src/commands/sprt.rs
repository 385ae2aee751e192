//! `sprt`: games between two engines until a sequential test decides.

mod takes;

use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use self::takes::TakesArgs;
use super::games::{self, Printed, PrintedFlags, PrintedForm};
use crate::args::{GameArgs, engine_help, from_one, number_of_games};
use crate::exit::Exit;
use crate::files;
use crate::output::game_length::GameLength;
use crate::output::sprt_forecast::ASSUMED;
use threefold_games::pairing::TournamentFormat;
use threefold_run::job::Undecided;
use threefold_run::regress::time_budget;
use threefold_run::{MatchTask, Purpose};
use threefold_stats::deadline::DeadlineTest;
use threefold_stats::{EloHypotheses, EloModel, Overshoot, Risks, Sprt, SprtConfig, TrialUnit};

/// `threefold sprt`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold sprt --engine ./new --engine ./old --elo0 0 --elo1 5 --tc 8+0.08\n  \
    threefold sprt --engine ./new --engine ./old --elo0 0 --elo1 20 --tc 8+0.08 --budget 6h --deadline\n  \
    threefold sprt --engine ./old --take ./new-1 --take ./new-2 --elo0 0 --elo1 5 --tc 8+0.08\n\n\
    Exit code: 0 when H1 is accepted or the games end undecided (1 with --undecided fail), 1 when H0 is accepted, \
    3 when engine faults stop it. With --take: 0 when a take passes or all end undecided, 1 when none passes and one is rejected, 3 \
    when none passes and one left because of engine faults."
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
    /// Several takes against one base, in place of two engines
    #[command(flatten)]
    pub takes: TakesArgs,
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
    /// End at the last game of --games or --budget with the power of a match of that length, and earlier if the
    /// rest would hardly change the result; in place of the SPRT
    #[arg(long, conflicts_with_all = ["batch", "overshoot", "counts"])]
    pub deadline: bool,
    /// Exit code of an undecided test: `pass` is 0, `fail` is 1
    #[arg(long, value_name = "HOW", default_value_t = Undecided::Pass)]
    pub undecided: Undecided,
    /// The form of the printed result
    #[command(flatten)]
    pub printed: PrintedFlags,
    /// Conditions of the games
    #[command(flatten)]
    pub game: GameArgs,
}

impl SprtArgs {
    /// The error probabilities of the test.
    const fn risks(&self) -> Risks {
        Risks { alpha: self.alpha, beta: self.beta }
    }
}

/// Plays until the test decides or the games run out.
pub fn run(args: &SprtArgs) -> anyhow::Result<Exit> {
    if !args.takes.takes.is_empty() {
        return takes::run(args);
    }
    games::play("sprt", &args.game, task(args)?, printed(args))
}

/// The test of two engines that the command line describes, with all its checks that need no engine.
///
/// # Errors
/// If a value is wrong, or a file can't be read.
pub(super) fn task(args: &SprtArgs) -> anyhow::Result<MatchTask> {
    anyhow::ensure!(
        args.takes.seed.is_none(),
        "--seed: is for several takes (--take); --order random:N shuffles the openings with the seed N"
    );
    let engines = files::engines(&args.engines, &args.game.each)?;
    anyhow::ensure!(
        engines.len() == 2,
        "an SPRT needs exactly two engines; give --engine NEW --engine BASE, or --engine BASE with several --take"
    );
    let rule =
        if args.deadline { deadline_test(args)?.into() } else { sprt_config(args, args.risks())?.into() };
    let purpose = Purpose::Test(rule);
    let task = games::task(&args.game, engines, TournamentFormat::Gauntlet, args.games, purpose)?;
    if args.deadline {
        check_power(args, &task)?;
    }
    // In a second, each of the games that run at a time uses a second of thinking time.
    let jobs = u32::try_from(args.game.run_options.workers().get()).unwrap_or(u32::MAX);
    Ok(MatchTask { budget: args.budget.map(|time| time.saturating_mul(jobs)), ..task })
}

/// What is printed at the end.
const fn printed(args: &SprtArgs) -> Printed {
    Printed { form: PrintedForm::of_flags(&args.printed), undecided: args.undecided }
}

/// The test with a deadline that the command line describes.
fn deadline_test(args: &SprtArgs) -> anyhow::Result<DeadlineTest> {
    let hypotheses = EloHypotheses::new(args.model, args.elo0, args.elo1, args.risks())?;
    let pairs = NonZeroU64::new(args.games.div_ceil(2) as u64).unwrap_or(NonZeroU64::MIN);
    DeadlineTest::new(hypotheses, pairs).context("--deadline")
}

/// Refuses a deadline with too few games for the hypotheses. The length of a game is an estimate.
fn check_power(args: &SprtArgs, task: &MatchTask) -> anyhow::Result<()> {
    let engines: Vec<_> = task.engines.iter().map(|engine| (engine.control.or(task.control), None)).collect();
    let in_time = args.budget.zip(GameLength::of_engines(&engines));
    let in_time = in_time.map(|(time, length)| length.games_in(time, args.game.run_options.workers().get()));
    let games = in_time.unwrap_or(f64::INFINITY).min(args.games as f64);
    // The variance matters in logistic Elo only.
    let Some(variance) = ASSUMED.variance_per_game() else { return Ok(()) };
    deadline_test(args)?.check_power(games.floor(), variance).context("--deadline")
}

/// The test that the command line describes, with these error probabilities.
fn sprt_config(args: &SprtArgs, risks: Risks) -> anyhow::Result<SprtConfig> {
    let sprt = Sprt::new(args.model, args.elo0, args.elo1, risks)?;
    let usual = if args.game.games_per_round == 1 { TrialUnit::Games } else { TrialUnit::usual(args.model) };
    Ok(SprtConfig::new(sprt, args.counts.unwrap_or(usual), args.batch, args.overshoot)?)
}
