//! `fleet exclude`: removes the results of a worker from a journal.

use std::path::PathBuf;

use clap::Args;

use crate::exit::Exit;
use crate::streams;
use threefold_run::exclusion::exclude;
use threefold_run::job::WorkerId;
use threefold_run::journal::{ExcludedResults, Journal};

/// `threefold fleet exclude`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold fleet exclude runs/sprt-1.sqlite --worker 3\n  \
    threefold fleet submit --nats nats://localhost:4222 resume runs/sprt-1.sqlite\n\n\
    Reports name workers by these numbers, and `fleet status` lists them. What depends on the removed results is \
    removed, too: later rounds of a tournament, later iterations of a tune, and answers about lost cases.")]
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
    let ExcludedResults { of_worker, dependent } =
        exclude(&mut Journal::open(&args.run)?, WorkerId(args.worker))?;
    anyhow::ensure!(
        of_worker > 0,
        "{file}: has no result of worker {}; `fleet status` lists the numbers",
        args.worker
    );
    let later = match dependent {
        0 => String::new(),
        dependent => format!(", and {dependent} later ones that depend on them"),
    };
    streams::result(&format!("{of_worker} results removed{later}; `resume` does these jobs again"))?;
    Ok(Exit::Fine)
}
