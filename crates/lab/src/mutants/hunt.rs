//! The search for a case that catches a bug.

use std::cell::OnceCell;
use std::time::SystemTime;

use threefold_chess::clock::Stop;
use threefold_player::{BorderFault, EngineSpec, LaunchOptions, SpecError};
use threefold_run::event::RunEvent;
use threefold_run::job::JobResult as JobFinding;
use threefold_run::journal::{Journal, JournalError};
use threefold_run::pool::{PoolConfig, PreparedPool, RunError, RunStatus};
use threefold_run::regress::baseline::{BaselineCase, CaseName};
use threefold_run::regress::{AskedAgain, Baseline, compare, regressions};
use threefold_run::{Part, RunRecord, RunSpec, SuiteTask, Task};
use threefold_suites::{Cause, FailCause, Suite, SuiteError, VerdictKind, kinds};

use super::{Bug, CATCHES, Catch};

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// It was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The engine misses a threshold without a bug, so its verdicts with a bug are meaningless.
    #[error("{engine} without a bug fails suite `{suite}`: {missed}; correct that first")]
    Unsound {
        /// The name of the engine with the bug.
        engine: String,
        /// The suite that was asked.
        suite: String,
        /// What it misses.
        missed: String,
    },
    /// A run failed.
    #[error(transparent)]
    Work(#[from] RunError),
    /// The results can't be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A suite can't be read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The bug can't be added to the engine's SPEC.
    #[error(transparent)]
    Spec(#[from] SpecError),
}

/// The case that caught a bug.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caught {
    /// The suite that was asked.
    pub suite: String,
    /// The first case with a worse verdict.
    pub case: String,
    /// The cause of that verdict.
    pub cause: Cause,
    /// The verdict in one line, the cause first.
    pub reason: String,
    /// Does the cause name the bug, instead of only a change?
    pub is_named: bool,
}

/// The result for one bug.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HuntResult {
    /// The bug that was looked for.
    pub bug: Bug,
    /// The case that caught it; `None` if no case did.
    pub caught: Option<Caught>,
}

/// Progress, for display.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Observed<'a> {
    /// The engine without a bug runs a suite.
    Sound(&'a str),
    /// The engine with this bug runs a suite.
    With(Bug, &'a str),
}

/// An engine with its suites.
pub struct Hunt<'c> {
    /// The engine without a bug.
    engine: EngineSpec,
    suites: Vec<Asked>,
    /// Must the engine without a bug meet the thresholds?
    asks_thresholds: bool,
    pool: &'c PoolConfig<'c>,
}

/// A suite, with the verdicts of the engine without a bug.
struct Asked {
    part: Part,
    kind: &'static str,
    sound: OnceCell<Baseline>,
}

impl<'c> Hunt<'c> {
    /// The suites of these parts, without matches. The thresholds of a suite are for one engine; for another
    /// they only measure strength.
    pub fn new(
        engine: EngineSpec,
        parts: Vec<Part>,
        asks_thresholds: bool,
        pool: &'c PoolConfig<'c>,
    ) -> Result<Self, HuntError> {
        let suites = parts.into_iter().filter_map(|part| {
            let Task::Suite(task) = &part.task else { return None };
            let kind = Suite::read(&task.source).map(|suite| suite.kind.name);
            Some(kind.map(|kind| Asked { part, kind, sound: OnceCell::new() }))
        });
        let suites = suites.collect::<Result<_, _>>()?;
        Ok(Self { engine, suites, asks_thresholds, pool })
    }

    /// The engine without a bug.
    pub const fn engine(&self) -> &EngineSpec {
        &self.engine
    }

    /// Runs suites with a bug, until a case catches it and names the cause.
    pub fn find(&self, bug: Bug, observe: &mut dyn FnMut(Observed<'_>)) -> Result<HuntResult, HuntError> {
        let mut caught = None;
        for asked in self.in_order(bug) {
            let Some(found) = self.try_suite(bug, asked, observe)? else { continue };
            if found.is_named {
                return Ok(HuntResult { bug, caught: Some(found) });
            }
            caught.get_or_insert(found);
        }
        Ok(HuntResult { bug, caught })
    }

    /// Runs only the suite of a row with its bug; `None` if the plan lacks the suite, or if it does not catch
    /// the bug.
    pub fn check(
        &self,
        row: &Catch,
        observe: &mut dyn FnMut(Observed<'_>),
    ) -> Result<Option<Caught>, HuntError> {
        let asked = self.suites.iter().find(|asked| asked.part.name == row.suite);
        asked.map_or(Ok(None), |asked| self.try_suite(row.bug, asked, observe))
    }

    /// The case of one suite that catches a bug.
    fn try_suite(
        &self,
        bug: Bug,
        asked: &Asked,
        observe: &mut dyn FnMut(Observed<'_>),
    ) -> Result<Option<Caught>, HuntError> {
        let engine = bug.put_into(&self.engine)?;
        let sound = self.sound(asked, observe)?;
        observe(Observed::With(bug, &asked.part.name));
        self.first_worse(asked, &engine, sound, &|cause| is_fitting(bug, asked, cause))
    }

    /// The suites in order: those that should catch the bug, the others of the plan, then those that only
    /// show a change.
    fn in_order(&self, bug: Bug) -> Vec<&Asked> {
        let rank = |asked: &&Asked| {
            let is_to_catch = |row: &&Catch| row.bug == bug && row.suite == asked.part.name;
            let number = CATCHES.iter().filter(|row| row.bug == bug).position(|row| is_to_catch(&row));
            (number.unwrap_or(usize::MAX), only_tells_change(asked.kind))
        };
        let mut suites: Vec<&Asked> = self.suites.iter().collect();
        suites.sort_by_key(rank);
        suites
    }

    /// The verdicts of the engine without a bug, computed once.
    fn sound<'s>(
        &self,
        asked: &'s Asked,
        observe: &mut dyn FnMut(Observed<'_>),
    ) -> Result<&'s Baseline, HuntError> {
        if let Some(sound) = asked.sound.get() {
            return Ok(sound);
        }
        observe(Observed::Sound(&asked.part.name));
        let (outcome, run) = self.ask(asked, &self.engine, &mut |_, _| false)?;
        if outcome == RunStatus::Interrupted {
            return Err(HuntError::Interrupted);
        }
        if let Some(missed) = regressions(&run, None).first().filter(|_| self.asks_thresholds) {
            let (engine, suite) = (self.engine.name.clone(), asked.part.name.clone());
            return Err(HuntError::Unsound { engine, suite, missed: missed.to_string() });
        }
        Ok(asked.sound.get_or_init(|| Baseline::from_run(&run)))
    }

    /// The first case with a worse verdict; one with a fitting cause is preferred.
    fn first_worse(
        &self,
        asked: &Asked,
        engine: &EngineSpec,
        sound: &Baseline,
        fitting: &dyn Fn(Cause) -> bool,
    ) -> Result<Option<Caught>, HuntError> {
        let mut found: Option<Caught> = None;
        let (outcome, _) = self.ask(asked, engine, &mut |name, known| {
            if !is_worse(sound, name, known) {
                return false;
            }
            let is_named = fitting(known.cause);
            if is_named || found.is_none() {
                found = Some(Caught {
                    suite: name.suite.clone(),
                    case: name.id.clone(),
                    cause: known.cause,
                    reason: known.reason(),
                    is_named,
                });
            }
            is_named
        })?;
        // A run that was stopped at a fitting case has the status of an interrupted one.
        let was_ended = found.as_ref().is_some_and(|found| found.is_named);
        if outcome == RunStatus::Interrupted && !was_ended { Err(HuntError::Interrupted) } else { Ok(found) }
    }

    /// The verdicts of an engine on a suite, until `see` stops it.
    fn ask(
        &self,
        asked: &Asked,
        engine: &EngineSpec,
        see: &mut dyn FnMut(&CaseName, &BaselineCase) -> bool,
    ) -> Result<(RunStatus, RunRecord), HuntError> {
        let Task::Suite(task) = &asked.part.task else { unreachable!("only suites are kept") };
        let task = SuiteTask { engine: engine.clone(), ..task.clone() };
        let part = Part::without_labels(asked.part.name.clone(), Task::Suite(task));
        let spec = RunSpec { parts: vec![part], ..RunSpec::default() };
        let mut journal = Journal::in_memory(spec, SystemTime::UNIX_EPOCH)?;
        // The stop applies to this suite only, not to the next.
        let called_off = &self.pool.launch_options.stop;
        let stop = Stop::default();
        let launch_options = LaunchOptions { stop: stop.clone(), ..self.pool.launch_options.clone() };
        let pool = PoolConfig {
            cpus: self.pool.cpus.clone(),
            launch_options,
            preflight: self.pool.preflight,
            launch: self.pool.launch,
            now: self.pool.now,
            control: self.pool.control.clone(),
            ..PoolConfig::new(self.pool.workers, stop.clone())
        };
        let ready = PreparedPool::to_resume(&journal, &pool)?;
        let mut is_enough = false;
        let outcome = ready.run(&mut journal, &pool, &mut |event| {
            if let RunEvent::JobEnded { result: JobFinding::Case(case), .. } = event
                && !is_enough
            {
                let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
                is_enough = see(&name, &BaselineCase::from_record(case));
            }
            if is_enough || called_off.is_raised() {
                stop.raise();
            }
        })?;
        if called_off.is_raised() {
            return Err(HuntError::Interrupted);
        }
        Ok((outcome, RunRecord::from_journal(&journal)?))
    }
}

/// Is a verdict worse than without the bug? A skipped case is not.
fn is_worse(sound: &Baseline, name: &CaseName, known: &BaselineCase) -> bool {
    if !matches!(known.cause.kind(), VerdictKind::Failed | VerdictKind::Fault) {
        return false;
    }
    let now = Baseline { cases: [(name.clone(), known.clone())].into(), ..Baseline::default() };
    compare(sound, &now, &AskedAgain::default()).suites.iter().any(|suite| !suite.worse.is_empty())
}

/// Does a cause say what is wrong? In the suites of a bug's own rows only the causes there do; in any other
/// suite each does that is more than a change.
fn is_fitting(bug: Bug, asked: &Asked, cause: Cause) -> bool {
    let mut rows = CATCHES.iter().filter(|row| row.bug == bug && row.suite == asked.part.name).peekable();
    if rows.peek().is_some() {
        return rows.any(|row| row.causes.contains(&cause));
    }
    // State that survives `ucinewgame` is the one cause that a repeated search names.
    let outlives = bug == Bug::Border(BorderFault::NewGameIgnored)
        && cause == Cause::Failed(FailCause::DiffersAfterNewGame);
    !only_tells_change(asked.kind) || outlives
}

/// Does a kind of suite only show that something changed?
fn only_tells_change(kind: &str) -> bool {
    [kinds::signature::KIND.name, kinds::determinism::KIND.name].contains(&kind)
}
