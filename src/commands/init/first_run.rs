//! The first run of a plan, whose results are the first baseline.
//!
//! Suite `determinism` is asked alone before the whole plan, since what it shows changes the plan.
//!
//! Cases in which the engine crashes, hangs or breaks the protocol, always or now and then, are named in the plan's
//! `[left-out]`, and the baseline has them as skipped. Without that, an engine with one such fault has no baseline for all other
//! cases. After many of them in one suite its other cases are not asked, and another run has the suites that the first did not
//! finish; the suite leaves the plan if most of its cases had a fault. If the first run takes long, the dialogues that the engine fails or does not answer are left out, too: most of
//! them wait for a line that does not come, in each run again. Where it fails a dialogue, the passed ones of the same class are held again, and all
//! of them if chance decides about several cases: an engine with a race passes some of them by chance, and they are left out as well. Smoke games are played again in the same
//! way; where one has a fault now and then, all of them are left out.
//! Left out are also all cases on virtual clocks, if the engine loses many of them on time.
//!
//! If what remains takes longer than a plan may take, slow cases are left out, and fewer cases of its longest suites are asked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Parser;

use super::InitArgs;
use super::left_out::left_out_cases;
use super::listed;
use super::many_faults::{self, MOST_FAULTS, NOT_ASKED};
use super::plan_time::{self, CaseTimes};
use crate::args::RunOptions;
use crate::commands::regress::{self, RegressArgs};
use crate::exit::Exit;
use crate::input::by_name::PLAN_FILE;
use crate::session::journal_path::JournalPath;
use crate::session::outcome::RunOutcome;
use crate::session::{Session, baselines, origin};
use crate::setup::engine_search::EngineSearch;
use crate::setup::plan_text::{self, LeftOutCases};
use crate::{files, streams};
use threefold_report::format;
use threefold_run::regress::baseline::{Baseline, CaseName};
use threefold_run::regress::passed_by_chance;
use threefold_run::regress::plan_time::smaller_plan;
use threefold_run::{PartResult, RunRecord};
use threefold_suites::{LostCase, SkipCause, VerdictKind};

/// How often the plan is run at most: again after a suite has left it, and with `restart=on`.
const MOST_RUNS: usize = 6;
/// The suite that shows whether an engine searches the same twice.
const DETERMINISM: &str = "determinism";
/// The suites that are run before the whole plan. The process that has searched the positions of the first one, which are of all
/// kinds, is one of the two that [`DETERMINISM`] compares. What an engine keeps in spite of `ucinewgame` shows only then.
const BEFORE_THE_PLAN: [&str; 2] = ["best-move", DETERMINISM];

/// How often the passed dialogues and smoke games are asked again, of each class in which the engine fails one.
const MORE_ATTEMPTS: usize = 2;

/// A run whose complete parts count.
struct CountedRun {
    run: RunRecord,
    /// The folder of its reports and of its journal.
    folder: PathBuf,
    time: Duration,
    case_times: CaseTimes,
}

impl CountedRun {
    /// The parts that count. A run that too many faults stopped has others, too.
    fn parts(&self) -> Vec<PartResult<'_>> {
        let mut parts = self.run.parts();
        parts.retain(|part| !self.run.is_stopped_by_faults() || many_faults::counts(part));
        parts
    }

    fn names(&self) -> BTreeSet<String> {
        self.parts().iter().map(|part| part.part.name.clone()).collect()
    }
}

/// Runs the plan that was written until all of its parts are over, and writes the baseline.
#[expect(clippy::disallowed_methods, reason = "measures how long a run takes")]
pub(super) fn run(args: &InitArgs) -> anyhow::Result<Exit> {
    let Some(mut plan) = plan_with_equal_searches(args)? else { return Ok(Exit::Interrupted) };
    let mut runs: Vec<CountedRun> = Vec::new();
    for _ in 0..MOST_RUNS {
        let finished: BTreeSet<String> = runs.iter().flat_map(CountedRun::names).collect();
        let folder = run_folder(args, runs.len())?;
        let begun = Instant::now();
        let mut case_times = CaseTimes::default();
        let (exit, run) = run_plan(args, &folder, &finished, &mut case_times)?;
        let Some(run) = run else { return Ok(exit) };
        if let Some(changed) = plan_for_unequal_searches(args, &plan, &run)? {
            // The searches of the other suites would be others now, too.
            runs.clear();
            plan = changed;
        } else {
            let after_faults = many_faults::plan_after(&plan, &run.parts())?;
            runs.push(CountedRun { run, folder, time: begun.elapsed(), case_times });
            match after_faults {
                Some(changed) => plan = changed,
                None => return baseline_of(args, plan, &runs),
            }
        }
        // The next run reads the plan from its file.
        files::write_whole(Path::new(PLAN_FILE), plan.as_bytes())?;
        if is_over(&runs) {
            return baseline_of(args, plan, &runs);
        }
    }
    anyhow::bail!(
        "the plan was run {MOST_RUNS} times, and each time the engine had more than {MOST_FAULTS} faults in one suite; fix them \
         (`threefold report reports/latest/run.sqlite` lists the first ones), and run `threefold regress --accept`"
    )
}

/// Was the suite with too many faults the last part that was not over?
fn is_over(runs: &[CountedRun]) -> bool {
    let Some(last) = runs.last() else { return false };
    let is_over = |part: &PartResult<'_>| part.progress.ending.is_some();
    last.run.parts().iter().all(is_over)
}

/// The folder of a run: the first has that of `regress`, and each later one, of the other suites, one of its own.
fn run_folder(args: &InitArgs, earlier: usize) -> anyhow::Result<PathBuf> {
    let folder = regress_args(args)?.out;
    Ok(if earlier == 0 { folder } else { PathBuf::from(format!("{}-{}", folder.display(), earlier + 1)) })
}

/// The baseline of complete runs.
fn baseline_of(args: &InitArgs, plan: String, runs: &[CountedRun]) -> anyhow::Result<Exit> {
    let time: Duration = runs.iter().map(|it| it.time).sum();
    let mut left_out = LeftOutCases::new();
    for it in runs {
        let Some(by_chance) = passed_by_chance(args, it)? else { return Ok(Exit::Interrupted) };
        left_out.extend(left_out_cases(&it.parts(), time));
        let parts = it.parts();
        let not_asked = parts.iter().flat_map(many_faults::cases_not_asked);
        left_out.extend(not_asked.map(|case| ((case.suite.clone(), case.id.clone()), NOT_ASKED)));
        left_out.extend(by_chance);
    }
    finish(plan, runs, left_out)
}

/// Runs suite `determinism`, after a short one, until it passes, with a changed plan each time; `None` if a run is interrupted.
/// Both are short, and a change makes the results of all suites useless.
fn plan_with_equal_searches(args: &InitArgs) -> anyhow::Result<Option<String>> {
    let mut plan = files::text(Path::new(PLAN_FILE))?;
    if plan_text::without_suite(&plan, DETERMINISM).is_some() {
        streams::notice(
            "\nsuites best-move and determinism alone, since what they show changes the plan; then the whole plan",
        );
    }
    for _ in 0..MOST_RUNS {
        let regress = regress_args(args)?;
        let mut session = session(args, &regress.run_options)?;
        let Some(outcome) = regress::run_suites(&regress, &mut session, &BEFORE_THE_PLAN)? else { break };
        let RunOutcome::Finished(finished) = outcome else { return Ok(None) };
        let Some(changed) = plan_for_unequal_searches(args, &plan, &finished.run)? else { break };
        plan = changed;
        files::write_whole(Path::new(PLAN_FILE), plan.as_bytes())?;
    }
    Ok(Some(plan))
}

/// Runs the parts of the plan that no earlier run has finished; no record of an interrupted run.
fn run_plan(
    given: &InitArgs,
    folder: &Path,
    finished: &BTreeSet<String>,
    case_times: &mut CaseTimes,
) -> anyhow::Result<(Exit, Option<RunRecord>)> {
    let args = RegressArgs { out: folder.to_owned(), ..regress_args(given)? };
    let mut session = session(given, &args.run_options)?.observed_by(|event| case_times.take(event));
    regress::run_without_baseline(&args, &mut session, finished)
}

/// The workers of a run. The set-up can't continue an interrupted one, so it is done again, over the files that it
/// has written.
fn session(given: &InitArgs, run_options: &RunOptions) -> anyhow::Result<Session<'static>> {
    let force = if given.force { "" } else { " --force" };
    let mut session = Session::open(run_options)?;
    session.continue_command = Some(origin::command(run_options) + force);
    Ok(session)
}

/// The arguments of the first run.
fn regress_args(given: &InitArgs) -> anyhow::Result<RegressArgs> {
    #[derive(Parser)]
    struct Regress {
        #[command(flatten)]
        args: RegressArgs,
    }
    let most_faults = MOST_FAULTS.to_string();
    // Parsed, so that all other options have the defaults of `regress`.
    let mut regress = Regress::try_parse_from(["regress", "--fresh", "--max-faults", &most_faults])?.args;
    regress.run_options.search_timeout = given.search_timeout;
    Ok(regress)
}

/// Asks dialogues and smoke games again; those that are passed by chance. `None` if the run is interrupted.
fn passed_by_chance(given: &InitArgs, counted: &CountedRun) -> anyhow::Result<Option<LeftOutCases>> {
    let Some(spec) = passed_by_chance::asked_again(&counted.run, &counted.names(), MORE_ATTEMPTS) else {
        return Ok(Some(LeftOutCases::new()));
    };
    streams::notice(
        "\nasking dialogues or smoke games again, since an engine that fails some may pass others of their class by chance",
    );
    let args = regress_args(given)?;
    let journal = args.out.join("again.sqlite");
    let outcome = session(given, &args.run_options)?.run(spec, &JournalPath::Over(&journal))?;
    let RunOutcome::Finished(again) = outcome else { return Ok(None) };
    let found = passed_by_chance::cases(&counted.run, &again.run).into_iter();
    Ok(Some(found.map(|(name, why)| ((name.suite, name.id), why)).collect()))
}

/// The plan for another run if the engine did not search the same twice in this one.
fn plan_for_unequal_searches(args: &InitArgs, plan: &str, run: &RunRecord) -> anyhow::Result<Option<String>> {
    let parts = run.parts();
    let cases = || parts.iter().flat_map(PartResult::cases);
    let not_kept = cases().find(|case| case.verdict.cause == SkipCause::LimitNotKept.into());
    let by_depth = not_kept.and_then(|_| plan_text::with_depth_limit(plan));
    let differs = cases().find(|case| case.verdict.cause.shows_nondeterminism());
    let Some(case) = not_kept.filter(|_| by_depth.is_some()).or(differs) else { return Ok(None) };
    let difference = format!("{} {}: {}", case.suite, case.id, case.verdict.reason());
    let cleared = plan_text::with_clear_hash(plan).filter(|plan| starts(args, plan));
    let (changed, what) = if let Some(plan) = by_depth {
        // Where a search ends decides what it finds, even in one that was the same twice by chance.
        (plan, "its searches are now limited by depth, since the engine searches far beyond a node limit")
    } else if let Some(plan) = cleared {
        // Tried before a restart, since a new process for each game takes most of a run's time.
        (plan, "`Clear Hash` is now pressed for each game, since the engine did not search the same twice")
    } else if let Some(plan) = plan_text::with_restart(plan) {
        (plan, "the engine now has restart=on, since it did not search the same twice in one process")
    } else if let Some(plan) = plan_text::with_depth_limit(plan) {
        (
            plan,
            "its searches are now limited by depth, since the engine did not search the same twice in new processes",
        )
    } else {
        let plan = plan_text::without_equal_searches(plan)
            .context("the plan has no suite that compares searches")?;
        (
            plan,
            "it is now without the suites that compare searches, since the engine does not search the same twice",
        )
    };
    streams::notice(&format!("\nwarning: {PLAN_FILE}: {what} ({difference}); running again"));
    Ok(Some(changed))
}

/// Does the engine of this plan start? It does not with the name of an option that it lacks.
fn starts(args: &InitArgs, plan: &str) -> bool {
    let spec = plan_text::engine(plan);
    spec.is_some_and(|spec| EngineSearch::new(args.search_timeout).introduce(&spec).is_ok())
}

/// Leaves these cases out of the plan and of the baseline, asks fewer if the rest takes long, and writes both.
fn finish(mut plan: String, runs: &[CountedRun], mut left_out: LeftOutCases) -> anyhow::Result<Exit> {
    let mut baseline = Baseline::default();
    let mut suites = Vec::new();
    for it in runs {
        let (names, parts) = (it.names(), it.parts());
        baseline.add_parts(Baseline::accepted_from(&it.run).of_parts(|part| names.contains(part)));
        baseline.add_not_asked(parts.iter().flat_map(many_faults::cases_not_asked), NOT_ASKED);
        suites.extend(it.case_times.suites(&parts, &left_out));
    }
    if let Some(smaller) = smaller_plan(&suites) {
        plan = plan_time::with_fewer_cases(&plan, &smaller);
        baseline.remove(&smaller.removed);
        left_out.retain(|(suite, id), _| !smaller.removed.contains(&case_name(suite, id)));
        let slow = smaller.slow.iter().map(|name| ((name.suite.clone(), name.id.clone()), "slow"));
        left_out.extend(slow);
        streams::notice(&plan_time::notice(&smaller));
    }
    if !left_out.is_empty() {
        plan += &plan_text::left_out(&left_out);
        let cases = left_out.iter().map(|((suite, id), why)| (case_name(suite, id), *why)).collect();
        baseline.leave_out(&cases);
        streams::notice(&format!(
            "\nwarning: {PLAN_FILE}: [left-out] names the cases with an engine fault, the flaky ones, the dialogues that the engine passes by chance, if \
             the run took more than a minute those that it fails or does not answer, and the slow ones of a long plan; remove them once the engine is fixed:\n{}",
            listed(&left_out)
        ));
    }
    files::write_whole(Path::new(PLAN_FILE), plan.as_bytes())?;
    runs.iter().filter_map(|it| known_failures(it, &baseline)).for_each(|known| streams::notice(&known));
    let folder = baselines::accepted(None)?;
    files::write_baseline(&folder, &baseline.to_text(), None)?;
    streams::result(&format!("baseline: {}", folder.display()))?;
    Ok(Exit::Fine)
}

fn case_name(suite: &str, id: &str) -> CaseName {
    CaseName { suite: suite.to_owned(), id: id.to_owned() }
}

/// The most failures of strict suites that are listed.
const MOST_LISTED: usize = 10;

/// The failures of strict suites, which show faults of the engine itself: the baseline has them, so they are no
/// regression later. Cases that the plan leaves out, or no longer asks, are none. `None` without any.
fn known_failures(counted: &CountedRun, baseline: &Baseline) -> Option<String> {
    let parts = counted.parts();
    let folder = counted.folder.display();
    let is_strict =
        |part: &&PartResult<'_>| part.suite.is_some_and(|suite| suite.lost_case == LostCase::Strict);
    let is_asked = |name: &CaseName| {
        baseline.cases.get(name).is_some_and(|case| case.cause != SkipCause::LeftOut.into())
    };
    let failed: Vec<String> = parts
        .iter()
        .filter(is_strict)
        .flat_map(PartResult::cases)
        .filter(|case| case.verdict.kind() == VerdictKind::Failed)
        .filter(|case| is_asked(&case_name(&case.suite, &case.id)))
        .map(|case| format!("  {} {}: {}", case.suite, case.id, case.verdict.reason()))
        .collect();
    let more = failed.len().saturating_sub(MOST_LISTED);
    let more = if more > 0 { format!("\n  and {more} more, in {folder}/summary.md") } else { String::new() };
    (!failed.is_empty()).then(|| {
        format!(
            "\nwarning: the engine fails {} of suites in which an answer is a matter of rules; the baseline has them as known \
             failures (`threefold explain {folder}/run.sqlite ID` says more):\n{}{more}",
            format::count(failed.len(), "case"),
            failed[..failed.len().min(MOST_LISTED)].join("\n")
        )
    })
}
