//! The signals that end the runs of this process.
//!
//! The first Ctrl-C ends a run after its games and cases in progress, since a long game that is thrown away is
//! time lost. The second, and any other signal, stops at once. What has no such jobs, as a build or `bench`,
//! stops at the first.

use std::sync::{Mutex, PoisonError};

use anyhow::Context;

use crate::streams;
use threefold_chess::clock::Stop;
use threefold_player::system::{EndSignal, end_signals};
use threefold_run::run_control::RunControl;

/// What the signals change.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interruption {
    /// Is raised to stop searches, runs and builds at once.
    pub(crate) stop: Stop,
    /// Ends the run that uses it after its jobs in progress.
    pub(crate) control: RunControl,
}

impl Interruption {
    /// That of this process. A signal handler can be installed only once.
    ///
    /// # Errors
    /// If the system refuses the handler.
    pub(crate) fn installed() -> anyhow::Result<Self> {
        static INSTALLED: Mutex<Option<Interruption>> = Mutex::new(None);
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(interruption) = &*installed {
            return Ok(interruption.clone());
        }
        let interruption = Self::default();
        let handled = interruption.clone();
        end_signals::watch(move |signal| handled.take(signal)).context("can't install the Ctrl-C handler")?;
        Ok(installed.insert(interruption).clone())
    }

    fn take(&self, signal: EndSignal) {
        if signal == EndSignal::Interrupt && self.control.end_after_jobs() {
            streams::notice(
                "the run ends after the games and cases in progress; press Ctrl-C again to stop at once",
            );
        } else {
            self.stop.raise();
        }
    }
}
