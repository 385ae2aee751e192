//! The PGN file of `--pgn`.
//!
//! A game is written as soon as it counts, in the order of the schedule. At any moment the file is a prefix of the final
//! file. A resumed run compares the games of its journal with the file, completes a truncated game, and appends the rest.

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

/// The PGN file of a run.
pub struct GameFile {
    spec: Arc<RunSpec>,
    path: PathBuf,
    out: GameOutput,
    /// The job of the next game to write.
    next: JobKey,
    /// The progress of each part.
    parts: Vec<PartExtent>,
    /// Finished games that are not written yet, each with the engine builds that played it.
    waiting: BTreeMap<JobKey, (GameRecord, Arc<[EngineBuild]>)>,
    /// The engine builds of this session.
    builds: Arc<[EngineBuild]>,
}

/// The number of counted jobs of a part, and whether the part has ended.
#[derive(Clone, Copy, Default)]
struct PartExtent {
    counted: usize,
    has_ended: bool,
}

impl PartExtent {
    const fn of(progress: &PartProgress<'_>) -> Self {
        Self { counted: progress.counted, has_ended: progress.ending.is_some() }
    }
}

impl GameFile {
    /// Opens the PGN file of a new run; `None` if the run writes none. `builds` are the engine builds of this session.
    /// `stop` ends the wait for the reader of a named pipe.
    ///
    /// # Errors
    /// If the file can't be written.
    pub fn begin(journal: &Journal, builds: &[EngineBuild], stop: &Stop) -> anyhow::Result<Option<Self>> {
        Self::open(journal, builds, stop, GameOutput::begin)
    }

    /// Opens the PGN file of a resumed run and writes the games of the journal that the file lacks.
    ///
    /// # Errors
    /// If the file can't be written, or if it has changed since this run wrote to it.
    pub fn resume(journal: &Journal, builds: &[EngineBuild], stop: &Stop) -> anyhow::Result<Option<Self>> {
        Self::open(journal, builds, stop, GameOutput::resume)
    }

    fn open(
        journal: &Journal,
        builds: &[EngineBuild],
        stop: &Stop,
        out: impl FnOnce(&Path, u64, &Stop) -> io::Result<GameOutput>,
    ) -> anyhow::Result<Option<Self>> {
        let spec = Arc::clone(journal.spec());
        let Some(path) = spec.outputs.games.clone() else { return Ok(None) };
        let run = RunRecord::of(journal)?;
        let parts = run.parts().iter().map(|part| PartExtent::of(&part.progress)).collect();
        let mut waiting = BTreeMap::new();
        journal.contents().replay(&mut |key, result| {
            if let JobResult::Game(game) = result {
                waiting.insert(key, (game, Arc::from(run.builds_of(key))));
            }
            Ok(())
        })?;
        let open_error = |cause| OutputError::of(&path, cause);
        let out = out(&path, spec.outputs.games_start, stop).map_err(open_error)?;
        let (next, builds) = (JobKey { part: 0, job: 0 }, Arc::from(builds));
        let mut file = Self { spec, path, out, next, parts, waiting, builds };
        let written = file.write_ready_games().and_then(|()| file.out.end_comparison());
        written.with_context(|| file.path.display().to_string())?;
        Ok(Some(file))
    }

    /// Processes an event of the run and writes the games that count now.
    ///
    /// # Errors
    /// If a game can't be written. No game is written after that.
    pub fn handle(&mut self, event: &RunEvent<'_>) -> Result<(), OutputError> {
        let RunEvent::JobEnded { key, result, progress } = event else { return Ok(()) };
        if let JobResult::Game(game) = result {
            self.waiting.insert(*key, (game.clone(), Arc::clone(&self.builds)));
        }
        if let Some(part) = self.parts.get_mut(key.part) {
            *part = PartExtent::of(progress);
        }
        self.write_ready_games().map_err(|cause| {
            self.out = GameOutput::Closed;
            OutputError::of(&self.path, cause)
        })
    }

    /// Writes the games that count, up to the first one that does not count yet.
    fn write_ready_games(&mut self) -> io::Result<()> {
        while let Some(PartExtent { counted, has_ended }) = self.parts.get(self.next.part).copied() {
            let spec = Arc::clone(&self.spec);
            let part = &spec.parts[self.next.part];
            match &part.task {
                Task::Match(task) if self.next.job < counted => {
                    if let Some((game, builds)) = self.waiting.remove(&self.next)
                        && let Some(fixture) = task.schedule().game(self.next.job)
                    {
                        let build = |player: usize| {
                            let engine = &task.engines[player].text;
                            builds.iter().find(|build| build.engine == *engine).and_then(EngineBuild::tag)
                        };
                        let engines = [fixture.white, fixture.black].map(build);
                        self.out.write(&report::game(&part.name, task, fixture, &game, engines)?)?;
                    }
                    self.next.job += 1;
                }
                Task::Match(_) if !has_ended => break,
                Task::Match(_) | Task::Suite(_) => self.next = JobKey { part: self.next.part + 1, job: 0 },
            }
        }
        Ok(())
    }
}

/// The destination of the games.
enum GameOutput {
    /// A regular file. `separator` is written before the next game.
    File { file: File, separator: &'static str },
    /// A regular file whose existing games are compared with those of the journal.
    Compared { file: File, separator: &'static str },
    /// A device, a pipe or an open descriptor.
    Stream(File),
    /// Nothing: writing failed, or the wait for a reader was stopped.
    Closed,
}

impl GameOutput {
    /// Opens the destination of a new run. A regular file that the user allowed to replace is truncated.
    fn begin(path: &Path, start: u64, stop: &Stop) -> io::Result<Self> {
        let out = Self::resume(path, start, stop)?;
        if let Self::Compared { file, .. } = &out
            && start == 0
        {
            file.set_len(0)?;
        }
        Ok(out)
    }

    /// Opens the destination without changing its content.
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
                let separator = separator(&mut file, start)?;
                file.seek(SeekFrom::Start(start))?;
                Ok(Self::Compared { file, separator })
            }
            Target::Stream(pipe) if output_file::is_fifo(pipe) => open_fifo_when_read(pipe, stop),
            Target::Stream(_) | Target::Stdout | Target::Stderr => {
                Ok(Self::Stream(output_file::open(&target)?))
            }
        }
    }

    /// Writes a game, or compares it with the file.
    fn write(&mut self, game: &str) -> io::Result<()> {
        match self {
            Self::File { file, separator } => {
                let separator = mem::take(separator);
                file.write_all(format!("{separator}{game}").as_bytes())
            }
            Self::Compared { file, separator } => {
                let game = format!("{}{game}", mem::take(separator));
                let mut existing = Vec::with_capacity(game.len());
                Read::by_ref(file).take(game.len() as u64).read_to_end(&mut existing)?;
                if existing == game.as_bytes() {
                    return Ok(());
                }
                if !game.as_bytes().starts_with(&existing) {
                    return Err(changed());
                }
                // The last game of the file is truncated, or the file ends here.
                file.write_all(&game.as_bytes()[existing.len()..])?;
                let file = file.try_clone()?;
                *self = Self::File { file, separator: "" };
                Ok(())
            }
            Self::Stream(file) => file.write_all(game.as_bytes()),
            Self::Closed => Ok(()),
        }
    }

    /// Ends the comparison after the games of the journal: further games are appended.
    fn end_comparison(&mut self) -> io::Result<()> {
        if let Self::Compared { file, separator } = self {
            if file.read(&mut [0])? > 0 {
                return Err(changed());
            }
            *self = Self::File { file: file.try_clone()?, separator };
        }
        Ok(())
    }
}

fn changed() -> io::Error {
    io::Error::other(
        "has changed since this run wrote to it; move it away, and `threefold resume` writes this run's games again",
    )
}

/// What the file lacks before `start` for a blank line between two games.
fn separator(file: &mut File, start: u64) -> io::Result<&'static str> {
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
fn open_fifo_when_read(pipe: &Path, stop: &Stop) -> io::Result<GameOutput> {
    const POLL_INTERVAL: Duration = Duration::from_millis(50);
    while !stop.is_raised() {
        if let Some(file) = output_file::open_pipe(pipe)? {
            return Ok(GameOutput::Stream(file));
        }
        thread::sleep(POLL_INTERVAL);
    }
    Ok(GameOutput::Closed)
}
