//! Why a run failed.

use std::io;

use super::{JournalError, RemoteError, RunSpecError};
use threefold_oracle::tables::TableError;
use threefold_player::EngineFault;
use threefold_player::traffic::LogPlace;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The specification is wrong.
    #[error(transparent)]
    Spec(#[from] RunSpecError),
    /// The journal can't be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// An endgame table that a case needs cannot be generated.
    #[error(transparent)]
    Tables(#[from] TableError),
    /// The system refuses to start a thread.
    #[error("no thread can be started: {cause}; raise the limit of processes (ulimit -u) or of memory")]
    NoThread {
        /// The error of the system.
        cause: io::Error,
    },
    /// The other machines can't be used.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// An engine cannot be started, or does not support the conditions of its games.
    #[error("engine `{engine}` (`{spec}`): {fault}{}{}", remedy(fault), reference(log.as_deref()))]
    Engine {
        /// The engine's name.
        engine: String,
        /// The engine's spec, as given.
        spec: Box<str>,
        /// The fault, with its last output.
        fault: EngineFault,
        /// The log line of the fault, if there is a log.
        log: Option<Box<LogPlace>>,
    },
}

/// The remedy, if the fault's own message has none.
const fn remedy(fault: &EngineFault) -> &'static str {
    match fault {
        EngineFault::TimedOut { .. } => "; check that it supports UCI, or give it more time with --startup",
        EngineFault::Ended { .. } => "; start it by hand to see why",
        EngineFault::ProtocolBreach(_) => "; check that it supports UCI",
        EngineFault::CannotStart { .. }
        | EngineFault::NotStarted { .. }
        | EngineFault::Option(_)
        | EngineFault::NotSupported(_)
        | EngineFault::Interrupted => "",
    }
}

/// A reference to the log.
fn reference(log: Option<&LogPlace>) -> String {
    log.map(|place| format!("; see {place}")).unwrap_or_default()
}
