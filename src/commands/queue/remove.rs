//! `queue remove`: a test that is not to be run, or not to be continued.
//!
//! A test that was started keeps its place among the others, whose weights depend on it. One with a result
//! stays: without the tests that failed, the others would look better than they are.

use clap::Args;

use super::QueueArgs;
use super::results::KnownResults;
use crate::exit::Exit;
use crate::input::test_queue::{QueueContents, QueueFolder};
use crate::streams;
use threefold_report::queue::QueueState;

/// `threefold queue remove`
#[derive(Debug, Args)]
pub struct RemoveArgs {
    /// Names or numbers of the tests
    #[arg(value_name = "TEST", required = true)]
    pub tests: Vec<String>,
    /// Where the queue is
    #[command(flatten)]
    pub place: QueueArgs,
}

/// Removes or withdraws tests: all of them, or none.
pub fn run(args: &RemoveArgs) -> anyhow::Result<Exit> {
    let folder = args.place.folder()?;
    folder.read_existing()?;
    let said = folder.change(|contents| {
        let Some(contents) = contents else { return Ok(Vec::new()) };
        args.tests.iter().map(|given| remove(&folder, contents, given)).collect::<anyhow::Result<Vec<_>>>()
    })?;
    said.iter().try_for_each(|line| streams::result(line))?;
    Ok(Exit::Fine)
}

fn remove(folder: &QueueFolder, contents: &mut QueueContents, given: &str) -> anyhow::Result<String> {
    let stored = contents.find(given)?.clone();
    let (number, name) = (stored.number, &stored.name);
    let state = KnownResults::default().test(folder, &stored).state;
    match state {
        QueueState::Running => anyhow::bail!("test {number} `{name}` is running; end it with Ctrl-C first"),
        QueueState::Withdrawn => anyhow::bail!("test {number} `{name}` is withdrawn already"),
        QueueState::Accepted | QueueState::Rejected | QueueState::Undecided => anyhow::bail!(
            "test {number} `{name}` is {state}; a test with a result stays, since the others are judged with it"
        ),
        QueueState::Waiting | QueueState::Interrupted | QueueState::Fault => {}
    }
    if stored.place.is_none() {
        contents.tests.retain(|test| test.number != number);
        return Ok(format!("removed test {number} `{name}`"));
    }
    if let Some(test) = contents.test_mut(number) {
        test.is_withdrawn = true;
    }
    Ok(format!("withdrew test {number} `{name}`; it was started, so it stays in the list"))
}
