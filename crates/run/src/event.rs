//! Events of a run, for progress bars and logs.
//!
//! Events have no effect on results.

use super::job::{JobKey, JobResult, RunSpec, WorkerId};
use super::scheduler::PartProgress;
use threefold_chess::uci::UciOption;
use threefold_player::{EngineSpec, SilenceNotice};

/// An event of a run.
#[derive(Debug)]
pub enum RunEvent<'a> {
    /// The run begins, or continues after an interruption.
    Opened {
        /// What is run.
        spec: &'a RunSpec,
        /// The progress of each part, in order.
        parts: &'a [PartProgress<'a>],
        /// The options of the engines that are still needed, as far as they list any.
        offers: &'a [(EngineSpec, Vec<UciOption>)],
    },
    /// Endgame tables are generated, before the first job.
    MakingTables {
        /// The number of tables.
        number: usize,
    },
    /// A job was given to a worker.
    JobStarted {
        /// The job that begins.
        key: JobKey,
    },
    /// An engine has been silent for long.
    EngineSilent {
        /// Which engine, what it was asked, and the time left.
        notice: &'a SilenceNotice,
    },
    /// A result of another machine does not belong to its job, which will be done again.
    ResultRefused {
        /// The job that the result was sent for.
        key: JobKey,
        /// The machine that sent the result.
        worker: WorkerId,
        /// What is wrong.
        what: &'a str,
    },
    /// Games were played again, because the machine or the runner caused a time loss.
    GamesVoid {
        /// The game in which it happened.
        key: JobKey,
        /// The number of games that were played again.
        number: usize,
    },
    /// A job has ended and is in the journal.
    JobEnded {
        /// The job that has ended.
        key: JobKey,
        /// Who did it.
        worker: WorkerId,
        /// The result of the finished job.
        result: &'a JobResult,
        /// The progress of its part after it.
        progress: &'a PartProgress<'a>,
    },
    /// Games of several takes count now, also of other takes than that of the game that ended last.
    TakesAdvanced {
        /// These games, in the order in which they count.
        counted: &'a [JobKey],
        /// The progress of each take after them, in order.
        parts: &'a [PartProgress<'a>],
    },
}
