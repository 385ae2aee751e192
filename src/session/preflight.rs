//! The checks before the first game: threads that `--affinity` has no CPU for, and in `match` and `sprt` the
//! first moves of the engines, with one line about the number of games and the time that they take.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::placement;
use crate::args::{Affinity, RunOptions};
use crate::machine::wakeups;
use crate::output::game_length::GameLength;
use crate::output::sprt_forecast::{ASSUMED, cost, percent, rounded, spoken};
use crate::streams;
use threefold_chess::clock::ClockSource;
use threefold_games::pairing::{ResultRounds, TournamentFormat};
use threefold_run::pool::{FirstMove, FirstMoveOutcome, PoolConfig, Preflight, PreparedPool};
use threefold_run::{MatchTask, RunSpec, Task};
use threefold_stats::deadline::deadline_test;
use threefold_stats::planning::Openings;
use threefold_stats::{EloHypotheses, EloModel};

/// Checks that the engines can play the games; returns a line for each match with how long it takes.
///
/// # Errors
/// If an engine is too slow for its limits, and `--force` is not given.
pub(super) fn check(
    spec: &RunSpec,
    ready: &PreparedPool,
    pool: &PoolConfig<'_>,
    options: &RunOptions,
) -> anyhow::Result<Vec<String>> {
    // After Ctrl-C some engines have no first move.
    if pool.preflight != Preflight::FirstMove || pool.launch_options.stop.is_raised() {
        return Ok(Vec::new());
    }
    let matches =
        spec.parts.iter().filter(|_| spec.tournament.is_none()).filter_map(|part| match &part.task {
            Task::Match(task) => Some(task),
            Task::Suite(_) => None,
        });
    if spec.takes.is_some() {
        let (task, moves) = all_takes(&matches.collect::<Vec<_>>(), ready.first_moves());
        let line = check_task(&task, &moves, pool.workers, options)?;
        return Ok(vec![format!("{line}; each take has a test of its own")]);
    }
    // The engines of a tournament are asked all at once.
    let tasks = spec.tournament.as_deref().into_iter().chain(matches);
    tasks.map(|task| check_task(task, ready.first_moves(), pool.workers, options)).collect()
}

/// All games of several takes as one match, with the base last, and the first moves of its engines.
fn all_takes(tasks: &[&MatchTask], moves: &[FirstMove]) -> (MatchTask, Vec<FirstMove>) {
    let takes = tasks.iter().map(|task| task.engines[0].clone());
    let base = tasks.first().map(|task| task.engines[1].clone());
    let encounters = tasks.iter().map(|task| task.encounters).sum();
    let engine = |first: &FirstMove| if first.engine == 0 { first.part } else { Some(tasks.len()) };
    let moves =
        moves.iter().map(|first| FirstMove { engine: engine(first).unwrap_or_default(), ..first.clone() });
    let all = MatchTask { engines: takes.chain(base).collect(), encounters, ..tasks[0].clone() };
    (all, moves.collect())
}

/// An engine with several threads needs more than the CPU of its game.
pub(super) fn check_threads(spec: &RunSpec, options: &RunOptions) -> anyhow::Result<()> {
    if !matches!(options.affinity, Some(Affinity::Cpus(_))) {
        return Ok(());
    }
    match placement::needs_more_than_one(spec) {
        None => Ok(()),
        Some(why) => anyhow::bail!("--affinity gives each game one CPU, and {why}; leave --affinity out"),
    }
}

/// Refuses games that an engine can only lose on time, warns of engines that do not move, and returns the
/// line.
fn check_task(
    task: &MatchTask,
    moves: &[FirstMove],
    at_once: NonZeroUsize,
    options: &RunOptions,
) -> anyhow::Result<String> {
    for FirstMove { engine, outcome, .. } in moves {
        let name = &task.engines[*engine].name;
        let complaint = match outcome {
            FirstMoveOutcome::Moved { .. } => continue,
            FirstMoveOutcome::Fault(fault) => {
                format!("engine `{name}` does not answer in the first opening: {fault}")
            }
            FirstMoveOutcome::Illegal { given } => {
                format!("engine `{name}` plays no legal move in the first opening: {given}")
            }
            FirstMoveOutcome::TooLate { time, over, round_trip } => {
                let why = too_late(task, *engine, *time, *over, *round_trip);
                anyhow::ensure!(options.force, "{why}; --force plays the games all the same");
                why
            }
        };
        streams::notice(&format!("warning: {complaint}"));
    }
    Ok(line(task, moves, at_once))
}

/// Why an engine can only lose on time.
fn too_late(
    task: &MatchTask,
    engine: usize,
    time: Duration,
    over: Duration,
    round_trip: Option<Duration>,
) -> String {
    let spec = &task.engines[engine];
    let control = spec.control.or(task.control);
    // `time - over` is what the control allows. An exchange that takes as long leaves nothing for the search.
    let overhead = round_trip.filter(|trip| *trip + over >= time);
    let because = overhead.map_or_else(String::new, |trip| {
        format!("; the exchange of a command and its answer alone takes {}", wakeups::text(trip))
    });
    format!(
        "engine `{}` can only lose on time: its first move takes {}, {} more than `{control}` allows without a margin{because}; \
         give more time, or timemargin={} or more",
        spec.name,
        wakeups::text(time),
        wakeups::text(over),
        // Rounded up: the margin must exceed the delay.
        over.as_millis() + 1
    )
}

/// `preflight: A moves after 0.3 s, B after 0.3 s; 100 games, 2 at a time, about 16 min; …`
fn line(task: &MatchTask, moves: &[FirstMove], at_once: NonZeroUsize) -> String {
    let schedule = task.schedule();
    let ResultRounds { rounds, encounters } =
        schedule.result_rounds().unwrap_or(ResultRounds { rounds: 1, encounters: 1 });
    let number = encounters * schedule.regular_games();
    let at_once = at_once.get().min(number);
    let measured: Vec<String> = moves
        .iter()
        .filter_map(|first| match first.outcome {
            // Of a shortened search the time says nothing.
            FirstMoveOutcome::Moved { time, is_bounded: false } => {
                Some(format!("{} moves after {}", task.engines[first.engine].name, wakeups::text(time)))
            }
            _ => None,
        })
        .collect();
    let length = length(task, moves);
    let mut parts: Vec<String> = if measured.is_empty() { Vec::new() } else { vec![measured.join(", ")] };
    let most = if task.test().is_some() { "at most " } else { "" };
    let games = match task.format {
        TournamentFormat::Knockout => {
            let games = schedule.regular_games();
            format!("{encounters} encounters of {games} games or more, {at_once} at a time")
        }
        TournamentFormat::Swiss => {
            let games = schedule.regular_games();
            format!("{rounds} rounds, {encounters} encounters of {games} games, {at_once} at a time")
        }
        TournamentFormat::RoundRobin | TournamentFormat::Gauntlet | TournamentFormat::Pyramid => {
            format!("{most}{number} games, {at_once} at a time")
        }
    };
    let forecast = test_forecast(task, length.clone(), at_once);
    let time = length.as_ref().filter(|_| forecast.is_none());
    let time = time.map(|length| spoken(length.seconds_of(number as f64, at_once)));
    parts.push(time.map_or_else(|| games.clone(), |time| format!("{games}, about {time}")));
    parts.extend(forecast);
    parts.extend(length.map(|length| length.assumed));
    let last = schedule.regular_games().checked_sub(1).and_then(|last| schedule.game(last));
    let openings = rounds * last.map_or(0, |game| game.round);
    parts.push(book(openings, schedule.openings));
    format!("preflight: {}", parts.join("; "))
}

/// The expected length of the games, if wall time or the first moves say something about it.
fn length(task: &MatchTask, moves: &[FirstMove]) -> Option<GameLength> {
    let engines =
        task.engines.iter().enumerate().filter(|(index, _)| task.clock_source(*index) == ClockSource::Wall);
    let sides: Vec<_> = engines
        .map(|(index, engine)| {
            let first = moves.iter().find(|first| first.engine == index).map(|first| &first.outcome);
            let first = match first {
                Some(FirstMoveOutcome::Moved { time, is_bounded: false }) => Some(*time),
                _ => None,
            };
            (engine.control.or(task.control), first)
        })
        .collect();
    // A virtual clock does not say how much wall time a game takes.
    if sides.len() < task.engines.len() { None } else { GameLength::of_engines(&sides) }
}

/// The forecast of a test, if there is one.
fn test_forecast(task: &MatchTask, length: Option<GameLength>, at_once: usize) -> Option<String> {
    let rule = task.test()?;
    if rule.has_deadline() {
        return deadline_forecast(task, rule.hypotheses(), length.as_ref());
    }
    let (hypotheses, expected) = (rule.hypotheses(), rule.expected_length(ASSUMED)?);
    let length = length.map(|length| (length, at_once));
    let cost = cost(rule.kind().title, hypotheses, expected, length.as_ref());
    let Openings { draw_ratio, bias } = ASSUMED;
    let assumed = format!("assuming {} % draws and an opening bias of {} Elo", draw_ratio * 100.0, bias.0);
    // Draws and openings have no influence on the length of a test in normalized Elo.
    Some(if hypotheses.model() == EloModel::Logistic { format!("{cost}, {assumed}") } else { cost })
}

/// The power of a test with a deadline: after all its games, or after those that its time is enough for.
fn deadline_forecast(
    task: &MatchTask,
    hypotheses: &EloHypotheses,
    length: Option<&GameLength>,
) -> Option<String> {
    // The budget is the thinking time of all games together.
    let in_time = task.budget.zip(length).map_or(f64::INFINITY, |(time, length)| length.games_in(time, 1));
    let games = in_time.min(task.schedule().games() as f64);
    let power = deadline_test::power(hypotheses, ASSUMED.variance_per_game()?, games);
    Some(format!(
        "test with a deadline {hypotheses} {}: about {} games, with a probability of {} of accepting H1 if it is true",
        hypotheses.model().unit(),
        rounded(games),
        percent(power)
    ))
}

/// How much of the book is used.
fn book(rounds: usize, openings: usize) -> String {
    if rounds <= openings {
        return format!("{rounds} of {openings} openings");
    }
    let times = rounds.div_ceil(openings.max(1));
    match openings {
        1 => format!("the one opening {times} times"),
        _ => format!("{openings} openings, up to {times} times each"),
    }
}
