//! What delayed a move: how long the threads of the engine waited for a CPU during the search, and how long
//! this thread could not read the move after it had arrived.
//!
//! The system's counters are read where a move was slow, and not at every move: a fast game has no time for
//! it. Their values before the search are at most [`STALE`] old, so waits of earlier moves in that time are
//! counted, too.
//!
//! This thread wakes up many times in a search and waits for a CPU each time on a busy machine. Those waits
//! delay nothing, so only the wait in which the move arrived is the delay of the runner ([`ReadingDelay`]).

use std::time::{Duration, Instant};

use crate::run_queue::{CpuWaits, own_wait};
use threefold_chess::clock::Delays;

/// A search is slow after this time.
const SLOW: Duration = Duration::from_millis(4);
/// Older values are read again before a search.
const STALE: Duration = Duration::from_millis(4);

/// The last values of the engine's counters.
#[derive(Debug, Default)]
pub(super) struct DelayMeter(Option<Reading>);

#[derive(Debug)]
struct Reading {
    at: Instant,
    engine: CpuWaits,
    /// When the last search began.
    begun: Instant,
}

impl Reading {
    fn take(processes: &[u32], now: Instant) -> Self {
        Self { at: now, engine: CpuWaits::of_processes(processes), begun: now }
    }
}

impl DelayMeter {
    /// A search begins.
    pub(super) fn begin(&mut self, processes: &[u32], now: Instant) {
        match &mut self.0 {
            Some(reading) if now.saturating_duration_since(reading.at) < STALE => reading.begun = now,
            _ => self.0 = Some(Reading::take(processes, now)),
        }
    }

    /// The search has ended, and its move was read this late: its delays and the CPU time of the engine.
    /// `None` if the move was neither slow nor over its time, or if the system does not say.
    pub(super) fn end(
        &mut self,
        processes: &[u32],
        now: Instant,
        late: Duration,
        is_over_time: bool,
    ) -> Option<(Delays, Duration)> {
        let before = self.0.as_ref()?;
        if !is_over_time && now.saturating_duration_since(before.begun) < SLOW {
            return None;
        }
        let after = Reading::take(processes, now);
        let engine = after.engine.since(&before.engine).zip(after.engine.ran_since(&before.engine));
        self.0 = Some(after);
        engine.map(|(engine, ran)| (Delays { engine, runner: late }, ran))
    }
}

/// How long this thread could not read what had arrived, because it had no CPU.
///
/// A read finds everything that came since the read before. Of that time the thread slept, until the output
/// woke it up, or it waited for a CPU. So its wait since the last read is the longest time that the output
/// can have been there unread.
#[derive(Debug, Default)]
pub(super) struct ReadingDelay {
    /// When reads are measured from; `None` if they are not.
    from: Option<Instant>,
    /// The counter of this thread after the last read; `None` if the system does not report it.
    counter: Option<Duration>,
    late: Duration,
}

impl ReadingDelay {
    /// A search begins whose time is measured. Reads in its first [`SLOW`] are not, as the counter costs
    /// time. For the same reason its value is at most [`STALE`] old.
    pub(super) fn begin(&mut self, now: Instant) {
        *self = Self { from: Some(now + SLOW), counter: own_wait(now, STALE), late: Duration::ZERO };
    }

    /// The search is over.
    pub(super) const fn end(&mut self) {
        self.from = None;
    }

    /// Something was waited for and read until now; whether output had arrived.
    pub(super) fn record_read(&mut self, now: Instant, has_output: bool) {
        if self.from.is_some_and(|from| now >= from) {
            self.record(own_wait(now, Duration::ZERO), has_output);
        }
    }

    fn record(&mut self, counter: Option<Duration>, has_output: bool) {
        let waited = counter.zip(self.counter).map(|(now, before)| now.saturating_sub(before));
        self.counter = counter;
        if has_output {
            self.late = waited.unwrap_or_default();
        }
    }

    /// How late the last output was read at most.
    pub(super) const fn late(&self) -> Duration {
        self.late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three seconds of search on a busy machine: the thread waits 8 ms at each of 150 wake-ups, 1.2 s in
    /// total.
    #[test]
    fn only_the_wait_in_which_the_move_arrived_is_late() {
        let millis = Duration::from_millis;
        let mut delay = ReadingDelay { counter: Some(millis(500)), ..ReadingDelay::default() };
        let mut counter = millis(500);
        for _ in 0..150 {
            counter += millis(8);
            delay.record(Some(counter), false);
            assert_eq!(delay.late(), Duration::ZERO);
        }
        delay.record(Some(counter + millis(3)), true);
        assert_eq!(delay.late(), millis(3));
        // A report before the move, then the move itself.
        delay.record(Some(counter + millis(4)), true);
        assert_eq!(delay.late(), millis(1));
        // The system does not say.
        delay.record(None, true);
        assert_eq!(delay.late(), Duration::ZERO);
    }
}
