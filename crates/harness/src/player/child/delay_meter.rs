//! How long the threads of an engine, and this thread, waited for a CPU during a search.
//!
//! The system's counters are read where a move was slow, and not at every move: a fast game has no time for it. Their values
//! before the search are at most [`STALE`] old, so waits of earlier moves in that time are counted, too.

use std::time::{Duration, Instant};

use crate::player::run_queue::{CpuWaits, own_wait};
use threefold_chess::clock::Delays;

/// A search is slow after this time.
const SLOW: Duration = Duration::from_millis(4);
/// Older values are read again before a search.
const STALE: Duration = Duration::from_millis(4);

/// The last values of the counters.
#[derive(Debug, Default)]
pub(super) struct DelayMeter(Option<Reading>);

#[derive(Debug)]
struct Reading {
    at: Instant,
    engine: CpuWaits,
    own: Option<Duration>,
    /// When the last search began.
    begun: Instant,
}

impl Reading {
    fn of(processes: &[u32], now: Instant) -> Self {
        Self { at: now, engine: CpuWaits::of(processes), own: own_wait(), begun: now }
    }
}

impl DelayMeter {
    /// A search begins.
    pub(super) fn begin(&mut self, processes: &[u32], now: Instant) {
        match &mut self.0 {
            Some(reading) if now.saturating_duration_since(reading.at) < STALE => reading.begun = now,
            _ => self.0 = Some(Reading::of(processes, now)),
        }
    }

    /// The search has ended: its delays and the CPU time of the engine. This thread cannot read an answer without a CPU, so its
    /// wait is the delay of the runner. `None` if the move was neither slow nor over its time, or if the system does not say.
    pub(super) fn end(
        &mut self,
        processes: &[u32],
        now: Instant,
        is_over_time: bool,
    ) -> Option<(Delays, Duration)> {
        let before = self.0.as_ref()?;
        if !is_over_time && now.saturating_duration_since(before.begun) < SLOW {
            return None;
        }
        let after = Reading::of(processes, now);
        let own =
            after.own.zip(before.own).map_or(Duration::ZERO, |(after, before)| after.saturating_sub(before));
        let engine = after.engine.since(&before.engine).zip(after.engine.ran_since(&before.engine));
        self.0 = Some(after);
        engine.map(|(engine, ran)| (Delays { engine, runner: own }, ran))
    }
}
