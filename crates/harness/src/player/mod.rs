//! Whoever answers: a child process that speaks UCI, or Echo in this process.
//!
//! Both answer a [`Question`] with an [`Answer`] and nothing above this floor can tell them apart. What goes
//! wrong with an engine is a [`Fault`], typed, so that it can become a verdict instead of an end.

mod build;
pub mod builtin;
pub mod child;
mod fault_cause;
mod fault_injector;
mod launch;
mod notice;
mod patience;
mod run_queue;
pub mod scripted;
pub mod spec;
mod spec_key;
mod spec_syntax;
mod suspension;
pub mod traffic;

use std::time::Duration;

use shakmaty::uci::UciMove;

use threefold_chess::clock::{Limits, TimeReport, duration};
use threefold_chess::position::GamePosition;
use threefold_chess::score::{Ply, Score};

pub use build::{EngineBuild, EngineFile};
pub use child::EngineGroups;
pub use fault_cause::{FaultCause, RecordedFault};
pub use fault_injector::{BorderFault, FaultInjector};
pub use launch::{LaunchOptions, launch, program_from};
pub use notice::{NoticeSender, SilenceNotice};
pub use patience::SearchTimeout;
pub use scripted::ScriptedPlayer;
pub use spec::{EngineSource, EngineSpec, SpecError, SpecKey};
pub use suspension::SuspendableClock;
pub use threefold_chess::score::Bound;
pub use traffic::{FaultTraffic, Traffic};

/// What a player is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The position, with its history.
    pub line: GamePosition,
    /// What the search may spend.
    pub limits: Limits,
    /// Only these root moves may be considered (`searchmoves`); all where empty.
    pub searchmoves: Vec<UciMove>,
}

/// One scored report of a search (`info … score …` of the first line of play).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredInfo {
    /// From the side to move's view.
    pub score: Score,
    /// Exact or a bound.
    pub bound: Bound,
    /// Depth reached.
    pub depth: Ply,
    /// Nodes spent when it was said, where the engine tells.
    pub nodes: Option<u64>,
    /// The line of play it expects.
    pub pv: Vec<UciMove>,
}

threefold_named_enum::named_enum! {
    /// Who saw to it that a search ended at its limit of nodes.
    pub enum LimitEnforcedBy {
        /// The engine, or nobody had to.
        Engine = "engine",
        /// The harness: the engine doesn't know the limit. It was stopped, and what stood at the limit counts.
        Harness = "harness",
    }
}

/// What a player answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The move chosen; `None` where the player says there is none (`bestmove (none)` or `0000`).
    pub best: Option<UciMove>,
    /// The reply it expects.
    pub ponder: Option<UciMove>,
    /// Every claim about the first line of play, in order.
    pub infos: Vec<ScoredInfo>,
    /// Claims about second and later lines of play (`MultiPV`), in order.
    pub other_lines: Vec<ScoredInfo>,
    /// Nodes spent by its own count; zero where it doesn't tell.
    pub nodes: u64,
    /// Time from the question's last byte to the answer's first, by this process's clock.
    pub elapsed: Duration,
    /// How much of that time the machine kept whoever answered waiting for a CPU; `None` where no clock of the wall
    /// limits the question, or the system doesn't tell.
    pub waited: Option<Duration>,
    /// Who held the limit of nodes.
    pub limit_enforced_by: LimitEnforcedBy,
    /// How it planned its time, where it tells.
    pub account: Option<TimeReport>,
    /// What else it counted, by name; Echo does where its option `Census` is on.
    pub counts: Vec<(String, u64)>,
}

impl Answer {
    /// The last exact claim, or the last bound where no claim was exact.
    pub fn final_info(&self) -> Option<&ScoredInfo> {
        self.infos.iter().rev().find(|info| info.bound == Bound::Exact).or(self.infos.last())
    }
}

/// What says how long an engine is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitLimit {
    /// The time to start and to get ready.
    Startup,
    /// The time that a clock leaves it.
    Clock,
    /// The greatest time for a search that no clock limits.
    SearchTimeout,
}

impl WaitLimit {
    /// What to do about it, where the fault itself is to say so.
    const fn remedy(self) -> &'static str {
        match self {
            Self::Startup | Self::Clock => "",
            Self::SearchTimeout => "; raise --search-timeout, the limit of searches without a wall clock",
        }
    }
}

/// What can go wrong with an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EngineFault {
    /// It could not be started at all.
    #[error("`{command}` can't be started: {cause}; check the path and that it may be executed")]
    CannotStart {
        /// The command line.
        command: String,
        /// What the system says.
        cause: String,
    },
    /// It ended.
    #[error("it ended ({status}) while {task}; its last output: {last_output}")]
    Ended {
        /// Exit status or signal.
        status: String,
        /// What it was doing: `answering …`.
        task: String,
        /// The end of what it wrote to standard error, or else to standard output.
        last_output: String,
    },
    /// It did not answer in time.
    #[error("it was not done {task} within {}{}", duration::text(*waited), limit.remedy())]
    TimedOut {
        /// What it was doing: `answering …`.
        task: String,
        /// How long was waited.
        waited: Duration,
        /// What the wait depends on.
        limit: WaitLimit,
    },
    /// It was started several times and never became ready.
    #[error("it could not be started ({tries} tries): {last}")]
    NotStarted {
        /// How often it was started.
        tries: u32,
        /// What happened the last time.
        last: Box<EngineFault>,
    },
    /// It broke the protocol.
    #[error("it broke the protocol: {0}")]
    ProtocolBreach(String),
    /// It doesn't have an option that was to be set, or not with that value.
    #[error("option {0}")]
    Option(String),
    /// It lacks what this question needs and others don't. It is as ready for the next one as before.
    #[error("the engine lacks {0}")]
    NotSupported(String),
    /// The work was called off while it was thinking.
    #[error("interrupted")]
    Interrupted,
}

/// What an engine says of itself (`id name …`, `id author …`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineId {
    /// Its own name, usually with a version.
    pub name: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
}

/// Whoever answers questions about positions.
pub trait Player: Send {
    /// The name it is known by in this run.
    fn name(&self) -> &str;

    /// What it says of itself; nothing where it doesn't say.
    fn engine_id(&self) -> EngineId {
        EngineId::default()
    }

    /// Forget everything: the next question belongs to another game.
    fn new_game(&mut self) -> Result<(), EngineFault>;

    /// Can it be asked about this position? An engine that lacks an option which the position needs, such as
    /// `UCI_Chess960`, says so by [`Fault::Lacks`].
    fn check(&mut self, line: &GamePosition) -> Result<(), EngineFault> {
        let _ = line;
        Ok(())
    }

    /// Think.
    fn answer(&mut self, question: &Question) -> Result<Answer, EngineFault>;

    /// Count the leaves of the tree of legal moves, so many plies deep. A player that has no such command says
    /// so by [`Fault::Lacks`].
    fn perft(&mut self, line: &GamePosition, depth: Ply) -> Result<u64, EngineFault> {
        let _ = (line, depth);
        Err(EngineFault::NotSupported("`go perft`".to_owned()))
    }
}
