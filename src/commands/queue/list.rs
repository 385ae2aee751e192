//! `queue list`: the tests, and which of them can be merged.

use clap::Args;

use super::QueueArgs;
use super::results::KnownResults;
use crate::exit::Exit;
use crate::files;
use crate::input::test_queue::QueueFolder;
use crate::output::tables::{table, terminal_width};
use crate::streams;
use threefold_report::queue::Queue;

/// `threefold queue list`
#[derive(Debug, Args)]
#[command(
    after_help = "Column merge: `yes`, `no` (H0 is accepted), or the e-value that the test would need now."
)]
pub struct ListArgs {
    /// Print JSON
    #[arg(long, conflicts_with = "html")]
    pub json: bool,
    /// Write the page of all tests into the folder of the queue, and print its path. `queue run` writes it after
    /// each test
    #[arg(long)]
    pub html: bool,
    /// Where the queue is
    #[command(flatten)]
    pub place: QueueArgs,
}

/// Prints the tests.
pub fn run(args: &ListArgs) -> anyhow::Result<Exit> {
    let folder = args.place.folder()?;
    let contents = folder.read_existing()?;
    let queue = KnownResults::default().queue(&folder, &contents)?;
    if args.html {
        write_page(&folder, &queue)?;
        streams::result(&folder.page().display().to_string())?;
    } else if args.json {
        streams::results(&queue.to_json())?;
    } else {
        streams::results(&text(&queue))?;
    }
    Ok(Exit::Fine)
}

/// The table with what it says, as wide as the terminal.
pub(super) fn text(queue: &Queue) -> String {
    queue.to_text(terminal_width(), table)
}

/// Writes the page of the queue.
///
/// # Errors
/// If it can't be written.
pub(super) fn write_page(folder: &QueueFolder, queue: &Queue) -> anyhow::Result<()> {
    files::write_whole(&folder.page(), queue.page().as_bytes())
}
