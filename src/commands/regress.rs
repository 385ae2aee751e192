//! `regress`: the main job.

use std::path::Path;

use anyhow::Context;

use crate::args::{Carrying, RegressArgs};
use crate::commands::conclusion;
use crate::exit::Exit;
use crate::inputs::GivenPlan;
use crate::place::Place;
use crate::running::{Came, ChangedEngines};
use crate::{baselines, files, inputs, running, streams};
use threefold_harness::player::EngineSource;
use threefold_harness::regress::plan::PlanLength;
use threefold_harness::run::difference::difference;
use threefold_harness::run::job::Outputs;
use threefold_harness::run::journal::{Journal, JournalError};
use threefold_harness::run::pool::RunError;
use threefold_harness::run::{FaultBudget, RunRecord, RunSpec};
use threefold_report::Registry;

/// Carries the plan out, compares what came of it with the baseline, and says so in the exit code.
///
/// An interrupted run of the same plan goes on; a finished one is replaced.
pub fn run(args: &RegressArgs) -> anyhow::Result<Exit> {
    let order = order(args)?;
    let file = args.out.join("run.sqlite");
    let earlier = if args.fresh { None } else { interrupted(&file)? };
    let came = match earlier {
        Some(earlier) => go_on(&file, &earlier, order, &args.carrying)?,
        None => running::begin(order, &Place::Over(&file), &args.carrying)?,
    };
    conclusion::of(came, &Registry::built_in())
}

/// The unfinished run of a journal; `None` where there is none, or nothing that anybody could go on with.
fn interrupted(file: &Path) -> anyhow::Result<Option<RunRecord>> {
    match RunRecord::read(file) {
        Ok(run) => Ok((!run.is_done()).then_some(run)),
        Err(RunError::Journal(error @ (JournalError::Damaged { .. } | JournalError::Newer { .. }))) => {
            streams::notice(&format!("warning: {error}; the run begins anew, and replaces it"));
            Ok(None)
        }
        Err(RunError::Journal(JournalError::NotAJournal { .. })) => Ok(None),
        Err(_) if !file.exists() => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{}: begin anew with --fresh", file.display())),
    }
}

fn go_on(file: &Path, earlier: &RunRecord, order: RunSpec, carrying: &Carrying) -> anyhow::Result<Came> {
    if let Some(what) = difference(earlier.spec(), &order) {
        anyhow::bail!(
            "{}: holds an interrupted run of something else: {what}; begin anew with --fresh, or name another folder with --out",
            file.display()
        );
    }
    let crew = running::crew(carrying)?;
    let mut journal = Journal::open(file)?;
    if journal.spec().max_faults != order.max_faults {
        let earlier = (**journal.spec()).clone();
        journal.renew(RunSpec { max_faults: order.max_faults, ..earlier })?;
    }
    let kept = journal.results();
    streams::notice(&format!("journal: {}, interrupted; {kept} findings are kept", file.display()));
    let remedy = "begin anew with --fresh, or bring the earlier build back";
    let ready = running::prepare(&crew, &journal, ChangedEngines::Refused(remedy))?;
    journal.renew(RunSpec { origin: running::origin(carrying), ..order })?;
    running::work(ready, journal, None, &crew)
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
    // Whoever renews the baseline compares with nothing.
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
