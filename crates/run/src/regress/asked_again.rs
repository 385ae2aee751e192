//! Lost cases of search suites, asked again with more nodes, and lost dialogues, held again.
//!
//! Any patch changes a little how far a search sees with a given number of nodes, so a few cases get lost and a
//! few others are gained. What a patch breaks stays lost with more nodes. So after the plan, the new version is
//! asked each lost case again, at one stage of limits after the other as long as it fails, and then the base
//! version, if there is one. Each question is a case of a part that is added to the run, as a round of a knockout
//! tournament is: it depends on the results alone, so a run that is interrupted or distributed asks the same.
//!
//! A run that stopped after a number of lost cases asks those of strict suites again at once. If none of them counts
//! against it, the plan goes on without such a limit.

use std::collections::BTreeSet;

use super::baseline::{Baseline, CaseName};
use super::comparison::{Comparison, Regression, compare, regressions};
use super::loss::{AskedAgain, Loss};
use super::plan::BASE_TEST;
use super::suite_comparison::CaseChange;
use crate::PartEnding;
use crate::job::{ASKED_AGAIN, ComparisonUse, Part, RunSpec, SuiteTask, Task};
use crate::labels::Labels;
use crate::lost_answers;
use crate::run_record::{PartResult, RunRecord};
use threefold_chess::clock::{Clocks, Limits, Remaining};
use threefold_chess::score::Ply;
use threefold_player::EngineSpec;
use threefold_suites::single_case::with_cases;
use threefold_suites::{Cause, LostCase, SkipCause, Verdict, VerdictKind};

/// The label of an added part with the stage of its limits, from 0.
pub const STAGE: &str = "stage";
/// The label with the version that is asked.
const VERSION: &str = "version";

/// The limits of the stages, in tenths of the node limit of the suite. The first also has a few nodes less and
/// more, since a case may be lost at one limit by chance.
const NODE_STAGES: [&[u64]; 3] = [&[9, 11, 20], &[50, 100], &[300]];
/// The same for suites with a depth limit, in plies more.
const DEPTH_STAGES: [&[u16]; 3] = [&[1], &[2, 3], &[4]];
/// The same for suites with a clock, in percent of its time. The same time gives another search, so it is tried, too.
const CLOCK_STAGES: [&[u32]; 3] = [&[100, 200], &[400], &[1_000]];
/// The most lost dialogues of a suite that are held again. More than a few are no race, and each waits for lines that do
/// not come.
const MOST_DIALOGUES: usize = 8;
/// No question has more nodes, or it would cost more than the rest of the run.
const MOST_NODES: u64 = 6_000_000;
/// The most lost cases of a suite that are asked again, evenly spread over the lost ones. What breaks more of them
/// for good shows in these, and the test of the suite as a whole counts all.
const MOST_CASES: usize = 20;

threefold_named_enum::named_enum! {
    /// The version of the engine that is asked again.
    enum Version {
        /// The one under test.
        New = "new",
        /// The one that it plays against.
        Base = "base",
    }
}

impl AskedAgain {
    /// The answers of a run.
    pub fn from_run(run: &RunRecord) -> Self {
        let mut asked = Self::default();
        for part in run.parts() {
            let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else { continue };
            if !part.part.is_asked_again() {
                asked.lost_cases.insert(suite.name.clone(), suite.lost_case);
                if !stage_limits(&limits(task, &part), 0).is_empty() {
                    asked.adjustable.insert(suite.name.clone());
                }
                continue;
            }
            let version = part.part.labels.parsed(VERSION).unwrap_or(Version::New);
            let answers = match version {
                Version::New => &mut asked.new,
                Version::Base => &mut asked.base,
            };
            for case in part.cases() {
                let name = CaseName { suite: case.suite.clone(), id: case.id.clone() };
                if version == Version::New {
                    *asked.questions.entry(name.clone()).or_default() += 1;
                }
                let Some(is_passed) = is_passed(&case.verdict, suite.lost_case) else { continue };
                answers.entry(name).or_default().push((limit_text(&limits(task, &part)), is_passed));
            }
        }
        if let Some(baseline) = &run.spec().baseline {
            let is_search = |suite: &String| asked.lost_cases.get(suite) == Some(&LostCase::Search);
            let loses_searches = lost_answers::suites(baseline).iter().any(is_search);
            asked.loses_answers = loses_searches || lost_answers::passes_many_by_chance(baseline);
            asked.passed_by_chance = lost_answers::suites_passed_by_chance(baseline);
        }
        asked
    }
}

/// Is a case passed that was asked again? `None` if it was not asked.
fn is_passed(verdict: &Verdict, lost_case: LostCase) -> Option<bool> {
    match verdict.cause {
        // A flaky dialogue passed in one of its attempts.
        Cause::Skipped(SkipCause::Flaky) => Some(true),
        // A dialogue that failed and now gets no answer did not pass.
        Cause::Skipped(SkipCause::NoAnswer) if lost_case == LostCase::Strict => Some(false),
        // A skipped case shows nothing about the engine, such as one that the machine delayed.
        Cause::Skipped(_) => None,
        _ => Some(verdict.kind() == VerdictKind::Passed),
    }
}

/// The run with the next questions, or with the rest of its plan if it stopped and no lost case counts against it; `None` if
/// there is nothing left to do.
pub fn next_round(run: &RunRecord) -> Option<RunSpec> {
    let spec = run.spec();
    let baseline = Baseline::parse(spec.baseline.as_ref()?).ok()?;
    if spec.comparison != ComparisonUse::Required || !run.is_done() || run.is_stopped_by_faults() {
        return None;
    }
    let asked = AskedAgain::from_run(run);
    let comparison = compare(&baseline, &Baseline::from_run(run), &asked);
    let base = base_engine(spec);
    let many_lost = comparison.suites.iter().filter(|suite| suite.has_lost_many());
    let is_no_race = asked.is_no_race(&many_lost.map(|suite| suite.suite.as_str()).collect());
    let is_asked = |part: &&PartResult<'_>| match part.suite.map(|suite| suite.lost_case) {
        Some(LostCase::Strict) => !is_no_race,
        // These cases can wait for the rest of the plan, if it goes on.
        Some(LostCase::Search) => !run.is_stopped_by_failed_cases(),
        None => false,
    };
    let parts = run.planned_parts();
    let parts = parts.iter().filter(is_asked);
    let added: Vec<Part> = parts.flat_map(|part| questions(part, spec, base, &asked, &comparison)).collect();
    if !added.is_empty() {
        return Some(RunSpec { parts: [spec.parts.clone(), added].concat(), ..spec.clone() });
    }
    let is_excused = run.is_stopped_by_failed_cases()
        && !regressions(run, Some(&comparison))
            .iter()
            .any(|found| ends_plan(found, &parts_stopped(run), &asked));
    is_excused.then(|| RunSpec { stop_after: None, ..spec.clone() })
}

/// The names of the parts that the run stopped in.
fn parts_stopped(run: &RunRecord) -> Vec<String> {
    let stopped = |part: &PartResult<'_>| part.progress.ending == Some(PartEnding::FailedCases);
    run.planned_parts().into_iter().filter(stopped).map(|part| part.part.name.clone()).collect()
}

/// Is the rest of the plan of a stopped run not needed because of this regression?
fn ends_plan(found: &Regression, stopped: &[String], asked: &AskedAgain) -> bool {
    match found {
        // Cases of search suites are not asked again before the end of the plan.
        Regression::Case { suite, loss: Some(Loss::NotAsked(_)), .. } => {
            asked.lost_cases.get(suite) != Some(&LostCase::Search)
        }
        // The stop itself is listed, too. The p-value is adjusted for the number of suites, and some have not run.
        Regression::Stopped { .. } | Regression::Suite { .. } => false,
        // The suite has cases that have not run.
        Regression::Threshold { suite, .. } => !stopped.contains(suite),
        Regression::Case { .. } | Regression::Rejected { .. } | Regression::Undecided { .. } => true,
    }
}

/// The next questions about a suite.
fn questions(
    part: &PartResult<'_>,
    spec: &RunSpec,
    base: Option<&EngineSpec>,
    asked: &AskedAgain,
    comparison: &Comparison,
) -> Vec<Part> {
    let (Task::Suite(task), Some(suite)) = (&part.part.task, part.suite) else { return Vec::new() };
    let Some(compared) = comparison.suites.iter().find(|it| it.suite == suite.name) else {
        return Vec::new();
    };
    let is_strict = suite.lost_case == LostCase::Strict;
    let may_be_asked = |change: &&CaseChange| {
        change.now.kind() == VerdictKind::Failed && (!is_strict || compared.may_be_chance(&change.now))
    };
    let of_suite = || spec.parts.iter().filter(|it| it.labels.get(ASKED_AGAIN) == Some(&suite.name));
    let stages =
        of_suite().filter_map(|it| it.labels.parsed::<usize>(STAGE)).max().map_or(0, |last| last + 1);
    let lost: Vec<&CaseChange> = compared.worse.iter().filter(may_be_asked).collect();
    let lost = evenly_spread(&lost, if is_strict { MOST_DIALOGUES } else { MOST_CASES });
    let is_open = |change: &&CaseChange| {
        let name = CaseName { suite: suite.name.clone(), id: change.id.clone() };
        asked.is_open(&name, &change.now, suite.lost_case)
    };
    let open: Vec<&str> = lost.into_iter().filter(is_open).map(|change| change.id.as_str()).collect();
    if open.is_empty() {
        return Vec::new();
    }
    let limits = limits(task, part);
    let question = |version: Version, engine: &EngineSpec, stage: usize, limits: Limits| {
        // The plan was the first time, so stage 0 is the second.
        let text = if is_strict { format!("time {}", stage + 2) } else { limit_text(&limits) };
        let source = with_cases(&task.source, &open).expect("the suite has been read before");
        let labels =
            Labels::NONE.with(ASKED_AGAIN, &suite.name).with(STAGE, stage).with(VERSION, version.name());
        let of_version = if version == Version::Base { ", base version" } else { "" };
        let task = SuiteTask {
            engine: engine.clone(),
            limits: Some(Box::new(limits)),
            timemargin: task.timemargin,
            ..SuiteTask::new(engine.clone(), source)
        };
        Part {
            name: format!("{} again, {text}{of_version}", part.part.name),
            labels,
            task: Task::Suite(task),
        }
    };
    if is_strict {
        return vec![question(Version::New, &task.engine, stages, limits)];
    }
    let next = stage_limits(&limits, stages);
    if !next.is_empty() {
        let next = next.into_iter();
        return next.map(|limits| question(Version::New, &task.engine, stages, limits)).collect();
    }
    // The stages are over: the base version is asked what the new one has failed at each of them.
    let is_base_asked = of_suite().any(|it| it.labels.get(VERSION) == Some(Version::Base.name()));
    let Some(base) = base.filter(|_| !is_base_asked) else { return Vec::new() };
    let mut all: Vec<Limits> = vec![limits];
    // The first stage of a clock has the time of the plan once more.
    all.extend((0..stages).flat_map(|stage| stage_limits(&limits, stage)).filter(|raised| *raised != limits));
    all.into_iter().map(|limits| question(Version::Base, base, stages, limits)).collect()
}

/// At most this many of some items, evenly spread over them.
fn evenly_spread<T: Copy>(items: &[T], most: usize) -> Vec<T> {
    let kept = items.len().min(most);
    (0..kept).map(|index| items[index * items.len() / kept]).collect()
}

/// The base version of a run that has one.
fn base_engine(spec: &RunSpec) -> Option<&EngineSpec> {
    spec.parts.iter().filter(|part| part.name == BASE_TEST).find_map(|part| part.task.engines().get(1))
}

/// The search limits of a suite in a run.
fn limits(task: &SuiteTask, part: &PartResult<'_>) -> Limits {
    let own = part.suite.map(|suite| suite.limits).unwrap_or_default();
    task.limits.as_deref().copied().unwrap_or(own)
}

/// The limits of a stage; none after the last stage, or if no number of nodes or plies limits the searches.
fn stage_limits(limits: &Limits, stage: usize) -> Vec<Limits> {
    // The raised limits of small numbers are rounded to those of the plan or to each other. The same number of nodes or
    // plies gives the same search, and two parts of a run must not have one name.
    let mut known = BTreeSet::new();
    if limits.nodes.is_some() || limits.depth.is_some() {
        known.insert(limit_text(limits));
    }
    let mut new = Vec::new();
    for stage in 0..=stage {
        new = raised_limits(limits, stage);
        new.retain(|limits| known.insert(limit_text(limits)));
    }
    new
}

/// The raised limits of a stage, of which several may be the same.
fn raised_limits(limits: &Limits, stage: usize) -> Vec<Limits> {
    match *limits {
        Limits { nodes: Some(nodes), .. } => {
            let factors = NODE_STAGES.get(stage).copied().unwrap_or_default().iter();
            let raised = factors.map(|tenths| nodes.saturating_mul(*tenths).div_ceil(10));
            // Twice the nodes of the suite are always allowed, however many these are.
            let allowed = raised.filter(|&raised| raised <= MOST_NODES.max(nodes.saturating_mul(2)));
            allowed.map(|nodes| Limits { nodes: Some(nodes), ..*limits }).collect()
        }
        Limits { depth: Some(Ply(depth)), .. } => {
            let plies = DEPTH_STAGES.get(stage).copied().unwrap_or_default().iter();
            plies.map(|&more| Limits { depth: Some(Ply(depth.saturating_add(more))), ..*limits }).collect()
        }
        Limits { clocks: Some(clocks), .. } => {
            let percents = CLOCK_STAGES.get(stage).copied().unwrap_or_default().iter();
            percents.map(|&percent| Limits { clocks: Some(with_time(clocks, percent)), ..*limits }).collect()
        }
        _ => Vec::new(),
    }
}

/// Clocks with this share of their time.
fn with_time(clocks: Clocks, percent: u32) -> Clocks {
    let side = |side: Remaining| Remaining { time: side.time.saturating_mul(percent) / 100, ..side };
    Clocks { white: side(clocks.white), black: side(clocks.black), ..clocks }
}

/// `40000 nodes`, `depth 9`, `clock 2+0`.
fn limit_text(limits: &Limits) -> String {
    match *limits {
        Limits { nodes: Some(nodes), .. } => format!("{nodes} nodes"),
        Limits { depth: Some(Ply(depth)), .. } => format!("depth {depth}"),
        Limits { clocks: Some(clocks), .. } => format!("clock {clocks}"),
        _ => "its limits".to_owned(),
    }
}

#[cfg(test)]
#[path = "asked_again_tests.rs"]
mod tests;
