//! `mutants`: mutation testing of the suites of a plan.
//!
//! Two kinds of bug: those of Echo's search, which a build with the feature `mutants` has, and faults of the
//! interface, which are injected in front of any engine.

use std::num::NonZeroUsize;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::MutantsArgs;
use threefold::exit::Exit;
use threefold::input::by_name::{self, GivenPlan};
use threefold::session::Session;
use threefold::{files, streams};
use threefold_echo::mutants::Mutant;
use threefold_lab::mutants::{
    Bug, CAUGHT_BY_SEARCH_TESTS, Hunt, HuntError, HuntResult, Observed, has_seeded_bugs,
};
use threefold_named_enum::selected_or_all;
use threefold_player::visible::visible_json;
use threefold_player::{BorderFault, EngineSpec};
use threefold_run::pool::PoolConfig;
use threefold_run::regress::{PlanChoices, PlanLength};

/// The result for one bug, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Row<'f> {
    engine: &'f str,
    fault: &'static str,
    /// The suite that catches it; `None` if no suite does.
    suite: Option<&'f str>,
    /// The first case with a worse verdict.
    case: Option<&'f str>,
    /// Why that case failed.
    cause: Option<&'static str>,
    /// The verdict in one line.
    reason: Option<&'f str>,
    /// Does the cause name the bug, instead of only a change?
    is_named: bool,
    /// Time until it was caught, or until all suites had run.
    seconds: f64,
}

/// Runs the suites for each bug, prints which suite catches it, and fails if a bug is not caught.
pub fn run(args: &MutantsArgs) -> anyhow::Result<Exit> {
    let pool = Session::open(&args.run_options)?.pool;
    let mut hunts = Vec::new();
    if !args.foreign_only {
        hunts.push((hunt(&args.plan, None, &pool)?, echos_bugs(args)?));
    }
    if let Some(spec) = &args.foreign {
        let engine = files::engine(spec, &[])?;
        hunts.push((hunt(&args.foreign_plan, Some(engine), &pool)?, faults(args)));
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
        streams::result(&format!("{named} of {bugs} bugs are caught by a suite that names the cause."))?;
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
fn hunt<'c>(file: &Path, engine: Option<EngineSpec>, pool: &'c PoolConfig<'c>) -> anyhow::Result<Hunt<'c>> {
    let GivenPlan { plan, materials, .. } = by_name::plan(file)?;
    let asks_thresholds = engine.is_none();
    let engine = engine.map_or_else(|| plan.engine(), Ok)?;
    let choices = PlanChoices {
        engine: engine.clone(),
        base: None,
        length: PlanLength::Quick,
        bench: None,
        jobs: NonZeroUsize::MIN,
    };
    let spec = plan.spec(&choices, &materials)?;
    Hunt::new(engine, spec.parts, asks_thresholds, pool).with_context(|| file.display().to_string())
}

/// The bugs to seed in Echo: the selected ones, or all that suites can show.
fn echos_bugs(args: &MutantsArgs) -> anyhow::Result<Vec<Bug>> {
    let is_everything = args.mutants.is_empty() && args.faults.is_empty();
    let mut bugs = Vec::new();
    if is_everything || !args.mutants.is_empty() {
        anyhow::ensure!(
            has_seeded_bugs(),
            "this build of Echo has no seeded bugs; build it with `--features mutants`, or give --fault or --foreign-only"
        );
        let seen: Vec<Mutant> =
            Mutant::ALL.iter().copied().filter(|mutant| !CAUGHT_BY_SEARCH_TESTS.contains(mutant)).collect();
        bugs.extend(selected_or_all(&args.mutants, &seen).into_iter().map(Bug::Seeded));
    }
    if is_everything || !args.faults.is_empty() {
        bugs.extend(faults(args));
    }
    Ok(bugs)
}

fn faults(args: &MutantsArgs) -> Vec<Bug> {
    selected_or_all(&args.faults, BorderFault::ALL).into_iter().map(Bug::Border).collect()
}

/// Tests one bug and prints its row; was it caught by a suite that names the cause?
#[expect(clippy::disallowed_methods, reason = "the time of each hunt is printed")]
fn find(hunt: &Hunt<'_>, bug: Bug, json: bool, bar: &ProgressBar) -> anyhow::Result<bool> {
    let begun = Instant::now();
    let name = &hunt.engine().name;
    let result = hunt.find(bug, &mut |observed| match observed {
        Observed::Sound(suite) => bar.set_message(format!("{name} without a bug: {suite}")),
        Observed::With(bug, suite) => bar.set_message(format!("{name} with {}: {suite}", bug.name())),
    })?;
    let row = Row::new(name, &result, begun.elapsed());
    let text = if json { visible_json(&serde_json::to_string(&row)?) } else { row.line() };
    bar.suspend(|| streams::result(&text))?;
    Ok(row.is_named)
}

impl<'f> Row<'f> {
    fn new(engine: &'f str, result: &'f HuntResult, time: Duration) -> Self {
        let caught = result.caught.as_ref();
        Self {
            engine,
            fault: result.bug.name(),
            suite: caught.map(|caught| caught.suite.as_str()),
            case: caught.map(|caught| caught.case.as_str()),
            cause: caught.map(|caught| caught.cause.name()),
            reason: caught.map(|caught| caught.reason.as_str()),
            is_named: caught.is_some_and(|caught| caught.is_named),
            seconds: (time.as_secs_f64() * 10.0).round() / 10.0,
        }
    }

    /// A line of the table.
    fn line(&self) -> String {
        let remark = match (self.suite, self.is_named) {
            (None, _) => "NOT CAUGHT",
            (Some(_), false) => "change only: ",
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
