//! The history of an engine's results, from baselines and journals: trends, changes, and flaky cases.
//!
//! Passed cases of consecutive runs are compared case by case (McNemar's exact test). The node count of a
//! bench has no noise, so every difference is a change. The speed of a bench is noisy; Pettitt's test looks
//! for one change of level, for each machine apart. All p-values are adjusted by Bonferroni over all tests of
//! the history. A comparison in which no case differs cannot reject anything, so it is not counted (R. E.
//! Tarone, "A Modified Bonferroni Method for Discrete Data", Biometrics 46 (1990), 515-522).

mod files;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use threefold_run::regress::baseline::{BaselineCase, CaseName};
use threefold_stats::change_point::ChangePoint;
use threefold_stats::interval::Rate;
use threefold_stats::multiplicity::Correction;
use threefold_stats::paired::Discordant;
use threefold_suites::VerdictKind;
use threefold_suites::kinds::bench::{self, BenchReading};

/// A change with a smaller adjusted p-value is reported.
const ALPHA: f64 = 0.05;

/// The results of one engine at one time.
#[derive(Debug, Clone)]
pub struct HistoryRun {
    /// Seconds since 1970.
    pub time: i64,
    /// A file, a folder, or a commit.
    pub source: String,
    /// The engine; `None` for a baseline.
    pub engine: Option<String>,
    /// The SHA-256 of the engine's files, joined by `+`; `None` for a baseline, or if the build changed
    /// during the run.
    pub build: Option<String>,
    /// The machine, or the CPU of a baseline; `None` for a baseline that does not record it.
    pub machine: Option<String>,
    /// SPEC and limits by suite; none for a baseline. Only runs with equal settings show that a case is
    /// flaky.
    pub settings: BTreeMap<String, String>,
    /// The verdict of each case.
    pub cases: BTreeMap<CaseName, BaselineCase>,
}

/// A change between consecutive runs that is not chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The suite, or the measured number.
    pub subject: String,
    /// The index of the first run after it.
    pub run: usize,
    /// What changed, in words.
    pub what: String,
    /// The test, with its adjusted p-value.
    pub test: String,
}

/// A case whose verdict differs between runs of the same build with the same settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlakyCase {
    /// The case that changed.
    pub name: CaseName,
    /// The build that brought the change.
    pub build: String,
    /// Number of runs with each verdict.
    pub verdicts: BTreeMap<VerdictKind, usize>,
}

/// Runs in the order of their times.
#[derive(Debug)]
pub struct History {
    runs: Vec<HistoryRun>,
    changes: Vec<Change>,
    flaky: Vec<FlakyCase>,
}

/// A suite in a run, compared with the run before that has the suite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) run: usize,
    pub(super) rate: Rate,
    /// Cases that only the run before passed, and that only this run passed.
    pub(super) difference: Discordant,
}

impl HistoryRun {
    pub(super) fn rate(&self, suite: &str) -> Option<Rate> {
        let kinds = self.cases.iter().filter(|(name, _)| name.suite == suite).map(|(_, case)| case.kind());
        let kinds: Vec<VerdictKind> = kinds.filter(|kind| *kind != VerdictKind::Skipped).collect();
        let passed = kinds.iter().filter(|kind| **kind == VerdictKind::Passed).count();
        (!kinds.is_empty())
            .then_some(Rate { successes: passed as u64, failures: (kinds.len() - passed) as u64 })
    }

    pub(super) fn bench(&self) -> Option<BenchReading> {
        let (_, case) =
            self.cases.iter().find(|(name, case)| name.id == bench::ID && case.class == bench::ID)?;
        BenchReading::from_verdict(&case.played, &case.detail)
    }
}

impl History {
    /// The history of these runs. Runs of several engines are not one history: give those of one engine.
    pub fn new(mut runs: Vec<HistoryRun>) -> Self {
        runs.sort_by(|one, other| (one.time, &one.source).cmp(&(other.time, &other.source)));
        let mut history = Self { runs, changes: Vec::new(), flaky: Vec::new() };
        history.changes = history.find_changes();
        history.flaky = history.find_flaky();
        history
    }

    /// The flaky cases.
    pub fn flaky(&self) -> &[FlakyCase] {
        &self.flaky
    }

    /// The changes, in the order of the runs.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    pub(super) fn suites(&self) -> BTreeSet<&str> {
        self.runs.iter().flat_map(|run| run.cases.keys()).map(|name| name.suite.as_str()).collect()
    }

    pub(super) fn points(&self, suite: &str) -> Vec<Point> {
        let mut points: Vec<Point> = Vec::new();
        for (index, run) in self.runs.iter().enumerate() {
            let Some(rate) = run.rate(suite) else { continue };
            let earlier = points.last().map(|point| &self.runs[point.run]);
            let difference =
                earlier.map_or_else(Discordant::default, |earlier| differing(suite, earlier, run));
            points.push(Point { run: index, rate, difference });
        }
        points
    }

    fn find_changes(&self) -> Vec<Change> {
        let mut tested: Vec<(f64, Change)> = Vec::new();
        for suite in self.suites() {
            for point in self.points(suite).into_iter().filter(|point| point.difference.cases() > 0) {
                let Discordant { only_a: lost, only_b: gained } = point.difference;
                let what = format!("{lost} cases lost, {gained} gained");
                let test = "McNemar's exact test".to_owned();
                let change = Change { subject: suite.to_owned(), run: point.run, what, test };
                tested.push((point.difference.exact(), change));
            }
        }
        tested.extend(self.speed_changes());
        let p: Vec<f64> = tested.iter().map(|(p, _)| *p).collect();
        let adjusted = Correction::Bonferroni.adjust(&p);
        let number = crate::format::count(tested.len(), "test");
        let significant = tested.into_iter().zip(adjusted).filter(|(_, p)| *p < ALPHA);
        let mut changes: Vec<Change> = significant
            .map(|((_, change), p)| {
                let test =
                    format!("{}, p = {} (Bonferroni, {number})", change.test, crate::format::bare_p(p));
                Change { test, ..change }
            })
            .collect();
        changes.extend(self.count_changes());
        changes.sort_by(|one, other| (one.run, &one.subject).cmp(&(other.run, &other.subject)));
        changes
    }

    /// The change of speed on each machine, with its p-value.
    fn speed_changes(&self) -> Vec<(f64, Change)> {
        let mut machines: BTreeMap<Option<&str>, Vec<(usize, f64)>> = BTreeMap::new();
        for (index, run) in self.runs.iter().enumerate() {
            if let Some(nps) = run.bench().and_then(|bench| bench.nps) {
                machines.entry(run.machine.as_deref()).or_default().push((index, nps as f64));
            }
        }
        let change = |points: Vec<(usize, f64)>| {
            let values: Vec<f64> = points.iter().map(|(_, nps)| *nps).collect();
            let ChangePoint { first_after, before, after, p } = ChangePoint::find(&values)?;
            let what = format!(
                "median from {before:.0} to {after:.0} nps ({:+.1} %)",
                100.0 * (after / before - 1.0)
            );
            let (subject, test) = ("bench speed".to_owned(), "Pettitt's test".to_owned());
            Some((p, Change { subject, run: points[first_after].0, what, test }))
        };
        machines.into_values().filter_map(change).collect()
    }

    /// The changes of the bench's node count.
    fn count_changes(&self) -> Vec<Change> {
        let counts =
            self.runs.iter().enumerate().filter_map(|(index, run)| Some((index, run.bench()?.nodes)));
        let counts: Vec<(usize, u64)> = counts.collect();
        let differing = counts.windows(2).filter(|pair| pair[0].1 != pair[1].1);
        differing
            .map(|pair| Change {
                subject: "bench count".to_owned(),
                run: pair[1].0,
                what: format!("from {} to {}", pair[0].1, pair[1].1),
                test: "exact".to_owned(),
            })
            .collect()
    }

    fn find_flaky(&self) -> Vec<FlakyCase> {
        let mut verdicts: BTreeMap<(&CaseName, &str, &str), BTreeMap<VerdictKind, usize>> = BTreeMap::new();
        for run in &self.runs {
            let Some(build) = &run.build else { continue };
            for (name, case) in run.cases.iter().filter(|(_, case)| case.kind() != VerdictKind::Skipped) {
                let settings = run.settings.get(&name.suite).map_or("", String::as_str);
                let counts = verdicts.entry((name, build, settings)).or_default();
                *counts.entry(case.kind()).or_default() += 1;
            }
        }
        let flaky = verdicts.into_iter().filter(|(_, counts)| counts.len() > 1);
        flaky
            .map(|((name, build, _), verdicts)| FlakyCase {
                name: name.clone(),
                build: build.to_owned(),
                verdicts,
            })
            .collect()
    }
}

/// The cases of both runs that only one of them passed. Skipped cases do not count.
fn differing(suite: &str, earlier: &HistoryRun, run: &HistoryRun) -> Discordant {
    let mut difference = Discordant::default();
    for (name, case) in run.cases.iter().filter(|(name, _)| name.suite == suite) {
        let Some(before) = earlier.cases.get(name) else { continue };
        let kinds = [before.kind(), case.kind()];
        if kinds.contains(&VerdictKind::Skipped) {
            continue;
        }
        match kinds.map(|kind| kind == VerdictKind::Passed) {
            [true, false] => difference.only_a += 1,
            [false, true] => difference.only_b += 1,
            _ => {}
        }
    }
    difference
}

#[cfg(test)]
mod tests;
