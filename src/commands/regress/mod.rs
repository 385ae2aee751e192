//! `regress`: the suites, matches and calibrations of a plan, compared with a baseline.

mod review;
mod stale_program;

use std::collections::BTreeSet;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use crate::args::RunOptions;
use crate::exit::Exit;
use crate::input::built_in;
use crate::input::by_name::{self, GivenPlan, PLAN_FILE};
use crate::input::repository::Repository;
use crate::session::journal_path::JournalPath;
use crate::session::outcome::RunOutcome;
use crate::session::{ChangedEngines, Session, base_version, baselines, report_folder};
use crate::{files, streams};
use threefold_player::{EngineSource, EngineSpec};
use threefold_report::Registry;
use threefold_run::difference::difference;
use threefold_run::job::{BaselineText, ComparisonUse, Outputs, Part, Task, Undecided};
use threefold_run::journal::{Journal, JournalError};
use threefold_run::pool::RunError;
use threefold_run::regress::{
    BaseOptions, BaseReference, BaseSetting, BenchSource, PlanChoices, PlanLength, RegressionPlan,
};
use threefold_run::shard::Shard;
use threefold_run::{FaultBudget, FaultLimit, RunRecord, RunSpec};
use threefold_suites::kinds::bench;

/// `threefold regress`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line, as clap reads it")]
#[command(
    after_help = "Examples:\n  threefold regress --accept    # store the results as the new baseline\n  \
    threefold regress             # compare with it\n  threefold regress --review    # accept single results\n  threefold regress --base-commit origin/main\n  \
    threefold regress --engine ./mine    # without a plan of its own"
)]
pub struct RegressArgs {
    /// Plan of suites, tests and calibrations: a file, or the name of a built-in plan [default:
    /// `threefold.toml` in this folder; else `engine` with --engine, and `regress`, the plan for Echo,
    /// without]
    #[arg(long, value_name = "FILE|NAME")]
    pub plan: Option<PathBuf>,
    /// Engine under test [default: the engine of the plan]
    #[arg(long, value_name = "SPEC")]
    pub engine: Option<String>,
    /// Commit of the base version, which the engine plays against; built by the plan's `build`, once for each
    /// commit [default: that of the plan]
    #[arg(long, value_name = "REVISION", conflicts_with = "base_engine")]
    pub base_commit: Option<String>,
    /// Engine that is the base version [default: that of the plan]
    #[arg(long, value_name = "SPEC")]
    pub base_engine: Option<String>,
    /// UCI options of a base version that is another engine: `inherited` from the engine under test where its
    /// SPEC has no value, or only its `own` [default: that of the plan, or inherited]
    #[arg(long, value_name = "WHICH")]
    pub base_options: Option<BaseOptions>,
    /// Value of `[base]` in place of the plan's: tc, nodes, elo0, elo1, model, budget or games; may be repeated
    #[arg(long = "base-setting", value_name = "KEY=VALUE")]
    pub base_settings: Vec<BaseSetting>,
    /// Baseline to compare with; the folder must exist [default: `.threefold/baseline` in this folder or a
    /// parent inside the git repository; for Echo under the built-in plan, the built-in baseline]
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
    /// Folder for the reports
    #[arg(long, value_name = "DIR", default_value = "reports/latest")]
    pub out: PathBuf,
    /// Store the results as the new baseline, in the folder of --baseline or in `.threefold/baseline`
    #[arg(long)]
    pub accept: bool,
    /// Show each difference of the last run in --out from the baseline, with its board, and accept it into the
    /// baseline or reject it; runs no engine, and needs a terminal
    #[arg(
        long,
        conflicts_with_all = [
            "plan", "engine", "base_commit", "base_engine", "base_options", "accept", "quick", "fresh", "shard"
        ]
    )]
    pub review: bool,
    /// Play fewer games: the quick numbers of the plan
    #[arg(long, conflicts_with = "accept")]
    pub quick: bool,
    /// Maximum number of engine faults in a suite or match, or share such as 2%; more stop the run with exit
    /// code 3 [default: 0 of the engine under test]
    #[arg(long, value_name = "N|N%")]
    pub max_faults: Option<FaultLimit>,
    /// Stop once N cases of strict suites are lost, all suites together. They are tried again; if none of them counts as a
    /// regression, the rest of the plan is run, too
    #[arg(long, value_name = "N", default_value = "10", conflicts_with = "accept")]
    pub stop_after: NonZeroUsize,
    /// Exit code of an undecided test: `pass` is 0, `fail` is 1
    #[arg(long, value_name = "HOW", default_value_t = Undecided::Pass)]
    pub undecided: Undecided,
    /// Start over, even if the report folder holds an interrupted run
    #[arg(long)]
    pub fresh: bool,
    /// Do only this share of the cases and games: `2/4` is the second of four machines. `threefold merge` puts
    /// the journals of all shards together
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Options of every run
    #[command(flatten)]
    pub run_options: RunOptions,
}

/// Runs the plan, compares the results with the baseline, and returns the exit code.
///
/// An interrupted run of the same plan continues; a finished one is replaced.
pub fn run(args: &RegressArgs) -> anyhow::Result<Exit> {
    if args.review {
        return review::run(args);
    }
    let (spec, stale) = spec(args)?;
    let warn = || {
        if let Some(warning) = &stale {
            streams::notice(warning);
        }
    };
    warn();
    let file = args.out.join("run.sqlite");
    let earlier = if args.fresh { None } else { interrupted(&file)? };
    let outcome = match earlier {
        Some(earlier) => go_on(&file, &earlier, spec, &args.run_options)?,
        None => Session::open(&args.run_options)?.run(spec, &JournalPath::Over(&file))?,
    };
    let exit = outcome.finish(&Registry::built_in());
    // Once more after the verdict, which it qualifies: the first one is out of sight by now.
    warn();
    exit
}

/// Runs the plan without a comparison and without a new baseline, except for the parts with these names. An interrupted run has
/// no record.
///
/// # Errors
/// As [`run`].
pub fn run_without_baseline(
    args: &RegressArgs,
    session: &mut Session<'_>,
    finished: &BTreeSet<String>,
) -> anyhow::Result<(Exit, Option<RunRecord>)> {
    let given = given_plan(args)?;
    let engine = engine(args, &given.plan)?;
    let mut spec = RunSpec { comparison: ComparisonUse::Optional, ..spec_with(args, &given, engine, None)? };
    spec.parts.retain(|part| !finished.contains(&part.name));
    let file = args.out.join("run.sqlite");
    let exit = session.run(spec, &JournalPath::Over(&file))?.finish(&Registry::built_in())?;
    Ok((exit, if exit == Exit::Interrupted { None } else { Some(RunRecord::read(&file)?) }))
}

/// Runs some suites of the plan alone, in this order and without reports; `None` if the plan lacks the last one.
///
/// # Errors
/// As [`run`].
pub fn run_suites(
    args: &RegressArgs,
    session: &mut Session<'_>,
    suites: &[&str],
) -> anyhow::Result<Option<RunOutcome>> {
    let GivenPlan { plan, materials, .. } = given_plan(args)?;
    let choices = PlanChoices {
        engine: engine(args, &plan)?,
        base: None,
        length: PlanLength::Full,
        bench: None,
        jobs: args.run_options.workers(),
    };
    let mut spec = plan.spec(&choices, &materials)?;
    let part = |name: &&str| spec.parts.iter().find(|part| part.name == **name).cloned();
    let parts: Vec<Part> = suites.iter().filter_map(part).collect();
    let Some(last) = parts.last().filter(|part| suites.last().is_some_and(|last| part.name == *last)) else {
        return Ok(None);
    };
    let journal = args.out.join(format!("{}.sqlite", last.name));
    spec.parts = parts;
    session.run(spec, &JournalPath::Over(&journal)).map(Some)
}

/// The unfinished run of a journal; `None` if there is none, or none that can be continued.
fn interrupted(file: &Path) -> anyhow::Result<Option<RunRecord>> {
    match RunRecord::read(file) {
        Ok(run) => Ok((!run.is_done() && !run.is_shard_done()).then_some(run)),
        Err(RunError::Journal(error @ (JournalError::Damaged { .. } | JournalError::OtherFormat { .. }))) => {
            streams::notice(&format!("warning: {error}; the run starts over and replaces it"));
            Ok(None)
        }
        // `JournalPath::Over` refuses to replace such a file, and says so.
        Err(RunError::Journal(JournalError::NotAJournal { .. })) => Ok(None),
        Err(_) if !file.exists() => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{}: start over with --fresh", file.display())),
    }
}

fn go_on(
    file: &Path,
    earlier: &RunRecord,
    spec: RunSpec,
    run_options: &RunOptions,
) -> anyhow::Result<RunOutcome> {
    // What was asked again is no part of the plan.
    let again = earlier.spec().parts.iter().filter(|part| part.is_asked_again()).cloned();
    // A run that went on because no lost case counted has no such limit any more.
    let stop_after = earlier.spec().stop_after.and(spec.stop_after);
    let spec = RunSpec { parts: spec.parts.into_iter().chain(again).collect(), stop_after, ..spec };
    let shards = [earlier.spec().shard, spec.shard];
    let what =
        difference(earlier.spec(), &spec).or_else(|| (shards[0] != shards[1]).then(|| shard_of(shards[0])));
    if let Some(what) = what {
        anyhow::bail!(
            "{}: holds another interrupted run: {what}; start over with --fresh, or give another folder with --out",
            file.display()
        );
    }
    report_folder::check(&spec.outputs, run_options)?;
    let mut session = Session::open(run_options)?;
    let journal = Journal::open(file)?;
    let kept = journal.results();
    streams::notice(&format!("journal: {}, interrupted; continuing after {kept} results", file.display()));
    let remedy = "start over with --fresh, or restore the earlier build";
    session.resume_as(spec, journal, ChangedEngines::Refused(remedy))
}

/// `it is shard 1/4 of a run`.
fn shard_of(shard: Option<Shard>) -> String {
    shard.map_or_else(|| "it is no shard".to_owned(), |shard| format!("it is shard {shard} of a run"))
}

/// The plan given, that of this folder, or the built-in one for the engine.
fn plan_of(args: &RegressArgs) -> anyhow::Result<PathBuf> {
    if let Some(given) = &args.plan {
        return Ok(given.clone());
    }
    let own = Path::new(PLAN_FILE);
    if own.exists() {
        return Ok(own.to_owned());
    }
    if let Some(folder) = baselines::nearest_with(PLAN_FILE)? {
        anyhow::bail!(
            "the plan of this repository is {}; run this command in its folder, or name a plan with --plan",
            folder.join(PLAN_FILE).display()
        );
    }
    if args.engine.as_ref().is_some_and(|engine| !is_echo(engine)) {
        return Ok(PathBuf::from(built_in::ENGINE_PLAN));
    }
    if args.engine.is_none() {
        streams::notice(&format!(
            "no {PLAN_FILE} here: the built-in engine Echo is tested; `threefold init` sets up an engine of your own"
        ));
    }
    Ok(PathBuf::from(built_in::PLAN))
}

/// That plan, with the values of the command line.
fn given_plan(args: &RegressArgs) -> anyhow::Result<GivenPlan> {
    let given = by_name::plan(&plan_of(args)?)?;
    Ok(GivenPlan { plan: given.plan.with_base_settings(&args.base_settings)?, ..given })
}

/// The number of commit messages that are searched for the count of a bench.
pub const MESSAGES: usize = 100;

/// The node count that suite `bench` must find; `None` if it need not find any.
fn expected_bench(
    source: Option<BenchSource>,
    baseline: Option<&BaselineText>,
) -> anyhow::Result<Option<NonZeroU64>> {
    match source {
        None => Ok(None),
        Some(BenchSource::Baseline) => {
            Ok(baseline.and_then(baselines::bench_reading).and_then(|bench| NonZeroU64::new(bench.nodes)))
        }
        Some(BenchSource::Commit) => {
            let commits = Repository::here()?.messages(MESSAGES)?;
            let mut counts = commits.iter().map(|commit| bench::bench_signature(&commit.message));
            let found = counts.position(|count| count.is_some());
            if let Some(commit) = found.filter(|&back| back > 0).and_then(|back| commits.get(back)) {
                let (back, hash) = (found.unwrap_or_default(), &commit.hash);
                streams::notice(&format!(
                    "the node count of `bench` is that of commit {hash}, {back} before the last one: no later message has a \
                     count such as `Bench: 2345678`"
                ));
            }
            if found.is_none() {
                streams::notice(&format!(
                    "none of the last {MESSAGES} commit messages has a count such as `Bench: 2345678`; the count of `bench` decides \
                     nothing"
                ));
            }
            let named = found.and_then(|at| bench::bench_signature(&commits.get(at)?.message));
            Ok(named.and_then(NonZeroU64::new))
        }
    }
}

fn is_echo(engine: &str) -> bool {
    files::engine(engine, &[]).is_ok_and(|engine| engine.source == EngineSource::Echo)
}

/// The engine under test.
fn engine(args: &RegressArgs, plan: &RegressionPlan) -> anyhow::Result<EngineSpec> {
    match &args.engine {
        Some(given) => files::engine(given, &[]),
        None => Ok(plan.engine()?),
    }
}

/// The run, with the baseline to compare with, or the folder of a new one; and a warning if the program is older than its
/// sources.
fn spec(args: &RegressArgs) -> anyhow::Result<(RunSpec, Option<String>)> {
    let given = given_plan(args)?;
    let engine = engine(args, &given.plan)?;
    // The plan's command builds the engine of the plan.
    let build = given.plan.build().filter(|_| args.engine.is_none());
    let stale = stale_program::warning(&engine, build);
    let named = args.baseline.as_deref();
    // A run that stores a new baseline is not compared with the old one.
    if args.accept {
        let folder = baselines::accepted(named)?;
        let mut spec = spec_with(args, &given, engine, None)?;
        spec.outputs.baseline = Some(folder);
        return Ok((spec, stale));
    }
    let is_built_in = given.is_built_in && engine.source == EngineSource::Echo;
    let earlier = baselines::earlier(named, is_built_in, &args.run_options)?;
    let trend = baselines::trend(named);
    Ok((RunSpec { trend, ..spec_with(args, &given, engine, earlier)? }, stale))
}

fn spec_with(
    args: &RegressArgs,
    GivenPlan { plan, materials, .. }: &GivenPlan,
    engine: EngineSpec,
    earlier: Option<BaselineText>,
) -> anyhow::Result<RunSpec> {
    let given = match (&args.base_commit, &args.base_engine) {
        (Some(commit), _) => Some(BaseReference::Commit(commit.clone())),
        (None, Some(spec)) => Some(BaseReference::Engine(Box::new(files::engine(spec, &[])?))),
        (None, None) => None,
    };
    let choices = PlanChoices {
        base: base_version::resolve(given, plan, &engine, args.base_options)?,
        engine,
        bench: expected_bench(plan.bench()?, earlier.as_ref())?,
        length: if args.quick { PlanLength::Quick } else { PlanLength::Full },
        jobs: args.run_options.workers(),
    };
    let mut spec = plan.spec(&choices, materials)?;
    if let Some(bench) = earlier.as_ref().and_then(baselines::bench_reading) {
        for part in &mut spec.parts {
            if let Task::Suite(task) = &mut part.task {
                task.source = bench::after_run(task.source.clone(), bench);
            }
        }
    }
    anyhow::ensure!(
        !spec.parts.is_empty(),
        "there is nothing to run: the plan has no suite, test or calibration, and no base version to play against; add \
         suites = [\"builtin:repetition\"], or give --base-engine or --base-commit"
    );
    Ok(RunSpec {
        outputs: Outputs { reports: Some(args.out.clone()), ..Outputs::default() },
        max_faults: Some(args.max_faults.map_or(FaultBudget::SUITE, FaultBudget::uniform)),
        // Without a baseline no case is lost.
        stop_after: earlier.is_some().then_some(args.stop_after),
        baseline: earlier,
        undecided: args.undecided,
        shard: args.shard,
        ..spec
    })
}
