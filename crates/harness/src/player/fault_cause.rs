//! What engines do that no engine may: the causes under which faults are counted.

use super::EngineFault;

threefold_named_enum::named_enum! {
    /// What an engine did that no engine may.
    pub enum FaultCause {
        /// It could not be started, or never became ready.
        NotStarted = "not started",
        /// It ended by itself.
        Crash = "crash",
        /// It did not answer in time.
        NoAnswer = "no answer",
        /// It broke the UCI protocol.
        ProtocolBreach = "protocol breach",
        /// It refused an option, or what a question needs.
        NotSupported = "not supported",
        /// It named no move where it had one.
        NoMove = "no move",
        /// It named a move that the rules do not allow.
        IllegalMove = "illegal move",
        /// Its clock ran out.
        TimeLoss = "time loss",
        /// Its clock ran out because the machine kept it waiting for a processor.
        BusyMachine = "time loss on a busy machine",
        /// The suite or its tables are wrong, not the engine.
        UnsoundCase = "unsound case",
        /// An earlier version recorded it without a cause.
        Unclassified = "unclassified",
    }
}

/// A fault of an engine as it is recorded: the cause, and what happened in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedFault {
    /// What faults are counted under.
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
    /// What it is counted under.
    pub const fn cause(&self) -> FaultCause {
        match self {
            Self::CannotStart { .. } | Self::NotStarted { .. } => FaultCause::NotStarted,
            Self::Ended { .. } => FaultCause::Crash,
            // A search that was called off is no fault, and no caller records it.
            Self::TimedOut { .. } | Self::Interrupted => FaultCause::NoAnswer,
            Self::ProtocolBreach(_) => FaultCause::ProtocolBreach,
            Self::Option(_) | Self::NotSupported(_) => FaultCause::NotSupported,
        }
    }
}
