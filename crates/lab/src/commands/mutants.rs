//! `mutants`: engines with one bug after the other through the suites of a plan, to see that they test anything.
//!
//! Two kinds of bug: those of Echo's search, which a build with the feature `mutants` has, and faults of the interface,
//! which are put before any engine.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::MutantsArgs;
use threefold::exit::Exit;
use threefold::inputs::{self, GivenPlan};
use threefold::{files, running, streams};
use threefold_echo::mutants::Mutant;
use threefold_harness::player::{BorderFault, EngineSpec};
use threefold_harness::regress::plan::PlanLength;
use threefold_harness::run::pool::PoolConfig;
use threefold_harness::visible::visible_json;
use threefold_lab::mutants::{Bug, Finding, Hunt, HuntError, Observed, has_seeded_bugs};
use threefold_named_enum::selected_or_all;

/// What became of one bug, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Row<'f> {
    engine: &'f str,
    fault: &'static str,
    /// The suite that catches it; `None` where it got through.
    suite: Option<&'f str>,
    /// Its first case that turned out worse.
    case: Option<&'f str>,
    /// Why that case failed.
    cause: Option<&'static str>,
    /// The verdict in one line.
    reason: Option<&'f str>,
    /// Does it say what is wrong, and not only that something changed?
    is_named: bool,
    /// Until it was caught, or everything was asked.
    seconds: f64,
}

/// Puts each bug to the suites, prints what catches it as soon as that is known, and fails if one gets through.
pub fn run(args: &MutantsArgs) -> anyhow::Result<Exit> {
    let crew = running::crew(&args.carrying)?;
    let mut hunts = Vec::new();
    if !args.foreign_only {
        hunts.push((hunt(&args.plan, None, &crew)?, echos_bugs(args)?));
    }
    if let Some(spec) = &args.foreign {
        let engine = files::engine(spec, &[])?;
        hunts.push((hunt(&args.foreign_plan, Some(engine), &crew)?, faults(args)));
    }
    let bugs = hunts.iter().map(|(_, bugs)| bugs.len() as u64).sum();
    let (bar, mut named) = (progress(bugs), 0);
    for (hunt, bugs) in &hunts {
        for &bug in bugs {
            match find(hunt, bug, args.json, &bar) {
                Ok(is_named) => named += u64::from(is_named),
                Err(error) => {
                    bar.finish_and_clear();
                    return conclude(error);
                }
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    if !args.json {
        streams::result(&format!("{named} of {bugs} are caught by a suite that says what is wrong."))?;
    }
    Ok(if named == bugs { Exit::Fine } else { Exit::Worse })
}

/// An interruption and an engine that fails without a bug have exit codes of their own.
fn conclude(error: anyhow::Error) -> anyhow::Result<Exit> {
    match error.downcast::<HuntError>()? {
        HuntError::Interrupted => Ok(Exit::Interrupted),
        unsound @ HuntError::Unsound { .. } => {
            streams::notice(&unsound.to_string());
            Ok(Exit::Worse)
        }
        HuntError::Work(error) => Err(error.into()),
        other => Err(other.into()),
    }
}

/// The suites of a plan, for this engine or for the plan's own.
fn hunt<'c>(file: &Path, engine: Option<EngineSpec>, crew: &'c PoolConfig<'c>) -> anyhow::Result<Hunt<'c>> {
    let GivenPlan { plan, materials, .. } = inputs::plan(file)?;
    let asks_thresholds = engine.is_none();
    let engine = engine.map_or_else(|| plan.engine(), Ok)?;
    let order = plan.spec(&engine, PlanLength::Quick, &materials)?;
    Hunt::new(engine, order.parts, asks_thresholds, crew).with_context(|| file.display().to_string())
}

/// The bugs that Echo is given: those asked for, or all.
fn echos_bugs(args: &MutantsArgs) -> anyhow::Result<Vec<Bug>> {
    let is_everything = args.mutants.is_empty() && args.faults.is_empty();
    let mut bugs = Vec::new();
    if is_everything || !args.mutants.is_empty() {
        anyhow::ensure!(
            has_seeded_bugs(),
            "this build of Echo has no seeded bugs; build it with `--features mutants`, or give --fault or --foreign-only"
        );
        bugs.extend(selected_or_all(&args.mutants, Mutant::ALL).into_iter().map(Bug::Seeded));
    }
    if is_everything || !args.faults.is_empty() {
        bugs.extend(faults(args));
    }
    Ok(bugs)
}

fn faults(args: &MutantsArgs) -> Vec<Bug> {
    selected_or_all(&args.faults, BorderFault::ALL).into_iter().map(Bug::Border).collect()
}

/// Hunts for one bug and prints its row; was it caught by a suite that says what is wrong?
#[expect(clippy::disallowed_methods, reason = "how long it takes is told")]
fn find(hunt: &Hunt<'_>, bug: Bug, json: bool, bar: &ProgressBar) -> anyhow::Result<bool> {
    let begun = Instant::now();
    let name = &hunt.engine().name;
    let finding = hunt.find(bug, &mut |observed| match observed {
        Observed::Sound(suite) => bar.set_message(format!("{name} as it is: {suite}")),
        Observed::With(bug, suite) => bar.set_message(format!("{name} with {}: {suite}", bug.name())),
    })?;
    let row = Row::new(name, &finding, begun.elapsed());
    let text = if json { visible_json(&serde_json::to_string(&row)?) } else { row.line() };
    bar.suspend(|| streams::result(&text))?;
    Ok(row.is_named)
}

impl<'f> Row<'f> {
    fn new(engine: &'f str, finding: &'f Finding, time: Duration) -> Self {
        let caught = finding.caught.as_ref();
        Self {
            engine,
            fault: finding.bug.name(),
            suite: caught.map(|caught| caught.suite.as_str()),
            case: caught.map(|caught| caught.case.as_str()),
            cause: caught.map(|caught| caught.cause.name()),
            reason: caught.map(|caught| caught.reason.as_str()),
            is_named: caught.is_some_and(|caught| caught.is_named),
            seconds: (time.as_secs_f64() * 10.0).round() / 10.0,
        }
    }

    /// A line of the table: the columns are as wide as most of what stands in them.
    fn line(&self) -> String {
        let remark = match (self.suite, self.is_named) {
            (None, _) => "NOT CAUGHT",
            (Some(_), false) => "only a change: ",
            (Some(_), true) => "",
        };
        let (suite, case) = (self.suite.unwrap_or_default(), self.case.unwrap_or_default());
        let reason = self.reason.unwrap_or_default();
        format!(
            "{:<10} {:<21} {:>6.1} s  {suite:<18} {remark}{reason} ({case})",
            self.engine, self.fault, self.seconds
        )
    }
}

fn progress(all: u64) -> ProgressBar {
    let bar = ProgressBar::new(all);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}").expect("a sound template");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
