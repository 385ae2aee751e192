//! The history of an engine's results, from baselines and journals: trends, changes, and flaky cases.

mod changes;
mod files;
mod page;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use threefold_run::MeasuredElo;
use threefold_run::regress::baseline::{BaselineCase, CaseName};
use threefold_stats::interval::Rate;
use threefold_stats::paired::Discordant;
use threefold_suites::VerdictKind;
use threefold_suites::kinds::bench::{self, BenchReading};

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
    /// The commit whose results these are; `None` if it is not known.
    pub commit: Option<String>,
    /// The verdict of each case.
    pub cases: BTreeMap<CaseName, BaselineCase>,
    /// The Elo that its matches measured, by the part of the run.
    pub elo: BTreeMap<String, MeasuredElo>,
}

/// The names of releases by their commits, such as the tags of a repository.
pub type Releases = BTreeMap<String, String>;

/// What changed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// The node count of the bench.
    BenchCount,
    /// The speed of the bench on a machine; `None` for runs that do not name theirs.
    BenchSpeed {
        /// The machine.
        machine: Option<String>,
    },
    /// The Elo that a match measured.
    Elo {
        /// The part of the run.
        part: String,
        /// The opponent.
        opponent: String,
    },
    /// The passed cases of a suite.
    Suite(String),
}

/// A change between consecutive runs that is not chance.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The suite, or the measured number.
    pub subject: Subject,
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
    releases: Releases,
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
    /// An opponent whose commit is a release is called by its name.
    pub fn new(mut runs: Vec<HistoryRun>, releases: Releases) -> Self {
        // The source breaks ties, so that the order of the arguments does not matter.
        runs.sort_by(|one, other| (one.time, &one.source).cmp(&(other.time, &other.source)));
        let mut history = Self { runs, releases, changes: Vec::new(), flaky: Vec::new() };
        history.changes = changes::all(&history);
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

    /// The first runs after the changes of a subject.
    pub(super) fn changes_of(&self, is_of: impl Fn(&Subject) -> bool) -> Vec<usize> {
        self.changes.iter().filter(|change| is_of(&change.subject)).map(|change| change.run).collect()
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

    /// The release that an opponent is; `None` if it is none, or its commit is not known.
    pub(super) fn release(&self, measured: &MeasuredElo) -> Option<&str> {
        self.releases.get(measured.opponent_commit.as_ref()?).map(String::as_str)
    }

    /// The name of an opponent: that of its release, or else its own.
    pub(super) fn opponent<'h>(&'h self, measured: &'h MeasuredElo) -> &'h str {
        self.release(measured).unwrap_or(&measured.opponent)
    }

    /// Why there is no flaky case.
    pub(super) fn no_flaky_case(&self) -> &'static str {
        let builds: Vec<&String> = self.runs.iter().filter_map(|run| run.build.as_ref()).collect();
        let distinct: BTreeSet<&String> = builds.iter().copied().collect();
        if distinct.len() < builds.len() {
            "No flaky case: no verdict differs between runs of the same build."
        } else {
            "Flaky cases are not known: no build ran twice. Only journals record builds."
        }
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

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suite(suite) => write!(f, "{suite}"),
            Self::BenchCount => write!(f, "bench count"),
            Self::BenchSpeed { .. } => write!(f, "bench speed"),
            Self::Elo { part, opponent } => write!(f, "Elo of {part} against {opponent}"),
        }
    }
}

/// The runs of a suite that differ from the one before, and the first and the last.
pub(super) fn shown(points: &[Point]) -> impl DoubleEndedIterator<Item = &Point> {
    let last = points.len().saturating_sub(1);
    // New and skipped cases change the rate although no case differs.
    let is_shown = move |index: usize, point: &Point| {
        index == 0 || index == last || point.difference.cases() > 0 || point.rate != points[index - 1].rate
    };
    points.iter().enumerate().filter(move |(index, point)| is_shown(*index, point)).map(|(_, point)| point)
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
