//! The words of a queued test: those of `sprt`, without what the queue decides itself.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::args::hints;
use crate::commands::sprt::SprtArgs;

/// The command line of a queued test.
#[derive(Debug, Parser)]
#[command(name = "threefold", bin_name = "threefold", no_binary_name = true, disable_help_subcommand = true)]
struct QueuedLine {
    #[command(subcommand)]
    command: QueuedCommand,
}

#[derive(Debug, Subcommand)]
enum QueuedCommand {
    /// Play two engines against each other until a sequential test (SPRT) decides.
    Sprt(Box<SprtArgs>),
}

/// The words of a line, read.
pub(super) enum ReadWords {
    /// A test.
    Test(Box<SprtArgs>),
    /// The help that they ask for.
    Help(String),
}

/// Reads the words of a test.
///
/// # Errors
/// If one is wrong, or asks for what the queue decides.
pub(super) fn read(words: &[String]) -> anyhow::Result<ReadWords> {
    let line = QueuedLine::try_parse_from(words).map_err(|mut error| {
        hints::improve(&mut error, words);
        error
    });
    let mut args = match line {
        Ok(QueuedLine { command: QueuedCommand::Sprt(args) }) => args,
        // clap reports a request for help as an error.
        Err(error) if !error.use_stderr() => return Ok(ReadWords::Help(error.to_string())),
        Err(error) => {
            let text = error.to_string();
            anyhow::bail!("{}", text.trim_start_matches("error: ").trim_end())
        }
    };
    check(&args)?;
    // The journal has the command of the test, not that of the queue.
    args.game.run_options.words = words.iter().map(OsString::from).collect();
    Ok(ReadWords::Test(args))
}

/// Refuses what the queue decides itself, and what is for a run that a user watches.
fn check(args: &SprtArgs) -> anyhow::Result<()> {
    let (game, options) = (&args.game, &args.game.run_options);
    let own = "the queue has a folder for each test, with its journal and its reports";
    let printed = "the queue prints a line for each test; `report.json` and `summary.md` are in its folder";
    let refused = [
        (game.run.is_some(), "--run", own),
        (game.out.is_some(), "--out", own),
        (options.log.file.is_some(), "--log", "a log is for one run at a time"),
        (options.tui, "--tui", "a live screen is for a run that you watch"),
        (options.github, "--github", "a job of GitHub Actions has one result"),
        (args.printed.json, "--json", printed),
        (args.printed.markdown, "--markdown", printed),
        (
            !args.takes.takes.is_empty(),
            "--take",
            "each test of a queue has one H0; add each take as a test of its own",
        ),
    ];
    if let Some((_, option, why)) = refused.iter().find(|(is_given, ..)| *is_given) {
        anyhow::bail!("{option}: {why}; leave it out");
    }
    Ok(())
}

/// Enters the folder in which a test was added: its relative paths start there.
///
/// # Errors
/// If it is gone.
pub(super) fn enter(folder: &Path) -> anyhow::Result<()> {
    env::set_current_dir(folder)
        .with_context(|| format!("{}: can't enter the folder in which the test was added", folder.display()))
}
