//! How fast the jobs of a run end, and how many of them therefore go into a message.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use threefold_run::PartProgress;

use crate::protocol;

/// The time over which jobs are counted for `fleet status`.
const MINUTE: Duration = Duration::from_mins(1);
/// How long the jobs of a message shall take together. Jobs that take longer by themselves are not put
/// together.
const TIME_TOGETHER: Duration = Duration::from_millis(100);

/// The jobs that have ended lately.
#[derive(Debug)]
pub(super) struct Pace {
    since: Instant,
    /// The jobs that have ended after `since`.
    ended: u64,
    /// The numbers before, with the times of their ends.
    counts: VecDeque<(Instant, u64)>,
    together: usize,
}

impl Pace {
    pub(super) const fn new(now: Instant) -> Self {
        Self { since: now, ended: 0, counts: VecDeque::new(), together: 1 }
    }

    /// Adds jobs that have ended.
    pub(super) const fn add(&mut self, jobs: usize) {
        self.ended += jobs as u64;
    }

    /// Ends an interval, in which workers did this number of jobs at a time.
    pub(super) fn end_interval(&mut self, now: Instant, slots: u64) {
        // The time that a slot has spent on each job is `elapsed * slots / ended`.
        let elapsed = now.saturating_duration_since(self.since).as_secs_f64().max(1e-3);
        let together = TIME_TOGETHER.as_secs_f64() * self.ended as f64 / (elapsed * slots.max(1) as f64);
        // One less than the limit, so that the second game of a pair can go with the first.
        self.together = (together as usize).clamp(1, protocol::MOST_JOBS - 1);
        self.counts.push_back((now, std::mem::take(&mut self.ended)));
        while self.counts.front().is_some_and(|(end, _)| now.saturating_duration_since(*end) >= MINUTE) {
            self.counts.pop_front();
        }
        self.since = now;
    }

    /// The number of jobs that go into a message.
    pub(super) const fn together(&self) -> usize {
        self.together
    }

    /// The jobs that have ended in the last minute.
    pub(super) fn last_minute(&self) -> u64 {
        self.counts.iter().map(|(_, jobs)| jobs).sum()
    }
}

/// `sprt: 1200 of 40000, LLR 1.23`
pub(super) fn progress_line(name: &str, part: &PartProgress<'_>) -> String {
    let statistic = part.test.and_then(|test| Some((test.statistic().name, test.path.last()?)));
    let statistic = statistic.map(|(name, value)| format!(", {name} {value:.2}")).unwrap_or_default();
    let ending = part.ending.map(|ending| format!(", {ending}")).unwrap_or_default();
    format!("{name}: {} of {}{statistic}{ending}", part.ended, part.jobs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    #[test]
    fn short_jobs_go_together() {
        let begun = clock::now();
        let table = [(0, 2, 1), (10, 2, 1), (100, 2, 5), (100, 200, 1), (10_000, 2, 63), (30, 0, 3)];
        for (ended, slots, together) in table {
            let mut pace = Pace::new(begun);
            pace.add(ended);
            pace.end_interval(begun + Duration::from_secs(1), slots);
            assert_eq!(pace.together(), together, "{ended} jobs in a second by {slots} slots");
        }
    }

    #[test]
    fn jobs_of_the_last_minute_are_counted() {
        let begun = clock::now();
        let mut pace = Pace::new(begun);
        for second in 1..=90 {
            pace.add(2);
            pace.end_interval(begun + Duration::from_secs(second), 1);
            assert_eq!(pace.last_minute(), 2 * second.min(60));
        }
    }
}
