//! Exit codes.

use std::process::ExitCode;

use threefold_harness::player::Fault;
use threefold_harness::work::pool::WorkError;

/// Exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: success.
    Fine,
    /// 1: a regression, a missed threshold, or a rejected test.
    Worse,
    /// 2: wrong usage or unreadable input.
    Misuse,
    /// 3: engine faults stopped the run.
    EngineFault,
    /// 130: interrupted; the journal has all finished jobs.
    Interrupted,
}

impl Exit {
    /// The exit code of an error: 3 if an engine can't be started, else 2.
    pub fn of(error: &anyhow::Error) -> Self {
        match error.downcast_ref::<WorkError>() {
            // The engine started, but lacks an option that the user set.
            Some(
                WorkError::Engine { fault: Fault::Option(_) | Fault::Lacks(_), .. }
                | WorkError::Order(_)
                | WorkError::Journal(_)
                | WorkError::Tables(_)
                | WorkError::NoThread { .. },
            )
            | None => Self::Misuse,
            Some(WorkError::Engine { .. }) => Self::EngineFault,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Worse => 1,
            Exit::Misuse => 2,
            Exit::EngineFault => 3,
            Exit::Interrupted => 130,
        })
    }
}
