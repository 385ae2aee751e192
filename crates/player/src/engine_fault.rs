//! The problems of engines.

use std::time::Duration;

use crate::wait_limit::WaitLimit;
use threefold_chess::clock::duration;

/// A problem of an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineFault {
    /// It could not be started.
    #[error("`{command}` can't be started: {cause}; check the path and that it may be executed")]
    CannotStart {
        /// The command line.
        command: String,
        /// The error of the system.
        cause: String,
    },
    /// It exited.
    #[error("it ended ({status}) while {task}; its last output: {last_output}")]
    Ended {
        /// Exit status or signal.
        status: String,
        /// What it was doing: `answering …`.
        task: String,
        /// The line of standard error that shows a defect; or the end of standard error, or of standard output.
        last_output: String,
    },
    /// It did not answer in time.
    #[error("it was not done {task} within {}{}", duration::format_duration(*waited), limit.remedy())]
    TimedOut {
        /// What it was doing: `answering …`.
        task: String,
        /// How long the harness waited.
        waited: Duration,
        /// What limited the wait.
        limit: WaitLimit,
    },
    /// It was started several times and was never ready.
    #[error("it could not be started ({tries} tries): {last}")]
    NotStarted {
        /// The number of attempts.
        tries: u32,
        /// The fault of the last attempt.
        last: Box<EngineFault>,
    },
    /// It broke the protocol.
    #[error("it broke the protocol: {0}")]
    ProtocolBreach(String),
    /// It does not have an option that the spec sets, or does not accept the value.
    #[error("option {0}")]
    Option(String),
    /// It lacks something that only this question needs. It is ready for the next one.
    #[error("the engine lacks {0}")]
    NotSupported(String),
    /// The run was interrupted during the search.
    #[error("interrupted")]
    Interrupted,
}

impl EngineFault {
    /// Did it end or hang? That may depend on the moment at which a command came.
    pub const fn may_be_a_race(&self) -> bool {
        match self {
            Self::Ended { .. } | Self::TimedOut { .. } | Self::NotStarted { .. } => true,
            Self::CannotStart { .. }
            | Self::ProtocolBreach(_)
            | Self::Option(_)
            | Self::NotSupported(_)
            | Self::Interrupted => false,
        }
    }
}
