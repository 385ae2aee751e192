//! The figures of a measurement: functions of its rounds.

use std::ptr;
use std::time::Duration;

use super::candidate::Candidate;
use super::measurement::Round;
use threefold_chess::clock::Limits;
use threefold_stats::outlier::{self, Outlier};
use threefold_stats::{Estimate, mean};

/// The rounds of all candidates.
#[derive(Debug)]
pub(super) struct Results {
    /// The candidates, in the order of the first round.
    pub(super) rows: Vec<Row>,
    /// The limits of each search.
    limits: Limits,
}

/// A candidate with its rounds.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) candidate: Candidate,
    /// At least one, in their order.
    pub(super) rounds: Vec<Round>,
}

/// Two candidates, compared round by round.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comparison<'r> {
    /// The first engine, or the engine with the first value.
    pub(super) first: &'r Row,
    pub(super) other: &'r Row,
}

/// A node count, and the rounds that have it, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NodeCount {
    pub(super) nodes: u64,
    pub(super) rounds: Vec<usize>,
}

impl Results {
    /// From the candidates with their rounds, and the limits of each search.
    pub(super) fn new(candidates: Vec<Candidate>, rounds: Vec<Vec<Round>>, limits: Limits) -> Self {
        let rows = candidates.into_iter().zip(rounds);
        Self { rows: rows.map(|(candidate, rounds)| Row { candidate, rounds }).collect(), limits }
    }

    /// Each later engine is compared with the first, at each value of the scanned option; a single engine with itself, each
    /// later value with the first.
    pub(super) fn comparisons(&self) -> Vec<Comparison<'_>> {
        let Some(head) = self.rows.first() else { return Vec::new() };
        let has_one_engine = self.rows.iter().all(|row| row.candidate.engine == head.candidate.engine);
        let first_of = |other: &Row| {
            let fits = |row: &&Row| has_one_engine || row.candidate.value == other.candidate.value;
            self.rows.iter().find(fits)
        };
        let pairs = self.rows.iter().filter_map(|other| Some(Comparison { first: first_of(other)?, other }));
        // By address, since two candidates may have equal figures.
        pairs.filter(|pair| !ptr::eq(pair.first, pair.other)).collect()
    }

    /// The node counts of a candidate that should have one: a search with a node limit ends at the same node each time.
    /// `None` if it has one, or if time is the limit.
    pub(super) fn differing_counts(&self, row: &Row) -> Option<Vec<NodeCount>> {
        let counts = row.node_counts();
        (self.limits.nodes.is_some() && counts.len() > 1).then_some(counts)
    }
}

impl Row {
    /// The mean of the speeds of the rounds in nodes per second, with its 95 % interval.
    pub(super) fn speed(&self) -> Estimate<f64> {
        let speeds = self.rounds.iter().map(Round::speed).enumerate();
        mean::of_groups(speeds).unwrap_or(Estimate { low: 0.0, value: 0.0, high: f64::INFINITY })
    }

    /// The median time from the start of the process to `readyok`.
    pub(super) fn startup(&self) -> Duration {
        let seconds: Vec<f64> = self.rounds.iter().map(|round| round.startup.as_secs_f64()).collect();
        outlier::median(&seconds).map_or(Duration::ZERO, Duration::from_secs_f64)
    }

    /// The median speed of the rounds, in nodes per second.
    pub(super) fn median_speed(&self) -> f64 {
        let speeds: Vec<f64> = self.rounds.iter().map(Round::speed).collect();
        outlier::median(&speeds).unwrap_or_default()
    }

    /// The largest peak memory, in bytes; `None` if the system does not report it.
    pub(super) fn peak_memory(&self) -> Option<u64> {
        self.rounds.iter().filter_map(|round| round.peak_memory).max()
    }

    /// Every node count, in the order of their first rounds.
    pub(super) fn node_counts(&self) -> Vec<NodeCount> {
        let mut counts: Vec<NodeCount> = Vec::new();
        for (index, round) in self.rounds.iter().enumerate() {
            match counts.iter_mut().find(|count| count.nodes == round.nodes) {
                Some(count) => count.rounds.push(index + 1),
                None => counts.push(NodeCount { nodes: round.nodes, rounds: vec![index + 1] }),
            }
        }
        counts
    }

    /// The rounds whose time is far from that of the others. It is the time of a node, since a round under a time limit has
    /// fewer nodes on a busy machine.
    pub(super) fn outliers(&self) -> Vec<Outlier> {
        let times: Vec<f64> = self.rounds.iter().map(|round| 1.0 / round.speed()).collect();
        outlier::find(&times)
    }
}

impl Comparison<'_> {
    /// The speed of the first, relative to that of the other: the mean of the ratios of the rounds, with its 95 % interval.
    pub(super) fn ratio(&self) -> Option<Estimate<f64>> {
        let pairs = self.first.rounds.iter().zip(&self.other.rounds);
        mean::of_ratios(pairs.map(|(first, other)| (first.speed(), other.speed())))
    }

    /// Do the node counts of the two differ in every round?
    pub(super) fn searches_differ(&self) -> bool {
        let mut pairs = self.first.rounds.iter().zip(&self.other.rounds);
        pairs.all(|(first, other)| first.nodes != other.nodes)
    }
}

#[cfg(test)]
#[path = "comparison_tests.rs"]
pub(super) mod tests;
