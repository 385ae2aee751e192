//! Exit codes.

use std::process::ExitCode;

use threefold_player::EngineFault;
use threefold_run::pool::RunError;

/// Exit code of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: success.
    Fine,
    /// 1: a regression, a missed threshold, a rejected test, or a machine that is not fit for the games.
    Worse,
    /// 2: wrong usage, unreadable input, or nothing to compare the results with.
    Misuse,
    /// 3: engine faults stopped the run.
    EngineFault,
    /// 130: interrupted; the journal has all finished jobs.
    Interrupted,
}

impl Exit {
    /// Its number.
    pub const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Worse => 1,
            Self::Misuse => 2,
            Self::EngineFault => 3,
            Self::Interrupted => 130,
        }
    }

    /// The exit code of an error: 3 if an engine can't be started, else 2.
    pub fn of(error: &anyhow::Error) -> Self {
        match error.downcast_ref::<RunError>() {
            // The engine started, but lacks an option that the user set.
            Some(
                RunError::Engine { fault: EngineFault::Option(_) | EngineFault::NotSupported(_), .. }
                | RunError::Spec(_)
                | RunError::Journal(_)
                | RunError::Tables(_)
                | RunError::NoThread { .. }
                | RunError::Remote(_),
            )
            | None => Self::Misuse,
            Some(RunError::Engine { .. }) => Self::EngineFault,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
