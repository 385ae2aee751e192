//! The games of a bisection: their conditions, and the pairs of a commit against the good one.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::tester::{self, CommitTester, Tested};
use super::{BisectArgs, Input};
use crate::commands::games::openings;
use crate::input::built_in;
use crate::input::search_limits;
use crate::session::ChangedEngines;
use crate::session::journal_path::JournalPath;
use crate::session::outcome::RunOutcome;
use threefold_games::opening::OpeningSelection;
use threefold_games::pairing::TournamentFormat;
use threefold_games::warning::{WarningPolicy, WarningRule};
use threefold_player::EngineSpec;
use threefold_player::spec::HarnessKey;
use threefold_run::journal::Journal;
use threefold_run::regress::plan::BASE_TEST;
use threefold_run::regress::{PlanChoices, PlanLength};
use threefold_run::{FaultBudget, MatchTask, Purpose, RunRecord, RunSpec, Task, single_match};
use threefold_stats::{Pentanomial, Trial};

/// The conditions of the games.
#[derive(Debug)]
pub(super) struct GameQuestion {
    /// The games, of the engine of the plan against itself.
    task: MatchTask,
    /// The pairs between two looks at the result, at least.
    batch: usize,
}

impl GameQuestion {
    /// The limits and openings of the command line, or those of the plan's `[base]`.
    ///
    /// # Errors
    /// If neither has any, or a value is wrong.
    pub(super) fn choose(input: &Input<'_>) -> anyhow::Result<Self> {
        let args = input.args;
        let engines = ["one", "other"].map(|name| input.engine.with(&[(HarnessKey::Name, name)]));
        let [one, other] = engines;
        let engines = [one?, other?];
        let is_given = args.tc.is_some() || args.st.is_some() || args.nodes.is_some() || args.depth.is_some();
        let task =
            if is_given { given_games(input, engines.to_vec())? } else { games_of_plan(input, engines)? };
        let boundless = task.engines.iter().any(|engine| engine.control.or(task.control).is_infinite());
        anyhow::ensure!(!boundless, "nothing limits a search; give --tc 8+0.08, --nodes 20000 or --depth 8");
        Ok(Self {
            task: MatchTask { purpose: Purpose::Match, budget: None, ..task },
            batch: args.batch.get(),
        })
    }

    /// What is asked, in full.
    pub(super) fn text(&self) -> String {
        let MatchTask { control, clock_source, adjudication, openings, .. } = &self.task;
        format!("{control}\n{clock_source:?}\n{adjudication:?}\n{openings:?}")
    }

    /// The limits of the searches.
    pub(super) fn limits(&self) -> String {
        self.task.engines[0].control.or(self.task.control).to_string()
    }

    /// Plays the next pairs of a commit against the good one; all its distinct pairs, from its side.
    ///
    /// # Errors
    /// If they can't be played, for another reason than the commit.
    pub(super) fn play(
        &self,
        tester: &mut CommitTester<'_>,
        commit: usize,
        good: &EngineSpec,
    ) -> anyhow::Result<Tested<Pentanomial>> {
        let engine = match tester.engine(commit)? {
            Tested::Done(engine) => engine,
            Tested::Skipped(why) => return Ok(Tested::Skipped(why)),
            Tested::Interrupted => return Ok(Tested::Interrupted),
        };
        let file = tester.file.journal(tester.commits.hash(commit));
        let engines = vec![engine, good.clone()];
        let played = match self.run(tester, &file, engines) {
            Ok(RunOutcome::Finished(finished)) => finished.run,
            Ok(RunOutcome::Interrupted | RunOutcome::ShardFinished) => return Ok(Tested::Interrupted),
            Err(error) if tester::is_of_engine(&error) && commit != tester.commits.bad() => {
                let why = format!("{error:#}");
                tester.skip(commit, &why)?;
                return Ok(Tested::Skipped(why));
            }
            Err(error) => return Err(tester::with_remedy(error)),
        };
        if played.is_stopped_by_faults() {
            let why =
                format!("engine faults stopped its games; `threefold report {}` shows them", file.display());
            tester.skip(commit, &why)?;
            return Ok(Tested::Skipped(why));
        }
        Ok(Tested::Done(counted(&played)))
    }

    /// Goes on with an interrupted batch, or plays another one.
    fn run(
        &self,
        tester: &mut CommitTester<'_>,
        file: &Path,
        engines: Vec<EngineSpec>,
    ) -> anyhow::Result<RunOutcome> {
        if !file.exists() {
            let task = MatchTask { engines, encounters: self.batch, ..self.task.clone() };
            // Each batch of each commit would show the same warnings.
            let ignored = WarningRule::ALL.iter().copied().collect();
            let spec = RunSpec {
                max_faults: Some(FaultBudget::MATCH),
                warnings: WarningPolicy { ignored, strict: false },
                ..single_match::spec("bisect", task)
            };
            return tester.session.run(spec, &JournalPath::File(file));
        }
        let mut journal = Journal::open(file)?;
        if RunRecord::from_journal(&journal)?.is_done() {
            let mut spec = (**journal.spec()).clone();
            if let Some(Task::Match(task)) = spec.parts.first_mut().map(|part| &mut part.task) {
                task.encounters += self.batch.max(task.encounters / GROWTH);
            }
            journal.renew(spec)?;
        }
        // The user may have deleted the cache, and a repeated build of a commit need not have the same bytes.
        tester.session.resume(journal, ChangedEngines::Allowed)
    }
}

/// A batch has at least this part of the pairs before, since a journal is read again after each.
const GROWTH: usize = 8;

/// The pairs of a journal whose last batch is finished; `None` if there is none, or if it was interrupted.
pub(super) fn finished_pairs(file: &Path) -> anyhow::Result<Option<Pentanomial>> {
    if !file.exists() {
        return Ok(None);
    }
    let run = RunRecord::read(file)?;
    Ok(run.is_done().then(|| counted(&run)))
}

/// The distinct pairs of a run.
fn counted(run: &RunRecord) -> Pentanomial {
    let parts = run.parts();
    let trials = parts.first().map(|part| part.counted_trials(run.spec().counting).0).unwrap_or_default();
    let pair = |results| match results {
        Trial::Pair(pair) => Some(pair),
        Trial::Game(_) => None,
    };
    trials.into_iter().filter_map(|trial| pair(trial.results)).collect()
}

/// The games with the limits of the command line.
fn given_games(input: &Input<'_>, engines: Vec<EngineSpec>) -> anyhow::Result<MatchTask> {
    let BisectArgs { tc, st, nodes, depth, openings: book, order, games, .. } = input.args;
    let selection = OpeningSelection {
        order: order.as_deref().unwrap_or("random:1").parse().context("--order")?,
        start: NonZeroUsize::MIN,
        most: games / 2,
    };
    let book = book.clone().unwrap_or_else(|| PathBuf::from(built_in::OPENINGS));
    Ok(MatchTask {
        format: TournamentFormat::Gauntlet,
        control: search_limits::control(tc.as_deref(), st.as_deref(), *nodes, *depth)?,
        adjudication: input.given.plan.adjudication().clone(),
        ..MatchTask::new(engines, openings(&book, selection, None)?, 1)
    })
}

/// The games of the test against the base version.
fn games_of_plan(input: &Input<'_>, [engine, base]: [EngineSpec; 2]) -> anyhow::Result<MatchTask> {
    let choices = PlanChoices {
        engine,
        base: Some(base),
        length: PlanLength::Full,
        bench: None,
        jobs: input.args.run_options.workers(),
    };
    let spec = input.given.plan.spec(&choices, &input.given.materials)?;
    let task = spec.parts.into_iter().find(|part| part.name == BASE_TEST).map(|part| part.task);
    match task {
        Some(Task::Match(task)) => Ok(task),
        Some(Task::Suite(_)) | None => anyhow::bail!(
            "nothing limits the games: give --nodes 20000 or --tc 8+0.08, or add [base] with a time control to the plan"
        ),
    }
}
