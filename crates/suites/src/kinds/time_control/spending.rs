//! How time is used in a game: by each side on its clock, and by each move against its plan.

use std::time::Duration;

use threefold_chess::clock::{SearchEnd, TimeReport};

/// How one side used its time.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spending {
    pub(super) total: Duration,
    /// The longest think, relative to the remaining time when it began.
    pub(super) longest: f64,
}

impl Spending {
    /// A move cost this much when this much was left.
    pub(super) fn spend(&mut self, cost: Duration, left: Duration) {
        self.total += cost;
        self.longest = self.longest.max(cost.as_secs_f64() / left.as_secs_f64());
    }
}

/// A summary of the time reports of a game's moves; empty if the engine sends none.
#[derive(Debug, Clone, Default)]
pub(super) struct TimePlans {
    /// The tree size in nodes at the end of each search that was not trivial.
    trees: Vec<f64>,
    worst_overrun: Option<Duration>,
}

/// The variation of tree sizes over a game's moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// Standard deviation, in nodes.
    pub(super) deviation: f64,
    /// Mean, in nodes.
    pub(super) mean: f64,
}

impl Spread {
    /// The coefficient of variation.
    pub(super) fn share(self) -> f64 {
        self.deviation / self.mean
    }
}

impl TimePlans {
    /// Records a move. A search that ended because there was no choice, or nothing left to find, does not
    /// show how time is distributed. CPU waits do not count as an overrun.
    pub(super) fn note(&mut self, account: &TimeReport, waited: Option<Duration>) {
        match account.end {
            SearchEnd::NoChoice => {}
            SearchEnd::Budget | SearchEnd::Settled | SearchEnd::HardLimit | SearchEnd::Interrupted => {
                self.trees.push(account.tree as f64);
            }
        }
        let allowed = account.hard_limit + waited.unwrap_or_default();
        let overrun = account.used.saturating_sub(allowed);
        // `None` is less than any `Some`.
        self.worst_overrun = self.worst_overrun.max(Some(overrun));
    }

    /// The largest overrun of a move over its maximum; `None` without time reports.
    pub(super) const fn worst_overrun(&self) -> Option<Duration> {
        self.worst_overrun
    }

    /// The variation of tree sizes; `None` with fewer than two, or if all are zero.
    pub(super) fn spread(&self) -> Option<Spread> {
        let count = self.trees.len() as f64;
        // Without trees this is not a number; the condition below excludes it.
        let mean = self.trees.iter().sum::<f64>() / count;
        let squares: f64 = self.trees.iter().map(|tree| (tree - mean).powi(2)).sum();
        (self.trees.len() > 1 && mean > 0.0).then(|| Spread { deviation: (squares / count).sqrt(), mean })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tree_sizes_and_overruns_come_from_time_reports() {
        let table = [
            // milliseconds at most and used, tree, end, for each move; milliseconds waited; deviation and
            // mean; overrun
            ("", None, None, None),
            ("9 5 100 budget", None, None, Some(0)),
            ("9 5 100 budget, 9 9 300 settled", None, Some((100.0, 200.0)), Some(0)),
            ("9 5 100 budget, 9 10 300 most, 9 0 7 clear", None, Some((100.0, 200.0)), Some(1)),
            ("9 12 100 called, 9 14 100 most", Some(1), Some((0.0, 100.0)), Some(4)),
            ("9 12 0 called, 9 14 0 most", Some(20), None, Some(0)),
        ];
        for (moves, waited, spread, overrun) in table {
            let mut plans = TimePlans::default();
            for words in moves.split(", ").filter(|words| !words.is_empty()) {
                let words: Vec<&str> = words.split(' ').collect();
                let text = format!(
                    "time budget 1 most {} used {} tree {} reused 0 end {}",
                    words[0], words[1], words[2], words[3]
                );
                plans.note(&text.parse().expect(&text), waited.map(Duration::from_millis));
            }
            let seen = plans.spread().map(|spread| (spread.deviation, spread.mean));
            assert_eq!(
                (seen, plans.worst_overrun()),
                (spread, overrun.map(Duration::from_millis)),
                "{moves}"
            );
        }
        assert!((Spread { deviation: 100.0, mean: 200.0 }.share() - 0.5).abs() < 1e-9);
    }
}
