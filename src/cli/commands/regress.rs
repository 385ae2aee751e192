//! `regress`: the main job.

use std::path::Path;

use anyhow::Context;

use crate::arena::opening::{self, Format};
use crate::cli::args::RegressArgs;
use crate::cli::commands::conclusion;
use crate::cli::exit::Exit;
use crate::cli::place::Place;
use crate::cli::{files, running, streams};
use crate::regress::plan::{Length, Materials, Plan};
use crate::work::Order;
use crate::work::job::{BaselineText, Outputs};

/// Carries the plan out, compares what came of it with the baseline, and says so in the exit code.
pub fn run(args: &RegressArgs) -> anyhow::Result<Exit> {
    let order = order(args)?;
    let journal = args.out.join("run.sqlite");
    conclusion::of(running::begin(order, &Place::Over(&journal), &args.carrying)?)
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
    // Whoever renews the baseline compares with nothing.
    let earlier = if args.accept { None } else { earlier(&args.baseline)? };
    Ok(Order {
        outputs: Outputs {
            reports: Some(args.out.clone()),
            baseline: args.accept.then(|| args.baseline.clone()),
            ..Outputs::default()
        },
        baseline: earlier,
        ..order
    })
}

/// Reads the files that a plan names.
pub(super) fn materials(plan: &Plan, file: &Path) -> anyhow::Result<Materials> {
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

fn earlier(folder: &Path) -> anyhow::Result<Option<BaselineText>> {
    let baseline = files::baseline(folder)?;
    if baseline.is_none() {
        streams::notice(&format!(
            "{}: no baseline there; `threefold regress --accept` makes one",
            folder.display()
        ));
    }
    Ok(baseline)
}
