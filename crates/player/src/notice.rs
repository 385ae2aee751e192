//! Notices to the user that an engine has been silent for long: which engine, what it was asked, and when the
//! wait ends.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use threefold_chess::clock::duration;

/// An engine has sent nothing for some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SilenceNotice {
    /// The engine's name.
    pub engine: String,
    /// What it is doing: `answering …`.
    pub task: String,
    /// The length of the silence.
    pub silent: Duration,
    /// The time left until the wait ends.
    pub left: Duration,
}

impl fmt::Display for SilenceNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, task, silent, left } = self;
        let (silent, left) = (duration::format_duration(*silent), duration::format_duration(*left));
        write!(f, "engine `{engine}` has said nothing for {silent} while {task}; it has {left} left")
    }
}

/// Sends notices to a receiver. Clones share it.
#[derive(Clone)]
pub struct NoticeSender(Arc<dyn Fn(SilenceNotice) + Send + Sync>);

impl NoticeSender {
    /// Calls this function with each notice, in the thread that waits for the engine.
    pub fn to(receive: impl Fn(SilenceNotice) + Send + Sync + 'static) -> Self {
        Self(Arc::new(receive))
    }

    /// Sends a notice.
    pub fn send(&self, notice: SilenceNotice) {
        (self.0)(notice);
    }
}

impl Default for NoticeSender {
    /// Discards notices.
    fn default() -> Self {
        Self::to(|_| {})
    }
}

impl fmt::Debug for NoticeSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notices")
    }
}
