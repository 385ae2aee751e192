//! A worker: it runs one job at a time, and keeps players between jobs.
//!
//! Players are launched once and get `ucinewgame` between jobs. After a fault, or if the spec has `restart`,
//! a player is shut down and replaced by a new one. An engine that fails to start, although it did before the
//! first job, is started again a few times; then the job ends with a fault. Only players of the present part
//! are kept, to free the hash tables of the others.

use std::mem;
use std::num::NonZeroU32;
use std::sync::Arc;

use shakmaty::Color;

use super::cached_player::{CachedPlayer, StartedPlayers};
use super::cpu_load::with_cpu_load;
use super::engine_launch::{engine_error, launch_options_for, suite_control, unplayed};
use super::game_timer::GameTimer;
use super::{LaunchFn, RunError};
use crate::job::{JobKey, JobResult, MatchTask, SuiteTask, Task};
use crate::live::LivePlace;
use crate::prepared::PreparedRun;
use crate::run_control::RunControl;
use threefold_chess::clock::{ClockSource, Control};
use threefold_games::game::{self, GameOutcome, GameRecord};
use threefold_oracle::Tables;
use threefold_player::{
    EngineFault, EngineSpec, ErrorPatterns, FaultCause, FaultTraffic, LaunchOptions, SpecKey, Traffic,
};
use threefold_suites::{
    CaseEnd, CaseInfo, CaseRecord, Cause, OptionOverrides, SkipCause, Timing, Verdict, VerdictKind,
    run_case_to_end,
};

/// The result of a job.
pub(super) struct FinishedJob {
    pub(super) result: JobResult,
    /// Games before it that count for nothing: the machine or the runner caused a time loss.
    pub(super) void: Vec<JobResult>,
    /// The last traffic of the engine whose fault ended it.
    pub(super) traffic: Option<FaultTraffic>,
}

/// Why a job has no result.
pub(super) enum JobError {
    /// The run was interrupted.
    Interrupted,
    /// The run cannot continue.
    Run(RunError),
}

/// Why there is no player for a job.
enum NoPlayer {
    /// The engine could not be started, which is its fault in this job.
    NotStarted(EngineFault, Box<Traffic>),
    /// The engine lacks an option, or does not accept a value.
    NotSupported(EngineFault, Box<Traffic>),
    /// The run was interrupted.
    Interrupted,
}

/// How often a game is played again whose time loss the engine did not cause. Chosen: a machine that causes
/// four in a row is unfit for the time control.
pub(super) const MOST_REPLAYS: usize = 3;

/// How often a case that the engine did not answer is run again. Chosen: one answer may be luck.
const MORE_ATTEMPTS: usize = 2;

/// The number of attempts to start an engine during a run.
const START_ATTEMPTS: NonZeroU32 = NonZeroU32::new(3).expect("it is not 0");

pub(super) struct Worker<'c> {
    prepared: &'c PreparedRun,
    tables: &'c Arc<Tables>,
    launch: &'c LaunchFn<'c>,
    launch_options: LaunchOptions,
    cached_players: Vec<CachedPlayer>,
    /// Has it played a game of this run?
    has_played: bool,
    live: LivePlace,
    control: RunControl,
}

impl<'c> Worker<'c> {
    pub(super) fn new(
        prepared: &'c PreparedRun,
        tables: &'c Arc<Tables>,
        launch: &'c LaunchFn<'c>,
        launch_options: LaunchOptions,
        live: LivePlace,
        control: RunControl,
    ) -> Self {
        let launch_options = LaunchOptions {
            starts: START_ATTEMPTS,
            traffic: launch_options.traffic.for_worker(),
            ..launch_options
        };
        Self {
            prepared,
            tables,
            launch,
            launch_options,
            cached_players: Vec::new(),
            has_played: false,
            live,
            control,
        }
    }

    /// The same worker with the players of the check before the first job.
    pub(super) fn with_started(self, StartedPlayers { traffic, players, notices }: StartedPlayers) -> Self {
        notices.replace(self.launch_options.notices.clone());
        let launch_options = LaunchOptions { traffic, ..self.launch_options };
        Self { launch_options, cached_players: players, ..self }
    }

    /// Runs a job.
    pub(super) fn run_job(&mut self, key: JobKey) -> Result<FinishedJob, JobError> {
        let prepared = self.prepared;
        let part = &prepared.spec().parts[key.part];
        let patterns = prepared
            .suite(key.part)
            .map_or_else(ErrorPatterns::default, |suite| suite.error_patterns.clone());
        self.launch_options.traffic.set_patterns(&patterns);
        // Players of earlier parts are shut down, and so are those whose log is searched for other patterns.
        self.cached_players.retain(|cached| {
            part.task.engines().contains(&cached.spec) && *cached.traffic.patterns() == patterns
        });
        let ended = match &part.task {
            Task::Suite(task) => {
                let entry =
                    &prepared.suite(key.part).expect("a suite's part has its suite").definitions[key.job];
                self.launch_options.traffic.begin_job(&format!("{}, {}", part.name, entry.info.id));
                self.run_case_until_answered(key, task)
            }
            Task::Match(games) => {
                self.launch_options.traffic.begin_job(&format!("{}, game {}", part.name, key.job + 1));
                // The pause stands between two games, so there is none before the first.
                if mem::replace(&mut self.has_played, true) && !self.launch_options.stop.sleep(games.wait) {
                    return Err(JobError::Interrupted);
                }
                self.play_until_valid(key, games)
            }
        };
        self.live.end();
        ended
    }

    /// Runs a case. If the engine does not answer or crashes, new processes of it get [`MORE_ATTEMPTS`] further attempts; if
    /// they answer in each, the case is skipped. An engine that loses a line or crashes once in some hundred searches would
    /// else make every other run a regression. A run without a limit of engine faults takes the first attempt.
    fn run_case_until_answered(&mut self, key: JobKey, task: &SuiteTask) -> Result<FinishedJob, JobError> {
        let first = self.run_case(key, task)?;
        let JobResult::Case(case) = &first.result else { return Ok(first) };
        let chance = match case.verdict.cause {
            Cause::Fault(FaultCause::NoAnswer) => SkipCause::Flaky,
            Cause::Fault(FaultCause::Crash) => SkipCause::CrashedOnce,
            _ => return Ok(first),
        };
        if self.prepared.spec().max_faults.is_none() {
            return Ok(first);
        }
        for _ in 0..MORE_ATTEMPTS {
            let next = self.run_case(key, task)?;
            if matches!(&next.result, JobResult::Case(case) if case.verdict.kind() == VerdictKind::Fault) {
                return Ok(first);
            }
        }
        let what = format!("in one of {} attempts, {}", 1 + MORE_ATTEMPTS, case.verdict.detail);
        let verdict = Verdict::unanswered(chance, what);
        let result = JobResult::Case(CaseRecord { verdict, ..case.clone() });
        Ok(FinishedJob { result, ..first })
    }

    fn run_case(&mut self, key: JobKey, task: &SuiteTask) -> Result<FinishedJob, JobError> {
        let suite = self.prepared.suite(key.part).expect("a suite's part has its suite");
        let entry = &suite.definitions[key.job];
        let done = |verdict: Verdict, traffic: Option<&Traffic>| {
            let traffic = traffic.map(|traffic| traffic.fault(&verdict.reason()));
            let result = JobResult::Case(case_record(&entry.info, &task.engine.name, verdict));
            Ok(FinishedJob { result, void: Vec::new(), traffic })
        };
        self.live.begin_case(key, &entry.info, &task.engine.name);
        let clock_source = entry.info.clock_source;
        // Cases with other clocks are done: free their players' hash tables.
        self.cached_players.retain(|cached| cached.clock_source == clock_source);
        let players_wanted = &entry.info.players;
        // The engine's own spec takes precedence.
        let control = suite_control(task, suite.timemargin);
        let timing = Timing { clock_source, tolerance: control.margin, clocks: suite.limits.clocks };
        let cached: Result<Vec<CachedPlayer>, NoPlayer> = players_wanted
            .iter()
            .map(|overrides| self.take_player(&task.engine, overrides, clock_source, &control))
            .collect();
        // A case that sets options does not apply to an engine without them. Without such options, a refused
        // option is one of the spec, and so the user's error.
        let is_set = players_wanted.iter().any(|overrides| !overrides.is_empty());
        let cached = match cached {
            Ok(cached) => cached,
            Err(NoPlayer::NotSupported(fault, _))
                if matches!(fault, EngineFault::NotSupported(_))
                    || (is_set && matches!(fault, EngineFault::Option(_))) =>
            {
                let what = match fault {
                    EngineFault::NotSupported(what) => what,
                    fault => fault.to_string(),
                };
                return done(Verdict::unanswered(SkipCause::NotSupported, what), None);
            }
            Err(NoPlayer::NotStarted(fault, traffic)) => {
                return done(Verdict::of_fault(&fault), Some(&traffic));
            }
            Err(NoPlayer::NotSupported(fault, traffic)) => {
                return Err(JobError::Run(engine_error(&task.engine, fault, &traffic)));
            }
            Err(NoPlayer::Interrupted) => return Err(JobError::Interrupted),
        };
        let cached = cached.into_iter().map(|CachedPlayer { player, traffic, .. }| (player, traffic));
        let (mut players, traffic): (Vec<_>, Vec<_>) = cached.unzip();
        let mut case = suite.begin(entry, self.tables);
        let run = || run_case_to_end(&mut *case, &mut players, timing);
        let ended = with_cpu_load(entry.info.background_threads, run);
        let CaseEnd { verdict, asked_last } = ended.map_err(|_| JobError::Interrupted)?;
        let verdict = verdict.with_error_line(take_error_line(&traffic));
        // After a fault the state of the process is unknown, so the next case gets a new one.
        if verdict.kind() == VerdictKind::Fault {
            self.check_interrupted()?;
            return done(verdict, traffic.get(asked_last));
        }
        for ((player, overrides), traffic) in players.into_iter().zip(players_wanted).zip(traffic) {
            self.cache_player(CachedPlayer {
                spec: task.engine.clone(),
                overrides: overrides.clone(),
                clock_source,
                player,
                traffic,
            });
        }
        done(verdict, None)
    }

    /// Plays a game. If the machine or the runner causes a time loss, the game is void and is played again,
    /// at most [`MOST_REPLAYS`] times; after that the time loss counts. A run without a limit of engine
    /// faults counts all of them.
    fn play_until_valid(&mut self, key: JobKey, games: &MatchTask) -> Result<FinishedJob, JobError> {
        let replays = self.prepared.spec().max_faults.map_or(0, |_| MOST_REPLAYS);
        let mut void = Vec::new();
        loop {
            if !void.is_empty() {
                self.live.end();
                self.control.wait_while_paused(&self.launch_options.stop);
            }
            let done = self.play_game(key, games)?;
            match &done.result {
                JobResult::Game(game) if void.len() < replays && game.end.is_excused() => {
                    void.push(done.result);
                }
                _ => return Ok(FinishedJob { void, ..done }),
            }
        }
    }

    fn play_game(&mut self, key: JobKey, games: &MatchTask) -> Result<FinishedJob, JobError> {
        let scheduled = games.schedule().game(key.job).expect("the plan asks for games of the schedule");
        let terms = self.prepared.terms(games, &scheduled);
        let opening = &games.openings[scheduled.opening].history;
        let specs = [&games.engines[scheduled.white], &games.engines[scheduled.black]];
        let mut players = Vec::new();
        for (side, color) in Color::ALL.into_iter().enumerate() {
            match self.take_player(
                specs[side],
                &OptionOverrides::new(),
                terms.clock_sources[side],
                &terms.controls[side],
            ) {
                Ok(cached) => players.push(cached),
                Err(NoPlayer::NotStarted(fault, traffic)) => {
                    // The engine that did start is sound.
                    for cached in players {
                        self.cache_player(cached);
                    }
                    let names = specs.map(|spec| spec.name.clone());
                    let game = GameRecord::unstarted(names, opening.clone(), color, &fault);
                    let traffic = Some(traffic.fault(&fault.to_string()));
                    return Ok(FinishedJob { result: JobResult::Game(game), void: Vec::new(), traffic });
                }
                Err(NoPlayer::NotSupported(fault, traffic)) => {
                    return Err(JobError::Run(engine_error(specs[side], fault, &traffic)));
                }
                Err(NoPlayer::Interrupted) => return Err(JobError::Interrupted),
            }
        }
        let (mut black, mut white) = (players.pop().expect("two"), players.pop().expect("two"));
        self.live.begin_game(key, specs.map(|spec| spec.name.as_str()), opening, &terms);
        let timer = GameTimer::start(&terms, &self.launch_options.clock);
        let details = &games.pgn.details;
        let record =
            game::play(opening, [&mut *white.player, &mut *black.player], &terms, details, &mut self.live)
                .map_err(|error| {
                    let part = &self.prepared.spec().parts[key.part].name;
                    unplayed(part, specs, [&white.traffic, &black.traffic], &error)
                        .map_or(JobError::Interrupted, JobError::Run)
                })?;
        let played_at = timer.map(|timer| timer.times(&self.launch_options.clock));
        let record = GameRecord { times: played_at, ..record };
        let traffic = if let Some(what) = record.end.fault_text() {
            // The engine may be gone, or still thinking about this game.
            self.check_interrupted()?;
            let loser = if record.outcome == GameOutcome::White { &black } else { &white };
            Some(loser.traffic.fault(&what))
        } else {
            self.cache_player(white);
            self.cache_player(black);
            None
        };
        Ok(FinishedJob { result: JobResult::Game(record), void: Vec::new(), traffic })
    }

    /// A player for this spec with these options: a cached one, or a new one.
    fn take_player(
        &mut self,
        spec: &EngineSpec,
        overrides: &OptionOverrides,
        clock_source: ClockSource,
        control: &Control,
    ) -> Result<CachedPlayer, NoPlayer> {
        let fits = |cached: &CachedPlayer| {
            cached.spec == *spec && cached.overrides == *overrides && cached.clock_source == clock_source
        };
        if let Some(index) = self.cached_players.iter().position(fits) {
            return Ok(self.cached_players.swap_remove(index));
        }
        let settings: Vec<(SpecKey, &str)> =
            overrides.iter().map(|(option, value)| (option.as_str().into(), value.as_str())).collect();
        let traffic = self.launch_options.traffic.for_engine(&spec.name);
        let set = spec.with(&settings).map_err(|error| {
            NoPlayer::NotSupported(EngineFault::Option(error.to_string()), Box::new(traffic.clone()))
        })?;
        let options = launch_options_for(&self.launch_options, clock_source, control, &traffic);
        match options.capabilities.launch(&set, clock_source, || (self.launch)(&set, &options)) {
            Ok(player) => Ok(CachedPlayer {
                spec: spec.clone(),
                overrides: overrides.clone(),
                clock_source,
                player,
                traffic,
            }),
            Err(EngineFault::Interrupted) => Err(NoPlayer::Interrupted),
            // Ctrl-C reaches the engines of a terminal, too, and then a start fails that is no fault of the
            // engine.
            Err(_) if self.launch_options.stop.is_raised() => Err(NoPlayer::Interrupted),
            Err(fault @ (EngineFault::Option(_) | EngineFault::NotSupported(_))) => {
                Err(NoPlayer::NotSupported(fault, Box::new(traffic)))
            }
            Err(fault) => Err(NoPlayer::NotStarted(fault, Box::new(traffic))),
        }
    }

    fn cache_player(&mut self, cached: CachedPlayer) {
        if !cached.spec.restart {
            self.cached_players.push(cached);
        }
    }

    /// A failure after an interruption may be caused by it: a Ctrl-C in a terminal reaches every process
    /// there.
    fn check_interrupted(&self) -> Result<(), JobError> {
        if self.launch_options.stop.is_raised() { Err(JobError::Interrupted) } else { Ok(()) }
    }
}

/// The first line of standard error that shows a defect. All are taken, so that the next case has none.
fn take_error_line(traffic: &[Traffic]) -> Option<String> {
    traffic.iter().filter_map(Traffic::take_error_line).reduce(|first, _| first)
}

fn case_record(info: &CaseInfo, engine: &str, verdict: Verdict) -> CaseRecord {
    let CaseInfo {
        suite,
        id,
        class,
        accepted,
        note,
        position,
        clock_source: _,
        players: _,
        background_threads: _,
    } = info.clone();
    CaseRecord { suite, id, class, engine: engine.to_owned(), accepted, note, line: position, verdict }
}
