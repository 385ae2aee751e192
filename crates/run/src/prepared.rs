//! Prepares a run: parses its suites and checks its matches.
//!
//! Every error in a run's specification is found here, before the first engine is asked and before a journal
//! exists.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::job::{MatchTask, Part, Purpose, RunSpec, Task, ThresholdUse};
use super::scheduler::{PartExtent, Scheduler};
use super::shard::JobShare;
use super::stop_cases::StopCases;
use super::swiss;
use super::takes;
use super::tune_check;
use threefold_chess::clock::ClockSource;
use threefold_games::game::GameConditions;
use threefold_games::knockout::MOST_PLAYERS;
use threefold_games::pairing::{EncounterLength, MOST_GAMES, ScheduledGame, TournamentFormat};
use threefold_oracle::Referee;
use threefold_player::EngineSpec;
use threefold_player::polyglot::{BookMoves, PolyglotBook};
use threefold_stats::TrialUnit;
use threefold_suites::{CaseRecord, Kind, Suite, SuiteError, Thresholds};

/// Why a run cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum RunSpecError {
    /// An error in a suite or its positions.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// Two parts have the same name.
    #[error("two parts are called `{0}`; give each its own name")]
    SameName(String),
    /// A suite leaves out a case that it does not have.
    #[error("suite {suite} has no case `{id}` to leave out; give ids as in cases.csv")]
    NoCase {
        /// The name of the suite.
        suite: String,
        /// The case's id.
        id: String,
    },
    /// A match that cannot be played.
    #[error("match `{part}`: {what}")]
    Match {
        /// The part's name.
        part: String,
        /// What is wrong, and the remedy.
        what: String,
    },
}

/// A run with everything that its jobs need.
#[derive(Debug)]
pub struct PreparedRun {
    spec: Arc<RunSpec>,
    /// By part; `None` for a match.
    suites: Vec<Option<Suite>>,
    /// Which failed cases can stop the run.
    stop_cases: StopCases,
    /// By file.
    books: BTreeMap<PathBuf, Arc<PolyglotBook>>,
}

impl PreparedRun {
    /// Parses the suites of a run and checks its matches.
    pub fn prepare(spec: Arc<RunSpec>) -> Result<Self, RunSpecError> {
        let mut names = BTreeSet::new();
        let mut suites = Vec::new();
        for Part { name, task, .. } in &spec.parts {
            if !names.insert(name.as_str()) {
                return Err(RunSpecError::SameName(name.clone()));
            }
            suites.push(match task {
                Task::Suite(task) => {
                    let mut suite = Suite::read(&task.source)?;
                    // The check of the clock needs the limits of the task, which replace those of the suite.
                    suite.limits = task.limits.as_deref().copied().unwrap_or(suite.limits);
                    suite
                        .kind
                        .check_clock(&suite.limits)
                        .map_err(|what| task.source.suite_file.error_in_file(what, Kind::CLOCK_REMEDY))?;
                    suite.timemargin = task.timemargin.or(suite.timemargin);
                    if spec.thresholds == ThresholdUse::Ignore {
                        suite.thresholds = Thresholds::default();
                    }
                    // Before the sample, in which a case to leave out could be missing.
                    if let Some(id) = task.left_out.iter().find(|id| !suite.leave_out(id)) {
                        return Err(RunSpecError::NoCase { suite: name.clone(), id: id.clone() });
                    }
                    if let Some(cases) = task.per_class {
                        suite.sample_per_class(cases);
                    }
                    Some(suite)
                }
                Task::Match(games) => {
                    check_match(games).map_err(|what| RunSpecError::Match { part: name.clone(), what })?;
                    None
                }
            });
        }
        if let Some(games) = &spec.tournament {
            check_tournament(games, &spec.parts)
                .map_err(|what| RunSpecError::Match { part: "tournament".to_owned(), what })?;
        }
        takes::check(&spec).map_err(|what| RunSpecError::Match { part: "takes".to_owned(), what })?;
        tune_check::check(&spec).map_err(|what| RunSpecError::Match { part: "tune".to_owned(), what })?;
        let stop_cases = StopCases::of_run(&spec, suites.iter().flatten());
        Ok(Self { spec, suites, stop_cases, books: BTreeMap::new() })
    }

    /// Reads the opening books of the run's engines.
    #[expect(clippy::disallowed_methods, reason = "books are large, so a run names them by their paths")]
    pub fn with_books(mut self) -> Result<Self, RunSpecError> {
        // An engine with a bye in the first round has no game in a part yet.
        let tournament = self.spec.tournament.iter().map(|games| ("tournament", games.engines.as_slice()));
        let parts = self.spec.parts.iter().map(|part| (part.name.as_str(), part.task.engines()));
        for (part, engines) in parts.chain(tournament) {
            for file in engines.iter().filter_map(|engine| engine.book.as_ref()) {
                let read = || PolyglotBook::parse(&fs::read(file)?).map_err(io::Error::other);
                let wrong = |error: io::Error| RunSpecError::Match {
                    part: part.to_owned(),
                    what: format!("book {}: {error}", file.display()),
                };
                if !self.books.contains_key(file) {
                    self.books.insert(file.clone(), Arc::new(read().map_err(wrong)?));
                }
            }
        }
        Ok(self)
    }

    /// The conditions of a game, with the book moves of White and Black if this run is one [with
    /// books](Self::with_books).
    pub fn terms(&self, games: &MatchTask, game: &ScheduledGame) -> GameConditions {
        let books = [(game.white, 0), (game.black, 1)].map(|(engine, side)| {
            let engine = &games.engines[engine];
            let book = self.books.get(engine.book.as_ref()?)?;
            // Each side of each game has a random stream of its own, so the moves depend on no other game.
            Some(BookMoves::new(Arc::clone(book), engine.book_depth, self.spec.seed, 2 * game.index + side))
        });
        GameConditions { books, ..games.terms(game) }
    }

    /// The specification of the run.
    pub fn spec(&self) -> &RunSpec {
        &self.spec
    }

    /// The run's specification, for owners that outlive the run.
    pub(super) const fn shared_spec(&self) -> &Arc<RunSpec> {
        &self.spec
    }

    /// The suite of a part; `None` for a match.
    pub fn suite(&self, part: usize) -> Option<&Suite> {
        self.suites.get(part)?.as_ref()
    }

    /// Does a case that did not pass count for the number of failed cases after which the run stops?
    pub(super) fn counts_as_failed(&self, record: &CaseRecord) -> bool {
        self.stop_cases.contains(record)
    }

    /// A scheduler with no job done.
    pub fn scheduler(&self) -> Scheduler {
        let parts = self.spec.parts.iter().zip(&self.suites);
        let RunSpec { max_faults, stop_after, counting, shard, .. } = *self.spec;
        let cases = |part| shard.map_or(JobShare::All, |shard| shard.cases(part));
        let games = |part| shard.map_or(JobShare::All, |shard| shard.games(part));
        Scheduler::new(parts.enumerate().map(|(number, (part, suite))| match &part.task {
            Task::Suite(_) => {
                let jobs = suite.as_ref().map_or(0, |suite| suite.definitions.len());
                let is_asked_again = part.is_asked_again();
                // Lost cases are asked again after the plan, so their failures must not count for its stop.
                let stop_after = stop_after.filter(|_| !is_asked_again);
                let cases_of = PartExtent::of_cases(jobs);
                PartExtent { max_faults, stop_after, is_asked_again, share: cases(number), ..cases_of }
            }
            Task::Match(task) => {
                PartExtent { max_faults, stop_after, counting, share: games(number), ..task.extent() }
            }
        }))
        .of_shard(self.spec.shard)
        .with_takes(self.spec.takes, self.spec.seed)
        .with_tune(self.spec.tune.as_ref(), self.spec.seed)
    }
}

fn check_tournament(games: &MatchTask, parts: &[Part]) -> Result<(), String> {
    if games.schedule().result_rounds().is_none() || games.purpose != Purpose::Match {
        return Err("has no rounds that depend on results; begin the run anew".to_owned());
    }
    if games.engines.len() > MOST_PLAYERS {
        return Err(format!("there are {} engines; name at most {MOST_PLAYERS}", games.engines.len()));
    }
    check_games(games)?;
    if games.format == TournamentFormat::Swiss { swiss::check(games, parts) } else { Ok(()) }
}

fn check_match(games: &MatchTask) -> Result<(), String> {
    let engines = games.engines.len();
    let is_encounter = games.schedule().result_rounds().is_some();
    if is_encounter && (engines != 2 || games.purpose != Purpose::Match) {
        return Err(format!("an encounter of a {} tournament has two engines and no test", games.format));
    }
    check_games(games)
}

/// Checks the games of a match, or of all encounters of a tournament.
fn check_games(games: &MatchTask) -> Result<(), String> {
    let engines = games.engines.len();
    if engines < 2 {
        return Err("a match takes two engines; name another".to_owned());
    }
    if games.test().is_some() && engines != 2 {
        return Err(format!("a sequential test takes two engines, and there are {engines}"));
    }
    let names: BTreeSet<&str> = games.engines.iter().map(|engine| engine.name.as_str()).collect();
    if names.len() < engines {
        return Err("two engines have the same name; give them different names with `name=…`".to_owned());
    }
    if games.encounters == 0 {
        return Err("no game is to be played; give at least two".to_owned());
    }
    if games.encounters > MOST_GAMES / 2 {
        return Err(format!("{} pairs are too many; give at most {}", games.encounters, MOST_GAMES / 2));
    }
    games.adjudication.prepare()?;
    let is_timed = |engine: &EngineSpec| {
        let control = engine.control.or(games.control);
        control.time.is_some() || control.movetime.is_some()
    };
    let pondering = games.engines.iter().enumerate().filter(|(_, engine)| engine.ponder);
    for (index, engine) in pondering {
        let control = engine.control.or(games.control);
        if games.clock_source(index) != ClockSource::Wall || !is_timed(engine) || control.nodes.is_some() {
            return Err(format!(
                "`{}` has ponder=on, which needs a wall clock and no node limit: what it searches on the opponent's time \
                 would count; give tc= or st= only, or leave ponder out",
                engine.name
            ));
        }
    }
    let counts_pairs = games.test().is_some_and(|test| test.counts() == TrialUnit::Pairs);
    if games.rules.encounter == EncounterLength::Single && counts_pairs {
        return Err("a test of single games counts games, not pairs; give --counts games".to_owned());
    }
    if games.budget.is_some() && !games.engines.iter().all(is_timed) {
        return Err(
            "a time budget needs games on clocks, whose times are recorded; give a time control, or a \
                    number of games in place of the budget"
                .to_owned(),
        );
    }
    if games.openings.is_empty() {
        return Err("there is no opening; give at least the start position".to_owned());
    }
    for opening in &games.openings {
        Referee::new(&opening.history).map_err(|error| format!("opening `{}`: {error}", opening.history))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    use threefold_games::opening::Opening;

    use crate::job::Purpose;

    use threefold_chess::position::GamePosition;
    use threefold_stats::{EloModel, Risks, Sprt};

    fn games(engines: &[&str], pairs: usize, openings: &[&str], purpose: Purpose) -> MatchTask {
        let opening = |fen: &&str| Opening {
            history: GamePosition::parse(fen, "").expect("a FEN"),
            eco: None,
            name: None,
        };
        MatchTask {
            purpose,
            ..MatchTask::new(
                engines.iter().map(|text| text.parse().expect("sound")).collect(),
                openings.iter().map(opening).collect(),
                pairs,
            )
        }
    }

    fn spec(parts: impl IntoIterator<Item = (&'static str, MatchTask)>) -> Arc<RunSpec> {
        let part = |(name, games): (&str, _)| Part::without_labels(name.to_owned(), Task::Match(games));
        let parts = parts.into_iter().map(part).collect();
        Arc::new(RunSpec { parts, ..RunSpec::default() })
    }

    #[test]
    fn unplayable_matches_are_refused_with_a_remedy() {
        const OPENING: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let sprt = Sprt::new(EloModel::Normalized, 0.0, 5.0, Risks::USUAL).expect("sound");
        let test = Purpose::Test(sprt.into());
        let two = ["echo,name=A", "echo,name=B"];
        let table = [
            (games(&two[..1], 1, &[OPENING], Purpose::Match), "takes two engines; name another"),
            (
                games(&["echo", "echo"], 1, &[OPENING], Purpose::Match),
                "give them different names with `name=…`",
            ),
            (games(&["echo", two[0], two[1]], 3, &[OPENING], test), "takes two engines, and there are 3"),
            (games(&two, 0, &[OPENING], Purpose::Match), "give at least two"),
            (games(&two, usize::MAX, &[OPENING], Purpose::Match), "are too many; give at most 5000000"),
            (games(&two, 1, &[], Purpose::Match), "give at least the start position"),
            (games(&two, 1, &["4k3/8/8/8/8/8/4P3/8 w - - 0 1"], Purpose::Match), "no legal position"),
        ];
        for (games, message) in table {
            let error = PreparedRun::prepare(spec([("m", games)])).expect_err(message).to_string();
            assert!(error.starts_with("match `m`: ") && error.contains(message), "{error}");
        }
        let mut untimed = games(&two, 1, &[OPENING], Purpose::Test(sprt.into()));
        untimed.budget = Some(Duration::from_mins(1));
        for (limit, is_timed) in [("nodes=500", false), ("1+0.01", true), ("st=0.1", true)] {
            untimed.control = limit.parse().expect("sound");
            let read = PreparedRun::prepare(spec([("m", untimed.clone())]));
            let error = read.err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(error.contains("a time budget needs games on clocks"), !is_timed, "{limit}: {error}");
        }
        for (limit, pace, is_played) in [
            ("1+0.01", "wall", true),
            ("st=0.1", "wall", true),
            ("1+0.01", "virtual:1000", false),
            ("nodes=5", "wall", false),
            ("1+0.01,nodes=5", "wall", false),
        ] {
            let mut pondering = games(&["./a,ponder=on", "echo,name=B"], 1, &[OPENING], Purpose::Match);
            (pondering.control, pondering.clock_source) =
                (limit.parse().expect("sound"), pace.parse().expect("sound"));
            let error = PreparedRun::prepare(spec([("m", pondering)])).err().map(|error| error.to_string());
            let refused =
                error.is_some_and(|error| error.contains("has ponder=on, which needs a wall clock"));
            assert_eq!(refused, !is_played, "{limit} {pace}");
        }
        let mut single = games(&two, 1, &[OPENING], Purpose::Test(sprt.into()));
        single.rules.encounter = EncounterLength::Single;
        let error =
            PreparedRun::prepare(spec([("m", single)])).expect_err("pairs of single games").to_string();
        assert!(error.ends_with("counts games, not pairs; give --counts games"), "{error}");
        let sound = games(&two, 1, &[OPENING], Purpose::Match);
        assert!(PreparedRun::prepare(spec([("m", sound.clone())])).is_ok());
        let twice =
            PreparedRun::prepare(spec([("m", sound.clone()), ("m", sound)])).expect_err("two of a name");
        assert_eq!(twice.to_string(), "two parts are called `m`; give each its own name");
    }
    #[test]
    fn book_of_an_engine_with_a_bye_is_read_before_the_first_round() {
        const OPENING: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let engines = ["echo,name=A,book=missing.bin", "echo,name=B", "echo,name=C"];
        let first_round = games(&engines[1..], 1, &[OPENING], Purpose::Match);
        let tournament = MatchTask {
            format: TournamentFormat::Knockout,
            ..games(&engines, 1, &[OPENING], Purpose::Match)
        };
        let spec =
            RunSpec { tournament: Some(Box::new(tournament)), ..(*spec([("m", first_round)])).clone() };
        let prepared = PreparedRun::prepare(Arc::new(spec)).expect("sound");
        let error = prepared.with_books().expect_err("a missing book").to_string();
        assert!(error.starts_with("match `tournament`: book missing.bin: "), "{error}");
    }
}
