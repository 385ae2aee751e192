//! `fleet`: runs the jobs of a command on other machines.

use std::env;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::Instant;

use anyhow::Context;

use super::live_page;
use crate::args::{ConfineArgs, ExcludeArgs, RemoveArgs, SignArgs, StatusArgs, SubmitArgs, WorkArgs};
use crate::exit::Exit;
use crate::output::tables::table;
use crate::session::fleet_link;
use crate::session::user_secret::UserSecret;
use crate::{files, streams};
use threefold_echo::bench;
use threefold_fleet::broker::{Broker, Inbox};
use threefold_fleet::confinement::{self, Confinement};
use threefold_fleet::coordinator::{self, Coordinator, JobSecret, Submission};
use threefold_fleet::engine_files::{self, EnginePermissions, FileHash, Signature};
use threefold_fleet::protocol::{ProgressNotice, WorkerName};
use threefold_fleet::sender::WorkerKey;
use threefold_fleet::status::{self, RunStatus};
use threefold_fleet::worker::{self, EngineOptions, WorkerOptions, WorkerStop};
use threefold_run::job::WorkerId;
use threefold_run::journal::Journal;

/// Connects to the fleet, so that the runs of the command that follows are done by its workers.
///
/// # Errors
/// If the server can't be used.
pub fn connect(args: &SubmitArgs) -> anyhow::Result<()> {
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
    fleet_link::connect(Box::new(coordinator), &without_fleet(args));
    Ok(())
}

/// A secret for the jobs of this user's runs, the same when a run is resumed; without a place for one, that of this process.
fn job_secret() -> anyhow::Result<JobSecret> {
    const PURPOSE: &str = "threefold fleet jobs 1";
    let random = |_| UserSecret::of_process().context("the system gives no random bytes");
    Ok(JobSecret(UserSecret::present().or_else(random)?.derived(PURPOSE, "")))
}

/// The key of a worker, the same whenever this user starts it under this name; without a place for a secret, a new one.
fn worker_key(name: &WorkerName) -> anyhow::Result<WorkerKey> {
    const PURPOSE: &str = "threefold fleet worker 1";
    let secret = UserSecret::present().ok();
    Ok(WorkerKey::of(secret.map(|secret| secret.derived(PURPOSE, &name.to_string())))?)
}

/// The command line without the options of the fleet, which may have secrets.
fn without_fleet(args: &SubmitArgs) -> Vec<std::ffi::OsString> {
    let name = args.command.name();
    env::args_os().skip(1).skip_while(|word| word != name).collect()
}

/// Does jobs until Ctrl-C.
///
/// # Errors
/// If the server can't be used.
pub fn work(args: &WorkArgs) -> anyhow::Result<Exit> {
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
    ctrlc::set_handler(move || {
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

/// Prints the state of the fleet.
///
/// # Errors
/// If the server can't be used.
pub fn status(args: &StatusArgs) -> anyhow::Result<Exit> {
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

/// Removes a run from the server.
///
/// # Errors
/// If there is no such run, if it goes on, or if the server can't be used.
pub fn remove(args: &RemoveArgs) -> anyhow::Result<Exit> {
    let broker = Broker::connect(&args.server.options()?, "threefold fleet remove", &Inbox::Coordinator)?;
    coordinator::remove_run(&broker, &args.run)?;
    streams::result(&format!("run {} is removed; its journal can be resumed", args.run))?;
    Ok(Exit::Fine)
}

/// Removes the results of a worker from a journal.
///
/// # Errors
/// If the journal can't be read or written, or has no result of this worker.
pub fn exclude(args: &ExcludeArgs) -> anyhow::Result<Exit> {
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

/// Signs files and prints the signatures.
///
/// # Errors
/// If the key or a file can't be read.
pub fn sign(args: &SignArgs) -> anyhow::Result<Exit> {
    let seed = files::text(&args.key)?;
    for path in &args.files {
        let file = files::open(path)?;
        let (sha256, _) = FileHash::of(file, u64::MAX).with_context(|| path.display().to_string())?;
        streams::result(&engine_files::sign(&seed, &sha256)?.to_string())?;
    }
    Ok(Exit::Fine)
}

/// Limits this process and becomes the program.
///
/// # Errors
/// If that fails.
pub fn confine(args: &ConfineArgs) -> anyhow::Result<Exit> {
    let confinement = Confinement { memory: args.memory, processes: args.processes, read: args.read.clone() };
    let (program, rest) = args.words.split_first().context("no program is given")?;
    Err(confinement::apply_and_exec(&confinement, program, rest).into())
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

/// The folder of engine files in the user's cache.
fn default_store() -> anyhow::Result<PathBuf> {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = cache.or_else(home).context("there is no cache folder; name a folder with --store")?;
    Ok(cache.join("threefold").join("engines"))
}

/// The node count of Echo's `bench`, and the speed of this many at a time, in nodes per second of each.
#[expect(clippy::disallowed_methods, reason = "measures the speed of this machine")]
fn bench_speed(at_once: NonZeroUsize) -> anyhow::Result<(u64, u64)> {
    let measure = || {
        let begun = Instant::now();
        let nodes = bench::run();
        (nodes, nodes as f64 / begun.elapsed().as_secs_f64())
    };
    let measured: Vec<(u64, f64)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..at_once.get()).map(|_| scope.spawn(measure)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let (nodes, _) = *measured.first().context("Echo's bench has failed")?;
    let mean = measured.iter().map(|(_, speed)| speed).sum::<f64>() / measured.len() as f64;
    Ok((nodes, mean as u64))
}

/// The name of the machine and the number of this process.
fn own_name() -> WorkerName {
    #[cfg(unix)]
    let host = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    #[cfg(not(unix))]
    #[expect(clippy::disallowed_methods, reason = "Windows has the machine's name in a variable")]
    let host = env::var("COMPUTERNAME").ok();
    let host = host.unwrap_or_else(|| "worker".to_owned());
    WorkerName::near(&format!("{}-{}", host.chars().take(40).collect::<String>(), process::id()))
}
