//! What happens while a run is under way, for progress bars and logs.
//!
//! Events tell, they decide nothing: whoever draws bars can be left out without changing a result.

use super::job::{JobKey, JobResult};
use super::scheduler::PartProgress;
use crate::player::SilenceNotice;

/// Something that happened.
#[derive(Debug)]
pub enum RunEvent<'a> {
    /// Work begins, or goes on where it was interrupted.
    Opened {
        /// Each part as it stands, in order.
        parts: &'a [PartProgress<'a>],
    },
    /// Endgame tables are made, before the first job is handed out.
    MakingTables {
        /// How many.
        number: usize,
    },
    /// A job was handed out.
    JobStarted {
        /// Which.
        key: JobKey,
    },
    /// An engine that is waited for has said nothing for a while.
    EngineSilent {
        /// Which, at what, and how long it has left.
        notice: &'a SilenceNotice,
    },
    /// A job ended and is in the journal.
    JobEnded {
        /// Which.
        key: JobKey,
        /// What it came to.
        result: &'a JobResult,
        /// How far its part has come with it.
        progress: &'a PartProgress<'a>,
    },
}
