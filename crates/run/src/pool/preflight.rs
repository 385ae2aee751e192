//! The check of a run's engines before its first job. The players that it started play on: the first worker
//! gets them.

use std::cell::LazyCell;
use std::sync::mpsc::{self, Sender};
use std::{panic, thread};

use shakmaty::CastlingMode;

use super::cached_player::{CachedPlayer, START_ATTEMPTS, StartedPlayers};
use super::engine_launch::{engine_error, launch_options_for, suite_control};
use super::first_move::{self, FirstMove};
use super::{PoolConfig, RunError};
use crate::job::{SuiteTask, Task};
use crate::prepared::PreparedRun;
use crate::scheduler::Scheduler;
use threefold_chess::clock::{ClockSource, Control};
use threefold_chess::uci::UciOption;
use threefold_player::system::affinity;
use threefold_player::{
    EngineBuild, EngineFault, EngineFiles, EngineId, EngineSpec, LaunchOptions, NoticeReceiver, Player,
};
use threefold_suites::OptionOverrides;

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
    /// The players, if this process runs the jobs.
    pub(super) started: Option<StartedPlayers>,
}

/// The builds of the engines. The first use waits until the files of the engines are read.
pub(super) type LazyBuilds = LazyCell<Vec<EngineBuild>, Box<dyn FnOnce() -> Vec<EngineBuild>>>;

/// Launches every engine that is still needed once, so that a wrong path or option ends the run before its
/// first job. It is done on the CPU of the first worker, which gets the players.
pub(super) fn preflight(
    prepared: &PreparedRun,
    scheduler: &Scheduler,
    config: &PoolConfig<'_>,
) -> Result<(PreflightResult, LazyBuilds), RunError> {
    let (to_be_read, specs) = mpsc::channel::<EngineSpec>();
    // The checksum of a large program takes longer than its start, so it is computed meanwhile.
    let reading = thread::Builder::new().spawn(move || {
        let mut files = EngineFiles::default();
        for spec in specs {
            files.read(&spec);
        }
        files
    });
    let check = move || {
        // It was checked before the run.
        _ = config.cpus.first().copied().map(affinity::pin);
        check_engines(prepared, scheduler, config, &to_be_read)
    };
    // A thread of its own, since the binding to a CPU would stay with the caller's thread.
    let found = thread::scope(|scope| {
        let check = thread::Builder::new().spawn_scoped(scope, check);
        let check = check.map_err(|cause| RunError::NoThread { cause })?;
        check.join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    })?;
    let engine_ids = found.engine_ids.clone();
    let builds: Box<dyn FnOnce() -> Vec<EngineBuild>> = Box::new(move || {
        // The files are read now if the system refused a thread.
        let files = reading.map_or_else(
            |_| EngineFiles::default(),
            |reading| reading.join().unwrap_or_else(|panic| panic::resume_unwind(panic)),
        );
        EngineBuild::with_files(&engine_ids, files)
    });
    Ok((found, LazyBuilds::new(builds)))
}

fn check_engines(
    prepared: &PreparedRun,
    scheduler: &Scheduler,
    config: &PoolConfig<'_>,
    to_be_read: &Sender<EngineSpec>,
) -> Result<PreflightResult, RunError> {
    let (sender, notices) = NoticeReceiver::starting_with(config.launch_options.notices.clone());
    let launch_options = LaunchOptions {
        notices: sender,
        // The players play on, and a crash of theirs is then one in the middle of a run.
        restarts: START_ATTEMPTS,
        traffic: config.launch_options.traffic.for_worker(),
        ..config.launch_options.clone()
    };
    let mut check =
        EngineCheck { config, launch_options, found: PreflightResult::default(), players: Vec::new() };
    let mut seen: Vec<(&EngineSpec, ClockSource)> = Vec::new();
    let parts = prepared.spec().parts.iter().zip(scheduler.parts()).enumerate();
    let open = parts.filter(|(_, (_, progress))| progress.ending.is_none());
    let open = open.map(|(number, (part, _))| (Some(number), &part.task));
    // Some engines of a tournament may have no game in the first round, so a new one is checked as a whole.
    let is_new = scheduler.parts().all(|part| part.ended == 0);
    let tournament = prepared.spec().tournament.as_deref().filter(|_| is_new);
    let tournament = tournament.map(|games| Task::Match(games.clone()));
    for (number, task) in tournament.iter().map(|task| (None, task)).chain(open) {
        for (index, needed) in players_needed(prepared, number, task).into_iter().enumerate() {
            if config.launch_options.stop.is_raised() {
                return Ok(check.found);
            }
            if !seen.contains(&(needed.spec, needed.clock_source)) {
                seen.push((needed.spec, needed.clock_source));
                // The receiver lives as long as this sender.
                let _ = to_be_read.send(needed.spec.clone());
                check.check(task, (number, index), needed)?;
            }
        }
    }
    let EngineCheck { launch_options, found, players, .. } = check;
    let started = StartedPlayers { traffic: launch_options.traffic, players, notices };
    Ok(PreflightResult { started: config.remote.is_none().then_some(started), ..found })
}

/// The check of one engine after another.
struct EngineCheck<'c> {
    config: &'c PoolConfig<'c>,
    launch_options: LaunchOptions,
    found: PreflightResult,
    /// Those that can play on.
    players: Vec<CachedPlayer>,
}

impl EngineCheck<'_> {
    /// Starts an engine of a part, and asks it for its first move.
    fn check(
        &mut self,
        task: &Task,
        (part, index): (Option<usize>, usize),
        needed: PlayerNeeded<'_>,
    ) -> Result<(), RunError> {
        let PlayerNeeded { spec, clock_source, control } = needed;
        let config = self.config;
        let traffic = self.launch_options.traffic.for_engine(&spec.name);
        let options = launch_options_for(&self.launch_options, clock_source, &control, &traffic);
        let launch = || options.capabilities.launch(spec, clock_source, || (config.launch)(spec, &options));
        let started = launch().and_then(|mut player| check_openings(task, &mut *player).map(|()| player));
        let mut player = match started {
            Ok(player) => player,
            Err(EngineFault::Interrupted) => return Ok(()),
            // Its cases are skipped one by one.
            Err(EngineFault::NotSupported(_)) if matches!(task, Task::Suite(_)) => return Ok(()),
            Err(_) if config.launch_options.stop.is_raised() => return Ok(()),
            Err(fault) => return Err(engine_error(spec, fault, &traffic)),
        };
        let first = match (task, config.preflight) {
            (Task::Match(games), Preflight::FirstMove) => first_move::ask(games, index, &mut player, launch),
            _ => None,
        };
        // An engine is checked once for each source of its clocks, and listed once.
        if !self.found.engine_ids.iter().any(|(known, _)| known == spec) {
            self.found.engine_ids.push((spec.clone(), player.engine_id()));
            self.found.offers.extend(player.offers().map(|offers| (spec.clone(), offers)));
        }
        // A player for one game must not have searched before it.
        let can_play_on = first.as_ref().is_none_or(|first| first.is_in_time() && !spec.restart);
        self.found.first_moves.extend(first.map(|first| FirstMove { part, ..first }));
        if can_play_on {
            let (spec, overrides, grace) = (spec.clone(), OptionOverrides::new(), options.grace);
            self.players.push(CachedPlayer { spec, overrides, clock_source, grace, player, traffic });
        }
        Ok(())
    }
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
    // One such opening is enough: all of them need the option `UCI_Chess960`.
    unlike.take(1).try_for_each(|opening| player.check(&opening.history))
}

/// A player that jobs of a part need.
#[derive(Clone, Copy)]
struct PlayerNeeded<'t> {
    spec: &'t EngineSpec,
    clock_source: ClockSource,
    control: Control,
}

/// The players that the jobs of a part need.
fn players_needed<'t>(prepared: &PreparedRun, part: Option<usize>, task: &'t Task) -> Vec<PlayerNeeded<'t>> {
    match task {
        Task::Match(games) => {
            let engines = games.engines.iter().enumerate();
            let needed = engines.map(|(at, spec)| PlayerNeeded {
                spec,
                clock_source: games.clock_source(at),
                control: spec.control.or(games.control),
            });
            needed.collect()
        }
        Task::Suite(task @ SuiteTask { engine, .. }) => {
            let suites = part.and_then(|part| prepared.suite(part)).into_iter();
            let needed = suites.flat_map(|suite| {
                let control = suite_control(task, suite.timemargin);
                suite.definitions.iter().map(move |entry| PlayerNeeded {
                    spec: engine,
                    clock_source: entry.info.clock_source,
                    control,
                })
            });
            needed.collect()
        }
    }
}
