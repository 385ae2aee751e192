//! Reads the games of a run, with their moves, from its journal.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::job::{JobKey, JobResult, RunSpec, Task};
use super::journal::{JobContext, JournalContents};
use threefold_games::game::GameRecord;
use threefold_games::pairing::ScheduledGame;
use threefold_player::EngineBuild;

/// Reads the games that count, one at a time, so that their number does not matter for the memory needed.
#[derive(Debug, Clone, PartialEq)]
pub struct GameReader {
    pub(super) file: PathBuf,
    pub(super) spec: Arc<RunSpec>,
    /// The number of jobs that count, for each part.
    pub(super) counted: Vec<usize>,
    pub(super) contexts: Arc<BTreeMap<JobKey, JobContext>>,
    pub(super) sessions: Arc<Vec<Vec<EngineBuild>>>,
}

/// A game of a run.
#[derive(Debug)]
pub struct RecordedGame<'r> {
    /// Its part, as an index of the specification.
    pub part: usize,
    /// Its place in the schedule.
    pub scheduled: ScheduledGame,
    /// The game with its moves.
    pub game: GameRecord,
    /// The builds of the engines, as far as they are known.
    pub builds: &'r [EngineBuild],
}

impl GameReader {
    /// Passes the games that count to `each`, by part and in the order of the schedule.
    ///
    /// # Errors
    /// If the journal can't be read, and those of `each`.
    pub fn for_each(&self, each: &mut dyn FnMut(RecordedGame<'_>) -> io::Result<()>) -> io::Result<()> {
        self.read_some(&|_| true, each)
    }

    /// The same for the games that `wanted` accepts; the others are not parsed.
    ///
    /// # Errors
    /// If the journal can't be read, and those of `each`.
    pub fn read_some(
        &self,
        wanted: &dyn Fn(JobKey) -> bool,
        each: &mut dyn FnMut(RecordedGame<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let is_match = |part: usize| matches!(self.spec.parts[part].task, Task::Match(_));
        let counts = |key: JobKey| self.counted.get(key.part).is_some_and(|&counted| key.job < counted);
        let wanted = |key: JobKey| counts(key) && is_match(key.part) && wanted(key);
        let mut failed = Ok(());
        let contents = JournalContents::copy_of(&self.file).map_err(io::Error::other)?;
        let read = contents.replay_some(&wanted, &mut |key, result| {
            let (Task::Match(task), JobResult::Game(game)) = (&self.spec.parts[key.part].task, result) else {
                return Ok(());
            };
            let Some(scheduled) = task.schedule().game(key.job) else { return Ok(()) };
            let builds = self.builds(key);
            failed = each(RecordedGame { part: key.part, scheduled, game, builds });
            // The empty error only ends the reading: the caller gets `failed`, not a damaged journal.
            if failed.is_ok() { Ok(()) } else { Err(String::new()) }
        });
        failed?;
        read.map_err(io::Error::other)
    }

    /// The specification of the run.
    pub fn spec(&self) -> &RunSpec {
        &self.spec
    }

    fn builds(&self, key: JobKey) -> &[EngineBuild] {
        let session = self.contexts.get(&key).and_then(|context| context.session);
        session.and_then(|session| self.sessions.get(session)).map_or(&[], Vec::as_slice)
    }
}
