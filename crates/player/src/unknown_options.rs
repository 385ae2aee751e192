//! Options of a spec that the engine does not offer: refused, unless the caller wants to go on without them.

use std::fmt;
use std::sync::Arc;

/// Receives the names of an engine and of an option that it does not offer.
pub type SkipReceiver = Arc<dyn Fn(&str, &str) + Send + Sync>;

/// What becomes of options that an engine does not offer. Clones share the receiver.
#[derive(Clone, Default)]
pub enum UnknownOptions {
    /// The engine is not launched.
    #[default]
    Refused,
    /// They are not set, and this function gets the engine's name and the option's, at every launch.
    Skipped(SkipReceiver),
}

impl UnknownOptions {
    /// Are options to be skipped? Then the receiver learns of this one.
    pub(super) fn skip(&self, engine: &str, option: &str) -> bool {
        match self {
            Self::Refused => false,
            Self::Skipped(receive) => {
                receive(engine, option);
                true
            }
        }
    }
}

impl fmt::Debug for UnknownOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Refused => "Refused",
            Self::Skipped(_) => "Skipped",
        })
    }
}
