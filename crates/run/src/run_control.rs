//! Pauses a run, or ends it after the jobs in progress.
//!
//! Jobs in progress always go on to their end, so that no clock is stopped in a game and no result depends on
//! it. [`Stop`] ends a run at once, without them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Duration;

use threefold_chess::clock::Stop;

/// The interval at which those who wait look at the flow.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// What the workers of a pool do when a job has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum JobFlow {
    /// They get the next one.
    Running,
    /// They wait.
    Paused,
    /// They get no more; once the last job has ended, the run is interrupted and can be resumed.
    Ending,
}

/// Shares a [`JobFlow`] between the pool and those who change it. Clones share it; at first jobs run.
#[derive(Debug, Clone, Default)]
pub struct RunControl(Arc<ControlState>);

#[derive(Debug, Default)]
struct ControlState {
    flow: AtomicU8,
    has_jobs: AtomicBool,
}

impl RunControl {
    /// The present flow.
    pub fn flow(&self) -> JobFlow {
        let flows = [JobFlow::Paused, JobFlow::Ending];
        // The flow is all that is shared, so it needs no ordering.
        let present = self.0.flow.load(Ordering::Relaxed);
        flows.into_iter().find(|flow| *flow as u8 == present).unwrap_or(JobFlow::Running)
    }

    /// Waits until the run is not paused, or is to stop.
    pub(crate) fn wait_while_paused(&self, stop: &Stop) {
        while self.flow() == JobFlow::Paused && stop.sleep(POLL_INTERVAL) {}
    }

    /// Ends the run after the jobs in progress. Returns whether this call did so: it changes nothing if the run
    /// ends already, or if no job is in progress.
    pub fn end_after_jobs(&self) -> bool {
        let ends = self.0.has_jobs.load(Ordering::Relaxed) && self.flow() != JobFlow::Ending;
        if ends {
            self.set(JobFlow::Ending);
        }
        ends
    }

    /// Notes whether a job is in progress.
    pub(crate) fn set_has_jobs(&self, has_jobs: bool) {
        self.0.has_jobs.store(has_jobs, Ordering::Relaxed);
    }

    /// Changes the flow.
    pub fn set(&self, flow: JobFlow) {
        self.0.flow.store(flow as u8, Ordering::Relaxed);
    }
}
