//! Which run a slot works for next: higher priorities first, and by shares among equals.
//!
//! Each run has a virtual time that advances with the time that slots spend on it, divided by its share
//! (stride scheduling, Waldspurger 1995). The run whose next slice would end first in virtual time is next
//! (weighted fair queueing), so runs get time in proportion to their shares, and one with a small share does
//! not begin with a whole slice. Each worker does this on its own, which makes the shares of the whole fleet
//! right, too.

use std::collections::BTreeMap;
use std::time::Duration;

use super::SLICE;
use crate::protocol::{RunId, RunNotice};

/// The virtual times of runs, in seconds of a run with share 1.
#[derive(Debug, Default)]
pub(super) struct Shares {
    times: BTreeMap<RunId, f64>,
}

impl Shares {
    /// The runs in the order in which they are tried. A new run begins with the least time of all: it has no
    /// claim on the time before it was there.
    pub(super) fn order<'r>(&mut self, runs: &'r [RunNotice]) -> Vec<&'r RunNotice> {
        self.times.retain(|known, _| runs.iter().any(|run| run.run == *known));
        let least = self.times.values().copied().reduce(f64::min).unwrap_or(0.0);
        for run in runs {
            self.times.entry(run.run.clone()).or_insert(least);
        }
        let mut order: Vec<&RunNotice> = runs.iter().collect();
        order.sort_by(|one, other| {
            let ends = [one, other].map(|run| self.times[&run.run] + virtual_time(run, SLICE));
            other.priority.cmp(&one.priority).then(ends[0].total_cmp(&ends[1])).then(one.run.cmp(&other.run))
        });
        order
    }

    /// Adds the time that a slot spent on a run.
    pub(super) fn charge(&mut self, run: &RunNotice, used: Duration) {
        if let Some(time) = self.times.get_mut(&run.run) {
            *time += virtual_time(run, used);
        }
    }
}

/// The virtual time of a run for this time of a slot.
fn virtual_time(run: &RunNotice, used: Duration) -> f64 {
    used.as_secs_f64() / f64::from(run.share.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::VERSION;

    fn notice(number: i64, priority: i32, share: u32) -> RunNotice {
        RunNotice {
            version: VERSION,
            run: RunId::new("", number),
            title: String::new(),
            bench: 1,
            priority,
            share,
            spec_sha256: String::new(),
            reference_speed: None,
        }
    }

    #[test]
    fn runs_get_time_in_proportion_to_their_shares() {
        let runs = [notice(1, 0, 1), notice(2, 0, 3), notice(3, -1, 9)];
        let mut shares = Shares::default();
        let mut used = BTreeMap::<RunId, u32>::new();
        for _ in 0..400 {
            let next = shares.order(&runs)[0];
            shares.charge(next, Duration::from_secs(10));
            *used.entry(next.run.clone()).or_default() += 1;
        }
        let of = |run: &RunNotice| used.get(&run.run).copied().unwrap_or_default();
        assert_eq!(
            [of(&runs[0]), of(&runs[1]), of(&runs[2])],
            [100, 300, 0],
            "the third has a lower priority"
        );
        assert_eq!(shares.order(&runs).last().expect("three").run, runs[2].run, "it is tried last");
    }

    #[test]
    fn larger_share_begins_whatever_the_order_of_the_runs() {
        for [small, large] in [[1, 2], [2, 1]] {
            let runs = [notice(small, 0, 1), notice(large, 0, 3)];
            let mut shares = Shares::default();
            // Slots spend a little less or more than a slice on a run.
            let slices = [9.9, 10.1, 9.95, 10.2, 9.9, 10.1, 9.9, 10.1].map(Duration::from_secs_f64);
            let order = slices.map(|used| {
                let next = shares.order(&runs)[0];
                shares.charge(next, used);
                next.share
            });
            assert_eq!(order[..2], [3, 3], "{order:?}");
            assert_eq!(order.iter().filter(|share| **share == 1).count(), 2, "{order:?}");
        }
    }

    #[test]
    fn new_run_has_no_claim_on_the_past() {
        let runs = [notice(1, 0, 1), notice(2, 0, 1)];
        let mut shares = Shares::default();
        for _ in 0..10 {
            shares.order(&runs[..1]);
            shares.charge(&runs[0], Duration::from_secs(100));
        }
        let mut used = [0, 0];
        for _ in 0..10 {
            let next = shares.order(&runs)[0].run.clone();
            let index = usize::from(next == runs[1].run);
            shares.charge(&runs[index], Duration::from_secs(10));
            used[index] += 1;
        }
        assert_eq!(used, [5, 5]);
    }
}
