//! The model of a report, which every format renders.
//!
//! A [`Report`] is a value without a clock, a folder or a database behind it, so that any format is a pure
//! function of it: the same run gives the same bytes, today and from its journal a year later. What
//! may differ, the machine and its environment, only the formats for people show.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::model::bench_comparison::BenchComparison;
pub use crate::model::coupling::{Choice, Coupling, PairDifference};
use crate::model::environment_comparison::EnvironmentComparison;
pub use crate::model::failure_reason::{FailureKind, FailureReason};
pub use crate::model::families::OpeningFamilies;
use crate::model::homogeneity::Grouping;
pub use crate::model::knockout::{Knockout, KnockoutPlace};
pub use crate::model::match_stats::{Duel, FixedLength, Test, TestStanding};
pub use crate::model::numbered_game::{NumberedGame, NumberedSummary};
use crate::model::sources::Sources;
pub use crate::model::swiss::{Swiss, SwissPlace, SwissPlacing};
pub use crate::model::takes::Takes;
pub use crate::model::threshold_result::{ThresholdResult, ThresholdState};
pub use crate::model::tournament_rounds::TournamentRounds;
pub use crate::model::tuning::Tuning;
use threefold_games::pgn::PgnOptions;
use threefold_player::{EngineBuild, FaultTraffic};
use threefold_run::GameReader;
use threefold_run::Labels;
use threefold_run::TrendPoint;
use threefold_run::calibration::NodeCurve;
use threefold_run::distinct_pairs::RepeatCount;
use threefold_run::job::ComparisonUse;
use threefold_run::regress::baseline::CaseName;
use threefold_run::regress::{BudgetComparison, FigureComparison, Loss, SuiteCoverage};
use threefold_stats::GameResult;
use threefold_stats::signed_rank::Ratios;
use threefold_suites::{CaseRecord, LostCase, SignatureReading, VerdictKind};

/// A run, or as much of it as is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Title of the run.
    pub title: String,
    /// Random seed of the run.
    pub seed: u64,
    /// The command that repeats the run; empty if unknown.
    pub command: String,
    /// Every engine that took part, in order of appearance.
    pub engines: Vec<TestedEngine>,
    /// The suites, in the order of the run.
    pub suites: Vec<SuitePart>,
    /// The benches of the suites.
    pub benches: Vec<BenchComparison>,
    /// The matches, tests and calibrations, in the order of the run.
    pub matches: Vec<MatchPart>,
    /// The tournament whose encounters the matches are.
    pub tournament: Option<TournamentRounds>,
    /// How the matches share the games, if they are takes against one base.
    pub takes: Option<Takes>,
    /// The comparison with a baseline.
    pub baseline: Baseline,
    /// The last versions of the baseline, the oldest first.
    pub trend: Vec<TrendPoint>,
    /// Is it a run whose results must be compared?
    pub comparison: ComparisonUse,
    /// The reasons against the run; the exit code follows from them.
    pub failure_reasons: Vec<FailureReason>,
    /// The cases whose verdicts are worse than in the baseline and count against the run.
    pub worse: BTreeSet<CaseName>,
    /// Lost cases of search suites that do not count against the run, with what became of them when they were
    /// asked again.
    pub not_counted: BTreeMap<CaseName, Loss>,
    /// Do the results become the new baseline? Then nothing speaks against the run.
    pub becomes_baseline: bool,
    /// The reason of a stop by engine faults.
    pub stopped: Option<FaultStop>,
    /// Does a process run it now?
    pub activity: Activity,
    /// The machine, in words; empty if unknown.
    pub machine: String,
    /// Its environment, and that of the baseline.
    pub environment: EnvironmentComparison,
    /// The files and lines of its cases and engines.
    pub sources: Sources,
    /// The UCI traffic before faults, by the part and the case or game.
    pub traffic: BTreeMap<(String, String), FaultTraffic>,
    /// Reads the games of the matches with their moves; `None` if the matches have them.
    pub game_reader: Option<GameReader>,
}

/// Whether a process runs a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// None does: the run is finished, or it was interrupted.
    Ended,
    /// The run goes on.
    Running,
}

/// A run that stopped because of engine faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultStop {
    /// The suite or match with too many faults.
    pub part: String,
    /// The maximum number of faults for its jobs so far.
    pub allowed: u64,
    /// Its cases or games that count.
    pub jobs: usize,
    /// `case` or `game`.
    pub unit: &'static str,
    /// Is it a sequential test?
    pub is_test: bool,
}

/// An engine of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestedEngine {
    /// Its name in this report.
    pub name: String,
    /// How it was named on the command line.
    pub spec: String,
    /// The builds that played, in the order of their first job; empty if the journal does not record them.
    pub builds: Vec<PlayedBuild>,
}

/// A build of an engine with its number of jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedBuild {
    /// The files of the engine, with their hashes.
    pub build: EngineBuild,
    /// Number of games and cases that it played.
    pub jobs: usize,
}

/// One engine's run of a suite.
#[derive(Debug, Clone, PartialEq)]
pub struct SuitePart {
    /// The part's name, unique in the run.
    pub name: String,
    /// The labels that a study gave the part.
    pub labels: Labels,
    /// The suite's name in all records.
    pub suite: String,
    /// The title of the suite.
    pub title: String,
    /// The summary, in a sentence.
    pub summary: String,
    /// The name of the engine under test.
    pub engine: String,
    /// The search limits, in words.
    pub limits: String,
    /// What a lost case means, which decides between *passed* and *solved*.
    pub lost_case: LostCase,
    /// Total number of cases.
    pub planned: usize,
    /// The finished cases, in the order of the files.
    pub cases: Vec<CaseRecord>,
    /// The thresholds of the suite file.
    pub thresholds: Vec<ThresholdResult>,
    /// The repetition policy of the engine, if the suite measures it.
    pub signature: Option<SignatureReading>,
}

/// A match, a sequential test or a calibration.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchPart {
    /// The part's name, unique in the run.
    pub name: String,
    /// The labels that a study gave the part.
    pub labels: Labels,
    /// Time or node limits and what makes the clocks run, in words.
    pub terms: String,
    /// The limits, threads and hash size of the first engine, as OpenBench writes them.
    pub openbench_terms: String,
    /// Games at most.
    pub planned: usize,
    /// Games that count, in the order of the schedule, without their moves.
    pub games: Vec<NumberedSummary>,
    /// The games with their moves; empty unless a report needs the moves of all games at once.
    pub games_with_moves: Vec<NumberedGame>,
    /// The numbers of all and of distinct games.
    pub repeats: RepeatCount,
    /// How far the games of its pairs are the same; `None` unless two engines play pairs that do not depend on
    /// the time.
    pub coupling: Option<Coupling>,
    /// Its pairs by families of openings; `None` unless two engines play from openings whose first moves are known.
    pub families: Option<OpeningFamilies>,
    /// Why it ended; `None` if it goes on, or was interrupted.
    pub ending: Option<String>,
    /// Points of each engine, in the order in which they were named.
    pub standings: Vec<Standing>,
    /// Each engine's use of time; empty without clocks.
    pub clocks: Vec<ClockUse>,
    /// The result, by the purpose of the match.
    pub result: MatchResult,
    /// Its pairs by segments of the schedule; `None` unless two engines played enough pairs.
    pub stretches: Option<Grouping>,
    /// Its pairs by the workers that played them. They differ from run to run, so only the HTML page shows
    /// them.
    pub slots: Option<Grouping>,
    /// Were games played to their end, with adjudication in shadow mode?
    pub is_shadow: bool,
    /// Ratings by node budget, for a calibration with ratings.
    pub curve: Option<NodeCurve>,
    /// How its games are written as PGN.
    pub pgn: PgnOptions,
}

/// An engine's results in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The name of the engine.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// How an engine used its clock in a match.
#[derive(Debug, Clone, PartialEq)]
pub struct ClockUse {
    /// The name of the engine.
    pub name: String,
    /// Moves made on a clock.
    pub moves: u64,
    /// Mean time for a move.
    pub mean: Duration,
    /// Longest time for a move.
    pub longest: Duration,
    /// The least time that was left after a move.
    pub least_left: Duration,
    /// Games lost on time.
    pub flags: u64,
    /// Time losses that the machine caused: it delayed the engine by at least the time that it overstepped.
    pub flags_of_the_machine: u64,
    /// Time losses that the runner caused: it read the move late.
    pub flags_of_the_runner: u64,
    /// Mean seconds left after its first, second, … move, over the games that lasted so long.
    pub left: Vec<f64>,
}

/// What games were played for.
#[derive(Debug, Clone, PartialEq)]
pub enum MatchResult {
    /// A table of points of several engines.
    Table,
    /// Two engines, a fixed number of games.
    Duel(Duel),
    /// A sequential test of the first engine against the second.
    Test(Box<Test>),
    /// Ratings fitted to the games, or the reason why there are none.
    Ratings(Result<Vec<Rated>, String>),
    /// Parameters tuned by the games.
    Tuning(Box<Tuning>),
}

/// An engine's rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Rated {
    /// The name of the engine.
    pub name: String,
    /// Its rating, in Elo.
    pub elo: f64,
    /// Half the width of its 95 % interval, in Elo; `None` for the anchor.
    pub error: Option<f64>,
    /// Games played.
    pub games: u64,
    /// Points won, a draw being half of one.
    pub points: f64,
}

/// The comparison with a baseline.
#[derive(Debug, Clone, PartialEq)]
pub enum Baseline {
    /// There is no baseline, with the reason.
    Absent(String),
    /// Compared case by case and figure by figure.
    Compared {
        /// Each suite.
        suites: Vec<PairedComparison>,
        /// Figures that either side has, by name.
        figures: Vec<FigureComparison>,
        /// The matches whose figures are not compared, since their budgets of games differ.
        other_budgets: Vec<BudgetComparison>,
        /// The cases of the compared suites that the baseline has, with their verdicts there.
        known: BTreeMap<CaseName, VerdictKind>,
        /// What is compared of every suite that either side has.
        coverage: Vec<SuiteCoverage>,
    },
}

/// A comparison of one suite's cases under two engines, or under an engine and the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedComparison {
    /// The name of the suite.
    pub suite: String,
    /// This engine.
    pub ours: String,
    /// The other one.
    pub theirs: String,
    /// Cases that both pass.
    pub both_pass: usize,
    /// Cases that both fail.
    pub both_fail: usize,
    /// Cases that this engine fails and the other passes.
    pub lost: Vec<Difference>,
    /// Cases that this engine passes and the other fails.
    pub gained: Vec<Difference>,
    /// Ids of cases that only this engine ran.
    pub only_ours: Vec<String>,
    /// Ids of cases that only the other engine ran.
    pub only_theirs: Vec<String>,
    /// The exact paired test (`stats::paired`) that losses and gains are equally likely, two-sided.
    pub p: f64,
    /// The nodes that this engine took to the solutions, relative to the other, over the cases that both solve.
    pub solved_nodes: Ratios,
}

/// A case with different results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The id of the case.
    pub id: String,
    /// The class of the case.
    pub class: String,
    /// This engine's verdict, in words.
    pub ours: String,
    /// The other engine's verdict, in words.
    pub theirs: String,
}

impl Report {
    /// The report of a run that goes on in another process. Nothing changes if all its parts are over.
    pub fn mark_running(&mut self) {
        if self.unfinished().is_empty() {
            return;
        }
        self.activity = Activity::Running;
        for part in &mut self.matches {
            if let MatchResult::Test(test) = &mut part.result
                && test.standing == TestStanding::Interrupted
            {
                test.standing = TestStanding::Running;
            }
        }
    }

    /// Sets the labels of a part.
    pub fn label(&mut self, part: &str, labels: &Labels) {
        for suite in self.suites.iter_mut().filter(|suite| suite.name == part) {
            suite.labels = labels.clone();
        }
        for games in self.matches.iter_mut().filter(|games| games.name == part) {
            games.labels = labels.clone();
        }
    }
}

impl Standing {
    /// An engine's score in some games, from its side.
    pub fn from_results(name: &str, results: impl IntoIterator<Item = GameResult>) -> Self {
        let mut standing = Self { name: name.to_owned(), wins: 0, draws: 0, losses: 0 };
        for result in results {
            match result {
                GameResult::Win => standing.wins += 1,
                GameResult::Draw => standing.draws += 1,
                GameResult::Loss => standing.losses += 1,
            }
        }
        standing
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points, a draw being half of one.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game, between 0 and 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }
}
