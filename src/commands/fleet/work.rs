//! `fleet work`: does jobs for the runs of a fleet.

use std::env;
use std::num::{NonZeroU32, NonZeroUsize, ParseIntError};
use std::path::PathBuf;
use std::process;
use std::time::Duration;

use anyhow::Context;
use clap::Args;

use super::server::ServerArgs;
use super::speed::bench_speed;
use crate::args::seconds;
use crate::exit::Exit;
use crate::session::user_secret::UserSecret;
use crate::{machine, streams};
use threefold_fleet::broker::{Broker, Inbox};
use threefold_fleet::confinement::{Confinement, LEAST_MEMORY};
use threefold_fleet::engine_files::{EnginePermissions, FileHash, SigningKey};
use threefold_fleet::protocol::WorkerName;
use threefold_fleet::sender::WorkerKey;
use threefold_fleet::worker::{self, EngineOptions, WorkerOptions, WorkerStop};
use threefold_player::system::end_signals;

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
    /// Name of this worker, unique in the fleet: letters, digits, `-` and `_` [default: the name of the
    /// machine and a number of the process]
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

/// Does jobs until Ctrl-C.
///
/// # Errors
/// If the server can't be used.
pub fn run(args: &WorkArgs) -> anyhow::Result<Exit> {
    let name = args.name.clone().unwrap_or_else(own_name);
    let inbox = Inbox::Worker(name.clone());
    let broker = Broker::connect(&args.server.options()?, "threefold fleet work", &inbox)?;
    let slots = args.slots();
    streams::notice(&format!("measuring the speed of {slots} searches at a time"));
    let (bench, speed) = bench_speed(slots)?;
    streams::notice(&format!(
        "worker {name}: {slots} jobs at a time, {speed} nodes per second each; Ctrl-C ends it"
    ));
    if !args.allowed.is_empty() || !args.trusted.is_empty() {
        for (what, enforced) in Confinement::report() {
            streams::notice(&format!("engines: {what}: {enforced}"));
        }
    }
    let stop = WorkerStop::default();
    let raised = stop.clone();
    end_signals::watch(move |_| {
        if raised.drain.is_raised() {
            raised.at_once.raise();
        } else {
            streams::notice("finishing the present jobs; Ctrl-C again hands them back");
            raised.drain.raise();
        }
    })
    .context("can't install the Ctrl-C handler")?;
    let options = WorkerOptions {
        key: worker_key(&name)?,
        name,
        slots,
        bench,
        speed,
        machine: format!("{} {}", env::consts::OS, env::consts::ARCH),
        program: crate::VERSION.to_owned(),
        engines: EngineOptions {
            permissions: EnginePermissions {
                hashes: args.allowed.iter().cloned().collect(),
                keys: args.trusted.iter().cloned().collect(),
            },
            store: args.store.clone().map_or_else(default_store, Ok)?,
            confinement: Confinement {
                memory: args.engine_memory,
                processes: args.engine_processes,
                read: Vec::new(),
            },
            own_program: env::current_exe().context("the path of this program is unknown")?,
        },
        until_idle: args.until_idle,
    };
    let done = worker::work(broker, options, stop)?;
    streams::notice(&format!("{done} jobs done"));
    Ok(Exit::Fine)
}

/// The key of a worker, the same whenever this user starts it under this name; without a place for a secret,
/// a new one.
fn worker_key(name: &WorkerName) -> anyhow::Result<WorkerKey> {
    const PURPOSE: &str = "threefold fleet worker 1";
    let secret = UserSecret::present().ok();
    Ok(WorkerKey::new(secret.map(|secret| secret.derived(PURPOSE, &name.to_string())))?)
}

/// The folder of engine files in the user's cache.
fn default_store() -> anyhow::Result<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or_else(home).context("there is no cache folder; name a folder with --store")?;
    Ok(cache.join("threefold").join("engines"))
}

/// The name of the machine and the number of this process.
fn own_name() -> WorkerName {
    #[cfg(unix)]
    let host = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    #[cfg(not(unix))]
    #[expect(clippy::disallowed_methods, reason = "Windows has the machine's name in a variable")]
    let host = env::var("COMPUTERNAME").ok();
    let host = host.unwrap_or_else(|| "worker".to_owned());
    // A name has at most 64 characters; 40 of the machine's name leave room for the number of the process.
    WorkerName::near(&format!("{}-{}", host.chars().take(40).collect::<String>(), process::id()))
}
