//! Players: a child process that uses UCI, or Echo in this process.
//!
//! Both answer a [`Question`] with an [`Answer`], and callers use both in the same way. A problem of an engine
//! is a typed [`EngineFault`], so that it can become a verdict.

mod border_fault;
mod build;
pub mod builtin;
mod capability;
pub mod child;
mod clause;
pub mod compiler;
pub mod dialogue;
mod engine_fault;
mod engine_groups;
mod fault_cause;
mod fault_injector;
mod launch;
mod launch_options;
mod line_pattern;
#[cfg(unix)]
pub mod mock_engine;
mod notice;
pub mod output_file;
mod peak_memory;
pub mod polyglot;
mod printed_count;
mod program_path;
mod run_queue;
mod scored_info;
pub mod scripted;
mod search_limits;
mod search_timeout;
pub mod spec;
mod spec_error;
mod spec_key;
mod spec_syntax;
mod suspension;
pub mod system;
pub mod traffic;
mod unknown_options;
pub mod visible;
mod wait_limit;

use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;

use threefold_chess::clock::{Delays, Limits, TimeReport};
use threefold_chess::position::GamePosition;
use threefold_chess::score::Ply;
use threefold_chess::uci::{Info, UciOption, WdlClaim, means_no_move};

pub use border_fault::BorderFault;
pub use build::{EngineBuild, EngineFile, EngineFiles, short_commit};
pub use capability::Capabilities;
pub use clause::Clause;
pub use dialogue::{Dialogue, DialogueResult};
pub use engine_fault::EngineFault;
pub use engine_groups::EngineGroups;
pub use fault_cause::{FaultCause, RecordedFault};
pub use fault_injector::FaultInjector;
pub use launch::launch;
pub use launch_options::LaunchOptions;
pub use line_pattern::{InvalidPattern, LinePattern};
pub use notice::{NoticeReceiver, NoticeSender, SilenceNotice};
pub use printed_count::BenchCounts;
pub use program_path::program_from;
pub use scored_info::ScoredInfo;
pub use scripted::ScriptedPlayer;
pub use search_limits::{NODE_CHECK_INTERVAL, exceeds_node_limit};
pub use search_timeout::SearchTimeout;
pub use spec::{EngineSource, EngineSpec, SpecError, SpecKey};
pub use suspension::SuspendableClock;
pub use threefold_chess::score::Bound;
pub use traffic::{ErrorPatterns, FaultTraffic, Traffic};
pub use unknown_options::{SkipReceiver, UnknownOptions};
pub use wait_limit::WaitLimit;

/// The most characters of a line that are quoted.
const LONGEST_QUOTE: usize = 500;

/// What a player is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The position, with its history.
    pub position: GamePosition,
    /// The limits of the search.
    pub limits: Limits,
    /// The only root moves to search (`searchmoves`); all if empty.
    pub searchmoves: Vec<UciMove>,
}

threefold_named_enum::named_enum! {
    /// Who ended a search at its node limit.
    pub enum LimitEnforcedBy {
        /// The engine, or there was no need to.
        Engine = "engine",
        /// The harness: the engine does not know the limit. It was stopped, and its state at the limit
        /// counts.
        Harness = "harness",
    }
}

/// What a player answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The best move; `None` if the player gives none.
    pub best: Option<UciMove>,
    /// What it wrote in place of the best move, if it gave none: `(none)` or `0000`, a text that is no move, or nothing at all.
    pub in_place_of_move: Option<String>,
    /// The reply it expects.
    pub ponder: Option<UciMove>,
    /// Every scored report of the first line (`multipv 1`), in order.
    pub infos: Vec<ScoredInfo>,
    /// Scored reports of the other lines (`MultiPV`), in order.
    pub other_lines: Vec<ScoredInfo>,
    /// Nodes searched, by its own count; zero if it does not report them.
    pub nodes: u64,
    /// The last count of nodes that it reported, also where `nodes` is cut to what it had reported within its node limit.
    pub nodes_at_end: u64,
    /// Time from the question's last byte to the answer's first, by this process's clock.
    pub elapsed: Duration,
    /// What delayed the answer. `None` if wall time does not limit the question, if the system does not report it, or if the
    /// answer came within 4 ms and in time, where the counters of the system are not read.
    pub delays: Option<Delays>,
    /// When the question's last byte was written; `None` if wall time does not limit the question.
    pub asked: Option<Instant>,
    /// When the first byte of output came, from the question's last byte; `None` if nothing was measured.
    pub first_output: Option<Duration>,
    /// The CPU time of all threads of the engine, under the same conditions as the delays.
    pub cpu: Option<Duration>,
    /// Who enforced the node limit.
    pub limit_enforced_by: LimitEnforcedBy,
    /// The nodes that it reported, where they exceed the node limit that it was given by more than the tolerance of
    /// [`exceeds_node_limit`]. `nodes` is then the number at the limit, if it reported one.
    pub nodes_over_limit: Option<u64>,
    /// Its own report of its time plan, if there is one.
    pub account: Option<TimeReport>,
    /// The latest other numbers in its reports of the first line.
    pub reported: SearchReports,
    /// The lines that match the patterns of [`Player::quote_lines`], in the order of the patterns.
    pub quotes: Vec<String>,
    /// Other counts by name; Echo reports some with its option `Census`.
    pub counts: Vec<(String, u64)>,
    /// What came between the search before and this one.
    pub between: LinesBetweenSearches,
}

/// Lines of an engine that belong to no search: `info` lines about a search, or a second `bestmove`, after `bestmove` and
/// before the next `go`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinesBetweenSearches {
    /// The number of them.
    pub count: u32,
    /// The first of them; `None` without any.
    pub first: Option<String>,
}

impl LinesBetweenSearches {
    /// No line.
    pub const NONE: Self = Self { count: 0, first: None };

    /// Counts a line.
    pub fn add(&mut self, line: &str) {
        self.count = self.count.saturating_add(1);
        self.first.get_or_insert_with(|| quoted(line));
    }
}

/// The beginning of a line of an engine, for a message or a record.
pub(crate) fn quoted(line: &str) -> String {
    line.trim().chars().take(LONGEST_QUOTE).collect()
}

/// Numbers in an engine's reports of a search, the latest of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchReports {
    /// Selective depth.
    pub seldepth: Option<Ply>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// Use of the hash table, in thousandths.
    pub hashfull: Option<u16>,
    /// Tablebase hits.
    pub tbhits: Option<u64>,
    /// The chances that it claims, of the first line.
    pub wdl: Option<WdlClaim>,
    /// The engine's own time for the search.
    pub time: Option<Duration>,
}

impl SearchReports {
    /// Takes over the numbers that a report of the first line has.
    pub(crate) fn update(&mut self, info: &Info) {
        self.seldepth = info.seldepth.or(self.seldepth);
        self.nps = info.nps.or(self.nps);
        self.hashfull = info.hashfull.or(self.hashfull);
        self.tbhits = info.tbhits.or(self.tbhits);
        self.wdl = info.wdl.or(self.wdl);
        self.time = info.time.or(self.time);
    }
}

impl Answer {
    /// The last exact report, or the last bound if none is exact.
    pub fn final_info(&self) -> Option<&ScoredInfo> {
        self.infos.iter().rev().find(|info| info.bound == Bound::Exact).or(self.infos.last())
    }

    /// The breach of the protocol in a `bestmove` that neither gives a move nor says that there is none.
    ///
    /// A game takes it for an illegal move; no other question has a use for it.
    pub fn unreadable_move(&self) -> Option<EngineFault> {
        let text = self.in_place_of_move.as_deref().filter(|text| !means_no_move(text))?;
        Some(EngineFault::ProtocolBreach(if text.is_empty() {
            "it sent `bestmove` without a move; `bestmove (none)` means that there is none".to_owned()
        } else {
            format!("it sent `bestmove {text}`, which is not a UCI move (such as e2e4 or e7e8q)")
        }))
    }
}

/// An engine's answer to `uci`: `id name …`, `id author …`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineId {
    /// Its name, usually with a version.
    pub name: Option<String>,
    /// The author that the engine names in `id author`.
    pub author: Option<String>,
}

/// Answers questions about positions.
pub trait Player: Send {
    /// Its name in this run.
    fn name(&self) -> &str;

    /// Its answer to `uci`; empty if it has none.
    fn engine_id(&self) -> EngineId {
        EngineId::default()
    }

    /// The options that it lists; `None` if it lists none, because it does not use UCI.
    fn offers(&self) -> Option<Vec<UciOption>> {
        None
    }

    /// How long it needed to be ready for the last new game, by this process's clock; `None` if it is not measured.
    fn ready_after(&self) -> Option<Duration> {
        None
    }

    /// From the next search on, the answer has the last line of the search that matches each of these patterns. A player
    /// without lines has none.
    fn quote_lines(&mut self, patterns: &[LinePattern]) {
        let _ = patterns;
    }

    /// Sets UCI options for the next games. A process that is started again later gets them, too. A player whose options
    /// can't change returns [`EngineFault::NotSupported`].
    fn set_options(&mut self, options: &[(String, String)]) -> Result<(), EngineFault> {
        let _ = options;
        Err(EngineFault::NotSupported("options between games".to_owned()))
    }

    /// Begins a new game: clears everything that it remembers.
    fn new_game(&mut self) -> Result<(), EngineFault>;

    /// Checks that it can be asked about this position. An engine without an option that the position needs,
    /// such as `UCI_Chess960`, returns [`EngineFault::NotSupported`].
    fn check(&mut self, position: &GamePosition) -> Result<(), EngineFault> {
        let _ = position;
        Ok(())
    }

    /// Searches.
    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault>;

    /// Begins to search on the opponent's time. The position ends with the expected move. An [`answer`](Self::answer) for the
    /// same position continues that search; for another one, that search is stopped first.
    fn ponder(&mut self, question: &Question) -> Result<(), EngineFault> {
        let _ = question;
        Err(EngineFault::NotSupported("pondering".to_owned()))
    }

    /// Reads what it has written while it ponders, without a wait.
    fn read_pondering(&mut self) {}

    /// Ends a search on the opponent's time, if there is one.
    fn stop_pondering(&mut self) -> Result<(), EngineFault> {
        Ok(())
    }

    /// Counts the leaves of the tree of legal moves at this depth. A player without such a command returns
    /// [`EngineFault::NotSupported`].
    fn perft(&mut self, position: &GamePosition, depth: Ply) -> Result<u64, EngineFault> {
        let _ = (position, depth);
        Err(EngineFault::NotSupported("perft".to_owned()))
    }

    /// Checks that it searches the moves of `searchmoves` alone. An engine that plays another one returns
    /// [`EngineFault::NotSupported`].
    fn check_searchmoves(&mut self) -> Result<(), EngineFault> {
        Ok(())
    }

    /// Ends the engine, which is started again by the next question. An engine that crashes while it ends, or
    /// does not end, has a fault.
    fn quit(&mut self) -> Result<(), EngineFault> {
        Ok(())
    }

    /// The CPU time that the engine uses in this time while it waits for a command; `None` if it does not run as a process, or
    /// if the system does not report it.
    fn idle_cpu(&mut self, time: Duration) -> Option<Duration> {
        let _ = time;
        None
    }

    /// The most physical memory that the engine has used at a time since its start, in bytes; `None` if it does not run as a
    /// process, or if the system does not report it.
    fn peak_memory(&mut self) -> Option<u64> {
        None
    }

    /// The shortest time of a few exchanges of a command and its answer while the engine does not search; `None` if it does
    /// not run as a process, or does not answer.
    fn round_trip(&mut self) -> Option<Duration> {
        None
    }

    /// Tests a clause of the protocol. The inner error says what the engine does instead. A player that does
    /// not speak UCI returns [`EngineFault::NotSupported`].
    fn test_clause(&mut self, clause: Clause) -> Result<Result<(), String>, EngineFault> {
        let _ = clause;
        Err(EngineFault::NotSupported("UCI: it runs inside this process".to_owned()))
    }

    /// Holds a dialogue with a new process of the engine, and once more if it fails. A player that does not
    /// speak UCI returns [`EngineFault::NotSupported`].
    fn hold_dialogue(&mut self, dialogue: &Dialogue) -> Result<DialogueResult, EngineFault> {
        let _ = dialogue;
        Err(EngineFault::NotSupported("UCI: it runs inside this process".to_owned()))
    }

    /// Runs the engine's benchmark, which searches fixed positions, within this time. A player without one
    /// returns [`EngineFault::NotSupported`].
    fn bench(&mut self, timeout: Duration) -> Result<BenchCounts, EngineFault> {
        let _ = timeout;
        Err(EngineFault::NotSupported("`bench`".to_owned()))
    }
}

/// The examples of the README, compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
