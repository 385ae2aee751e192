//! From an order to its end: the journal, Ctrl-C, progress, and how to go on after an interruption.

use std::env;
use std::iter;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use anyhow::Context;

use super::args::Carrying;
use super::files;
use super::game_file::GameFile;
use super::place::Place;
use super::progress::Display;
use super::streams;
use crate::clock::Stop;
use crate::output_file::{self, OutputError};
use crate::work::job::{Origin, Outputs};
use crate::work::journal::Journal;
use crate::work::pool::{Crew, Outcome, Ready};
use crate::work::{Order, Run};

/// What came of a run.
pub enum Came {
    /// It is finished.
    Finished(Box<Finished>),
    /// It was called off; how to go on has been said.
    Interrupted,
}

/// A finished run.
pub struct Finished {
    /// What it was, and what it found.
    pub run: Run,
    /// Its journal.
    pub journal: PathBuf,
    /// Why the file of its games lacks some.
    pub games: Result<(), OutputError>,
}

/// Carries out a new order. Its journal is begun once the order is sound and every engine has answered.
pub fn begin(order: Order, place: &Place<'_>, carrying: &Carrying) -> anyhow::Result<Came> {
    begin_with(&crew(carrying)?, order, place)
}

/// The same with workers that are there: one after another, several orders may be carried out by the same.
#[expect(clippy::disallowed_methods, reason = "the journal says when the run began")]
pub fn begin_with(crew: &Crew<'_>, order: Order, place: &Place<'_>) -> anyhow::Result<Came> {
    let order = Order { origin: origin(), ..order };
    try_folders(&order)?;
    let ready = Ready::to_begin(Arc::new(order.clone()), crew)?;
    let journal = place.begin(&order, SystemTime::now())?;
    streams::notice(&format!("journal: {}", journal.file().display()));
    let games = GameFile::begin(&journal, &crew.hiring.stop)?;
    work(ready, journal, games, crew)
}

/// Does what a journal still lacks.
pub fn resume(file: &Path, carrying: &Carrying) -> anyhow::Result<Came> {
    resume_with(&crew(carrying)?, Journal::open(file)?)
}

/// The same with workers that are there.
pub fn resume_with(crew: &Crew<'_>, journal: Journal) -> anyhow::Result<Came> {
    try_folders(journal.order())?;
    let games = GameFile::resume(&journal, &crew.hiring.stop)?;
    let ready = Ready::to_resume(&journal, crew)?;
    work(ready, journal, games, crew)
}

/// Work is not to end with reports that can't be written.
fn try_folders(order: &Order) -> Result<(), OutputError> {
    let Outputs { reports, baseline, .. } = &order.outputs;
    reports.iter().chain(baseline).try_for_each(|folder| output_file::check_folder(folder))
}

/// Who asks, and where.
pub fn origin() -> Origin {
    Origin { command: command(), machine: machine() }
}

/// The command line, so that it can be given again.
fn command() -> String {
    let quoted = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:+@#".contains(c);
        if word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    };
    let words = env::args().skip(1).map(quoted);
    iter::once("threefold".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The machine: cores, processor, system.
fn machine() -> String {
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
pub fn crew(carrying: &Carrying) -> anyhow::Result<Crew<'static>> {
    let stop = Stop::default();
    let flag = stop.clone();
    ctrlc::set_handler(move || flag.raise()).context("interruptions can't be caught")?;
    let mut crew = Crew::new(workers(carrying), stop);
    crew.hiring.startup = carrying.startup;
    Ok(crew)
}

/// Works to the end or to an interruption, with progress on standard error.
fn work(
    ready: Ready,
    mut journal: Journal,
    mut games: Option<GameFile>,
    crew: &Crew<'_>,
) -> anyhow::Result<Came> {
    let mut display = Display::new(journal.order());
    let how_to_go_on = |journal: &Journal, why: &str| {
        let file = journal.file().display();
        let text = format!("\n{why}; what had ended is kept. Go on with:\n  threefold resume {file}");
        streams::notice(&text);
    };
    let mut unwritten = Ok(());
    let worked = ready.work(&mut journal, crew, &mut |event| {
        if let Some(Err(error)) = games.as_mut().map(|games| games.take(event)) {
            display.notice(&format!("{error}; the games go on, and the journal keeps them"));
            unwritten = Err(error);
        }
        display.show(event);
    });
    // A bar that is drawn or cleared later would erase what is said now.
    display.close();
    match worked {
        Ok(Outcome::Finished) => {
            let (run, journal) = (Run::of(&journal)?, journal.file().to_owned());
            Ok(Came::Finished(Box::new(Finished { run, journal, games: unwritten })))
        }
        Ok(Outcome::Interrupted) => {
            how_to_go_on(&journal, "interrupted");
            Ok(Came::Interrupted)
        }
        Err(error) => {
            how_to_go_on(&journal, "stopped");
            Err(error.into())
        }
    }
}
