//! Why a worker does not prepare a run.

use crate::broker::BrokerError;

/// Why a run is not prepared.
#[derive(Debug)]
pub(crate) enum LoadError {
    /// This worker does not work for it.
    Refused(String),
    /// The server does not give what it needs; it may do so later.
    Server(BrokerError),
}

impl From<String> for LoadError {
    fn from(why: String) -> Self {
        Self::Refused(why)
    }
}

impl From<BrokerError> for LoadError {
    fn from(error: BrokerError) -> Self {
        Self::Server(error)
    }
}
