//! `fleet exclude`: removes the results of a worker from a journal.

use std::path::PathBuf;

use clap::Args;

use crate::exit::Exit;
use crate::streams;
use threefold_run::job::WorkerId;
use threefold_run::journal::Journal;

/// `threefold fleet exclude`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold fleet exclude runs/sprt-1.sqlite --worker 3\n  \
    threefold fleet submit --nats nats://localhost:4222 resume runs/sprt-1.sqlite\n\n\
    Reports name workers by these numbers, and `fleet status` lists them.")]
pub struct ExcludeArgs {
    /// Journal of the run
    #[arg(value_name = "JOURNAL")]
    pub run: PathBuf,
    /// Number of the worker
    #[arg(long, value_name = "N")]
    pub worker: usize,
}

/// Removes the results of a worker from a journal.
///
/// # Errors
/// If the journal can't be read or written, or has no result of this worker.
pub fn run(args: &ExcludeArgs) -> anyhow::Result<Exit> {
    let file = args.run.display();
    let removed = Journal::open(&args.run)?.exclude(WorkerId(args.worker))?;
    anyhow::ensure!(
        removed > 0,
        "{file}: has no result of worker {}; `fleet status` lists the numbers",
        args.worker
    );
    streams::result(&format!("{removed} results removed; `resume` does these jobs again"))?;
    Ok(Exit::Fine)
}
