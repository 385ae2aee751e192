//! A run as reports see it: the specification, and the results that count.
//!
//! It is built from the journal only, so a report can be made again at any time. Results that do not count
//! are left out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::distinct_pairs::{CountedTrial, PairCounting, PlayedGame, RepeatCount, counted_trials};
use super::environment::{Environment, Property};
use super::game_options::GameOptions;
use super::game_reader::GameReader;
use super::job::{JobKey, JobResult, MatchTask, Part, RunSpec, Task, WorkerId, white_result};
use super::journal::{JobContext, Journal, JournalContents};
use super::pool::RunError;
use super::prepared::PreparedRun;
use super::scheduler::{PartEnding, PartProgress, Scheduler};
use super::time_left::{TimeLeft, TimeLeftOfCounted};
use threefold_games::game_summary::GameSummary;
use threefold_games::pairing::ScheduledGame;
use threefold_player::{EngineBuild, EngineSpec, FaultTraffic};
use threefold_suites::{CaseRecord, Suite};

/// A result without the moves of a game.
pub type RecordedResult = JobResult<GameSummary>;

/// A run, finished or not.
#[derive(Debug)]
pub struct RunRecord {
    prepared: PreparedRun,
    scheduler: Scheduler,
    /// The results. Games are summaries; their moves are read from the journal on demand.
    results: BTreeMap<JobKey, RecordedResult>,
    /// The time left of each engine of each match, over the games that count.
    time_left: Vec<Vec<TimeLeft>>,
    file: PathBuf,
    contexts: Arc<BTreeMap<JobKey, JobContext>>,
    sessions: Arc<Vec<Vec<EngineBuild>>>,
    traffic: BTreeMap<JobKey, FaultTraffic>,
    begun: i64,
}

/// A part of a run with all results that count.
#[derive(Debug, Clone)]
pub struct PartResult<'r> {
    /// What the part plays.
    pub part: &'r Part,
    /// The suite, if it is one.
    pub suite: Option<&'r Suite>,
    /// Its progress, and why it ended.
    pub progress: PartProgress<'r>,
    /// The results that count, in schedule order.
    pub results: Vec<&'r RecordedResult>,
    /// The time left of each engine of a match after its moves, over the games that count; empty for a suite.
    pub time_left: &'r [TimeLeft],
    /// The worker of each result, if it is known. It differs from run to run.
    pub workers: Vec<Option<WorkerId>>,
    /// The builds of the engines for each result, as far as they are known.
    pub builds: Vec<&'r [EngineBuild]>,
    /// The last traffic of the engine whose fault ended a job, if it was recorded.
    pub traffic: Vec<Option<&'r FaultTraffic>>,
}

impl RunRecord {
    /// Reads a journal file, which may be in use or read-only.
    pub fn read(file: &Path) -> Result<Self, RunError> {
        Self::of_contents(&JournalContents::copy_of(file)?)
    }

    /// The contents of a journal.
    pub fn from_journal(journal: &Journal) -> Result<Self, RunError> {
        Self::from_contents(journal.contents(), Arc::clone(journal.spec()))
    }

    /// The contents of a journal that is read only.
    pub fn of_contents(contents: &JournalContents) -> Result<Self, RunError> {
        Self::from_contents(contents, Arc::clone(contents.spec()))
    }

    /// The contents of a journal under another specification, for a check before [`Journal::renew`].
    ///
    /// # Errors
    /// If the specification is wrong, or if a result of the journal does not belong to its jobs.
    pub fn under(journal: &Journal, spec: RunSpec) -> Result<Self, RunError> {
        Self::from_contents(journal.contents(), Arc::new(spec))
    }

    fn from_contents(stored: &JournalContents, spec: Arc<RunSpec>) -> Result<Self, RunError> {
        let prepared = PreparedRun::prepare(spec)?;
        let mut scheduler = prepared.scheduler();
        let mut results = BTreeMap::new();
        let mut time_left = TimeLeftOfCounted::new(prepared.spec());
        if prepared.spec().takes.is_some() {
            // A game of a take can count only if those of other takes before it are known.
            stored.replay_checked(&prepared, &mut |key, _, outcome| _ = scheduler.record(key, outcome))?;
        }
        stored.replay_checked(&prepared, &mut |key, result, outcome| {
            scheduler.record(key, outcome);
            results.insert(
                key,
                match result {
                    JobResult::Case(case) => JobResult::Case(case),
                    JobResult::Game(game) => {
                        let summary = game.summary();
                        time_left.add(
                            key,
                            game,
                            scheduler.parts().nth(key.part).map_or(0, |part| part.counted),
                        );
                        JobResult::Game(summary)
                    }
                },
            );
        })?;
        let (contexts, sessions) = (Arc::new(stored.job_contexts()?), Arc::new(stored.sessions()?));
        let traffic = stored.traffic()?;
        let begun = stored.begun()?;
        let (time_left, file) = (time_left.into_parts(), stored.absolute_path().to_owned());
        Ok(Self { prepared, scheduler, results, time_left, file, contexts, sessions, traffic, begun })
    }

    /// The specification of the run.
    pub fn spec(&self) -> &RunSpec {
        self.prepared.spec()
    }

    /// When it began, in seconds since 1970. No result depends on it.
    pub const fn begun(&self) -> i64 {
        self.begun
    }

    /// The engines' builds in each session, in order.
    pub fn sessions(&self) -> &[Vec<EngineBuild>] {
        &self.sessions
    }

    /// Its environment: that of its start, and the compiler of the engine of its suites, or of its first match if it
    /// has no suite.
    pub fn environment(&self) -> Environment {
        let parts = self.planned_parts();
        let of_suite = parts.iter().find(|part| part.suite.is_some());
        let tested = of_suite.or(parts.first());
        let compiler = tested.and_then(|part| {
            // A resumed run may have several builds of the engine; that of the last result is recorded.
            let last = part.results.len().checked_sub(1)?;
            part.build(last, part.part.task.engines().first()?)?.compiler.clone()
        });
        self.spec().origin.environment.clone().with(Property::Compiler, compiler)
    }

    /// Are all jobs done? Never for a shard: see [`RunRecord::is_shard_done`].
    pub fn is_done(&self) -> bool {
        self.scheduler.is_done()
    }

    /// Are all jobs of this shard done? The others may be left.
    pub fn is_shard_done(&self) -> bool {
        self.spec().shard.is_some() && self.scheduler.is_over()
    }

    /// Is this a shard that its own engine faults stopped?
    pub fn has_stopped_shard(&self) -> bool {
        self.scheduler.is_stopped_shard()
    }

    /// Did it stop because of engine faults?
    pub fn is_stopped_by_faults(&self) -> bool {
        let stopped = |part: PartProgress<'_>| part.ending == Some(PartEnding::TooManyFaults);
        // A take with too many faults leaves; the others go on.
        self.spec().takes.is_none() && self.scheduler.parts().any(stopped)
    }

    /// Did it stop because as many cases as it was to stop after did not pass?
    pub fn is_stopped_by_failed_cases(&self) -> bool {
        self.scheduler.parts().any(|part| part.ending == Some(PartEnding::FailedCases))
    }

    /// The options of the engines in a game, in addition to those of their specs.
    pub fn game_options(&self, key: JobKey) -> GameOptions {
        self.scheduler.ready(key).options
    }

    /// The builds of the engines for a job, as far as they are known.
    pub fn builds_of(&self, key: JobKey) -> &[EngineBuild] {
        self.builds(self.contexts.get(&key).copied().unwrap_or_default())
    }

    fn builds(&self, contexts: JobContext) -> &[EngineBuild] {
        let session = contexts.session.and_then(|session| self.sessions.get(session));
        session.map_or(&[], Vec::as_slice)
    }

    /// Reads the games that count, with their moves, from the journal.
    pub fn game_reader(&self) -> GameReader {
        GameReader {
            file: self.file.clone(),
            spec: Arc::clone(self.prepared.shared_spec()),
            counted: self.scheduler.parts().map(|part| part.counted).collect(),
            contexts: Arc::clone(&self.contexts),
            sessions: Arc::clone(&self.sessions),
        }
    }

    /// The games of several takes that count, in the order in which they count; `None` for another run, whose
    /// order is that of the keys.
    pub fn counted_order(&self) -> Option<&[JobKey]> {
        self.scheduler.counted_order()
    }

    /// The parts without those in which lost cases are asked again.
    pub fn planned_parts(&self) -> Vec<PartResult<'_>> {
        let mut parts = self.parts();
        parts.retain(|part| !part.part.is_asked_again());
        parts
    }

    /// Every part, in order.
    pub fn parts(&self) -> Vec<PartResult<'_>> {
        let parts = self.spec().parts.iter().zip(self.scheduler.parts()).enumerate();
        parts
            .map(|(number, (part, progress))| {
                let first = JobKey { part: number, job: 0 };
                let end = JobKey { part: number, job: progress.counted };
                let counted = self.results.range(first..end);
                let known = |key| self.contexts.get(key).copied().unwrap_or_default();
                let workers = counted.clone().map(|(key, _)| known(key).worker).collect();
                let builds = counted.clone().map(|(key, _)| self.builds(known(key))).collect();
                let traffic = counted.clone().map(|(key, _)| self.traffic.get(key)).collect();
                let results = counted.map(|(_, result)| result).collect();
                let suite = self.prepared.suite(number);
                let time_left = self.time_left[number].as_slice();
                PartResult { part, suite, progress, results, time_left, workers, builds, traffic }
            })
            .collect()
    }
}

impl<'r> PartResult<'r> {
    /// The cases of a suite.
    pub fn cases(&self) -> impl Iterator<Item = &'r CaseRecord> {
        self.results.iter().filter_map(|result| match result {
            JobResult::Case(case) => Some(case),
            JobResult::Game(_) => None,
        })
    }

    /// The match, if it is one.
    pub fn match_task(&self) -> Option<&'r MatchTask> {
        match &self.part.task {
            Task::Match(games) => Some(games),
            Task::Suite(_) => None,
        }
    }

    /// The build of an engine for a result of this part, by the result's index; `None` if it is not known.
    pub fn build(&self, result: usize, engine: &EngineSpec) -> Option<&'r EngineBuild> {
        self.builds.get(result)?.iter().find(|build| build.engine == engine.text)
    }

    /// The games of a match with their schedule, in order.
    pub fn games(&self) -> impl Iterator<Item = (ScheduledGame, &'r GameSummary)> {
        let task = self.match_task();
        self.results.iter().enumerate().filter_map(move |(job, result)| match result {
            JobResult::Game(game) => Some((task?.schedule().game(job)?, game)),
            JobResult::Case(_) => None,
        })
    }

    /// The pairs or single games that count, in the order of the schedule, with the numbers of all and of
    /// distinct games; none of a suite. Of a tournament only the numbers of games have a meaning.
    pub fn counted_trials(&self, counting: PairCounting) -> (Vec<CountedTrial>, RepeatCount) {
        let Some(task) = self.match_task() else { return (Vec::new(), RepeatCount::default()) };
        let played = self.games().map(|(scheduled, game)| {
            let white = white_result(game);
            let first = if scheduled.white == 0 { white } else { white.reversed() };
            PlayedGame::of_summary(game, first)
        });
        counted_trials(counting, counting.trials(task.rules.encounter, task.test()), played)
    }
}
