//! Why a text is no engine spec.

use super::spec_key::HarnessKey;
use threefold_chess::clock::clock_source::ClockSourceError;
use threefold_chess::clock::control::ControlError;

/// Why a text is not an engine spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Nothing before the first comma.
    #[error("`{0}` names no engine; begin with `echo` or a command")]
    NoSource(String),
    /// The form of another match runner.
    #[error(
        "`{0}` is the form of fastchess and cutechess-cli; begin with the command, such as `./mine,name=Mine,Hash=16`, or \
         run `threefold fastchess -engine cmd=…`"
    )]
    PeerForm(String),
    /// A quotation mark is not closed.
    #[error("`{0}` opens a quotation mark and never closes it; add the second `\"`")]
    OpenQuote(String),
    /// A part without `=`.
    #[error("`{0}` is no key=value; write `\\,` for a comma inside a value")]
    NoValue(String),
    /// A key given twice.
    #[error("`{0}` is given twice; leave one")]
    DuplicateKey(String),
    /// A value that the key does not accept.
    #[error("`{key}={given}` can't be read: {remedy}")]
    Value {
        /// One of the harness's keys.
        key: HarnessKey,
        /// What was given.
        given: String,
        /// What would be right.
        remedy: String,
    },
    /// A limit that can't be set.
    #[error(transparent)]
    Limit(#[from] ControlError),
    /// An unknown clock.
    #[error(transparent)]
    Clock(#[from] ClockSourceError),
    /// A key about starting a process, given to the built-in Echo.
    #[error("`{0}` is for commands; Echo runs inside this process, so leave it out")]
    NotForEcho(HarnessKey),
}
