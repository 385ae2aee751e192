//! A run from its specification to its exit code: journal, Ctrl-C, rounds, and the end with its reports.
//!
//! [`Session::open`] prepares the workers. [`Session::run`] and [`Session::resume`] return a [`RunOutcome`],
//! and [`RunOutcome::finish`] writes the reports and gives the exit code.

pub mod base_version;
pub mod baselines;
pub mod commit_builds;
pub(crate) mod fleet_link;
pub(crate) mod interrupt;
pub mod journal_path;
mod not_started;
pub mod origin;
pub mod outcome;
pub mod owner;
mod placement;
mod pool;
mod preflight;
pub mod report_folder;
mod rounds;
mod run_view;
pub mod user_secret;

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use self::journal_path::JournalPath;
use self::outcome::RunOutcome;
use self::placement::Placement;
use self::rounds::RunConditions;
pub use self::rounds::{ChangedEngines, later_round};
use crate::args::RunOptions;
use crate::input::repository;
use crate::machine;
use crate::machine::check::{MachineCheck, machine_warning};
use crate::output::game_file::GameFiles;
use crate::streams;
use threefold_player::EngineBuild;
use threefold_run::RunSpec;
use threefold_run::event::RunEvent;
use threefold_run::journal::Journal;
use threefold_run::pool::{PoolConfig, PreparedPool};

/// The workers of one command, which do one run or several in sequence.
pub struct Session<'s> {
    /// The configuration of the workers. Ctrl-C changes its `control`, then raises its `stop`.
    pub pool: PoolConfig<'static>,
    /// The check of the machine while the first games run.
    pub machine_check: Option<MachineCheck>,
    /// The command that continues an interrupted run, where that is not `resume`.
    pub continue_command: Option<String>,
    placement: Placement,
    options: RunOptions,
    observer: Box<dyn FnMut(&RunEvent<'_>) + 's>,
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Session<'static> {
    /// A session with these options.
    ///
    /// # Errors
    /// If there are too many jobs for this machine, or if --affinity does not fit it.
    pub fn open(options: &RunOptions) -> anyhow::Result<Self> {
        pool::check_jobs(options.workers(), machine::cores(), options.force)?;
        Self::with_any_jobs(options)
    }

    /// A session with any number of jobs.
    ///
    /// # Errors
    /// If --affinity does not fit this machine.
    pub fn with_any_jobs(options: &RunOptions) -> anyhow::Result<Self> {
        Ok(Self {
            pool: pool::open(options)?,
            machine_check: None,
            continue_command: None,
            placement: Placement::default(),
            options: options.clone(),
            observer: Box::new(|_| {}),
        })
    }

    /// The same session with an observer of its runs' events.
    pub fn observed_by<'s>(self, observer: impl FnMut(&RunEvent<'_>) + 's) -> Session<'s> {
        Session { observer: Box::new(observer), ..self }
    }
}

impl Session<'_> {
    /// Runs a new specification. The journal is created once the specification is valid and every engine has
    /// started.
    ///
    /// # Errors
    /// If the run can't begin, or if it stops before its end.
    #[expect(clippy::disallowed_methods, reason = "the journal says when the run began")]
    pub fn run(&mut self, spec: RunSpec, path: &JournalPath<'_>) -> anyhow::Result<RunOutcome> {
        let spec = Arc::new(RunSpec { origin: origin::origin(&self.options), ..spec });
        report_folder::check(&spec.outputs, &self.options)?;
        preflight::check_threads(&spec, &self.options)?;
        // Before engines start: if one of them does not, no earlier report may remain as the result of this
        // run.
        not_started::remove_reports(&spec);
        if let Some(complaint) = self.machine_check.and_then(|check| check.complaint()) {
            streams::notice(&machine_warning(&complaint));
        }
        let placed = self.placement.choose(&spec, &mut self.pool, &self.options);
        let ready = PreparedPool::to_begin(Arc::clone(&spec), &self.pool)
            .map_err(|error| not_started::report(&spec, &self.options, error))?;
        let lengths = preflight::check(&spec, &ready, &self.pool, &self.options)?;
        let journal = path.begin(&spec, SystemTime::now())?;
        // Commits are those of files, and the journal is written while these are read.
        let ready = ready.with_commits(repository::commit_of);
        self.options.inform(&format!("journal: {}", journal.file().display()));
        for line in placed.iter().chain(&lengths) {
            self.options.inform(line);
        }
        let games = GameFiles::begin(&journal, ready.builds(), &self.pool.launch_options.stop)?;
        self.run_to_end(ready, journal, games)
    }

    /// Starts the engines of a specification, as a run does before its first job, and stops them; their builds.
    ///
    /// # Errors
    /// If one does not start, or lacks an option.
    pub fn start_engines(&self, spec: RunSpec) -> anyhow::Result<Vec<EngineBuild>> {
        Ok(PreparedPool::to_begin(Arc::new(spec), &self.pool)?.builds().to_vec())
    }

    /// Runs the remaining jobs of a journal.
    ///
    /// # Errors
    /// If they can't begin, or if the run stops before its end.
    pub fn resume(&mut self, journal: Journal, changed: ChangedEngines<'_>) -> anyhow::Result<RunOutcome> {
        report_folder::check(&journal.spec().outputs, &self.options)?;
        self.place(journal.spec());
        let ready = rounds::prepare(Arc::clone(journal.spec()), &self.pool, &journal, changed)?;
        self.go_on(ready, journal)
    }

    /// Runs the remaining jobs of a journal under a new specification of the same jobs.
    ///
    /// # Errors
    /// If they can't begin, or if the run stops before its end.
    pub fn resume_as(
        &mut self,
        spec: RunSpec,
        mut journal: Journal,
        changed: ChangedEngines<'_>,
    ) -> anyhow::Result<RunOutcome> {
        self.place(&spec);
        let spec = RunSpec { origin: origin::origin(&self.options), ..spec };
        // Which jobs remain depends on the limits and the baseline of the new specification.
        let ready = rounds::prepare(Arc::new(spec.clone()), &self.pool, &journal, changed)?;
        // The journal changes only after the engines have started, so a refused command leaves it unchanged.
        journal.renew(spec)?;
        self.go_on(ready, journal)
    }

    fn go_on(&mut self, ready: PreparedPool, journal: Journal) -> anyhow::Result<RunOutcome> {
        let games = GameFiles::resume(&journal, ready.builds(), &self.pool.launch_options.stop)?;
        self.run_to_end(ready, journal, games)
    }

    /// Chooses the CPUs of a run, and says which.
    fn place(&mut self, spec: &RunSpec) {
        if let Some(text) = self.placement.choose(spec, &mut self.pool, &self.options) {
            self.options.inform(&text);
        }
    }

    fn run_to_end(
        &mut self,
        ready: PreparedPool,
        journal: Journal,
        games: Option<GameFiles>,
    ) -> anyhow::Result<RunOutcome> {
        let Self { pool, machine_check, continue_command, options, observer, .. } = self;
        let continue_command = continue_command.as_deref();
        let conditions = RunConditions { pool, machine_check: *machine_check, options, continue_command };
        rounds::run_to_end(ready, journal, games, &conditions, observer)
    }
}
