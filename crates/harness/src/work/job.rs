//! What a run was asked to do, and what one piece of it came to.
//!
//! An [`Order`] is self-contained: it holds the text of every suite, position and opening it needs, not their
//! paths. So a run resumed a month later, or on another machine, does the same work, and a report can be
//! rebuilt from the journal alone.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use super::fault_budget::{FaultBudget, FaultBy};
use super::labels::Labels;
use crate::arena::game::{Adjudication, GameOutcome, GameRecord, GameTerms};
use crate::arena::opening::Opening;
use crate::arena::pairing::{Schedule, ScheduledGame, TournamentFormat};
use crate::player::EngineSpec;
use crate::suite::{CaseRecord, SuiteSource};
use threefold_chess::clock::{ClockSource, Control, Limits};
use threefold_stats::{GameResult, SprtConfig};

/// Everything a run was asked to do.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunSpec {
    /// What reports call it.
    pub title: String,
    /// Who asked for it, and where.
    pub origin: RunOrigin,
    /// The seed that everything random in it was drawn from.
    pub seed: u64,
    /// What to do, in order.
    pub parts: Vec<Part>,
    /// Where the results go once it is done.
    pub outputs: Outputs,
    /// What the results are to be compared with.
    pub baseline: Option<BaselineText>,
    /// The engine faults that each part may have before the run stops; `None` for any number.
    pub max_faults: Option<FaultBudget>,
    /// What a sequential test means for the exit code that spends its games undecided.
    pub undecided: Undecided,
}

threefold_named_enum::named_enum! {
    /// What a sequential test means for the exit code that spends its games undecided.
    pub enum Undecided {
        /// Exit code 0.
        Pass = "pass",
        /// Exit code 1, as though H0 had been accepted.
        Fail = "fail",
    }
}

#[expect(clippy::derivable_impls, reason = "`closed_set!` takes no attribute on a variant")]
impl Default for Undecided {
    fn default() -> Self {
        Self::Pass
    }
}

/// Where an order comes from; no result depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunOrigin {
    /// The command line.
    pub command: String,
    /// The machine, in words: whatever ran on the wall's clock ran on this.
    pub machine: String,
    /// The folder in which the command was given, from the root: relative paths of the order start there. Journals
    /// before format 3 don't say.
    pub folder: Option<PathBuf>,
    /// Which machine and which user it was; journals before format 3 don't say.
    pub owner: Option<RunOwner>,
    /// How it was to be carried out.
    pub conditions: RunConditions,
}

/// A user of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOwner {
    /// Identifies the machine.
    pub machine: String,
    /// Identifies the user on that machine.
    pub user: String,
}

/// How a run is carried out wherever it is resumed, unless something else is asked for there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunConditions {
    /// Jobs at a time; `None` for the machine's cores.
    pub concurrency: Option<NonZeroUsize>,
    /// How long an engine may take to start; `None` for the usual time.
    pub startup: Option<Duration>,
    /// How long a search without a clock may take; `None` for the usual time.
    pub search_timeout: Option<Duration>,
}

/// Where results go, so that a resumed run ends where the first attempt would have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outputs {
    /// The folder of the reports.
    pub reports: Option<PathBuf>,
    /// The file of the games.
    pub games: Option<PathBuf>,
    /// Bytes of that file before this run's games: what was there when the run began, and stays.
    pub games_start: u64,
    /// The folder of the baseline that the results are to become.
    pub baseline: Option<PathBuf>,
    /// Which reports: what is printed at the end, and which files are written.
    pub report_set: ReportSetName,
}

/// The name of a set of reports. A program knows the sets that its registry holds (`report::Registry`); a journal may name
/// one of another program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportSetName(pub String);

impl ReportSetName {
    /// The usual reports, with a summary printed.
    pub const SUMMARY: &str = "summary";
    /// The usual reports, with a line of JSON printed for each case.
    pub const CASES: &str = "cases";
}

impl Default for ReportSetName {
    fn default() -> Self {
        Self(Self::SUMMARY.to_owned())
    }
}

impl From<&str> for ReportSetName {
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

/// The files of a baseline, as text; `regress::baseline` reads them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BaselineText {
    /// `cases.csv`.
    pub cases: String,
    /// `figures.json`.
    pub figures: String,
}

/// One suite or one match of a run: what gets a progress bar and a section in the report.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its name for people, unique in the order.
    pub name: String,
    /// What it is about, for reports.
    pub labels: Labels,
    /// What is to be done.
    pub task: Task,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Ask one engine every case of a suite.
    Suite(SuiteTask),
    /// Let engines play games against each other.
    Match(MatchTask),
}

/// A suite for one engine.
#[derive(Debug, Clone, PartialEq)]
pub struct SuiteTask {
    /// Who is asked.
    pub engine: EngineSpec,
    /// The suite and its positions, as text.
    pub source: SuiteSource,
    /// Limits instead of the suite's own.
    pub limits: Option<Box<Limits>>,
    /// How much later than `movetime` an answer may be, instead of what the suite says.
    pub timemargin: Option<Duration>,
    /// How many cases of each class are asked, evenly spread; all where it is `None`.
    pub per_class: Option<NonZeroUsize>,
}

/// Games between two or more engines.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchTask {
    /// Who plays. The first is the one whose points a test counts.
    pub engines: Vec<EngineSpec>,
    /// The openings in the order they are played.
    pub openings: Vec<Opening>,
    /// Who meets whom.
    pub format: TournamentFormat,
    /// Pairs of games in all.
    pub pairs: usize,
    /// Limits for the engines that bring none of their own.
    pub control: Control,
    /// What makes the clocks run.
    pub pace: ClockSource,
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// What the games are for.
    pub purpose: Purpose,
}

/// What games are played for.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// A score with its error, after all games.
    Match,
    /// A sequential test of the first engine against the second; the schedule is its budget.
    Test(SprtConfig),
    /// Ratings fitted to a round robin.
    Calibration,
}

/// Which job of which part, both from zero. The order of keys is the order in which results count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobKey {
    /// The part, as it stands in the order.
    pub part: usize,
    /// The case of a suite, or the game of a match.
    pub job: usize,
}

/// One of the places in which jobs are done at the same time, from zero. Which job is done in which depends on the
/// machine and its load, so no result may depend on it; but a place whose results differ from all others is news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkerId(pub usize);

/// What a job came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobResult {
    /// A case and its verdict.
    Case(CaseRecord),
    /// A finished game.
    Game(GameRecord),
}

impl Part {
    /// A part that no report asks anything of but its results.
    pub const fn without_labels(name: String, task: Task) -> Self {
        Self { name, labels: Labels::NONE, task }
    }
}

impl Task {
    /// Every engine that takes part.
    pub fn engines(&self) -> &[EngineSpec] {
        match self {
            Self::Suite(suite) => std::slice::from_ref(&suite.engine),
            Self::Match(games) => &games.engines,
        }
    }
}

impl MatchTask {
    /// Who meets whom in which game, from which opening.
    pub const fn schedule(&self) -> Schedule {
        Schedule {
            players: self.engines.len(),
            format: self.format,
            pairs: self.pairs,
            openings: self.openings.len(),
        }
    }

    /// The sequential test that may end it before all games are played.
    pub const fn test(&self) -> Option<SprtConfig> {
        match self.purpose {
            Purpose::Test(test) => Some(test),
            Purpose::Match | Purpose::Calibration => None,
        }
    }

    /// What makes an engine's clock run: its own goes before that of the match.
    pub fn pace(&self, engine: usize) -> ClockSource {
        self.engines[engine].pace.unwrap_or(self.pace)
    }

    /// What a game is played under: an engine's own limits and clock go before those of the match.
    pub fn terms(&self, fixture: &ScheduledGame) -> GameTerms {
        let control = |engine: usize| self.engines[engine].control.or(self.control);
        GameTerms {
            controls: [control(fixture.white), control(fixture.black)],
            paces: [self.pace(fixture.white), self.pace(fixture.black)],
            adjudication: self.adjudication.clone(),
            ..GameTerms::unlimited()
        }
    }

    /// How a game ended for the first engine; `None` where it didn't take part.
    pub fn result(&self, job: usize, game: &GameRecord) -> Option<GameResult> {
        let fixture = self.schedule().game(job)?;
        let white = white_result(game);
        if fixture.white == 0 {
            Some(white)
        } else if fixture.black == 0 {
            Some(white.reversed())
        } else {
            None
        }
    }

    /// Whose fault a game ended with; `None` where it ended as games do. Every engine of a calibration is the engine
    /// under test, of a match the first.
    pub fn fault(&self, job: usize, game: &GameRecord) -> Option<FaultBy> {
        let fixture = self.schedule().game(job)?;
        let loser = match game.outcome {
            GameOutcome::White => fixture.black,
            GameOutcome::Black => fixture.white,
            GameOutcome::Draw => return None,
        };
        let is_tested = loser == 0 || matches!(self.purpose, Purpose::Calibration);
        game.end.is_fault().then_some(if is_tested { FaultBy::Tested } else { FaultBy::Opponent })
    }
}

/// A game's result from White's side.
pub const fn white_result(game: &GameRecord) -> GameResult {
    match game.outcome {
        GameOutcome::White => GameResult::Win,
        GameOutcome::Black => GameResult::Loss,
        GameOutcome::Draw => GameResult::Draw,
    }
}
