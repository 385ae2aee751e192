//! The check of a run's engines before its first job.

use shakmaty::CastlingMode;

use super::first_move::{self, FirstMove};
use super::worker::{engine_error, launch_options_for};
use super::{PoolConfig, RunError};
use crate::job::{SuiteTask, Task};
use crate::prepared::PreparedRun;
use crate::scheduler::Scheduler;
use threefold_chess::clock::ClockSource;
use threefold_chess::uci::UciOption;
use threefold_player::{EngineFault, EngineId, EngineSpec, Player};

/// What engines must do before the first job of a new run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preflight {
    /// They must start and accept their options.
    Start,
    /// The engines of a match are also asked for their first move, if they play on the wall clock.
    FirstMove,
}

/// What the check found.
#[derive(Default)]
pub(super) struct PreflightResult {
    /// The engines' answers to `uci`.
    pub(super) engine_ids: Vec<(EngineSpec, EngineId)>,
    /// The options that the engines list.
    pub(super) offers: Vec<(EngineSpec, Vec<UciOption>)>,
    /// The first moves of the engines of matches, if they were asked for.
    pub(super) first_moves: Vec<FirstMove>,
}

/// Launches every engine that is still needed once, so that a wrong path or option ends the run before its
/// first job.
pub(super) fn preflight(
    prepared: &PreparedRun,
    scheduler: &Scheduler,
    config: &PoolConfig<'_>,
) -> Result<PreflightResult, RunError> {
    let mut found = PreflightResult::default();
    let mut seen: Vec<(&EngineSpec, ClockSource)> = Vec::new();
    let parts = prepared.spec().parts.iter().zip(scheduler.parts()).enumerate();
    let open = parts.filter(|(_, (_, progress))| progress.ending.is_none());
    let open = open.map(|(number, (part, _))| (Some(number), &part.task));
    // Some engines of a knockout tournament have no game in the first round, so a new one is checked as a
    // whole.
    let is_new = scheduler.parts().all(|part| part.ended == 0);
    let tournament = prepared.spec().knockout.as_deref().filter(|_| is_new);
    let tournament = tournament.map(|games| Task::Match(games.clone()));
    for (number, task) in tournament.iter().map(|task| (None, task)).chain(open) {
        for (index, (spec, pace)) in players_needed(prepared, number, task).into_iter().enumerate() {
            if config.launch_options.stop.is_raised() {
                return Ok(found);
            }
            if !seen.contains(&(spec, pace)) {
                seen.push((spec, pace));
                let traffic = config.launch_options.traffic.for_engine(&spec.name);
                let options = launch_options_for(&config.launch_options, pace, &spec.control, &traffic);
                let launched = options.capabilities.launch(spec, pace, || (config.launch)(spec, &options));
                let checked =
                    launched.and_then(|mut player| check_openings(task, &mut *player).map(|()| player));
                match checked {
                    Ok(mut player) => {
                        if let (Task::Match(games), Preflight::FirstMove) = (task, config.preflight) {
                            found.first_moves.extend(first_move::ask(games, index, &mut *player));
                        }
                        if !found.engine_ids.iter().any(|(known, _)| known == spec) {
                            found.engine_ids.push((spec.clone(), player.engine_id()));
                            found.offers.extend(player.offers().map(|offers| (spec.clone(), offers)));
                        }
                    }
                    Err(EngineFault::Interrupted) => {}
                    // Its cases are skipped one by one.
                    Err(EngineFault::NotSupported(_)) if matches!(task, Task::Suite(_)) => {}
                    Err(_) if config.launch_options.stop.is_raised() => {}
                    Err(fault) => return Err(engine_error(spec, fault, &traffic)),
                }
            }
        }
    }
    Ok(found)
}

/// Checks that an engine can play every opening of a match. The needs of suite cases are checked case by
/// case.
fn check_openings(task: &Task, player: &mut dyn Player) -> Result<(), EngineFault> {
    let Task::Match(games) = task else { return Ok(()) };
    let unlike = games
        .openings
        .iter()
        .take(games.schedule().openings_needed())
        .filter(|opening| CastlingMode::detect(opening.history.start.as_setup()).is_chess960());
    unlike.take(1).try_for_each(|opening| player.check(&opening.history))
}

/// The engines of a part's jobs, with their clocks.
fn players_needed<'t>(
    prepared: &PreparedRun,
    part: Option<usize>,
    task: &'t Task,
) -> Vec<(&'t EngineSpec, ClockSource)> {
    match task {
        Task::Match(games) => {
            games.engines.iter().enumerate().map(|(at, spec)| (spec, games.clock_source(at))).collect()
        }
        Task::Suite(SuiteTask { engine, .. }) => {
            let suites = part.and_then(|part| prepared.suite(part)).into_iter();
            suites
                .flat_map(|suite| &suite.definitions)
                .map(|entry| (engine, entry.info.clock_source))
                .collect()
        }
    }
}
