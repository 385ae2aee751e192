//! From an order to its end: the journal, Ctrl-C, progress, and how to go on after an interruption.

use std::env;
use std::io;
use std::iter;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use anyhow::Context;

use super::args::Carrying;
use super::engine_log::EngineLog;
use super::files;
use super::game_file::GameFile;
use super::owner;
use super::place::Place;
use super::progress::Display;
use super::streams;
use threefold_chess::clock::Stop;
use threefold_harness::output_file::{self, OutputError};
use threefold_harness::player::{EngineBuild, NoticeSender, SearchTimeout};
use threefold_harness::run::job::{Outputs, RunConditions, RunOrigin};
use threefold_harness::run::journal::Journal;
use threefold_harness::run::pool::{PoolConfig, PreparedPool, RunStatus};
use threefold_harness::run::{RunRecord, RunSpec};

/// Jobs for each core that are not refused.
const JOBS_PER_CORE: NonZeroUsize = NonZeroUsize::new(4).expect("not zero");

/// What came of a run.
pub enum Came {
    /// It is finished.
    Finished(Box<Finished>),
    /// It was called off; how to go on has been said.
    Interrupted,
}

/// What becomes of a run whose engine is another build than the one that began it.
#[derive(Debug, Clone, Copy)]
pub enum ChangedEngines<'r> {
    /// It goes on, and the journal says from which job on.
    Allowed,
    /// It is refused, with this remedy.
    Refused(&'r str),
}

/// A finished run.
pub struct Finished {
    /// What it was, and what it found.
    pub run: RunRecord,
    /// Its journal.
    pub journal: PathBuf,
    /// Why the file of its games lacks some.
    pub games: Result<(), OutputError>,
}

/// Carries out a new order. Its journal is begun once the order is sound and every engine has answered.
pub fn begin(order: RunSpec, place: &Place<'_>, carrying: &Carrying) -> anyhow::Result<Came> {
    begin_with(&crew(carrying)?, carrying, order, place)
}

/// The same with workers that are there: one after another, several orders may be carried out by the same.
#[expect(clippy::disallowed_methods, reason = "the journal says when the run began")]
pub fn begin_with(
    crew: &PoolConfig<'_>,
    carrying: &Carrying,
    order: RunSpec,
    place: &Place<'_>,
) -> anyhow::Result<Came> {
    let order = RunSpec { origin: origin(carrying), ..order };
    try_folders(&order)?;
    let ready = PreparedPool::to_begin(Arc::new(order.clone()), crew)?;
    let journal = place.begin(&order, SystemTime::now())?;
    streams::notice(&format!("journal: {}", journal.file().display()));
    let games = GameFile::begin(&journal, ready.builds(), &crew.launch_options.stop)?;
    work(ready, journal, games, crew)
}

/// Does what a journal still lacks.
pub fn resume(crew: &PoolConfig<'_>, journal: Journal, changed: ChangedEngines<'_>) -> anyhow::Result<Came> {
    try_folders(journal.spec())?;
    let ready = prepare(crew, &journal, changed)?;
    let games = GameFile::resume(&journal, ready.builds(), &crew.launch_options.stop)?;
    work(ready, journal, games, crew)
}

/// Work is not to end with reports that can't be written.
fn try_folders(order: &RunSpec) -> Result<(), OutputError> {
    let Outputs { reports, games, baseline, .. } = &order.outputs;
    let mut places = [reports, games, baseline].into_iter().flatten();
    if let Some(place) = places.find(|place| place.to_str().is_none()) {
        // The journal is text.
        let cause = io::Error::other("its name is not UTF-8; name another place");
        return Err(OutputError::of(place, cause));
    }
    reports.iter().chain(baseline).try_for_each(|folder| output_file::check_folder(folder))
}

/// Makes ready for what a journal still lacks, and changes nothing in it.
pub fn prepare(
    crew: &PoolConfig<'_>,
    journal: &Journal,
    changed: ChangedEngines<'_>,
) -> anyhow::Result<PreparedPool> {
    let ready = PreparedPool::to_resume(journal, crew)?;
    if let ChangedEngines::Refused(remedy) = changed {
        check_builds(journal, ready.builds(), remedy)?;
    }
    Ok(ready)
}

/// Fails where an engine is another build than in the journal's last session.
fn check_builds(journal: &Journal, builds: &[EngineBuild], remedy: &str) -> anyhow::Result<()> {
    let sessions = journal.contents().sessions()?;
    for now in builds {
        let earlier = sessions.last().into_iter().flatten().find(|build| build.engine == now.engine);
        let changes = earlier.map(|earlier| earlier.changes(now)).unwrap_or_default();
        anyhow::ensure!(
            changes.is_empty(),
            "engine `{}` is not the build that played so far: {}; {remedy}",
            now.engine,
            changes.join("; ")
        );
    }
    Ok(())
}

/// Who asks, where, and how it is to be carried out.
pub fn origin(carrying: &Carrying) -> RunOrigin {
    RunOrigin {
        command: command(),
        machine: machine(),
        // A folder whose name can't be journaled can't be entered on `resume`.
        folder: env::current_dir().ok().filter(|folder| folder.to_str().is_some()),
        owner: Some(owner::present()),
        conditions: RunConditions {
            concurrency: carrying.concurrency,
            startup: carrying.startup,
            search_timeout: carrying.patience,
        },
    }
}

/// The command line, so that it can be given again.
fn command() -> String {
    let quoted = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:+@#".contains(c);
        if word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    let words = env::args_os().skip(1).map(|word| quoted(word.to_string_lossy().into_owned()));
    iter::once("threefold".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The machine: cores, processor, system.
pub fn machine() -> String {
    let cores = cores();
    let described = files::text_if_there(Path::new("/proc/cpuinfo")).ok().flatten().unwrap_or_default();
    let model = described
        .lines()
        .filter(|line| line.starts_with("model name"))
        .find_map(|line| line.split_once(':'))
        .map_or(env::consts::ARCH, |(_, model)| model.trim());
    format!("{cores} cores of {model}, {}", env::consts::OS)
}

/// How many jobs are carried out at a time.
pub fn workers(carrying: &Carrying) -> NonZeroUsize {
    carrying.concurrency.unwrap_or_else(cores)
}

/// The machine's cores, as far as they may be used.
pub fn cores() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// Workers that Ctrl-C calls off.
pub fn crew(carrying: &Carrying) -> anyhow::Result<PoolConfig<'static>> {
    check_jobs(workers(carrying), cores(), carrying.force)?;
    let stop = Stop::default();
    let flag = stop.clone();
    ctrlc::set_handler(move || flag.raise()).context("interruptions can't be caught")?;
    let mut crew = PoolConfig::new(workers(carrying), stop);
    crew.launch_options.startup = carrying.startup.unwrap_or(crew.launch_options.startup);
    crew.launch_options.search_timeout =
        carrying.patience.map_or_else(SearchTimeout::default, SearchTimeout::fixed);
    // While work is under way, the display shows them.
    crew.launch_options.notices = NoticeSender::to(|notice| streams::notice(&notice.to_string()));
    crew.launch_options.traffic = crew.launch_options.traffic.with_log(EngineLog::places());
    crew.launch_options.clock.watch(&crew.launch_options.groups).context("suspensions can't be seen")?;
    Ok(crew)
}

/// Engines of far more jobs than the machine has cores only wait for each other, and lose on time.
fn check_jobs(jobs: NonZeroUsize, cores: NonZeroUsize, force: bool) -> anyhow::Result<()> {
    let most = cores.saturating_mul(JOBS_PER_CORE);
    anyhow::ensure!(
        force || jobs <= most,
        "--concurrency {jobs}: is more than {JOBS_PER_CORE} jobs for each of {cores} cores; give at most {most}, or \
         --force"
    );
    Ok(())
}

/// Works to the end or to an interruption, with progress on standard error.
pub fn work(
    ready: PreparedPool,
    mut journal: Journal,
    mut games: Option<GameFile>,
    crew: &PoolConfig<'_>,
) -> anyhow::Result<Came> {
    let mut display = Display::new(journal.spec());
    let how_to_go_on = |journal: &Journal, why: &str| {
        let file = journal.file().display();
        let text = format!("\n{why}; what had ended is kept. Go on with:\n  threefold resume {file}");
        streams::notice(&text);
    };
    let mut unwritten = Ok(());
    let worked = ready.run(&mut journal, crew, &mut |event| {
        if let Some(Err(error)) = games.as_mut().map(|games| games.take(event)) {
            display.notice(&format!("{error}; the games go on, and the journal keeps them"));
            unwritten = Err(error);
        }
        display.show(event);
    });
    // A bar that is drawn or cleared later would erase what is said now.
    display.close();
    match worked {
        Ok(RunStatus::Finished) => {
            let (run, journal) = (RunRecord::of(&journal)?, journal.file().to_owned());
            Ok(Came::Finished(Box::new(Finished { run, journal, games: unwritten })))
        }
        Ok(RunStatus::Interrupted) => {
            how_to_go_on(&journal, "interrupted");
            Ok(Came::Interrupted)
        }
        Err(error) => {
            how_to_go_on(&journal, "stopped");
            Err(error.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(error.ends_with("give at most 8, or --force"), "{error}");
    }
}
