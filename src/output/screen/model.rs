//! The state of a run that the screen shows, from its events, its jobs in progress and keys.
//!
//! Nothing here draws or waits: the terminal's loop passes in what it reads, and draws what is here.

use std::time::{Duration, Instant};

use super::keys::Key;
use super::messages::Messages;
use super::navigation::Navigation;
use super::part_state::PartState;
use super::run_time::{Activity, RunTime};
use crate::output::figures::WarningNotices;
use crate::output::notices;
use threefold_player::visible::visible;
use threefold_run::event::RunEvent;
use threefold_run::live::LiveJob;
use threefold_run::run_control::JobFlow;
use threefold_run::{JobResult, PartProgress, RunSpec};

/// The state of a run.
pub(super) struct Model {
    pub(super) title: String,
    /// The journal, which `threefold resume` continues.
    pub(super) journal: String,
    pub(super) parts: Vec<PartState>,
    /// The index of the part whose job started last.
    pub(super) current: usize,
    pub(super) workers: Vec<WorkerTally>,
    pub(super) messages: Messages,
    /// What each worker does now.
    pub(super) jobs: Vec<Option<LiveJob>>,
    pub(super) flow: JobFlow,
    pub(super) navigation: Navigation,
    pub(super) time: RunTime,
    warnings: WarningNotices,
}

/// What a worker has done since the screen was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct WorkerTally {
    /// The jobs that have ended.
    pub(super) jobs: usize,
    /// Those that ended by the fault of an engine.
    pub(super) faults: usize,
}

/// What a key asks of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// Give out jobs like this.
    Flow(JobFlow),
    /// Stop at once.
    Interrupt,
}

impl Model {
    /// No run yet, with this number of workers.
    pub(super) fn new(workers: usize, now: Instant) -> Self {
        Self {
            title: String::new(),
            journal: String::new(),
            parts: Vec::new(),
            current: 0,
            workers: vec![WorkerTally::default(); workers],
            messages: Messages::default(),
            jobs: Vec::new(),
            flow: JobFlow::Running,
            navigation: Navigation::default(),
            time: RunTime::new(now),
            warnings: WarningNotices::new(RunSpec::default().warnings),
        }
    }

    /// The run begins, or another round of it. What a person has chosen to see stays.
    pub(super) fn begin(&mut self, spec: &RunSpec, journal: &str) {
        self.title = visible(&spec.title);
        self.journal = visible(journal);
        self.parts = spec.parts.iter().map(PartState::new).collect();
        self.current = 0;
        self.warnings = WarningNotices::new(spec.warnings.clone());
    }

    /// Counts a result that the journal had already.
    pub(super) fn replay(&mut self, part: usize, job: usize, result: &JobResult) {
        if let Some(part) = self.parts.get_mut(part) {
            part.record(job, result);
        }
        // An earlier process showed these.
        _ = self.warnings.of(job, result);
    }

    /// Takes an event of the run.
    pub(super) fn take(&mut self, event: &RunEvent<'_>) {
        let now = self.time.active();
        match event {
            RunEvent::Opened { parts, .. } => self.opened(parts, now),
            RunEvent::JobStarted { key } => {
                if let Some(part) = self.parts.get_mut(key.part) {
                    self.current = key.part;
                    part.begin(now);
                }
            }
            RunEvent::JobEnded { key, worker, result, progress } => {
                for line in self.warnings.of(key.job, result) {
                    self.notice(&line);
                }
                self.count_for_worker(worker.0, result);
                let at = self.time.elapsed();
                let Some(part) = self.parts.get_mut(key.part) else { return };
                part.record(key.job, result);
                part.update(progress, now);
                self.messages.result(at, part.name(), key.job, result);
            }
            RunEvent::TakesAdvanced { parts, .. } => {
                for (part, progress) in self.parts.iter_mut().zip(*parts) {
                    part.update(progress, now);
                }
            }
            RunEvent::MakingTables { .. }
            | RunEvent::EngineSilent { .. }
            | RunEvent::ResultRefused { .. }
            | RunEvent::GamesVoid { .. } => {
                if let Some(text) = notices::text(event) {
                    self.notice(&text);
                }
            }
        }
    }

    fn opened(&mut self, progress: &[PartProgress<'_>], now: Duration) {
        for (part, progress) in self.parts.iter_mut().zip(progress) {
            part.open(progress, now);
        }
        self.current = progress.iter().position(|part| part.ending.is_none()).unwrap_or_default();
    }

    fn count_for_worker(&mut self, worker: usize, result: &JobResult) {
        let is_fault = match result {
            JobResult::Game(game) => game.end.is_fault(),
            JobResult::Case(case) => case.verdict.kind() == threefold_suites::VerdictKind::Fault,
        };
        if let Some(tally) = self.workers.get_mut(worker) {
            tally.jobs += 1;
            tally.faults += usize::from(is_fault);
        }
    }

    /// Adds a message, which is also printed when the screen is closed.
    pub(super) fn notice(&mut self, text: &str) {
        self.messages.notice(self.time.elapsed(), text);
    }

    /// Takes what is so at this moment.
    pub(super) fn advance(&mut self, now: Instant, jobs: Vec<Option<LiveJob>>, flow: JobFlow) {
        let is_paused = flow == JobFlow::Paused && jobs.iter().all(Option::is_none);
        self.time.advance(now, if is_paused { Activity::Paused } else { Activity::Running });
        (self.jobs, self.flow) = (jobs, flow);
    }

    /// Takes a key; returns what it asks of the run.
    pub(super) fn press(&mut self, key: Key) -> Option<Request> {
        let busy = self.busy();
        self.navigation.press(key, &busy, self.messages.latest().len());
        match (key, self.flow) {
            (Key::Interrupt, _) => Some(Request::Interrupt),
            (Key::Pause, JobFlow::Paused) | (Key::Finish, JobFlow::Ending) => {
                Some(Request::Flow(JobFlow::Running))
            }
            (Key::Pause, JobFlow::Running | JobFlow::Ending) => Some(Request::Flow(JobFlow::Paused)),
            (Key::Finish, JobFlow::Running | JobFlow::Paused) => Some(Request::Flow(JobFlow::Ending)),
            _ => None,
        }
    }

    /// The workers that do something now, in order.
    pub(super) fn busy(&self) -> Vec<usize> {
        (0..self.jobs.len()).filter(|&worker| self.jobs[worker].is_some()).collect()
    }

    /// The job of a worker.
    pub(super) fn job(&self, worker: usize) -> Option<&LiveJob> {
        self.jobs.get(worker)?.as_ref()
    }

    /// The part whose job started last.
    pub(super) fn part(&self) -> Option<&PartState> {
        self.parts.get(self.current)
    }

    /// The lines that are printed when the screen is closed: notices, and a line for each part.
    pub(super) fn closing_lines(&mut self) -> Vec<String> {
        let mut lines = self.messages.take_notices();
        lines.extend(self.parts.iter().filter_map(PartState::line));
        lines
    }
}
