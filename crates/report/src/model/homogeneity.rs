//! Homogeneity of a match: do the results of pairs differ over time, or between workers?
//!
//! A throttled or busy core changes the results of the pairs of one worker or of one hour. Groups by schedule
//! are the same in every run, so all formats show them. Which worker played a pair differs from run to run,
//! so only the HTML page shows groups by worker.

use serde_json::{Value, json};

use crate::format;
use threefold_stats::homogeneity::{Homogeneity, PairOutcomes};
use threefold_stats::interval::Rate;

/// How pairs are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupedBy {
    /// By consecutive positions in the schedule.
    Stretch,
    /// By the worker that played them.
    Worker,
}

/// Pairs in groups, and the test of whether the groups have the same results.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouping {
    /// How they are grouped.
    pub by: GroupedBy,
    /// The groups, in order.
    pub groups: Vec<Group>,
    /// The test over all of them.
    pub test: Homogeneity,
}

/// Some pairs of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// `pairs 1 to 32`, or `worker 2`.
    pub name: String,
    /// Their results for the first engine.
    pub outcomes: PairOutcomes,
    /// Their deviation from the other groups as a normal score; `None` if there are too few pairs.
    pub residual: Option<f64>,
}

/// The p-value of the overall test below which a warning is shown, even if no single group deviates.
const NOTABLE: f64 = 0.01;

impl Grouping {
    /// The figures for `report.json`.
    pub(crate) fn json(&self) -> Value {
        let groups: Vec<Value> = self
            .groups
            .iter()
            .map(|group| {
                let [won, lost, level] = group.outcomes.counts();
                json!({ "name": group.name, "won": won, "lost": lost, "level": level, "z": group.residual })
            })
            .collect();
        let test = &self.test;
        json!({
            "groups": groups, "chi_square": test.statistic, "freedom": test.degrees_of_freedom, "p": test.p,
            "notable": test.notable, "alarming": test.alarming,
        })
    }

    /// Groups with a deviation that only one match in twenty shows by chance, the largest first.
    pub fn suspects(&self) -> Vec<&Group> {
        // `None` is less than any `Some`, so a group with too few pairs is never a suspect.
        let notable = |group: &&Group| group.residual > Some(self.test.notable);
        let mut suspects: Vec<&Group> = self.groups.iter().filter(notable).collect();
        let residual = |group: &Group| group.residual.unwrap_or_default();
        suspects.sort_by(|a, b| residual(b).total_cmp(&residual(a)));
        suspects
    }

    /// Is there a significant difference?
    pub fn is_suspicious(&self) -> bool {
        !self.suspects().is_empty() || self.test.p < NOTABLE
    }

    /// The test in a sentence, advice about the group that deviates most, and the other deviating groups.
    pub fn describe(&self) -> String {
        let Homogeneity { statistic, degrees_of_freedom, p, .. } = &self.test;
        // Groups with too few pairs take no part in the test.
        let groups = self.groups.iter().filter(|group| group.residual.is_some()).count();
        let differ = if self.is_suspicious() { "differ" } else { "do not differ" };
        let several = match self.by {
            GroupedBy::Stretch => "segments of the schedule",
            GroupedBy::Worker => "workers",
        };
        let mut sentences = vec![format!(
            "Pair results {differ} between {groups} {several}: chi-square {statistic:.1}, {degrees_of_freedom} degrees of freedom, {}.",
            format::p_value(*p)
        )];
        match &self.suspects()[..] {
            [] if self.is_suspicious() => {
                sentences.push("No single group deviates significantly.".to_owned());
            }
            [] => {}
            [oddest, others @ ..] => {
                sentences.extend(self.advice(oddest));
                let others: Vec<String> =
                    others.iter().map(|group| format!("{} ({})", group.name, self.score(group))).collect();
                if !others.is_empty() {
                    sentences
                        .push(format!("This may also explain the deviation of {}.", format::listed(&others)));
                }
            }
        }
        sentences.join(" ")
    }

    /// How a group differs from the others, and what to check.
    fn advice(&self, group: &Group) -> Option<String> {
        let pairs = group.outcomes.pairs();
        // The outcome with the largest term of the chi-square sum explains most of the deviation.
        let excess = |count: u64, share: f64| {
            let expected = share * pairs as f64;
            (count as f64 - expected).powi(2) / expected
        };
        let outcomes =
            group.outcomes.counts().into_iter().zip(self.test.shares).zip(["won", "lost", "level"]);
        let ((count, share), outcome) = outcomes.max_by(|((a, in_all), _), ((b, in_all_too), _)| {
            excess(*a, *in_all).total_cmp(&excess(*b, *in_all_too))
        })?;
        let look = match self.by {
            GroupedBy::Worker => "Check that worker's CPU core before you trust the match",
            GroupedBy::Stretch => {
                "Check their openings, and the load of the machine at that time, before you trust the match"
            }
        };
        Some(format!(
            "Of {}{}, {} were {outcome}; {} were expected ({}). {look}.",
            match self.by {
                GroupedBy::Worker => "the pairs of ",
                GroupedBy::Stretch => "",
            },
            group.name,
            format::share(Rate { successes: count, failures: pairs - count }),
            format::percent(share),
            self.score(group)
        ))
    }

    /// `z = 4.1, alarming`.
    fn score(&self, group: &Group) -> String {
        let residual = group.residual.unwrap_or_default();
        let weight = if residual > self.test.alarming { "alarming" } else { "notable" };
        format!("z = {}, {weight}", z(residual))
    }
}

/// A normal score, or a bound if it is too large for a number.
pub(crate) fn z(residual: f64) -> String {
    // A residual is infinite where its probability underflows an `f64`. At 37 it is still 6e-300.
    if residual.is_finite() { format!("{residual:.1}") } else { "over 37".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grouping(by: GroupedBy, outcomes: &[[u64; 3]]) -> Grouping {
        let outcomes: Vec<PairOutcomes> =
            outcomes.iter().map(|&[won, lost, level]| PairOutcomes { won, lost, level }).collect();
        let test = Homogeneity::test(&outcomes).expect("pairs enough");
        let group = |(index, (&outcomes, &residual)): (usize, (&PairOutcomes, &Option<f64>))| Group {
            name: format!("worker {}", index + 1),
            outcomes,
            residual,
        };
        let groups = outcomes.iter().zip(&test.residuals).enumerate().map(group).collect();
        Grouping { by, groups, test }
    }

    #[test]
    fn only_significant_groups_are_reported() {
        let table = [
            (
                grouping(GroupedBy::Stretch, &[[20, 22, 30], [21, 19, 32], [24, 20, 28]]),
                "Pair results do not differ between 3 segments of the schedule: chi-square 0.9, 4 degrees of freedom, p = 0.925.",
            ),
            (
                grouping(GroupedBy::Worker, &[[28, 22, 50], [8, 60, 32], [1, 1, 1], [26, 24, 50]]),
                "Pair results differ between 3 workers: chi-square 42.5, 4 degrees of freedom, p < 0.001. Of the pairs of \
                 worker 2, 60.0 % (50.2 to 69.1) were lost; 35.3 % were expected (z = 6.1, alarming). Check that worker's \
                 CPU core before you trust the match. This may also explain the deviation of worker 1 (z = 2.9, alarming) \
                 and worker 4 (z = 2.2, notable).",
            ),
        ];
        for (grouping, expected) in table {
            assert_eq!(grouping.describe(), expected);
        }
        let apart = grouping(GroupedBy::Worker, &[[100_000, 10, 10], [10, 100_000, 10], [10, 10, 90]]);
        assert!(apart.describe().contains("z = over 37, alarming"), "{}", apart.describe());
    }
}
