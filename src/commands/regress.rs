//! `regress`: the main job.

use std::path::Path;

use anyhow::Context;

use crate::args::{Carrying, RegressArgs};
use crate::commands::conclusion;
use crate::exit::Exit;
use crate::place::Place;
use crate::running::{Came, ChangedEngines};
use crate::{files, running, streams};
use threefold_harness::arena::opening::{self, Format};
use threefold_harness::regress::plan::{Length, Materials, Plan};
use threefold_harness::work::difference::difference;
use threefold_harness::work::job::{BaselineText, Outputs};
use threefold_harness::work::journal::{Journal, JournalError};
use threefold_harness::work::pool::WorkError;
use threefold_harness::work::{FaultBudget, Order, Run};
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
fn interrupted(file: &Path) -> anyhow::Result<Option<Run>> {
    match Run::read(file) {
        Ok(run) => Ok((!run.is_done()).then_some(run)),
        Err(WorkError::Journal(error @ (JournalError::Damaged { .. } | JournalError::Newer { .. }))) => {
            streams::notice(&format!("warning: {error}; the run begins anew, and replaces it"));
            Ok(None)
        }
        Err(WorkError::Journal(JournalError::Foreign { .. })) => Ok(None),
        Err(_) if !file.exists() => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{}: begin anew with --fresh", file.display())),
    }
}

fn go_on(file: &Path, earlier: &Run, order: Order, carrying: &Carrying) -> anyhow::Result<Came> {
    if let Some(what) = difference(earlier.order(), &order) {
        anyhow::bail!(
            "{}: holds an interrupted run of something else: {what}; begin anew with --fresh, or name another folder with --out",
            file.display()
        );
    }
    let crew = running::crew(carrying)?;
    let mut journal = Journal::open(file)?;
    if journal.order().max_faults != order.max_faults {
        let earlier = (**journal.order()).clone();
        journal.renew(Order { max_faults: order.max_faults, ..earlier })?;
    }
    let kept = journal.findings();
    streams::notice(&format!("journal: {}, interrupted; {kept} findings are kept", file.display()));
    let remedy = "begin anew with --fresh, or bring the earlier build back";
    let ready = running::prepare(&crew, &journal, ChangedEngines::Refused(remedy))?;
    journal.renew(Order { origin: running::origin(carrying), ..order })?;
    running::work(ready, journal, None, &crew)
}

fn order(args: &RegressArgs) -> anyhow::Result<Order> {
    let plan = Plan::read(files::page(&args.plan)?)?;
    let engine = match &args.engine {
        Some(given) => files::engine(given, &[])?,
        None => plan.engine()?,
    };
    let materials = materials(&plan, &args.plan)?;
    let length = if args.quick { Length::Quick } else { Length::Full };
    let order = plan.order(&engine, length, &materials)?;
    let folder = args.baseline.as_deref().unwrap_or(Path::new(BASELINE));
    // Whoever renews the baseline compares with nothing.
    let earlier = if args.accept { None } else { earlier(folder, args.baseline.is_some())? };
    Ok(Order {
        outputs: Outputs {
            reports: Some(args.out.clone()),
            baseline: args.accept.then(|| folder.to_owned()),
            ..Outputs::default()
        },
        baseline: earlier,
        max_faults: Some(args.max_faults.map_or(FaultBudget::SUITE, FaultBudget::of)),
        undecided: args.undecided,
        ..order
    })
}

/// Reads the files that a plan names.
pub fn materials(plan: &Plan, file: &Path) -> anyhow::Result<Materials> {
    let asked = || format!("{} asks for it", file.display());
    let mut materials = Materials::default();
    for file in plan.suites() {
        let source = files::suite(Path::new(&file)).with_context(asked)?;
        materials.suites.insert(file, source);
    }
    for file in plan.books() {
        let path = Path::new(&file);
        let bytes = files::bytes(path).with_context(asked)?;
        let book = opening::read(&bytes, Format::of_file(path), None).with_context(|| file.clone())?;
        materials.books.insert(file, book.openings);
    }
    Ok(materials)
}

/// The baseline that a project keeps, unless another one is named.
const BASELINE: &str = "reports/baseline";

/// The baseline to compare with. One that was named must be there, or a mistyped name would pass every run.
fn earlier(folder: &Path, is_named: bool) -> anyhow::Result<Option<BaselineText>> {
    let baseline = files::baseline(folder)?;
    if baseline.is_none() {
        let what = format!("{}: no baseline there; `threefold regress --accept` makes one", folder.display());
        anyhow::ensure!(!is_named, what);
        streams::notice(&what);
    }
    Ok(baseline)
}
