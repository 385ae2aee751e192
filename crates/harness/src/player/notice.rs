//! What people are told while an engine is silent for long: which one, what it was asked, and how long it is still
//! waited for.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use threefold_chess::clock::duration;

/// An engine has said nothing for a while.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SilenceNotice {
    /// Its name.
    pub engine: String,
    /// What it is doing: `answering …`.
    pub task: String,
    /// For how long it has said nothing.
    pub silent: Duration,
    /// How long it is still waited for.
    pub left: Duration,
}

impl fmt::Display for SilenceNotice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, task, silent, left } = self;
        let (silent, left) = (duration::text(*silent), duration::text(*left));
        write!(f, "engine `{engine}` has said nothing for {silent} while {task}; it has {left} left")
    }
}

/// Where notices go. Clones share it.
#[derive(Clone)]
pub struct NoticeSender(Arc<dyn Fn(SilenceNotice) + Send + Sync>);

impl NoticeSender {
    /// Each is handed to this function, by the thread that waits.
    pub fn to(receive: impl Fn(SilenceNotice) + Send + Sync + 'static) -> Self {
        Self(Arc::new(receive))
    }

    /// Hands one over.
    pub fn send(&self, notice: SilenceNotice) {
        (self.0)(notice);
    }
}

impl Default for NoticeSender {
    /// Nowhere.
    fn default() -> Self {
        Self::to(|_| {})
    }
}

impl fmt::Debug for NoticeSender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Notices")
    }
}
