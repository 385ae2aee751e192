//! `-config file=JOURNAL`: the rest of the games of a journal, or the same games from the start.

use std::path::{Path, PathBuf, absolute};

use super::error::LineError;
use super::printing::Printing;
use super::run_settings::RunSettings;
use super::settings::Settings;
use super::surroundings::Surroundings;
use threefold_games::pairing::MOST_GAMES;
use threefold_run::MatchTask;

/// The games of a journal.
#[derive(Debug, Clone)]
pub struct Continuation {
    /// The path of the journal that is continued.
    pub file: PathBuf,
    /// Do its results count? Otherwise its games are played from the start, as a new run.
    pub keeps_results: bool,
    /// The conditions of the run.
    pub settings: RunSettings,
    /// What is printed of it.
    pub printing: Printing,
    rounds: Option<usize>,
}

impl Continuation {
    /// The games of this journal, as the command line wants them played.
    pub(super) fn from_journal(
        file: PathBuf,
        settings: Settings,
        surroundings: &Surroundings<'_>,
    ) -> Result<Self, LineError> {
        let run = RunSettings::from_settings(&settings, surroundings)?;
        let keeps_results = settings.config.keeps_results;
        if let Some(other) = run.journal.as_ref().filter(|other| keeps_results && !is_same(other, &file)) {
            return Err(LineError::OtherJournal(other.clone()));
        }
        Ok(Self { file, keeps_results, settings: run, rounds: settings.rounds, printing: settings.printing })
    }

    /// The new number of games, if `-rounds` asks for another one than that of the journal.
    ///
    /// # Errors
    /// If it is too large.
    pub fn games(&self, task: &MatchTask) -> Result<Option<usize>, LineError> {
        let Some(rounds) = self.rounds else { return Ok(None) };
        let games =
            // A product beyond `usize` is more than `MOST_GAMES`, too.
            rounds.saturating_mul(task.rules.encounter.games()).saturating_mul(task.schedule().pairings());
        match games {
            _ if games == task.schedule().games() => Ok(None),
            0 => Err(LineError::Games),
            _ if games > MOST_GAMES => Err(LineError::TooManyGames(games)),
            _ => Ok(Some(games)),
        }
    }
}

/// Do two paths name one file? Those without an absolute form are compared as they are.
fn is_same(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(|path| absolute(path).unwrap_or_else(|_| path.to_owned()));
    one == other
}
