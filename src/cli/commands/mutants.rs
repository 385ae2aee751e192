//! `mutants`: engines with one bug after the other through the suites of a plan, to see that they test anything.
//!
//! Echo has bugs seeded in its search (cargo feature `mutants`) and faults injected into its interface; another
//! engine has the latter.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::regress;
use crate::cli::args::MutantsArgs;
use crate::cli::exit::Exit;
use crate::cli::{files, running, streams, tables};
use crate::closed_set::asked;
use crate::echo::mutants::Mutant;
use crate::echo::options;
use crate::player::spec::Key;
use crate::player::{BorderFault, EngineSpec};
use crate::regress::plan::{Length, Plan};
use crate::regress::{Baseline, Change, compare, regressions};
use crate::suite::{Suite, kinds};
use crate::visible::visible_json;
use crate::work::journal::Journal;
use crate::work::pool::{Crew, Outcome, Ready};
use crate::work::{Order, Part, Run, SuiteTask, Task};

/// The option that seeds a bug.
const OPTION: &str = "Mutant";

/// What became of one bug, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Row {
    engine: String,
    fault: &'static str,
    /// The suite that catches it; none where it got through.
    suite: Option<String>,
    /// The first case of that suite that turned out worse.
    case: String,
    /// What the verdict on that case says.
    cause: String,
    /// Cases of that suite that turned out worse.
    cases: usize,
    /// Does nothing but a suite catch it that only says that something changed?
    only_identity: bool,
    /// Until it was caught, or everything was asked.
    seconds: f64,
}

/// One bug and the key of the spec that brings it in.
#[derive(Debug, Clone, Copy)]
struct Bug {
    key: &'static str,
    name: &'static str,
}

/// Why there is no result.
enum Unfinished {
    /// It was called off.
    CalledOff,
    /// Without any bug the engine misses what the plan asks, so that nothing can be read off its bugs.
    Unsound(String),
}

/// Who is asked what.
struct Hunt<'c> {
    engine: EngineSpec,
    suites: Vec<Part>,
    /// A plan's thresholds are its own engine's: of another one they say how strong it is.
    asks_thresholds: bool,
    crew: &'c Crew<'c>,
}

/// Runs the plan on Echo as it is and with each bug, suite by suite until one catches it; then a foreign engine.
pub fn run(args: &MutantsArgs) -> anyhow::Result<Exit> {
    let crew = running::crew(&args.carrying)?;
    let mut hunts = Vec::new();
    let echo = Hunt::read(&args.plan, None, &crew)?;
    hunts.push((echo, echos_bugs(args)?));
    if let Some(spec) = &args.foreign {
        let hunt = Hunt::read(&args.foreign_plan, Some(files::engine(spec, &[])?), &crew)?;
        hunts.push((hunt, faults(&asked(&args.faults, BorderFault::ALL))));
    }
    let bar = progress(hunts.iter().map(|(_, bugs)| bugs.len() as u64 + 1).sum());
    let mut rows = Vec::new();
    for (hunt, bugs) in hunts {
        match hunt.all(&bugs, &bar)? {
            Ok(found) => rows.extend(found),
            Err(Unfinished::CalledOff) => return Ok(Exit::Interrupted),
            Err(Unfinished::Unsound(missed)) => {
                bar.finish_and_clear();
                let name = &hunt.engine.name;
                streams::notice(&format!(
                    "without any bug {name} misses what the plan asks: {missed}; mend that first"
                ));
                return Ok(Exit::Worse);
            }
        }
    }
    bar.finish_and_clear();
    print(&rows, args.json)?;
    let all_named = rows.iter().all(|row| row.suite.is_some() && !row.only_identity);
    Ok(if all_named { Exit::Fine } else { Exit::Worse })
}

/// The bugs that Echo is given: those asked for, or all that the build has.
fn echos_bugs(args: &MutantsArgs) -> anyhow::Result<Vec<Bug>> {
    let has_mutants = options::table().iter().any(|row| row.name == OPTION);
    anyhow::ensure!(
        has_mutants || args.mutants.is_empty(),
        "this build of Echo has no seeded bugs; build it with `cargo build --release --features mutants`"
    );
    let everything = args.mutants.is_empty() && args.faults.is_empty();
    let mut bugs = Vec::new();
    if has_mutants && (everything || !args.mutants.is_empty()) {
        let mutants = asked(&args.mutants, Mutant::ALL);
        bugs.extend(mutants.into_iter().map(|mutant| Bug { key: OPTION, name: mutant.name() }));
    }
    if everything || !args.faults.is_empty() {
        bugs.extend(faults(&asked(&args.faults, BorderFault::ALL)));
    }
    Ok(bugs)
}

fn faults(faults: &[BorderFault]) -> Vec<Bug> {
    faults.iter().map(|fault| Bug { key: Key::Fault.name(), name: fault.name() }).collect()
}

impl<'c> Hunt<'c> {
    /// The suites of a plan, for this engine or for the plan's own.
    fn read(plan_file: &Path, engine: Option<EngineSpec>, crew: &'c Crew<'c>) -> anyhow::Result<Self> {
        let plan = Plan::read(files::page(plan_file)?)?;
        let asks_thresholds = engine.is_none();
        let engine = engine.map_or_else(|| plan.engine(), Ok)?;
        let order = plan.order(&engine, Length::Quick, &regress::materials(&plan, plan_file)?)?;
        let suites = order.parts.into_iter().filter(|part| matches!(part.task, Task::Suite(_))).collect();
        Ok(Self { engine, suites, asks_thresholds, crew })
    }

    fn all(&self, bugs: &[Bug], bar: &ProgressBar) -> anyhow::Result<Result<Vec<Row>, Unfinished>> {
        bar.set_message(format!("{} as it is", self.engine.name));
        let mut sound = Vec::new();
        for suite in &self.suites {
            let run = match ask(suite, &self.engine, self.crew)? {
                Ok(run) => run,
                Err(unfinished) => return Ok(Err(unfinished)),
            };
            if let Some(missed) = regressions(&run, None).first().filter(|_| self.asks_thresholds) {
                return Ok(Err(Unfinished::Unsound(missed.to_string())));
            }
            sound.push(Baseline::of(&run));
        }
        bar.inc(1);
        let mut rows = Vec::new();
        for bug in bugs {
            bar.set_message(format!("{} with {}", self.engine.name, bug.name));
            match self.one(*bug, &sound)? {
                Ok(row) => rows.push(row),
                Err(unfinished) => return Ok(Err(unfinished)),
            }
            bar.inc(1);
        }
        Ok(Ok(rows))
    }

    /// Puts one bug to suite after suite, until one has a case that is worse and says what is wrong.
    #[expect(clippy::disallowed_methods, reason = "how long it takes is told")]
    fn one(&self, bug: Bug, sound: &[Baseline]) -> anyhow::Result<Result<Row, Unfinished>> {
        let begun = Instant::now();
        let name = self.engine.name.as_str();
        let engine = self.engine.with(&[(bug.key, bug.name), (Key::Name.name(), name)])?;
        let mut row = Row::new(name, bug);
        for (part, sound) in self.suites.iter().zip(sound) {
            let run = match ask(part, &engine, self.crew)? {
                Ok(run) => run,
                Err(unfinished) => return Ok(Err(unfinished)),
            };
            let worse: Vec<Change> = compare(sound, &Baseline::of(&run))
                .suites
                .into_iter()
                .flat_map(|suite| suite.worse)
                .collect();
            let Some(first) = worse.first() else { continue };
            let only_identity = says_only_that_something_changed(part, bug, first)?;
            if row.suite.is_none() || !only_identity {
                row.catch(part, first, worse.len());
                row.only_identity = only_identity;
            }
            if !only_identity {
                break;
            }
        }
        row.seconds = tenths(begun.elapsed());
        Ok(Ok(row))
    }
}

/// Suites of signatures and of determinism say that a search changed, not what is wrong with it. What outlives a
/// new game is the one thing that determinism names.
fn says_only_that_something_changed(part: &Part, bug: Bug, change: &Change) -> anyhow::Result<bool> {
    let Task::Suite(task) = &part.task else { return Ok(false) };
    let kind = Suite::read(&task.source)?.kind.name;
    let outlives = bug.name == BorderFault::NewGameIgnored.name()
        && change.now.reason.starts_with(kinds::determinism::AFTER_NEW_GAME);
    let identity = [kinds::signature::KIND.name, kinds::determinism::KIND.name];
    Ok(identity.contains(&kind) && !outlives)
}

impl Row {
    fn new(engine: &str, bug: Bug) -> Self {
        Self {
            engine: engine.to_owned(),
            fault: bug.name,
            suite: None,
            case: String::new(),
            cause: String::new(),
            cases: 0,
            only_identity: false,
            seconds: 0.0,
        }
    }

    fn catch(&mut self, part: &Part, first: &Change, cases: usize) {
        self.suite = Some(part.name.clone());
        self.case.clone_from(&first.id);
        self.cause.clone_from(&first.now.reason);
        self.cases = cases;
    }
}

fn tenths(time: Duration) -> f64 {
    (time.as_secs_f64() * 10.0).round() / 10.0
}

/// What an engine makes of one suite.
fn ask(suite: &Part, engine: &EngineSpec, crew: &Crew<'_>) -> anyhow::Result<Result<Run, Unfinished>> {
    let Task::Suite(task) = &suite.task else { unreachable!("only suites are asked") };
    let task = SuiteTask { engine: engine.clone(), ..task.clone() };
    let part = Part { name: suite.name.clone(), task: Task::Suite(task) };
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
        let suite = row.suite.as_deref().unwrap_or("NOBODY");
        let remark = if row.only_identity { " (says only that something changed)" } else { "" };
        vec![
            row.engine.clone(),
            row.fault.to_owned(),
            format!("{suite}{remark}"),
            row.case.clone(),
            row.cause.clone(),
            row.cases.to_string(),
            format!("{:.1}", row.seconds),
        ]
    });
    let header = ["engine", "fault", "caught by", "case", "cause", "cases", "seconds"];
    streams::result(&tables::table(&header, cells))?;
    let caught = rows.iter().filter(|row| row.suite.is_some() && !row.only_identity).count();
    streams::result(&format!("{caught} of {} are caught by a suite that says what is wrong.", rows.len()))
}
