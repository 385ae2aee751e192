//! `mutants`: Echo with one bug after the other through the suites of the plan, to see that they test anything.

use std::time::{Duration, Instant, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::args::MutantsArgs;
use crate::exit::Exit;
use crate::inputs::GivenPlan;
use crate::{inputs, running, streams, tables};
use threefold_echo::mutants::Mutant;
use threefold_echo::options;
use threefold_harness::player::EngineSpec;
use threefold_harness::regress::plan::Length;
use threefold_harness::regress::{Baseline, compare, regressions};
use threefold_harness::visible::visible_json;
use threefold_harness::work::journal::Journal;
use threefold_harness::work::pool::{Crew, Outcome, Ready};
use threefold_harness::work::{Order, Part, Run, SuiteTask, Task};
use threefold_named_enum::selected_or_all;

/// What became of one mutant, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Row {
    mutant: &'static str,
    /// The first suite in which it is worse than Echo, none where it is worse in no one.
    caught_by: Option<String>,
    /// Cases of that suite in which it is.
    cases: usize,
    /// Until it was caught, or everything was asked.
    seconds: f64,
}

/// Why there is no result.
enum Unfinished {
    /// It was called off.
    CalledOff,
    /// Echo without any bug misses what the plan asks, so that nothing can be read off its mutants.
    Unsound(String),
}

/// Runs the plan on Echo as it is and on each mutant, suite by suite until one catches it.
pub fn run(args: &MutantsArgs) -> anyhow::Result<Exit> {
    let has_bugs = options::table().iter().any(|row| row.name == OPTION);
    anyhow::ensure!(
        has_bugs,
        "this build of Echo has no seeded bugs; build it with `cargo build --release --features mutants`"
    );
    let mutants = selected_or_all(&args.mutants, Mutant::ALL);
    let GivenPlan { plan, materials, .. } = inputs::plan(&args.plan)?;
    let order = plan.order(&plan.engine()?, Length::Quick, &materials)?;
    let suites: Vec<Part> =
        order.parts.into_iter().filter(|part| matches!(part.task, Task::Suite(_))).collect();
    let crew = running::crew(&args.carrying)?;
    let bar = progress(mutants.len() as u64 + 1);
    let found = ask_all(&suites, &plan.engine()?, &mutants, &crew, &bar)?;
    bar.finish_and_clear();
    let rows = match found {
        Ok(rows) => rows,
        Err(Unfinished::CalledOff) => return Ok(Exit::Interrupted),
        Err(Unfinished::Unsound(missed)) => {
            streams::notice(&format!(
                "without any bug Echo misses what the plan asks: {missed}; mend that first"
            ));
            return Ok(Exit::Worse);
        }
    };
    print(&rows, args.json)?;
    Ok(if rows.iter().all(|row| row.caught_by.is_some()) { Exit::Fine } else { Exit::Worse })
}

/// The option that seeds a bug.
const OPTION: &str = "Mutant";

fn ask_all(
    suites: &[Part],
    engine: &EngineSpec,
    mutants: &[Mutant],
    crew: &Crew<'_>,
    bar: &ProgressBar,
) -> anyhow::Result<Result<Vec<Row>, Unfinished>> {
    bar.set_message("Echo as it is");
    let mut sound = Vec::new();
    for suite in suites {
        let run = match ask(suite, engine, crew)? {
            Ok(run) => run,
            Err(unfinished) => return Ok(Err(unfinished)),
        };
        if let Some(missed) = regressions(&run, None).first() {
            return Ok(Err(Unfinished::Unsound(missed.to_string())));
        }
        sound.push(Baseline::of(&run));
    }
    bar.inc(1);
    let mut rows = Vec::new();
    for &mutant in mutants {
        bar.set_message(mutant.name());
        let engine = engine.with(&[(OPTION, mutant.name())])?;
        let row = match hunt(mutant, suites, &sound, &engine, crew)? {
            Ok(row) => row,
            Err(unfinished) => return Ok(Err(unfinished)),
        };
        rows.push(row);
        bar.inc(1);
    }
    Ok(Ok(rows))
}

/// Asks a mutant suite after suite, until one has a case in which it is worse than Echo.
#[expect(clippy::disallowed_methods, reason = "how long it takes is told")]
fn hunt(
    mutant: Mutant,
    suites: &[Part],
    sound: &[Baseline],
    engine: &EngineSpec,
    crew: &Crew<'_>,
) -> anyhow::Result<Result<Row, Unfinished>> {
    let begun = Instant::now();
    let mut row = Row { mutant: mutant.name(), caught_by: None, cases: 0, seconds: 0.0 };
    for (suite, sound) in suites.iter().zip(sound) {
        let run = match ask(suite, engine, crew)? {
            Ok(run) => run,
            Err(unfinished) => return Ok(Err(unfinished)),
        };
        let worse = compare(sound, &Baseline::of(&run)).suites.iter().map(|suite| suite.worse.len()).sum();
        if worse > 0 {
            (row.caught_by, row.cases) = (Some(suite.name.clone()), worse);
            break;
        }
    }
    row.seconds = tenths(begun.elapsed());
    Ok(Ok(row))
}

fn tenths(time: Duration) -> f64 {
    (time.as_secs_f64() * 10.0).round() / 10.0
}

/// What an engine makes of one suite.
fn ask(suite: &Part, engine: &EngineSpec, crew: &Crew<'_>) -> anyhow::Result<Result<Run, Unfinished>> {
    let Task::Suite(task) = &suite.task else { unreachable!("only suites are asked") };
    let task = SuiteTask { engine: engine.clone(), ..task.clone() };
    let part = Part::unlabelled(suite.name.clone(), Task::Suite(task));
    let order = Order { parts: vec![part], ..Order::default() };
    let mut journal = Journal::in_memory(order, SystemTime::UNIX_EPOCH)?;
    let ready = Ready::to_resume(&journal, crew)?;
    match ready.work(&mut journal, crew, &mut |_| {})? {
        Outcome::Finished => Ok(Ok(Run::of(&journal)?)),
        Outcome::Interrupted => Ok(Err(Unfinished::CalledOff)),
    }
}

fn progress(all: u64) -> ProgressBar {
    let bar = ProgressBar::new(all);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}").expect("a sound template");
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn print(rows: &[Row], json: bool) -> anyhow::Result<()> {
    if json {
        for row in rows {
            streams::result(&visible_json(&serde_json::to_string(row)?))?;
        }
        return Ok(());
    }
    let cells = rows.iter().map(|row| {
        let caught = row.caught_by.as_deref().unwrap_or("NOBODY");
        vec![row.mutant.to_owned(), caught.to_owned(), row.cases.to_string(), format!("{:.1}", row.seconds)]
    });
    streams::result(&tables::table(&["mutant", "caught by", "cases", "seconds"], cells))?;
    let caught = rows.iter().filter(|row| row.caught_by.is_some()).count();
    streams::result(&format!("{caught} of {} are caught.", rows.len()))
}
