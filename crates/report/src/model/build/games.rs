//! The games of a part and what they were played for.

use super::played::{Scheduled, result};
use super::{clocks, families, homogeneity, node_curve};
use crate::model::report::{
    Duel, MatchPart, MatchResult, NumberedGame, NumberedSummary, Rated, Standing, Test, TestStanding, Tuning,
};
use threefold_chess::clock::{ClockSource, Control, TimeControl};
use threefold_games::game::GameRecord;
use threefold_games::pairing::ScheduledGame;
use threefold_games::pgn::{PgnEngine, PgnOptions, PgnTags};
use threefold_games::playout::adjudication::AdjudicationMode;
use threefold_games::warning::WarningPolicy;
use threefold_player::{EngineBuild, EngineSpec};
use threefold_run::RecordedGame;
use threefold_run::calibration::{self, PlayerRating};
use threefold_run::distinct_pairs::{CountedTrial, PairCounting};
use threefold_run::job::{MatchTask, Part, Purpose, RunSpec, Task};
use threefold_run::run_record::PartResult;
use threefold_run::scheduler::PartEnding;
use threefold_run::tournament::ROUND_LABEL;
use threefold_stats::{AnyRule, GameResult};

/// A part of games; `None` for a suite.
pub(super) fn match_part(
    record: &PartResult<'_>,
    warnings: &WarningPolicy,
    counting: PairCounting,
) -> Option<MatchPart> {
    let task = record.match_task()?;
    let games: Vec<Scheduled<'_>> = record.games().collect();
    let (pairs, repeats) = record.counted_trials(counting);
    let standings: Vec<Standing> = task
        .engines
        .iter()
        .enumerate()
        .map(|(seat, engine)| {
            let results = games.iter().filter_map(|game| result(game, seat));
            Standing::from_results(&engine.name, results)
        })
        .collect();
    Some(MatchPart {
        name: record.part.name.clone(),
        labels: record.part.labels.clone(),
        terms: terms(task),
        openbench_terms: openbench_terms(task),
        planned: record.progress.jobs,
        ending: record.progress.ending.map(|ending| ending.to_string()),
        clocks: clocks::uses(task, &games, record.time_left),
        result: match_result(record, task, &games, &pairs),
        repeats,
        coupling: None,
        families: families::families(task, &games, counting),
        stretches: homogeneity::stretches(task, &games),
        slots: homogeneity::slots(task, &games, &record.workers),
        is_shadow: task.adjudication.mode() == AdjudicationMode::Shadow,
        curve: node_curve::over_nodes(task, &games),
        games: games
            .iter()
            .map(|(scheduled, game)| {
                let mut record = (*game).clone();
                warnings.apply(&mut record.warnings);
                NumberedSummary { number: scheduled.index + 1, record }
            })
            .collect(),
        games_with_moves: Vec::new(),
        standings,
        pgn: task.pgn.clone(),
    })
}

/// The most engines whose different limits are listed.
const MOST_LIMITS: usize = 4;

/// Limits and what makes the clocks run, in words.
fn terms(task: &MatchTask) -> String {
    let mut controls = task.engines.iter().map(|engine| engine.control.or(task.control).to_string());
    let first = controls.next().unwrap_or_else(|| task.control.to_string());
    let limits = if controls.all(|control| control == first) {
        first
    } else {
        let own = |engine: &EngineSpec| format!("{} {}", engine.name, engine.control.or(task.control));
        let limits: Vec<String> = task.engines.iter().map(own).collect();
        if limits.len() > MOST_LIMITS { "each engine's own limits".to_owned() } else { limits.join(", ") }
    };
    match task.clock_source {
        ClockSource::Wall => limits,
        pace @ ClockSource::Virtual { .. } => format!("{limits}, clock {pace}"),
    }
}

/// The limits of the first engine, its threads and its hash size, as OpenBench writes them: `8.0+0.08s
/// Threads=1 Hash=16MB`. A hash size that is not set is `?`.
fn openbench_terms(task: &MatchTask) -> String {
    let Some(engine) = task.engines.first() else { return String::new() };
    let control = engine.control.or(task.control);
    let limit = match control {
        Control { time: Some(TimeControl { moves, base, increment }), .. } => {
            let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
            format!("{moves}{:.1}+{:.2}s", base.as_secs_f64(), increment.as_secs_f64())
        }
        Control { movetime: Some(time), .. } => format!("MT={}", time.as_millis()),
        Control { nodes: Some(nodes), .. } => format!("N={nodes}"),
        Control { depth: Some(depth), .. } => format!("D={}", depth.0),
        _ => "?".to_owned(),
    };
    // UCI does not distinguish upper and lower case in names of options.
    let hash = engine.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Hash"));
    let hash = hash.and_then(|(_, size)| size.parse::<u32>().ok());
    let hash = hash.map_or_else(|| "?".to_owned(), |size| size.to_string());
    format!("{limit} Threads={} Hash={hash}MB", engine.threads())
}

/// A game with its PGN tags. `engines` are the builds that played, White first.
pub(crate) fn numbered(
    part: &Part,
    task: &MatchTask,
    scheduled: &ScheduledGame,
    game: GameRecord,
    engines: [Option<&EngineBuild>; 2],
) -> NumberedGame {
    let opening = task.openings.get(scheduled.opening);
    let tags = PgnTags {
        event: task.pgn.event.clone().unwrap_or_else(|| part.name.clone()),
        engines: engines.map(pgn_engine),
        site: task.pgn.site.clone().unwrap_or_else(|| "threefold".to_owned()),
        round: match (task.rules.cutechess, part.labels.get(ROUND_LABEL)) {
            // cutechess-cli numbers its rounds differently, and writes them without the number of the game.
            (Some(_), _) => scheduled.round.to_string(),
            (None, None) => format!("{}.{}", scheduled.round, scheduled.index % 2 + 1),
            (None, Some(round)) => format!("{round}.{}.{}", scheduled.round, scheduled.index % 2 + 1),
        },
        controls: task.terms(scheduled).controls,
        eco: opening.and_then(|opening| opening.eco.clone()),
        opening: opening.and_then(|opening| opening.name.clone()),
    };
    NumberedGame { number: scheduled.index + 1, tags, record: game }
}

/// A game of a run with its PGN tags, and how it is written.
pub(crate) fn numbered_of_run<'s>(
    spec: &'s RunSpec,
    found: RecordedGame<'_>,
) -> Option<(NumberedGame, &'s PgnOptions)> {
    let RecordedGame { part, scheduled, game, builds } = found;
    let part = &spec.parts[part];
    let Task::Match(task) = &part.task else { return None };
    let build = |engine: usize| builds.iter().find(|build| build.engine == task.engines[engine].text);
    let engines = [scheduled.white, scheduled.black].map(build);
    Some((numbered(part, task, &scheduled, game, engines), &task.pgn))
}

fn pgn_engine(build: Option<&EngineBuild>) -> PgnEngine {
    build.map_or_else(PgnEngine::default, |build| PgnEngine {
        id: build.engine_id.clone(),
        build: build.tag(),
    })
}

fn match_result(
    record: &PartResult<'_>,
    task: &MatchTask,
    games: &[Scheduled<'_>],
    pairs: &[CountedTrial],
) -> MatchResult {
    match &task.purpose {
        Purpose::Match if task.engines.len() == 2 => {
            MatchResult::Duel(Duel::of_counted(names(task), pairs).with_faults(faults(games)))
        }
        Purpose::Match => MatchResult::Table,
        Purpose::Test(rule) => MatchResult::Test(Box::new(test(record, task, (games, pairs), rule))),
        Purpose::Calibration => MatchResult::Ratings(ratings(task, games)),
        Purpose::Tuning => match record.progress.tune {
            Some(state) => MatchResult::Tuning(Box::new(Tuning::of_state(state))),
            None => MatchResult::Table,
        },
    }
}

/// The first engine and the second.
fn names(task: &MatchTask) -> [String; 2] {
    [0, 1].map(|seat: usize| task.engines.get(seat).map(|engine| engine.name.clone()).unwrap_or_default())
}

fn test(
    record: &PartResult<'_>,
    task: &MatchTask,
    (games, pairs): (&[Scheduled<'_>], &[CountedTrial]),
    rule: &AnyRule,
) -> Test {
    let standing = match record.progress.ending {
        Some(PartEnding::AcceptedH1) => TestStanding::AcceptedH1,
        Some(PartEnding::AcceptedH0) => TestStanding::AcceptedH0,
        Some(PartEnding::Undecided | PartEnding::Complete | PartEnding::FailedCases) => {
            TestStanding::BudgetSpent
        }
        Some(PartEnding::NoNewGames) => TestStanding::NoNewGames,
        Some(PartEnding::DependsOnFaults) => TestStanding::DependsOnFaults,
        Some(PartEnding::AnotherPassed) => TestStanding::AnotherPassed,
        Some(PartEnding::TooManyFaults) => TestStanding::TooManyFaults,
        None => TestStanding::Interrupted,
    };
    // The shares are those that the scheduler had: summaries of games have no thinking time.
    let shares = record.progress.test.map_or(&[][..], |test| test.shares.as_slice());
    let shares = shares.iter().copied().chain(std::iter::repeat(0.0));
    let pairs: Vec<CountedTrial> =
        pairs.iter().zip(shares).map(|(&trial, share)| CountedTrial { share, ..trial }).collect();
    let test = Test::of_counted(names(task), &pairs, rule, standing);
    Test { duel: test.duel.with_faults(faults(games)), ..test }
}

/// Games that the first engine and that the second lost by a fault.
fn faults(games: &[Scheduled<'_>]) -> [u64; 2] {
    [0, 1].map(|seat| {
        let lost =
            |game: &&Scheduled<'_>| game.1.end.is_fault() && result(game, seat) == Some(GameResult::Loss);
        games.iter().filter(lost).count() as u64
    })
}

/// Ratings relative to the first engine.
fn ratings(task: &MatchTask, games: &[Scheduled<'_>]) -> Result<Vec<Rated>, String> {
    let names: Vec<String> = task.engines.iter().map(|engine| engine.name.clone()).collect();
    let scale = calibration::fit(&names, games.iter().copied()).map_err(|unrated| unrated.to_string())?;
    let rated = scale.ratings.into_iter().enumerate().map(
        |(seat, PlayerRating { player, elo, error, points, games })| Rated {
            name: player,
            elo,
            error: (seat > 0).then_some(error),
            games,
            points,
        },
    );
    Ok(rated.collect())
}
