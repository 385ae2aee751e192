//! `regress`: the suites, matches and calibrations of a plan, compared with a baseline.

use std::path::Path;

use anyhow::Context;

use crate::args::{RegressArgs, RunOptions};
use crate::commands::finish;
use crate::execute::{ChangedEngines, RunOutcome};
use crate::exit::Exit;
use crate::inputs::GivenPlan;
use crate::journal_path::JournalPath;
use crate::{baselines, execute, files, inputs, streams};
use threefold_harness::player::EngineSource;
use threefold_harness::regress::plan::PlanLength;
use threefold_harness::run::difference::difference;
use threefold_harness::run::job::Outputs;
use threefold_harness::run::journal::{Journal, JournalError};
use threefold_harness::run::pool::RunError;
use threefold_harness::run::{FaultBudget, RunRecord, RunSpec};
use threefold_report::Registry;

/// Runs the plan, compares the results with the baseline, and returns the exit code.
///
/// An interrupted run of the same plan continues; a finished one is replaced.
pub fn run(args: &RegressArgs) -> anyhow::Result<Exit> {
    let order = order(args)?;
    let file = args.out.join("run.sqlite");
    let earlier = if args.fresh { None } else { interrupted(&file)? };
    let outcome = match earlier {
        Some(earlier) => go_on(&file, &earlier, order, &args.run_options)?,
        None => execute::begin(order, &JournalPath::Over(&file), &args.run_options)?,
    };
    finish::finish(outcome, &Registry::built_in())
}

/// The unfinished run of a journal; `None` if there is none, or none that can be continued.
fn interrupted(file: &Path) -> anyhow::Result<Option<RunRecord>> {
    match RunRecord::read(file) {
        Ok(run) => Ok((!run.is_done()).then_some(run)),
        Err(RunError::Journal(error @ (JournalError::Damaged { .. } | JournalError::Newer { .. }))) => {
            streams::notice(&format!("warning: {error}; the run starts over and replaces it"));
            Ok(None)
        }
        Err(RunError::Journal(JournalError::NotAJournal { .. })) => Ok(None),
        Err(_) if !file.exists() => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{}: start over with --fresh", file.display())),
    }
}

fn go_on(
    file: &Path,
    earlier: &RunRecord,
    order: RunSpec,
    run_options: &RunOptions,
) -> anyhow::Result<RunOutcome> {
    if let Some(what) = difference(earlier.spec(), &order) {
        anyhow::bail!(
            "{}: holds another interrupted run: {what}; start over with --fresh, or give another folder with --out",
            file.display()
        );
    }
    let pool = execute::pool(run_options)?;
    let mut journal = Journal::open(file)?;
    if journal.spec().max_faults != order.max_faults {
        let earlier = (**journal.spec()).clone();
        journal.renew(RunSpec { max_faults: order.max_faults, ..earlier })?;
    }
    let kept = journal.results();
    streams::notice(&format!("journal: {}, interrupted; continuing after {kept} results", file.display()));
    let remedy = "start over with --fresh, or restore the earlier build";
    let ready = execute::prepare(&pool, &journal, ChangedEngines::Refused(remedy))?;
    journal.renew(RunSpec { origin: execute::origin(run_options), ..order })?;
    execute::work(ready, journal, None, &pool)
}

fn order(args: &RegressArgs) -> anyhow::Result<RunSpec> {
    let GivenPlan { plan, materials, is_built_in } = inputs::plan(&args.plan)?;
    let engine = match &args.engine {
        Some(given) => files::engine(given, &[])?,
        None => plan.engine()?,
    };
    let length = if args.quick { PlanLength::Quick } else { PlanLength::Full };
    let order = plan.spec(&engine, length, &materials)?;
    let named = args.baseline.as_deref();
    // A run that stores a new baseline is not compared with the old one.
    let (accepted, earlier) = if args.accept {
        (Some(baselines::accepted(named)?), None)
    } else {
        (None, baselines::earlier(named, is_built_in && engine.source == EngineSource::Echo)?)
    };
    Ok(RunSpec {
        outputs: Outputs { reports: Some(args.out.clone()), baseline: accepted, ..Outputs::default() },
        baseline: earlier,
        max_faults: Some(args.max_faults.map_or(FaultBudget::SUITE, FaultBudget::of)),
        undecided: args.undecided,
        ..order
    })
}
