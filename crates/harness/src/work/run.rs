//! A run as reports see it: what was ordered, and what counts of what was found.
//!
//! Built from the journal alone, so that a report can be made again at any time. Surplus games don't appear.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::job::{JobKey, JobResult, MatchTask, Part, RunSpec, Task, WorkerId};
use super::journal::{JobContext, Journal, JournalContents};
use super::pool::RunError;
use super::prepared::PreparedRun;
use super::scheduler::{PartEnding, PartProgress, Scheduler};
use crate::arena::game::GameRecord;
use crate::arena::pairing::ScheduledGame;
use crate::player::{EngineBuild, EngineSpec, FaultTraffic};
use crate::suite::{CaseRecord, Suite};

/// A run, finished or not.
#[derive(Debug)]
pub struct RunRecord {
    prepared: PreparedRun,
    scheduler: Scheduler,
    results: BTreeMap<JobKey, JobResult>,
    contexts: BTreeMap<JobKey, JobContext>,
    sessions: Vec<Vec<EngineBuild>>,
    traffic: BTreeMap<JobKey, FaultTraffic>,
}

/// One part of a run with everything that counts of it.
#[derive(Debug, Clone)]
pub struct PartResult<'r> {
    /// What was ordered.
    pub part: &'r Part,
    /// The suite, where it is one.
    pub suite: Option<&'r Suite>,
    /// How far it has come, and why it ended.
    pub progress: PartProgress<'r>,
    /// What counts, in the order of the schedule.
    pub results: Vec<&'r JobResult>,
    /// In which slot each of them was found, where that is known. It differs from run to run.
    pub workers: Vec<Option<WorkerId>>,
    /// Which builds of the engines found each of them, as far as that is known.
    pub builds: Vec<&'r [EngineBuild]>,
    /// The last traffic of the engine whose fault ended a job, where it was kept.
    pub traffic: Vec<Option<&'r FaultTraffic>>,
}

impl RunRecord {
    /// Reads a journal's file, which may be in use or read-only.
    pub fn read(file: &Path) -> Result<Self, RunError> {
        Self::from_contents(&JournalContents::copy_of(file)?)
    }

    /// What a journal holds.
    pub fn of(journal: &Journal) -> Result<Self, RunError> {
        Self::from_contents(journal.contents())
    }

    fn from_contents(contents: &JournalContents) -> Result<Self, RunError> {
        let prepared = PreparedRun::read(Arc::clone(contents.spec()))?;
        let mut scheduler = prepared.scheduler();
        let mut results = BTreeMap::new();
        contents.replay(&mut |key, result| {
            scheduler.record(key, prepared.job_outcome(key, &result)?);
            results.insert(key, result);
            Ok(())
        })?;
        let (contexts, sessions) = (contents.job_contexts()?, contents.sessions()?);
        let traffic = contents.traffic()?;
        Ok(Self { prepared, scheduler, results, contexts, sessions, traffic })
    }

    /// What was ordered.
    pub fn spec(&self) -> &RunSpec {
        self.prepared.spec()
    }

    /// The engines' builds in each session, in order.
    pub fn sessions(&self) -> &[Vec<EngineBuild>] {
        &self.sessions
    }

    /// Is nothing left to do?
    pub fn is_done(&self) -> bool {
        self.scheduler.is_done()
    }

    /// Did it stop because of engine faults?
    pub fn is_stopped_by_faults(&self) -> bool {
        self.scheduler.parts().any(|part| part.ending == Some(PartEnding::TooManyFaults))
    }

    /// The builds of the engines with which a job was done, as far as that is known.
    pub fn builds_of(&self, key: JobKey) -> &[EngineBuild] {
        self.builds(self.contexts.get(&key).copied().unwrap_or_default())
    }

    fn builds(&self, contexts: JobContext) -> &[EngineBuild] {
        let session = contexts.session.and_then(|session| self.sessions.get(session));
        session.map_or(&[], Vec::as_slice)
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
                PartResult { part, suite, progress, results, workers, builds, traffic }
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

    /// The match, where it is one.
    pub fn match_task(&self) -> Option<&'r MatchTask> {
        match &self.part.task {
            Task::Match(games) => Some(games),
            Task::Suite(_) => None,
        }
    }

    /// The build that an engine had when a finding of this part was made, by the finding's index; where it is known.
    pub fn build(&self, result: usize, engine: &EngineSpec) -> Option<&'r EngineBuild> {
        self.builds.get(result)?.iter().find(|build| build.engine == engine.text)
    }

    /// The games of a match, each with who met whom, in the order of the schedule.
    pub fn games(&self) -> impl Iterator<Item = (ScheduledGame, &'r GameRecord)> {
        let task = self.match_task();
        self.results.iter().enumerate().filter_map(move |(job, result)| match result {
            JobResult::Game(game) => Some((task?.schedule().game(job)?, game)),
            JobResult::Case(_) => None,
        })
    }
}
