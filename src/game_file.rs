//! The file of `--pgn`.
//!
//! A game is written as soon as it counts, in the order of the schedule, so the file is always a prefix of the final file.
//! A resumed run compares the games of its journal with the file, completes a truncated game, and appends the rest.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use anyhow::Context;

use threefold_chess::clock::Stop;
use threefold_harness::arena::game::GameRecord;
use threefold_harness::output_file::{self, OutputError, Target};
use threefold_harness::player::EngineBuild;
use threefold_harness::run::event::RunEvent;
use threefold_harness::run::job::JobKey;
use threefold_harness::run::journal::Journal;
use threefold_harness::run::{JobResult, PartProgress, RunRecord, RunSpec, Task};
use threefold_report as report;

/// The file of the games of a run.
pub struct GameFile {
    order: Arc<RunSpec>,
    path: PathBuf,
    out: Out,
    /// The next game to be written.
    next: JobKey,
    /// How far each part has come.
    parts: Vec<Extent>,
    /// Games that ended and are not written yet, each with the builds that played it.
    waiting: BTreeMap<JobKey, (GameRecord, Arc<[EngineBuild]>)>,
    /// The builds that play now.
    builds: Arc<[EngineBuild]>,
}

/// The jobs of a part that count, and whether more will.
#[derive(Clone, Copy, Default)]
struct Extent {
    counted: usize,
    is_over: bool,
}

impl Extent {
    const fn of(progress: &PartProgress<'_>) -> Self {
        Self { counted: progress.counted, is_over: progress.ending.is_some() }
    }
}

impl GameFile {
    /// Opens the file that a new run writes its games to; `None` where it writes none. `builds` are those of the engines
    /// that play from now on, `stop` ends the wait for the
    /// reader of a pipe.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn begin(journal: &Journal, builds: &[EngineBuild], stop: &Stop) -> anyhow::Result<Option<Self>> {
        Self::open(journal, builds, stop, Out::begin)
    }

    /// Opens it again, and writes the games of the journal that it lacks.
    ///
    /// # Errors
    /// If the file can't be written, or if it has changed since this run wrote to it.
    pub fn resume(journal: &Journal, builds: &[EngineBuild], stop: &Stop) -> anyhow::Result<Option<Self>> {
        Self::open(journal, builds, stop, Out::resume)
    }

    fn open(
        journal: &Journal,
        builds: &[EngineBuild],
        stop: &Stop,
        out: impl FnOnce(&Path, u64, &Stop) -> io::Result<Out>,
    ) -> anyhow::Result<Option<Self>> {
        let order = Arc::clone(journal.spec());
        let Some(path) = order.outputs.games.clone() else { return Ok(None) };
        let run = RunRecord::of(journal)?;
        let parts = run.parts().iter().map(|part| Extent::of(&part.progress)).collect();
        let mut waiting = BTreeMap::new();
        journal.contents().replay(&mut |key, finding| {
            if let JobResult::Game(game) = finding {
                waiting.insert(key, (game, Arc::from(run.builds_of(key))));
            }
            Ok(())
        })?;
        let refused = |cause| OutputError::of(&path, cause);
        let out = out(&path, order.outputs.games_start, stop).map_err(refused)?;
        let (next, builds) = (JobKey { part: 0, job: 0 }, Arc::from(builds));
        let mut file = Self { order, path, out, next, parts, waiting, builds };
        let settled = file.advance().and_then(|()| file.out.settle());
        settled.with_context(|| file.path.display().to_string())?;
        Ok(Some(file))
    }

    /// Takes in what happened, and writes the games that count by now.
    ///
    /// # Errors
    /// If they can't be written. What follows is then left out.
    pub fn take(&mut self, event: &RunEvent<'_>) -> Result<(), OutputError> {
        let RunEvent::JobEnded { key, result: finding, progress } = event else { return Ok(()) };
        if let JobResult::Game(game) = finding {
            self.waiting.insert(*key, (game.clone(), Arc::clone(&self.builds)));
        }
        if let Some(part) = self.parts.get_mut(key.part) {
            *part = Extent::of(progress);
        }
        self.advance().map_err(|cause| {
            self.out = Out::Closed;
            OutputError::of(&self.path, cause)
        })
    }

    /// Writes every game that counts and whose predecessors are written.
    fn advance(&mut self) -> io::Result<()> {
        while let Some(Extent { counted, is_over }) = self.parts.get(self.next.part).copied() {
            let order = Arc::clone(&self.order);
            let part = &order.parts[self.next.part];
            match &part.task {
                Task::Match(task) if self.next.job < counted => {
                    if let Some((game, builds)) = self.waiting.remove(&self.next)
                        && let Some(fixture) = task.schedule().game(self.next.job)
                    {
                        let build = |seat: usize| {
                            let engine = &task.engines[seat].text;
                            builds.iter().find(|build| build.engine == *engine).and_then(EngineBuild::tag)
                        };
                        let engines = [fixture.white, fixture.black].map(build);
                        self.out.write(&report::game(&part.name, task, fixture, &game, engines)?)?;
                    }
                    self.next.job += 1;
                }
                Task::Match(_) if !is_over => break,
                Task::Match(_) | Task::Suite(_) => self.next = JobKey { part: self.next.part + 1, job: 0 },
            }
        }
        Ok(())
    }
}

/// Where the games go.
enum Out {
    /// To the end of a regular file, after a separator from the game before.
    File { file: File, gap: &'static str },
    /// A regular file whose games are compared with those to write.
    Compared { file: File, gap: &'static str },
    /// Through a device, a pipe or a descriptor.
    Stream(File),
    /// Nowhere any more.
    Closed,
}

impl Out {
    /// A regular file loses what the user allowed to be replaced.
    fn begin(path: &Path, start: u64, stop: &Stop) -> io::Result<Self> {
        let out = Self::resume(path, start, stop)?;
        if let Self::Compared { file, .. } = &out
            && start == 0
        {
            file.set_len(0)?;
        }
        Ok(out)
    }

    fn resume(path: &Path, start: u64, stop: &Stop) -> io::Result<Self> {
        let target = output_file::target(path)?;
        match &target {
            Target::Regular(_) => {
                let mut file = output_file::open(&target)?;
                match file.try_lock() {
                    Err(TryLockError::WouldBlock) => {
                        return Err(io::Error::other("another run is writing to it"));
                    }
                    // Not every file system has locks.
                    Ok(()) | Err(TryLockError::Error(_)) => {}
                }
                let length = file.metadata()?.len();
                let start = start.min(length);
                let gap = gap(&mut file, start)?;
                file.seek(SeekFrom::Start(start))?;
                Ok(Self::Compared { file, gap })
            }
            Target::Stream(pipe) if output_file::is_fifo(pipe) => when_read(pipe, stop),
            Target::Stream(_) | Target::Stdout | Target::Stderr => {
                Ok(Self::Stream(output_file::open(&target)?))
            }
        }
    }

    /// Writes a game so that it is there whatever happens next.
    fn write(&mut self, game: &str) -> io::Result<()> {
        match self {
            Self::File { file, gap } => {
                let gap = mem::take(gap);
                file.write_all(format!("{gap}{game}").as_bytes())
            }
            Self::Compared { file, gap } => {
                let game = format!("{}{game}", mem::take(gap));
                let mut there = Vec::with_capacity(game.len());
                Read::by_ref(file).take(game.len() as u64).read_to_end(&mut there)?;
                if there == game.as_bytes() {
                    return Ok(());
                }
                if !game.as_bytes().starts_with(&there) {
                    return Err(changed());
                }
                // What was written last was cut off, or there is nothing yet.
                file.write_all(&game.as_bytes()[there.len()..])?;
                let file = file.try_clone()?;
                *self = Self::File { file, gap: "" };
                Ok(())
            }
            Self::Stream(file) => file.write_all(game.as_bytes()),
            Self::Closed => Ok(()),
        }
    }

    /// The games of the journal are written: whatever comes now is new.
    fn settle(&mut self) -> io::Result<()> {
        if let Self::Compared { file, gap } = self {
            if file.read(&mut [0])? > 0 {
                return Err(changed());
            }
            *self = Self::File { file: file.try_clone()?, gap };
        }
        Ok(())
    }
}

fn changed() -> io::Error {
    io::Error::other(
        "has changed since this run wrote to it; move it away, and `threefold resume` writes this run's games anew",
    )
}

/// Games are parted by a blank line: what the last one of a file lacks of it.
fn gap(file: &mut File, start: u64) -> io::Result<&'static str> {
    file.seek(SeekFrom::Start(start.saturating_sub(4)))?;
    let mut last = Vec::new();
    Read::by_ref(file).take(start.min(4)).read_to_end(&mut last)?;
    let ends_with = |ends: &[&[u8]]| ends.iter().any(|&end| last.ends_with(end));
    Ok(match () {
        () if last.is_empty() || ends_with(&[b"\n\n", b"\n\r\n"]) => "",
        () if ends_with(&[b"\n"]) => "\n",
        () => "\n\n",
    })
}

/// A named pipe, opened when it has a reader. Opening it earlier would block without a way to interrupt.
fn when_read(pipe: &Path, stop: &Stop) -> io::Result<Out> {
    const LOOK_EVERY: Duration = Duration::from_millis(50);
    while !stop.is_raised() {
        if let Some(file) = output_file::open_pipe(pipe)? {
            return Ok(Out::Stream(file));
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(Out::Closed)
}
