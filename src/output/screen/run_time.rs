//! The time of a run on the screen, without pauses in which nothing ran: speeds and times left depend on it.

use std::time::{Duration, Instant};

/// The time since the screen was opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunTime {
    now: Instant,
    begun: Instant,
    /// The length of past pauses, and the beginning of the present one.
    paused: Duration,
    pause: Option<Instant>,
}

/// Is anything done now?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Activity {
    /// Jobs are in progress or will be.
    Running,
    /// The run is paused, and no job is in progress.
    Paused,
}

impl RunTime {
    /// It begins now.
    pub(super) const fn new(now: Instant) -> Self {
        Self { now, begun: now, paused: Duration::ZERO, pause: None }
    }

    /// The time has come to this moment.
    pub(super) fn advance(&mut self, now: Instant, activity: Activity) {
        self.now = now;
        match (activity, self.pause) {
            (Activity::Paused, None) => self.pause = Some(now),
            (Activity::Running, Some(since)) => {
                self.paused += now.saturating_duration_since(since);
                self.pause = None;
            }
            (Activity::Paused, Some(_)) | (Activity::Running, None) => {}
        }
    }

    /// The present moment.
    pub(super) const fn now(&self) -> Instant {
        self.now
    }

    /// The time since the beginning.
    pub(super) fn elapsed(&self) -> Duration {
        self.now.saturating_duration_since(self.begun)
    }

    /// The same without pauses.
    pub(super) fn active(&self) -> Duration {
        let pause = self.pause.map_or(Duration::ZERO, |since| self.now.saturating_duration_since(since));
        self.elapsed().saturating_sub(self.paused + pause)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threefold_player::SuspendableClock;

    #[test]
    fn pauses_do_not_count_as_active_time() {
        let begun = SuspendableClock::default().now();
        let mut time = RunTime::new(begun);
        let mut times = Vec::new();
        for (second, activity) in [
            (10, Activity::Running),
            (12, Activity::Paused),
            (20, Activity::Paused),
            (30, Activity::Running),
            (31, Activity::Running),
        ] {
            time.advance(begun + Duration::from_secs(second), activity);
            times.push((time.elapsed().as_secs(), time.active().as_secs()));
        }
        assert_eq!(times, [(10, 10), (12, 12), (20, 12), (30, 12), (31, 13)]);
    }
}
