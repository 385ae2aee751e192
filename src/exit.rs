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

    /// The exit code of an error: 130 if Ctrl-C stopped an engine, 3 if an engine can't be started, else 2.
    pub fn of(error: &anyhow::Error) -> Self {
        match fault_of(error) {
            // The engine started, but lacks an option that the user set.
            Some(EngineFault::Option(_) | EngineFault::NotSupported(_)) | None => Self::Misuse,
            Some(EngineFault::Interrupted) => Self::Interrupted,
            Some(
                EngineFault::CannotStart { .. }
                | EngineFault::NotStarted { .. }
                | EngineFault::Ended { .. }
                | EngineFault::TimedOut { .. }
                | EngineFault::ProtocolBreach(_),
            ) => Self::EngineFault,
        }
    }
}

/// The engine fault that is this error: of a run, or of an engine that a command starts itself.
fn fault_of(error: &anyhow::Error) -> Option<&EngineFault> {
    match error.downcast_ref::<RunError>() {
        Some(RunError::Engine { fault, .. }) => Some(fault),
        Some(
            RunError::Spec(_)
            | RunError::Journal(_)
            | RunError::Tables(_)
            | RunError::NoThread { .. }
            | RunError::Remote(_),
        ) => None,
        None => error.downcast_ref(),
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn an_engine_fault_has_the_same_code_inside_and_outside_a_run() {
        let table = [
            (EngineFault::Interrupted, Exit::Interrupted),
            (EngineFault::ProtocolBreach("no move".to_owned()), Exit::EngineFault),
            (EngineFault::Option("it lacks `Hash`".to_owned()), Exit::Misuse),
        ];
        for (fault, exit) in table {
            let bare = Err::<(), _>(fault.clone()).context("engine `mine`").expect_err("a fault");
            assert_eq!(Exit::of(&bare), exit, "{bare:#}");
            let of_run =
                RunError::Engine { engine: "mine".to_owned(), spec: "./mine".into(), fault, log: None };
            assert_eq!(Exit::of(&of_run.into()), exit, "{bare:#}");
        }
        assert_eq!(Exit::of(&anyhow::anyhow!("no such file")), Exit::Misuse);
    }
}
