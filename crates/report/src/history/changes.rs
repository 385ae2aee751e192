//! The significant changes of a history.
//!
//! Passed cases of consecutive runs are compared case by case (McNemar's exact test). The node count of a
//! bench has no noise, so every difference is a change. The speed of a bench on one machine and the Elo
//! against one opponent are noisy series, in which changes of level are looked for. All p-values are adjusted
//! by Bonferroni over all tests of the history, so that a history without any change shows one with a
//! probability of at most 5 %. A comparison in which no case differs cannot reject anything, so it is not
//! counted (R. E. Tarone, "A Modified Bonferroni Method for Discrete Data", Biometrics 46 (1990), 515-522);
//! nor is a series that is too short or whose values are all equal.

use std::collections::BTreeMap;

use super::{Change, History, Subject};
use crate::format;
use threefold_stats::change_point::{ChangePoint, FEWEST};
use threefold_stats::paired::Discordant;

/// The probability that a history without any change shows one.
pub(super) const ALPHA: f64 = 0.05;

/// Values of a noisy quantity, each with the index of its run.
struct Series {
    subject: Subject,
    points: Vec<(usize, f64)>,
}

/// The changes of all quantities, in the order of the runs.
pub(super) fn all(history: &History) -> Vec<Change> {
    let comparisons = comparisons(history);
    let series: Vec<Series> = speeds(history).chain(strengths(history)).filter(Series::can_change).collect();
    let tests = comparisons.len() + series.len();
    let level = ALPHA / tests.max(1) as f64;
    let note = |method: &str, p: f64| {
        let adjusted = (p * tests as f64).min(1.0);
        format!("{method}, {} (Bonferroni, {})", format::p_value(adjusted), format::count(tests, "test"))
    };
    let cases = comparisons.into_iter().filter(|(p, _)| *p < level);
    let cases = cases.map(|(p, change)| Change { test: note("McNemar's exact test", p), ..change });
    let levels = series.iter().flat_map(|series| {
        let values: Vec<f64> = series.points.iter().map(|(_, value)| *value).collect();
        let found = ChangePoint::find_all(&values, level).into_iter();
        found.map(|change| Change {
            subject: series.subject.clone(),
            run: series.points[change.first_after].0,
            what: medians(&series.subject, &change),
            test: note("permutation test of cumulative sums", change.p),
        })
    });
    let mut changes: Vec<Change> = cases.chain(levels).chain(counts(history)).collect();
    changes.sort_by(|one, other| (one.run, &one.subject).cmp(&(other.run, &other.subject)));
    changes
}

impl Series {
    /// Can a test of it reject anything?
    fn can_change(&self) -> bool {
        let is_other = |(_, value): &(usize, f64)| value.total_cmp(&self.points[0].1).is_ne();
        self.points.len() >= FEWEST && self.points.iter().any(is_other)
    }
}

/// The medians before and after a change of level.
fn medians(subject: &Subject, change: &ChangePoint) -> String {
    let ChangePoint { before, after, .. } = *change;
    if let Subject::Elo { .. } = subject {
        format!("median from {} to {} Elo", format::tenths(before), format::tenths(after))
    } else {
        let percent = 100.0 * (after / before - 1.0);
        format!("median from {before:.0} to {after:.0} nps ({percent:+.1} %)")
    }
}

/// The comparisons of suites with the run before in which a case differs, each with its p-value.
fn comparisons(history: &History) -> Vec<(f64, Change)> {
    let mut compared = Vec::new();
    for suite in history.suites() {
        for point in history.points(suite).into_iter().filter(|point| point.difference.cases() > 0) {
            let Discordant { only_a: lost, only_b: gained } = point.difference;
            let what = format!("{lost} cases lost, {gained} gained");
            let subject = Subject::Suite(suite.to_owned());
            let change = Change { subject, run: point.run, what, test: String::new() };
            compared.push((point.difference.exact(), change));
        }
    }
    compared
}

/// The speed of the bench on each machine.
fn speeds(history: &History) -> impl Iterator<Item = Series> {
    let mut machines: BTreeMap<Option<String>, Vec<(usize, f64)>> = BTreeMap::new();
    for (index, run) in history.runs.iter().enumerate() {
        if let Some(nps) = run.bench().and_then(|bench| bench.nps) {
            machines.entry(run.machine.clone()).or_default().push((index, nps as f64));
        }
    }
    machines.into_iter().map(|(machine, points)| Series { subject: Subject::BenchSpeed { machine }, points })
}

/// The Elo of each match against each opponent.
fn strengths(history: &History) -> impl Iterator<Item = Series> {
    let mut opponents: BTreeMap<(String, String), Vec<(usize, f64)>> = BTreeMap::new();
    for (index, run) in history.runs.iter().enumerate() {
        for (part, measured) in &run.elo {
            let key = (part.clone(), history.opponent(measured).to_owned());
            opponents.entry(key).or_default().push((index, measured.elo.value.0));
        }
    }
    opponents
        .into_iter()
        .map(|((part, opponent), points)| Series { subject: Subject::Elo { part, opponent }, points })
}

/// The changes of the bench's node count.
fn counts(history: &History) -> Vec<Change> {
    let counts = history.runs.iter().enumerate().filter_map(|(index, run)| Some((index, run.bench()?.nodes)));
    let counts: Vec<(usize, u64)> = counts.collect();
    let differing = counts.windows(2).filter(|pair| pair[0].1 != pair[1].1);
    differing
        .map(|pair| Change {
            subject: Subject::BenchCount,
            run: pair[1].0,
            what: format!("from {} to {}", pair[0].1, pair[1].1),
            test: "exact".to_owned(),
        })
        .collect()
}
