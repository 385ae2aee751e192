//! `fleet status`: the workers, the runs and their queues.

use clap::Args;

use super::server::ServerArgs;
use crate::exit::Exit;
use crate::output::tables::table;
use crate::streams;
use threefold_fleet::broker::{Broker, Inbox};
use threefold_fleet::protocol::ProgressNotice;
use threefold_fleet::status::{self, RunStatus};

/// `threefold fleet status`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold fleet status --nats nats://localhost:4222")]
pub struct StatusArgs {
    /// The server
    #[command(flatten)]
    pub server: ServerArgs,
}

/// Prints the state of the fleet.
///
/// # Errors
/// If the server can't be used.
pub fn run(args: &StatusArgs) -> anyhow::Result<Exit> {
    let broker = Broker::connect(&args.server.options()?, "threefold fleet status", &Inbox::Coordinator)?;
    let status = status::status(&broker)?;
    let workers = table(
        &["worker", "number", "jobs at a time", "knps", "done", "machine", "threefold", "does not work for"],
        status.workers.iter().map(|(name, worker)| {
            let refused: Vec<String> =
                worker.refused.iter().map(|(run, why)| format!("{run}: {why}")).collect();
            vec![
                name.to_string(),
                worker.number.to_string(),
                worker.slots.to_string(),
                (worker.speed / 1_000).to_string(),
                worker.done.to_string(),
                worker.machine.clone(),
                worker.program.clone(),
                refused.join("; "),
            ]
        }),
    );
    let runs = table(
        &["run", "title", "priority", "share", "done", "a minute", "waiting", "running", "oldest", "parts"],
        status.runs.iter().map(|RunStatus { notice, progress, waiting, running, oldest }| {
            let number = |of: fn(&ProgressNotice) -> u64| {
                progress.as_ref().map_or_else(|| "?".to_owned(), |progress| of(progress).to_string())
            };
            vec![
                notice.run.to_string(),
                notice.title.clone(),
                notice.priority.to_string(),
                notice.share.to_string(),
                number(|progress| progress.done),
                number(|progress| progress.last_minute),
                waiting.to_string(),
                running.to_string(),
                oldest.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds} s")),
                progress.as_ref().map(|progress| progress.parts.join("; ")).unwrap_or_default(),
            ]
        }),
    );
    streams::result(&format!(
        "Workers: {}\n{workers}\n\nRuns: {} (waiting and running are messages: two games, eight cases, or up to 64 short jobs)\n{runs}",
        status.workers.len(),
        status.runs.len()
    ))?;
    Ok(Exit::Fine)
}
