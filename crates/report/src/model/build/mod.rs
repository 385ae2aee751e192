//! Builds the report of a run.
//!
//! Only results that count are included, in the order of the schedule.

mod builds;
mod clocks;
mod coupling;
mod families;
mod games;
mod homogeneity;
mod node_curve;
mod played;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::io;

pub(crate) use self::games::{numbered, numbered_of_run};

use crate::format;
use crate::model::bench_comparison::BenchComparison;
use crate::model::environment_comparison::EnvironmentComparison;
use crate::model::faults;
use crate::model::paired_comparison::{Verdicts, verdicts};
use crate::model::report::{
    Activity, Baseline, FailureKind, FailureReason, FaultStop, MatchPart, PairedComparison, Report,
    SuitePart, Takes, ThresholdResult, ThresholdState, TournamentRounds,
};
use crate::model::sources::Sources;
use crate::model::warnings::{self, WarningGroup};
use threefold_chess::clock::{ClockSource, Limits};
use threefold_player::FaultTraffic;
use threefold_run::fault_budget::{FaultBudget, FaultTolerance};
use threefold_run::job::SuiteTask;
use threefold_run::regress::baseline::{BaselineCase, CaseName};
use threefold_run::regress::{self, AskedAgain, CaseChange, Loss, Regression};
use threefold_run::run_record::PartResult;
use threefold_run::{JobResult, RunRecord, Task};
use threefold_stats::paired::Discordant;
use threefold_suites::kinds::policy;
use threefold_suites::{CaseRecord, SignatureReading, Suite, Thresholds, VerdictKind};

impl Report {
    /// Builds the report of a run, finished or not.
    ///
    /// `baseline` is what to compare with, or the reason why there is nothing.
    pub fn from_run(run: &RunRecord, baseline: Result<&regress::Baseline, String>) -> Self {
        let spec = run.spec();
        // Without the parts that ask lost cases again, which only decide whether a loss counts.
        let parts = run.planned_parts();
        let suites: Vec<SuitePart> = parts.iter().filter_map(suite_part).collect();
        let benches = BenchComparison::from_cases(
            suites.iter().flat_map(|suite| &suite.cases),
            baseline.as_ref().ok().copied(),
        );
        let environment = EnvironmentComparison {
            here: run.environment(),
            baseline: baseline.as_ref().ok().map(|earlier| earlier.environment.clone()),
        };
        let compared = baseline.map(|earlier| compared(run, &suites, earlier));
        let not_counted = compared.as_ref().map_or_else(|_| BTreeMap::new(), |(_, it, _)| not_counted(it));
        let found = regress::regressions(run, compared.as_ref().ok().map(|(_, comparison, _)| comparison));
        let mut report = Self {
            title: spec.title.clone(),
            seed: spec.seed,
            command: spec.origin.command.clone(),
            engines: builds::tested_engines(run.sessions(), &parts),
            benches,
            matches: parts
                .iter()
                .filter_map(|part| games::match_part(part, &spec.warnings, spec.counting))
                .collect(),
            tournament: TournamentRounds::from_run(run),
            takes: Takes::from_run(run),
            suites,
            baseline: match compared {
                Ok((suites, comparison, known)) => {
                    let regress::Comparison { figures, other_budgets, coverage, suites: _ } = comparison;
                    Baseline::Compared { suites, figures, other_budgets, known, coverage }
                }
                Err(why) => Baseline::Absent(why),
            },
            trend: spec.trend.clone(),
            comparison: spec.comparison,
            failure_reasons: failure_reasons(&found),
            becomes_baseline: false,
            worse: found.iter().filter_map(Regression::case).collect(),
            not_counted,
            stopped: stop_of(run),
            activity: Activity::Ended,
            machine: spec.origin.machine.clone(),
            environment,
            sources: Sources::from_parts(&parts),
            traffic: parts.iter().flat_map(traffic).collect(),
            game_reader: Some(run.game_reader()),
        };
        if !ignores_faults(run) {
            let disputes: Vec<FailureReason> = report.matches.iter().filter_map(depends_on_faults).collect();
            report.failure_reasons.extend(disputes);
        }
        if spec.warnings.strict {
            report.failure_reasons.extend(report.strict_warnings());
        }
        // Last: a new baseline replaces all reasons that were found before.
        if spec.outputs.baseline.is_some() {
            report.accept();
        }
        report
    }

    /// Makes the results the baseline, unless something is against it.
    fn accept(&mut self) {
        let refused = self.reason_against_baseline();
        self.becomes_baseline = refused.is_none();
        if self.becomes_baseline {
            // Missed thresholds and lost cases are accepted, too.
            self.failure_reasons.clear();
        }
        self.failure_reasons.extend(refused);
    }

    /// The parts with warnings, which count against the run under `--strict`.
    fn strict_warnings(&self) -> Vec<FailureReason> {
        let groups = self.warnings();
        let parts = groups.chunk_by(|one, other| one.part == other.part);
        let reason = |part: &[WarningGroup]| {
            let rules: Vec<String> = part.iter().map(|it| format!("{} {}", it.engine, it.rule)).collect();
            let what = format!("{}: {}", warnings::summary(part)?, format::listed(&rules));
            Some(FailureReason { kind: FailureKind::Warning, part: part[0].part.clone(), what })
        };
        parts.filter_map(reason).collect()
    }

    /// Reads the games of all matches with their moves.
    pub(crate) fn read_moves(&mut self, run: &RunRecord) -> io::Result<()> {
        let spec = run.spec();
        run.game_reader().for_each(&mut |found| {
            let name = &spec.parts[found.part].name;
            let part = self.matches.iter_mut().find(|part| part.name == *name);
            if let (Some(part), Some((game, _))) = (part, numbered_of_run(spec, found)) {
                part.games_with_moves.push(game);
            }
            Ok(())
        })
    }

    /// Why the run must not become the baseline. With engine faults in it, the next run with the same faults
    /// would pass. If the engine does not search the same twice, differences in the next run may be chance.
    fn reason_against_baseline(&self) -> Option<FailureReason> {
        let mut cases = self.suites.iter().flat_map(|suite| &suite.cases);
        let why = if let Some(faults) = self.fault_summary() {
            format!("this run has {faults}")
        } else {
            let case = cases.find(|case| case.verdict.cause.shows_nondeterminism())?;
            let difference = case.verdict.reason();
            format!("the engine does not search the same twice ({} {}: {difference})", case.suite, case.id)
        };
        let what = format!("not written, because {why}");
        Some(FailureReason { kind: FailureKind::RefusedBaseline, part: "the baseline".to_owned(), what })
    }
}

/// Cases that a reason against the run names.
const NAMED_CASES: usize = 5;

/// The reasons against the run; the cases of a suite are one reason.
fn failure_reasons(found: &[Regression]) -> Vec<FailureReason> {
    let reason = |kind, part: &str, what| FailureReason { kind, part: part.to_owned(), what };
    let mut worse: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut others = Vec::new();
    for regression in found {
        match regression {
            Regression::Case { suite, change: CaseChange { id, was, now }, loss } => {
                let is = loss.as_ref().map_or_else(|| now.kind().to_string(), ToString::to_string);
                worse.entry(suite).or_default().push(format!("{id} ({}, now {is})", was.kind()));
            }
            Regression::Suite { suite, passed_alone: Discordant { only_a, only_b }, p } => {
                let what = format!(
                    "{} lost and {only_b} gained; McNemar's exact test, one-sided and corrected for the number of suites \
                     (Holm), {}",
                    format::count(*only_a as usize, "case"),
                    format::p_value(*p)
                );
                others.push(reason(FailureKind::WorseSuite, suite, what));
            }
            Regression::Threshold { suite, shortfall } => {
                others.push(reason(FailureKind::Threshold, suite, shortfall.to_string()));
            }
            Regression::Stopped { suite, failed, are_lost } => {
                let case = if *are_lost { "lost case" } else { "failed case" };
                let what = format!("stopped after {} (--stop-after)", format::count(*failed, case));
                others.push(reason(FailureKind::Stopped, suite, what));
            }
            Regression::Rejected { test } => {
                others.push(reason(FailureKind::Rejection, test, "H0 accepted".to_owned()));
            }
            Regression::Undecided { test } => {
                let what = "its budget is used up and neither hypothesis is accepted".to_owned();
                others.push(reason(FailureKind::Undecided, test, what));
            }
        }
    }
    let cases = worse.into_iter().map(|(suite, cases)| {
        let number = format::count(cases.len(), "verdict");
        let what = format!("{number} worse than in the baseline: {}", format::first_of(&cases, NAMED_CASES));
        reason(FailureKind::Regression, suite, what)
    });
    cases.chain(others).collect()
}

/// The traffic before the faults of a part, by part and place.
fn traffic(record: &PartResult<'_>) -> Vec<((String, String), FaultTraffic)> {
    let jobs = record.results.iter().zip(&record.traffic).enumerate();
    let kept = jobs.filter_map(|(job, (result, traffic))| {
        let place = match result {
            JobResult::Case(case) => case.id.clone(),
            JobResult::Game(_) => faults::game_place(job + 1),
        };
        Some(((record.part.name.clone(), place), (*traffic)?.clone()))
    });
    kept.collect()
}

/// Why engine faults stopped the run, if they did.
fn stop_of(run: &RunRecord) -> Option<FaultStop> {
    let budget = run.spec().max_faults.filter(|_| !ignores_faults(run))?;
    run.parts().iter().find_map(|part| fault_stop(part, budget))
}

/// Is it a run of several takes that goes on, or in which one passes? Then engine faults exclude their take alone, and the others
/// decide.
fn ignores_faults(run: &RunRecord) -> bool {
    run.spec().takes.is_some() && (!run.is_done() || regress::a_take_passes(run))
}

/// A finished match or test whose result is another one without the pairs that had a fault.
fn depends_on_faults(part: &MatchPart) -> Option<FailureReason> {
    let what = part.fault_dispute().filter(|_| part.ending.is_some())?;
    Some(FailureReason { kind: FailureKind::DependsOnFaults, part: part.name.clone(), what })
}

/// Why a part stopped the run, if it did.
fn fault_stop(record: &PartResult<'_>, budget: FaultBudget) -> Option<FaultStop> {
    let (jobs, faults) = (record.progress.counted, record.progress.faults);
    let (unit, tolerance, is_test) = match &record.part.task {
        Task::Suite(_) => ("case", FaultTolerance::Cases, false),
        Task::Match(games) => ("game", games.fault_tolerance(), games.test().is_some()),
    };
    let allowed = faults.exceeded(budget, tolerance, jobs)?;
    Some(FaultStop { part: record.part.name.clone(), allowed, jobs, unit, is_test })
}

fn suite_part(record: &PartResult<'_>) -> Option<SuitePart> {
    let (Task::Suite(task), Some(suite)) = (&record.part.task, record.suite) else { return None };
    let cases: Vec<CaseRecord> = record.cases().cloned().collect();
    Some(SuitePart {
        name: record.part.name.clone(),
        labels: record.part.labels.clone(),
        suite: suite.name.clone(),
        title: suite.title.clone(),
        summary: suite.summary.clone(),
        engine: task.engine.name.clone(),
        limits: search_limits(task, suite),
        lost_case: suite.lost_case,
        planned: record.progress.jobs,
        thresholds: threshold_results(record, &suite.thresholds, &cases),
        signature: (suite.kind.name == policy::KIND.name).then(|| SignatureReading::from_records(&cases)),
        cases,
    })
}

/// Each threshold, checked separately, so that the report can list those that are met.
fn threshold_results(
    part: &PartResult<'_>,
    thresholds: &Thresholds,
    cases: &[CaseRecord],
) -> Vec<ThresholdResult> {
    let judged = |class: Option<&String>, threshold: String, single: Thresholds| {
        let state = if part.progress.ending.is_none() {
            // The exit code ignores the thresholds of an unfinished part, too.
            ThresholdState::Unknown
        } else {
            let shortfall = single.judge(cases).first().map(ToString::to_string);
            shortfall.map_or(ThresholdState::Met, ThresholdState::Missed)
        };
        ThresholdResult { class: class.cloned(), threshold, state }
    };
    let whole = thresholds.pass.map(|share| {
        let single = Thresholds { pass: Some(share), ..Thresholds::default() };
        judged(None, format!("all: at least {share}"), single)
    });
    let classes = thresholds.class.iter().map(|(class, &share)| {
        let single = Thresholds { pass: None, class: [(class.clone(), share)].into() };
        judged(Some(class), format!("class {class}: at least {share}"), single)
    });
    whole.into_iter().chain(classes).collect()
}

/// The search limits of a suite, in words.
pub(crate) fn search_limits(task: &SuiteTask, suite: &Suite) -> String {
    let Limits { clocks, movetime, nodes, depth, mate: _ } =
        task.limits.as_deref().copied().unwrap_or(suite.limits);
    let parts = [
        nodes.map(|nodes| format!("{} nodes", format::grouped(nodes))),
        depth.map(|depth| format!("depth {}", depth.0)),
        movetime.map(format::duration),
        clocks.map(|clocks| format!("clock {clocks}")),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let has_clocks =
        suite.definitions.iter().any(|entry| matches!(entry.info.clock_source, ClockSource::Virtual { .. }));
    let limits = match parts.join(", ") {
        none if none.is_empty() && has_clocks => "clocks of the suite".to_owned(),
        none if none.is_empty() => "limits of the suite".to_owned(),
        limits => limits,
    };
    match task.per_class {
        Some(cases) => format!("{limits}; {cases} of each class"),
        None => limits,
    }
}

/// The suites that are compared, the comparison, and the cases of these suites in the baseline.
fn compared(
    run: &RunRecord,
    suites: &[SuitePart],
    earlier: &regress::Baseline,
) -> (Vec<PairedComparison>, regress::Comparison, BTreeMap<CaseName, VerdictKind>) {
    let asked = AskedAgain::from_run(run);
    let comparison = regress::compare(earlier, &regress::Baseline::from_run(run), &asked);
    let is_compared =
        |suite: &str| comparison.coverage.iter().any(|it| it.suite == suite && it.compared.is_ok());
    let known = earlier.cases.iter().filter(|(name, _)| is_compared(&name.suite));
    let kind = |case: &BaselineCase| match (case.kind(), case.accepted) {
        // A node count of a bench that was accepted in spite of the one that its commit promises counts as failed.
        (VerdictKind::Passed, Some(VerdictKind::Failed)) => VerdictKind::Failed,
        (kind, _) => kind,
    };
    let known = known.map(|(name, case)| (name.clone(), kind(case))).collect();
    let mut suites = against(suites, earlier);
    suites.retain(|it| is_compared(&it.suite));
    (suites, comparison, known)
}

/// The lost cases that do not count against the run.
fn not_counted(comparison: &regress::Comparison) -> BTreeMap<CaseName, Loss> {
    let excused = comparison.suites.iter().flat_map(|suite| suite.excused().map(move |it| (suite, it)));
    let named = excused.map(|(suite, (change, loss))| {
        (CaseName { suite: suite.suite.clone(), id: change.id.clone() }, loss.clone())
    });
    named.collect()
}

/// Compares every suite that the baseline contains. The baseline holds the verdicts of one engine for each
/// suite: the engine that ran it last.
fn against(suites: &[SuitePart], earlier: &regress::Baseline) -> Vec<PairedComparison> {
    let known = |suite: &str| -> Verdicts {
        let of_suite = earlier.cases.iter().filter(|(name, _)| name.suite == suite);
        of_suite.map(|(name, known)| (name.id.clone(), known.clone())).collect()
    };
    suites
        .iter()
        .enumerate()
        .filter(|(index, part)| !suites[index + 1..].iter().any(|later| later.suite == part.suite))
        .map(|(_, part)| (part, known(&part.suite)))
        .filter(|(_, known)| !known.is_empty())
        .map(|(part, known)| {
            let ours = (part.engine.as_str(), &verdicts(&part.cases));
            PairedComparison::between(&part.suite, ours, ("the baseline", &known))
        })
        .collect()
}
