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

    /// The new number of games, if `-rounds` asks for another one than that of the journal. A round has the
    /// games that it has in the journal's run; of fastchess' exchange of games and rounds above two games, the
    /// journal has the result, as fastchess' own file has it.
    ///
    /// # Errors
    /// If it is too large.
    pub fn games(&self, task: &MatchTask) -> Result<Option<usize>, LineError> {
        let Some(rounds) = self.rounds else { return Ok(None) };
        let of_encounter =
            task.rules.cutechess.map_or(task.rules.encounter.games(), |order| order.games.get());
        // A product beyond `usize` is more than `MOST_GAMES`, too.
        let games = rounds.saturating_mul(of_encounter).saturating_mul(task.schedule().pairings());
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

#[cfg(test)]
mod tests {
    use super::super::new_run::NewRun;
    use super::super::peer::Peer;
    use super::*;
    use threefold_games::opening::Opening;
    use threefold_run::single_match;

    fn settings(peer: Peer, line: &str) -> Settings {
        let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Settings::parse(peer, &line).expect("understood")
    }

    #[test]
    fn continued_run_replaces_a_log_and_has_more_jobs_if_it_is_given_so() {
        let force = |line: &str| {
            let given = settings(Peer::Fastchess, &format!("-config file=a.sqlite {line}"));
            let continuation =
                Continuation::from_journal(PathBuf::from("a.sqlite"), given, &Surroundings::for_tests());
            continuation.expect("sound").settings.force
        };
        assert!(force("-force-concurrency") && force("-log file=e.log append=false"));
        assert!(!force("") && !force("-log file=e.log"));
    }

    #[test]
    fn rounds_of_a_continued_run_have_the_games_of_the_first_run() {
        let table = [
            // program, games of the first run, their number, the number with `-rounds 6`
            (Peer::Fastchess, "-rounds 5", 10, 12),
            (Peer::Fastchess, "-rounds 5 -games 1", 5, 6),
            (Peer::Fastchess, "-rounds 2 -games 5", 10, 12),
            (Peer::Cutechess, "-rounds 5 -games 2 -repeat", 10, 12),
            (Peer::Cutechess, "-rounds 5 -games 10 -repeat", 50, 60),
            (Peer::Cutechess, "-rounds 5 -games 3", 15, 18),
        ];
        let surroundings = Surroundings::for_tests();
        for (peer, line, first, longer) in table {
            let new = settings(peer, &format!("-engine cmd=a -engine cmd=b -each depth=1 {line}"));
            let spec = NewRun::from_settings(new, &surroundings)
                .expect("sound")
                .spec(vec![Opening::start_position()]);
            let task = single_match::task(&spec).expect("a match");
            assert_eq!(task.schedule().games(), first, "{line}");
            let again = settings(peer, "-config file=a.sqlite -rounds 6");
            let continuation = Continuation::from_journal(PathBuf::from("a.sqlite"), again, &surroundings);
            let games = continuation.expect("sound").games(task).expect("a small number");
            assert_eq!(games, Some(longer), "{line}");
        }
    }
}
