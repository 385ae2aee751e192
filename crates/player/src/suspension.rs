//! Time during which the harness itself did not run, and its effect on engines' clocks.
//!
//! Ctrl-Z (`SIGTSTP`) stops only the harness: engines are in their own process groups, would think on, and
//! their answers would be read late. So the signal is caught, the engines are stopped as well, and
//! [`SuspendableClock::now`] does not advance until both continue: neither deadlines nor times used include
//! the suspension.
//!
//! `SIGSTOP` cannot be caught, and engines think on. How much of that time an engine used is unknown, so it
//! counts as used, and also as CPU wait. It is detected by a heartbeat that is more than a second late
//! together with a `SIGCONT`. A busy machine delays a heartbeat, too, but sends no signal.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::engine_groups::EngineGroups;
use crate::system::suspension_signals;

/// The interval of the heartbeat.
const HEARTBEAT: Duration = Duration::from_millis(100);
/// A heartbeat later than this was delayed by something.
pub(super) const LATE_HEARTBEAT: Duration = Duration::from_secs(1);
/// How long to wait for an expected signal, and how often to check.
const SIGNAL_TIMEOUT: Duration = Duration::from_millis(200);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// A clock that does not advance while the harness is suspended with its engines. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct SuspendableClock(Arc<SharedState>);

/// The state, and a copy of what the clock needs in the usual case, so that it takes no lock.
#[derive(Debug, Default)]
struct SharedState {
    /// Is the harness suspended now?
    is_suspended: AtomicBool,
    /// The total length of past suspensions in nanoseconds.
    suspended: AtomicU64,
    full: Mutex<SuspensionState>,
}

#[derive(Debug, Default)]
struct SuspensionState {
    /// The total length of past suspensions.
    suspended: Duration,
    /// The start of the present suspension, if there is one.
    suspended_since: Option<Instant>,
    /// Intervals, by this clock, in which the harness was stopped and its engines were not.
    gaps: Vec<(Instant, Instant)>,
    /// The last heartbeat, by this clock; `None` without a heartbeat.
    last_heartbeat: Option<Instant>,
}

impl SuspensionState {
    fn now(&self) -> Instant {
        let real = self.suspended_since.unwrap_or_else(real_now);
        real.checked_sub(self.suspended).unwrap_or(real)
    }

    /// Stops the clock.
    fn suspend(&mut self) {
        self.suspended_since = Some(real_now());
    }

    /// Restarts the clock.
    fn resume(&mut self) {
        if let Some(since) = self.suspended_since.take() {
            self.suspended += real_now().saturating_duration_since(since);
        }
    }

    /// Records a heartbeat. `was_stopped`: was a `SIGCONT` received since the last one?
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

/// The present time; the only place that asks the system.
#[expect(clippy::disallowed_methods, reason = "child processes live on the wall's clock")]
fn real_now() -> Instant {
    Instant::now()
}

/// Waits while a condition holds, but no longer than `most`.
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
    /// The present time minus all suspensions.
    pub fn now(&self) -> Instant {
        let suspended = self.0.suspended.load(Ordering::Acquire);
        if !self.0.is_suspended.load(Ordering::Acquire) {
            let real = real_now();
            // Otherwise a suspension began and ended meanwhile.
            if self.0.suspended.load(Ordering::Acquire) == suspended {
                return real.checked_sub(Duration::from_nanos(suspended)).unwrap_or(real);
            }
        }
        self.state().now()
    }

    fn suspend(&self) {
        self.state().suspend();
        self.0.is_suspended.store(true, Ordering::Release);
    }

    fn resume(&self) {
        let mut state = self.state();
        state.resume();
        let nanos = u64::try_from(state.suspended.as_nanos()).unwrap_or(u64::MAX);
        // The length before the flag: a reader that finds the flag cleared then finds the new length.
        self.0.suspended.store(nanos, Ordering::Release);
        self.0.is_suspended.store(false, Ordering::Release);
    }

    /// How long, in an interval, the harness was stopped and its engines were not.
    pub(super) fn suspended_between(&self, from: Instant, to: Instant) -> Duration {
        // A stop that the heartbeat detects lasts about a second or more.
        if to.saturating_duration_since(from) < LATE_HEARTBEAT {
            return Duration::ZERO;
        }
        // The heartbeat that detects a gap may be as late as the caller.
        wait_while(2 * SIGNAL_TIMEOUT, || self.state().last_heartbeat.is_some_and(|beat| is_late(beat, to)));
        self.state().suspended_between(from, to)
    }

    fn state(&self) -> MutexGuard<'_, SuspensionState> {
        self.0.full.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the heartbeat for ever. `was_stopped` is set by `SIGCONT`, and is cleared here.
    fn run_heartbeat(&self, was_stopped: &AtomicBool) {
        loop {
            thread::sleep(HEARTBEAT);
            let now = self.now();
            let is_late = self.state().last_heartbeat.is_some_and(|before| is_late(before, now));
            if is_late {
                // The signal may be handled by a thread that runs later.
                wait_while(SIGNAL_TIMEOUT, || !was_stopped.load(Ordering::Relaxed));
            }
            // The signal sets this flag alone, so no order with other memory is needed.
            self.state().record_heartbeat(now, was_stopped.swap(false, Ordering::Relaxed));
        }
    }

    /// Detects suspensions from now on, for the life of the process. Call it once.
    pub fn watch(&self, groups: &EngineGroups) -> io::Result<()> {
        let (clock, stopped) = (self.clone(), groups.clone());
        let suspend = move || {
            // This clock stops before the engines and starts after them, so no engine is charged for time in
            // which it was stopped.
            clock.suspend();
            stopped.stop();
        };
        let (clock, stopped) = (self.clone(), groups.clone());
        let resume = move || {
            stopped.resume();
            clock.resume();
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
    fn suspended_clock_does_not_advance() {
        let clock = SuspendableClock::default();
        let begun = clock.now();
        for _ in 0..2 {
            clock.suspend();
            let (since, real) = (clock.now(), real_now());
            wait_while(Duration::from_millis(30), || true);
            assert_eq!(clock.now(), since);
            clock.resume();
            assert!(real_now().saturating_duration_since(real) >= Duration::from_millis(30));
        }
        let over = clock.state().suspended;
        assert!(over >= Duration::from_millis(60), "{over:?}");
        let (now, real) = (clock.now(), real_now());
        assert!(now >= begun && now + over <= real, "what was counted before the suspensions still counts");
    }

    #[test]
    fn late_beat_is_a_suspension_only_after_a_stop_signal() {
        let start = real_now();
        let at = |millis| start + Duration::from_millis(millis);
        let table = [
            // the second beat, whether the process got a continue signal, from, to, the time that does not
            // count
            (3000, true, 500, 3000, 2500),
            (3000, true, 1000, 2500, 1500),
            (3000, true, 3000, 9000, 0),
            (3000, false, 500, 3000, 0),
            (1100, true, 0, 1100, 0),
            (1101, true, 0, 2000, 1101),
        ];
        for (second, was_stopped, from, to, suspended_ms) in table {
            let mut state = SuspensionState::default();
            state.record_heartbeat(at(0), true);
            state.record_heartbeat(at(second), was_stopped);
            let suspended = state.suspended_between(at(from), at(to));
            assert_eq!(suspended, Duration::from_millis(suspended_ms), "{second} {was_stopped} {from} {to}");
        }
    }
}
