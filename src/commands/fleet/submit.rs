//! `fleet submit`: a command whose jobs the workers of a fleet do.

use std::env;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand as _, value_parser};

use super::live_page;
use super::server::ServerArgs;
use super::speed::bench_speed;
use crate::args::RunOptions;
use crate::command_table;
use crate::commands::calibrate::{self, CalibrateArgs};
use crate::commands::r#match::{self, MatchArgs};
use crate::commands::queue::SubmittedQueue;
use crate::commands::regress::{self, RegressArgs};
use crate::commands::resume::{self, ResumeArgs};
use crate::commands::sprt::{self, SprtArgs};
use crate::commands::suite::{self, SuiteArgs};
use crate::commands::tune::{self, TuneArgs};
use crate::exit::Exit;
use crate::files;
use crate::session::fleet_link;
use crate::session::user_secret::UserSecret;
use threefold_fleet::broker::{Broker, Inbox};
use threefold_fleet::coordinator::{Coordinator, JobSecret, Submission};
use threefold_fleet::engine_files::Signature;

command_table! {
    /// A command whose jobs a fleet can do.
    pub enum SubmittedCommand {
        /// Run a regression test.
        Regress(RegressArgs) => regress::run, run options: run_options;
        /// Run suites of test positions on engines.
        Suite(SuiteArgs) => suite::run, run options: run_options;
        /// Play a match or a tournament.
        Match(MatchArgs) => r#match::run, run options: game.run_options;
        /// Play two engines against each other until a sequential test (SPRT) decides.
        Sprt(SprtArgs) => sprt::run, run options: game.run_options;
        /// Tune parameters of an engine by games against itself (SPSA).
        Tune(TuneArgs) => tune::run, run options: game.run_options;
        /// Measure the Elo of an engine's strength levels, or of node budgets.
        Calibrate(CalibrateArgs) => calibrate::run, run options: run_options;
        /// Run the tests of a queue, one after another.
        #[command(subcommand)]
        Queue(SubmittedQueue) => SubmittedQueue::run;
        /// Continue a run that was interrupted or killed.
        Resume(ResumeArgs) => resume::run, run options: run_options;
    }
}

/// `threefold fleet submit`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    threefold fleet submit --nats nats://localhost:4222 sprt --engine echo,Hash=4 --engine echo,name=Base --nodes 2000\n  \
    threefold fleet submit --nats nats://localhost:4222 queue run\n  \
    threefold fleet submit --nats nats://localhost:4222 resume runs/sprt-1.sqlite\n\n\
    The journal and the reports are written here, and the exit code is that of the command.")]
pub struct SubmitArgs {
    /// The server
    #[command(flatten)]
    pub server: ServerArgs,
    /// Priority: workers do jobs of a run with a lower one only while no other job waits
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub priority: i32,
    /// Share of the workers' time among the runs of the same priority
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub share: u32,
    /// File with signatures of engine files, one in a line, as `fleet sign` prints them
    #[arg(long, value_name = "FILE")]
    pub signatures: Option<PathBuf>,
    /// Serve the page of the run, which renews itself, and `/metrics` for Prometheus at this address, such as
    /// 127.0.0.1:8080
    #[arg(long, value_name = "ADDRESS")]
    pub serve: Option<SocketAddr>,
    /// The command
    #[command(subcommand)]
    pub command: SubmittedCommand,
}

impl SubmitArgs {
    /// Run options of the submitted command.
    pub fn run_options(&self) -> Option<&RunOptions> {
        self.command.run_options()
    }
}

/// Runs the command, with its jobs done by the workers.
///
/// # Errors
/// If the server can't be used, or if the command fails.
pub fn run(args: &SubmitArgs) -> anyhow::Result<Exit> {
    connect(args)?;
    args.command.run()
}

/// Connects to the fleet, so that the runs of the command that follows are done by its workers.
///
/// # Errors
/// If the server can't be used.
fn connect(args: &SubmitArgs) -> anyhow::Result<()> {
    let broker = Broker::connect(&args.server.options()?, "threefold fleet submit", &Inbox::Coordinator)?;
    let (bench, speed) = bench_speed(NonZeroUsize::MIN)?;
    let signatures = match &args.signatures {
        Some(file) => signatures_of(file)?,
        None => Vec::new(),
    };
    let secret = job_secret()?;
    let submission =
        Submission { signatures, priority: args.priority, share: args.share, bench, speed, secret };
    let coordinator = Coordinator::new(broker, submission)?;
    if let Some(address) = args.serve {
        live_page::serve(address, coordinator.broker())?;
    }
    fleet_link::connect(Box::new(coordinator), &without_fleet());
    Ok(())
}

/// A secret for the jobs of this user's runs, the same when a run is resumed; without a place for one, that
/// of this process.
fn job_secret() -> anyhow::Result<JobSecret> {
    const PURPOSE: &str = "threefold fleet jobs 1";
    let random = |_| UserSecret::of_process().context("the system gives no random bytes");
    Ok(JobSecret(UserSecret::present().or_else(random)?.derived(PURPOSE, "")))
}

/// The command line without the options of the fleet, which may have secrets.
fn without_fleet() -> Vec<OsString> {
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    submitted_words(&words).to_vec()
}

/// The words of the submitted command. A value of an option before it may be the name of a command, but is
/// not followed by words that this command takes.
fn submitted_words(words: &[OsString]) -> &[OsString] {
    let commands =
        SubmittedCommand::augment_subcommands(clap::Command::new("threefold").no_binary_name(true));
    let ends = (0..words.len()).map(|start| &words[start..]);
    ends.filter(|end| end[0].to_str().is_some_and(SubmittedCommand::has_subcommand))
        .find(|end| commands.clone().try_get_matches_from(*end).is_ok())
        .unwrap_or_default()
}

/// The signatures of a file.
fn signatures_of(file: &Path) -> anyhow::Result<Vec<Signature>> {
    let text = files::text(file)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            line.trim().parse().with_context(|| format!("{}:{}", file.display(), number + 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_the_fleet_are_not_part_of_the_submitted_command() {
        let command = "match --engine echo --engine echo,name=B --nodes 10";
        for fleet in
            ["--nats nats://secret@host", "--signatures match --share 2", "--share 3 --signatures match"]
        {
            let line = format!("fleet submit {fleet} {command}");
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let submitted = submitted_words(&words).join(" ".as_ref());
            assert_eq!(submitted, command, "{fleet}");
        }
    }
}
