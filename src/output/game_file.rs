//! The files of `--pgn` and `--epd-out`.
//!
//! A game is written as soon as it counts, in the order of the schedule. At any moment a file is a prefix of
//! the final file. A resumed run compares the games of its journal with the file, completes a truncated game,
//! and appends the rest.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Error};

use crate::output::game_output::{GameOutput, GameSeparator};
use threefold_chess::clock::Stop;
use threefold_games::final_position;
use threefold_games::game::GameRecord;
use threefold_player::EngineBuild;
use threefold_player::output_file::OutputError;
use threefold_report as report;
use threefold_run::event::RunEvent;
use threefold_run::job::{JobKey, MatchTask, Outputs, Part};
use threefold_run::journal::Journal;
use threefold_run::{JobResult, PartProgress, RunRecord, RunSpec, Task};

/// The files of games of a run.
pub struct GameFiles {
    spec: Arc<RunSpec>,
    files: Vec<GameFile>,
    /// The job of the next game to write.
    next: JobKey,
    /// The jobs of several takes that count and are not written, in the order in which they count; `None` for
    /// another run, whose order is that of the keys.
    counted: Option<VecDeque<JobKey>>,
    /// The progress of each part.
    parts: Vec<PartExtent>,
    /// Finished games that are not written yet, each with the engine builds that played it.
    waiting: BTreeMap<JobKey, (GameRecord, Arc<[EngineBuild]>)>,
    /// The engine builds of this session.
    builds: Arc<[EngineBuild]>,
}

/// A file of games.
struct GameFile {
    path: PathBuf,
    form: GameForm,
    out: GameOutput,
}

/// A file that a game could not be written to.
struct Unwritten {
    path: PathBuf,
    cause: io::Error,
}

/// How a game is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GameForm {
    Pgn,
    /// Its final position.
    Epd,
}

/// Opens an output: path, size of the part that stays, separator of games.
type Open<'o> = &'o dyn Fn(&Path, u64, GameSeparator, &Stop) -> io::Result<GameOutput>;

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

impl GameFiles {
    /// Opens the files of a new run; `None` if the run writes none. `builds` are the engine builds of this
    /// session. `stop` ends the wait for the reader of a named pipe.
    ///
    /// # Errors
    /// If a file can't be written.
    pub fn begin(journal: &Journal, builds: &[EngineBuild], stop: &Stop) -> anyhow::Result<Option<Self>> {
        Self::open(journal, builds, stop, &GameOutput::begin)
    }

    /// Opens the files of a resumed run and writes the games of the journal that they lack.
    ///
    /// # Errors
    /// If a file can't be written, or if it has changed since this run wrote to it.
    pub fn resume(journal: &Journal, builds: &[EngineBuild], stop: &Stop) -> anyhow::Result<Option<Self>> {
        Self::open(journal, builds, stop, &GameOutput::resume)
    }

    fn open(
        journal: &Journal,
        builds: &[EngineBuild],
        stop: &Stop,
        open: Open<'_>,
    ) -> anyhow::Result<Option<Self>> {
        let spec = Arc::clone(journal.spec());
        let files = open_files(&spec.outputs, stop, open)?;
        if files.is_empty() {
            return Ok(None);
        }
        let run = RunRecord::from_journal(journal)?;
        let parts = run.parts().iter().map(|part| PartExtent::of(&part.progress)).collect();
        let (next, builds) = (JobKey { part: 0, job: 0 }, Arc::from(builds));
        let counted = run.counted_order().map(|order| order.iter().copied().collect());
        let mut games = Self { spec, files, next, counted, parts, waiting: BTreeMap::new(), builds };
        // The callback of the replay can't return an error of a file, so it waits here.
        let mut written = Ok(Vec::new());
        journal.contents().replay_in(run.counted_order(), &mut |key, result| {
            if let (JobResult::Game(game), Ok(_)) = (result, &written) {
                games.waiting.insert(key, (game, Arc::from(run.builds_of(key))));
                written = games.write_ready_games();
            }
            Ok(())
        })?;
        written.map_err(|Unwritten { path, cause }| Error::new(cause).context(path.display().to_string()))?;
        for file in &mut games.files {
            file.out.end_comparison().with_context(|| file.path.display().to_string())?;
        }
        Ok(Some(games))
    }

    /// Continues with a specification that has more parts, and with these engine builds.
    pub fn extend(&mut self, spec: &Arc<RunSpec>, builds: &[EngineBuild]) {
        self.spec = Arc::clone(spec);
        self.builds = Arc::from(builds);
        self.parts.resize(spec.parts.len(), PartExtent::default());
    }

    /// Processes an event of the run and writes the games that count now. Returns a line with the checksum of
    /// the PGN file after each game, if the run asks for it.
    ///
    /// # Errors
    /// If a game can't be written. No game is written to that file after that.
    pub fn handle(&mut self, event: &RunEvent<'_>) -> Result<Vec<String>, OutputError> {
        let RunEvent::JobEnded { key, result, progress, .. } = event else {
            if let (RunEvent::TakesAdvanced { counted, .. }, Some(order)) = (event, &mut self.counted) {
                order.extend(counted.iter().copied());
                return self.written();
            }
            return Ok(Vec::new());
        };
        if let JobResult::Game(game) = result {
            self.waiting.insert(*key, (game.clone(), Arc::clone(&self.builds)));
        }
        if let Some(part) = self.parts.get_mut(key.part) {
            *part = PartExtent::of(progress);
        }
        self.written()
    }

    fn written(&mut self) -> Result<Vec<String>, OutputError> {
        self.write_ready_games().map_err(|Unwritten { path, cause }| OutputError::from_system(&path, cause))
    }

    /// Writes the games that count, up to the first one that does not count yet or is not known yet.
    fn write_ready_games(&mut self) -> Result<Vec<String>, Unwritten> {
        let mut checksums = Vec::new();
        let mut failed = None;
        while let Some(&key) = self.counted.as_ref().and_then(|order| order.front()) {
            let Some((game, builds)) = self.waiting.remove(&key) else { break };
            self.counted.as_mut().map(VecDeque::pop_front);
            failed = failed.or(self.write(key, &game, &builds, &mut checksums));
        }
        while let Some(PartExtent { counted, has_ended }) = self.parts.get(self.next.part).copied() {
            // The loop above writes the games of several takes.
            if self.counted.is_some() {
                break;
            }
            match &self.spec.parts[self.next.part].task {
                Task::Match(_) if self.next.job < counted => {
                    let Some((game, builds)) = self.waiting.remove(&self.next) else { break };
                    failed = failed.or(self.write(self.next, &game, &builds, &mut checksums));
                    self.next.job += 1;
                }
                // Further games of this part may count, and they precede those of the next part.
                Task::Match(_) if !has_ended => break,
                Task::Match(_) | Task::Suite(_) => self.next = JobKey { part: self.next.part + 1, job: 0 },
            }
        }
        failed.map_or(Ok(checksums), Err)
    }

    /// Writes a game to all files; returns the first error.
    fn write(
        &mut self,
        key: JobKey,
        game: &GameRecord,
        builds: &[EngineBuild],
        checksums: &mut Vec<String>,
    ) -> Option<Unwritten> {
        let part = &self.spec.parts[key.part];
        let Task::Match(task) = &part.task else { return None };
        let mut failed = None;
        for file in &mut self.files {
            match file.write(part, task, key.job, game, builds) {
                Ok(checksum) => checksums.extend(checksum),
                // A file that fails does not keep the game out of the other files.
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        failed
    }
}

/// Opens the files that a run asks for.
fn open_files(outputs: &Outputs, stop: &Stop, open: Open<'_>) -> Result<Vec<GameFile>, OutputError> {
    let asked = [
        (&outputs.games, outputs.games_start, GameForm::Pgn, GameSeparator::BlankLine),
        (&outputs.final_positions, outputs.final_positions_start, GameForm::Epd, GameSeparator::LineFeed),
    ];
    let mut files = Vec::new();
    for (path, start, form, separator) in asked {
        let Some(path) = path.clone() else { continue };
        let mut out = open(&path, start, separator, stop);
        if outputs.prints_checksum && form == GameForm::Pgn {
            out = out.and_then(|out| out.with_checksum(&path, start));
        }
        let out = out.map_err(|cause| OutputError::from_system(&path, cause))?;
        files.push(GameFile { path, form, out });
    }
    Ok(files)
}

impl GameFile {
    /// Writes a game. Returns a line with the checksum of the file, if it is asked for. After an error the
    /// file is closed.
    fn write(
        &mut self,
        part: &Part,
        task: &MatchTask,
        job: usize,
        game: &GameRecord,
        builds: &[EngineBuild],
    ) -> Result<Option<String>, Unwritten> {
        let Some(fixture) = task.schedule().game(job) else { return Ok(None) };
        let build = |player: usize| builds.iter().find(|build| build.engine == task.engines[player].text);
        let text = match self.form {
            GameForm::Pgn => {
                let engines = [fixture.white, fixture.black].map(build);
                report::game(part, task, fixture, game.clone(), engines)
            }
            GameForm::Epd => final_position::epd(game).map_err(io::Error::other),
        };
        text.and_then(|text| self.out.write(&text)).map_err(|cause| {
            self.out.close();
            Unwritten { path: self.path.clone(), cause }
        })?;
        let line = |checksum| format!("File {} has CRC32: {checksum:#x}", self.path.display());
        Ok(self.out.checksum().map(line))
    }
}
