//! Execution of a run: the journal, Ctrl-C, progress, and the hint to continue after an interruption.

use std::env;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::Context;

use crate::args::{RunOptions, cores};
use crate::files;
use crate::input::repository;
use crate::machine::cpus::Cpus;
use crate::output::engine_log::EngineLog;
use crate::output::game_file::GameFiles;
use crate::session::fleet_link;
use crate::session::journal_path::JournalPath;
use crate::session::not_started;
use crate::session::owner;
use crate::session::preflight;
use crate::session::report_folder;
pub use crate::session::rounds::{ChangedEngines, FinishedRun, RunOutcome, prepare, work};
use crate::streams;
use threefold_chess::clock::Stop;
use threefold_player::output_file::OutputError;
use threefold_player::{NoticeSender, SearchTimeout};
use threefold_report::words::rerun::shell_word;
use threefold_run::event::RunEvent;
use threefold_run::job::{RunConditions, RunOrigin};
use threefold_run::journal::Journal;
use threefold_run::pool::{PoolConfig, Preflight, PreparedPool, check_affinity};
use threefold_run::{RunSpec, Task};

/// Maximum number of jobs for each core without --force.
const JOBS_PER_CORE: NonZeroUsize = NonZeroUsize::new(4).expect("not zero");

/// Runs a new order. The journal is created once the order is valid and every engine has started.
pub fn begin(
    order: RunSpec,
    place: &JournalPath<'_>,
    run_options: &RunOptions,
) -> anyhow::Result<RunOutcome> {
    begin_with(&pool(run_options)?, run_options, order, place)
}

/// The same with an existing pool, for several orders in sequence.
pub fn begin_with(
    pool: &PoolConfig<'_>,
    run_options: &RunOptions,
    order: RunSpec,
    place: &JournalPath<'_>,
) -> anyhow::Result<RunOutcome> {
    begin_observed(pool, run_options, order, place, &mut |_| {})
}

/// The same with an observer of the run's events.
#[expect(clippy::disallowed_methods, reason = "the journal says when the run began")]
pub fn begin_observed(
    pool: &PoolConfig<'_>,
    run_options: &RunOptions,
    order: RunSpec,
    place: &JournalPath<'_>,
    observe: &mut dyn FnMut(&RunEvent<'_>),
) -> anyhow::Result<RunOutcome> {
    let order = RunSpec { origin: origin(run_options), ..order };
    try_folders(&order, run_options)?;
    check_threads(&order, run_options)?;
    not_started::remove_reports(&order);
    let ready = PreparedPool::to_begin(Arc::new(order.clone()), pool)
        .map_err(|error| not_started::report(&order, run_options, error))?
        .with_commits(repository::commit_of);
    let is_checked = pool.preflight == Preflight::FirstMove && !pool.launch_options.stop.is_raised();
    let lengths =
        if is_checked { check_games(&order, &ready, pool.workers, run_options)? } else { Vec::new() };
    let journal = place.begin(&order, SystemTime::now())?;
    run_options.inform(&format!("journal: {}", journal.file().display()));
    for line in &lengths {
        run_options.inform(line);
    }
    let games = GameFiles::begin(&journal, ready.builds(), &pool.launch_options.stop)?;
    work(ready, journal, games, pool, run_options, observe)
}

/// Checks that the engines can play the games; returns a line for each match with how long it takes.
fn check_games(
    order: &RunSpec,
    ready: &PreparedPool,
    at_once: NonZeroUsize,
    run_options: &RunOptions,
) -> anyhow::Result<Vec<String>> {
    let matches =
        order.parts.iter().filter(|_| order.knockout.is_none()).filter_map(|part| match &part.task {
            Task::Match(task) => Some(task),
            Task::Suite(_) => None,
        });
    // The engines of a knockout tournament are asked all at once.
    let tasks = order.knockout.as_deref().into_iter().chain(matches);
    tasks.map(|task| preflight::check(task, ready.first_moves(), at_once, run_options)).collect()
}

/// An engine with several threads needs more than the CPU of its game.
fn check_threads(order: &RunSpec, run_options: &RunOptions) -> anyhow::Result<()> {
    let engines = order.parts.iter().flat_map(|part| part.task.engines());
    let threaded = engines.filter(|_| run_options.affinity.is_some()).find(|engine| engine.threads() > 1);
    let mut engines = order.parts.iter().flat_map(|part| part.task.engines());
    if let Some(engine) = engines.find(|engine| engine.ponder && run_options.affinity.is_some()) {
        anyhow::bail!(
            "--affinity gives each game one CPU, and {} has ponder=on, which takes a second one; leave --affinity out",
            engine.name
        );
    }
    match threaded {
        None => Ok(()),
        Some(engine) => anyhow::bail!(
            "--affinity gives each game one CPU, and {} has Threads={}; leave --affinity out",
            engine.name,
            engine.threads()
        ),
    }
}

/// Runs the remaining jobs of a journal.
pub fn resume(
    pool: &PoolConfig<'_>,
    run_options: &RunOptions,
    journal: Journal,
    changed: ChangedEngines<'_>,
) -> anyhow::Result<RunOutcome> {
    resume_observed(pool, run_options, journal, changed, &mut |_| {})
}

/// The same with an observer of the run's events.
pub fn resume_observed(
    pool: &PoolConfig<'_>,
    run_options: &RunOptions,
    journal: Journal,
    changed: ChangedEngines<'_>,
    observe: &mut dyn FnMut(&RunEvent<'_>),
) -> anyhow::Result<RunOutcome> {
    try_folders(journal.spec(), run_options)?;
    let ready = prepare(pool, &journal, changed)?;
    let games = GameFiles::resume(&journal, ready.builds(), &pool.launch_options.stop)?;
    work(ready, journal, games, pool, run_options, observe)
}

/// Checks before the run that the reports can be written.
pub fn try_folders(order: &RunSpec, run_options: &RunOptions) -> Result<(), OutputError> {
    if let Some(place) = order.outputs.places().find(|place| place.to_str().is_none()) {
        // The journal stores names as text.
        let cause = io::Error::other("its name is not UTF-8");
        return Err(OutputError::of(place, cause));
    }
    report_folder::check(&order.outputs, run_options)
}

/// The origin of a run: command, machine, folder, owner and options.
pub fn origin(run_options: &RunOptions) -> RunOrigin {
    RunOrigin {
        command: command(run_options),
        machine: machine(),
        // The journal stores names as text.
        folder: env::current_dir().ok().filter(|folder| folder.to_str().is_some()),
        owner: Some(owner::present()),
        conditions: RunConditions {
            concurrency: run_options.jobs,
            startup: run_options.startup,
            search_timeout: run_options.search_timeout,
        },
    }
}

/// The command line of a run, quoted for a shell; without the options of a fleet.
pub fn command(run_options: &RunOptions) -> String {
    let words = fleet_link::words();
    let words = words.as_ref().unwrap_or(&run_options.words).iter();
    words.fold("threefold".to_owned(), |line, word| format!("{line} {}", shell_word(&word.to_string_lossy())))
}

/// The machine: cores, processor, system.
pub fn machine() -> String {
    format!("{} cores of {}, {}", cores(), processor(), env::consts::OS)
}

/// The model of the processor, or its architecture where the system does not say the model.
pub fn processor() -> String {
    let described = files::text_if_there(Path::new("/proc/cpuinfo")).ok().flatten().unwrap_or_default();
    let model = described
        .lines()
        .filter(|line| line.starts_with("model name"))
        .find_map(|line| line.split_once(':'))
        .map_or(env::consts::ARCH, |(_, model)| model.trim());
    model.to_owned()
}

/// The CPUs of this process.
pub fn cpus() -> Cpus {
    Cpus::read(&|file| files::text_if_there(Path::new(file)).ok().flatten())
}

/// Number of jobs at a time.
pub fn workers(run_options: &RunOptions) -> NonZeroUsize {
    run_options.jobs.unwrap_or_else(cores)
}

/// The signal that Ctrl-C gives to every run of this process. A signal handler can be installed only once.
fn interrupt() -> anyhow::Result<Stop> {
    static INSTALLED: Mutex<Option<Stop>> = Mutex::new(None);
    let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(stop) = &*installed {
        return Ok(stop.clone());
    }
    let stop = Stop::default();
    let raised = stop.clone();
    ctrlc::set_handler(move || raised.raise()).context("can't install the Ctrl-C handler")?;
    Ok(installed.insert(stop).clone())
}

/// The pool configuration; Ctrl-C stops the run.
pub fn pool(run_options: &RunOptions) -> anyhow::Result<PoolConfig<'static>> {
    check_jobs(workers(run_options), cores(), run_options.force)?;
    let mut pool = PoolConfig::new(workers(run_options), interrupt()?);
    pool.remote = fleet_link::workers();
    if let Some(list) = &run_options.affinity {
        pool.cpus =
            cpus().of_jobs(pool.workers.get(), &list.0).map_err(anyhow::Error::msg).context("--affinity")?;
        check_affinity(&pool.cpus).map_err(|(cpu, error)| {
            anyhow::anyhow!("--affinity: a thread can't be moved to CPU {cpu}: {error}")
        })?;
    }
    pool.launch_options.startup = run_options.startup.unwrap_or(pool.launch_options.startup);
    pool.launch_options.search_timeout =
        run_options.search_timeout.map_or_else(SearchTimeout::default, SearchTimeout::fixed);
    // During the run, the progress display shows the notices.
    pool.launch_options.notices = NoticeSender::to(|notice| streams::notice(&notice.to_string()));
    pool.launch_options.traffic = pool.launch_options.traffic.with_log(EngineLog::places());
    pool.launch_options
        .clock
        .watch(&pool.launch_options.groups)
        .context("can't watch for suspensions of the machine")?;
    Ok(pool)
}

/// With far more jobs than cores, engines wait for each other and lose on time.
fn check_jobs(jobs: NonZeroUsize, cores: NonZeroUsize, force: bool) -> anyhow::Result<()> {
    let most = cores.saturating_mul(JOBS_PER_CORE);
    anyhow::ensure!(
        force || jobs <= most,
        "--jobs {jobs}: more than {JOBS_PER_CORE} for each of {cores} cores; give at most {most}, or add --force"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use clap::Parser;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn command_line_keeps_empty_words_and_words_with_spaces() {
        let given = ["match", "--event", "", "--site", "x y", "--engine", "it's.sh,name=A"];
        let cli = Cli::try_parse_from(["threefold", "match", "--engine", "a", "--engine", "b"]);
        let cli = cli.expect("sound");
        let run_options = cli.command.run_options().expect("a run").clone();
        let run_options = RunOptions { words: given.map(OsString::from).into(), ..run_options };
        let line = command(&run_options);
        assert_eq!(line, r"threefold match --event '' --site 'x y' --engine 'it'\''s.sh,name=A'");
        let read = shlex::split(&line).expect("words of a shell");
        assert_eq!(read[1..], given);
    }

    #[test]
    fn more_than_four_jobs_for_each_core_need_force() {
        let number = |number| NonZeroUsize::new(number).expect("not zero");
        for (jobs, cores, force, is_accepted) in
            [(8, 2, false, true), (9, 2, false, false), (9, 2, true, true), (1_000_000, 64, false, false)]
        {
            let checked = check_jobs(number(jobs), number(cores), force);
            assert_eq!(checked.is_ok(), is_accepted, "{jobs} jobs on {cores} cores");
        }
        let error = check_jobs(number(300), number(2), false).expect_err("too many").to_string();
        assert!(error.ends_with("give at most 8, or add --force"), "{error}");
    }
}
