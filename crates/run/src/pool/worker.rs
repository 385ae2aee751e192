//! A worker: it runs one job at a time, and keeps players between jobs.
//!
//! Players are launched once and get `ucinewgame` between jobs. After a fault, or if the spec has `restart`,
//! a player is shut down and replaced by a new one. An engine that fails to start, although it did before the
//! first job, is started again a few times; then the job ends with a fault. Only players of the present part
//! are kept, to free the hash tables of the others.

use std::collections::BTreeSet;
use std::mem;
use std::sync::Arc;

use shakmaty::Color;

use super::cached_player::{CachedPlayer, NoPlayer, PlayerCache, StartedPlayers};
use super::cpu_load::with_cpu_load;
use super::engine_launch::{engine_error, grace_for, suite_control, unplayed};
use super::game_timer::GameTimer;
use super::known_answers::KnownAnswers;
use super::{LaunchFn, RunError};
use crate::game_options::ReadyJob;
use crate::job::{JobKey, JobResult, MatchTask, SuiteTask, Task};
use crate::live::LivePlace;
use crate::lost_answers;
use crate::prepared::PreparedRun;
use crate::run_control::{JobFlow, RunControl};
use threefold_games::game::{self, GameConditions, GameOutcome, GameRecord};
use threefold_oracle::Tables;
use threefold_player::{
    EngineFault, EngineSpec, ErrorPatterns, FaultCause, FaultTraffic, LaunchOptions, Player, Traffic,
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

/// How often a game is played again whose time loss the engine did not cause. Chosen: a machine that causes
/// four in a row is unfit for the time control.
pub(super) const MOST_REPLAYS: usize = 3;

/// How often a case that the engine did not answer is run again. Chosen: one answer may be luck.
const MORE_ATTEMPTS: usize = 2;

/// The same for an engine that has lost an answer by chance in this run or in that of the baseline: one that loses every second `go` would else have a
/// fault in every eighth such case. Chosen: all of ten are lost in one of a thousand then.
const MORE_ATTEMPTS_AFTER_A_LOST_ANSWER: usize = 9;

pub(super) struct Worker<'c> {
    prepared: &'c PreparedRun,
    tables: &'c Arc<Tables>,
    players: PlayerCache<'c>,
    /// Has it played a game of this run?
    has_played: bool,
    /// Did the engine lose answers by chance in the run of the baseline?
    loses_answers: bool,
    /// The names of the engines that lost an answer and gave it in other attempts.
    engines_that_lose_answers: BTreeSet<String>,
    known_answers: Arc<KnownAnswers>,
    live: LivePlace,
    control: RunControl,
}

impl<'c> Worker<'c> {
    pub(super) fn new(
        prepared: &'c PreparedRun,
        tables: &'c Arc<Tables>,
        launch: &'c LaunchFn<'c>,
        launch_options: LaunchOptions,
        known_answers: Arc<KnownAnswers>,
        (live, control): (LivePlace, RunControl),
    ) -> Self {
        let baseline = prepared.spec().baseline.as_ref();
        let loses_answers = baseline.is_some_and(|it| !lost_answers::suites(it).is_empty());
        let search_timeout = if loses_answers {
            launch_options.search_timeout.of_lost_answers()
        } else {
            launch_options.search_timeout.clone()
        };
        let launch_options = LaunchOptions { search_timeout, ..launch_options };
        Self {
            prepared,
            tables,
            players: PlayerCache::new(launch, launch_options),
            has_played: false,
            loses_answers,
            engines_that_lose_answers: BTreeSet::new(),
            known_answers,
            live,
            control,
        }
    }

    /// The same worker with the players of the check before the first job.
    pub(super) fn with_started(self, started: StartedPlayers) -> Self {
        Self { players: self.players.with_started(started), ..self }
    }

    /// Runs a job.
    pub(super) fn run_job(&mut self, job: &ReadyJob) -> Result<FinishedJob, JobError> {
        let key = job.key;
        let prepared = self.prepared;
        let part = &prepared.spec().parts[key.part];
        let patterns = prepared
            .suite(key.part)
            .map_or_else(ErrorPatterns::default, |suite| suite.error_patterns.clone());
        self.players.begin_part(part.task.engines(), &patterns);
        let ended = match &part.task {
            Task::Suite(task) => {
                let entry =
                    &prepared.suite(key.part).expect("a suite's part has its suite").definitions[key.job];
                self.players.launch_options.traffic.begin_job(&format!("{}, {}", part.name, entry.info.id));
                self.run_case_until_answered(key, task)
            }
            Task::Match(games) => {
                self.players.launch_options.traffic.begin_job(&format!(
                    "{}, game {}",
                    part.name,
                    key.job + 1
                ));
                // The pause stands between two games, so there is none before the first.
                if mem::replace(&mut self.has_played, true) && !self.players.stop().sleep(games.wait) {
                    return Err(JobError::Interrupted);
                }
                self.play_until_valid(job, games)
            }
        };
        self.live.end();
        ended
    }

    /// Runs a case. If the engine does not answer, has no move or crashes, new processes of it get [`MORE_ATTEMPTS`] attempts; if
    /// they answer in each, the case is skipped. An engine that loses a line or crashes once in some hundred searches would
    /// else make every other run a regression. If the engine has lost an answer by chance before, or in the run of the baseline,
    /// one answer in more attempts is enough. A run without a limit of engine faults takes the first attempt.
    fn run_case_until_answered(&mut self, key: JobKey, task: &SuiteTask) -> Result<FinishedJob, JobError> {
        let first = self.run_case(key, task)?;
        let JobResult::Case(case) = &first.result else { return Ok(first) };
        let chance = match case.verdict.cause {
            // An engine that waits for a CPU until its time is over may have no move.
            Cause::Fault(FaultCause::NoAnswer | FaultCause::NoMove) => SkipCause::Flaky,
            Cause::Fault(FaultCause::Crash) => SkipCause::CrashedOnce,
            _ => return Ok(first),
        };
        let has_lost_answer = case.verdict.cause == FaultCause::NoAnswer.into();
        if self.prepared.spec().max_faults.is_none() {
            return Ok(first);
        }
        let is_known = || self.loses_answers || self.engines_that_lose_answers.contains(&task.engine.name);
        let (attempts, needed) = if has_lost_answer && is_known() {
            (MORE_ATTEMPTS_AFTER_A_LOST_ANSWER, 1)
        } else {
            (MORE_ATTEMPTS, MORE_ATTEMPTS)
        };
        let (mut answers, mut lost) = (0, 1);
        // What is still needed must be possible.
        while answers < needed && lost <= attempts + 1 - needed {
            let next = self.run_case_again(key, task)?;
            let is_fault =
                matches!(&next.result, JobResult::Case(case) if case.verdict.kind() == VerdictKind::Fault);
            *if is_fault { &mut lost } else { &mut answers } += 1;
        }
        if answers < needed {
            return Ok(first);
        }
        if has_lost_answer {
            self.engines_that_lose_answers.insert(task.engine.name.clone());
            // The next processes have less time, since they may lose answers, too.
            let options = &mut self.players.launch_options;
            options.search_timeout = options.search_timeout.of_lost_answers();
        }
        let what = format!("in {lost} of {} attempts, {}", lost + answers, case.verdict.detail);
        let verdict = Verdict::unanswered(chance, what);
        let result = JobResult::Case(CaseRecord { verdict, ..case.clone() });
        Ok(FinishedJob { result, ..first })
    }

    /// Runs a case that got no answer once more, with new processes that have less time for a search.
    fn run_case_again(&mut self, key: JobKey, task: &SuiteTask) -> Result<FinishedJob, JobError> {
        let timeout = self.players.launch_options.search_timeout.clone();
        self.players.launch_options.search_timeout = timeout.asked_again();
        self.players.clear();
        let ended = self.run_case(key, task);
        // The processes have the shorter timeout, so no other job may use them.
        self.players.clear();
        self.players.launch_options.search_timeout = timeout;
        ended
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
        self.players.keep_clocks(clock_source);
        let players_wanted = &entry.info.players;
        // The engine's own spec takes precedence.
        let control = suite_control(task, suite.timemargin);
        let tolerance = control.margin.unwrap_or_default();
        let timing = Timing { clock_source, tolerance, clocks: suite.limits.clocks };
        let cached: Result<Vec<CachedPlayer>, NoPlayer> = players_wanted
            .iter()
            .map(|overrides| self.players.take(&task.engine, overrides, clock_source, &control))
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
            let (spec, overrides) = (task.engine.clone(), overrides.clone());
            let grace = grace_for(&self.players.launch_options, &control);
            self.players.put_back(CachedPlayer { spec, overrides, clock_source, grace, player, traffic });
        }
        done(verdict, None)
    }

    /// Plays a game. If the machine or the runner causes a time loss, the game is void and is played again,
    /// at most [`MOST_REPLAYS`] times; after that the time loss counts. A run without a limit of engine
    /// faults counts all of them.
    fn play_until_valid(&mut self, job: &ReadyJob, games: &MatchTask) -> Result<FinishedJob, JobError> {
        let replays = self.prepared.spec().max_faults.map_or(0, |_| MOST_REPLAYS);
        let mut void = Vec::new();
        loop {
            if !void.is_empty() {
                self.live.end();
                self.control.wait_while_paused(self.players.stop());
                // The next session of the run plays it.
                if self.control.flow() == JobFlow::Ending {
                    return Err(JobError::Interrupted);
                }
            }
            let done = self.play_game(job, games)?;
            match &done.result {
                JobResult::Game(game) if void.len() < replays && game.end.is_excused() => {
                    void.push(done.result);
                }
                _ => return Ok(FinishedJob { void, ..done }),
            }
        }
    }

    fn play_game(&mut self, job: &ReadyJob, games: &MatchTask) -> Result<FinishedJob, JobError> {
        let key = job.key;
        let scheduled = games.schedule().game(key.job).expect("the plan asks for games of the schedule");
        let terms = self.prepared.terms(games, &scheduled);
        let opening = &games.openings[scheduled.opening].history;
        let specs = [&games.engines[scheduled.white], &games.engines[scheduled.black]];
        let options = [scheduled.white, scheduled.black].map(|engine| job.options.of(engine));
        let [mut white, mut black] = match self.take_players(specs, &terms, &options) {
            Ok(players) => players,
            Err((color, NoPlayer::NotStarted(fault, traffic))) => {
                let names = specs.map(|spec| spec.name.clone());
                let game = GameRecord::unstarted(names, opening.clone(), color, &fault);
                let traffic = Some(traffic.fault(&fault.to_string()));
                return Ok(FinishedJob { result: JobResult::Game(game), void: Vec::new(), traffic });
            }
            Err((color, NoPlayer::NotSupported(fault, traffic))) => {
                return Err(JobError::Run(engine_error(specs[color.fold_wb(0, 1)], fault, &traffic)));
            }
            Err((_, NoPlayer::Interrupted)) => return Err(JobError::Interrupted),
        };
        self.live.begin_game(key, specs.map(|spec| spec.name.as_str()), opening, &terms);
        let timer = GameTimer::start(&terms, &self.players.launch_options.clock);
        let details = &games.pgn.details;
        let base = Color::ALL.into_iter().find(|side| self.known_answers.are_of(specs[side.fold_wb(0, 1)]));
        let mut play = |base: Option<Color>| {
            let players: [&mut dyn Player; 2] = [&mut *white.player, &mut *black.player];
            let live = &mut self.live;
            match base {
                Some(base) => self.known_answers.play(base, opening, players, (&terms, details), live),
                None => game::play(opening, players, &terms, details, live).map(Some),
            }
        };
        let played = play(base).and_then(|known| known.map_or_else(|| play(None), |game| Ok(Some(game))));
        let record = played.map_err(|error| {
            let part = &self.prepared.spec().parts[key.part].name;
            unplayed(part, specs, [&white.traffic, &black.traffic], &error)
                .map_or(JobError::Interrupted, JobError::Run)
        })?;
        let record = record.expect("a game without known answers is played");
        let played_at = timer.map(|timer| timer.times(&self.players.launch_options.clock));
        let record = GameRecord { times: played_at, ..record };
        let traffic = if let Some(what) = record.end.fault_text() {
            // The engine may be gone, or still thinking about this game.
            self.check_interrupted()?;
            let loser = if record.outcome == GameOutcome::White { &black } else { &white };
            Some(loser.traffic.fault(&what))
        } else {
            self.players.put_back(white);
            self.players.put_back(black);
            None
        };
        Ok(FinishedJob { result: JobResult::Game(record), void: Vec::new(), traffic })
    }

    /// The players of a game, White first; an engine that has none, and why.
    fn take_players(
        &mut self,
        specs: [&EngineSpec; 2],
        terms: &GameConditions,
        options: &[OptionOverrides; 2],
    ) -> Result<[CachedPlayer; 2], (Color, NoPlayer)> {
        let mut take = |side: usize| {
            let clock = terms.clock_sources[side];
            self.players.set_options(specs[side], &options[side], clock);
            self.players.take(specs[side], &options[side], clock, &terms.controls[side])
        };
        let white = take(0).map_err(|why| (Color::White, why))?;
        match take(1) {
            Ok(black) => Ok([white, black]),
            Err(why) => {
                // White did start, and is sound.
                self.players.put_back(white);
                Err((Color::Black, why))
            }
        }
    }

    /// A failure after an interruption may be caused by it.
    fn check_interrupted(&self) -> Result<(), JobError> {
        if self.players.stop().is_raised() { Err(JobError::Interrupted) } else { Ok(()) }
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
