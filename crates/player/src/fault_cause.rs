//! The causes by which engine faults are counted.

use super::EngineFault;

threefold_named_enum::named_enum! {
    /// What an engine did wrong.
    pub enum FaultCause {
        /// It could not be started, or never became ready.
        NotStarted = "not started",
        /// It exited by itself.
        Crash = "crash",
        /// Its standard error has a line of a failed assertion, a sanitizer or a panic.
        ErrorLine = "line on standard error",
        /// It did not answer in time.
        NoAnswer = "no answer",
        /// It broke the UCI protocol.
        ProtocolBreach = "protocol breach",
        /// It refused an option, or lacks a feature that the case needs.
        NotSupported = "not supported",
        /// It named no move in a position with legal moves.
        NoMove = "no move",
        /// It named an illegal move.
        IllegalMove = "illegal move",
        /// Its clock ran out.
        TimeLoss = "time loss",
        /// Its clock ran out because a busy machine made it wait for a CPU.
        BusyMachine = "time loss on a busy machine",
        /// The suite or its tables are wrong, not the engine.
        UnsoundCase = "unsound case",
        /// An earlier version recorded it without a cause.
        Unclassified = "unclassified",
    }
}

/// A recorded fault of an engine: the cause and a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedFault {
    /// The cause under which it is counted.
    pub cause: FaultCause,
    /// What happened.
    pub detail: String,
}

impl From<&EngineFault> for RecordedFault {
    fn from(fault: &EngineFault) -> Self {
        Self { cause: fault.cause(), detail: fault.to_string() }
    }
}

impl EngineFault {
    /// The cause under which it is counted.
    pub const fn cause(&self) -> FaultCause {
        match self {
            Self::CannotStart { .. } | Self::NotStarted { .. } => FaultCause::NotStarted,
            Self::Ended { .. } => FaultCause::Crash,
            // An interruption is not a fault, and callers do not record it.
            Self::TimedOut { .. } | Self::Interrupted => FaultCause::NoAnswer,
            Self::ProtocolBreach(_) => FaultCause::ProtocolBreach,
            Self::Option(_) | Self::NotSupported(_) => FaultCause::NotSupported,
        }
    }
}
