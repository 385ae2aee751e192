//! The specification of a run, and the result of a job.
//!
//! A [`RunSpec`] is self-contained: it has the texts of all suites, positions and openings instead of their
//! paths. So a run that is resumed later, or on another machine, does the same jobs, and a report can be
//! rebuilt from the journal alone.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

pub use super::outputs::{Outputs, ReportSetName};
pub use super::verdict_rules::{ComparisonUse, ThresholdUse, Undecided};

use super::distinct_pairs::PairCounting;
use super::environment::Environment;
use super::fault_budget::{FaultBudget, FaultBy};
use super::labels::Labels;
use super::shard::Shard;
use super::takes_rule::TakesRule;
use super::trend::TrendPoint;
use super::tune_rule::TuneRule;
use threefold_chess::clock::{ClockSource, Control, Limits};
use threefold_games::game::{Adjudication, GameConditions, GameOutcome, GameRecord};
use threefold_games::opening::Opening;
use threefold_games::pairing::{Schedule, ScheduleRules, ScheduledGame, TournamentFormat};
use threefold_games::pgn::PgnOptions;
use threefold_games::playout::adjudication::{MateClaims, TrustMates};
use threefold_games::warning::WarningPolicy;
use threefold_player::EngineSpec;
use threefold_stats::{AnyRule, GameResult};
use threefold_suites::{CaseRecord, SuiteSource};

/// The specification of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RunSpec {
    /// The title in reports.
    pub title: String,
    /// Where the run was started.
    pub origin: RunOrigin,
    /// The seed of all random choices in it.
    pub seed: u64,
    /// The parts, in order.
    pub parts: Vec<Part>,
    /// Where the results are written when it is done.
    pub outputs: Outputs,
    /// The baseline to compare the results with.
    pub baseline: Option<BaselineText>,
    /// The last versions of that baseline, the oldest first.
    pub trend: Vec<TrendPoint>,
    /// The engine faults that each part may have before the run stops; `None` for no limit.
    pub max_faults: Option<FaultBudget>,
    /// The number of cases that do not pass after which the run stops; `None` for no limit. In a comparison with a baseline, only
    /// those of strict suites count that the baseline passes.
    pub stop_after: Option<NonZeroUsize>,
    /// Which pairs of games count.
    pub counting: PairCounting,
    /// The exit code of a sequential test without a decision.
    pub undecided: Undecided,
    /// The use of the thresholds in suite files.
    pub thresholds: ThresholdUse,
    /// Is it a run whose results must be compared?
    pub comparison: ComparisonUse,
    /// What warnings about the output of engines in games count for.
    pub warnings: WarningPolicy,
    /// The tournament whose known encounters are the parts, if its later rounds depend on results: its
    /// engines, the best seed first, all its openings, and the pairs of an encounter.
    pub tournament: Option<Box<MatchTask>>,
    /// How the parts share the games of the run, if they are takes against one base.
    pub takes: Option<TakesRule>,
    /// The parameters that the first part tunes, if it does.
    pub tune: Option<Arc<TuneRule>>,
    /// The shard of the run that is done, if it is divided.
    pub shard: Option<Shard>,
}

impl RunSpec {
    /// The engines of its parts, then those of its tournament, some of which have no game in a part yet.
    pub fn engines(&self) -> impl Iterator<Item = &EngineSpec> {
        let rounds = self.tournament.iter().flat_map(|games| &games.engines);
        self.parts.iter().flat_map(|part| part.task.engines()).chain(rounds)
    }
}

/// Where a run was started; no result depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunOrigin {
    /// The command line.
    pub command: String,
    /// A description of the machine on which wall time was measured.
    pub machine: String,
    /// The environment when it was started; empty in journals of earlier versions.
    pub environment: Environment,
    /// The absolute path of the working folder, to which relative paths in the specification refer; `None`
    /// if it is no UTF-8.
    pub folder: Option<PathBuf>,
    /// The machine and the user; `None` if they were not recorded.
    pub owner: Option<RunOwner>,
    /// The conditions under which it runs.
    pub conditions: RunConditions,
}

/// A user of a machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOwner {
    /// Identifies the machine.
    pub machine: String,
    /// Identifies the user on that machine.
    pub user: String,
    /// A checksum of the programs and files of the run with a secret of the user; `None` in older journals.
    pub seal: Option<String>,
}

/// The conditions of a run wherever it is resumed, unless they are changed there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunConditions {
    /// The number of parallel jobs; `None` for the machine's cores.
    pub concurrency: Option<NonZeroUsize>,
    /// The timeout for starting an engine; `None` for the default.
    pub startup: Option<Duration>,
    /// The timeout of a search without a clock; `None` for the default.
    pub search_timeout: Option<Duration>,
}

/// The texts of a baseline's files, which `regress::baseline` parses.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BaselineText {
    /// `cases.csv`.
    pub cases: String,
    /// `figures.json`.
    pub figures: String,
    /// `environment.json`; `None` in baselines of earlier versions.
    pub environment: Option<String>,
}

impl BaselineText {
    /// Its cases, each with its cells by column, up to the first that can't be read.
    pub(crate) fn rows(&self) -> impl Iterator<Item = HashMap<String, String>> {
        csv::Reader::from_reader(self.cases.as_bytes()).into_deserialize().map_while(Result::ok)
    }
}

/// A suite or a match of a run: a progress bar and a section of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its name, unique in the run.
    pub name: String,
    /// Data on what it is about, for reports.
    pub labels: Labels,
    /// What is played: a suite or a match.
    pub task: Task,
}

/// The label of a part in which lost cases are asked again: the name of their suite.
pub const ASKED_AGAIN: &str = "asked again";

/// The task of a part.
#[derive(Debug, Clone, PartialEq)]
pub enum Task {
    /// Run every case of a suite with one engine.
    Suite(SuiteTask),
    /// Play games between engines.
    Match(MatchTask),
}

/// A suite for one engine.
#[derive(Debug, Clone, PartialEq)]
pub struct SuiteTask {
    /// The engine under test.
    pub engine: EngineSpec,
    /// The suite and its positions, as text.
    pub source: SuiteSource,
    /// Limits that replace the suite's own.
    pub limits: Option<Box<Limits>>,
    /// The time margin over `movetime`; `None` for that of the suite.
    pub timemargin: Option<Duration>,
    /// The number of cases of each class, evenly spread; `None` for all.
    pub per_class: Option<NonZeroUsize>,
    /// The ids of cases that are skipped.
    pub left_out: Vec<String>,
}

impl SuiteTask {
    /// All cases of a suite, with the limits of the suite.
    pub const fn new(engine: EngineSpec, source: SuiteSource) -> Self {
        Self { engine, source, limits: None, timemargin: None, per_class: None, left_out: Vec::new() }
    }
}

/// Games between two or more engines.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchTask {
    /// The engines. A test counts the points of the first.
    pub engines: Vec<EngineSpec>,
    /// The openings, in playing order.
    pub openings: Vec<Opening>,
    /// Which engines meet.
    pub format: TournamentFormat,
    /// Encounters in total: pairs of games, or single games.
    pub encounters: usize,
    /// The games of an encounter, the colours, and the seeds of a gauntlet.
    pub rules: ScheduleRules,
    /// The limits of engines without their own.
    pub control: Control,
    /// The source of clocks.
    pub clock_source: ClockSource,
    /// When games end early.
    pub adjudication: Adjudication,
    /// The purpose of the games.
    pub purpose: Purpose,
    /// A test ends undecided once its games have used this much thinking time of both engines together;
    /// `None` for no limit. The time is that of the journaled moves, so what counts depends on the results
    /// alone.
    pub budget: Option<Duration>,
    /// The pause of a worker between two games; no result depends on it.
    pub wait: Duration,
    /// How the games are written as PGN, and which data of the moves is kept for that.
    pub pgn: PgnOptions,
}

/// The purpose of games.
#[derive(Debug, Clone, PartialEq)]
pub enum Purpose {
    /// A score with its error, after all games.
    Match,
    /// A sequential test of the first engine against the second; the schedule is its budget.
    Test(AnyRule),
    /// Ratings fitted to a round robin.
    Calibration,
    /// Values of options for the two sides, which are one engine.
    Tuning,
}

/// The index of a part and of a job in it, from 0. Results count in the order of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobKey {
    /// The part, as an index of the specification.
    pub part: usize,
    /// The case of a suite, or the game of a match.
    pub job: usize,
}

/// The index of a worker, from 0. Which worker does a job depends on the machine and its load, so no result
/// may depend on it; but a worker whose results differ from all others is worth reporting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct WorkerId(pub usize);

/// The result of a job; a game with its moves, or a summary of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a game is as large; its type is a parameter")]
pub enum JobResult<G = GameRecord> {
    /// A case with its verdict.
    Case(CaseRecord),
    /// A finished game.
    Game(G),
}

impl Part {
    /// Are lost cases of a suite asked again in it?
    pub fn is_asked_again(&self) -> bool {
        self.labels.get(ASKED_AGAIN).is_some()
    }

    /// A part without labels.
    pub const fn without_labels(name: String, task: Task) -> Self {
        Self { name, labels: Labels::NONE, task }
    }
}

impl Task {
    /// Every engine of the part.
    pub fn engines(&self) -> &[EngineSpec] {
        match self {
            Self::Suite(suite) => std::slice::from_ref(&suite.engine),
            Self::Match(games) => &games.engines,
        }
    }
}

impl MatchTask {
    /// A round robin with this number of encounters: pairs of games on the wall clock, without adjudication
    /// and without a limit besides those of the engines.
    pub fn new(engines: Vec<EngineSpec>, openings: Vec<Opening>, encounters: usize) -> Self {
        Self {
            engines,
            openings,
            format: TournamentFormat::RoundRobin,
            encounters,
            rules: ScheduleRules::default(),
            control: Control::default(),
            clock_source: ClockSource::Wall,
            adjudication: Adjudication::default(),
            purpose: Purpose::Match,
            budget: None,
            wait: Duration::ZERO,
            pgn: PgnOptions::default(),
        }
    }

    /// The schedule of the games.
    pub const fn schedule(&self) -> Schedule {
        Schedule {
            players: self.engines.len(),
            format: self.format,
            encounters: self.encounters,
            openings: self.openings.len(),
            rules: self.rules,
        }
    }

    /// The rule of the sequential test that may end the match early.
    pub const fn test(&self) -> Option<&AnyRule> {
        match &self.purpose {
            Purpose::Test(rule) => Some(rule),
            Purpose::Match | Purpose::Calibration | Purpose::Tuning => None,
        }
    }

    /// The source of an engine's clock: its own takes precedence over that of the match.
    pub fn clock_source(&self, engine: usize) -> ClockSource {
        self.engines[engine].pace.unwrap_or(self.clock_source)
    }

    /// Does wall time limit an engine?
    pub fn is_on_wall_clocks(&self) -> bool {
        let is_timed = |(seat, engine): (usize, &EngineSpec)| {
            self.clock_source(seat) == ClockSource::Wall && engine.control.or(self.control).is_timed()
        };
        self.engines.iter().enumerate().any(is_timed)
    }

    /// The conditions of a game: an engine's own limits and clock take precedence over those of the match.
    pub fn terms(&self, scheduled: &ScheduledGame) -> GameConditions {
        let control = |engine: usize| self.engines[engine].control.or(self.control);
        let trusted = [scheduled.white, scheduled.black].map(|engine| self.engines[engine].trust);
        GameConditions {
            controls: [control(scheduled.white), control(scheduled.black)],
            clock_sources: [self.clock_source(scheduled.white), self.clock_source(scheduled.black)],
            adjudication: if trusted.contains(&true) {
                self.adjudication.clone().or(Arc::new(TrustMates(MateClaims::Trusted)))
            } else {
                self.adjudication.clone()
            },
            exempt: [scheduled.white, scheduled.black].map(|engine| !self.engines[engine].warnings),
            ponders: [scheduled.white, scheduled.black].map(|engine| self.engines[engine].ponder),
            trusted,
            ..GameConditions::unlimited()
        }
    }

    /// The thinking time of both engines in a game.
    pub fn thinking_time(game: &GameRecord) -> Duration {
        game.played.iter().filter_map(|played| played.used).sum()
    }

    /// The result of a game for the first engine; `None` if it did not play.
    pub fn result<M>(&self, job: usize, game: &GameRecord<M>) -> Option<GameResult> {
        let scheduled = self.schedule().game(job)?;
        let white = white_result(game);
        if scheduled.white == 0 {
            Some(white)
        } else if scheduled.black == 0 {
            Some(white.reversed())
        } else {
            None
        }
    }

    /// Whose fault ended a game; `None` without a fault. In a calibration and a tune every engine is
    /// under test, in a match the first.
    pub fn fault<M>(&self, job: usize, game: &GameRecord<M>) -> Option<FaultBy> {
        let scheduled = self.schedule().game(job)?;
        let loser = match game.outcome {
            GameOutcome::White => scheduled.black,
            GameOutcome::Black => scheduled.white,
            // A fault loses the game, so a drawn game has none.
            GameOutcome::Draw => return None,
        };
        // Such a time loss counts as a fault, too, so it is tested before other faults.
        if game.end.is_excused() {
            return Some(FaultBy::Machine);
        }
        let is_tested = loser == 0 || matches!(self.purpose, Purpose::Calibration | Purpose::Tuning);
        game.end.is_fault().then_some(if is_tested { FaultBy::Tested } else { FaultBy::Opponent })
    }
}

/// The result of a game for White.
pub const fn white_result<M>(game: &GameRecord<M>) -> GameResult {
    match game.outcome {
        GameOutcome::White => GameResult::Win,
        GameOutcome::Black => GameResult::Loss,
        GameOutcome::Draw => GameResult::Draw,
    }
}
