//! Arguments of `threefold fleet`.

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize, ParseIntError};
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, value_parser};

use super::run_options::seconds;
use super::{CalibrateArgs, Command, MatchArgs, RegressArgs, ResumeArgs, RunOptions, SprtArgs, SuiteArgs};
use crate::{files, machine};
use threefold_fleet::broker::ServerOptions;
use threefold_fleet::confinement::LEAST_MEMORY;
use threefold_fleet::engine_files::{FileHash, SigningKey};
use threefold_fleet::protocol::{RunId, WorkerName};

/// `threefold fleet`
#[derive(Debug, Subcommand)]
pub enum FleetCommand {
    /// Run a command with its jobs done by the workers of a fleet.
    Submit(Box<SubmitArgs>),
    /// Do jobs for the runs of a fleet.
    Work(WorkArgs),
    /// Show the workers, the runs and their queues.
    Status(StatusArgs),
    /// Remove a run from the server whose `fleet submit` was killed.
    Remove(RemoveArgs),
    /// Remove the results of a worker from a journal; `resume` does these jobs again.
    Exclude(ExcludeArgs),
    /// Sign files of engines, so that workers that trust the key run them.
    Sign(SignArgs),
    /// Start a program with limits; workers start engines by this.
    #[command(hide = true)]
    Confine(ConfineArgs),
}

/// How to reach the NATS server.
#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// Address of the NATS server, such as `nats://localhost:4222` or `tls://fleet.example:4222`
    #[arg(long, value_name = "URL")]
    pub nats: String,
    /// File with the user's JWT and seed, as `nsc` writes it
    #[arg(long, value_name = "FILE")]
    pub creds: Option<PathBuf>,
    /// File with the seed of the user's nkey
    #[arg(long, value_name = "FILE", conflicts_with = "creds")]
    pub nkey: Option<PathBuf>,
    /// File with the certificates of the authority that signed the server's certificate
    #[arg(long, value_name = "FILE")]
    pub tls_ca: Option<PathBuf>,
    /// File with the client's certificate
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// File with the key of the client's certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
}

impl ServerArgs {
    /// The options of the connection, with the secrets from their files.
    ///
    /// # Errors
    ///
    /// If a file can't be read.
    pub fn options(&self) -> anyhow::Result<ServerOptions> {
        Ok(ServerOptions {
            url: self.nats.clone(),
            credentials: self.creds.as_deref().map(files::text).transpose()?,
            nkey: self.nkey.as_deref().map(files::text).transpose()?,
            tls_ca: self.tls_ca.clone(),
            tls_client: self.tls_cert.clone().zip(self.tls_key.clone()),
        })
    }
}

/// `threefold fleet submit`
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    threefold fleet submit --nats nats://localhost:4222 sprt --engine echo,Hash=4 --engine echo,name=Base --nodes 2000\n  \
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
    /// Serve the page of the run, which renews itself, and `/metrics` for Prometheus at this address, such as 127.0.0.1:8080
    #[arg(long, value_name = "ADDRESS")]
    pub serve: Option<SocketAddr>,
    /// The command
    #[command(subcommand)]
    pub command: SubmittedCommand,
}

/// A command whose jobs a fleet can do.
#[derive(Debug, Subcommand)]
pub enum SubmittedCommand {
    /// Run a regression test.
    Regress(RegressArgs),
    /// Run suites of test positions on engines.
    Suite(SuiteArgs),
    /// Play a match or a tournament.
    Match(MatchArgs),
    /// Play two engines against each other until a sequential test (SPRT) decides.
    Sprt(SprtArgs),
    /// Measure the Elo of an engine's strength levels, or of node budgets.
    Calibrate(CalibrateArgs),
    /// Continue a run that was interrupted or killed.
    Resume(ResumeArgs),
}

impl SubmittedCommand {
    /// The same command without a fleet.
    pub fn command(self) -> Command {
        match self {
            Self::Regress(args) => Command::Regress(args),
            Self::Suite(args) => Command::Suite(args),
            Self::Match(args) => Command::Match(args),
            Self::Sprt(args) => Command::Sprt(args),
            Self::Calibrate(args) => Command::Calibrate(args),
            Self::Resume(args) => Command::Resume(args),
        }
    }

    /// The name of the command.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Regress(_) => "regress",
            Self::Suite(_) => "suite",
            Self::Match(_) => "match",
            Self::Sprt(_) => "sprt",
            Self::Calibrate(_) => "calibrate",
            Self::Resume(_) => "resume",
        }
    }

    /// Its run options.
    pub const fn run_options(&self) -> &RunOptions {
        match self {
            Self::Regress(args) => &args.run_options,
            Self::Suite(args) => &args.run_options,
            Self::Match(args) => &args.game.run_options,
            Self::Sprt(args) => &args.game.run_options,
            Self::Calibrate(args) => &args.run_options,
            Self::Resume(args) => &args.run_options,
        }
    }
}

/// `threefold fleet work`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold fleet work --nats nats://localhost:4222 -j 4\n\n\
    Ctrl-C finishes the present jobs and ends; a second Ctrl-C hands them back at once.")]
pub struct WorkArgs {
    /// The server
    #[command(flatten)]
    pub server: ServerArgs,
    /// Number of jobs at a time [default: the number of CPU cores]
    #[arg(long, short = 'j', value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Name of this worker, unique in the fleet: letters, digits, `-` and `_` [default: the name of the machine and a number of
    /// the process]
    #[arg(long, value_name = "NAME")]
    pub name: Option<WorkerName>,
    /// Run this engine file (program, network or book), named by its SHA-256; may be repeated
    #[arg(long = "allow-engine", value_name = "SHA256")]
    pub allowed: Vec<FileHash>,
    /// Run engine files that are signed by this key of a NATS user (U…); may be repeated
    #[arg(long = "trust-key", value_name = "KEY")]
    pub trusted: Vec<SigningKey>,
    /// Folder for engine files [default: threefold/engines in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Most memory of an engine's process (its address space), in MiB
    #[arg(long, value_name = "MIB", default_value = "8192", value_parser = engine_memory)]
    pub engine_memory: NonZeroU32,
    /// Most processes and threads of the user who runs the worker, engines among them
    #[arg(long, value_name = "N", default_value = "4096")]
    pub engine_processes: NonZeroU32,
    /// End when there has been no run for this time, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub until_idle: Option<Duration>,
}

impl WorkArgs {
    /// The jobs at a time.
    pub fn slots(&self) -> NonZeroUsize {
        self.jobs.unwrap_or_else(machine::cores)
    }
}

/// Parses a limit of memory in MiB.
fn engine_memory(text: &str) -> Result<NonZeroU32, String> {
    let number: NonZeroU32 = text.parse().map_err(|error: ParseIntError| error.to_string())?;
    if number.get() < LEAST_MEMORY {
        Err(format!("no engine starts with less than {LEAST_MEMORY} MiB"))
    } else {
        Ok(number)
    }
}

/// `threefold fleet status`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold fleet status --nats nats://localhost:4222")]
pub struct StatusArgs {
    /// The server
    #[command(flatten)]
    pub server: ServerArgs,
}

/// `threefold fleet remove`
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  threefold fleet remove --nats nats://localhost:4222 0123456789abcdef\n\n\
    The journal of the run is not changed, and can be resumed."
)]
pub struct RemoveArgs {
    /// The server
    #[command(flatten)]
    pub server: ServerArgs,
    /// The run, as `fleet status` lists it
    #[arg(value_name = "RUN")]
    pub run: RunId,
}

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

/// `threefold fleet sign`
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  threefold fleet sign --key team.nk ./engine net.bin > signatures\n\n\
    Make a key with `nk -gen user > team.nk`; `nk -inkey team.nk -pubout` prints the public key for --trust-key.")]
pub struct SignArgs {
    /// File with the seed of a NATS user's nkey (SU…)
    #[arg(long, value_name = "FILE")]
    pub key: PathBuf,
    /// Files to sign
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// `threefold fleet confine`
#[derive(Debug, Args)]
pub struct ConfineArgs {
    /// Most memory in MiB
    #[arg(long, value_name = "MIB")]
    pub memory: NonZeroU32,
    /// Most processes of the user
    #[arg(long, value_name = "N")]
    pub processes: NonZeroU32,
    /// A file or folder that it may read
    #[arg(long, value_name = "PATH")]
    pub read: Vec<PathBuf>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub words: Vec<String>,
}
