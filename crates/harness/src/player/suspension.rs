//! Time during which the harness itself did not run, and what it means for engines' clocks.
//!
//! Ctrl-Z (`SIGTSTP`) stops the harness alone: engines have process groups of their own and would think on, and their
//! answers would be read when the harness goes on. So the signal is caught, the engines are stopped as well, and the
//! clock of [`Suspensions::now`] stands still until both go on: no deadline and no time used knows of it.
//!
//! `SIGSTOP` can't be caught, and engines think on. What an engine used of that time nobody can tell, so it counts as
//! used, and also as time that the machine kept the engine waiting. It is found by a heartbeat: a beat that comes
//! more than a second late, and a `SIGCONT` that came meanwhile. A busy machine delays a beat, too, but sends no signal.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::system::suspension_signals;

/// From one beat to the next.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// A beat that is later than this was held up by something.
pub(super) const LATE_HEARTBEAT: Duration = Duration::from_secs(1);
/// How long is waited for a signal that is due, and how often it is looked for.
const SIGNAL_TIMEOUT: Duration = Duration::from_millis(200);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A clock that stands still while the harness is suspended with its engines. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct SuspendableClock(Arc<Mutex<SuspensionState>>);

#[derive(Debug, Default)]
struct SuspensionState {
    /// How long the suspensions were that are over.
    suspended: Duration,
    /// Since when there is one, if there is.
    suspended_since: Option<Instant>,
    /// When the harness stood still and its engines did not, by this clock.
    gaps: Vec<(Instant, Instant)>,
    /// The last beat, by this clock; `None` where nothing beats.
    last_heartbeat: Option<Instant>,
}

impl SuspensionState {
    fn now(&self) -> Instant {
        let real = self.suspended_since.unwrap_or_else(real_now);
        real.checked_sub(self.suspended).unwrap_or(real)
    }

    /// The clock stands still from here on.
    fn suspend(&mut self) {
        self.suspended_since = Some(real_now());
    }

    /// The clock goes on.
    fn resume(&mut self) {
        if let Some(since) = self.suspended_since.take() {
            self.suspended += real_now().saturating_duration_since(since);
        }
    }

    /// Records a heartbeat. `was_stopped`: did a `SIGCONT` come since the last one?
    fn record_heartbeat(&mut self, now: Instant, was_stopped: bool) {
        let before = self.last_heartbeat.replace(now);
        if let Some(before) = before.filter(|&before| was_stopped && is_late(before, now)) {
            self.gaps.push((before, now));
        }
    }

    fn suspended_between(&self, from: Instant, to: Instant) -> Duration {
        let part =
            |&(begin, end): &(Instant, Instant)| end.min(to).saturating_duration_since(begin.max(from));
        self.gaps.iter().map(part).sum()
    }
}

/// The time, asked for in one place.
#[expect(clippy::disallowed_methods, reason = "child processes live on the wall's clock")]
fn real_now() -> Instant {
    Instant::now()
}

/// Waits while something is so, but not for ever.
fn wait_while(most: Duration, is_so: impl Fn() -> bool) {
    let until = real_now() + most;
    while is_so() && real_now() < until {
        thread::sleep(POLL_INTERVAL);
    }
}

fn is_late(before: Instant, now: Instant) -> bool {
    now.saturating_duration_since(before) > HEARTBEAT + LATE_HEARTBEAT
}

impl SuspendableClock {
    /// The time, less all suspensions.
    pub fn now(&self) -> Instant {
        self.state().now()
    }

    /// How much of a stretch the harness stood still and its engines did not.
    pub(super) fn suspended_between(&self, from: Instant, to: Instant) -> Duration {
        if to.saturating_duration_since(from) < LATE_HEARTBEAT {
            return Duration::ZERO;
        }
        // The heartbeat that finds a gap may be as late as the caller.
        wait_while(2 * SIGNAL_TIMEOUT, || self.state().last_heartbeat.is_some_and(|beat| is_late(beat, to)));
        self.state().suspended_between(from, to)
    }

    fn state(&self) -> MutexGuard<'_, SuspensionState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Beats for ever. `was_stopped` tells, and forgets, whether the process was told to go on.
    fn run_heartbeat(&self, was_stopped: &AtomicBool) {
        loop {
            thread::sleep(HEARTBEAT);
            let now = self.now();
            let is_late = self.state().last_heartbeat.is_some_and(|before| is_late(before, now));
            if is_late {
                // The signal may be handled by a thread that comes later.
                wait_while(SIGNAL_TIMEOUT, || !was_stopped.load(Ordering::Relaxed));
            }
            self.state().record_heartbeat(now, was_stopped.swap(false, Ordering::Relaxed));
        }
    }

    /// From now on suspensions are seen, for the rest of the process's life: to be called once.
    pub fn watch(&self, groups: &super::child::EngineGroups) -> io::Result<()> {
        let (clock, stopped) = (self.clone(), groups.clone());
        let suspend = move || {
            clock.state().suspend();
            stopped.stop();
        };
        let (clock, stopped) = (self.clone(), groups.clone());
        let resume = move || {
            stopped.resume();
            clock.state().resume();
        };
        if let Some(was_stopped) = suspension_signals::watch(suspend, resume)? {
            let clock = self.clone();
            thread::Builder::new()
                .name("heartbeat".to_owned())
                .spawn(move || clock.run_heartbeat(&was_stopped))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_stands_still_during_a_suspension_and_runs_on_after_it() {
        let clock = SuspendableClock::default();
        let begun = clock.now();
        for _ in 0..2 {
            clock.state().suspend();
            let (since, real) = (clock.now(), real_now());
            wait_while(Duration::from_millis(30), || true);
            assert_eq!(clock.now(), since);
            clock.state().resume();
            assert!(real_now().saturating_duration_since(real) >= Duration::from_millis(30));
        }
        let over = clock.state().suspended;
        assert!(over >= Duration::from_millis(60), "{over:?}");
        let (now, real) = (clock.now(), real_now());
        assert!(now >= begun && now + over <= real, "what was counted before the suspensions still counts");
    }

    #[test]
    fn a_late_beat_is_a_gap_only_where_a_signal_says_that_the_process_was_stopped() {
        let start = real_now();
        let at = |millis| start + Duration::from_millis(millis);
        let table = [
            // the second beat, whether the process was told to go on, from, to, how long it stood still
            (3000, true, 500, 3000, 2500),
            (3000, true, 1000, 2500, 1500),
            (3000, true, 3000, 9000, 0),
            (3000, false, 500, 3000, 0),
            (1100, true, 0, 1100, 0),
            (1101, true, 0, 2000, 1101),
        ];
        for (second, was_stopped, from, to, stood) in table {
            let mut state = SuspensionState::default();
            state.record_heartbeat(at(0), true);
            state.record_heartbeat(at(second), was_stopped);
            let stood_still = state.suspended_between(at(from), at(to));
            assert_eq!(stood_still, Duration::from_millis(stood), "{second} {was_stopped} {from} {to}");
        }
    }
}
