//! Pauses a run, or ends it after the jobs in progress.
//!
//! Jobs in progress always go on to their end, so that no clock is stopped in a game and no result depends on
//! it. [`Stop`] ends a run at once, without them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
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
pub struct RunControl(Arc<AtomicU8>);

impl RunControl {
    /// The present flow.
    pub fn flow(&self) -> JobFlow {
        let flows = [JobFlow::Paused, JobFlow::Ending];
        let present = self.0.load(Ordering::Relaxed);
        flows.into_iter().find(|flow| *flow as u8 == present).unwrap_or(JobFlow::Running)
    }

    /// Waits until the run is not paused, or is to stop.
    pub(crate) fn wait_while_paused(&self, stop: &Stop) {
        while self.flow() == JobFlow::Paused && stop.sleep(POLL_INTERVAL) {}
    }

    /// Changes the flow.
    pub fn set(&self, flow: JobFlow) {
        self.0.store(flow as u8, Ordering::Relaxed);
    }
}
