//! What a run came to, as every format tells it.
//!
//! A [`Report`] is a value without a clock, a folder or a database behind it, so that any format is a pure
//! function of it: the same run gives the same bytes, today and from its journal a year later. The one thing
//! that may differ, the machine, only the formats for people show.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

pub use super::contest::{Duel, FixedLength, Test, TestStanding};
use super::homogeneity::Grouping;
use threefold_harness::arena::game::GameRecord;
use threefold_harness::arena::pgn::PgnTags;
use threefold_harness::calibration::NodeCurve;
use threefold_harness::player::{EngineBuild, FaultTraffic};
use threefold_harness::regress::baseline::CaseName;
use threefold_harness::regress::{BudgetComparison, FigureComparison};
use threefold_harness::run::Labels;
use threefold_harness::suite::{CaseRecord, SignatureReading};
use threefold_stats::GameResult;

/// A run, or as much of it as is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What the run is called.
    pub title: String,
    /// The seed that everything random in it was drawn from.
    pub seed: u64,
    /// The command that repeats it; empty where nobody knows.
    pub command: String,
    /// Every engine that took part, in order of appearance.
    pub entrants: Vec<Entrant>,
    /// The suites, in the order of the run.
    pub suites: Vec<SuitePart>,
    /// The matches, tests and calibrations, in the order of the run.
    pub matches: Vec<MatchPart>,
    /// What became of the comparison with a baseline.
    pub baseline: Baseline,
    /// Everything that speaks against the run, as the exit code has it.
    pub complaints: Vec<Complaint>,
    /// The cases whose verdicts are worse than in the baseline.
    pub worse: BTreeSet<CaseName>,
    /// Why it stopped, where engines committed more faults than it allows.
    pub stopped: Option<FaultStop>,
    /// The machine it ran on, in words; empty where nobody knows.
    pub machine: String,
    /// The last traffic of engines at fault, by the part and the case or game, as far as it was kept.
    pub traffic: BTreeMap<(String, String), FaultTraffic>,
}

/// A run that stopped because of engine faults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultStop {
    /// The suite or match with too many faults.
    pub part: String,
    /// The number of faults that it may have among its jobs so far.
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
pub struct Entrant {
    /// Its name in this report.
    pub name: String,
    /// How it was named on the command line.
    pub spec: String,
    /// The builds that played, in the order in which they were begun with; none where the journal doesn't say.
    pub builds: Vec<PlayedBuild>,
}

/// A build of an engine with what it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedBuild {
    /// The build.
    pub build: EngineBuild,
    /// How many games and cases of the run it took part in.
    pub jobs: usize,
}

/// One engine's run of a suite.
#[derive(Debug, Clone, PartialEq)]
pub struct SuitePart {
    /// The part's name, unique in the run.
    pub name: String,
    /// What it is about.
    pub labels: Labels,
    /// The suite's name, as it stands in every record.
    pub suite: String,
    /// A title for people.
    pub title: String,
    /// What it tests, in a sentence.
    pub summary: String,
    /// The engine asked.
    pub engine: String,
    /// What each question may spend, in words.
    pub limits: String,
    /// How many cases there are, asked or not.
    pub planned: usize,
    /// The cases that were asked, in the order of the files.
    pub cases: Vec<CaseRecord>,
    /// What the suite file asks for.
    pub demands: Vec<Demand>,
    /// Which repetitions the engine takes for draws, where the suite probes that.
    pub signature: Option<SignatureReading>,
}

/// A threshold of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// Of what, and how much: `all: at least 95 %`.
    pub asked: String,
    /// Why it is not met; `None` where it is.
    pub shortfall: Option<String>,
}

/// A match, a sequential test or a calibration.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchPart {
    /// The part's name, unique in the run.
    pub name: String,
    /// What it is about.
    pub labels: Labels,
    /// Time or node limits and what makes the clocks run, in words.
    pub terms: String,
    /// Games at most.
    pub planned: usize,
    /// Games that count, in the order of the schedule.
    pub games: Vec<NumberedGame>,
    /// Why it is over; `None` where it was interrupted.
    pub ending: Option<String>,
    /// Points of each engine, in the order in which they were named.
    pub standings: Vec<Standing>,
    /// How each engine used its time; empty where there was no clock.
    pub clocks: Vec<ClockUse>,
    /// What it was played for.
    pub result: MatchResult,
    /// Its pairs by stretches of the schedule; `None` unless two engines played enough of them.
    pub stretches: Option<Grouping>,
    /// Its pairs by the slots of the pool that played them, likewise. They differ from run to run: only the page
    /// shows them.
    pub slots: Option<Grouping>,
    /// Ratings over nodes, where it is a calibration that came to ratings.
    pub curve: Option<NodeCurve>,
}

/// A game and its place in the schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedGame {
    /// From 1.
    pub number: usize,
    /// What its PGN says besides the moves.
    pub tags: PgnTags,
    /// The game.
    pub record: GameRecord,
}

/// An engine's results in a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The engine.
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
    /// The engine.
    pub name: String,
    /// Moves made on a clock.
    pub moves: u64,
    /// Mean time for a move.
    pub mean: Duration,
    /// The longest thought.
    pub longest: Duration,
    /// The least time that was left after a move.
    pub least_left: Duration,
    /// Games lost on time.
    pub flags: u64,
    /// Those of them in which the machine kept it waiting for at least as long as it overstepped.
    pub flags_of_the_machine: u64,
    /// Mean seconds left after its first, second, … move, over the games that lasted so long.
    pub left: Vec<f64>,
}

/// What games were played for.
#[derive(Debug, Clone, PartialEq)]
pub enum MatchResult {
    /// A table of points, and nothing to be said of any one pair of engines.
    Table,
    /// Two engines, a length fixed beforehand.
    Duel(Duel),
    /// A sequential test of the first engine against the second.
    Test(Box<Test>),
    /// Ratings fitted to the games, or a sentence why there are none.
    Ratings(Result<Vec<Rated>, String>),
}

/// An engine's rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Rated {
    /// The engine.
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

/// What became of the comparison with a baseline.
#[derive(Debug, Clone, PartialEq)]
pub enum Baseline {
    /// There was none, and why.
    Absent(String),
    /// Case by case and figure by figure.
    Compared {
        /// Each suite.
        suites: Vec<Contrast>,
        /// Figures that either side has, by name.
        figures: Vec<FigureComparison>,
        /// The matches whose figures are not compared, since their budgets of games differ.
        other_budgets: Vec<BudgetComparison>,
        /// The cases that the baseline has.
        known: BTreeSet<CaseName>,
    },
}

/// The same cases, asked of an engine and of another one (or of the baseline's).
#[derive(Debug, Clone, PartialEq)]
pub struct Contrast {
    /// The suite.
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
    /// Ids that only this engine was asked.
    pub only_ours: Vec<String>,
    /// Ids that only the other engine was asked.
    pub only_theirs: Vec<String>,
    /// The exact paired test (`stats::paired`) that losses and gains are equally likely, two-sided.
    pub p: f64,
}

/// A case that came out differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The case.
    pub id: String,
    /// Its class.
    pub class: String,
    /// What this engine's verdict says.
    pub ours: String,
    /// What the other's says.
    pub theirs: String,
}

/// Something that a run is not accepted with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// What kind of thing.
    pub kind: ComplaintKind,
    /// The part of the run.
    pub part: String,
    /// What it is, in a sentence without its full stop.
    pub what: String,
}

threefold_named_enum::named_enum! {
    /// What kind of thing speaks against a run.
    pub enum ComplaintKind {
        /// Verdicts are worse than in the baseline.
        Regression = "regression",
        /// Fewer cases passed than the suite asks for.
        Threshold = "threshold",
        /// A sequential test accepted H0.
        Rejection = "rejected test",
        /// A sequential test spent its games undecided, where that counts as a failure.
        Undecided = "undecided test",
        /// The run was to become the baseline, and it has engine faults.
        RefusedBaseline = "refused baseline",
    }
}

impl Report {
    /// Sets what a part is about.
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
    /// What an engine scored in some games, each told from its side.
    pub fn of(name: &str, results: impl IntoIterator<Item = GameResult>) -> Self {
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
}
