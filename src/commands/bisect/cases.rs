//! The cases of a bisection: which are asked, and what their verdicts say of a commit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context;

use super::Input;
use super::state::CaseEvidence;
use crate::input::by_name;
use crate::input::case_search;
use crate::session::outcome;
use threefold_player::EngineSpec;
use threefold_report::Registry;
use threefold_run::regress::baseline::CaseName;
use threefold_run::regress::{PlanChoices, PlanLength};
use threefold_run::{Part, PartResult, RunRecord, RunSpec, SuiteTask, Task};
use threefold_stats::bisection::Verdict;
use threefold_suites::reference::stem;
use threefold_suites::single_case::with_cases;
use threefold_suites::{CaseRecord, LostCase, Suite, VerdictKind};

/// The journal of the last `threefold regress`.
const LAST_RUN: &str = "reports/latest/run.sqlite";

/// The cases, as the plan asks them.
#[derive(Debug)]
pub(super) struct CaseQuestion {
    spec: RunSpec,
    /// What is asked, in words.
    pub(super) what: String,
}

impl CaseQuestion {
    /// The cases that the command line names, or those that the last regression test lost.
    ///
    /// # Errors
    /// If there are none.
    pub(super) fn choose(input: &Input<'_>) -> anyhow::Result<Self> {
        let args = input.args;
        let choices = PlanChoices {
            engine: input.engine.clone(),
            base: None,
            length: PlanLength::Full,
            bench: None,
            jobs: args.run_options.workers(),
        };
        let mut spec = input.given.plan.spec(&choices, &input.given.materials)?;
        spec.parts.retain(|part| matches!(part.task, Task::Suite(_)));
        if let Some(suite) = &args.suite {
            spec.parts = vec![part_of_suite(&spec, suite, &input.engine)?];
        }
        let what = match (&args.case, &args.suite) {
            (Some(case), _) => {
                let name = named(&spec, case)?;
                let what = format!("{}/{}", name.suite, name.id);
                spec.parts = parts_with(&spec.parts, &[name])?;
                what
            }
            (None, Some(suite)) => format!("suite {}", stem(&suite.display().to_string())),
            (None, None) => {
                let lost = lost_last()?;
                spec.parts = parts_with(&spec.parts, &lost)?;
                format!("the cases of the plan that {LAST_RUN} lost")
            }
        };
        anyhow::ensure!(
            !spec.parts.is_empty(),
            "the plan has no suite with these cases; name one with --suite"
        );
        Ok(Self { spec, what })
    }

    /// What is asked, in full: the suites with their positions and limits.
    pub(super) fn text(&self) -> String {
        let part = |part: &Part| match &part.task {
            Task::Suite(task) => format!(
                "{}\n{:?}\n{:?}\n{:?}\n{}",
                part.name, task.limits, task.per_class, task.left_out, task.source.suite_file.text
            ),
            Task::Match(_) => String::new(),
        };
        self.spec.parts.iter().map(part).collect::<Vec<_>>().join("\n")
    }

    /// The run of the cases with an engine; of these alone, if they are known.
    ///
    /// # Errors
    /// If a suite can't be reduced to them.
    pub(super) fn run_spec(&self, engine: &EngineSpec, lost: Option<&[CaseName]>) -> anyhow::Result<RunSpec> {
        let parts =
            lost.map_or_else(|| Ok(self.spec.parts.clone()), |lost| parts_with(&self.spec.parts, lost))?;
        let with_engine = |part: Part| match part.task {
            Task::Suite(task) => {
                let task = SuiteTask { engine: engine.clone(), ..task };
                Part { task: Task::Suite(task), ..part }
            }
            Task::Match(_) => part,
        };
        let title = format!("Bisecting {}", self.what);
        Ok(RunSpec {
            title,
            seed: self.spec.seed,
            thresholds: self.spec.thresholds,
            parts: parts.into_iter().map(with_engine).collect(),
            ..RunSpec::default()
        })
    }

    /// The suites in which any lost case decides.
    pub(super) fn strict_suites(&self) -> anyhow::Result<BTreeSet<String>> {
        let mut strict = BTreeSet::new();
        for suite in suites(&self.spec)? {
            if suite.lost_case == LostCase::Strict {
                strict.insert(suite.name);
            }
        }
        Ok(strict)
    }

    /// The command that asks a case again, of a commit that is built.
    pub(super) fn again(&self, case: &CaseName, engine: &EngineSpec) -> Option<String> {
        let part = self.spec.parts.iter().find(|part| {
            let Task::Suite(task) = &part.task else { return false };
            Suite::read(&task.source).is_ok_and(|suite| suite.name == case.suite)
        })?;
        let Task::Suite(task) = &part.task else { return None };
        let limits = task.limits.as_deref();
        let nodes = limits.and_then(|limits| limits.nodes).map(|nodes| format!(" --nodes {nodes}"));
        let depth = limits.and_then(|limits| limits.depth).map(|depth| format!(" --depth {}", depth.0));
        let word = threefold_report::words::rerun::shell_word;
        Some(format!(
            "threefold suite {} --case {}{}{} --engine {}",
            word(&suite_argument(&task.source.suite_file.file)),
            word(&case.id),
            nodes.unwrap_or_default(),
            depth.unwrap_or_default(),
            word(&engine.text)
        ))
    }
}

/// The argument that names a suite on the command line. The file of a built-in one has no folder that exists.
fn suite_argument(file: &str) -> String {
    if Path::new(file).exists() { file.to_owned() } else { format!("builtin:{}", stem(file)) }
}

/// A suite of the plan, or another one with its own limits.
fn part_of_suite(spec: &RunSpec, given: &Path, engine: &EngineSpec) -> anyhow::Result<Part> {
    let name = stem(&given.display().to_string());
    if let Some(part) = spec.parts.iter().find(|part| part.name == name) {
        return Ok(part.clone());
    }
    let source = by_name::suite(given)?;
    let task = SuiteTask::new(engine.clone(), source.clone());
    Ok(Part::without_labels(source.name(), Task::Suite(task)))
}

fn suites(spec: &RunSpec) -> anyhow::Result<Vec<Suite>> {
    let sources = spec.parts.iter().filter_map(|part| match &part.task {
        Task::Suite(task) => Some(&task.source),
        Task::Match(_) => None,
    });
    Ok(sources.map(Suite::read).collect::<Result<_, _>>()?)
}

/// The case with this id, or `SUITE/ID`.
fn named(spec: &RunSpec, case: &str) -> anyhow::Result<CaseName> {
    let suites = suites(spec)?;
    let info = case_search::unique(&suites.iter().collect::<Vec<_>>(), case)
        .context("in the suites of the plan; name another suite with --suite")?;
    Ok(CaseName { suite: info.suite.clone(), id: info.id.clone() })
}

/// The suites reduced to these cases.
fn parts_with(parts: &[Part], cases: &[CaseName]) -> anyhow::Result<Vec<Part>> {
    let mut reduced = Vec::new();
    for part in parts {
        let Task::Suite(task) = &part.task else { continue };
        let suite = Suite::read(&task.source)?;
        let is_wanted = |id: &str| cases.iter().any(|case| case.suite == suite.name && case.id == id);
        let ids: Vec<&str> =
            suite.definitions.iter().map(|it| it.info.id.as_str()).filter(|id| is_wanted(id)).collect();
        if !ids.is_empty() {
            let source = with_cases(&task.source, &ids)?;
            // The cases are chosen already: the plan's numbers and exclusions must not leave any of them out.
            let task = SuiteTask { source, per_class: None, left_out: Vec::new(), ..task.clone() };
            reduced.push(Part { task: Task::Suite(task), ..part.clone() });
        }
    }
    Ok(reduced)
}

/// The cases that the last regression test lost.
fn lost_last() -> anyhow::Result<Vec<CaseName>> {
    let file = Path::new(LAST_RUN);
    let remedy = "name what was lost: --case ID, --suite NAME or --elo";
    anyhow::ensure!(
        file.exists(),
        "{LAST_RUN}: there is no last `threefold regress` in this folder; {remedy}"
    );
    let run = RunRecord::read(file)?;
    let set = outcome::report_set(run.spec(), file, &Registry::built_in())?;
    let worse = outcome::build_report(&run, &set)?.worse;
    anyhow::ensure!(!worse.is_empty(), "{LAST_RUN}: the last `threefold regress` lost no case; {remedy}");
    Ok(worse.into_iter().collect())
}

/// The verdict of each case of a run.
pub(super) fn verdicts(run: &RunRecord) -> BTreeMap<CaseName, CaseRecord> {
    let parts = run.planned_parts();
    let cases = parts.iter().flat_map(PartResult::cases);
    cases.map(|case| (CaseName { suite: case.suite.clone(), id: case.id.clone() }, case.clone())).collect()
}

/// What the verdict of a case says of the commit; `None` for one that was skipped.
pub(super) fn is_lost(case: &CaseRecord) -> Option<bool> {
    match case.verdict.kind() {
        VerdictKind::Passed => Some(false),
        VerdictKind::Failed | VerdictKind::Fault => Some(true),
        VerdictKind::Skipped => None,
    }
}

/// The verdict on a commit by these cases. A lost case of a suite whose answers are a matter of rules decides. Of the
/// others, which any change of the search may lose or gain, half must be lost. It is skipped if all of them were.
pub(super) fn verdict(
    cases: &BTreeMap<CaseName, CaseRecord>,
    lost: &[CaseName],
    strict: &BTreeSet<String>,
) -> Verdict {
    let known: Vec<(bool, bool)> = lost
        .iter()
        .filter_map(|name| Some((strict.contains(&name.suite), is_lost(cases.get(name)?)?)))
        .collect();
    if known.is_empty() {
        return Verdict::Skipped;
    }
    let of_search = || known.iter().filter(|(is_strict, _)| !is_strict);
    let lost_of_search = of_search().filter(|(_, is_lost)| *is_lost).count();
    let by_rules = known.iter().any(|&(is_strict, is_lost)| is_strict && is_lost);
    let by_search = lost_of_search > 0 && 2 * lost_of_search >= of_search().count();
    if by_rules || by_search { Verdict::Bad } else { Verdict::Good }
}

/// The verdicts as evidence.
pub(super) fn evidence(cases: &BTreeMap<CaseName, CaseRecord>, lost: &[CaseName]) -> Vec<CaseEvidence> {
    let one = |name: &CaseName| {
        let case = cases.get(name)?;
        let played = &case.verdict.played;
        let played = if played.is_empty() { String::new() } else { format!(", played {played}") };
        let verdict = format!("{}: {}{played}", case.verdict.kind(), case.verdict.reason());
        Some(CaseEvidence { suite: name.suite.clone(), id: name.id.clone(), verdict, is_lost: is_lost(case) })
    };
    lost.iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_chess::position::GamePosition;
    use threefold_suites::{Cause, FailCause, PassCause, SkipCause};

    fn cases(given: &[(&str, Cause)]) -> (BTreeMap<CaseName, CaseRecord>, Vec<CaseName>) {
        let case = |(index, (suite, cause)): (usize, &(&str, Cause))| {
            let name = CaseName { suite: (*suite).to_owned(), id: index.to_string() };
            let record = CaseRecord {
                suite: name.suite.clone(),
                id: name.id.clone(),
                class: String::new(),
                engine: String::new(),
                accepted: String::new(),
                note: String::new(),
                line: GamePosition::start_position(),
                verdict: threefold_suites::Verdict::unanswered(*cause, ""),
            };
            (name, record)
        };
        let cases: BTreeMap<CaseName, CaseRecord> = given.iter().enumerate().map(case).collect();
        let names = cases.keys().cloned().collect();
        (cases, names)
    }

    #[test]
    fn one_lost_case_of_rules_or_half_of_those_of_a_search_make_a_commit_bad() {
        let (lost, passed) = (Cause::Failed(FailCause::Draw), Cause::Passed(PassCause::Draw));
        let skipped = Cause::Skipped(SkipCause::Inconclusive);
        let table = [
            (vec![("perft", passed), ("perft", lost)], Verdict::Bad),
            (vec![("perft", passed), ("perft", skipped)], Verdict::Good),
            (vec![("perft", skipped)], Verdict::Skipped),
            (vec![("mate", lost), ("mate", passed), ("mate", passed)], Verdict::Good),
            (vec![("mate", lost), ("mate", passed)], Verdict::Bad),
            (vec![("mate", lost), ("mate", passed), ("mate", passed), ("perft", lost)], Verdict::Bad),
            (vec![("mate", lost), ("mate", skipped), ("perft", passed)], Verdict::Bad),
        ];
        let strict = BTreeSet::from(["perft".to_owned()]);
        for (given, expected) in table {
            let (cases, names) = cases(&given);
            assert_eq!(verdict(&cases, &names, &strict), expected, "{given:?}");
        }
    }
}
