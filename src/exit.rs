//! How a command ends, as a number that CI reads.

use std::process::ExitCode;

use threefold_harness::player::EngineFault;
use threefold_harness::run::pool::RunError;

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: all as asked.
    Fine,
    /// 1: a regression, a failed threshold, or a rejected test.
    Worse,
    /// 2: wrong use or unreadable input.
    Misuse,
    /// 3: an engine fault that stopped the work.
    EngineFault,
    /// 130: interrupted; everything finished so far is journaled.
    Interrupted,
}

impl Exit {
    /// How an error ends a command: by an engine that can't be hired, or by what the user gave.
    pub fn of(error: &anyhow::Error) -> Self {
        match error.downcast_ref::<RunError>() {
            // The engine started; what it was asked to set, it doesn't have.
            Some(
                RunError::Engine { fault: EngineFault::Option(_) | EngineFault::NotSupported(_), .. }
                | RunError::Spec(_)
                | RunError::Journal(_)
                | RunError::Tables(_)
                | RunError::NoThread { .. },
            )
            | None => Self::Misuse,
            Some(RunError::Engine { .. }) => Self::EngineFault,
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
