//! `queue`: tests that wait for this machine, or for a fleet, and which of them can be merged.
//!
//! A queue is a folder: `input::test_queue` has its file, and each test that was started has its journal and its reports
//! in a folder of its own. What a test has come to is read from its journal, so it is nowhere written twice.

pub mod add;
pub mod list;
pub mod remove;
mod results;
pub mod run;
mod words;

use std::path::PathBuf;

use clap::Args;

use crate::command_table;
use crate::input::test_queue::QueueFolder;

command_table! {
    /// `threefold queue`
    pub enum QueueCommand {
        /// Add a test, written as the command `sprt`.
        Add(add::AddArgs) => add::run;
        /// Show the tests, their e-values, and which can be merged.
        List(list::ListArgs) => list::run;
        /// Run the waiting tests, those with the highest priority first.
        Run(run::RunArgs) => run::run;
        /// Remove a waiting test, or withdraw one that was started and has no result.
        Remove(remove::RemoveArgs) => remove::run;
    }
}

command_table! {
    /// The commands of a queue that a fleet can do.
    pub enum SubmittedQueue {
        /// Run the waiting tests, those with the highest priority first.
        Run(run::RunArgs) => run::run;
    }
}

/// Where the queue is.
#[derive(Debug, Args)]
pub struct QueueArgs {
    /// Folder of the queue [default: .threefold/queue in the root of the git repository, or in this folder]
    #[arg(long = "queue", value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

impl QueueArgs {
    /// The folder.
    ///
    /// # Errors
    /// If the current folder is not known.
    fn folder(&self) -> anyhow::Result<QueueFolder> {
        QueueFolder::of(self.folder.as_deref())
    }
}
