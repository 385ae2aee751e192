//! `queue add`: a test for later, checked at once as `sprt` checks it.

use std::env;
use std::num::NonZeroU32;

use anyhow::Context;
use clap::Args;

use super::QueueArgs;
use super::words::{self, ReadWords};
use crate::args::from_one;
use crate::commands::sprt::{self, SprtArgs};
use crate::exit::Exit;
use crate::input::test_queue::{EXPECTED_TESTS, LEVEL, NewTest, QueueContents, StoredFile, check_name};
use crate::session::Session;
use crate::streams;
use threefold_player::EngineBuild;
use threefold_run::single_match;
use threefold_stats::anytime::OnlineEbh;

/// `threefold queue add`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  threefold queue add -- sprt --engine ./new --engine ./old --elo0 0 --elo1 5 --tc 8+0.08\n  \
    threefold queue add --priority 1 -- sprt --engine ./lmr --engine ./old --elo0 0 --elo1 5 --st 1\n\n\
    The test is checked as `sprt` checks it, and its engines are started once. Relative paths start in the folder of this \
    command. An engine must be the same build when the test runs, so give each version a file of its own."
)]
pub struct AddArgs {
    /// Priority: tests with a higher one are run first
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub priority: i32,
    /// Name of the test, which no other test of the queue has [default: the name of the first engine]
    #[arg(long, value_name = "NAME", value_parser = name)]
    pub name: Option<String>,
    /// False discovery rate: the expected share of false ones among the tests that can be merged, at most. The
    /// first test of a queue fixes it [default: 0.05]
    #[arg(long, value_name = "P")]
    pub fdr: Option<f64>,
    /// The number of tests that share half of the --fdr; the others share the rest. The first test of a queue
    /// fixes it [default: 10]
    #[arg(long, value_name = "N", value_parser = from_one::<NonZeroU32>)]
    pub expected_tests: Option<NonZeroU32>,
    /// Where the queue is
    #[command(flatten)]
    pub place: QueueArgs,
    /// The test: `sprt` with its options
    #[arg(value_name = "sprt …", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<String>,
}

fn name(given: &str) -> Result<String, String> {
    check_name(given).map(|()| given.to_owned()).map_err(|why| format!("the name {why}"))
}

/// Adds a test.
pub fn run(args: &AddArgs) -> anyhow::Result<Exit> {
    let words = match args.words.split_first() {
        Some((program, rest)) if program == "threefold" => rest,
        _ => &args.words,
    };
    let test = match words::read(words)? {
        ReadWords::Test(test) => test,
        ReadWords::Help(text) => {
            streams::results(&text)?;
            return Ok(Exit::Fine);
        }
    };
    let folder = args.place.folder()?;
    // A wrong option is reported before engines start.
    _ = of_options(args, folder.read()?)?;
    let Some(checked) = checked(args, &test)? else {
        streams::notice("interrupted; no test is added");
        return Ok(Exit::Interrupted);
    };
    let new = NewTest { words: words.to_vec(), ..checked };
    let added = folder.change(|contents| {
        // Checked again under the lock, since another command may have begun the queue in the meantime.
        let mut queue = of_options(args, contents.take())?;
        let added = queue.add(new)?;
        *contents = Some(queue);
        Ok(added)
    })?;
    streams::result(&format!(
        "added test {} `{}` with priority {}; `{}` runs it",
        added.number,
        added.name,
        added.priority,
        folder.command("run")
    ))?;
    Ok(Exit::Fine)
}

/// The queue to which the test is added: the present one, whose level must be the one given, or a new one.
fn of_options(args: &AddArgs, present: Option<QueueContents>) -> anyhow::Result<QueueContents> {
    let Some(queue) = present else {
        let (level, expected) = (args.fdr.unwrap_or(LEVEL), args.expected_tests.unwrap_or(EXPECTED_TESTS));
        OnlineEbh::new(level, expected).context("--fdr: give a number between 0 and 1, such as 0.05")?;
        return Ok(QueueContents::new(level, expected));
    };
    // Chosen after results are known, a level would promise nothing.
    let is_same = args.fdr.is_none_or(|level| level.to_bits() == queue.level.to_bits());
    anyhow::ensure!(
        is_same,
        "--fdr: the first test of this queue fixed it at {}; leave it out, or begin another queue with --queue DIR",
        queue.level
    );
    let is_same = args.expected_tests.is_none_or(|expected| expected == queue.expected_tests);
    anyhow::ensure!(
        is_same,
        "--expected-tests: the first test of this queue fixed it at {}; leave it out, or begin another queue with --queue DIR",
        queue.expected_tests
    );
    Ok(queue)
}

/// The test, after the checks that a run makes before its first game; `None` after Ctrl-C.
fn checked(args: &AddArgs, test: &SprtArgs) -> anyhow::Result<Option<NewTest>> {
    let task = sprt::task(test)?;
    let engine = task.engines[0].name.clone();
    let session = Session::open(&test.game.run_options)?;
    let started = session.start_engines(single_match::spec("sprt", task));
    // Engines that did not start have no checksums, and the queue would take any later build for the same.
    if session.pool.launch_options.stop.is_raised() {
        return Ok(None);
    }
    let builds = started?;
    let folder = env::current_dir().context("the current folder can't be found")?;
    anyhow::ensure!(folder.to_str().is_some(), "{}: its name is not UTF-8", folder.display());
    Ok(Some(NewTest {
        name: args.name.clone(),
        engine,
        priority: args.priority,
        folder,
        words: Vec::new(),
        files: files_of(&builds),
    }))
}

/// The files of engines, each once.
pub(super) fn files_of(builds: &[EngineBuild]) -> Vec<StoredFile> {
    let files = builds.iter().flat_map(|build| &build.files);
    let mut files: Vec<StoredFile> =
        files.map(|file| StoredFile { path: file.path.clone(), sha256: file.sha256.clone() }).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files.dedup();
    files
}
